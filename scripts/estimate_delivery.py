"""Estimate everything of Part I for one validated delivery."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.long_table import write_long
from avowed.pairs.part_one import estimate_delivery
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    settings = Settings.from_config(snakemake.params.settings)
    results = estimate_delivery(
        read_delivery(snakemake.params.folder), settings, **snakemake.params.place
    )
    write_long(results.rows, Path(snakemake.output.estimates))
    with atomic_path(Path(snakemake.output.sentences)) as temporary:
        text = json.dumps(results.cells, indent=2, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")
    for cell in results.cells:
        say(cell["sentence"])
