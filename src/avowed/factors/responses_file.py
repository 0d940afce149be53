"""Response files: Parquet or JSON lines, written whole, read without converting anything.

A file of one's own may hold the raw texts alone, which are then parsed here, or the parsed columns
alone. What a file says is checked by `avowed.factors.response_rules`; here it is only read.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from avowed.atomic import atomic_path
from avowed.factors.responses import (
    CALL_FIELDS,
    PARSED_FIELDS,
    RESPONSES,
    Explanation,
    Validity,
    is_asked,
    parsed_columns,
)
from avowed.parquet_batches import checked_batches, opened_parquet
from avowed.refusal import Refused, Unusable
from avowed.regular_file import open_regular, read_regular
from avowed.strict_json import BrokenJson, parse, token_of, unfit

if TYPE_CHECKING:
    from avowed.factors.usecase import UseCase

SUFFIXES = (".parquet", ".jsonl")

_REQUIRED = frozenset({*CALL_FIELDS} - {"feature"})
_KINDS = {"trial": "the 0-based index of a trial", "citations": "a list of strings"}
_SHOWN = 80


def write_responses(path: Path, responses: pa.Table) -> None:
    """Write a table of `RESPONSES` as Parquet or JSON lines, by the suffix, whole or not at all.

    Raises:
        Unusable: the suffix is neither ``.parquet`` nor ``.jsonl``.
    """
    table = responses.select(RESPONSES.names).cast(RESPONSES)
    _check_suffix(path)
    with atomic_path(path) as temporary:
        if path.suffix == ".parquet":
            with temporary.open("wb") as raw:
                pq.write_table(table.combine_chunks(), raw, compression="zstd")
        else:
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                for batch in table.to_batches(max_chunksize=1 << 16):
                    file.writelines(map(json_line, batch.to_pylist()))


def json_line(row: dict[str, Any]) -> str:
    """One row as a line of JSON, with its newline.

    >>> json_line({"input": "client-001", "trial": 0})
    '{"input":"client-001","trial":0}\\n'
    """
    return f"{json.dumps(row, ensure_ascii=False, separators=(',', ':'), allow_nan=False)}\n"


def read_responses(
    path: Path, case: "UseCase | None" = None, *, cited: int | None = None
) -> pa.Table:
    """Read a file of responses into the form of `RESPONSES`, rows in their order.

    Args:
        path: ``.parquet`` or ``.jsonl``.
        case: the use case. With it, columns that the file lacks are filled: the parsed ones from
            the raw text; without raw text ``validity`` is valid where there is a decision, and
            ``explanation`` where there are citations. Without it every column has to be there.
        cited: citations asked for, if not the use case's.

    Raises:
        Unusable: it cannot be read: no such file, another suffix, broken Parquet or JSON.
        Refused: an unknown field, a missing one, a value of another type. The message names the
            file, the row (in JSON lines the line) and the field.
    """
    _check_suffix(path)
    given = _read_parquet(path) if path.suffix == ".parquet" else _read_lines(path)
    _check_names(path, given.column_names, complete=case is None)
    return given.cast(RESPONSES) if case is None else _completed(given, case, cited)


def _check_suffix(path: Path) -> None:
    if path.suffix not in SUFFIXES:
        raise Unusable(f"{path}: responses are {' or '.join(SUFFIXES)}; name such a file")


def _check_names(path: Path, names: list[str], *, complete: bool) -> None:
    for name in names:
        if name not in RESPONSES.names:
            raise Refused(
                f"{path}, row 1, field {name}: unknown field; remove it, the fields are "
                f"{', '.join(RESPONSES.names)}"
            )
    for name in RESPONSES.names if complete else CALL_FIELDS:
        if name not in names:
            raise Refused(f"{path}, row 1, field {name}: missing; every row needs it")
    if "raw" not in names and "decision" not in names:
        raise Refused(
            f"{path}, row 1, field raw: missing; give the responses as received in raw, or what "
            "they say in decision and citations"
        )


def _completed(given: pa.Table, case: "UseCase", cited: int | None) -> pa.Table:
    columns = {name: given.column(name) for name in given.column_names}
    missing = [name for name in PARSED_FIELDS if name not in columns]
    asked = is_asked(columns["intervention"])
    if "raw" in columns:
        parsed = parsed_columns(columns["raw"], asked, case, cited=cited) if missing else {}
        columns |= {name: parsed[name] for name in missing}
    else:
        n = given.num_rows
        columns["raw"] = pa.nulls(n, pa.string())
        columns.setdefault("citations", pa.nulls(n, RESPONSES.field("citations").type))
        decided = pc.is_valid(columns["decision"])
        columns.setdefault("validity", pc.if_else(decided, *map(str, _STATED)))
        cites = pc.if_else(pc.is_valid(columns["citations"]), *map(str, _CITED))
        columns.setdefault(
            "explanation", pc.if_else(pa.array(asked), cites, str(Explanation.NOT_ASKED))
        )
    return pa.table([columns[name] for name in RESPONSES.names], schema=RESPONSES)


#: What a file without raw text says by a decision or citations, and by leaving them out.
_STATED = (Validity.VALID, Validity.FAILED)
_CITED = (Explanation.VALID, Explanation.MISSING)


def _read_parquet(path: Path) -> pa.Table:
    try:
        # Opened here, because a path need not be text and pyarrow wants one that is.
        with open_regular(path) as raw, opened_parquet(raw) as file:
            # Not read whole: that would allot what the row groups claim.
            table = pa.Table.from_batches(checked_batches(file), schema=file.schema_arrow)
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror or error}") from None
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise Unusable(f"{path}: not a readable Parquet file ({error}); write it anew") from None
    names = table.column_names
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"{path}, row 1, field {name}: found twice; keep one column of the name")
    _check_names(path, names, complete=False)
    return pa.table({name: _typed(path, name, table.column(name)) for name in names})


def _typed(path: Path, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column in the type of `RESPONSES`, refused if that would change a value's kind."""
    target = RESPONSES.field(name).type
    if not _fits(column.type, target):
        raise Refused(_mistyped(path, 1, name, f"a column of {column.type}"))
    if name in _REQUIRED and column.null_count:
        row = int(np.flatnonzero(pc.is_null(column).to_numpy())[0]) + 1
        raise Refused(
            f"{path}, row {row}, field {name}: found null; "
            f"expected {_KINDS.get(name, 'a string')}; every "
            "row needs one"
        )
    try:
        return column.cast(target)
    except pa.ArrowInvalid:
        # The one cast that can lose something: an integer that is no index of a trial.
        values = column.to_pylist()
        row = next(i for i, one in enumerate(values) if one is not None and not _is_index(one))
        raise Refused(_mistyped(path, row + 1, name, str(values[row]))) from None


def _fits(found: pa.DataType, target: pa.DataType) -> bool:
    types = pa.types
    if types.is_null(found):
        return True
    if types.is_dictionary(found):
        found = found.value_type
    if types.is_list(target):
        is_list = (
            types.is_list(found) or types.is_large_list(found) or types.is_fixed_size_list(found)
        )
        return is_list and _fits(found.value_type, pa.string())
    if types.is_integer(target):
        return bool(types.is_integer(found))
    return bool(
        types.is_string(found) or types.is_large_string(found) or types.is_string_view(found)
    )


def _is_index(value: int) -> bool:
    return -(2**15) <= value < 2**15


def _mistyped(path: Path, row: int, name: str, found: str) -> str:
    return (
        f"{path}, row {row}, field {name}: found {found}; expected {_KINDS.get(name, 'a string')}; "
        "correct it"
    )


def _read_lines(path: Path) -> pa.Table:
    rows = [_checked(path, number, row) for number, row in _json_rows(path)]
    present = set().union(*(row.keys() for row in rows)) if rows else set(RESPONSES.names)
    names = [name for name in RESPONSES.names if name in present]
    columns = {}
    for name in names:
        values = [row.get(name) for row in rows]
        try:
            columns[name] = pa.chunked_array([pa.array(values, RESPONSES.field(name).type)])
        except UnicodeEncodeError:
            row = next(i for i, one in enumerate(values, start=1) if unfit(one))
            raise Refused(
                f"{path}, row {row}, field {name}: half of a surrogate pair; write the whole "
                "character"
            ) from None
    return pa.table(columns)


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = read_regular(path).split(b"\n")
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}") from None
    if lines[-1] == b"":
        lines.pop()
    for number, line in enumerate(lines, start=1):
        try:
            row = parse(line.decode("utf-8"), keep_tokens=True)
        except UnicodeDecodeError as error:
            raise Unusable(f"{path}, line {number}: not UTF-8 at byte {error.start + 1}") from None
        except BrokenJson as error:
            raise Unusable(f"{path}, line {number}: broken JSON: {error}") from None
        if not isinstance(row, dict):
            raise Unusable(f"{path}, line {number}: not a JSON object; write one per line")
        yield number, row


def _checked(path: Path, number: int, row: dict[str, Any]) -> dict[str, Any]:
    """The row itself, if its fields are known and of their types."""
    for name, value in row.items():
        if name not in RESPONSES.names:
            raise Refused(
                f"{path}, row {number}, field {name}: unknown field; remove it, the fields are "
                f"{', '.join(RESPONSES.names)}"
            )
        if value is None and name not in _REQUIRED:
            continue
        if not _is_typed(name, value):
            token = token_of(value)
            found = token if len(token) <= _SHOWN else f"{token[:_SHOWN]}..."
            raise Refused(_mistyped(path, number, name, found))
    for name in CALL_FIELDS:
        if name in _REQUIRED and name not in row:
            raise Refused(f"{path}, row {number}, field {name}: missing; every row needs it")
    return row


def _is_typed(name: str, value: Any) -> bool:
    if name == "trial":
        # A bool is an int to Python, and 1.0 arrives as a float.
        return type(value) is int and _is_index(value)
    if name == "citations":
        return isinstance(value, list) and all(isinstance(text, str) for text in value)
    return isinstance(value, str)
