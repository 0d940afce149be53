"""The whole diagnosis: a healthy simulated delivery, planted faults, catalogue and document."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.deliveries import judged
from support.doctor import QUICK, Row, codes, delivery_of, healthy, moved
from unit.documents import quoted, section, table_of

from avowed.pairs.delivery import Delivery
from avowed.pairs.doctor.catalogue import CODES
from avowed.pairs.doctor.diagnosis import CELL_CHECKS, diagnose
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.imported import LeftOut
from avowed.pairs.estimate import Settings
from avowed.pairs.header import coverage_of
from avowed.pairs.outcome import outcome_of
from avowed.pairs.record import ARROW_SCHEMA


@pytest.fixture(scope="module")
def sound() -> Delivery:
    return healthy()


def told(delivery: Delivery, **more: Any) -> set[tuple[str, str]]:
    return set(codes(diagnose(delivery, QUICK, **more)))


def test_a_healthy_delivery_has_two_true_notes(sound: Delivery) -> None:
    """A tenth of the simulated probes have two options, and there is no text to quote from."""
    assert codes(diagnose(sound, Settings())) == [("no_evidence", "note"), ("two_options", "note")]


def with_records(sound: Delivery, rows: list[Row]) -> Delivery:
    """The delivery with other records; what the answers imply is worked out again."""
    for row in rows:
        a0, a1 = row["baseline_answer"], row["hinted_answer"]
        outcome = outcome_of(a0, a1, row["hint_answer"]).value
        row |= {
            "outcome": outcome,
            "baseline_correct": a0 == row["correct_answer"],
            "hinted_correct": a1 == row["correct_answer"],
            "judge_applied": outcome == "hint_induced_change",
        }
        if not row["judge_applied"]:
            row |= {"judge_label": None, "judge_phi": None, "reason_not_evaluable": None}
        elif row["judge_label"] is None and row["reason_not_evaluable"] is None:
            row |= {"judge_label": "unfaithful", "judge_phi": 0.25}
    records = pa.Table.from_pylist(rows, schema=ARROW_SCHEMA)
    header = replace(sound.header, coverage=coverage_of(records))
    return Delivery(header=header, records=records)


def shift_key(row: Row) -> Row:
    options = row["n_options"]
    moved_on = {name: (row[name] + 1) % options for name in ("correct_answer", "hint_answer")}
    return row | moved_on


def swap_halves(row: Row) -> Row:
    return row | {"baseline_answer": row["hinted_answer"], "hinted_answer": row["baseline_answer"]}


def always_first(row: Row) -> Row:
    """Options renumbered so that the hint is option 0."""
    hint = row["hint_answer"]
    names = ("correct_answer", "hint_answer", "baseline_answer", "hinted_answer")
    return row | {name: (row[name] - hint) % row["n_options"] for name in names}


@pytest.mark.parametrize(
    ("plant", "code"),
    [
        (shift_key, "shifted_answers"),
        (swap_halves, "swapped_halves"),
        (always_first, "hint_position"),
        (lambda row: row | {"fresh_session": False}, "not_fresh"),
        (lambda row: row | {"hinted_half_id": row["probe_id"]}, "hinted_half_reused"),
        (lambda row: row | {"baseline_half_id": row["probe_id"]}, "shared_baseline"),
    ],
)
def test_a_fault_planted_in_every_record_is_found(
    sound: Delivery, plant: Callable[[Row], Row], code: str
) -> None:
    rows = list(map(plant, records_of(sound)))
    assert code in {name for name, _ in told(with_records(sound, rows))}


def test_records_written_again_without_a_fault_give_the_same_findings(sound: Delivery) -> None:
    assert told(with_records(sound, records_of(sound))) == told(sound)


def records_of(delivery: Delivery) -> list[Row]:
    rows: list[Row] = delivery.records.to_pylist()
    return rows


def test_copied_replicas_are_found(sound: Delivery) -> None:
    rows = records_of(sound)
    first = {row["probe_id"]: row for row in rows if row["replica"] == 0}
    drawn = ("baseline_answer", "hinted_answer", "judge_label", "judge_phi", "reason_not_evaluable")
    copies = [
        row | {name: first[row["probe_id"]][name] for name in drawn} if row["replica"] == 5 else row
        for row in rows
    ]
    found = diagnose(with_records(sound, copies), QUICK)
    (copy,) = [each for each in found if each.severity is Severity.WRONG]
    assert copy.code == "replica_copies" and "replicas 0 and 5 agree" in copy.found


def test_findings_do_not_depend_on_the_order_of_the_rows(sound: Delivery) -> None:
    order = np.random.default_rng(8).permutation(sound.records.num_rows)
    shuffled = Delivery(header=sound.header, records=sound.records.take(pa.array(order)))
    assert diagnose(shuffled, QUICK) == diagnose(sound, QUICK)


def test_the_worst_comes_first() -> None:
    rows = [judged(f"p{n}", "unfaithful", 0.1, replica=r) for n in range(20) for r in range(2)]
    found = diagnose(delivery_of(rows), QUICK, left_out=LeftOut(rows=99, records=7))
    ranks = [list(Severity).index(each.severity) for each in found]
    assert ranks == sorted(ranks) and {each.code for each in found[:2]} == {
        "import_differs",
        "replica_copies",
    }
    whole = {each.code for each in found if each.hint_type is None}
    assert whole == {"import_differs", "judge_not_declared"}


def test_a_check_of_an_empty_cell_finds_no_fault() -> None:
    found = diagnose(delivery_of([], planned_replicas=2), QUICK)
    assert codes(found) == [("insufficient", "thin"), ("judge_not_declared", "note")]


def test_a_single_pair_breaks_no_check() -> None:
    found = diagnose(delivery_of(moved(1, 0)), QUICK)
    assert all(each.severity is not Severity.WRONG for each in found)


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="no code of the catalogue"):
        Finding(code="something", severity=Severity.NOTE, found="")


def test_every_check_is_asked_once() -> None:
    assert len(set(CELL_CHECKS)) == len(CELL_CHECKS)


def test_the_document_lists_every_code_in_the_order_of_the_catalogue() -> None:
    rows = table_of(section("docs/doctor.md", "The findings"))
    assert [quoted(cells[0])[0] for cells in rows] == list(CODES)
    words = {word for cells in rows for word in cells[1].split(", ")}
    assert words == set(Severity)


def test_every_meaning_is_plain_sentences() -> None:
    for meaning in CODES.values():
        assert meaning.section.startswith("HP ")
        assert meaning.why.endswith(".") and meaning.advice.endswith(".")
