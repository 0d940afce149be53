"""Every number of the worked example beside the printed one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.studies.cells import example_cell
from avowed.pairs.studies.registry import read_repetitions
from avowed.pairs.studies.worked_example import COLUMNS, example_rows, truths
from avowed.present.csvfile import read_rows, write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    config = snakemake.params.simulation
    repetitions = read_repetitions([Path(path) for path in snakemake.input.repetitions])
    exact = truths(
        example_cell(config),
        config,
        min_options=snakemake.params.min_options,
        exposure_min_options=config["exposure_min_options"],
    )
    published = read_rows(Path(snakemake.input.published))
    write_rows(Path(snakemake.output.csv), COLUMNS, example_rows(published, repetitions, exact))
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
