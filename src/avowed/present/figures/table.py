"""Rows of a table as figures need them: those with some values, and what stands in a column."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Rows = Sequence[Row]


def where(rows: Rows, **wanted: Any) -> list[Row]:
    """The rows that hold the wanted values."""
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def pick(rows: Rows, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The rows with the columns that are drawn."""
    return [{column: row[column] for column in columns} for row in rows]


def distinct(rows: Rows, column: str) -> list[Any]:
    """The values of a column in the order of the table; hint types taken together are no value."""
    values = list(dict.fromkeys(row[column] for row in rows))
    return [value for value in values if not (column == "hint_type" and value == "all")]


def defined(values: Iterable[float | None]) -> list[float]:
    """The values that are there."""
    return [value for value in values if value is not None]


def span(values: Iterable[float | None], form: Callable[[float], str]) -> str:
    """The least and the greatest value in words; one value alone where they read alike.

    >>> span([0.91, None, 0.95], "{:.2f}".format), span([0.5], "{:.1f}".format)
    ('0.91 to 0.95', '0.5')
    >>> span([], "{:.1f}".format)
    'an undefined share'
    """
    there = defined(values)
    if not there:
        return "an undefined share"
    least, greatest = form(min(there)), form(max(there))
    return least if least == greatest else f"{least} to {greatest}"


def percent_span(values: Iterable[float | None]) -> str:
    """A span of shares in percent.

    >>> percent_span([0.9, 0.955])
    '90.0 to 95.5 %'
    """
    there = defined(values)
    text = span(there, lambda value: f"{100 * value:.1f}")
    return f"{text} %" if there else text
