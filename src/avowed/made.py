"""The record of making beside a result: which seed it was made with, and a hash of every line.

A table can be edited by hand after it was written, and then nothing in it says so. The record is
written by the job that writes the table; ``verify`` reads both and names the line that changed.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.jsonfile import write_json

# Hexadecimal digits kept of a line's hash: enough to notice a change, short enough to read.
LINE_DIGITS = 16
# Files without lines: only their SHA-256 is recorded.
BINARY = {".parquet", ".png"}


def line_hashes(content: bytes) -> list[str]:
    r"""Hash every line; lines end at the newline byte only.

    >>> len(line_hashes(b"a,b\n1,2\n"))
    2
    """
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [hashlib.sha256(line).hexdigest()[:LINE_DIGITS] for line in lines]


def describe_making(files: Sequence[Path], *, seed: int | None) -> dict[str, Any]:
    """Describe files as they were written: seed, SHA-256, and line hashes where they are text.

    Args:
        files: What was written; named in the record as given.
        seed: The root seed of the configuration that the job ran with; None where nothing in the
            files depends on it.
    """
    return {"seed": seed, "files": {path.as_posix(): _file(path) for path in files}}


def _file(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    described: dict[str, Any] = {"sha256": hashlib.sha256(content).hexdigest()}
    if path.suffix not in BINARY:
        described["lines"] = line_hashes(content)
    return described


def record_making(record: Path, files: Sequence[Path], *, seed: int | None) -> None:
    """Write the record of making of some files beside them."""
    write_json(record, describe_making(files, seed=seed))
