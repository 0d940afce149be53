"""Estimate everything of Part I for one validated delivery."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import write_json
from avowed.made import record_making
from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import estimate_delivery
from avowed.refusal import reported
from avowed.stats.long_table import write_long

with reported(Path(snakemake.log[0])) as say:
    settings = Settings.from_config(snakemake.params.settings)
    results = estimate_delivery(
        read_delivery(snakemake.params.folder), settings, **snakemake.params.place
    )
    write_long(results.rows, Path(snakemake.output.estimates))
    write_json(Path(snakemake.output.sentences), results.cells)
    for cell in results.cells:
        say(cell["sentence"])
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[name]) for name in ("estimates", "sentences")],
        seed=snakemake.params.seed,
    )
