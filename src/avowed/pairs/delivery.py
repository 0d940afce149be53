"""A delivery: a folder with ``delivery.json`` and ``records.parquet`` or ``records.jsonl``.

Reading never converts a value, and it does not judge one either: whether the records keep the
rules R1-R11 is the question of `avowed.pairs.rules.validate`.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from avowed.atomic import atomic_path
from avowed.pairs.header import HEADER_FILE, DeliveryHeader, load_header
from avowed.pairs.header_rules import header_violations
from avowed.pairs.jsonlines import PARSED_TYPES, Chunk, JsonLinesFile, key_difference
from avowed.pairs.parquet_file import ParquetRecords, fits
from avowed.pairs.record import ARROW_SCHEMA, FIELD_NAMES, FIELDS
from avowed.pairs.unusable import UnusableDelivery
from avowed.parquet_batches import BATCH_ROWS
from avowed.real_path import real_path
from avowed.refusal import Unusable

__all__ = ["Delivery", "UnusableDelivery", "read_delivery", "records_file", "write_delivery"]

PARQUET_FILE, JSON_LINES_FILE = "records.parquet", "records.jsonl"

RecordFormat = Literal["parquet", "jsonl"]


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A delivery in memory.

    Attributes:
        header: what the delivery declares.
        records: one row per pair and replica, in ``ARROW_SCHEMA``.
    """

    header: DeliveryHeader
    records: pa.Table


def read_delivery(path: Path | str) -> Delivery:
    """Read a delivery folder.

    Args:
        path: the folder.

    Returns:
        The header and the records in ``ARROW_SCHEMA``. Integer widths, large strings and
        dictionaries are unified; no value is converted to another kind.

    Raises:
        UnusableDelivery: if a file is missing or broken, the header breaks its schema, or a column
            has a wrong type or a null where none may stand. One line that names file and reason.

    >>> read_delivery("no/such/folder")
    Traceback (most recent call last):
    avowed.pairs.unusable.UnusableDelivery: no/such/folder: no such folder
    """
    folder = Path(path)
    file = records_file(folder)
    try:
        header = DeliveryHeader.from_json(load_header(folder))
    except ValueError as error:
        raise UnusableDelivery(f"{folder / HEADER_FILE}: {error}") from error
    try:
        if file.name == PARQUET_FILE:
            source = ParquetRecords(file)
            batches = [batch for _, batch in source.batches(list(FIELD_NAMES))]
            # Without a batch there is nothing to take the types from but the file's schema.
            raw = pa.Table.from_batches(batches) if batches else source.schema.empty_table()
            table = conform(raw)
        else:
            chunks = [_table(chunk) for chunk in JsonLinesFile(file).chunks()]
            table = pa.concat_tables(chunks) if chunks else ARROW_SCHEMA.empty_table()
    except ValueError as error:
        raise UnusableDelivery(f"{file}: {error}; avowed validate lists every case") from error
    return Delivery(header=header, records=table)


def write_delivery(
    path: Path | str,
    header: DeliveryHeader,
    records: pa.Table,
    *,
    format: RecordFormat = "parquet",
) -> None:
    """Write a delivery folder; equal arguments give equal bytes.

    Each file is written beside its place and renamed, the header last, so that no folder with a
    header is half written; records of the other format, which would make the delivery ambiguous,
    are removed. Other files in the folder stay.

    Args:
        path: the folder; made if it is not there.
        header: what the delivery declares; `avowed.pairs.header.coverage_of` counts its coverage.
        records: the columns of a record, in any order, in types that need no conversion.
        format: ``"parquet"`` or ``"jsonl"``.

    Raises:
        ValueError: if the header breaks its schema, or if a column is missing, unknown, of a wrong
            type or null where nothing may be null. Nothing is written then.
        Unusable: a folder has the name of one of the files; nothing is written then either.

    >>> import tempfile
    >>> from avowed.pairs.header import Coverage
    >>> from avowed.pairs.record import LabelSource, PhiSource
    >>> header = DeliveryHeader(
    ...     planned_replicas=1, hint_types=("suggestion",), hint_channel="user_message",
    ...     phi_source=PhiSource.VOTE_FRACTION, label_source=LabelSource.JUDGE_DECISION,
    ...     coverage=(Coverage(hint_type="suggestion", planned=0, completed=0),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_delivery(folder, header, ARROW_SCHEMA.empty_table())
    ...     read_delivery(folder).records.num_rows
    0
    """
    folder = Path(path)
    written = header.to_json()
    if violations := header_violations(written):
        first = violations[0]
        raise ValueError(f"header: {first.field} is {first.found}, expected {first.expected}")
    table = conform(records)
    target, other = PARQUET_FILE, JSON_LINES_FILE
    if format == "jsonl":
        target, other = other, target
    if (folder / other).is_dir():
        raise Unusable(f"{folder / other} is a folder and would be a file; move it or name another")
    with atomic_path(folder / HEADER_FILE) as head:
        text = json.dumps(written, ensure_ascii=False, indent=2, allow_nan=False)
        head.write_text(f"{text}\n", encoding="utf-8", newline="\n")
        with atomic_path(folder / target) as temporary:
            if format == "jsonl":
                _write_json_lines(temporary, table)
            else:
                # One chunk per column: how the caller chunked the table must not show in the file.
                with temporary.open("wb") as raw:
                    pq.write_table(table.combine_chunks(), raw, compression="zstd")
            # The old header goes first and the new one comes last: between them is no delivery.
            real_path(folder / HEADER_FILE).unlink(missing_ok=True)
        (folder / other).unlink(missing_ok=True)


def records_file(folder: Path) -> Path:
    """The one record file of a delivery folder.

    Raises:
        UnusableDelivery: if there is no such folder, or if it holds no record file or both.
    """
    if not folder.is_dir():
        reason = "not a folder; give the delivery folder" if folder.exists() else "no such folder"
        raise UnusableDelivery(f"{folder}: {reason}")
    there = [name for name in (PARQUET_FILE, JSON_LINES_FILE) if (folder / name).exists()]
    if len(there) == 2:
        raise UnusableDelivery(
            f"{folder}: holds both {PARQUET_FILE} and {JSON_LINES_FILE}; remove one of them"
        )
    if not there:
        raise UnusableDelivery(f"{folder}: holds neither {PARQUET_FILE} nor {JSON_LINES_FILE}")
    return folder / there[0]


def conform(records: pa.Table) -> pa.Table:
    """``records`` in ``ARROW_SCHEMA``, without a value changing its kind.

    Raises:
        ValueError: if a column is missing, unknown, of a wrong type, null where nothing may be
            null, or holds an integer beyond 64 bits.
    """
    if difference := key_difference(records.column_names):
        raise ValueError(difference)
    columns = []
    for field in FIELDS:
        column = records.column(field.name)
        if not fits(field.kind, column.type):
            raise ValueError(f"{field.name} is a column of {column.type}, expected {field.kind}")
        _refuse_null(field.name, column.null_count, nullable=field.nullable)
        try:
            columns.append(column.cast(ARROW_SCHEMA.field(field.name).type))
        except pa.ArrowInvalid as error:
            raise ValueError(f"{field.name}: {error}") from error
    return pa.Table.from_arrays(columns, schema=ARROW_SCHEMA)


def _table(chunk: Chunk) -> pa.Table:
    columns = []
    for field, values, kinds in zip(FIELDS, chunk.columns, chunk.kinds, strict=True):
        allowed = PARSED_TYPES[field.kind] | {type(None)}
        for row, value in enumerate(values if kinds - allowed else (), start=chunk.first_row):
            if type(value) not in allowed:
                raise ValueError(f"line {row}: {field.name} is {value!r}, expected {field.kind}")
        _refuse_null(field.name, values.count(None), nullable=field.nullable)
        exact: Any = values
        if field.kind == "number" and int in kinds:
            exact = [None if value is None else float(value) for value in values]
        try:
            columns.append(pa.array(exact, type=ARROW_SCHEMA.field(field.name).type))
        except (OverflowError, UnicodeEncodeError, pa.ArrowInvalid) as error:
            last = chunk.first_row + chunk.size - 1
            raise ValueError(f"lines {chunk.first_row} to {last}: {field.name}: {error}") from error
    return pa.Table.from_arrays(columns, schema=ARROW_SCHEMA)


def _refuse_null(name: str, nulls: int, *, nullable: bool) -> None:
    if nulls and not nullable:
        raise ValueError(f"{name} is null in {nulls} records; the field is required")


def _write_json_lines(path: Path, table: pa.Table) -> None:
    encode = json.JSONEncoder(
        ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
    ).encode
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for batch in table.to_batches(max_chunksize=BATCH_ROWS):
            file.writelines(f"{encode(row)}\n" for row in batch.to_pylist())
