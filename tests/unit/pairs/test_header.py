"""The header: its JSON form, its schema, its coverage summary."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support.deliveries import HINT_TYPE, OTHER_HINT_TYPE, coverage, header, table, valid_records

from avowed.pairs.header import (
    Coverage,
    DeliveryHeader,
    Judge,
    coverage_of,
    load_header,
)
from avowed.pairs.header_rules import delivery_schema, header_violations
from avowed.pairs.record import LabelSource, PhiSource, Reason
from avowed.pairs.unusable import UnusableDelivery

RECORDS = valid_records()
ROOT = Path(__file__).parents[3]
JUDGE = {
    "model": "m",
    "provider": "p",
    "serving_path": "local",
    "prompt_sha256": "0123456789abcdef" * 4,
}


def test_json_and_back() -> None:
    declared = header(RECORDS, judge=JUDGE, construct="omission", language="en", format="free_text")
    parsed = DeliveryHeader.from_json(declared)
    assert parsed.judge == Judge(**JUDGE)
    assert parsed.label_source is LabelSource.THRESHOLD
    assert parsed.phi_source is PhiSource.VOTE_FRACTION
    assert parsed.to_json() == declared
    assert list(parsed.to_json()) == list(declared)


def test_optional_keys_are_left_out() -> None:
    parsed = DeliveryHeader.from_json(header(RECORDS))
    assert parsed.to_json().keys() == header(RECORDS).keys()
    assert (parsed.judge, parsed.construct, parsed.language, parsed.format) == (None,) * 4


@pytest.mark.parametrize("version", ["1", "1.0"])
def test_a_version_written_as_a_string_is_version_one(version: str) -> None:
    parsed = DeliveryHeader.from_json(header(RECORDS, schema_version=version))
    assert parsed.schema_version == 1
    assert parsed.to_json()["schema_version"] == 1


CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("schema", "note", {"note": 1}),
    ("schema", "judge", {"judge": None}),
    ("schema", "judge.model", {"judge": {**JUDGE, "model": ""}}),
    ("schema", "judge.price", {"judge": {**JUDGE, "price": 1}}),
    ("schema", "judge.prompt_sha256", {"judge": {**JUDGE, "prompt_sha256": "abc"}}),
    ("schema", "planned_replicas", {"planned_replicas": 0}),
    ("schema", "planned_replicas", {"planned_replicas": None}),
    ("schema", "hint_types", {"hint_types": ["a", "a"]}),
    ("schema", "hint_types", {"hint_types": "a"}),
    ("schema", "hint_types[1]", {"hint_types": ["a", 3]}),
    ("schema", "coverage", {"coverage": {}}),
    ("schema", "coverage[0]", {"coverage": [3]}),
    ("schema", "coverage[0].planned", {"coverage": [{**coverage(RECORDS)[0], "planned": -1}]}),
    (
        "schema",
        "coverage[0].not_evaluable.tired",
        {"coverage": [{**coverage(RECORDS)[0], "not_evaluable": {"tired": 1}}]},
    ),
    ("schema", "label_threshold", {"label_threshold": True}),
    ("schema", "schema_version", {"schema_version": "2"}),
    ("schema", "construct", {"construct": ""}),
]


@pytest.mark.parametrize(("rule", "name", "changes"), CASES)
def test_a_broken_header_is_named_once(rule: str, name: str, changes: dict[str, Any]) -> None:
    found = header_violations(header(RECORDS, **changes))
    assert [(v.rule, v.field, v.row) for v in found] == [(rule, name, None)]
    with pytest.raises(ValueError, match="expected") as caught:
        DeliveryHeader.from_json(header(RECORDS, **changes))
    assert str(caught.value).startswith(f"{name} is ")


@pytest.mark.parametrize("key", sorted(header(RECORDS)))
def test_a_missing_key_is_named(key: str) -> None:
    declared = header(RECORDS)
    del declared[key]
    assert [(v.rule, v.field, v.found) for v in header_violations(declared)] == [
        ("schema", key, "nothing")
    ]


def test_the_schema_describes_and_closes_every_object() -> None:
    jsonschema.Draft202012Validator.check_schema(delivery_schema())

    def visit(part: dict[str, Any], place: str) -> None:
        for key, inner in part.get("properties", {}).items():
            assert inner.get("description"), f"{place}.{key} has no description"
            visit(inner, f"{place}.{key}")
        if part.get("type") == "object":
            assert part.get("additionalProperties") is False, place
        if "items" in part:
            visit(part["items"], f"{place}[]")

    visit(delivery_schema(), "delivery.json")


def test_the_schema_has_the_vocabularies_of_the_record() -> None:
    properties = delivery_schema()["properties"]
    assert properties["phi_source"]["enum"] == list(PhiSource)
    assert properties["label_source"]["enum"] == list(LabelSource)
    reasons = properties["coverage"]["items"]["properties"]["not_evaluable"]["properties"]
    assert list(reasons) == list(Reason)


def test_the_workflow_has_the_same_schema() -> None:
    link = ROOT / "workflow" / "schemas" / "delivery.schema.json"
    assert json.loads(link.read_text(encoding="utf-8")) == delivery_schema()


def test_coverage_counts_records_and_adds_what_is_incomplete() -> None:
    counted = coverage_of(
        table(RECORDS),
        hint_types=(HINT_TYPE, OTHER_HINT_TYPE),
        incomplete={HINT_TYPE: 1, OTHER_HINT_TYPE: 1},
    )
    assert list(counted) == [Coverage(**entry) for entry in coverage(RECORDS)]


def test_coverage_of_a_hint_type_without_records() -> None:
    counted = coverage_of(table([]), hint_types=("b",), incomplete={"a": 2})
    assert counted == (
        Coverage(hint_type="b", planned=0, completed=0),
        Coverage(hint_type="a", planned=2, completed=0, incomplete=2),
    )


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "broken JSON"),
        (b"{", "broken JSON"),
        (b"[]", "must hold one JSON object"),
        (b'{"a": 1, "a": 1}', 'broken JSON: the key "a" occurs twice'),
        (b'{"a": NaN}', "broken JSON: NaN is not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "broken JSON: an integer has too many digits"),
        (b"[" * 100_000, "broken JSON: nested too deeply"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 8"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
    ],
)
def test_an_unreadable_header_is_unusable(tmp_path: Path, raw: bytes, reason: str) -> None:
    (tmp_path / "delivery.json").write_bytes(raw)
    with pytest.raises(UnusableDelivery, match=reason) as caught:
        load_header(tmp_path)
    assert str(tmp_path / "delivery.json") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_header_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(UnusableDelivery, match="no such file"):
        load_header(tmp_path)
