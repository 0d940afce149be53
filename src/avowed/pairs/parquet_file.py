"""``records.parquet``: opened, its columns and their types looked at, nothing converted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from avowed.pairs.jsonlines import key_difference
from avowed.pairs.record import FIELD_NAMES, Kind
from avowed.pairs.unusable import UnusableDelivery
from avowed.parquet_batches import checked_batches, opened_parquet
from avowed.regular_file import open_regular


def fits(kind: Kind, arrow_type: pa.DataType) -> bool:
    """Whether a column of ``arrow_type`` can hold a field of ``kind`` without conversion.

    Any integer width passes for an integer, any float width and integers for a number, plain,
    large, view and dictionary strings for a string. A column of type null passes here, because it
    holds no value of a wrong type; whether nulls may stand there is another question.

    >>> fits("integer", pa.uint8()), fits("integer", pa.float64()), fits("string", pa.null())
    (True, False, True)
    """
    types = pa.types
    if types.is_null(arrow_type):
        return True
    if types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    if kind == "integer":
        return bool(types.is_integer(arrow_type))
    if kind == "number":
        return bool(types.is_floating(arrow_type) or types.is_integer(arrow_type))
    if kind == "boolean":
        return bool(types.is_boolean(arrow_type))
    return bool(
        types.is_string(arrow_type)
        or types.is_large_string(arrow_type)
        or types.is_string_view(arrow_type)
    )


class ParquetRecords:
    """A ``records.parquet`` with the columns of a record.

    Args:
        path: the file.

    Raises:
        UnusableDelivery: if the file is missing, truncated or not Parquet, if its row groups do
            not add up to its rows, or if a column is missing, unknown or there twice.
    """

    def __init__(self, path: Path) -> None:
        """Read the schema and check the names of the columns."""
        self.path = path
        try:
            # Opened here, because a path need not be text and pyarrow wants one that is.
            with open_regular(path) as raw, opened_parquet(raw) as file:
                self.schema: pa.Schema = file.schema_arrow
                self.n_rows: int = file.metadata.num_rows
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise UnusableDelivery(f"{path}: not a readable Parquet file: {error}") from error
        names = self.schema.names
        if difference := key_difference(names):
            raise UnusableDelivery(f"{path}: {difference}")
        if len(names) != len(FIELD_NAMES):
            twice = ", ".join(sorted({name for name in names if names.count(name) > 1}))
            raise UnusableDelivery(f"{path}: more than one column is named {twice}")

    def batches(
        self, columns: list[str], *, dictionaries: tuple[str, ...] = ()
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """The records in batches, each with the row number of its first record, from 1.

        Args:
            columns: the columns to read.
            dictionaries: string columns to read as dictionaries.

        Raises:
            UnusableDelivery: if a page cannot be read, a string is not UTF-8, or the file has other
                rows than it says.
        """
        row = 1
        try:
            with (
                open_regular(self.path) as raw,
                opened_parquet(raw, dictionaries=dictionaries) as file,
            ):
                for batch in checked_batches(file, columns):
                    yield row, batch
                    row += batch.num_rows
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise UnusableDelivery(f"{self.path}: cannot be read: {error}") from error

    def rows(self, numbers: list[int], columns: list[str]) -> Iterator[dict[str, Any]]:
        """Read the rows with the given ascending numbers, counted from 1."""
        start = 0
        for first, batch in self.batches(columns):
            stop = start
            while stop < len(numbers) and numbers[stop] < first + batch.num_rows:
                stop += 1
            if stop > start:
                within = pa.array([number - first for number in numbers[start:stop]])
                yield from batch.take(within).to_pylist()
            start = stop
            if start == len(numbers):
                return
