"""Numbers of the worked example in the repetitions of one chunk."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.calibration import Gates
from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import cells_of_delivery
from avowed.pairs.studies.registry import share_of_chunk, write_repetitions
from avowed.pairs.studies.worked_example import run_repetitions
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    settings = Settings.from_config(snakemake.params.settings)
    gates = Gates(**snakemake.params.gates, target_half_width=settings.target_half_width)
    delivery = read_delivery(Path(snakemake.input.records).parent)
    (first,) = cells_of_delivery(delivery)
    mine = share_of_chunk(
        snakemake.params.repetitions, int(snakemake.wildcards.chunk), snakemake.params.chunks
    )
    rows = run_repetitions(first, snakemake.params.simulation, settings, gates, mine)
    write_repetitions(rows, Path(snakemake.output.repetitions))
    say(f"worked example: {len(rows)} repetitions")
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.repetitions)],
        seed=snakemake.params.seed,
    )
