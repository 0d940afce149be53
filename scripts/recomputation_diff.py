"""Join all comparisons of the pipeline with the recomputation into one table."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import diff, files

from avowed.made import record_making
from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])) as say:
    try:
        rows = [row for path in snakemake.input.rows for row in diff.extra_rows(Path(path))]
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    files.write_csv(Path(snakemake.output.csv), diff.COLUMNS, rows)
    record_making(
        Path(snakemake.output.made), [Path(snakemake.output.csv)], seed=snakemake.params.seed
    )
    # Whether a difference stops the run is for the gate, which reads the table.
    apart = [row for row in rows if row["verdict"] != diff.AGREES]
    for row in apart[: diff.PRINTED]:
        say(diff.sentence(row))
    say(f"{len(rows)} comparisons, {len(apart)} do not agree")
