"""Tables as CSV: one number format, undefined as an empty cell, newline at every row's end."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from avowed.atomic import atomic_path
from avowed.regular_file import open_regular
from avowed.sheet_cell import sheet_cell, sheet_text

Value = str | int | float | None

#: Columns that hold names. A hint type may be called 007 or nan, and stays what it is.
NAMES = frozenset(
    {
        "calibration",
        "cell",
        "component",
        "condition",
        "end",
        "hint_type",
        "interval",
        "method",
        "property",
        "purpose",
        "quantity",
        "share_basis",
        "shown",
        "status",
        "study",
        "task",
        "truth_kind",
        "use_case",
        "variant",
        "verdict",
    }
)


def cell_text(value: Value) -> str:
    """Text of one cell: floats at ten significant digits, undefined as nothing.

    Ten digits are far beyond any sampling error, and hide the last bits in which processors may
    differ. A text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> [cell_text(v) for v in (0.1 + 0.2, 618, None, float("nan"), "=A1")]
    ['0.3', '618', '', '', "'=A1"]
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.10g}" if isinstance(value, float) else sheet_cell(str(value))


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Value]]) -> None:
    """Write rows in the order of the columns, whole or not at all.

    Raises:
        KeyError: a row lacks a column.
    """
    with (
        atomic_path(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([cell_text(row[column]) for column in columns] for row in rows)


def read_rows(path: Path) -> list[dict[str, str]]:
    """Read a table back as text, one dictionary per row."""
    with io.TextIOWrapper(open_regular(path), encoding="utf-8", newline="") as file:
        return [
            {
                # More fields than columns come as a list, and a row that is too short as None.
                name: sheet_text(text) if isinstance(text, str) else text
                for name, text in row.items()
            }
            for row in csv.DictReader(file)
        ]


def read_table(path: Path) -> list[dict[str, Any]]:
    """Read a table back: numbers as numbers, names as text, and None for an empty cell.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "t.csv"
    >>> write_rows(path, ["hint_type", "k", "bias"], [{"hint_type": "007", "k": 2, "bias": None}])
    >>> read_table(path)
    [{'hint_type': '007', 'k': 2, 'bias': None}]
    """
    return [
        {name: text or None if name in NAMES else _number(text) for name, text in row.items()}
        for row in read_rows(path)
    ]


def _number(text: str) -> str | int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None
