"""Rules F1 to F15: a clean file passes, and every corruption is told of at its place."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import responses as toy
from support.responses import CASE, INPUTS, text

from avowed.factors.response_rules import check_responses
from avowed.factors.response_violation import Violation
from avowed.factors.responses import RESPONSES

PLAN = toy.plan(("one", "two"))
Row = dict[str, Any]


def rows(*, parsed_only: bool = False) -> list[Row]:
    """A clean delivery with a failed call, an invalid decision and an invalid explanation."""
    given = {
        ("toy-1", "repeat"): None,
        ("toy-2", "repeat"): text("4", ["amount"]),
    }

    def answer(call: Any) -> str | None:
        if (call["input"], call["intervention"]) in given:
            return given[call["input"], call["intervention"]]
        return text("9") if call["trial"] == 1 and call["feature"] == "owner" else text()

    table = toy.answers(PLAN, answer).to_pylist()
    return [{**row, "raw": None} for row in table] if parsed_only else table


def check(changed: list[Row], **other: Any) -> list[Violation]:
    table = pa.Table.from_pylist(changed, schema=RESPONSES)
    return check_responses(
        **({"case": CASE, "inputs": INPUTS, "plan": PLAN, "responses": table} | other)
    )


def test_a_clean_delivery_passes() -> None:
    assert check(rows()) == [] and check(rows(parsed_only=True)) == []
    assert check(rows()[::-1]) == []


#: Row of the first component: 0 original, 1 repeat of toy-1, then its interventions.
ORIGINAL, REPEAT, CHANGED = 0, 1, 2


@pytest.mark.parametrize("parsed_only", [False, True])
@pytest.mark.parametrize(
    ("rule", "row", "change", "field"),
    [
        ("F1", ORIGINAL, {"use_case": "advisor"}, "use_case"),
        ("F1", CHANGED, {"use_case": ""}, "use_case"),
        ("F2", ORIGINAL, {"component": "three"}, "component"),
        ("F2", CHANGED, {"component": "One"}, "component"),
        ("F3", ORIGINAL, {"input": "toy-3"}, "input"),
        ("F3", CHANGED, {"input": " toy-1"}, "input"),
        ("F4", CHANGED, {"intervention": "blank"}, "intervention"),
        ("F4", CHANGED, {"intervention": "removal"}, "intervention"),
        ("F4", CHANGED, {"intervention": ""}, "intervention"),
        ("F5", ORIGINAL, {"feature": "amount"}, "feature"),
        ("F5", CHANGED, {"feature": None}, "feature"),
        ("F5", CHANGED, {"feature": "income"}, "feature"),
        ("F6", ORIGINAL, {"trial": 1}, "trial"),
        ("F6", REPEAT, {"trial": 1}, "trial"),
        ("F6", CHANGED, {"trial": 2}, "trial"),
        ("F6", CHANGED, {"trial": -1}, "trial"),
        ("F7", CHANGED, {"feature": "amount"}, "intervention"),
        ("F7", CHANGED + 1, {"feature": "amount"}, "intervention"),
        ("F8", CHANGED, {"trial": 1}, "trial"),
        ("F8", ORIGINAL, {"input": "toy-2"}, "trial"),
    ],
)
def test_a_row_whose_call_is_not_the_plans(
    rule: str, row: int, change: Row, field: str, parsed_only: bool
) -> None:
    changed = rows(parsed_only=parsed_only)
    assert changed[CHANGED]["feature"] == "purpose" and changed[CHANGED]["trial"] == 0
    changed[row] |= change
    found = [one for one in check(changed) if one.rule == rule]
    assert {one.field for one in found} == {field}
    # Of two rows for the same call the later one is told of, whichever was changed.
    assert rule == "F8" or [one.row for one in found] == [row + 1]


@pytest.mark.parametrize(
    ("rule", "row", "change", "field"),
    [
        ("F11", CHANGED, {"validity": "ok"}, "validity"),
        ("F11", CHANGED, {"validity": "Valid"}, "validity"),
        ("F11", CHANGED, {"decision": "6"}, "decision"),
        ("F11", CHANGED, {"decision": "4.0"}, "decision"),
        ("F11", CHANGED, {"decision": None}, "decision"),
        ("F11", CHANGED, {"validity": "not_json"}, "decision"),
        ("F12", CHANGED, {"explanation": "valid"}, "explanation"),
        ("F12", ORIGINAL, {"explanation": "not_asked"}, "explanation"),
        ("F12", ORIGINAL, {"explanation": "good"}, "explanation"),
        ("F12", ORIGINAL, {"citations": None}, "citations"),
        ("F12", ORIGINAL, {"explanation": "too_many"}, "citations"),
        ("F12", CHANGED, {"citations": ["amount", "owner", "region"]}, "citations"),
        ("F13", ORIGINAL, {"citations": ["amount", "owner"]}, "citations"),
        ("F13", ORIGINAL, {"citations": []}, "citations"),
        ("F13", ORIGINAL, {"citations": [*toy.KEYS]}, "citations"),
        ("F13", ORIGINAL, {"citations": ["owner", "amount", "owner"]}, "citations"),
        ("F13", ORIGINAL, {"citations": ["owner", "amount", "income"]}, "citations"),
        ("F13", ORIGINAL, {"citations": ["owner", "amount", None]}, "citations"),
    ],
)
def test_a_row_that_claims_what_it_does_not_hold(
    rule: str, row: int, change: Row, field: str
) -> None:
    changed = rows(parsed_only=True)
    changed[row] |= change
    (found,) = check(changed)
    assert (found.rule, found.field, found.row) == (rule, field, row + 1)


@pytest.mark.parametrize(
    ("row", "change", "fields"),
    [
        (CHANGED, {"decision": "5"}, {"decision"}),
        (ORIGINAL, {"citations": ["owner", "amount", "region"]}, {"citations"}),
        (ORIGINAL, {"raw": "no"}, {"decision", "citations", "validity", "explanation"}),
        (CHANGED, {"raw": None}, {"decision", "validity"}),
        (CHANGED, {"decision": None, "validity": "not_json"}, {"decision", "validity"}),
        (REPEAT, {"explanation": "too_few"}, {"explanation"}),
    ],
)
def test_parsed_fields_that_contradict_the_raw_text(row: int, change: Row, fields: Any) -> None:
    changed = rows()
    changed[row] |= change
    found = check(changed)
    assert {(one.rule, one.row) for one in found} == {("F14", row + 1)}
    assert {one.field for one in found} == fields


def test_four_citations_are_counted_when_raw_and_refused_when_claimed() -> None:
    four = text("4", [*toy.KEYS])
    counted = toy.answers(PLAN, lambda _call: four)
    assert check_responses(CASE, INPUTS, PLAN, counted) == []
    assert set(counted.column("explanation").to_pylist()) == {"too_many", "not_asked"}
    claimed = rows(parsed_only=True)
    claimed[ORIGINAL]["citations"] = [*toy.KEYS]
    (found,) = check(claimed)
    assert str(found) == (
        'row 1, field citations (component "one", input "toy-1", "original", trial 0): found '
        '["amount", "purpose", "owner", "region"]; expected 3 different keys of amount, purpose, '
        "owner, region (F13: citations are as many different keys of the list as were asked for); "
        "correct it, or say in explanation why it is invalid"
    )


def test_a_missing_original_response() -> None:
    kept = [row for row in rows() if row["intervention"] != "original" or row["input"] != "toy-2"]
    found = check(kept)
    assert [(one.rule, one.row) for one in found] == [("F9", None)] * 2
    assert found[0].call == "component one, input toy-2, original, trial 0"
    assert {one.rule for one in check(rows()[1:])} == {"F9"}


def test_missing_calls_are_counted_per_component_and_intervention() -> None:
    kept = [row for row in rows() if row["component"] == "one" or row["trial"] == 0]
    found = check(kept)
    assert [(one.rule, one.found) for one in found] == [
        ("F10", "no row for this and 6 more"),
        ("F10", "no row for this and 7 more"),
    ]
    assert found[0].call == "component two, input toy-1, feature purpose, contrast, trial 1"
    (repeat,) = check([row for place, row in enumerate(rows()) if place != REPEAT])
    assert repeat.rule == "F10" and "repeat" in repeat.expected
    assert repeat.found == "no row"
    assert {one.rule for one in check([])} == {"F9", "F10"}


def test_a_plan_for_another_study() -> None:
    other = replace(INPUTS, codes=np.array([[1, 0, 0, 1], [2, 1, 1, 1]], dtype=np.int16))
    found = check(rows(), inputs=other)
    assert [(one.rule, one.field) for one in found] == [("F15", "inputs_sha256")]
    renamed = check(rows(), case=replace(CASE, name="other"))
    assert {one.rule for one in renamed} == {"F1", "F15"}


def test_a_full_ranking_is_measured_against_its_plan() -> None:
    plan = toy.plan(cited=4)
    table = toy.answers(toy.plan(), lambda _call: text("4", [*toy.KEYS]))
    found = check_responses(CASE, INPUTS, plan, table)
    assert {(one.rule, one.field) for one in found} == {
        ("F14", "citations"),
        ("F14", "explanation"),
    }
    assert table.column("citations").null_count == table.num_rows


def test_messages_hold_no_control_characters() -> None:
    changed = rows()
    changed[0]["input"] = "\x1b[31mtoy\n" + "x" * 200
    message = str(check(changed)[0])
    assert message.isprintable() and "xxx..." in message


CORRUPTIONS: list[Callable[[Row], None]] = [
    lambda row: row.update(use_case="x"),
    lambda row: row.update(component="x"),
    lambda row: row.update(input="x"),
    lambda row: row.update(intervention="x"),
    lambda row: row.update(feature="x"),
    lambda row: row.update(trial=99),
    lambda row: row.update(decision="x"),
    lambda row: row.update(validity="x"),
    lambda row: row.update(explanation="x"),
    lambda row: row.update(citations=["x"]),
    lambda row: row.update(raw="x" if row["raw"] != "x" else None),
]


@given(st.integers(0, 67), st.sampled_from(CORRUPTIONS))
def test_no_corruption_of_any_row_passes(row: int, corrupt: Callable[[Row], None]) -> None:
    changed = rows()
    corrupt(changed[row])
    assert any(one.row == row + 1 for one in check(changed))
