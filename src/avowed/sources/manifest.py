"""Read ``data/sources.tsv``: one row per public file, checked before anything is fetched."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from avowed.refusal import Unusable

# The row rules stand in the schema alone. Seen from an editable install and from a script that
# puts ``src`` on its path, this file stands in the repository, and so does the schema.
SCHEMA = Path(__file__).parents[3] / "workflow" / "schemas" / "sources.schema.json"


@dataclass(frozen=True)
class SourceFile:
    """One public file: what it belongs to, where it stands upstream, its size and hash."""

    dataset: str
    path: str
    url: str
    n_bytes: int
    sha256: str
    licence: str
    retrieved: date


def read_manifest(path: Path, *, schema: Path = SCHEMA) -> tuple[SourceFile, ...]:
    """Read the list of source files and check every field of every row.

    Args:
        path: A tab-separated file, UTF-8, with the schema's required fields as its header.
        schema: The JSON Schema of one row; its descriptions say what is expected.

    Returns:
        The files in the order of the rows.

    Raises:
        Unusable: The file cannot be read, or a row breaks a rule. The message names file, line,
            field, value and rule. The first fault is reported.

    Example:
        >>> read_manifest(Path("no/such.tsv"))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        avowed.refusal.Unusable: no/such.tsv cannot be read (No such file or directory); ...
    """
    rule = json.loads(schema.read_text(encoding="utf-8"))
    validator = Draft202012Validator(rule, format_checker=Draft202012Validator.FORMAT_CHECKER)
    columns: list[str] = rule["required"]
    lines = _lines(path)
    if not lines or lines[0].split("\t") != columns:
        raise Unusable(
            f"{path}, line 1: the header is {lines[0] if lines else ''!r}; "
            f"expected the tab-separated columns {', '.join(columns)}"
        )
    files: list[SourceFile] = []
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines[1:], start=2):
        values = line.split("\t")
        if len(values) != len(columns):
            raise Unusable(
                f"{path}, line {number}: {len(values)} fields; expected {len(columns)} "
                f"({', '.join(columns)}) separated by tabs"
            )
        row = dict(zip(columns, values, strict=True))
        where = f"{path}, line {number}"
        for field, expected in _faults(row, validator, rule["properties"]):
            raise Unusable(f"{where}, field {field}: found {row[field]!r}; expected {expected}")
        file = _as_file(row)
        if file.path in line_of:
            raise Unusable(
                f"{path}, line {number}, field path: {file.path!r} stands in line "
                f"{line_of[file.path]} too; every file has one row"
            )
        line_of[file.path] = number
        files.append(file)
    if not files:
        raise Unusable(f"{path}: no rows below the header; restore the file from the repository")
    return tuple(files)


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise Unusable(
            f"{path} cannot be read ({error.strerror}); restore it from the repository"
        ) from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    return text.removesuffix("\n").split("\n") if text else []


def _faults(
    row: Mapping[str, str], validator: Draft202012Validator, properties: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield each field that breaks a rule, with what was expected there."""
    # Digits only: int() would also take " 7", "+7" and "1_000".
    size = row["bytes"]
    number = int(size) if size.isascii() and size.isdecimal() and len(size) < 19 else size
    for error in validator.iter_errors({**row, "bytes": number}):
        field = str(error.path[0])
        yield field, properties[field]["description"]
    if not row["url"].endswith(f"/{row['path']}"):
        yield "url", f"an address that ends in the row's path {row['path']!r}"


def _as_file(row: Mapping[str, str]) -> SourceFile:
    return SourceFile(
        dataset=row["dataset"],
        path=row["path"],
        url=row["url"],
        n_bytes=int(row["bytes"]),
        sha256=row["sha256"],
        licence=row["licence"],
        retrieved=date.fromisoformat(row["retrieved"]),
    )
