"""Refuse a run in which anything was changed, disagrees, or goes unnoticed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import files, gate

from avowed.jsonfile import write_json
from avowed.refusal import Refused, Unusable, reported

with reported(Path(snakemake.log[0])) as say:
    records = [Path(path) for path in snakemake.input.made]
    diff = Path(snakemake.input.diff)
    tables = Path(snakemake.input.settings).parents[1] / "tables"
    try:
        settings = gate.read_settings(Path(snakemake.input.settings))
        found = gate.reasons(
            records,
            settings=settings,
            diff=diff,
            faults=Path(snakemake.input.faults),
            planted=Path(snakemake.input.planted),
            tables=tables,
            raw=gate.Raw(
                source=Path(snakemake.input.source),
                manifest=Path(snakemake.input.manifest),
                folder=Path(snakemake.params.raw),
                coded=Path(snakemake.input.coded),
            ),
            asked_for=snakemake.input.results,
        )
        for line in found:
            say(f"not verified: {line}")
        if found:
            raise Refused(f"{len(found)} reasons above; nothing of this run is verified")
        stamp = gate.stamp(records, diff, settings=settings, tables=tables)
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    write_json(Path(snakemake.output.stamp), stamp)
    for line in gate.summary_lines(stamp):
        say(line)
