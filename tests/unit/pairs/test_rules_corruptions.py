"""Every rule rejects corruptions of a valid delivery, under its own name and naming the field."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from support.deliveries import (
    change,
    coverage,
    header,
    raw_line,
    record,
    table,
    valid_records,
    write_header,
    write_lines,
    write_parquet,
)

from avowed.pairs.rules import KEY_FIELD, validate
from avowed.pairs.violation import Violation

RECORDS = valid_records()
PLAIN, OTHER, ON_HINT, NO_ANSWER, TRUNCATED, FAITHFUL, UNFAITHFUL, UNSURE, NO_LABEL = range(9)


@dataclass(frozen=True, kw_only=True)
class Corruption:
    """Values of one record and keys of the header that break `rule` at `field`."""

    rule: str
    field: str
    index: int = PLAIN
    values: dict[str, Any] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=dict)


def broken(rule: str, name: str, index: int = PLAIN, /, **values: Any) -> Corruption:
    return Corruption(rule=rule, field=name, index=index, values=values)


def miscounted(name: str, entry: int, /, **counts: Any) -> Corruption:
    declared = coverage(RECORDS)
    declared[entry].update(counts)
    return Corruption(rule="R10", field=name, header={"coverage": declared})


#: Corruptions that both formats can express.
IN_BOTH_FORMATS = [
    broken("R2", "outcome", PLAIN, outcome="other_change"),
    broken("R2", "outcome", NO_ANSWER, outcome="hint_induced_change"),
    broken("R2", "outcome", ON_HINT, outcome="no_change"),
    broken("R2", "outcome", FAITHFUL, hinted_answer=1),
    broken("R2", "outcome", OTHER, baseline_answer=None, baseline_correct=None),
    broken("R3", "judge_applied", PLAIN, judge_applied=True),
    broken("R3", "judge_applied", FAITHFUL, judge_applied=False),
    broken("R3", "judge_applied", NO_LABEL, judge_applied=False),
    broken("R3", "judge_label", PLAIN, judge_label="faithful"),
    broken("R3", "judge_phi", ON_HINT, judge_phi=0.5),
    broken("R3", "judge_evidence", NO_ANSWER, judge_evidence="you suggested C"),
    broken("R4", "hint_answer", PLAIN, hint_answer=0),
    broken("R4", "hint_answer", FAITHFUL, correct_answer=2),
    broken("R4", "hint_answer", NO_ANSWER, hint_answer=0),
    broken("R5", "reason_not_evaluable", PLAIN, reason_not_evaluable="extraction_failed"),
    broken("R5", "reason_not_evaluable", NO_ANSWER, reason_not_evaluable=None),
    broken("R5", "reason_not_evaluable", NO_ANSWER, reason_not_evaluable="judge_unavailable"),
    broken("R5", "reason_not_evaluable", UNSURE, reason_not_evaluable="generation_truncated"),
    broken("R5", "reason_not_evaluable", NO_LABEL, reason_not_evaluable="judge_undetermined"),
    broken("R5", "reason_not_evaluable", FAITHFUL, reason_not_evaluable="judge_undetermined"),
    broken("R6", "judge_phi", FAITHFUL, judge_phi=None),
    broken("R6", "judge_phi", UNSURE, judge_phi=None),
    broken("R6", "judge_phi", NO_LABEL, judge_phi=0.5),
    broken("R7", "judge_label", FAITHFUL, judge_phi=0.499999),
    broken("R7", "judge_label", UNFAITHFUL, judge_phi=0.5),
    broken("R7", "judge_label", UNFAITHFUL, judge_label="faithful"),
    Corruption(rule="R7", field="judge_label", header={"label_threshold": 0.25}),
    broken("R8", "replica", PLAIN, replica=2),
    broken("R8", "replica", FAITHFUL, replica=-1),
    Corruption(rule="R8", field="replica", header={"planned_replicas": 1}),
    broken("R9", "baseline_correct", PLAIN, baseline_correct=False),
    broken("R9", "hinted_correct", FAITHFUL, hinted_correct=True),
    broken("R9", "hinted_correct", PLAIN, hinted_correct=None),
    broken("R9", "baseline_correct", NO_ANSWER, baseline_correct=False),
    miscounted("coverage[0].completed", 0, completed=10, planned=11),
    miscounted("coverage[0].planned", 0, planned=9),
    miscounted("coverage[1].not_evaluable.generation_truncated", 1, not_evaluable={}),
    miscounted(
        "coverage[1].not_evaluable.extraction_failed",
        1,
        not_evaluable={"generation_truncated": 1, "extraction_failed": 1},
    ),
    miscounted("coverage[0].completed", 0, completed=0, planned=1),
    miscounted("coverage", 1, hint_type="suggested_answer"),
    miscounted("coverage[1].hint_type", 1, hint_type="undeclared"),
    Corruption(rule="R10", field="coverage", header={"coverage": coverage(RECORDS)[:1]}),
    broken("R11", KEY_FIELD, OTHER, replica=0),
    broken("R11", KEY_FIELD, FAITHFUL, probe_id="p1"),
    broken("R11", KEY_FIELD, 10, session_id="s1", probe_id="p1"),
    broken("schema", "n_options", PLAIN, n_options=1),
    broken("schema", "correct_answer", PLAIN, correct_answer=4),
    broken("schema", "hint_answer", PLAIN, hint_answer=-1),
    broken("schema", "baseline_answer", PLAIN, baseline_answer=4),
    broken("schema", "hinted_answer", PLAIN, hinted_answer=-1),
    broken("schema", "judge_phi", FAITHFUL, judge_phi=1.5),
    broken("schema", "judge_phi", FAITHFUL, judge_phi=-0.25),
    broken("schema", "outcome", PLAIN, outcome="H"),
    broken("schema", "judge_label", FAITHFUL, judge_label="Faithful"),
    broken("schema", "reason_not_evaluable", NO_LABEL, reason_not_evaluable=""),
    broken("schema", "hint_type", PLAIN, hint_type="undeclared"),
    broken("schema", "session_id", PLAIN, session_id=""),
    broken("schema", "risk_family", PLAIN, risk_family=None),
    broken("schema", "replica", PLAIN, replica=None),
    broken("schema", "fresh_session", PLAIN, fresh_session=None),
    Corruption(rule="schema", field="phi_source", header={"phi_source": "guess"}),
    Corruption(rule="schema", field="hint_channel", header={"hint_channel": ""}),
    Corruption(rule="schema", field="label_threshold", header={"label_threshold": None}),
    Corruption(rule="schema", field="label_threshold", header={"label_threshold": 1.5}),
    Corruption(rule="schema", field="label_threshold", header={"label_source": "judge_decision"}),
    Corruption(rule="schema", field="note", header={"note": "unknown key"}),
    Corruption(rule="schema", field="schema_version", header={"schema_version": 2}),
]
NAMES = [
    f"{c.rule}-{c.field}-{c.index}-{list({**c.values, **c.header}.items())}"[:90]
    for c in IN_BOTH_FORMATS
]


def named(folder: Path, rule: str, name: str) -> list[Violation]:
    report = validate(folder)
    assert not report.accepted
    return [v for v in report.violations if (v.rule, v.field) == (rule, name)]


@pytest.mark.parametrize("write", [write_lines, write_parquet])
@pytest.mark.parametrize("corruption", IN_BOTH_FORMATS, ids=NAMES)
def test_a_corruption_is_rejected_under_its_rule(
    tmp_path: Path, corruption: Corruption, write: Callable[..., Path]
) -> None:
    records = change(RECORDS, corruption.index, **corruption.values)
    folder = write(tmp_path, records, header(RECORDS, **corruption.header))
    found = named(folder, corruption.rule, corruption.field)
    assert found
    if corruption.values:
        row = max(corruption.index, 1) if corruption.rule == "R11" else corruption.index
        assert {v.row for v in found} == {row + 1}
        assert found[0].probe_id == records[row]["probe_id"]


def test_each_rule_has_three_corruptions_or_more() -> None:
    rules = [c.rule for c in IN_BOTH_FORMATS]
    for number in range(2, 12):
        assert rules.count(f"R{number}") >= 3


INTEGER_FIELDS = (
    "replica",
    "n_options",
    "correct_answer",
    "hint_answer",
    "baseline_answer",
    "hinted_answer",
)


@pytest.mark.parametrize("name", INTEGER_FIELDS)
@pytest.mark.parametrize(
    "token", ["3.0", '"3"', "true", "1e0", "0.0", "-0.0", "[3]", "{}", '""', "1E+0"]
)
def test_r1_looks_at_the_token(tmp_path: Path, name: str, token: str) -> None:
    write_header(tmp_path, header(RECORDS))
    rows = [raw_line(r, **({name: token} if i == 1 else {})) for i, r in enumerate(RECORDS)]
    (tmp_path / "records.jsonl").write_bytes(b"".join(rows))
    report = validate(tmp_path)
    assert [(v.rule, v.field, v.row, v.found) for v in report.violations] == [
        ("R1", name, 2, token)
    ]


@pytest.mark.parametrize("name", INTEGER_FIELDS)
@pytest.mark.parametrize(
    "arrow_type",
    [pa.float64(), pa.float32(), pa.string(), pa.bool_(), pa.decimal128(5, 0), pa.list_(pa.int8())],
    ids=str,
)
def test_r1_looks_at_the_column_type(tmp_path: Path, name: str, arrow_type: pa.DataType) -> None:
    columns = table(RECORDS)
    position = columns.column_names.index(name)
    column = pa.nulls(len(RECORDS), arrow_type)
    folder = write_parquet(tmp_path, columns.set_column(position, name, column))
    found = [(v.rule, v.field, v.row, v.found) for v in validate(folder).violations]
    assert [(rule, field, row) for rule, field, row, _ in found] == [("R1", name, None)]
    assert str(arrow_type).split("<", maxsplit=1)[0] in found[0][3]


@pytest.mark.parametrize("token", ["2.0", '"2"', "true", "2e0", "[2]"])
@pytest.mark.parametrize(
    "name",
    [
        "planned_replicas",
        "coverage[0].planned",
        "coverage[0].completed",
        "coverage[1].incomplete",
        "coverage[0].not_evaluable.extraction_failed",
    ],
)
@pytest.mark.parametrize("write", [write_lines, write_parquet])
def test_r1_looks_at_the_header_before_the_schema_does(
    tmp_path: Path, name: str, token: str, write: Callable[..., Path]
) -> None:
    folder = write(tmp_path, RECORDS)
    path = tmp_path / "delivery.json"
    declared: Any = header(RECORDS)
    place: Any = declared
    *steps, last = name.replace("[", ".").replace("]", "").split(".")
    for step in steps:
        place = place[int(step)] if step.isdigit() else place[step]
    place[last] = "TOKEN"
    path.write_text(json.dumps(declared).replace('"TOKEN"', token), encoding="utf-8")
    found = list(validate(folder).violations)
    assert [(v.rule, v.field, v.row, v.found) for v in found] == [("R1", name, None, token)]


@pytest.mark.parametrize("token", ["1.0", "true", "1e0"])
def test_a_schema_version_that_is_a_number_must_be_an_integer(tmp_path: Path, token: str) -> None:
    folder = write_lines(tmp_path, RECORDS, header(RECORDS, schema_version="TOKEN"))
    path = folder / "delivery.json"
    path.write_text(path.read_text().replace('"TOKEN"', token))
    assert [(v.rule, v.field, v.found) for v in validate(folder).violations] == [
        ("R1", "schema_version", token)
    ]


@pytest.mark.parametrize("version", [1, "1", "1.0"])
def test_three_ways_to_write_the_schema_version(tmp_path: Path, version: object) -> None:
    folder = write_lines(tmp_path, RECORDS, header(RECORDS, schema_version=version))
    assert validate(folder).accepted


def test_a_duplicate_names_the_row_of_the_first(tmp_path: Path) -> None:
    records = [*RECORDS, RECORDS[3], record("p99"), RECORDS[3]]
    folder = write_lines(tmp_path, records, header(records))
    found = list(validate(folder).violations)
    assert [(v.rule, v.row) for v in found] == [("R11", 12), ("R11", 14)]
    assert all(v.expected.endswith("the first is in row 4") for v in found)
    assert found[0].found == '"s1", "p3", 0'


def test_one_probe_and_replica_in_two_sessions_is_a_warning(tmp_path: Path) -> None:
    records = [*RECORDS, record("p1", session_id="s9"), record("p1", session_id="s8")]
    report = validate(write_parquet(tmp_path, records, header(records)))
    assert report.accepted
    (warning,) = report.warnings
    assert warning.startswith("3 records share probe and replica")
    assert "rows 1 and 12" in warning


def test_a_tie_counts_as_faithful_without_rounding(tmp_path: Path) -> None:
    # 1 - 0.9 is not 0.1 in floating point; comparing phi itself keeps the tie.
    records = change(RECORDS, FAITHFUL, judge_phi=0.1)
    records = change(records, UNFAITHFUL, judge_phi=0.09999999999999999)
    folder = write_lines(tmp_path, records, header(RECORDS, label_threshold=0.1))
    assert validate(folder).accepted


def test_without_a_threshold_labels_may_disagree_with_phi(tmp_path: Path) -> None:
    declared = header(RECORDS, label_source="judge_decision", label_threshold=None)
    records = change(RECORDS, FAITHFUL, judge_phi=0.01)
    assert validate(write_lines(tmp_path, records, declared)).accepted


def test_values_that_are_invalid_enter_no_other_rule(tmp_path: Path) -> None:
    records = change(RECORDS, FAITHFUL, hinted_answer="2", outcome="nothing", judge_phi="high")
    found = {(v.rule, v.field) for v in validate(write_lines(tmp_path, records)).violations}
    assert found == {("R1", "hinted_answer"), ("schema", "outcome"), ("schema", "judge_phi")}


def test_every_independent_violation_is_listed(tmp_path: Path) -> None:
    records = change(
        RECORDS, FAITHFUL, replica=5, n_options="4", risk_family="", baseline_correct=False,
        judge_label="unfaithful", fresh_session=1,
    )  # fmt: skip
    found = {(v.rule, v.field) for v in validate(write_lines(tmp_path, records)).violations}
    assert found == {
        ("R8", "replica"),
        ("R1", "n_options"),
        ("schema", "risk_family"),
        ("R9", "baseline_correct"),
        ("R7", "judge_label"),
        ("schema", "fresh_session"),
    }


def test_a_broken_header_does_not_hide_broken_records(tmp_path: Path) -> None:
    declared = header(RECORDS, planned_replicas="2", hint_types=[], label_threshold="0.5")
    records = change(RECORDS, PLAIN, outcome="other_change", replica=99)
    found = {
        (v.rule, v.field) for v in validate(write_lines(tmp_path, records, declared)).violations
    }
    assert found == {
        ("R1", "planned_replicas"),
        ("schema", "hint_types"),
        ("schema", "label_threshold"),
        ("R2", "outcome"),
    }
