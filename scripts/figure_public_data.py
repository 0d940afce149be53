"""Draw what happened to the analysed pairs of the public data, and the flagged omission."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.present.csvfile import read_rows
from avowed.present.figure_files import write_figure
from avowed.present.outcomes_figure import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    rows = drawn(read_rows(Path(snakemake.input.table)))
    write_figure(snakemake.output, COLUMNS, rows, draw, **snakemake.params)
