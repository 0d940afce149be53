"""Draw what happened to the analysed pairs of the public data, and the flagged omission."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.present.csvfile import read_rows, write_rows
from avowed.present.outcomes_figure import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    rows = drawn(read_rows(Path(snakemake.input.table)))
    outputs = [Path(snakemake.output.svg), Path(snakemake.output.png)]
    draw(rows, outputs, confidence=snakemake.params.confidence)
    table = Path(snakemake.output.csv)
    write_rows(table, COLUMNS, rows)
    record_making(Path(snakemake.output.made), [*outputs, table], seed=snakemake.params.seed)
