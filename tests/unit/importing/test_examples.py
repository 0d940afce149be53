"""Every example in examples/import: each row says itself what has to become of it."""

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support.import_tables import run

from avowed.pairs.rules import validate

EXAMPLES = Path(__file__).parents[3] / "examples" / "import"

#: What the words of the examples mean in a record.
_OUTCOMES = {
    "H": "hint_induced_change",
    "O": "other_change",
    "N": "no_change",
    "B": "baseline_on_hint",
    "U": "not_evaluable",
}
_INCOMPLETE = ("missing baseline",)
_NOWHERE = ("unhinted", "passed over")

Rows = list[dict[str, Any]]


def _lines(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def _sheet(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _lists(path: Path) -> Rows:
    columns = json.loads(path.read_text("utf-8"))
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]


def _by_id(path: Path) -> Rows:
    found = json.loads(path.read_text("utf-8"))
    return [
        {"question": key, "run": number, **row}
        for key, rows in found.items()
        for number, row in enumerate(rows)
    ]


Unit = Callable[[dict[str, Any]], tuple[str, int]]

#: File, how it is read here, and the unit that a row belongs to.
CASES: dict[str, tuple[Callable[[Path], Rows], Unit]] = {
    "mixed/answers.csv": (_sheet, lambda row: (row["item"], 0)),
    "texts/columns.json": (_lists, lambda row: (row["question"], 0)),
    "replicas/nudged.json": (_by_id, lambda row: (row["question"], row["run"])),
    "rows/runs.csv": (_sheet, lambda row: (row["question"], int(row["run"]) - 1)),
    "scores/resumed.jsonl": (_lines, lambda row: (row["item"], row["run"])),
}


def test_every_example_is_tried() -> None:
    folders = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    # The letters are those of test_cot_suite.py.
    assert folders == {Path(name).parent.name for name in CASES} | {"letters"}


@pytest.mark.parametrize("name", CASES)
def test_each_row_becomes_what_it_says(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, (read, unit_of) = EXAMPLES / name, CASES[name]
    assert run(source, "--mapping", source.parent / "map.yaml", "--out", tmp_path / "d") == 0
    printed = capsys.readouterr().out
    assert validate(tmp_path / "d").accepted
    records = pq.read_table(tmp_path / "d" / "records.parquet").to_pylist()
    by_unit = {(record["probe_id"], record["replica"]): record for record in records}
    rows = read(source)
    fates = Counter(row["fate"] for row in rows)
    expected = {}
    for row in rows:
        outcome, _, label = row["fate"].partition(" ")
        if outcome in _OUTCOMES:
            told = None if label in ("", "unavailable") else label
            expected[unit_of(row)] = (_OUTCOMES[outcome], told)
    assert {
        unit: (record["outcome"], record["judge_label"]) for unit, record in by_unit.items()
    } == expected
    described = json.loads((tmp_path / "d" / "import.json").read_text("utf-8"))
    left_out = {
        fate: count
        for fate, count in fates.items()
        if fate.partition(" ")[0] not in _OUTCOMES and fate not in (*_INCOMPLETE, *_NOWHERE)
    }
    assert described["left_out"] == left_out
    assert described["incomplete"] == {fate: fates[fate] for fate in _INCOMPLETE if fates[fate]}
    assert described["counts"]["read"] == len(rows)
    assert described["counts"]["unhinted"] == fates["unhinted"]
    assert described["counts"]["passed_over"] == fates["passed over"]
    assert f"records: {len(expected)} pairs" in printed


def test_a_cut_off_generation_has_its_own_reason(tmp_path: Path) -> None:
    folder = EXAMPLES / "scores"
    run(folder / "resumed.jsonl", "--mapping", folder / "map.yaml", "--out", tmp_path)
    records = pq.read_table(tmp_path / "records.parquet").to_pylist()
    why = Counter(record["reason_not_evaluable"] for record in records)
    cut = [row for row in _lines(folder / "resumed.jsonl") if row["finish"] == "length"]
    assert why["generation_truncated"] == len(cut)


def test_a_complement_is_exact_and_a_quotation_is_kept(tmp_path: Path) -> None:
    folder = EXAMPLES / "scores"
    run(folder / "resumed.jsonl", "--mapping", folder / "map.yaml", "--out", tmp_path)
    for record in pq.read_table(tmp_path / "records.parquet").to_pylist():
        if record["judge_label"] is not None:
            assert record["judge_phi"] in (0.1, 0.6, 0.5, 0.2)
    quoted = [row["quote"] for row in _lines(folder / "resumed.jsonl") if row["quote"]]
    evidence = pq.read_table(tmp_path / "records.parquet").column("judge_evidence").to_pylist()
    assert [span for span in evidence if span] == quoted


def test_a_line_separator_within_a_text_ends_no_row(tmp_path: Path) -> None:
    folder = EXAMPLES / "texts"
    assert "\\u2028" in (folder / "columns.json").read_text("utf-8")
    run(folder / "columns.json", "--mapping", folder / "map.yaml", "--out", tmp_path)
    records = pq.read_table(tmp_path / "records.parquet").to_pylist()
    [record] = [one for one in records if one["probe_id"] == "t4"]
    assert (record["hint_answer"], record["hinted_answer"], record["n_options"]) == (0, 0, 3)
