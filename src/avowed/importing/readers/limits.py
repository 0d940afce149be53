"""Bounds of what is read, so that no file, however made, takes all memory or all time."""

from avowed.refusal import Refused

#: Rows of one file.
MAX_ROWS = 20_000_000

#: Rows times columns of one file; each takes four bytes.
MAX_CELLS = 250_000_000

#: Columns, where all of them are asked for. More are not names but values that stand as keys.
MAX_COLUMNS = 2_000

#: Bytes of one line of JSON lines, or characters of one line or cell of CSV.
MAX_LINE = 64 << 20

#: Bytes of one JSON document, unpacked. It is held in memory whole.
MAX_DOCUMENT = 512 << 20

#: Bytes that one packed file may unpack to.
MAX_UNPACKED = 8 << 30

#: Levels of nesting in one value.
MAX_DEPTH = 32


def check_rows(file: str, n_rows: int, n_columns: int) -> None:
    """Refuse a table beyond the bounds.

    Raises:
        Refused: too many rows, or too many rows for so many columns.
    """
    if n_rows > MAX_ROWS:
        raise Refused(
            f"{file}: has or claims {n_rows:,} rows or more; at most {MAX_ROWS:,} are read from "
            "one file; split it"
        )
    if n_rows * n_columns > MAX_CELLS:
        raise Refused(
            f"{file}: {n_rows:,} rows of {n_columns:,} columns are more than fits; map fewer "
            "columns or split the file"
        )


def check_columns(file: str, n_columns: int) -> None:
    """Refuse a table with more columns than anyone names.

    Raises:
        Refused: more than `MAX_COLUMNS`.
    """
    if n_columns > MAX_COLUMNS:
        raise Refused(
            f"{file}: has more than {MAX_COLUMNS:,} columns; its keys look like values; say "
            "input.form: by_id or input.at"
        )
