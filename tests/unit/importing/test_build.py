"""Whatever stands in a table: a delivery that validates, or a clean refusal; no row gets lost."""

import csv
import math
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.import_tables import Built, built, changed, reasons, row

from avowed.importing.exclusions import COLUMNS, What
from avowed.pairs.delivery import write_delivery
from avowed.pairs.rules import validate
from avowed.refusal import Refused
from avowed.sheet_cell import sheet_cell, sheet_text

#: Values that tables of other people hold, good and bad.
VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 10**30, 0.0, 1.0, 0.5, 1.33, float("nan"), float("inf"),
    "", "A", "B", "C", "(D)", "AD", "3", "1.0", "0.25", "N/A", "x\u2028y", "=1+1", "\ud800",
    "import.json", "delivery.json", "a:b", "é", "nudge\n",
    ("A", "B"), ("A", "B", "C"), (), (("A",),),
]  # fmt: skip

LETTERS = ["A", "B", "C", "D"]


#: What the columns hold where nothing is wrong.
USUAL: dict[str, list[Any]] = {
    "q": [f"q{number}" for number in range(20)],
    "c": ["A", "B"],
    "h": ["C", "C", "D", "B"],
    "a0": ["A", "B", "C", ""],
    "a1": ["A", "C", "C", "D", ""],
    "ci": [1, 2],
    "hi": [3, 3, 1],
    "bi": [1, 2, 3, -1, 1.0],
    "ni": [1, 3, 3, 2, "3"],
    "v": [True, False, None, "?"],
    "n": [4, 4, 3, "4"],
    "o": [("A", "B", "C", "D")],
    "r": [1, 2],
    "k": ["x", "x", "y"],
    "p": [0, 0.3, 0.7, 1, "0.5", None],
    "s": ["s1", "s2"],
    "e": ["a span", None],
    "t": ["a.txt", "b.txt", None],
}


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A table with a drawn share of values that nobody expects."""
    # Drawn value by value, tables would be so short and so odd that hardly one makes a delivery.
    rng = random.Random(draw(st.integers(0, 2**32)))
    share = draw(st.sampled_from([0.0, 0.01, 0.05, 0.3]))
    size = draw(st.integers(1, 60))
    return [
        {
            name: rng.choice(VALUES if rng.random() < share else usual)
            for name, usual in USUAL.items()
        }
        for _ in range(size)
    ]


BY_LETTER = {"correct": "c", "hint": "h", "baseline": "a0", "hinted": "a1", "options": "o"}
BY_NUMBER = {"correct": "ci", "hint": "hi", "baseline": "bi", "hinted": "ni"}
PHI = {"column": "p", "of": "unfaithful", "source": "verbalized_confidence"}
VERDICT = {"column": "v", "faithful": [True], "unfaithful": [False], "undetermined": ["?"]}
WHERE = {"column": "k", "in": ["x", None]}

MAPPINGS = st.builds(
    changed,
    hint_type=st.sampled_from(
        [{"constant": "nudge"}, {"column": "k"}, {"lookup": "k", "values": {"x": "one", 1: "two"}}]
    ),
    risk_family=st.sampled_from([None, {"column": "k"}]),
    probe=st.sampled_from([["q", "k"], ["q", "k"], ["q", "k", "r"], ["q"]]),
    n_options=st.sampled_from(
        [{"constant": 4}, {"column": "n"}, {"lookup": "n", "values": {4: 4, 3: 3}}, {"length": "o"},
         {"length": ["c", "h", "a1"]}]
    ),
    answers=st.builds(
        lambda named, more: {**named, **more},
        st.sampled_from(
            [{**BY_LETTER, "coding": "letters"}, {**BY_LETTER, "coding": "text"},
             {**BY_NUMBER, "coding": "indices"}, {**BY_NUMBER, "coding": "numbers"}]
        ),
        st.fixed_dictionaries(
            {
                "missing": st.sampled_from([["", -1, None], ["", float("nan")]]),
                "junk": st.sampled_from(["exclude", "not_extracted"]),
                "whole_floats": st.booleans(),
            }
        ),
    ),
    replica=st.sampled_from(["one", "order", {"column": "r"}, {"column": "r", "from": 1}]),
    baseline=st.sampled_from([None, {"join": "rows", "where": WHERE, "key": ["q"]}]),
    judge=st.sampled_from(
        [None, VERDICT, {**VERDICT, "elsewhere": "row", "evidence": "e"},
         {**VERDICT, "phi": PHI, "evidence": "e"}, {"phi": PHI, "threshold": 0.5, "evidence": "e"}]
    ),
    session=st.sampled_from([None, {"column": "s"}]),
    conversations=st.sampled_from([None, {"baseline": "s", "hinted": "t"}]),
    truncated=st.sampled_from([None, {"column": "k", "values": ["y", None]}]),
    filter=st.sampled_from([None, [{"column": "v", "not_in": ["?", 1]}]]),
    planned_replicas=st.sampled_from([None, None, 2]),
)  # fmt: skip


def check_counts(found: Built) -> None:
    """Every row read is in exactly one place, and the sheet lists what is left out."""
    counts = found.counts
    assert counts.records == found.records.num_rows
    assert counts.read == (
        counts.passed_over + counts.unhinted + counts.records + counts.incomplete + counts.left_out
    )
    positions = [
        position
        for each in found.exclusions.all
        if each.what in (What.ROW, What.HALF)
        for position in each.positions.tolist()
    ]
    assert len(positions) == len(set(positions)) == counts.left_out + counts.incomplete
    assert sum(entry.planned for entry in found.header.coverage) == (
        counts.records + counts.incomplete
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=tables(), mapping=MAPPINGS, strict=st.booleans())
def test_any_table_gives_a_valid_delivery_or_a_refusal(
    rows: list[dict[str, Any]], mapping: dict[str, Any], strict: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.txt").write_text("not what was quoted")
        try:
            found = built(folder, rows, mapping, strict=strict)
        except Refused as refusal:
            assert "\n" not in str(refusal)
            return
        assert not (strict and found.exclusions.all)
        check_counts(found)
        write_delivery(folder, found.header, found.records)
        found.exclusions.write(folder / "exclusions.csv")
        (folder / "import.json").write_text("{}")
        report = validate(folder)
        assert report.accepted, list(report.violations)[:3]
        with (folder / "exclusions.csv").open(encoding="utf-8", newline="") as file:
            listed = list(csv.reader(file))
        assert len(listed) - 1 == sum(reasons(found).values())
        cells = [cell for line in listed for cell in line]
        active = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert all(math.isfinite(float(cell)) for cell in active)


def test_the_first_fault_in_a_fixed_order_counts(tmp_path: Path) -> None:
    records = [row(), row(None, c="?", h="A", a0="AD"), row("q2", h="A", a0="AD", c="A")]
    assert reasons(built(tmp_path, records)) == {
        "hint on the correct answer": 1,
        "missing probe": 1,
    }


def test_junk_may_count_as_not_extracted(tmp_path: Path) -> None:
    answers = {**changed()["answers"], "junk": "not_extracted"}
    records = [row("q1", a1="AD", v=None), row("q2", a0="3", v=None), row("q3", h="55", v=None)]
    found = built(tmp_path, records, changed(answers=answers))
    assert found.records.column("outcome").to_pylist() == ["not_evaluable"] * 2
    assert reasons(found) == {"unusable hint": 1}
    assert found.counts.taken_as_missing == 2


def test_strict_names_the_first_row_that_is_left_out(tmp_path: Path) -> None:
    records = [row("q1"), row("q2", a1="AD"), row(None)]
    with pytest.raises(Refused, match=r'^x.jsonl, line 2, column a1: found "AD"; junk answer;'):
        built(tmp_path, records, strict=True)
    assert built(tmp_path, records[:1], strict=True).records.num_rows == 1


def test_where_nothing_is_left_the_refusal_says_why(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"left out: junk answer 2; the first: x.jsonl, line 1"):
        built(tmp_path, [row("q1", a1="AD"), row("q2", a1="3")])
    only = changed(filter=[{"column": "q", "equals": "other"}])
    with pytest.raises(Refused, match="the filter passes over 2"):
        built(tmp_path, [row("q1"), row("q2")], only)


def test_the_order_of_the_rows_does_not_matter(tmp_path: Path) -> None:
    rng = np.random.default_rng([20261130, 6])
    records = [
        row(f"q{number}", a1=str(rng.choice(LETTERS)), a0=str(rng.choice(LETTERS)))
        for number in range(60)
    ]
    records += records[:7]
    first = built(tmp_path, records)
    for _ in range(5):
        shuffled = [records[place] for place in rng.permutation(len(records))]
        again = built(tmp_path, shuffled)
        assert again.records.equals(first.records)
        assert again.header == first.header
        assert reasons(again) == reasons(first)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_does_not_run(start: str) -> None:
    assert sheet_cell(f"{start}x") == f"'{start}x"
    assert sheet_cell(f"x{start}") == f"x{start}"
    assert sheet_text(sheet_cell(f"{start}x")) == f"{start}x"


def test_the_sheet_shows_file_row_and_value_safely(tmp_path: Path) -> None:
    records = [row("q1"), row("q2", a1="=HYPERLINK(1)"), row("q3", a1=-2), row("q4", v="x" * 300)]
    path = tmp_path / "exclusions.csv"
    built(tmp_path, records).exclusions.write(path)
    with path.open(encoding="utf-8", newline="") as file:
        listed = list(csv.reader(file))
    assert tuple(listed[0]) == COLUMNS
    assert listed[1] == ["x.jsonl", "2", "junk answer", "a1", "'=HYPERLINK(1)", "row"]
    assert listed[2] == ["x.jsonl", "3", "junk answer", "a1", "-2", "row"]
    assert listed[3][4] == "x" * 199 + "…"
