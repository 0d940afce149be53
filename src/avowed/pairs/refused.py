"""Deliveries that must be refused: a small valid one, corrupted in one place after another.

They are written as JSON lines, because R1 is about the tokens in the file. What a case breaks is
found by the validator here and by a second program elsewhere, and the two are compared.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.atomic import atomic_path
from avowed.pairs.delivery import JSON_LINES_FILE
from avowed.pairs.edge_cells import EDGE_CELLS
from avowed.pairs.edge_delivery import cell_records, edge_delivery
from avowed.pairs.header import HEADER_FILE
from avowed.pairs.refused_case import Case, Header, Record, Token
from avowed.pairs.refused_cases import CASES
from avowed.pairs.rules import validate

#: The cell of the edge delivery that is corrupted: it has one record of every kind.
CELL = "one_of_each"

#: Columns of ``refusals.csv``.
COLUMNS = ("case", "corrupted", "made_for", "rules")


def _row_of(kind: str) -> int:
    """Position of the first record of a kind in the cell."""
    wrong, letter = kind.startswith("wrong "), kind[-1]
    position = 0
    for probe in EDGE_CELLS[CELL]:
        for replica, found in enumerate(probe.pairs):
            if found == letter and (replica in probe.wrong) == wrong:
                return position
            position += 1
    raise ValueError(f"no record of kind {kind!r} in the cell {CELL}")


def _coverage(records: Sequence[Record]) -> list[dict[str, Any]]:
    reasons = Counter(row["reason_not_evaluable"] for row in records if row["reason_not_evaluable"])
    return [
        {
            "hint_type": CELL,
            "planned": len(records),
            "completed": len(records),
            "incomplete": 0,
            "not_evaluable": dict(sorted(reasons.items())),
        }
    ]


def corrupted(case: Case) -> tuple[Header, list[Record]]:
    """The header and the records of one case.

    >>> header, records = corrupted(CASES[0])
    >>> header["coverage"][0]["completed"] == len(records)
    True
    """
    records: list[Record] = cell_records(CELL, EDGE_CELLS[CELL])
    if case.record:
        row = _row_of(case.record)
        changes = case.changes(records[row]) if callable(case.changes) else case.changes
        records[row] = {**records[row], **changes}
        if case.again is not None:
            records.append({**records[row], **case.again})
    header = edge_delivery(hint_types=(CELL,)).header.to_json() | {"coverage": _coverage(records)}
    if case.header is not None:
        case.header(header)
    return header, records


def _line(record: Record) -> str:
    values = (
        (name, value.text if isinstance(value, Token) else json.dumps(value, ensure_ascii=False))
        for name, value in record.items()
    )
    return "{" + ", ".join(f"{json.dumps(name)}: {text}" for name, text in values) + "}\n"


def write_refused(folder: Path, cases: Sequence[Case] = CASES) -> None:
    """Write every case into a folder of its own below ``folder``."""
    for case in cases:
        header, records = corrupted(case)
        for name, text in (
            (HEADER_FILE, json.dumps(header, indent=2) + "\n"),
            (JSON_LINES_FILE, "".join(map(_line, records))),
        ):
            with atomic_path(folder / case.name / name) as temporary:
                temporary.write_text(text, encoding="utf-8", newline="\n")


def refusal_rows(folder: Path, cases: Sequence[Case] = CASES) -> list[dict[str, str]]:
    """Which rules the validator finds broken in each case that stands in ``folder``."""
    return [
        {
            "case": case.name,
            "corrupted": case.what,
            "made_for": case.rule,
            "rules": " ".join(validate(folder / case.name).violations.by_rule()),
        }
        for case in cases
    ]
