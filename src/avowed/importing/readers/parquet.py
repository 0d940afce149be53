"""Parquet: read batch by batch, its claims checked before anything is allotted for them."""

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from avowed.importing.raw_table import RawTable
from avowed.importing.readers.arrow_columns import ArrowTable, wanted
from avowed.importing.readers.limits import check_rows
from avowed.importing.readers.stream import opened
from avowed.refusal import Unusable

#: Rows read at a time.
_BATCH_ROWS = 1 << 16

_SHOWN = 200


def read_parquet(path: Path, file: str, *, columns: Collection[str] | None) -> RawTable:
    """Read a Parquet file.

    Integers stay integers where some are null. A NaN is a missing value and becomes None. Structs
    are flattened to dotted names, lists become tuples.

    Args:
        path: the file.
        file: its name in messages.
        columns: the columns wanted; None for all of a readable type.

    Raises:
        Unusable: the file is truncated, damaged or not Parquet, or has other rows than it says.
        Refused: as `avowed.importing.readers.arrow_columns.wanted`; no rows; too many.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.parquet"
    >>> pq.write_table(pa.table({"n": pa.array([None, 3])}), path)
    >>> read_parquet(path, "a.parquet", columns=["n"]).columns["n"].every()
    [None, 3]
    """
    with opened(path, file) as source:
        try:
            with pq.ParquetFile(
                source,
                pre_buffer=False,
                # With a buffer, a page that claims two gigabytes is allotted them.
                buffer_size=0,
                page_checksum_verification=True,
            ) as parquet:
                chosen = wanted(parquet.schema_arrow, file, columns)
                n_rows = parquet.metadata.num_rows
                check_rows(file, n_rows, len(chosen))
                table = ArrowTable(file=file, chosen=chosen)
                for batch in parquet.iter_batches(
                    batch_size=_BATCH_ROWS,
                    # Whole structs: where a damaged file's fields disagree on which rows have one,
                    # what a field alone would give depends on the fields it is read with.
                    columns=list(dict.fromkeys(leaf.path[0] for leaf in chosen)),
                    use_threads=False,
                ):
                    # Readers take strings on trust; what is not UTF-8 would fail much later.
                    batch.validate(full=True)
                    table.add(batch)
        except (OSError, pa.ArrowException, UnicodeDecodeError, MemoryError) as error:
            raise Unusable(
                f"{file}: not a readable Parquet file: {' '.join(str(error).split())[:_SHOWN]}"
            ) from None
    if table.n_rows != n_rows:
        raise Unusable(f"{file}: says it has {n_rows} rows and has {table.n_rows}; it is damaged")
    return table.finish()
