"""JSON lines: one object per line, parsed strictly, blank lines passed over.

Lines end at the newline byte and nowhere else: U+2028 and its like may stand inside a JSON string.
"""

import codecs
import json
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from avowed.importing.raw_table import RawTable
from avowed.importing.readers.limits import MAX_LINE, MAX_ROWS, check_rows
from avowed.importing.readers.records import RecordTable
from avowed.importing.readers.stream import opened
from avowed.refusal import Unusable
from avowed.strict_json import BrokenJson, parse, refuse_constant, unique_keys

#: Bytes parsed at a time; what the parser builds of them stays in the processor's cache.
BLOCK_BYTES = 1 << 18

_decoder = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=refuse_constant)
#: Object at a position, and the position behind it; as raw_decode, without its cost per call.
_scan: Callable[[str, int], tuple[Any, int]] = vars(_decoder)["scan_once"]


def read_json_lines(path: Path, file: str, *, columns: Collection[str] | None) -> RawTable:
    """Read a file of JSON lines.

    Args:
        path: the file; unpacked if its name ends in ``.gz``.
        file: its name in messages.
        columns: the columns wanted; None for all.

    Raises:
        Unusable: a line is not UTF-8, not strict JSON (no NaN, no key twice) or not an object.
        Refused: as `RecordTable`; too many lines.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.jsonl"
    >>> _ = path.write_text('{"answer": "A"}\\n\\n{"answer": 3.0}\\n')
    >>> table = read_json_lines(path, "a.jsonl", columns=["answer"])
    >>> table.columns["answer"].values, table.rows.tolist()
    (('A', 3.0), [1, 3])
    """
    table = RecordTable(file=file, row_word="line", columns=columns)
    first = 1
    for block in _blocks(path, file):
        n_lines = block.count(b"\n")
        rows = _at_once(block, n_lines)
        if rows is not None:
            table.add(rows, range(first, first + n_lines))
        else:
            numbered = list(_one_by_one(block, first, file))
            table.add([row for _, row in numbered], [number for number, _ in numbered])
        first += n_lines
        if first > MAX_ROWS:
            # Blank lines are no rows, but there is no end to them either.
            check_rows(file, first, 1)
    return table.finish()


def _blocks(path: Path, file: str) -> Iterator[bytes]:
    """Whole lines, some hundred kilobytes at a time, each ended by a newline."""
    with opened(path, file) as source:
        pending: list[bytes] = []
        size = 0
        begun = False
        while raw := source.read(BLOCK_BYTES):
            if not begun:
                raw = raw.removeprefix(codecs.BOM_UTF8)
                _refuse_utf16(raw, file)
                begun = True
            end = raw.rfind(b"\n") + 1
            if not end:
                # A line longer than a block: collect its pieces and join them once.
                pending.append(raw)
                size += len(raw)
                if size > MAX_LINE:
                    raise Unusable(
                        f"{file}: a line of more than {MAX_LINE >> 20} MiB; write one object per "
                        "line"
                    )
                continue
            yield b"".join([*pending, raw[:end]])
            pending = [raw[end:]]
            size = len(raw) - end
        if any(pending):
            yield b"".join([*pending, b"\n"])


def _refuse_utf16(raw: bytes, file: str) -> None:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Unusable(f"{file}, line 1: is UTF-16; JSON is written in UTF-8")


def _at_once(block: bytes, n_lines: int) -> list[dict[str, Any]] | None:
    """All lines of a block, or None where one of them needs a closer look.

    Where every line begins and ends with a brace and there is no array, no object can reach over
    a line end, and all lines are parsed in one call, in which the keys are made once. Else every
    object must be followed by a newline at once: an object that reaches over a line end leaves
    fewer objects than lines, so that equally many mean one to a line.
    """
    try:
        text = block.decode("utf-8")
        rows: list[dict[str, Any]] = []
        if block[:1] == b"{" and b"[" not in block and block.count(b"}\n{") == n_lines - 1:
            # The newlines stay, so that one inside a string is still an error.
            rows = parse("[" + text[:-1].replace("\n", ",\n") + "]")
            return rows if len(rows) == n_lines and set(map(type, rows)) == {dict} else None
        position, size = 0, len(text)
        while position < size:
            row, position = _scan(text, position)
            rows.append(row)
            if text[position] == "\r":
                position += 1
            if text[position] != "\n":
                return None
            position += 1
    except (ValueError, RecursionError, StopIteration, IndexError):
        return None
    return rows if len(rows) == n_lines and set(map(type, rows)) == {dict} else None


def _one_by_one(block: bytes, first: int, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, raw in enumerate(block[:-1].split(b"\n"), start=first):
        where = f"{file}, line {number}"
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unusable(f"{where}: not UTF-8 at byte {error.start + 1}; correct it") from None
        if not text.strip(" \t\r"):
            continue
        try:
            row = parse(text)
        except BrokenJson as error:
            raise Unusable(f"{where}: broken JSON: {error}; correct it") from None
        if not isinstance(row, dict):
            raise Unusable(f"{where}: not a JSON object; write one object per line")
        yield number, row
