"""Draw estimates against the known truth of simulated components."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.present.csvfile import read_table, write_rows
from avowed.present.figures_factors.known_truth import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    rows = drawn(read_table(Path(snakemake.input.table)))
    outputs = [Path(snakemake.output.svg), Path(snakemake.output.png)]
    draw(rows, outputs)
    table = Path(snakemake.output.csv)
    write_rows(table, COLUMNS, rows)
    record_making(Path(snakemake.output.made), [*outputs, table], seed=snakemake.params.seed)
