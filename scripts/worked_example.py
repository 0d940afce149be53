"""Every number of the worked example beside the printed one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from dataclasses import replace

from avowed.made import record_making
from avowed.pairs.calibration import Gates
from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import cells_of_delivery
from avowed.pairs.studies.cells import example_cell
from avowed.pairs.studies.worked_example import (
    COLUMNS,
    example_rows,
    quantities,
    run,
    truths,
)
from avowed.present.csvfile import read_rows, write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    config = snakemake.params.simulation
    settings = Settings.from_config(snakemake.params.settings)
    own = replace(settings, exposure_min_options=config["exposure_min_options"])
    gates = Gates(**snakemake.params.gates, target_half_width=settings.target_half_width)
    delivery = read_delivery(Path(snakemake.input.records).parent)
    (cell,) = cells_of_delivery(delivery)
    repetitions = [quantities(cell, config, own, gates)]
    repetitions += [
        run(config, replace(settings, replicate=repetition), gates)
        for repetition in range(1, snakemake.params.repetitions)
    ]
    exact = truths(
        example_cell(config), config, exposure_min_options=config["exposure_min_options"]
    )
    published = read_rows(Path(snakemake.input.published))
    write_rows(Path(snakemake.output.csv), COLUMNS, example_rows(published, repetitions, exact))
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
