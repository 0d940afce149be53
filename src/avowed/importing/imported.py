"""A whole import: read the input as a mapping says, build the delivery, write its four files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from avowed.importing.baseline_file import find_inside
from avowed.importing.build import EXCLUSIONS_FILE, IMPORT_FILE, Built, build
from avowed.importing.mapping import Mapping as ImportMapping
from avowed.importing.mapping_file import read_mapping
from avowed.importing.read import read_input
from avowed.importing.readers.folder import data_files
from avowed.importing.record_of_import import describe_import
from avowed.importing.rows import rows_of
from avowed.jsonfile import write_json
from avowed.pairs.delivery import JSON_LINES_FILE, PARQUET_FILE, write_delivery
from avowed.pairs.header import HEADER_FILE
from avowed.real_path import real_path, refuse_overwriting
from avowed.refusal import Unusable

#: What an import writes into the folder of a delivery; without a header it is none.
FILES = (PARQUET_FILE, EXCLUSIONS_FILE, IMPORT_FILE, HEADER_FILE)

#: What it removes there: records of the other format would make the delivery ambiguous.
REMOVED = (JSON_LINES_FILE,)


@dataclass(frozen=True, kw_only=True)
class Imported:
    """A delivery in memory and what is written beside it.

    Attributes:
        built: header, records, exclusions and counts.
        described: what it was made from.
        files: number of files that were read.
        names: what the files are called in what is written, by their names in messages.
    """

    built: Built
    described: dict[str, Any]
    files: int
    names: Mapping[str, str]

    def write(self, folder: Path) -> None:
        """Write the files of ``FILES`` into a folder that is there."""
        write_delivery(folder, self.built.header, self.built.records)
        self.built.exclusions.write(folder / EXCLUSIONS_FILE, names=self.names)
        write_json(folder / IMPORT_FILE, self.described)


def import_input(
    source: Path | str, mapping_path: Path, *, session: str, folder: Path, strict: bool = False
) -> Imported:
    """Read an input and build the delivery that a mapping makes of it.

    Args:
        source: a file, a folder of files, or the name of a data set of a hub.
        mapping_path: the mapping.
        session: the session of all pairs where the mapping names no column.
        folder: where the delivery will stand; conversations that lie there are looked into.
        strict: refuse the first row that cannot be taken over.

    Raises:
        Refused: the data or the mapping are not accepted.
        Unusable: a file cannot be read, or is one that the import would write over or remove.
    """
    mapping = read_mapping(mapping_path)
    other = _baseline_source(source, mapping_path, mapping)
    _spare([mapping_path], [], folder)
    for each, form in ((source, mapping.form), (other, mapping.baseline.form)):
        if isinstance(each, Path) and form.kind != "hub":
            _spare(data_files(each, form.kind) if each.is_dir() else [each], [each], folder)
    tables = read_input(source, mapping.form, columns=mapping.columns)
    others = (
        []
        if other is None
        else read_input(other, mapping.baseline.form, columns=mapping.baseline_columns)
    )
    built = build(
        rows_of(tables, mapping.columns),
        mapping,
        session=session,
        baselines=rows_of(others, mapping.baseline_columns) if others else None,
        folder=folder,
        strict=strict,
    )
    names = {table.file: _name_within(source, table.file) for table in tables}
    # What the mapping calls the other file is the same wherever the command is given.
    apart = {table.file: str(mapping.baseline.file) for table in others}
    described = describe_import(
        built, mapping=mapping_path, inputs=tables, baselines=others, names={**names, **apart}
    )
    return Imported(built=built, described=described, files=len(tables), names=names)


def _name_within(source: Path | str, file: str) -> str:
    """A file's name within the input, which does not depend on where the command is given.

    >>> _name_within(Path("../logs"), "../logs/a.csv"), _name_within(Path("/x/a.csv"), "/x/a.csv")
    ('a.csv', 'a.csv')
    >>> _name_within("hf://data", "hf://data")
    'hf://data'
    """
    if isinstance(source, str):
        return file
    path = Path(file)
    if path == source:
        return path.name
    # What is no file of a folder is named by itself.
    return path.relative_to(source).as_posix() if path.is_relative_to(source) else file


def _baseline_source(source: Path | str, mapping_path: Path, mapping: ImportMapping) -> Path | None:
    if mapping.baseline.file is None:
        return None
    folders = [mapping_path.parent]
    if isinstance(source, Path):
        folders.append(source if source.is_dir() else source.parent)
    return find_inside(mapping.baseline.file, folders)


def _spare(files: Sequence[Path], sources: Sequence[Path], folder: Path) -> None:
    """Refuse a folder to write to in which something would be lost that the import reads.

    Raises:
        Unusable: it lies in a folder of the input, whose files would be read as input the next
            time, or a file is one of those that the import writes or removes.
    """
    out = real_path(folder)
    for source in sources:
        if source.is_dir() and out.is_relative_to(real_path(source)):
            where = "is" if out == real_path(source) else "lies inside"
            raise Unusable(f"{folder}: --out {where} the input {source}; name another folder")
    refuse_overwriting([folder / name for name in (*FILES, *REMOVED)], files)
