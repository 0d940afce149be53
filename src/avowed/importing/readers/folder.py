"""A folder of input files: which of its files are data."""

from pathlib import Path

from avowed.importing.input_form import ENDINGS, kind_of, known_endings
from avowed.refusal import Refused, Unusable

#: Endings of what stands beside data and is none. A file without an ending is no data either.
_BESIDE = frozenset({"", ".md", ".txt", ".rst", ".yaml", ".yml", ".toml", ".cff", ".log"})


def data_files(folder: Path, kind: str | None) -> list[Path]:
    """The data files of a folder, sorted by name.

    Hidden files are passed over, and so are documentation and settings. Everything else has to be
    read, because data that are left out without a word would go unnoticed.

    Args:
        folder: the folder.
        kind: the kind of all files; None to go by the ending of each.

    Raises:
        Unusable: the folder cannot be read or holds no data.
        Refused: it holds a folder, or a file that may be data of an unknown kind.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("b.csv", "a.jsonl.gz", "README.md", ".hidden.csv"):
    ...     _ = (folder / name).write_text("")
    >>> [path.name for path in data_files(folder, None)]
    ['a.jsonl.gz', 'b.csv']
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError as error:
        raise Unusable(f"{folder}: cannot be read: {error.strerror or error}") from None
    files = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            raise Refused(f"{entry}: is a folder; import each folder of files by itself")
        if _is_data(entry.name, kind):
            files.append(entry)
        elif entry.suffix.lower() not in _BESIDE:
            expected = ", ".join(ENDINGS.get(kind or "", ())) or known_endings()
            raise Refused(
                f"{entry}: an ending that is not expected here; known are {expected}; move the "
                "file elsewhere, or hide it with a dot in front"
            )
    if not files:
        raise Unusable(f"{folder}: holds no file that ends in {known_endings()}")
    return files


def _is_data(name: str, kind: str | None) -> bool:
    if kind == "inspect":
        # A folder of logs may hold both forms.
        return kind_of(name) in {"inspect", "json"}
    return kind_of(name) is not None if kind is None else kind_of(name) == kind
