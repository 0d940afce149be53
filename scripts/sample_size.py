"""Planning numbers from the shares of pairs that moved to the hint in the public data."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import pyarrow.parquet as pq

from avowed.made import record_making
from avowed.pairs.sample_size import PLAN_COLUMNS, plan_rows
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    cells = [pq.read_table(path).to_pylist() for path in snakemake.input.estimates]
    rows = plan_rows(cells, confidence=snakemake.params.confidence, **snakemake.params.plan)
    write_rows(Path(snakemake.output.csv), PLAN_COLUMNS, rows)
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
