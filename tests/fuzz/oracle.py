"""What must hold for every input: a table with the right values, or one line that refuses it.

The values are compared with what the standard library's json and csv and pyarrow's own conversion
give, flattened by a few lines of recursion that share nothing with the readers.
"""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.read import read_input
from avowed.refusal import Refused, Unusable, one_line

#: Kinds under test and the names of the files that carry them.
FILES = {
    "jsonl": "case.jsonl",
    "jsonl_gz": "case.jsonl.gz",
    "json": "case.json",
    "csv": "case.csv",
    "parquet": "case.parquet",
    "inspect": "case.eval",
}


class WrongTable(AssertionError):
    """An input was accepted and its values are not those of the file."""


def check(kind: str, data: bytes, folder: Path) -> RawTable | None:
    """Read ``data`` as ``kind`` and compare; return the table, or None where it was refused."""
    path = folder / FILES[kind]
    path.write_bytes(data)
    table = _read(path, None)
    if table is None:
        return None
    _check_shape(table)
    expected = _EXPECTED[kind](data)
    if expected is not None:
        _compare(table, *expected)
    names = list(table.columns)
    again = _read(path, names) if names else None
    if again is not None:
        for name in names:
            if tagged(again.columns[name].every()) != tagged(table.columns[name].every()):
                raise WrongTable(f"{name} read alone differs from {name} read with all others")
    return table


def tagged(value: Any) -> Any:
    """A value with the kind of every part; equal if and only if kinds and values are."""
    if isinstance(value, list | tuple):
        return tuple(map(tagged, value))
    return type(value).__name__, value


def _read(path: Path, columns: list[str] | None) -> RawTable | None:
    try:
        [table] = read_input(path, InputForm(), columns=columns)
    except (Refused, Unusable) as error:
        line = one_line(error)
        if "\n" in line or path.name not in line or len(line) > 1500:
            raise WrongTable(f"a message that is no plain line: {line!r}") from error
        return None
    return table


def _check_shape(table: RawTable) -> None:
    if not len(table) or np.any(np.diff(table.rows) <= 0) or table.rows[0] < 1:
        raise WrongTable("no rows, or rows not numbered upwards from 1")
    for name, column in table.columns.items():
        if len(column) != len(table) or column.codes.dtype != np.int32:
            raise WrongTable(f"{name}: {len(column)} values for {len(table)} rows")
        if column.codes.min() < 0 or column.codes.max() >= len(column.values):
            raise WrongTable(f"{name}: a code without a value")
        if len({tagged(value) for value in column.values}) != len(column.values):
            raise WrongTable(f"{name}: a value twice")
    for name, absent in table.absent.items():
        lacking = np.flatnonzero(absent)
        if not lacking.size or any(table.columns[name].at(row) is not None for row in lacking):
            raise WrongTable(f"{name}: absent and yet there")


def _compare(table: RawTable, rows: list[dict[str, Any]], numbers: list[int] | None) -> None:
    if len(rows) != len(table):
        raise WrongTable(f"{len(table)} rows where the file has {len(rows)}")
    if numbers is not None and table.rows.tolist() != numbers:
        raise WrongTable(f"rows numbered {table.rows.tolist()}, not {numbers}")
    flat = [_flat(row) for row in rows]
    unfit = {name for row in flat for name, value in row.items() if not _is_value(value)}
    names = {name for row in flat for name in row} - unfit
    if set(table.columns) != names:
        raise WrongTable(f"columns {sorted(table.columns)}, not {sorted(names)}")
    for name, column in table.columns.items():
        expected = [row.get(name) for row in flat]
        if tagged(column.every()) != tagged(expected):
            raise WrongTable(f"{name}: {column.every()!r}, not {expected!r}")


def _flat(row: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            inner = _flat(value, f"{before}{name}.")
        else:
            inner = {f"{before}{name}": value}
        if flat.keys() & inner.keys():
            raise WrongTable(f"accepted two columns of one name: {flat.keys() & inner.keys()}")
        flat |= inner
    return flat


def _is_value(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_value, value))
    return not isinstance(value, dict)


def _strict(text: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise WrongTable(f"accepted a key twice: {pairs}")
        return dict(pairs)

    def constant(token: str) -> None:
        raise WrongTable(f"accepted {token}")

    return json.loads(text, object_pairs_hook=unique, parse_constant=constant)


def _json_lines(data: bytes) -> tuple[list[dict[str, Any]], list[int]]:
    numbered = [
        (number, _strict(raw.decode("utf-8")))
        for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1)
        if raw.strip(b" \t\r")
    ]
    return [row for _, row in numbered], [number for number, _ in numbered]


def _gzip_lines(data: bytes) -> tuple[list[dict[str, Any]], list[int]]:
    import gzip

    return _json_lines(gzip.decompress(data))


def _json_document(data: bytes) -> tuple[list[dict[str, Any]], None] | None:
    document = json.loads(data.decode("utf-8-sig"))
    if isinstance(document, list):
        return _strict(data.decode("utf-8-sig")), None
    if {"eval", "status"} <= document.keys():
        return None
    if all(isinstance(value, dict) for value in document.values()):
        return [{"id": key, **row} for key, row in document.items()], None
    lists = zip(*document.values(), strict=True)
    return [dict(zip(document, values, strict=True)) for values in lists], None


def _csv(data: bytes) -> tuple[list[dict[str, Any]], list[int]]:
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    reader = csv.reader(text, strict=True)
    header = next(reader)
    rows, numbers, before = [], [], reader.line_num
    for row in reader:
        if row:
            pairs = zip(header, row, strict=True)
            rows.append({name: cell for name, cell in pairs if name})
            numbers.append(before + 1)
        before = reader.line_num
    return rows, numbers


def _parquet(data: bytes) -> tuple[list[dict[str, Any]], None] | None:
    try:
        with pq.ParquetFile(pa.BufferReader(data)) as file:
            table = file.read(use_threads=False)
            if table.num_rows != file.metadata.num_rows:
                return None
        table.validate(full=True)
        schema = table.schema
        rows = table.to_pylist()
    except (OSError, ValueError, pa.ArrowException, UnicodeDecodeError, OverflowError):
        # A column that the readers leave out is damaged, or holds what Python cannot.
        return None
    return [_of_arrow(row, schema) for row in rows], None


def _of_arrow(row: dict[str, Any], fields: Any) -> dict[str, Any]:
    """A row as the readers should see it: no unreadable columns, null structs as null fields."""
    kept: dict[str, Any] = {}
    for field in fields:
        value = row[field.name] if row is not None else None
        if pa.types.is_struct(field.type):
            kept[field.name] = _of_arrow(value, list(field.type))
        elif _is_readable(field.type):
            kept[field.name] = _without_nan(value)
    return kept


def _is_readable(arrow_type: Any) -> bool:
    if pa.types.is_nested(arrow_type):
        inner = not (pa.types.is_struct(arrow_type) or pa.types.is_map(arrow_type))
        return inner and _is_readable(arrow_type.value_type)
    name = str(arrow_type)
    if name.startswith("dictionary"):
        return _is_readable(arrow_type.value_type)
    plain = ("int", "uint", "float", "double", "halffloat", "bool", "string", "large_string")
    return name == "null" or name.startswith(plain)


def _without_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nan(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _nothing(data: bytes) -> None:
    return None


_EXPECTED: dict[str, Any] = {
    "jsonl": _json_lines,
    "jsonl_gz": _gzip_lines,
    "json": _json_document,
    "csv": _csv,
    "parquet": _parquet,
    "inspect": _nothing,
}
