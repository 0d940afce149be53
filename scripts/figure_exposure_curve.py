"""Draw exposure under repeated attempts: truth, unbiased estimate, plug-in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.present.csvfile import read_table, write_rows
from avowed.present.figures.exposure_curve import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    rows = drawn(read_table(Path(snakemake.input.table)))
    outputs = [Path(snakemake.output.svg), Path(snakemake.output.png)]
    draw(rows, outputs)
    table = Path(snakemake.output.csv)
    write_rows(table, COLUMNS, rows)
    record_making(Path(snakemake.output.made), [*outputs, table], seed=snakemake.params.seed)
