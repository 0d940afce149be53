"""Arrow data as a table, encoded by Arrow, so that only distinct values become objects."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from avowed.importing.raw_table import RawTable
from avowed.importing.readers.factorise import ColumnBuilder
from avowed.importing.readers.limits import MAX_DEPTH, check_columns, check_rows
from avowed.importing.readers.names import shown_name, twice, unknown_column
from avowed.refusal import Refused

_types = pa.types
_KINDS = "booleans, integers, floats, text and lists of them"


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """A column, which may stand inside structs: its names from the top, and its type."""

    path: tuple[str, ...]
    type: pa.DataType

    @property
    def name(self) -> str:
        """The dotted name."""
        return ".".join(self.path)


def readable(arrow_type: pa.DataType, depth: int = 0) -> bool:
    """Whether values of a type are values of a table: booleans, numbers, text, lists of them.

    Decimals, times, bytes, maps and the like have no counterpart and are not guessed into one.

    >>> readable(pa.list_(pa.large_string())), readable(pa.timestamp("s")), readable(pa.null())
    (True, False, True)
    """
    if _types.is_dictionary(arrow_type):
        return readable(arrow_type.value_type, depth)
    if is_list(arrow_type):
        return depth < MAX_DEPTH and readable(arrow_type.value_type, depth + 1)
    return bool(
        _types.is_null(arrow_type)
        or _types.is_boolean(arrow_type)
        or _types.is_integer(arrow_type)
        or _types.is_floating(arrow_type)
        or _types.is_string(arrow_type)
        or _types.is_large_string(arrow_type)
        or _types.is_string_view(arrow_type)
    )


def is_list(arrow_type: pa.DataType) -> bool:
    """Whether a type is a list, of whatever layout."""
    return bool(
        _types.is_list(arrow_type)
        or _types.is_large_list(arrow_type)
        or _types.is_fixed_size_list(arrow_type)
        or _types.is_list_view(arrow_type)
        or _types.is_large_list_view(arrow_type)
    )


def leaves(schema: pa.Schema) -> Iterator[Leaf]:
    """The columns of a schema, those inside structs included.

    >>> inner = pa.struct({"answer": pa.string()})
    >>> [leaf.name for leaf in leaves(pa.schema({"id": pa.int8(), "meta": inner}))]
    ['id', 'meta.answer']
    """
    waiting: list[tuple[tuple[str, ...], pa.DataType]]
    waiting = [((field.name,), field.type) for field in reversed(list(schema))]
    while waiting:
        path, arrow_type = waiting.pop()
        if _types.is_struct(arrow_type) and len(path) < MAX_DEPTH:
            inner = [arrow_type.field(at) for at in range(arrow_type.num_fields)]
            waiting += [((*path, field.name), field.type) for field in reversed(inner)]
        else:
            yield Leaf(path=path, type=arrow_type)


def wanted(schema: pa.Schema, file: str, columns: Collection[str] | None) -> list[Leaf]:
    """The columns to read.

    Args:
        schema: the schema of the file.
        file: its name in messages.
        columns: dotted names; None for all that are readable.

    Raises:
        Refused: there is no column to read; a name is unknown, stands for two columns, for a
            struct, or for a column of a type that is not readable.
    """
    found = list(leaves(schema))
    names = [leaf.name for leaf in found]
    if columns is None:
        check_columns(file, len(found))
        chosen = [leaf for leaf in found if readable(leaf.type)]
    else:
        chosen = [_chosen(name, found, file) for name in columns]
    tops = [field.name for field in schema]
    if repeated := [
        leaf.name for leaf in chosen if names.count(leaf.name) > 1 or tops.count(leaf.path[0]) > 1
    ]:
        raise twice(file, repeated)
    if not chosen:
        raise Refused(f"{file}: has no column with values of a kind that is read ({_KINDS})")
    return chosen


def _chosen(name: str, found: list[Leaf], file: str) -> Leaf:
    leaf = next((each for each in found if each.name == name), None)
    if leaf is None:
        inside = [each.name for each in found if each.name.startswith(f"{name}.")]
        if inside:
            listed = ", ".join(map(shown_name, inside[:3]))
            raise Refused(
                f"{file}, column {shown_name(name)}: holds structs; map a field ({listed})"
            )
        raise unknown_column(file, name, [each.name for each in found])
    if not readable(leaf.type):
        raise Refused(
            f"{file}, column {shown_name(name)}: holds {' '.join(str(leaf.type).split())[:80]}; "
            f"read are {_KINDS}; write it as one of these"
        )
    return leaf


class ArrowTable:
    """Collects record batches.

    Args:
        file: name of the file in messages.
        chosen: the columns to collect.

    >>> batch = pa.record_batch({"n": pa.array([None, 3, 3]), "x": pa.array([1.0, None, 3.0])})
    >>> table = ArrowTable(file="a", chosen=wanted(batch.schema, "a", None))
    >>> table.add(batch)
    >>> [column.every() for column in table.finish().columns.values()]
    [[None, 3, 3], [1.0, None, 3.0]]
    """

    def __init__(self, *, file: str, chosen: list[Leaf]) -> None:
        """Begin an empty table."""
        self._file = file
        self._builders = [(leaf, ColumnBuilder()) for leaf in chosen]
        self.n_rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Append a batch whose values have been validated.

        Raises:
            Refused: too many rows.
        """
        self.n_rows += batch.num_rows
        check_rows(self._file, self.n_rows, len(self._builders))
        for leaf, builder in self._builders:
            array = batch.column(batch.schema.get_field_index(leaf.path[0]))
            for name in leaf.path[1:]:
                # Unlike field(), flatten() hands the struct's own nulls down.
                array = array.flatten()[array.type.get_field_index(name)]
            _add_array(builder, array)

    def finish(self) -> RawTable:
        """The table.

        Raises:
            Refused: there is no row.
        """
        if not self.n_rows:
            raise Refused(f"{self._file}: holds no rows; name a file with data")
        return RawTable(
            file=self._file,
            columns={leaf.name: builder.finish()[0] for leaf, builder in self._builders},
            rows=np.arange(1, self.n_rows + 1, dtype=np.int64),
            row_word="row",
        )


def _add_array(builder: ColumnBuilder, array: pa.Array) -> None:
    if is_list(array.type):
        values, codes = _coded_lists(array)
        builder.add_coded(values, codes)
        return
    if not _types.is_dictionary(array.type):
        array = array.dictionary_encode(null_encoding="mask")
    values = [*map(_value, array.dictionary.to_pylist()), None]
    indices = array.indices.fill_null(len(values) - 1)
    codes = indices.to_numpy(zero_copy_only=False).astype(np.int64)
    used = np.unique(codes)
    # A dictionary may hold values that no row has.
    builder.add_coded([values[code] for code in used.tolist()], np.searchsorted(used, codes))


def _coded_lists(array: pa.Array) -> tuple[list[Any], np.ndarray[Any, np.dtype[np.int64]]]:
    values = [_value(value) for value in array.to_pylist()]
    return values, np.arange(len(values), dtype=np.int64)


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, float) and math.isnan(value):
        # Arrays of floats have no other way to say that a number is missing.
        return None
    return value
