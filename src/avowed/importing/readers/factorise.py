"""Values to codes, block by block, with the kind of every value kept."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from avowed.importing.raw_table import Column, Value

Codes: TypeAlias = npt.NDArray[np.int32]


class Missing:
    """The type of `MISSING`: a row that lacks the key."""


MISSING = Missing()

#: Kinds of which no two values are equal, so that one dictionary keeps them apart.
_APART = frozenset({str, int, type(None), Missing})
_NOTHING = frozenset({type(None), Missing})


class _Positions(dict[Any, int]):
    """Value to its code; an unknown value gets the next one."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def __missing__(self, value: Any) -> int:
        code = len(self._values)
        self._values.append(value)
        self[value] = code
        return code


class _PositionsOfKind(dict[Any, int]):
    """The same for values of one kind that may equal values of another; null is shared."""

    def __init__(self, values: list[Any], shared: _Positions) -> None:
        self._values = values
        self._shared = shared

    def __missing__(self, value: Any) -> int:
        if type(value) in _NOTHING:
            code = self._shared[value]
        else:
            code = len(self._values)
            # Minus zero equals zero, and is not told from it; which came first must not show.
            self._values.append(value if value else type(value)())
        self[value] = code
        return code


class ColumnBuilder:
    """Collects one column.

    Args:
        n_before: rows that came before the column was first seen; they lack it.

    >>> builder = ColumnBuilder()
    >>> builder.add([1, True, 1.0, "1", 1])
    >>> column, absent = builder.finish()
    >>> column.values, column.codes.tolist(), absent
    ((1, True, 1.0, '1'), [0, 1, 2, 3, 0], None)
    """

    def __init__(self, *, n_before: int = 0) -> None:
        """Begin with ``n_before`` rows that lack the column."""
        self._values: list[Any] = []
        self._apart = _Positions(self._values)
        self._of_kind = {
            kind: _PositionsOfKind(self._values, self._apart) for kind in (bool, float)
        }
        self._tuples: dict[Any, int] = {}
        self._codes: list[Codes] = []
        if n_before:
            self._codes.append(np.full(n_before, self._apart[MISSING], dtype=np.int32))

    def add(self, values: Sequence[Any], kinds: Iterable[type] | None = None) -> Any:
        """Append rows.

        Args:
            values: `Value` or `MISSING`, one per row.
            kinds: the types among them, if they are known.

        Returns:
            None, or the first new value that no file may hold: a string that is not Unicode or a
            number that is not finite. The caller knows the row.
        """
        known = len(self._values)
        self._codes.append(self._coded(values, kinds))
        return _first_unfit(self._values[known:])

    def add_coded(self, values: Sequence[Any], codes: npt.NDArray[np.integer[Any]]) -> None:
        """Append rows that are coded already: ``values[code]`` for each of ``codes``."""
        self._codes.append(self._coded(values, None)[codes])

    def finish(self) -> tuple[Column, npt.NDArray[np.bool_] | None]:
        """The column, and which rows lack it if any does; None stands there."""
        codes = np.concatenate(self._codes) if self._codes else np.zeros(0, dtype=np.int32)
        absent = None
        if MISSING in self._apart:
            lacking = self._apart[MISSING]
            absent = codes == lacking
            if None in self._apart:
                null = self._apart[None]
                codes[absent] = null
                # Close the gap that the sentinel leaves in the codes.
                codes[codes > lacking] -= 1
                del self._values[lacking]
            else:
                self._values[lacking] = None
        return Column(values=tuple(self._values), codes=codes), absent

    def _coded(self, values: Sequence[Any], kinds: Iterable[type] | None) -> Codes:
        found = set(map(type, values) if kinds is None else kinds)
        rest = found - _NOTHING
        code_of: Callable[[Any], int] = self._code
        if found <= _APART:
            code_of = self._apart.__getitem__
        elif len(rest) == 1 and (kind := rest.pop()) in self._of_kind:
            code_of = self._of_kind[kind].__getitem__
        return np.fromiter(map(code_of, values), np.int32, len(values))

    def _code(self, value: Any) -> int:
        kind = type(value)
        if kind in _APART:
            return self._apart[value]
        if kind in self._of_kind:
            return self._of_kind[kind][value]
        key = _key(value)
        code = self._tuples.get(key)
        if code is None:
            code = self._tuples[key] = len(self._values)
            self._values.append(value)
        return code


def _key(value: Value) -> Any:
    """What two values share if and only if they are the same value of the same kind."""
    if type(value) is tuple:
        return (tuple, *map(_key, value))
    return (type(value), value)


def _first_unfit(values: Sequence[Any]) -> Any:
    try:
        # Nearly always all is well, and one call finds that out.
        "".join(value for value in values if type(value) is str).encode("utf-8")
        plain = True
    except UnicodeEncodeError:
        plain = False
    for value in values:
        if type(value) in (float, tuple) or not plain:
            unfit = _unfit_part(value)
            if unfit is not None:
                return unfit
    return None


def _unfit_part(value: Any) -> Any:
    if isinstance(value, tuple):
        return next((part for part in map(_unfit_part, value) if part is not None), None)
    if isinstance(value, float):
        return None if math.isfinite(value) else value
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value
    return None
