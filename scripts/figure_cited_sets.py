"""Draw the first k cited features against the k highest uncited ones."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import pyarrow.parquet as pq

from avowed.made import record_making
from avowed.present.csvfile import write_rows
from avowed.present.figures_factors.cells import of_study
from avowed.present.figures_factors.cited_sets import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    rows = of_study(
        drawn(pq.read_table(snakemake.input.estimates).to_pylist()), snakemake.wildcards.study
    )
    outputs = [Path(snakemake.output.svg), Path(snakemake.output.png)]
    draw(rows, outputs, confidence=snakemake.params.confidence)
    table = Path(snakemake.output.csv)
    write_rows(table, COLUMNS, rows)
    record_making(Path(snakemake.output.made), [*outputs, table], seed=snakemake.params.seed)
