"""Put every estimate of every delivery, and all below the tables, beside the recomputed one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import corrections, diff, files, public_records, refusals, repetition
from verification.comparison import AGREES

from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])) as say:
    exported = Path(snakemake.input.exported[0]).parents[1]
    settings = files.read_json(Path(snakemake.input.settings))
    rows = []
    try:
        for name, place in sorted(snakemake.params.places.items()):
            stamp = files.read_json(Path(snakemake.input.stamps[0]).parent / f"{name}.json")
            rows += diff.delivery_rows(
                name, exported, settings, study=place["study"], cell=place["name"], stamp=stamp
            )
        rows += refusals.rows(Path(snakemake.input.refusals), Path(snakemake.input.refused))
        rows += corrections.rows(
            Path(snakemake.input.corrections), exported / "deliveries", settings
        )
        rows += public_records.rows(
            exported,
            Path(snakemake.input.legend),
            [Path(path) for path in snakemake.input.exclusions],
            settings,
        )
        rows += repetition.rows(Path(snakemake.input.pairs), exported, settings)
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    files.write_json_lines(Path(snakemake.output.rows), rows)
    agreeing = sum(row["verdict"] == AGREES for row in rows)
    say(f"deliveries: {agreeing} of {len(rows)} comparisons agree")
