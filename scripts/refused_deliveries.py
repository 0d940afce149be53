"""Write deliveries that break one rule after another, and what the validator says of each."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.refused import COLUMNS, refusal_rows, write_refused
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    folder, table = Path(snakemake.output.folder), Path(snakemake.output.csv)
    write_refused(folder)
    rows = refusal_rows(folder)
    write_rows(table, COLUMNS, rows)
    say(f"{sum(1 for row in rows if row['rules'])} of {len(rows)} deliveries refused")
    record_making(Path(snakemake.output.made), [table], seed=None)
