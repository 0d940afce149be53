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
    try:
        found = gate.reasons(
            records,
            settings=files.read_json(Path(snakemake.input.settings)),
            diff=Path(snakemake.input.diff),
            faults=Path(snakemake.input.faults),
            tables=Path(snakemake.input.settings).parents[1] / "tables",
            raw=(
                Path(snakemake.input.source),
                Path(snakemake.input.manifest),
                Path(snakemake.params.raw),
            ),
        )
        for line in found:
            say(f"not verified: {line}")
        if found:
            raise Refused(f"{len(found)} reasons above; nothing of this run is verified")
        stamp = gate.stamp(records, Path(snakemake.input.diff))
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    write_json(Path(snakemake.output.stamp), stamp)
    say(f"verified: {stamp['comparisons']} comparisons agree, {stamp['records']} records of making")
