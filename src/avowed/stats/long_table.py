"""The long results table as Parquet: one row per estimate, a fixed schema, byte-stable."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from avowed.atomic import atomic_path

#: Columns of the long table in order (``architecture``, "Layout of a results table").
LONG_SCHEMA: pa.Schema = pa.schema(
    [
        ("study", pa.string()),
        ("cell", pa.string()),
        ("quantity", pa.string()),
        ("k", pa.int64()),
        ("estimate", pa.float64()),
        ("lower", pa.float64()),
        ("upper", pa.float64()),
        ("method", pa.string()),
        ("status", pa.string()),
        ("n", pa.int64()),
        ("clusters", pa.int64()),
        ("icc", pa.float64()),
        ("deff", pa.float64()),
        ("effective_n", pa.float64()),
        ("mc_error", pa.float64()),
        ("repetitions", pa.int64()),
        ("note", pa.string()),
    ]
)


def write_long(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write long rows, whole or not at all."""
    table = pa.Table.from_pylist([dict(row) for row in rows], schema=LONG_SCHEMA)
    with atomic_path(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")
