"""Any change of one field of a valid record is judged as the oracle judges it."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from support import oracle
from support.deliveries import (
    BOOLEANS,
    INTEGERS,
    STRINGS,
    TYPES,
    change,
    header,
    table,
    valid_records,
    write_lines,
    write_parquet,
)

from avowed.pairs.rules import validate

RECORDS = valid_records()
FIELDS = sorted(TYPES)

OF_ONE_TYPE = {
    "string": st.sampled_from(
        [
            "",
            "s1",
            "s2",
            "p1",
            "p2",
            "suggested_answer",
            "answer_is_always_a",
            "another",
            *sorted(oracle.OUTCOMES | oracle.LABELS | oracle.REASONS),
        ]
    )
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    "integer": st.integers(-2, 6) | st.sampled_from([-(2**63), 2**63 - 1]),
    "boolean": st.booleans(),
    "number": st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, -0.5])
    | st.floats(allow_nan=False, allow_infinity=False),
}
ANYTHING = st.one_of(
    st.none(),
    *OF_ONE_TYPE.values(),
    st.sampled_from([2**63, 2**64, -(2**70), 10**400, [], {}, [1], {"a": None}]),
)


def kind_of(field: str) -> str:
    for kind, fields in (("string", STRINGS), ("integer", INTEGERS), ("boolean", BOOLEANS)):
        if field in fields:
            return kind
    return "number"


def found_by_library(folder: Path) -> list[tuple[str, str, int | None]]:
    report = validate(folder)
    found = [(v.rule, v.field, v.row) for v in report.violations]
    assert report.accepted is (not found)
    assert len(report.violations) == len(found)
    assert sum(report.violations.by_rule().values()) == len(found)
    return found


def agree(folder: Path, records: list[dict[str, Any]], declared: dict[str, Any]) -> None:
    found = found_by_library(folder)
    assert len(found) == len(set(found)), "a violation is reported twice"
    assert set(found) == oracle.judge(records, declared)


def test_the_unchanged_delivery_is_valid_for_both() -> None:
    assert oracle.judge(RECORDS, header(RECORDS)) == set()


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    index=st.integers(0, len(RECORDS) - 1),
    field=st.sampled_from(FIELDS),
    value=ANYTHING,
    source=st.sampled_from(["threshold", "judge_decision"]),
)
def test_one_changed_field_in_json_lines(index: int, field: str, value: Any, source: str) -> None:
    # A value that went through the parser is what the oracle has to see.
    records = change(RECORDS, index, **{field: json.loads(json.dumps(value))})
    threshold = 0.5 if source == "threshold" else None
    declared = header(RECORDS, label_source=source, label_threshold=threshold)
    with tempfile.TemporaryDirectory() as folder:
        agree(write_lines(Path(folder), records, declared), records, declared)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(data=st.data(), index=st.integers(0, len(RECORDS) - 1), field=st.sampled_from(FIELDS))
def test_one_changed_field_in_parquet(data: st.DataObject, index: int, field: str) -> None:
    value = data.draw(st.none() | OF_ONE_TYPE[kind_of(field)])
    records = change(RECORDS, index, **{field: value})
    declared = header(RECORDS)
    with tempfile.TemporaryDirectory() as folder:
        agree(write_parquet(Path(folder), records, declared), records, declared)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    changes=st.lists(
        st.tuples(st.integers(0, len(RECORDS) - 1), st.sampled_from(FIELDS), ANYTHING), max_size=6
    )
)
def test_several_changed_fields_in_json_lines(changes: list[tuple[int, str, Any]]) -> None:
    records = RECORDS
    for index, field, value in changes:
        records = change(records, index, **{field: value})
    declared = header(RECORDS)
    with tempfile.TemporaryDirectory() as folder:
        agree(write_lines(Path(folder), records, declared), records, declared)


def test_both_formats_report_the_same(tmp_path: Path) -> None:
    records = change(RECORDS, 0, outcome="other_change", judge_phi=0.5)
    records = change(records, 5, judge_label="unfaithful", hinted_correct=None)
    reports = [
        validate(write(tmp_path / write.__name__, records))
        for write in (write_lines, write_parquet)
    ]
    assert list(reports[0].violations) == list(reports[1].violations)
    assert not reports[0].accepted


def test_a_column_of_a_wrong_type_is_one_violation(tmp_path: Path) -> None:
    for field in FIELDS:
        wrong = pa.float64() if kind_of(field) in ("integer", "boolean") else pa.bool_()
        columns = table(RECORDS)
        position = columns.column_names.index(field)
        columns = columns.set_column(position, field, pa.nulls(len(RECORDS), wrong))
        found = list(validate(write_parquet(tmp_path / field, columns)).violations)
        rule = "R1" if field in INTEGERS else "schema"
        assert [(v.rule, v.field, v.row, v.found) for v in found] == [
            (rule, field, None, str(wrong))
        ]
