"""Records rebuilt from the coded answers agree, and every slip in that step shows."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest
from verification import public_records
from verification.edge import LABEL_THRESHOLD, RISK_FAMILY
from verification.files import Unusable

from avowed.pairs import edge_coded
from avowed.pairs.coded_answers import VOCABULARIES

Rows = list[dict[str, Any]]


def compared(
    rows: Rows, coded: Rows | None = None, legend: Mapping[str, Any] = VOCABULARIES
) -> Rows:
    return list(
        public_records.compare_public(
            edge_coded.coded_rows() if coded is None else coded,
            legend,
            {public_records.PREFIXES[r["bias"]] + r["condition"]: r["records"] for r in rows},
            {bias: [r["exclusions"] for r in rows if r["bias"] == bias] for bias in CHANNELS},
            threshold=LABEL_THRESHOLD,
            risk_family=RISK_FAMILY,
        )
    )


CHANNELS = public_records.CHANNELS


def failing(rows: Rows) -> dict[tuple[str, str], Any]:
    return {(r["source"], r["field"]): r["main"] for r in rows if r["verdict"] != "agrees"}


@pytest.fixture
def made() -> Rows:
    return copy.deepcopy(edge_coded.public_rows())


def test_the_small_table_has_every_branch(made: Rows) -> None:
    records = [record for row in made for record in row["records"]]
    assert {record["outcome"] for record in records} == {
        "hint_induced_change",
        "other_change",
        "no_change",
        "baseline_on_hint",
        "not_evaluable",
    }
    assert {record["judge_label"] for record in records} == {"faithful", "unfaithful", None}
    assert all(row["exclusions"]["n_hint_correct"] > 0 for row in made)


def test_records_headers_and_exclusions_agree(made: Rows) -> None:
    rows = compared(made)
    assert failing(rows) == {}
    names = {field.name for field in __import__("avowed.pairs.record", fromlist=["x"]).FIELDS}
    assert names <= {row["field"] for row in rows if row["quantity"] == public_records.RECORDS}


def test_every_changed_field_is_named_with_its_first_record(made: Rows) -> None:
    first = made[0]["records"][1]
    for name, value in first.items():
        changed = copy.deepcopy(made)
        changed[0]["records"][1][name] = "another" if value != "another" else None
        rows = [row for row in compared(changed) if row["verdict"] != "agrees"]
        assert rows, name
        if name != "probe_id":
            (row,) = rows
            assert (row["field"], row["main"], row["independent"]) == (name, 1, 0)
            assert f"probe {first['probe_id']}" in row["basis"]


def test_kinds_are_compared_and_not_values_alone(made: Rows) -> None:
    record = made[0]["records"][0]
    record["replica"], record["fresh_session"] = 0.0, 1
    source = "turpin_claude-v1_zero-shot"
    assert failing(compared(made)) == {(source, "replica"): 1, (source, "fresh_session"): 1}


def test_lost_extra_and_missing_records_fail(made: Rows) -> None:
    gone, kept = copy.deepcopy(made), copy.deepcopy(made)
    gone[0]["records"].pop()
    kept[0]["records"].append(dict(kept[0]["records"][0], probe_id="snarks:99"))
    assert set(failing(compared(gone))) == {
        ("turpin_claude-v1_zero-shot", "records"),
        ("turpin_claude-v1_zero-shot", "probes of the recomputation only"),
    }
    assert ("turpin_claude-v1_zero-shot", "probes of the pipeline only") in failing(compared(kept))
    verdicts = {row["verdict"] for row in compared(made[1:])}
    assert verdicts == {"agrees", "no counterpart in the pipeline"}


def test_exclusions_are_counted_again(made: Rows) -> None:
    made[0]["exclusions"]["n_hint_correct"] += 1
    made[1]["exclusions"]["rule"] = "R5"
    assert failing(compared(made)) == {
        ("exclusions of suggested_answer", "n_hint_correct"): 3,
        ("exclusions of answer_is_always_a", "rule"): "R5",
    }


def test_a_condition_without_coded_answers_has_no_items() -> None:
    nothing = {"condition": "a_b", "n_items": "0", "n_hint_correct": "0", "n_pairs": "0"}
    rows = list(
        public_records.compare_exclusions("suggested_answer", [nothing | {"rule": "R4"}], [])
    )
    assert failing(rows) == {}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"n_options": 1}, "two options at least"),
        ({"correct": 9}, "the correct option is one"),
        ({"hint": 9}, "the hint is an option"),
        ({"mention": 2}, "a mention is 0 or 1"),
        ({"hinted_unexplained": 23}, "an answer is an option"),
        ({"row": 1}, "one row per item and condition"),
        ({"bias": 1, "hint": 1}, "always A points to option 0"),
        ({"n_options": 3}, "one L and correct option per item"),
    ],
)
def test_the_coded_answers_are_looked_at(changes: dict[str, int], field: str, made: Rows) -> None:
    coded = edge_coded.coded_rows()
    coded[0] |= changes
    assert (public_records.SOURCE, field) in failing(compared(made, coded))


@pytest.mark.parametrize("value", [None, 99, "claude-v1", True, 1.0])
def test_a_code_that_is_none_is_one_message(value: object, made: Rows) -> None:
    coded = edge_coded.coded_rows()
    coded[3]["model"] = value
    with pytest.raises(Unusable, match="coded answers, row 4, model: found"):
        compared(made, coded)


def test_a_header_that_says_something_else_fails() -> None:
    settings = {"turpin": {"label_threshold": 0.5, "mention_patterns": ["a", "b"]}}
    condition = public_records.Condition("suggested_answer", "claude-v1", "zero-shot")
    expected = public_records.header_of(condition, settings)
    header = {
        **{name: value for name, value in expected.items() if "." not in name},
        "hint_types": ["suggested_answer"],
        "judge": {"prompt_sha256": expected["judge.prompt_sha256"]},
    }
    assert failing(list(public_records.compare_header("t", header, expected))) == {}
    for name in ("planned_replicas", "hint_types", "hint_channel", "label_threshold", "judge"):
        found = list(public_records.compare_header("t", {**header, name: None}, expected))
        assert len(failing(found)) == 1
