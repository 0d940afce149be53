"""What an import was made from, and what became of it: ``import.json``."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from avowed import __version__
from avowed.importing.build import Built
from avowed.importing.exclusions import Reason, What
from avowed.importing.raw_table import RawTable
from avowed.importing.unused_values import NAMED
from avowed.sources.hashing import sha256_of


def describe_import(
    built: Built,
    *,
    mapping: Path,
    inputs: Sequence[RawTable],
    baselines: Sequence[RawTable] = (),
    names: Mapping[str, str],
) -> dict[str, Any]:
    """Describe an import; nothing in it depends on when or where it ran.

    Args:
        built: the delivery and what was left out.
        mapping: the mapping's file.
        inputs: the tables read.
        baselines: the tables of the other file with unhinted halves.
        names: what each file is called, by its name in messages.
    """
    exclusions = built.exclusions
    return {
        "avowed": __version__,
        "mapping": {"file": mapping.name, "sha256": sha256_of(mapping)},
        "inputs": [_described(table, names) for table in inputs],
        "baselines": [_described(table, names) for table in baselines],
        "counts": asdict(built.counts),
        "left_out": exclusions.counts(What.ROW),
        "incomplete": exclusions.counts(What.HALF),
        "verdicts_left_out": exclusions.counts(What.VERDICT),
        "evidence_left_out": exclusions.counts(What.EVIDENCE),
        "unknown_verdicts": {
            value: count
            for values in exclusions.values_of(Reason.UNKNOWN_VERDICT).values()
            for value, count in list(values.items())[:NAMED]
        },
    }


def _described(table: RawTable, names: Mapping[str, str]) -> dict[str, Any]:
    path = Path(table.file)
    # A data set that a library fetched by its name is no file with a hash of its own.
    digest = sha256_of(path) if path.is_file() else None
    return {"file": names[table.file], "sha256": digest, "rows": len(table.rows)}
