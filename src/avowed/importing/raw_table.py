"""A file of a user as a table: every value with the kind it has in the file, nothing converted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

#: A value as it stands in the file. ``3``, ``3.0``, ``"3"`` and ``True`` are four different values;
#: None is null. Lists are tuples.
Value: TypeAlias = "bool | int | float | str | tuple[Value, ...] | None"


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: its distinct values and, per row, which of them stands there.

    Attributes:
        values: the values that occur, each once, distinct by kind too; the order means nothing.
        codes: shape (rows,); the position in ``values``, never negative, for null is a value.

    >>> column = Column(values=("A", None), codes=np.array([0, 1, 0], dtype=np.int32))
    >>> column.at(1) is None, len(column)
    (True, 3)
    """

    values: Sequence[Value]
    codes: npt.NDArray[np.int32]

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.codes.size)

    def at(self, position: int) -> Value:
        """The value of the row at ``position``, counted from 0."""
        return self.values[int(self.codes[position])]

    def every(self) -> list[Value]:
        """The values of all rows, in their order."""
        return [self.values[code] for code in self.codes.tolist()]


@dataclass(frozen=True, kw_only=True)
class RawTable:
    """One input file, column by column.

    Attributes:
        file: the file as messages name it: the path as given, or the name of a data set.
        columns: by name. What is nested has a dotted name: ``meta.answer``.
        rows: shape (rows,); the number of each row as in the file. For JSON lines and CSV this is
            the line on which the row begins, a CSV header being line 1; else the row, from 1.
        row_word: what those numbers count, ``line`` or ``row``.
        absent: per column in which it happens (JSON only), the rows that lack the key altogether,
            shape (rows,). The value there is None.
    """

    file: str
    columns: Mapping[str, Column]
    rows: npt.NDArray[np.int64]
    row_word: str
    absent: Mapping[str, npt.NDArray[np.bool_]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.rows.size)
