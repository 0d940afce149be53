"""Draw the printed properties of the estimators beside ours."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.present.csvfile import read_table
from avowed.present.figure_files import write_figure
from avowed.present.figures.estimator_properties import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    rows = drawn(read_table(Path(snakemake.input.table)))
    write_figure(snakemake.output, COLUMNS, rows, draw, **snakemake.params)
