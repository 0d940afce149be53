"""Parquet: read batch by batch, its claims checked before anything is allotted for them."""

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa

from avowed.importing.raw_table import RawTable
from avowed.importing.readers.arrow_columns import ArrowTable, wanted
from avowed.importing.readers.limits import check_rows
from avowed.importing.readers.stream import opened
from avowed.parquet_batches import checked_batches, opened_parquet
from avowed.refusal import Unusable

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
        Unusable: the file is truncated, damaged or not Parquet, or has other rows than it says, in
            all or per row group.
        Refused: as `avowed.importing.readers.arrow_columns.wanted`; no rows; too many.

    >>> import tempfile
    >>> import pyarrow.parquet as pq
    >>> path = Path(tempfile.mkdtemp()) / "a.parquet"
    >>> pq.write_table(pa.table({"n": pa.array([None, 3])}), path)
    >>> read_parquet(path, "a.parquet", columns=["n"]).columns["n"].every()
    [None, 3]
    """
    with opened(path, file) as source:
        try:
            with opened_parquet(source) as parquet:
                chosen = wanted(parquet.schema_arrow, file, columns)
                check_rows(file, parquet.metadata.num_rows, len(chosen))
                table = ArrowTable(file=file, chosen=chosen)
                # Whole structs: where a damaged file's fields disagree on which rows have one,
                # what a field alone would give depends on the fields it is read with.
                for batch in checked_batches(parquet, {leaf.path[0]: None for leaf in chosen}):
                    table.add(batch)
        except (OSError, pa.ArrowException, UnicodeDecodeError, MemoryError) as error:
            raise Unusable(
                f"{file}: not a readable Parquet file: {' '.join(str(error).split())[:_SHOWN]}"
            ) from None
    return table.finish()
