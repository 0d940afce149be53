"""Draw what happened to the analysed pairs, and the flagged omission, from a wide table."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.present.csvfile import read_rows
from avowed.present.outcomes_figure import draw
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    draw(
        read_rows(Path(snakemake.input.table)),
        [Path(snakemake.output.svg), Path(snakemake.output.png)],
        confidence=snakemake.params.confidence,
    )
