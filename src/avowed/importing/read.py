"""Read what a user names: a file, a folder of files, or a data set of a hub."""

from collections.abc import Collection
from pathlib import Path

from avowed.importing.input_form import HUB_PREFIX, InputForm, kind_of, known_endings
from avowed.importing.raw_table import RawTable
from avowed.importing.readers.csv_file import read_csv
from avowed.importing.readers.folder import data_files
from avowed.importing.readers.json_document import read_json
from avowed.importing.readers.json_lines import read_json_lines
from avowed.refusal import Unusable

__all__ = ["InputForm", "read_input"]


def read_input(
    source: Path | str, how: InputForm, *, columns: Collection[str] | None
) -> list[RawTable]:
    """Read an input, every value as it stands there.

    Args:
        source: a file, a folder of files, or ``hf://NAME``.
        how: what the input does not say itself.
        columns: the columns wanted, by dotted name; None for all that a table can hold.

    Returns:
        One table per file, in the order of the files' names. Every table has the columns wanted,
        in the order in which they were named.

    Raises:
        Unusable: the input is not there, of an unknown kind, or not what it should be.
        Refused: it was read and is not accepted: no rows, a column that is not there or is there
            twice, values that no table can hold, more than the bounds allow. The message names
            file, row and column.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text("id,answer\\nq1,A\\nq2,A\\n")
    >>> [table] = read_input(path, InputForm(), columns=["answer"])
    >>> table.columns["answer"].values, table.rows.tolist()
    (('A',), [2, 3])
    """
    wanted = None if columns is None else list(dict.fromkeys(columns))
    # A path swallows one of the two slashes.
    name = str(source)
    bare = name.removeprefix(HUB_PREFIX.rstrip("/")).lstrip("/")
    if name.startswith(HUB_PREFIX.rstrip("/")) or how.kind == "hub":
        from avowed.importing.readers.hub import read_hub

        return [read_hub(f"{HUB_PREFIX}{bare}", how, columns=wanted)]
    path = Path(source)
    files = data_files(path, how.kind) if path.is_dir() else [path]
    return [_read_file(file, how, wanted) for file in files]


def _read_file(path: Path, how: InputForm, columns: list[str] | None) -> RawTable:
    file = str(path)
    kind = how.kind or kind_of(path.name)
    if kind == "jsonl":
        return read_json_lines(path, file, columns=columns)
    if kind == "json" or (kind == "inspect" and kind_of(path.name) == "json"):
        return read_json(path, file, how, columns=columns)
    if kind == "csv":
        return read_csv(path, file, how, columns=columns)
    if kind == "parquet":
        from avowed.importing.readers.parquet import read_parquet

        return read_parquet(path, file, columns=columns)
    if kind == "inspect":
        from avowed.importing.readers.inspect_log import read_inspect

        return read_inspect(path, file, columns=columns)
    raise Unusable(
        f"{file}: its ending is not known; known are {known_endings()}; else say input.kind"
    )
