"""Recompute every cell of every table, and put it beside what stands there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import files, tables

from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])) as say:
    inputs = tables.Inputs(
        Path(snakemake.input.settings).parents[1],
        Path(snakemake.input.exported[0]).parents[1],
        Path(snakemake.input.published[0]).parent,
        files.read_json(Path(snakemake.input.settings)),
    )
    try:
        rows = list(tables.compare_tables(inputs, only=snakemake.params.only))
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    files.write_json_lines(Path(snakemake.output.rows), rows)
    agreeing = sum(row["verdict"] == tables.AGREES for row in rows)
    say(f"{agreeing} of {len(rows)} comparisons agree")
