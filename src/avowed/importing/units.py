"""Units: which probe a row belongs to, and which replica of it the row is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from avowed.importing.answers import whole_number
from avowed.importing.kinds import is_text, shown, text_of
from avowed.importing.mapping import Replicas
from avowed.importing.raw_table import Column, Value
from avowed.importing.rows import Ints, Mask, Rows, by_value, combined
from avowed.refusal import Refused

#: The replica of a row that has none.
NO_REPLICA = -1

#: A replica index of this size is a seed or a time, and no index of a plan.
MOST_REPLICAS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Names:
    """Identifiers of rows.

    Attributes:
        codes: index into ``texts``, -1 where a row has no identifier, shape (n,).
        texts: the distinct identifiers.
    """

    codes: Ints
    texts: Sequence[str]


def names_in(rows: Rows, column: str, codes_of: dict[str, int] | None = None) -> Names:
    """The values of a column as identifiers.

    Args:
        rows: the rows.
        column: the column.
        codes_of: known identifiers and their codes, which is added to: two tables named with the
            same dictionary have the same code for the same text.

    Raises:
        Refused: two values that are different in kind read the same, 7 and "7".
    """
    known = {} if codes_of is None else codes_of
    given = rows.columns[column]
    if not known and _all_texts(given.values):
        known.update(zip(given.values, range(len(given.values)), strict=True))
        return Names(codes=given.codes.astype(np.int64), texts=list(known))
    here: dict[str, int] = {}
    codes = np.full(len(given.values), -1, dtype=np.int64)
    for place, value in enumerate(given.values):
        text = text_of(value)
        if text is None:
            continue
        if text in here and len(rows.numbers):
            _refuse_alias(rows, given, column, here[text], place)
        here[text] = place
        codes[place] = known.setdefault(text, len(known))
    return Names(codes=codes[given.codes], texts=list(known))


def _all_texts(values: Sequence[Value]) -> TypeGuard[Sequence[str]]:
    """Whether every value is an identifier as it stands; asked of the whole, which is fast."""
    texts = [value for value in values if type(value) is str and value]
    return len(texts) == len(values) and is_text("".join(texts))


def _refuse_alias(rows: Rows, given: Column, column: str, first: int, second: int) -> None:
    places = [np.flatnonzero(given.codes == code) for code in (first, second)]
    if all(place.size for place in places):
        raise Refused(
            f"{rows.where(int(places[1][0]))}, column {column}: found "
            f"{shown(given.values[second])}; the same column has {shown(given.values[first])} in "
            f"{rows.where(int(places[0][0]))}; an identifier is written in one way; write all of "
            "them as texts or all as numbers"
        )


def probes(rows: Rows, columns: Sequence[str]) -> Names:
    """The probe of each row: the values of the columns, joined by a colon.

    A row with a null, an empty text or a list in one of them has no probe.

    Raises:
        Refused: two different probes would get the same name, or one is written in two ways.

    >>> column = Column(values=["q", None], codes=np.array([0, 1, 0], dtype=np.int32))
    >>> rows = Rows(columns={"id": column}, absent={}, files=("x",), numbers=np.arange(3),
    ...             file=np.zeros(3, dtype=np.int32), row_words=("row",))
    >>> probes(rows, ["id"]).codes.tolist()
    [0, -1, 0]
    """
    parts = [names_in(rows, column) for column in columns]
    if len(parts) == 1:
        return parts[0]
    codes = combined([part.codes for part in parts])
    used, first = np.unique(codes, return_index=True)
    texts: dict[str, int] = {}
    for code, position in zip(used.tolist(), first.tolist(), strict=True):
        if code < 0:
            continue
        text = ":".join(part.texts[part.codes[position]] for part in parts)
        if text in texts:
            raise Refused(
                f"{rows.where(position)}: the columns {', '.join(columns)} joined by a colon give "
                f"{shown(text)}, as they do in {rows.where(texts[text])} from other values; "
                "put a column without colons between them, or name the probes in one column"
            )
        texts[text] = position
    return Names(codes=codes, texts=list(texts))


def replica_numbers(
    rows: Rows, replicas: Replicas, units: Ints, *, within: Mask | None = None
) -> Ints:
    """The replica of each row, from 0; `NO_REPLICA` where there is none, shape (n,).

    Args:
        rows: the rows.
        replicas: one each, by order of appearance within the unit, or from a column.
        units: the unit of each row, shape (n,).
        within: the rows that are counted by order; all without it.
    """
    if replicas.column is not None:
        first = replicas.first
        return by_value(
            rows.columns[replicas.column], lambda value: _replica(value, first), np.int64
        )
    numbers = np.zeros(rows.size, dtype=np.int64)
    if replicas.by == "order":
        counted = np.flatnonzero(np.ones(rows.size, bool) if within is None else within)
        numbers[counted] = order_within(units[counted])
    return numbers


def _replica(value: Value, first: int) -> int:
    number = whole_number(value)
    if number is None:
        # whole_number takes no sign; a column may count from a negative number.
        number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if number is None or not 0 <= number - first < MOST_REPLICAS:
        return NO_REPLICA
    return number - first


def order_within(units: Ints) -> npt.NDArray[np.int64]:
    """How many earlier rows belong to the same unit, shape (n,).

    >>> order_within(np.array([4, 7, 4, 4])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(units, kind="stable")
    ordered = units[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(units) else order
    sizes = np.diff(np.r_[starts, len(units)])
    ranks = np.empty(len(units), dtype=np.int64)
    ranks[order] = np.arange(len(units)) - np.repeat(starts, sizes)
    return ranks


def texts_in(column: Column | None, size: int) -> Names:
    """A column as texts, -1 where there is none; without a column none of ``size`` rows has one.

    >>> texts_in(None, 2).codes.tolist()
    [-1, -1]
    """
    if column is None:
        return Names(codes=np.full(size, -1, dtype=np.int64), texts=[])
    known: dict[str, int] = {}
    codes = np.full(len(column.values), -1, dtype=np.int64)
    for place, value in enumerate(column.values):
        text = text_of(value)
        if text is not None:
            codes[place] = known.setdefault(text, len(known))
    return Names(codes=codes[column.codes], texts=list(known))
