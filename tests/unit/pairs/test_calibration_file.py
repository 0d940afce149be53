"""`calibration.json` and the labelled set behind it: strict, refused with field and value."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from avowed.pairs.calibration import Calibration
from avowed.pairs.calibration_file import (
    calibration_schema,
    document_of,
    read_calibration,
    write_calibration,
)
from avowed.pairs.calibration_labels import LabelledItem, accuracy_of, probability, read_labels
from avowed.pairs.header import Judge
from avowed.refusal import Refused, Unusable
from avowed.stats.misclassification import Accuracy

REPOSITORY = Path(__file__).parents[3]
CALIBRATION = Calibration(
    judge=Judge(model="möd", provider="p", serving_path="local", prompt_sha256="a" * 64),
    construct="omission",
    language="en",
    format="text",
    threshold=0.5,
    accuracy=Accuracy(tp=129, fn=21, tn=122, fp=28),
)
VALID = json.dumps(document_of(CALIBRATION))


def written(folder: Path, text: str) -> Path:
    path = folder / "calibration.json"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    path = written(folder, text)
    with pytest.raises(Refused) as error:
        read_calibration(path)
    assert str(error.value).startswith(f"{path}: ")
    return str(error.value).removeprefix(f"{path}: ")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "calibration.json"
    write_calibration(path, CALIBRATION)
    assert read_calibration(path) == CALIBRATION
    first = path.read_bytes()
    write_calibration(path, CALIBRATION)
    assert path.read_bytes() == first and "möd".encode() in first
    assert [each.name for each in path.parent.iterdir()] == ["calibration.json"]


def test_the_schema_is_the_workflows_and_says_what_each_key_is() -> None:
    link = REPOSITORY / "workflow" / "schemas" / "calibration.schema.json"
    assert link.is_symlink()
    assert json.loads(link.read_text(encoding="utf-8")) == calibration_schema()

    def check(schema: dict[str, Any]) -> None:
        assert schema["description"].endswith(".")
        if schema["type"] == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
            for part in schema["properties"].values():
                check(part)

    check(calibration_schema())


@pytest.mark.parametrize("token", ["129.0", "1.29e2", '"129"', "true", "null", "[129]"])
@pytest.mark.parametrize("name", ["tp", "fn", "tn", "fp"])
def test_a_count_is_an_integer_as_written(tmp_path: Path, token: str, name: str) -> None:
    count = getattr(CALIBRATION.accuracy, name)
    told = refused(tmp_path, VALID.replace(f'"{name}": {count}', f'"{name}": {token}'))
    assert told == f"counts.{name} is {token}, expected an integer as written, rule R1"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"tp": 129', '"tp": -1', "counts.tp is -1, expected at least 0, rule schema"),
        ('"tp": 129', '"tp": 10000000000', "counts.tp is 10000000000, expected at most 1000000000"),
        (
            '"threshold": 0.5',
            '"threshold": 1.01',
            "threshold is 1.01, expected at most 1, rule schema",
        ),
        ('"threshold": 0.5', '"threshold": -1e-9', "threshold is -1e-9, expected at least 0"),
        ('"threshold": 0.5', '"threshold": 1e999', "threshold is 1e999, expected at most 1"),
        (
            '"threshold": 0.5',
            '"threshold": "0.5"',
            'threshold is "0.5", expected a value of type number',
        ),
        ('"threshold": 0.5', '"threshold": true', "threshold is true, expected a value of type"),
        ('"language": "en"', '"language": ""', 'language is "", expected a string that is not'),
        ('"language": "en"', '"language": null', "language is null, expected a value of type"),
        ('"language": "en", ', "", "language is nothing, expected a value: the key is required"),
        ('"language": "en"', '"language": "en", "lang": 1', "lang is 1, expected no such key;"),
        ('"provider": "p", ', "", "judge.provider is nothing, expected a value"),
        ("a" * 64, "A" * 64, f'judge.prompt_sha256 is "{"A" * 64}", expected a string that'),
        ("a" * 64, "a" * 64 + "\\n", "judge.prompt_sha256 is "),
        ('"fp": 28', '"fp": 28, "tq": 2', "counts.tq is 2, expected no such key; known keys: tp"),
        (VALID, "{}", "construct is nothing, expected a value: the key is required, rule schema;"),
    ],
)
def test_a_refused_field_is_named_with_value_and_rule(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    assert old in VALID
    assert refused(tmp_path, VALID.replace(old, new)).startswith(told)


def test_every_fault_is_named(tmp_path: Path) -> None:
    text = VALID.replace("129", "3.0").replace('"fn": 21', '"fn": true').replace("0.5", "7")
    assert [part.split(" ")[0] for part in refused(tmp_path, text).split("; ")] == [
        "counts.fn",
        "counts.tp",
        "threshold",
    ]


@pytest.mark.parametrize(
    ("zero", "told"),
    [
        ({"tp": 0, "fn": 0}, "counts.tp + counts.fn is 0, expected at least one explanation that"),
        ({"tn": 0, "fp": 0}, "counts.tn + counts.fp is 0, expected at least one explanation that"),
    ],
)
def test_a_class_without_items_is_refused(tmp_path: Path, zero: dict[str, int], told: str) -> None:
    document = document_of(CALIBRATION)
    document["counts"] |= zero
    found = refused(tmp_path, json.dumps(document))
    assert found.startswith(told) and found.endswith("the hint, rule HP 13")


@pytest.mark.parametrize("threshold", ["0", "1", "0.0", "1.0", "5e-1"])
def test_both_ends_are_thresholds(tmp_path: Path, threshold: str) -> None:
    text = VALID.replace('"threshold": 0.5', f'"threshold": {threshold}')
    found = read_calibration(written(tmp_path, text)).threshold
    assert type(found) is float and found == float(threshold)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "broken JSON"),
        (b"{", "broken JSON"),
        (b"[]", "must hold one JSON object"),
        (b"\xff", "not UTF-8 at byte 1"),
        (b'{"threshold": NaN}', "NaN is not JSON"),
        (b'{"threshold": 0, "threshold": 1}', 'the key "threshold" occurs twice'),
        (b'{"language": "\\ud800"}', "field language: half of a surrogate pair"),
        (b'{"threshold": ' + b"9" * 5000 + b"}", "too many digits"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_what_is_no_calibration_at_all(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "calibration.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Unusable) as error:
        read_calibration(path)
    assert str(error.value).startswith(f"{path}: ") and told in str(error.value)


def test_a_calibration_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    with pytest.raises(ValueError, match="threshold is 2, expected at most 1"):
        write_calibration(path, replace(CALIBRATION, threshold=2))
    assert not path.exists()


@pytest.mark.parametrize("text", ["0", "1", "0.5", ".5", "1.", "5e-1", "+0.25", "1E-3", "-0"])
def test_decimal_numbers_are_probabilities(text: str) -> None:
    assert probability(text) == float(text)


@pytest.mark.parametrize(
    "text", ["", " ", "nan", "inf", "1_0", " 0.5", "0.5\n", "0,5", "1.01", "-0.1", "x", "٠", "1e5"]
)
def test_other_texts_are_none(text: str) -> None:
    assert probability(text) is None


def labels(folder: Path, content: str | bytes) -> Path:
    path = folder / "labels.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_labelled_set_as_editors_and_spreadsheets_write_it(
    tmp_path: Path, end: str, mark: str
) -> None:
    lines = [f"{mark}phi,label,note", '0.25,omits,"a, b"', "", '"1",acknowledges,x', ""]
    found = read_labels(labels(tmp_path, end.join(lines)))
    assert found.violations == ()
    assert found.items == (
        LabelledItem(phi=0.25, omits=True),
        LabelledItem(phi=1.0, omits=False),
    )


def test_every_fault_of_every_row_is_found(tmp_path: Path) -> None:
    rows = [
        "id,phi,label",
        "a,,omits",
        "a,2,Omits",
        ",0.5,omits",
        "b,0.5",
        "",
        "c,nan,faithful",
        "a,1,omits",
    ]
    found = read_labels(labels(tmp_path, "\n".join(rows)))
    assert [(each.row, each.field, each.found) for each in found.violations] == [
        (2, "phi", "''"),
        (3, "phi", "'2'"),
        (3, "label", "'Omits'"),
        (3, "id", "'a'"),
        (4, "id", "''"),
        (5, "(row)", "2 cells"),
        (7, "phi", "'nan'"),
        (7, "label", "'faithful'"),
        (8, "id", "'a'"),
    ]
    assert found.violations[-1].expected == found.violations[3].expected
    assert found.violations[3].expected == "every id once; it is in row 2"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "no column phi, separated by commas; columns: none"),
        ("phi;label\n0.5;omits\n", "no column phi, separated by commas; columns: phi;label"),
        ("phi,Label\n", "no column label, separated by commas; columns: phi, Label"),
        ("phi,label,phi\n", "the column phi occurs twice"),
        (b"phi,label\n\xff,omits\n", "not UTF-8 at byte 11"),
        ('phi,label\n"0.5,omits\n', "not CSV: unexpected end of data"),
        ("phi,label\n" + "9" * 200_000, "not CSV: field larger than field limit"),
    ],
)
def test_what_is_no_labelled_set_at_all(tmp_path: Path, content: str | bytes, told: str) -> None:
    path = labels(tmp_path, content)
    with pytest.raises(Unusable) as error:
        read_labels(path)
    assert str(error.value).startswith(f"{path}: {told}")
    with pytest.raises(Unusable, match="cannot be read: "):
        read_labels(tmp_path)


def test_a_tie_is_faithful_at_every_threshold() -> None:
    for threshold in (0.0, 0.3, 0.5, 0.7, 1.0):
        below = LabelledItem(phi=math.nextafter(threshold, -1), omits=True)
        assert accuracy_of([below, LabelledItem(phi=1, omits=False)], threshold=threshold).tp == 1
        items = [LabelledItem(phi=threshold, omits=omits) for omits in (True, False)]
        found = accuracy_of(items, threshold=threshold)
        assert (found.tp, found.fn, found.tn, found.fp) == (0, 1, 1, 0)
    with pytest.raises(ValueError, match="both classes"):
        accuracy_of([LabelledItem(phi=0.5, omits=True)], threshold=0.5)
