"""Draw corrected rates of single data sets under one fixed and under new calibrations."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.present.csvfile import read_table
from avowed.present.figure_files import write_figure
from avowed.present.figures.calibration_estimates import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    tables = [read_table(Path(snakemake.input[name])) for name in ("estimates", "calibration")]
    rows = drawn(*tables)
    write_figure(snakemake.output, COLUMNS, rows, draw, **snakemake.params)
