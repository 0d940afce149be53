"""The rows of one or more files behind each other, their columns coded by distinct value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from avowed.importing.kinds import Key, key_of
from avowed.importing.raw_table import Column, RawTable, Value

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows of all files, n of them.

    Attributes:
        columns: each column over all rows.
        absent: for each column, the rows that lack its key altogether, shape (n,).
        files: the files as messages name them.
        file: the file of each row, an index into ``files``, shape (n,).
        numbers: the number of each row as in its file, shape (n,).
        row_words: what a row is called, for each file.
    """

    columns: dict[str, Column]
    absent: dict[str, Mask]
    files: tuple[str, ...]
    file: npt.NDArray[np.int32]
    numbers: Ints
    row_words: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.numbers)

    def where(self, position: int) -> str:
        """The file and the row of a position, as messages print them."""
        file = int(self.file[position])
        return f"{self.files[file]}, {self.row_words[file]} {self.numbers[position]}"

    def take(self, positions: Ints) -> "Rows":
        """The rows at these positions."""
        return Rows(
            columns={name: taken(column, positions) for name, column in self.columns.items()},
            absent={name: mask[positions] for name, mask in self.absent.items()},
            files=self.files,
            file=self.file[positions],
            numbers=self.numbers[positions],
            row_words=self.row_words,
        )


def rows_of(tables: Sequence[RawTable], names: Sequence[str]) -> Rows:
    """Put the named columns of the tables behind each other.

    Args:
        tables: one per file; each has every named column.
        names: the columns to keep.

    >>> column = Column(values=["a", None], codes=np.array([0, 1, 0], dtype=np.int32))
    >>> table = RawTable(
    ...     file="x.csv", columns={"k": column}, rows=np.array([2, 3, 4]), row_word="line")
    >>> rows_of([table, table], ["k"]).columns["k"].codes.tolist()
    [0, 1, 0, 0, 1, 0]
    """
    sizes = [len(table.rows) for table in tables]
    absent: dict[str, Mask] = {}
    for name in names:
        masks = [table.absent.get(name) for table in tables]
        if any(mask is not None for mask in masks):
            absent[name] = np.concatenate(
                [
                    np.zeros(size, dtype=np.bool_) if mask is None else mask
                    for mask, size in zip(masks, sizes, strict=True)
                ]
            )
    return Rows(
        columns={name: _joined([table.columns[name] for table in tables]) for name in names},
        absent=absent,
        files=tuple(table.file for table in tables),
        file=np.repeat(np.arange(len(tables), dtype=np.int32), sizes),
        numbers=np.concatenate([np.asarray(table.rows, dtype=np.int64) for table in tables]),
        row_words=tuple(table.row_word for table in tables),
    )


def _joined(columns: Sequence[Column]) -> Column:
    if len(columns) == 1:
        return columns[0]
    known: dict[Key, int] = {}
    values: list[Value] = []
    parts = []
    for column in columns:
        new = np.empty(len(column.values), dtype=np.int32)
        for place, value in enumerate(column.values):
            code = known.setdefault(key_of(value), len(values))
            if code == len(values):
                values.append(value)
            new[place] = code
        parts.append(new[column.codes])
    return Column(values=values, codes=np.concatenate(parts))


def taken(column: Column, positions: Ints) -> Column:
    """The column at these positions; its distinct values stay what they are."""
    return Column(values=column.values, codes=column.codes[positions])


def constant(value: Value, size: int) -> Column:
    """A column of one value."""
    return Column(values=[value], codes=np.zeros(size, dtype=np.int32))


def by_value(column: Column, meaning: Callable[[Value], Any], dtype: Any) -> npt.NDArray[Any]:
    """What each row's value means, asked once per distinct value, shape (n,).

    >>> column = Column(values=["a", "b"], codes=np.array([1, 0, 1], dtype=np.int32))
    >>> by_value(column, lambda value: value == "b", bool).tolist()
    [True, False, True]
    """
    meanings = np.empty(len(column.values), dtype=dtype)
    for place, value in enumerate(column.values):
        meanings[place] = meaning(value)
    found: npt.NDArray[Any] = meanings[column.codes]
    return found


def is_one_of(column: Column, keys: frozenset[Key]) -> Mask:
    """Where the value is one of the given ones, kind included, shape (n,)."""
    return by_value(column, lambda value: key_of(value) in keys, np.bool_)


def combined(codes: Sequence[npt.NDArray[Any]]) -> Ints:
    """One code for each distinct combination of codes from 0, -1 where any is negative.

    >>> combined([np.array([0, 0, 1, 0]), np.array([5, 6, 5, 5])]).tolist()
    [0, 1, 2, 0]
    """
    whole = codes[0].astype(np.int64)
    negative = whole < 0
    for part in codes[1:]:
        negative |= part < 0
        # Both factors are below 2^31, so that the product fits into 64 bits.
        _, whole = np.unique(whole, return_inverse=True)
        _, dense = np.unique(part, return_inverse=True)
        whole = whole.astype(np.int64) * (int(dense.max(initial=0)) + 1) + dense
    _, whole = np.unique(whole, return_inverse=True)
    # Negative parts took codes too; those left are made dense again.
    _, dense = np.unique(whole[~negative], return_inverse=True)
    result: Ints = np.full(len(whole), -1, dtype=np.int64)
    result[~negative] = dense
    return result
