"""Shift of many fixed calibrations, each exact given its counts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.estimate import Settings
from avowed.pairs.studies.calibration import SHIFT_COLUMNS, many_fixed_sets
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    settings = Settings.from_config(snakemake.params.settings)
    rows = many_fixed_sets(snakemake.params.simulation, settings)
    write_rows(Path(snakemake.output.csv), SHIFT_COLUMNS, rows)
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
