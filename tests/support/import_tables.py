"""Tables and mappings for the tests of the import, built without a file reader."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from avowed.commands import import_
from avowed.importing.build import Built, build
from avowed.importing.exclusions import What
from avowed.importing.kinds import key_of
from avowed.importing.mapping_file import read_mapping
from avowed.importing.raw_table import Column, RawTable
from avowed.importing.rows import rows_of

#: A mapping of four letter columns, until a test changes something.
MAPPING: dict[str, Any] = {
    "version": 1,
    "probe": ["q"],
    "hint_type": {"constant": "nudge"},
    "n_options": {"constant": 4},
    "answers": {
        "coding": "letters",
        "missing": ["", None],
        "correct": "c",
        "hint": "h",
        "baseline": "a0",
        "hinted": "a1",
    },
    "judge": {"column": "v", "faithful": [True], "unfaithful": [False], "undetermined": ["?"]},
    "header": {"hint_channel": "user_message"},
}


def row(q: Any = "q1", **changes: Any) -> dict[str, Any]:
    """A row with outcome H and an unfaithful verdict."""
    return {"q": q, "c": "A", "h": "C", "a0": "A", "a1": "C", "v": False, **changes}


def column(values: Sequence[Any]) -> Column:
    known: dict[Any, int] = {}
    distinct: list[Any] = []
    codes = []
    for value in values:
        code = known.setdefault(key_of(value), len(distinct))
        if code == len(distinct):
            distinct.append(value)
        codes.append(code)
    return Column(values=distinct, codes=np.array(codes, dtype=np.int32))


def table(records: Sequence[Mapping[str, Any]], file: str = "x.jsonl") -> RawTable:
    """A table of records; a record may lack a key."""
    names = list(dict.fromkeys(name for record in records for name in record))
    absent = {
        name: np.array([name not in record for record in records])
        for name in names
        if any(name not in record for record in records)
    }
    return RawTable(
        file=file,
        columns={name: column([record.get(name) for record in records]) for name in names},
        rows=np.arange(1, len(records) + 1, dtype=np.int64),
        row_word="line",
        absent=absent,
    )


def changed(**changes: Any) -> dict[str, Any]:
    """The mapping with top-level keys replaced, or removed where None is given."""
    whole = {**MAPPING, **changes}
    return {key: value for key, value in whole.items() if value is not None}


def write_mapping(folder: Path, mapping: Mapping[str, Any]) -> Path:
    path = folder / "map.yaml"
    path.write_text(yaml.safe_dump(dict(mapping), allow_unicode=True), encoding="utf-8")
    return path


def built(
    folder: Path,
    records: Sequence[Mapping[str, Any]],
    mapping: Mapping[str, Any] = MAPPING,
    *,
    others: Sequence[Mapping[str, Any]] | None = None,
    strict: bool = False,
) -> Built:
    """What an import of these records makes."""
    read = read_mapping(write_mapping(folder, mapping))
    baselines = None if others is None else rows_of([table(others, "o")], read.baseline_columns)
    rows = rows_of([table(records)], read.columns)
    return build(rows, read, session="s", baselines=baselines, folder=folder, strict=strict)


def reasons(found: Built, *kinds: What) -> dict[str, int]:
    """Why something was left out, and how often."""
    return found.exclusions.counts(*(kinds or What))


def run(*arguments: str | Path) -> int:
    """`avowed import` with these arguments."""
    parser = argparse.ArgumentParser()
    import_.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["import", *map(str, arguments)])
    return int(parsed.run(parsed))
