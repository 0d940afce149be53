"""`avowed estimate`: several deliveries side by side, and what is said beside the rates."""

import csv
import io
from pathlib import Path

import pytest
from support.deliveries import (
    HINT_TYPE,
    OTHER_HINT_TYPE,
    change,
    header,
    judged,
    valid_records,
    write_lines,
)

from avowed.cli import main

CONDITIONS = [f"mine/{OTHER_HINT_TYPE}", f"mine/{HINT_TYPE}"]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "mine", valid_records())


def small(folder: Path) -> Path:
    """A delivery of one pair."""
    records = [judged("p0", "faithful", 1.0)]
    declared = header(records, hint_types=[HINT_TYPE])
    declared["coverage"] = [each for each in declared["coverage"] if each["hint_type"] == HINT_TYPE]
    return write_lines(folder, records, declared)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_sentence_says_how_many_changes_have_no_verdict(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["estimate", str(mine), "--format", "text"]) == 0
    note = "Note: 3 of 5 hint-induced changes have no verdict and are in no rate."
    assert capsys.readouterr().out.count(note) == 1
    main(["estimate", str(mine)])
    assert note in rows_of(capsys.readouterr().out)[1]["sentence"]


def test_estimate_sets_several_deliveries_side_by_side(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = small(tmp_path / "other")
    parts = []
    for folder in (mine, other):
        assert main(["estimate", str(folder)]) == 0
        parts.append(rows_of(capsys.readouterr().out))
    assert main(["estimate", str(mine), str(other)]) == 0
    together = rows_of(capsys.readouterr().out)
    assert together == [*parts[0], *parts[1]]
    assert [row["condition"] for row in together] == [*CONDITIONS, "other"]
    names = ["--name", "a", "--name", "b"]
    assert main(["estimate", str(mine), str(other), "--format", "text", *names]) == 0
    text = capsys.readouterr().out
    assert text.count("| Condition ") == 1 and "\nb: For the " in text
    assert main(["estimate", str(mine), str(mine)]) == 2
    assert "two deliveries are named 'mine'" in capsys.readouterr().err
    assert main(["estimate", str(mine), str(other), "--name", "a"]) == 2


def test_one_refused_delivery_stops_the_table_of_all(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = write_lines(tmp_path / "bad", change(valid_records(), 0, hint_answer=0))
    out = tmp_path / "table.csv"
    assert main(["estimate", str(mine), str(bad), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.out == "" and "R4" in said.err and f"{bad}: the delivery breaks" in said.err
    assert not out.exists()


def test_estimate_writes_over_nothing_that_it_reads(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = small(tmp_path / "other")
    before = (other / "records.jsonl").read_bytes()
    out = str(other / "records.jsonl")
    assert main(["estimate", str(mine), str(other), "--out", out]) == 2
    assert "would be written over" in capsys.readouterr().err
    assert (other / "records.jsonl").read_bytes() == before
