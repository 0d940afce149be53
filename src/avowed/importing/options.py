"""How many options a question has, and their texts."""

from collections.abc import Sequence

import numpy as np

from avowed.importing.answers import MOST_OPTIONS, whole_number
from avowed.importing.kinds import key_of
from avowed.importing.mapping import Found
from avowed.importing.raw_table import Column, Value
from avowed.importing.rows import Ints, Rows, by_value, combined

#: The number of options where it is not known.
UNKNOWN = -1


def option_counts(rows: Rows, found: Found, *, whole_floats: bool = False) -> Ints:
    """The number of options L of each row, `UNKNOWN` where the mapping does not tell, shape (n,).

    >>> column = Column(values=["causal", "new"], codes=np.array([0, 1], dtype=np.int32))
    >>> rows = Rows(columns={"task": column}, absent={}, files=("x",), numbers=np.array([1, 2]),
    ...             file=np.zeros(2, dtype=np.int32), row_words=("row",))
    >>> option_counts(rows, Found(lookup="task", values={key_of("causal"): 2})).tolist()
    [2, -1]
    """
    if found.length:
        return by_value(option_texts(rows, found.length), _length, np.int64)
    if found.column is not None:
        return by_value(
            rows.columns[found.column], lambda value: _count(value, whole_floats), np.int64
        )
    if found.lookup is not None:
        return by_value(
            rows.columns[found.lookup],
            lambda value: found.values.get(key_of(value), UNKNOWN),
            np.int64,
        )
    return np.full(rows.size, found.constant, dtype=np.int64)


def option_texts(rows: Rows, names: Sequence[str]) -> Column:
    """The options of each row as one tuple, from a list column or from one column per option.

    With one column per option, null or empty ones at the end are no options; one in the middle
    makes the list useless, and None stands for it.
    """
    if len(names) == 1:
        return rows.columns[names[0]]
    columns = [rows.columns[name] for name in names]
    codes = combined([column.codes for column in columns])
    _, first = np.unique(codes, return_index=True)
    values = [
        _trimmed([column.values[column.codes[position]] for column in columns])
        for position in first.tolist()
    ]
    return Column(values=values, codes=codes.astype(np.int32))


def _trimmed(options: list[Value]) -> Value:
    while options and options[-1] in (None, ""):
        options.pop()
    return None if any(option in (None, "") for option in options) else tuple(options)


def _length(options: Value) -> int:
    if not isinstance(options, tuple) or len(options) > MOST_OPTIONS:
        return UNKNOWN
    return len(options)


def _count(value: Value, whole_floats: bool) -> int:
    number = whole_number(value, whole_floats=whole_floats)
    return UNKNOWN if number is None or number > MOST_OPTIONS else number
