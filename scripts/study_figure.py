"""Draw one figure of the simulation study from its table."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.present.csvfile import read_numbers
from avowed.present.study_figures import FIGURES, Levels, with_numbers
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    _, draw = FIGURES[snakemake.wildcards.figure]
    rows = with_numbers(read_numbers(Path(snakemake.input.table)))
    levels = Levels(snakemake.params.confidence, snakemake.params.target_half_width)
    draw(rows, [Path(snakemake.output.svg), Path(snakemake.output.png)], levels)
