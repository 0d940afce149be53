"""Every reader against inputs that nobody thought of; the oracle says what must hold."""

import csv
import gzip
import io
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz import oracle
from fuzz.inputs import case, mutated, valid
from fuzz.oracle import FILES, WrongTable, check
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from avowed.importing.raw_table import Column, RawTable

SEEDS = st.integers(min_value=0, max_value=2**64)
TRIED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

# Damaged files that `make fuzz` found: the kind, a dash, and what was wrong.
FOUND_IN = Path(__file__).parent / "found"
FOUND = sorted(path.name for path in FOUND_IN.iterdir())

# What JSON can hold and a table too: no surrogates, no infinities.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, width=64) | TEXT
FINITE = SCALAR.filter(lambda value: value not in (float("inf"), float("-inf")))
VALUE = st.recursive(FINITE, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
# Without dots, so that no two keys mean the same column.
KEY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="."), max_size=4)
ROW = st.dictionaries(KEY, VALUE | st.dictionaries(KEY, VALUE, max_size=2), min_size=1, max_size=4)
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@pytest.fixture(scope="module")
def folder() -> Any:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.mark.parametrize("kind", FILES)
@TRIED
@given(seed=SEEDS)
def test_damaged_files(kind: str, folder: Path, seed: int) -> None:
    check(kind, case(kind, random.Random(seed)), folder)


@pytest.mark.parametrize("name", FOUND)
def test_inputs_that_were_once_read_wrong(name: str, folder: Path) -> None:
    kind = next(kind for kind in FILES if name.startswith(f"{kind}-"))
    check(kind, (FOUND_IN / name).read_bytes(), folder)


@pytest.mark.parametrize("kind", FILES)
@TRIED
@given(data=st.binary(max_size=300))
def test_noise(kind: str, folder: Path, data: bytes) -> None:
    check(kind, data, folder)


@TRIED
@given(rows=st.lists(ROW, min_size=1, max_size=6), plain=st.booleans())
def test_json_written_by_python_is_accepted(
    folder: Path, rows: list[dict[str, Any]], plain: bool
) -> None:
    lines = "\n".join(json.dumps(row, ensure_ascii=plain) for row in rows).encode()
    tables = [
        check("jsonl", lines, folder),
        check("jsonl_gz", gzip.compress(lines), folder),
        check("json", json.dumps(rows, ensure_ascii=plain).encode(), folder),
    ]
    assert [table is not None and len(table) for table in tables] == [len(rows)] * 3


@TRIED
@given(
    header=st.lists(CELL.filter(bool), min_size=1, max_size=4, unique=True),
    seed=SEEDS,
    end=st.sampled_from(["\n", "\r\n"]),
    data=st.data(),
)
def test_csv_written_by_python_is_accepted(
    folder: Path, header: list[str], seed: int, end: str, data: st.DataObject
) -> None:
    row = st.lists(CELL, min_size=len(header), max_size=len(header))
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    target = io.StringIO(newline="")
    csv.writer(target, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    table = check("csv", target.getvalue().encode("utf-8-sig"), folder)
    assert table is not None
    columns = [column.every() for column in table.columns.values()]
    assert [list(cells) for cells in zip(*columns, strict=True)] == rows


@pytest.mark.parametrize("kind", ["parquet", "inspect"])
def test_valid_files_are_mostly_accepted(kind: str, folder: Path) -> None:
    # Some have no rows or a name twice, and are refused for that.
    read = [check(kind, valid(kind, random.Random(seed)), folder) for seed in range(200)]
    assert sum(table is not None for table in read) > 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_many_damaged_files(kind: str, folder: Path) -> None:
    read = refused = 0
    for seed in range(4000):
        if check(kind, case(kind, random.Random(seed)), folder) is None:
            refused += 1
        else:
            read += 1
    # Neither a reader that takes everything nor one that takes nothing would pass.
    assert read > 200 and refused > 200


def test_mutations_change_files_and_are_seeded() -> None:
    data = bytes(range(200))
    changed = [mutated(data, random.Random(seed)) for seed in range(100)]
    assert changed == [mutated(data, random.Random(seed)) for seed in range(100)]
    assert sum(each != data for each in changed) > 80


@pytest.mark.parametrize("column", ["3", 3.0, True])
def test_the_oracle_notices_a_value_of_another_kind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, column: Any
) -> None:
    wrong = RawTable(
        file="case.jsonl",
        columns={"x": Column(values=(column,), codes=np.zeros(1, dtype=np.int32))},
        rows=np.array([1]),
        row_word="line",
    )
    monkeypatch.setattr(oracle, "read_input", lambda *_, **__: [wrong])
    with pytest.raises(WrongTable, match=r"x: \[.*\], not \[3\]"):
        check("jsonl", b'{"x": 3}', folder)


@pytest.mark.parametrize("data", [b'{"x": 3, "x": 3}', b'{"x": 3}\n{"x": 3}', b'{"y": 3}'])
def test_the_oracle_notices_a_wrong_acceptance(
    folder: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    wrong = RawTable(
        file="case.jsonl",
        columns={"x": Column(values=(3,), codes=np.zeros(1, dtype=np.int32))},
        rows=np.array([1]),
        row_word="line",
    )
    monkeypatch.setattr(oracle, "read_input", lambda *_, **__: [wrong])
    with pytest.raises(WrongTable):
        check("jsonl", data, folder)
