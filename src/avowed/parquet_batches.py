"""Parquet files of others, read batch by batch: nothing they claim of themselves is believed."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

#: Rows read at a time.
BATCH_ROWS = 1 << 16

#: Row groups that a message shows.
_SHOWN = 5


@contextmanager
def opened_parquet(
    source: BinaryIO | pa.NativeFile, *, dictionaries: Collection[str] = ()
) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file whose row groups add up to its rows.

    Reading a row group allots memory for the rows it claims, whatever the file as a whole claims.

    Args:
        source: the file, opened for reading bytes.
        dictionaries: string columns to read as dictionaries.

    Raises:
        OSError, pyarrow.ArrowException: the file is not Parquet or truncated, or a row group
            claims fewer than no rows, or their sum is another number; who calls says of which file.

    >>> import io
    >>> target = io.BytesIO()
    >>> pq.write_table(pa.table({"n": [1, 2, 3]}), target, row_group_size=2)
    >>> with opened_parquet(target) as file:
    ...     [batch.num_rows for batch in checked_batches(file)]
    [3]
    """
    with pq.ParquetFile(
        source,
        read_dictionary=list(dictionaries),
        pre_buffer=False,
        # With a buffer, a page that claims two gigabytes is allotted them.
        buffer_size=0,
        page_checksum_verification=True,
    ) as file:
        metadata = file.metadata
        groups = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
        if min(groups, default=0) < 0 or sum(groups) != metadata.num_rows:
            more = " + ..." if len(groups) > _SHOWN else ""
            raise pa.ArrowInvalid(
                f"it says it has {metadata.num_rows} rows, and its row groups say "
                f"{' + '.join(map(str, groups[:_SHOWN])) or 0}{more}; it is damaged"
            )
        yield file


def checked_batches(
    file: pq.ParquetFile, columns: Collection[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a file in order, every value of them valid for its type.

    Args:
        file: as `opened_parquet` gives it.
        columns: the columns to read; None for all.

    Raises:
        OSError, pyarrow.ArrowException: a page cannot be read, text is not UTF-8, or the file has
            another number of rows than it says.
    """
    n_rows = 0
    for batch in file.iter_batches(
        batch_size=BATCH_ROWS,
        columns=None if columns is None else list(columns),
        use_threads=False,
    ):
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                # Readers take strings on trust; what is not UTF-8 would fail much later.
                column.validate(full=True)
            except pa.ArrowException as error:
                raise pa.ArrowInvalid(f"field {name}: {error}") from None
        n_rows += batch.num_rows
        yield batch
    if n_rows != file.metadata.num_rows:
        raise pa.ArrowInvalid(
            f"it says it has {file.metadata.num_rows} rows and has {n_rows}; it is damaged"
        )
