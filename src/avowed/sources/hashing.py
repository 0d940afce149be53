"""Compare files with the size and the SHA-256 that the manifest states for them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from avowed.refusal import Refused
from avowed.sources.manifest import SourceFile


class HashMismatch(Refused):
    """A file is not the one the manifest describes. The message names both hashes."""


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as 64 lower-case hexadecimal digits.

    Raises:
        OSError: The file cannot be read.

    Example:
        >>> import os
        >>> sha256_of(Path(os.devnull))[:8]
        'e3b0c442'
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def matches(path: Path, source: SourceFile) -> bool:
    """Say whether ``path`` is a file with the size and the hash of ``source``.

    Example:
        >>> from datetime import date
        >>> source = SourceFile("items", "a", "https://x/a", 1, "0" * 64, "MIT", date(2026, 1, 1))
        >>> matches(Path("no/such/file"), source)
        False
    """
    if not path.is_file() or path.stat().st_size != source.n_bytes:
        return False
    return sha256_of(path) == source.sha256


def check_file(path: Path, source: SourceFile, *, origin: str | None = None) -> None:
    """Raise unless the file has the size and the hash that ``source`` states.

    Args:
        path: The file to look at.
        source: Its row of the manifest.
        origin: What the message calls the file, where ``path`` is only a temporary copy.

    Raises:
        HashMismatch: Size or hash differ; both hashes are named.
        OSError: The file cannot be read.

    Example:
        >>> import os
        >>> from datetime import date
        >>> source = SourceFile("items", "a", "https://x/a", 1, "0" * 64, "MIT", date(2026, 1, 1))
        >>> check_file(Path(os.devnull), source)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        avowed.sources.hashing.HashMismatch: /dev/null is not ... 0 bytes, sha256 e3b0c442...
    """
    found = sha256_of(path)
    size = path.stat().st_size
    if found != source.sha256 or size != source.n_bytes:
        raise HashMismatch(
            f"{origin or path} is not the file that data/sources.tsv describes as {source.path}: "
            f"found {size} bytes, sha256 {found}; expected {source.n_bytes} bytes, "
            f"sha256 {source.sha256}; remove or replace that copy, or use another source "
            "(AVOWED_SOURCE=mirror, download or coded)"
        )


def verify_tree(root: Path, manifest: Iterable[SourceFile]) -> None:
    """Check that every file of the manifest stands under ``root``, unaltered.

    Run on the raw files before they are used, not only when they are fetched.

    Raises:
        HashMismatch: A file is there but is another one; both hashes are named.
        Refused: Files are missing; how many and which.

    Example:
        >>> verify_tree(Path("no/such/folder"), ())
    """
    files = tuple(manifest)
    missing = [file.path for file in files if not (root / file.path).is_file()]
    if missing:
        raise Refused(
            f"{root} lacks {named(missing)} of the {len(files)} files in data/sources.tsv; "
            "fetch them again: remove results/provenance/source.json and run make reproduce"
        )
    for file in files:
        check_file(root / file.path, file)


def named(paths: list[str], *, shown: int = 3) -> str:
    """Say how many paths there are and name the first few.

    Example:
        >>> named(["a", "b", "c", "d"], shown=2)
        '4 (a, b and 2 more)'
    """
    more = len(paths) - shown
    listed = ", ".join(paths[:shown])
    return f"{len(paths)} ({listed}{f' and {more} more' if more > 0 else ''})"
