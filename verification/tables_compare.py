"""A table of the pipeline beside the same table recomputed, cell by cell.

A table is printed with ten significant digits, so a printed number is known to half a unit of the
tenth. A row or a column that only one of the two has is a verdict of its own, so that no cell of
no table can be changed unseen.
"""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verification.comparison import AGREES, FAILS, ONLY_PIPELINE, ONLY_RECOMPUTATION
from verification.files import Unusable, unmarked

Value = str | int | float | None

DIGITS = 10
ROUNDING = 1e-12
PRINTED = "half a unit of the tenth printed digit, plus 1e-12"
# Fields beyond the header, which a table must not have.
BEYOND = "(beyond the header)"


@dataclass(frozen=True)
class Expected:
    """A recomputed value, how it was got, and a tolerance beyond that of printing.

    An integer is compared exactly, a text letter by letter, None with an empty cell.
    """

    value: Value
    how: str
    slack: float = 0.0


@dataclass(frozen=True)
class Table:
    """A recomputed table: the columns that name a row, and its rows.

    A row maps every column to what it should be; those that name it are texts.
    """

    name: str
    keys: tuple[str, ...]
    rows: tuple[Mapping[str, Expected], ...]


def text_of(value: Value) -> str:
    """Text of a value as a table prints it.

    >>> text_of(0.1 + 0.2), text_of(3), text_of(None)
    ('0.3', '3', '')
    """
    if value is None:
        return ""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def as_printed(value: float) -> float:
    """A number as a reader of the printed table has it.

    >>> as_printed(2 / 3)
    0.6666666667
    """
    return float(text_of(value))


def printing_tolerance(printed: float) -> float:
    """Half a unit of the tenth significant digit of a printed number, plus 1e-12.

    >>> f"{printing_tolerance(0.6666666667):.2g}"
    '5.1e-11'
    """
    if printed == 0 or not math.isfinite(printed):
        return ROUNDING
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(printed))) - DIGITS + 1) + ROUNDING


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Read a table: its columns, and its rows as text.

    Raises:
        Unusable: it cannot be read or has no header.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, restkey=BEYOND, restval="")
            rows = [{name: unmarked(cell) for name, cell in row.items()} for row in reader]
            columns = list(reader.fieldnames or ())
    except (OSError, ValueError, csv.Error) as error:
        raise Unusable(f"{path} cannot be read ({error}); run make reproduce") from None
    if not columns:
        raise Unusable(f"{path} has no header; run make reproduce")
    if any(BEYOND in row for row in rows):
        columns.append(BEYOND)
    return columns, rows


def number_of(text: str) -> Value:
    """A cell as a number where it is one, None where it is empty, its text otherwise.

    >>> number_of("12"), number_of("0.5"), number_of(""), number_of(" 5"), number_of("nan")
    (12, 0.5, None, ' 5', 'nan')
    """
    if text == "":
        return None
    # Python reads blanks, underscores and "nan" as numbers too; no table prints such.
    if not set(text) <= set("0123456789+-.e"):
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def compare_value(text: str, expected: Expected) -> dict[str, Any]:
    """Compare one printed cell with its recomputed value; the later columns of a comparison.

    >>> compare_value("0.3333333333", Expected(1 / 3, "a third"))["verdict"]
    'agrees'
    >>> compare_value("", Expected(0.0, "nothing is not zero"))["verdict"]
    'fails'
    """
    main, independent = number_of(text), expected.value
    tolerance: float | None = None
    difference: float | None = None
    rule = "equal"
    if independent is None or isinstance(independent, str):
        main = text or None
        same = main == (independent or None)
    elif not isinstance(main, int | float):
        same = False
    elif isinstance(independent, int):
        tolerance, difference = 0.0, float(main - independent)
        same = difference == 0
    else:
        tolerance = printing_tolerance(main) + expected.slack
        difference = main - independent
        rule = PRINTED + (" and the rounding of what it is made from" if expected.slack else "")
        same = abs(difference) <= tolerance
    return {
        "main": main,
        "independent": independent,
        "difference": difference,
        "tolerance": tolerance,
        "basis": f"{expected.how}; {rule}",
        "verdict": AGREES if same else FAILS,
    }


def _key(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(row.get(key, "")) for key in keys)


def _comparison(
    table: Table, key: Sequence[str], column: str, found: Mapping[str, Any]
) -> dict[str, Any]:
    named = dict(zip(table.keys, key, strict=True))
    return {
        "source": f"{table.name}.csv",
        "quantity": column,
        "cell": " · ".join(part for name, part in named.items() if part and name != "k"),
        "k": int(named["k"]) if named.get("k", "").isdecimal() else None,
        "field": "value",
        **found,
    }


def _alone(verdict: str, **values: Value) -> dict[str, Any]:
    return {
        "main": None,
        "independent": None,
        "difference": None,
        "tolerance": None,
        "basis": "a row and a column need a counterpart",
        "verdict": verdict,
        **values,
    }


def compare_table(
    table: Table, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Compare a table of the pipeline, read as text, with its recomputation.

    Rows are matched by the columns that name them. Of a row that only one side has, the naming
    columns are reported; so is every cell of a column that only one side has.
    """
    expected = {tuple(text_of(row[key].value) for key in table.keys): row for row in table.rows}
    if len(expected) != len(table.rows):
        raise ValueError(f"{table.name}: two recomputed rows have the same name")
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        key = _key(row, table.keys)
        wanted = expected.get(key)
        if wanted is None or key in seen:
            for column in table.keys:
                alone = _alone(ONLY_PIPELINE, main=row.get(column) or None)
                yield _comparison(table, key, column, alone)
            continue
        seen.add(key)
        for column in columns:
            if column not in wanted:
                alone = _alone(ONLY_PIPELINE, main=str(row.get(column, "")))
                yield _comparison(table, key, column, alone)
            elif column not in table.keys:
                yield _comparison(table, key, column, compare_value(row[column], wanted[column]))
        for column in wanted:
            if column not in columns:
                alone = _alone(ONLY_RECOMPUTATION, independent=wanted[column].value)
                yield _comparison(table, key, column, alone)
    for key in expected:
        if key not in seen:
            for column, part in zip(table.keys, key, strict=True):
                yield _comparison(table, key, column, _alone(ONLY_RECOMPUTATION, independent=part))
