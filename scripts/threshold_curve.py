"""The threshold curve of the worked example beside its population values."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import pyarrow.parquet as pq

from avowed.made import record_making
from avowed.pairs.estimate import Settings
from avowed.pairs.studies.clouds import CURVE_COLUMNS, curve_rows
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    settings = Settings.from_config(snakemake.params.settings)
    estimates = pq.read_table(snakemake.input.estimates).to_pylist()
    rows = curve_rows(estimates, snakemake.params.simulation, settings)
    write_rows(Path(snakemake.output.csv), CURVE_COLUMNS, rows)
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
