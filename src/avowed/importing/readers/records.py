"""Rows that arrive as JSON objects, gathered to a table."""

from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from avowed.importing.kinds import shown
from avowed.importing.raw_table import Column, RawTable
from avowed.importing.readers.factorise import MISSING, ColumnBuilder
from avowed.importing.readers.limits import MAX_DEPTH, check_columns, check_rows
from avowed.importing.readers.names import shown_name, twice, unknown_column
from avowed.refusal import Refused

#: Rows per block whose names are kept for a message about an unknown column.
_LOOKED_AT = 20

Rows = Sequence[Mapping[str, Any]]


class RecordTable:
    """Collects objects row by row, each a row; nested objects get dotted names.

    Args:
        file: name of the file in messages.
        row_word: what the row numbers count.
        columns: the columns wanted; None for all. Where all are wanted, a column that anywhere
            holds what no value can be, such as a list of objects, is left out.

    >>> table = RecordTable(file="a.json", row_word="row", columns=["meta.answer"])
    >>> table.add([{"meta": {"answer": "A"}}, {"meta": {}}])
    >>> raw = table.finish()
    >>> raw.columns["meta.answer"].values, raw.absent["meta.answer"].tolist()
    (('A', None), [False, True])
    """

    def __init__(self, *, file: str, row_word: str, columns: Collection[str] | None) -> None:
        """Begin an empty table."""
        self._file = file
        self._row_word = row_word
        self._all = columns is None
        self._builders = {name: ColumnBuilder() for name in columns or ()}
        self._left_out: set[str] = set()
        self._seen: dict[str, None] = {}
        self._numbers: list[npt.NDArray[np.int64]] = []
        self._n_rows = 0

    def add(self, rows: Rows, numbers: Sequence[int] | None = None) -> None:
        """Append rows.

        Args:
            rows: objects as parsed.
            numbers: their numbers in the file; None to count on.

        Raises:
            Refused: a column wanted holds, in a row, an object, a list of objects, text that is not
                Unicode or a number out of range; or two keys have the same dotted name.
        """
        if numbers is None:
            numbers = range(self._n_rows + 1, self._n_rows + len(rows) + 1)
        self._numbers.append(np.asarray(numbers, dtype=np.int64))
        if self._all:
            flat = [self._flat(row, number) for row, number in zip(rows, numbers, strict=True)]
            self._meet(dict.fromkeys(name for row in flat for name in row))
            for name in list(self._builders):
                self._add_column(name, [row.get(name, MISSING) for row in flat], numbers)
        else:
            for row in rows[:_LOOKED_AT]:
                self._seen.update(dict.fromkeys(name for name, _ in leaves(row)))
            for name in self._builders:
                self._add_column(name, self._picked(rows, name, numbers), numbers)
        self._n_rows += len(rows)
        check_rows(self._file, self._n_rows, len(self._builders))

    def finish(self) -> RawTable:
        """The table.

        Raises:
            Refused: there is no row, or no row has a column that is wanted.
        """
        if not self._n_rows:
            raise Refused(f"{self._file}: holds no rows; name a file with data")
        columns: dict[str, Column] = {}
        absent: dict[str, npt.NDArray[np.bool_]] = {}
        for name, builder in self._builders.items():
            columns[name], lacking = builder.finish()
            if lacking is not None and lacking.all():
                raise unknown_column(self._file, name, self._seen)
            if lacking is not None:
                absent[name] = lacking
        return RawTable(
            file=self._file,
            columns=columns,
            rows=np.concatenate(self._numbers),
            row_word=self._row_word,
            absent=absent,
        )

    def _where(self, number: int, name: str) -> str:
        return f"{self._file}, {self._row_word} {number}, column {shown_name(name)}"

    def _meet(self, names: Mapping[str, None]) -> None:
        for name in names:
            if name not in self._builders and name not in self._left_out:
                self._builders[name] = ColumnBuilder(n_before=self._n_rows)
        check_columns(self._file, len(self._builders) + len(self._left_out))

    def _flat(self, row: Mapping[str, Any], number: int) -> dict[str, Any]:
        found = leaves(row)
        flat = dict(found)
        if len(flat) != len(found):
            names = [name for name, _ in found]
            raise twice(
                f"{self._file}, {self._row_word} {number}",
                (name for name in flat if names.count(name) > 1),
            )
        return flat

    def _picked(self, rows: Rows, name: str, numbers: Sequence[int]) -> list[Any]:
        if "." not in name:
            try:
                return list(map(itemgetter(name), rows))
            except KeyError:
                return [row.get(name, MISSING) for row in rows]
        head, _, last = name.partition(".")
        if "." not in last and not any(name in row for row in rows):
            # Nearly all nested names are of this shape, and it costs a third.
            try:
                return [row[head][last] for row in rows]
            except (KeyError, TypeError):
                pass
        picked: list[Any] = []
        for row, number in zip(rows, numbers, strict=True):
            found = under(row, name)
            if len(found) > 1:
                raise twice(f"{self._file}, {self._row_word} {number}", [name])
            picked.append(found[0] if found else MISSING)
        return picked

    def _add_column(self, name: str, values: list[Any], numbers: Sequence[int]) -> None:
        kinds = set(map(type, values))
        if dict in kinds or list in kinds:
            values, kinds = self._without_lists(name, values, numbers), {tuple}
            if name in self._left_out:
                return
        unfit = self._builders[name].add(values, kinds)
        if unfit is not None:
            position = next(at for at, value in enumerate(values) if _holds(value, unfit))
            rule = (
                "is text with half a surrogate pair, which is no Unicode"
                if isinstance(unfit, str)
                else "is no finite number of 64 bits"
            )
            raise Refused(
                f"{self._where(numbers[position], name)}: {shown(unfit)} {rule}; correct it"
            )

    def _without_lists(self, name: str, values: Sequence[Any], numbers: Sequence[int]) -> list[Any]:
        """Lists as tuples; refuses what is no value, or leaves the column out."""
        plain: list[Any] = []
        for value, number in zip(values, numbers, strict=True):
            fault = _fault(value)
            if fault and self._all:
                self._left_out.add(name)
                del self._builders[name]
                return []
            if fault:
                raise Refused(f"{self._where(number, name)}: {fault}")
            plain.append(_tuple_of(value) if type(value) is list else value)
        return plain


def leaves(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """All values of an object with their dotted names; one nested too deeply stays an object.

    >>> leaves({"id": 1, "meta": {"answer": "A", "tags": ["x"]}})
    [('id', 1), ('meta.answer', 'A'), ('meta.tags', ['x'])]
    """
    found: list[tuple[str, Any]] = []
    waiting = [(name, value, 1) for name, value in reversed(list(row.items()))]
    while waiting:
        name, value, depth = waiting.pop()
        if type(value) is dict and depth < MAX_DEPTH:
            waiting += [
                (f"{name}.{key}", inner, depth + 1) for key, inner in reversed(list(value.items()))
            ]
        else:
            found.append((name, value))
    return found


def under(row: Mapping[str, Any], name: str) -> list[Any]:
    """All that a dotted name can mean in an object: a key may itself contain a dot.

    >>> under({"a.b": 1, "a": {"b": 2}}, "a.b")
    [1, 2]
    """
    found = [row[name]] if name in row else []
    dot = name.find(".")
    while dot >= 0:
        inner = row.get(name[:dot])
        if type(inner) is dict:
            found += under(inner, name[dot + 1 :])
        dot = name.find(".", dot + 1)
    return found


def _fault(value: Any, depth: int = 0) -> str:
    """Why a parsed value cannot be a value of a table; empty if it can."""
    if type(value) is dict:
        if depth:
            return "found a list of objects; map a column of plain values or lists of them"
        keys = ", ".join(shown_name(key) for key in list(value)[:3])
        return f"found an object; map one of its keys ({keys or 'it has none'})"
    if depth > MAX_DEPTH:
        return f"nested more than {MAX_DEPTH} levels deep; write plain values"
    if type(value) is list:
        return next((fault for part in value if (fault := _fault(part, depth + 1))), "")
    return ""


def _tuple_of(value: Any) -> Any:
    return tuple(map(_tuple_of, value)) if type(value) is list else value


def _holds(value: Any, part: Any) -> bool:
    return value is part or (type(value) is tuple and any(_holds(each, part) for each in value))
