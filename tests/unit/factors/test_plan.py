"""The plan: calls counted by hand, and what is compared when a plan is read again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support import responses as toy
from support.responses import CASE, INPUTS, SHA

from avowed.factors.inputs import BLANK
from avowed.factors.plan import (
    CALLS,
    NO_FEATURE,
    Plan,
    call_columns,
    default_interventions,
    digest,
    plan_record,
    read_plan,
    write_plan,
)
from avowed.refusal import Refused, Unusable


def reread(path: Path, **other: Any) -> Plan:
    given = {"case": CASE, "inputs": INPUTS, "use_case_sha256": SHA} | other
    return read_plan(path, **given)


def test_the_calls_of_a_study_counted_by_hand() -> None:
    plan = toy.plan()
    # Two inputs; contrast leaves out the first one's amount; two trials.
    assert plan.counts() == {"original": 2, "repeat": 2, "contrast": 14, "sufficiency": 16}
    assert plan.n == 34
    assert plan.not_constructible == {
        "contrast": {"the value is its own mirror image": 1},
        "sufficiency": {},
    }


def test_the_far_end_is_one_more_contrast() -> None:
    assert toy.plan(fixed_point="far end").counts()["contrast"] == 16


def test_controls_and_no_repeats() -> None:
    plan = toy.plan(interventions=default_interventions(CASE, controls=True), repeats=0, trials=3)
    assert plan.counts() == {
        "original": 2,
        "contrast": 21,
        "blank": 24,
        "similar": 24,
        "sufficiency": 24,
    }
    assert default_interventions(CASE) == ("contrast", "sufficiency")


def test_every_call_is_there_once_and_shows_its_input() -> None:
    plan = toy.plan()
    rows = pa.table(call_columns(plan)).to_pylist()
    assert len({tuple(row.values()) for row in rows}) == plan.n
    for row, codes, input_ in zip(rows, plan.codes, plan.input, strict=True):
        original = INPUTS.codes[input_]
        changed = codes != original
        if row["feature"] is None:
            assert row["intervention"] in {"original", "repeat"} and not changed.any()
        else:
            kept = CASE.index(row["feature"])
            assert changed[kept] == (row["intervention"] == "contrast")
            others = np.delete(codes, kept)
            expected = np.delete(original, kept)
            blanked = np.full(3, BLANK)
            assert (
                others.tolist()
                == (expected if row["intervention"] == "contrast" else blanked).tolist()
            )


def test_the_calls_go_input_by_input_original_first() -> None:
    plan = toy.plan()
    assert (np.diff(plan.input) >= 0).all()
    first = np.flatnonzero(np.diff(plan.input, prepend=-1))
    assert [CALLS[code] for code in plan.intervention[first]] == ["original"] * 2
    assert (plan.feature[first] == NO_FEATURE).all()


def test_a_plan_comes_back_from_its_file(tmp_path: Path) -> None:
    path, plan = tmp_path / "plan.json", toy.plan(fixed_point="far end", repeats=2)
    write_plan(path, plan)
    again = reread(path)
    assert plan_record(again) == plan_record(plan) == json.loads(path.read_text("utf-8"))
    for name in ("input", "feature", "intervention", "trial", "codes", "base"):
        assert np.array_equal(getattr(again, name), getattr(plan, name)), name


def test_a_plan_belongs_to_its_use_case_and_inputs(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    write_plan(path, toy.plan())
    other_inputs = replace(INPUTS, codes=INPUTS.codes[::-1].copy())
    for given, field in (
        ({"use_case_sha256": "1" * 64}, "use_case_sha256"),
        ({"case": replace(CASE, name="other")}, "use_case"),
        ({"inputs": other_inputs}, "inputs_sha256"),
    ):
        with pytest.raises(Refused, match=rf"plan\.json, field {field}: found .* \(rule F15\)"):
            reread(path, **given)


def test_the_digest_sees_ids_values_and_bases() -> None:
    others = [
        replace(INPUTS, ids=("toy-1", "toy-3")),
        replace(INPUTS, codes=INPUTS.codes[::-1].copy()),
        replace(INPUTS, base=np.array([0, 1], dtype=np.int16)),
    ]
    assert len({digest(inputs) for inputs in [INPUTS, *others]}) == 4


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("trials", 3, "field calls_per_component: found 34; expected 49"),
        ("trials", "2", "field trials: found '2'; expected int"),
        ("trials", True, "field trials: found True; expected int"),
        ("trials", 0, "field trials: found 0; expected from 1 to 32768"),
        ("trials", 10**6, "field trials: found 1000000; expected from"),
        ("repeats", -1, "field repeats: found -1; expected from 0"),
        ("interventions", ["shuffle"], "field interventions: found ['shuffle']; expected some"),
        ("interventions", ["blank", "blank"], "field interventions: found ['blank', 'blank']"),
        ("interventions", [1], "field interventions: found [1]; expected list"),
        ("components", [], "field components: found []"),
        ("components", ["one", "one"], "field components: found ['one', 'one']"),
        ("fixed_point", "middle", "field fixed_point: found 'middle'; expected not"),
        ("calls", {"original": 1}, "field calls: found {'original': 1}"),
        ("not_constructible", {}, "field not_constructible: found {}"),
        ("schema_version", 2, "field schema_version: found 2"),
        ("tirals", 3, "field tirals: unknown field"),
        ("inputs", None, "field inputs: found None"),
        ("trials", 10**400, "field trials: found 1000"),
        ("seed", -1, "field seed: found -1; expected from 0"),
        ("temperature", -1, "field temperature: found -1; expected from 0 to 2"),
        ("temperature", 40, "field temperature: found 40; expected from 0 to 2"),
        ("temperature", 10**400, "field temperature: found 1000"),
        ("calls", toy.plan().counts() | {"original": 2.0}, "field calls: found {'original': 2.0"),
    ],
)
def test_a_changed_plan_is_refused(field: str, value: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_record(toy.plan()) | {field: value}), encoding="utf-8")
    with pytest.raises(Refused) as stopped:
        reread(path)
    assert str(stopped.value).startswith(f"{path}, {message}")


def test_a_plan_with_a_field_less_or_no_plan_at_all(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    for name in plan_record(toy.plan()):
        record = plan_record(toy.plan())
        del record[name]
        path.write_text(json.dumps(record), encoding="utf-8")
        with pytest.raises(Refused, match=f"field {name}: missing"):
            reread(path)
    for text in ("[1]", "{", "7"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(Unusable, match=str(path)):
            reread(path)


def test_a_plan_beyond_what_fits_into_memory_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("avowed.factors.design.MOST_CALLS", 35)
    with pytest.raises(Unusable, match="calls_per_component is 36; it must be at most 35"):
        toy.plan()
    assert toy.plan(repeats=0).n == 32


def test_a_plan_file_that_asks_for_too_much_names_the_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.json"
    write_plan(path, toy.plan())
    monkeypatch.setattr("avowed.factors.design.MOST_CALLS", 33)
    with pytest.raises(Refused, match="field calls_per_component: found 36; expected at most 33"):
        reread(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"temperature": 0.0', '"temperature": 1e400', "field temperature: found inf"),
        ('"temperature": 0.0', '"temperature": NaN', "NaN is not JSON"),
        ('"seed": null', '"seed": 1, "seed": 2', 'the key "seed" occurs twice'),
        ('"rule"', '"\\ud800"', "half of a surrogate pair"),
        ('"rule"', "[" * 100_000, "nested too deeply"),
        ('"rule"', "[" * 200 + "]" * 200, "nested too deeply"),
        ('"trials": 2', '"trials": ' + "9" * 5000, "too many digits"),
    ],
)
def test_a_plan_file_is_read_strictly(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    write_plan(path, toy.plan())
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises((Refused, Unusable), match=message):
        reread(path)
