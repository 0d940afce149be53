"""Record columns in the form the rules work on: plain arrays with masks for null and wrong type.

Both record formats end here, so that every rule exists once. Nothing is converted on the way: a
value of a wrong type is marked and stands for nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from avowed.pairs.jsonlines import PARSED_TYPES, Chunk
from avowed.pairs.record import ARROW_SCHEMA, FIELD, FIELDS, Field
from avowed.strict_json import INT64_MAX, INT64_MIN, is_text

Mask = npt.NDArray[np.bool_]
Values = npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One field over the records of a batch, shape (n,) each.

    Attributes:
        values: int64, float64 or bool; for a field with a vocabulary the code of the word (its
            place in the vocabulary), -1 for a word outside it; for other strings whether the
            string is empty. Meaningless where ``null`` or ``wrong``.
        null: where the field is null.
        wrong: where the value is of another type than the field's, null apart.
        beyond: where an integer does not fit into 64 bits; ``values`` holds the nearest that does.
        text: the strings themselves (null where ``null`` or ``wrong``) of a string field without
            vocabulary.
    """

    values: Values
    null: Mask
    wrong: Mask
    beyond: Mask
    text: pa.Array | None = None

    @property
    def typed(self) -> Mask:
        """Where there is a value of the field's type."""
        return ~(self.null | self.wrong | self.beyond)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Consecutive records, column by column.

    Attributes:
        first_row: row number of the first record, counted from 1.
        size: number of records.
        columns: every field of the record.
        columns_reported: fields whose whole column is of a wrong type; that is one violation of
            the delivery and not one per row.
    """

    first_row: int
    size: int
    columns: Mapping[str, Column]
    columns_reported: frozenset[str] = frozenset()


def batch_of_chunk(chunk: Chunk) -> Batch:
    """The columns of a chunk of JSON lines."""
    nothing = np.zeros(chunk.size, dtype=bool)
    columns = {
        field.name: _from_objects(field, values, kinds, nothing)
        for field, values, kinds in zip(FIELDS, chunk.columns, chunk.kinds, strict=True)
    }
    return Batch(first_row=chunk.first_row, size=chunk.size, columns=columns)


def batch_of_arrow(
    batch: pa.RecordBatch, *, first_row: int, unfit: frozenset[str] = frozenset()
) -> Batch:
    """The columns of a Parquet batch.

    Args:
        batch: all fields but the unfit ones, in types that fit them.
        first_row: row number of the first record, counted from 1.
        unfit: fields that are left out because their column is of a wrong type.
    """
    nothing = np.zeros(batch.num_rows, dtype=bool)
    columns = {
        field.name: _unfit(field, nothing)
        if field.name in unfit
        else _from_arrow(field, batch.column(field.name), nothing)
        for field in FIELDS
    }
    return Batch(first_row=first_row, size=batch.num_rows, columns=columns, columns_reported=unfit)


def _unfit(field: Field, nothing: Mask) -> Column:
    values = nothing if field.kind == "boolean" else np.zeros(len(nothing), dtype=np.int64)
    return Column(values=values, null=nothing, wrong=~nothing, beyond=nothing)


def _from_objects(
    field: Field, values: Sequence[Any], kinds: frozenset[type], nothing: Mask
) -> Column:
    allowed = PARSED_TYPES[field.kind]
    wrong = beyond = nothing
    if kinds - allowed - {type(None)}:
        wrong = np.array([value is not None and type(value) not in allowed for value in values])
        values = [None if bad else value for bad, value in zip(wrong, values, strict=True)]
    if field.kind == "number" and int in kinds:
        values = [None if value is None else _as_float(value) for value in values]
    try:
        array = pa.array(values, type=ARROW_SCHEMA.field(field.name).type)
    except OverflowError:
        beyond = np.array([v is not None and not INT64_MIN <= v <= INT64_MAX for v in values])
        clipped = [None if v is None else max(INT64_MIN, min(v, INT64_MAX)) for v in values]
        array = pa.array(clipped, type=pa.int64())
    except UnicodeEncodeError:
        # An escaped half of a surrogate pair is valid JSON and still not text.
        lone = np.array([value is not None and not is_text(value) for value in values])
        wrong = wrong | lone
        values = [None if bad else value for bad, value in zip(lone, values, strict=True)]
        array = pa.array(values, type=pa.string())
    column = _from_arrow(field, array, nothing)
    return Column(
        values=column.values,
        null=column.null & ~wrong,
        wrong=wrong,
        beyond=beyond,
        text=column.text,
    )


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _from_arrow(field: Field, array: pa.Array, nothing: Mask) -> Column:
    null = _mask(pc.is_null(array)) if array.null_count else nothing
    beyond = nothing
    text = None
    if pa.types.is_null(array.type):
        array = pa.nulls(len(array), ARROW_SCHEMA.field(field.name).type)
        null = ~nothing
    if field.kind == "string":
        if field.vocabulary:
            values = _codes(array, field.vocabulary)
        else:
            values = _empty(array)
            text = array
    else:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        filled = array.fill_null(False if field.kind == "boolean" else 0)
        if pa.types.is_uint64(array.type):
            unsigned = filled.to_numpy()
            beyond = unsigned > INT64_MAX
            values = np.minimum(unsigned, INT64_MAX).astype(np.int64)
        else:
            # An integer too long for a float is far outside [0, 1] however it is rounded.
            exact = filled.cast(ARROW_SCHEMA.field(field.name).type, safe=field.kind != "number")
            values = exact.to_numpy(zero_copy_only=False)
    return Column(values=values, null=null, wrong=nothing, beyond=beyond, text=text)


def _mask(array: pa.Array) -> Mask:
    mask: Mask = array.to_numpy(zero_copy_only=False)
    return mask


def _codes(array: pa.Array, vocabulary: Sequence[str]) -> Values:
    """Place of each word in the vocabulary, -1 for null and for a word outside it."""
    words = array.dictionary if pa.types.is_dictionary(array.type) else array
    known = pa.array(vocabulary, type=pa.string())
    codes = pc.fill_null(pc.index_in(words.cast(pa.string()), known), -1).to_numpy()
    if words is array:
        return np.asarray(codes)
    # One look-up per word of the dictionary, then one per record; null indices pick the -1 added.
    indices = pc.fill_null(array.indices.cast(pa.int64()), len(words)).to_numpy()
    picked: Values = np.append(codes, -1)[indices]
    return picked


def _empty(array: pa.Array) -> Mask:
    words = array.dictionary if pa.types.is_dictionary(array.type) else array
    if pa.types.is_string_view(words.type):
        words = words.cast(pa.string())
    empty = _mask(pc.fill_null(pc.equal(pc.binary_length(words), 0), False))
    if words is array or not pa.types.is_dictionary(array.type):
        return empty
    if not empty.any():
        return np.zeros(len(array), dtype=bool)
    indices = pc.fill_null(array.indices.cast(pa.int64()), len(words)).to_numpy()
    picked: Mask = np.append(empty, False)[indices]
    return picked


def words_in(column: Column, words: Sequence[str]) -> Values:
    """Place of each string of a column in ``words``, -1 where it is none of them or null."""
    if column.text is None:
        return np.full(len(column.null), -1)
    return _codes(column.text, words)


def as_mask(condition: Any) -> Mask:
    """A comparison of values as a mask; the type of values is only known at run time."""
    return np.asarray(condition, dtype=bool)


def kind_in_words(name: str) -> str:
    """What a field may hold, as an error message says it.

    >>> kind_in_words("hinted_answer")
    'an integer or null'
    """
    field = FIELD[name]
    kind = {
        "string": "a string",
        "integer": "an integer",
        "boolean": "true or false",
        "number": "a number",
    }[field.kind]
    if field.kind == "boolean" and field.nullable:
        return "true, false or null"
    return f"{kind} or null" if field.nullable else kind
