"""Parquet files whose footers claim other numbers of rows than they hold."""

import io
import struct

import pyarrow as pa
import pyarrow.parquet as pq

#: Rows of the tables that are to be changed; a number that no other field of the footer has.
ROWS = 1000


def claiming(table: pa.Table, *, rows: int | None = None, group: int | None = None) -> bytes:
    """A file of `ROWS` rows whose footer claims ``rows`` in all and ``group`` in its one group."""
    target = io.BytesIO()
    pq.write_table(table, target, store_schema=False)
    whole = target.getvalue()
    size = int.from_bytes(whole[-8:-4], "little")
    # Field 3 of the footer, an i64, follows the schema, and a list of row groups follows it; field
    # 3 of a row group follows field 2, its size.
    mark = b"\x16" + _varint(ROWS)
    before, total, rest = whole[-8 - size : -8].partition(mark + b"\x19\x1c")
    assert total
    if rows is not None:
        total = b"\x16" + _varint(rows) + b"\x19\x1c"
    if group is not None:
        head, found, tail = rest.rpartition(mark)
        assert found
        rest = head + b"\x16" + _varint(group) + tail
    footer = before + total + rest
    data = whole[: -8 - size] + footer + struct.pack("<I", len(footer)) + b"PAR1"
    metadata = pq.read_metadata(io.BytesIO(data))
    assert metadata.num_rows == (ROWS if rows is None else rows)
    assert metadata.row_group(0).num_rows == (ROWS if group is None else group)
    return data


def _varint(number: int) -> bytes:
    """A zigzag varint, as the footer writes its integers."""
    left, raw = (number << 1) ^ (number >> 63), b""
    while left > 0x7F:
        raw += bytes([left & 0x7F | 0x80])
        left >>= 7
    return raw + bytes([left])
