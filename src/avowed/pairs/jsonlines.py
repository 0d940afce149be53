"""``records.jsonl`` in chunks: strict, line by line, and never converted.

Lines end at the newline *byte*. ``str.splitlines`` would also split at U+2028 and other characters
that may stand inside a JSON string. A block is parsed in one call of the standard parser where its
lines look like one object each, and line by line where they do not or where something is wrong, so
that every reason names its line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

from avowed.pairs.record import FIELD_NAMES, Kind
from avowed.pairs.unusable import UnusableDelivery
from avowed.regular_file import open_regular
from avowed.strict_json import BrokenJson, Tokens, parse

#: Bytes read and parsed at a time. What the parser builds from one block stays in the processor's
#: cache; with blocks of some megabytes parsing took half as long again.
BLOCK_BYTES = 1 << 18

#: Blocks handed on at a time, 8 MiB, so that the cost per chunk does not show in the rules. Counted
#: in bytes and not in records, because evidence may be long.
CHUNK_BLOCKS = 32

#: The types that the parser gives to right values of each kind of field. ``3.0`` arrives as a float
#: and ``true`` as a bool, which is what R1 has to know.
PARSED_TYPES: dict[Kind, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "boolean": frozenset({bool}),
    "number": frozenset({float, int}),
}

_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_FIELD_SET = frozenset(FIELD_NAMES)
_values_of = itemgetter(*FIELD_NAMES)


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Consecutive records as parsed.

    Attributes:
        first_row: line number of the first record, counted from 1.
        columns: the values of each field, in the order of ``FIELD_NAMES``, as Python objects.
        kinds: the Python types that occur in each column, in the same order.
    """

    first_row: int
    columns: Sequence[Sequence[Any]]
    kinds: Sequence[frozenset[type]]

    @property
    def size(self) -> int:
        """Number of records in the chunk."""
        return len(self.columns[0])


class TokenOfField(Protocol):
    """Gives the raw token of a field."""

    def __getitem__(self, name: str, /) -> str: ...  # noqa: D105


@dataclass(frozen=True, kw_only=True)
class RawRecord:
    """One record again, for a report: its parsed values and, on demand, its raw tokens."""

    values: dict[str, Any]
    tokens: TokenOfField


@dataclass(frozen=True)
class _Block:
    """Whole lines as they stand in the file, without the newline at the very end."""

    first_row: int
    raw: bytes
    n_lines: int


class JsonLinesFile:
    """A ``records.jsonl``, read in chunks as often as needed.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "records.jsonl"
    >>> _ = path.write_text("")
    >>> list(JsonLinesFile(path).chunks())
    []
    """

    def __init__(
        self, path: Path, *, block_bytes: int = BLOCK_BYTES, chunk_blocks: int = CHUNK_BLOCKS
    ) -> None:
        """Remember where the file is; nothing is read yet."""
        self.path = path
        self._block_bytes = block_bytes
        self._chunk_blocks = chunk_blocks

    def chunks(self) -> Iterator[Chunk]:
        """The records in chunks, in the order of the file.

        Raises:
            UnusableDelivery: for a line that is not UTF-8, not strict JSON or not an object, is
                blank, or lacks a key or has an unknown one. The message names the line.
        """
        gathered: list[Chunk] = []
        for block in self._blocks():
            chunk = _chunk_at_once(block)
            if chunk is None:
                rows = [_values_of(self._record(*line)) for line in _lines(block)]
                chunk = _chunk(block.first_row, rows)
            gathered.append(chunk)
            if len(gathered) == self._chunk_blocks:
                yield _joined(gathered)
                gathered = []
        if gathered:
            yield _joined(gathered)

    def records(self, rows: Sequence[int]) -> Iterator[RawRecord]:
        """Read the lines with the given ascending numbers again.

        Args:
            rows: line numbers, counted from 1, each at most once, ascending.
        """
        wanted = iter(rows)
        row = next(wanted, None)
        for block in self._blocks():
            if row is None:
                return
            if row >= block.first_row + block.n_lines:
                continue
            lines = block.raw.split(b"\n")
            while row is not None and row < block.first_row + block.n_lines:
                raw = lines[row - block.first_row]
                yield RawRecord(values=self._record(row, raw), tokens=Tokens(raw.decode("utf-8")))
                row = next(wanted, None)

    def _blocks(self) -> Iterator[_Block]:
        try:
            with open_regular(self.path) as file:
                row = 1
                pending: list[bytes] = []
                while raw := file.read(self._block_bytes):
                    if row == 1 and not pending and raw.startswith(_BYTE_ORDER_MARKS):
                        raise UnusableDelivery(
                            f"{self.path}, line 1: starts with a byte order mark; write plain UTF-8"
                        )
                    end = raw.rfind(b"\n")
                    if end < 0:
                        # A line longer than a block: collect its pieces and join them once.
                        pending.append(raw)
                        continue
                    block = b"".join([*pending, raw[:end]])
                    pending = [raw[end + 1 :]] if end + 1 < len(raw) else []
                    n_lines = block.count(b"\n") + 1
                    yield _Block(row, block, n_lines)
                    row += n_lines
                if pending:
                    yield _Block(row, b"".join(pending), 1)
        except OSError as error:
            raise UnusableDelivery(f"{self.path}: cannot be read: {error.strerror}") from error

    def _record(self, row: int, raw: bytes) -> dict[str, Any]:
        where = f"{self.path}, line {row}"
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnusableDelivery(f"{where}: not UTF-8 at byte {error.start + 1}") from error
        if not text.strip(" \t\r"):
            raise UnusableDelivery(f"{where}: blank line; write one JSON object per line")
        try:
            record = parse(text)
        except BrokenJson as error:
            raise UnusableDelivery(f"{where}: broken JSON: {error}") from error
        if not isinstance(record, dict):
            raise UnusableDelivery(f"{where}: not a JSON object; write one object per line")
        if record.keys() != _FIELD_SET:
            raise UnusableDelivery(f"{where}: {key_difference(record)}")
        return record


def key_difference(names: Sequence[str] | dict[str, Any]) -> str:
    """How ``names`` differ from the record's fields, in words; empty if they do not.

    >>> key_difference([name for name in FIELD_NAMES if name != "replica"] + ["run"])
    'missing field replica; unknown field run'
    """
    parts = []
    if missing := [name for name in FIELD_NAMES if name not in names]:
        parts.append(f"missing field{'s' * (len(missing) > 1)} {', '.join(missing)}")
    if unknown := [name for name in names if name not in _FIELD_SET]:
        parts.append(f"unknown field{'s' * (len(unknown) > 1)} {', '.join(unknown)}")
    return "; ".join(parts)


def _lines(block: _Block) -> Iterator[tuple[int, bytes]]:
    return enumerate(block.raw.split(b"\n"), start=block.first_row)


def _chunk(first_row: int, rows: list[tuple[Any, ...]]) -> Chunk:
    columns = tuple(zip(*rows, strict=True))
    kinds = tuple(frozenset(map(type, column)) for column in columns)
    return Chunk(first_row=first_row, columns=columns, kinds=kinds)


def _joined(chunks: list[Chunk]) -> Chunk:
    columns = zip(*(chunk.columns for chunk in chunks), strict=True)
    kinds = zip(*(chunk.kinds for chunk in chunks), strict=True)
    return Chunk(
        first_row=chunks[0].first_row,
        columns=tuple(tuple(chain.from_iterable(parts)) for parts in columns),
        kinds=tuple(frozenset().union(*parts) for parts in kinds),
    )


def _chunk_at_once(block: _Block) -> Chunk | None:
    """All lines parsed in one call, or None where that is not certain to be right.

    The lines are joined to one array. Each line is one object if every line starts with a brace
    and ends with one, if no string spans a line (strict JSON has no raw newline in a string), if
    there are as many objects as lines, and if no value is itself an object or an array: then
    every closing brace ends a record, so no record can reach over the end of a line.
    """
    raw, n_lines = block.raw, block.n_lines
    if raw[:1] != b"{" or raw[-1:] != b"}" or raw.count(b"}\n{") != n_lines - 1:
        return None
    try:
        records = parse("[" + raw.decode("utf-8").replace("\n", ",\n") + "]")
        if len(records) != n_lines or set(map(len, records)) != {len(FIELD_NAMES)}:
            return None
        chunk = _chunk(block.first_row, [*map(_values_of, records)])
    except (BrokenJson, UnicodeDecodeError, KeyError):
        return None
    nested = any(kinds & {dict, list} for kinds in chunk.kinds)
    return None if nested else chunk
