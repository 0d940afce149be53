"""What the values of a column look like: letters, small numbers, option texts, labels, scores."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from avowed.importing.kinds import key_of
from avowed.importing.mapping import Coding
from avowed.importing.raw_table import Column, Value

#: Values that commonly say that no answer could be extracted.
MISSING_WORDS: tuple[Value, ...] = (
    None, "", "N/A", "n/a", "NA", "None", "none", "null", "nan", "NaN", "unknown", -1, "-1", -1.0,
)  # fmt: skip

Alphabet = Literal["letters", "numbers", "text"]

_MISSING_KEYS = frozenset(key_of(value) for value in MISSING_WORDS)
_LETTER = re.compile(r"[A-Z]|\([A-Z]\)")

#: Distinct values looked at; a column with more is judged by its first ones.
LOOKED_AT = 1000

#: Most options that a number as an answer is likely to choose from.
_MOST_OPTIONS = 26

#: Most different labels that a judge gives.
_MOST_LABELS = 8


def used_values(column: Column) -> list[Value]:
    """The values that occur, in the order of their codes."""
    return [column.values[code] for code in np.unique(column.codes).tolist()]


def told_values(column: Column) -> list[Value]:
    """The values that occur and are not among `MISSING_WORDS`, at most `LOOKED_AT`.

    >>> told_values(Column(values=["A", None, "N/A"], codes=np.arange(3, dtype=np.int32)))
    ['A']
    """
    used = used_values(column)[:LOOKED_AT]
    return [value for value in used if key_of(value) not in _MISSING_KEYS]


def number_of(value: Value) -> int | None:
    """A whole number, also as its digits, as 3.0 or as "3.0"; None for everything else."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}(?:\.0)?", value):
        return int(float(value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def coding_of(column: Column) -> Coding:
    """How the answers of a column seem to be coded: as most of the distinct ones are."""
    values = told_values(column)
    letters = sum(isinstance(v, str) and bool(_LETTER.fullmatch(v)) for v in values)
    numbers = [number for v in values if (number := number_of(v)) is not None]
    if letters * 2 > len(values) or not values:
        return "letters"
    if len(numbers) * 2 > len(values):
        return "indices" if min(numbers) == 0 else "numbers"
    return "text"


def alphabet_of(column: Column, options: Column | None) -> Alphabet | None:
    """What the answers in a column are written in; None if they look like no answers.

    Letters and small numbers show it by themselves. A text is one where most of the rows looked at
    hold one of their own options.

    Args:
        column: the column, n rows.
        options: the texts of the options of each row as tuples, n rows, where they are known.
    """
    values = told_values(column)
    if not values or any(isinstance(value, bool | tuple) for value in values):
        return None
    coding = coding_of(column)
    if coding == "letters":
        return "letters"
    if coding != "text":
        numbers = [number for value in values if (number := number_of(value)) is not None]
        return "numbers" if min(numbers) >= 0 and max(numbers) <= _MOST_OPTIONS else None
    return "text" if options is not None and _mostly_options(column, options) else None


def _mostly_options(column: Column, options: Column) -> bool:
    # Spread over the rows, because a file is often sorted.
    rows = np.unique(np.linspace(0, len(column) - 1, min(len(column), LOOKED_AT)).astype(np.int64))
    asked = hits = 0
    for row in rows.tolist():
        value, listed = column.at(row), options.at(row)
        if key_of(value) not in _MISSING_KEYS and isinstance(listed, tuple):
            asked += 1
            hits += value in listed
    return asked > 0 and hits * 2 > asked


def is_list(column: Column) -> bool:
    """Whether it holds lists."""
    return any(isinstance(value, tuple) for value in told_values(column))


def is_number(column: Column) -> bool:
    """Whether all its values are whole numbers."""
    values = used_values(column)[:LOOKED_AT]
    return bool(values) and all(number_of(value) is not None for value in values)


def has_few_values(column: Column) -> bool:
    """Whether it has so few values that it may be a task or a kind of hint."""
    return len(told_values(column)) > 0 and len(np.unique(column.codes)) <= max(
        50, len(column.codes) // 20
    )


def is_labels(column: Column) -> bool:
    """Whether its values can be a judge's words: true and false, or few texts or whole numbers."""
    values = told_values(column)
    return 0 < len(values) <= _MOST_LABELS and not any(
        isinstance(value, tuple) or (isinstance(value, float) and not value.is_integer())
        for value in values
    )


def is_probability(column: Column) -> bool:
    """Whether most of its values are numbers from 0 to 1 and some lie between."""
    values = [float_of(value) for value in told_values(column)]
    inside = [value for value in values if value is not None and 0 <= value <= 1]
    return len(inside) * 10 >= len(values) * 9 and any(0 < value < 1 for value in inside)


def float_of(value: Value) -> float | None:
    """A number, also as digits with a point; None for everything else."""
    if isinstance(value, str):
        return float(value) if re.fullmatch(r"[0-9]*\.?[0-9]+", value) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def has_whole_floats(column: Column) -> bool:
    """Whether a whole number stands there as 3.0, as programs write it beside a missing value."""
    return any(
        number_of(value) is not None and not isinstance(value, int) and str(value).endswith(".0")
        for value in told_values(column)
    )


def texts_only(columns: Sequence[Column]) -> bool:
    """Whether no value of any column is anything but a text, as in CSV, which has no null."""
    return all(isinstance(value, str) for column in columns for value in used_values(column))
