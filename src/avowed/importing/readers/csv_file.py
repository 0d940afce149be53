"""CSV: a header and rows of as many cells; every value is the text that stands there."""

import codecs
import csv
import io
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.readers.factorise import ColumnBuilder
from avowed.importing.readers.limits import MAX_LINE, check_columns, check_rows
from avowed.importing.readers.names import twice, unknown_column
from avowed.importing.readers.stream import opened
from avowed.refusal import Refused, Unusable

#: Rows gathered before they are turned into columns.
_BLOCK_ROWS = 8192

_TEXT = (str,)


def read_csv(path: Path, file: str, how: InputForm, *, columns: Collection[str] | None) -> RawTable:
    """Read a CSV file: a header, quotes doubled inside quotes, one delimiter.

    Args:
        path: the file; unpacked if its name ends in ``.gz``.
        file: its name in messages.
        how: ``delimiter`` and ``encoding`` are used. A byte order mark is passed over.
        columns: the columns wanted; None for all that have a name.

    Raises:
        Unusable: a row with more or fewer cells than the header, text after a closing quote, an
            open quote at the end, a NUL, or text of another encoding.
        Refused: a column wanted is not there or is there twice; no rows; too many.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text('id,answer\\n1,"A, or\\nB"\\n2,3\\n')
    >>> table = read_csv(path, "a.csv", InputForm(), columns=["answer"])
    >>> table.columns["answer"].values, table.rows.tolist()
    (('A, or\\nB', '3'), [2, 4])
    """
    limit = csv.field_size_limit(MAX_LINE)
    # "utf-8" would leave a byte order mark in the first column's name.
    utf8 = codecs.lookup(how.encoding).name in {"utf-8", "utf-8-sig"}
    try:
        with (
            opened(path, file) as source,
            io.TextIOWrapper(
                source, encoding="utf-8-sig" if utf8 else how.encoding, newline=""
            ) as text,
        ):
            lines = _Lines(text, file)
            reader = csv.reader(lines, delimiter=how.delimiter, strict=True)
            try:
                return _Table(file, reader, columns).read(lines)
            except csv.Error as error:
                raise Unusable(
                    f"{file}, line {lines.number}: broken CSV: {error}; correct it"
                ) from None
    except UnicodeError:
        where = f", line {_undecodable_line(path, file)}" if utf8 else ""
        raise Unusable(
            f"{file}{where}: is not {how.encoding}; say input.encoding or save it as UTF-8"
        ) from None
    finally:
        csv.field_size_limit(limit)


class _Lines:
    """The lines of a text, each looked at before the parser sees it."""

    def __init__(self, text: io.TextIOWrapper, file: str) -> None:
        self._text = text
        self._file = file
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        readline = self._text.readline
        while line := readline(MAX_LINE):
            self.number += 1
            if "\0" in line:
                raise Unusable(
                    f"{self._file}, line {self.number}: holds a NUL; it is no text, or "
                    "input.encoding is another"
                )
            if len(line) >= MAX_LINE:
                raise Unusable(f"{self._file}, line {self.number}: is too long; is this CSV?")
            yield line


class _Table:
    """The rows of a reader, gathered column by column."""

    def __init__(
        self, file: str, reader: Iterator[list[str]], columns: Collection[str] | None
    ) -> None:
        self._file = file
        self._reader = reader
        self._header = next(reader, [])
        if not self._header:
            raise Unusable(f"{file}, line 1: no header; write the names of the columns there")
        # A column without a name, such as an index, cannot be mapped.
        self._names = [name for name in self._header if name] if columns is None else list(columns)
        check_columns(file, len(self._header))
        for name in self._names:
            if name not in self._header:
                raise unknown_column(file, name, self._header)
        if repeated := [name for name in self._names if self._header.count(name) > 1]:
            raise twice(file, repeated)
        self._builders = [ColumnBuilder() for _ in self._names]
        self._numbers: list[npt.NDArray[np.int64]] = []
        self._n_rows = 0

    def read(self, lines: _Lines) -> RawTable:
        begins = lines.number + 1
        while rows := list(islice(self._reader, _BLOCK_ROWS)):
            numbers: Sequence[int] = range(begins, begins + len(rows))
            begins = lines.number + 1
            if begins != numbers[-1] + 1:
                # A row with a line end inside quotes takes several lines.
                heights = [1 + sum(map(_line_ends, row)) for row in rows]
                numbers = list(accumulate(heights[:-1], initial=numbers[0]))
            if [] in rows:
                # Blank lines.
                numbers = [number for row, number in zip(rows, numbers, strict=True) if row]
                rows = [row for row in rows if row]
            self._add(rows, numbers)
        if not self._n_rows:
            raise Refused(f"{self._file}: holds no rows; name a file with data")
        built = [builder.finish()[0] for builder in self._builders]
        return RawTable(
            file=self._file,
            columns=dict(zip(self._names, built, strict=True)),
            rows=np.concatenate(self._numbers),
            row_word="line",
        )

    def _add(self, rows: list[list[str]], numbers: Sequence[int]) -> None:
        width = len(self._header)
        if set(map(len, rows)) - {width}:
            row, number = next(
                (row, number)
                for row, number in zip(rows, numbers, strict=True)
                if len(row) != width
            )
            raise Unusable(
                f"{self._file}, line {number}: {len(row)} cells; the header has {width}; correct "
                "it, or say input.delimiter"
            )
        by_column = list(zip(*rows, strict=True))
        for name, builder in zip(self._names, self._builders, strict=True):
            if rows:
                builder.add(by_column[self._header.index(name)], _TEXT)
        self._numbers.append(np.asarray(numbers, dtype=np.int64))
        self._n_rows += len(rows)
        check_rows(self._file, self._n_rows, len(self._names))


def _line_ends(cell: str) -> int:
    return cell.count("\n") + cell.count("\r") - cell.count("\r\n")


def _undecodable_line(path: Path, file: str) -> int:
    """The first line that is not UTF-8; decoders tell a place in their own buffer only."""
    with opened(path, file) as source:
        return next(number for number, line in enumerate(source, start=1) if not _is_utf8(line))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
