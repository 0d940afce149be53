"""Reading and writing of the verification: one clear message for a bad file, writes are whole."""

import csv
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Unusable(Exception):  # noqa: N818 - named as the program's message names it
    """A file cannot be used; the message says which and what to do. Exit code 2."""


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        Unusable: it cannot be read or is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Unusable(f"{path} cannot be read ({error}); run make reproduce") from None


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds keys and values.

    Raises:
        Unusable: it cannot be read, is not JSON, or holds something else.
    """
    found = read_json(path)
    if not isinstance(found, dict):
        kind = type(found).__name__
        raise Unusable(f"{path} holds a {kind}, expected keys and values; run make reproduce")
    return found


def read_bytes(path: Path) -> bytes:
    """Read a file as it is.

    Raises:
        Unusable: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unusable(f"{path} cannot be read ({error}); run make reproduce") from None


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits.

    Raises:
        Unusable: it cannot be read.
    """
    return hashlib.sha256(read_bytes(path)).hexdigest()


def read_json_lines(path: Path) -> list[Any]:
    """Read JSON lines; a line ends at the newline byte, and at nothing else.

    Raises:
        Unusable: it cannot be read, or a line is not JSON; the line is named.
    """
    rows = []
    for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        if line:
            try:
                rows.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise Unusable(f"{path}, line {number} is not JSON ({error})") from None
    return rows


def read_csv(
    path: Path, *, delimiter: str = ",", remedy: str = "run make reproduce"
) -> list[dict[str, str]]:
    """The rows of a table as text.

    Raises:
        Unusable: it cannot be read; the message ends with the remedy.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=delimiter))
            return [{name: unmarked(text) for name, text in row.items()} for row in rows]
    except (OSError, ValueError, csv.Error) as error:
        raise Unusable(f"{path} cannot be read ({error}); {remedy}") from None


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A temporary path beside the target, renamed onto it when the block ends well."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a file whole."""
    with whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file, indented."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def write_json_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line."""
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table; undefined is an empty cell, floats stand with all their digits."""
    with whole(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: marked(value) for name, value in row.items()} for row in rows)


def marked(value: Any) -> Any:
    """A text with an apostrophe in front where a spreadsheet would run it; a number has none.

    >>> marked("=1+1"), marked("-x"), marked("-1"), marked(-1), marked("'x")
    ("'=1+1", "'-x", '-1', -1, "''x")
    """
    if not isinstance(value, str) or not value.startswith(("'", "=", "+", "-", "@", "\t", "\r")):
        return value
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-](inf|nan)", value):
        return value
    return "'" + value


def unmarked(cell: Any) -> Any:
    """What stood in a cell before ``marked``.

    >>> unmarked("'=1+1"), unmarked("-1"), unmarked(None)
    ('=1+1', '-1', None)
    """
    return cell[1:] if isinstance(cell, str) and cell.startswith("'") else cell
