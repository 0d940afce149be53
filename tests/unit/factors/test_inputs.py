"""Inputs: seeded, balanced, written and read back; every fault of a file is told."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avowed.factors.inputs import ABSENT, Inputs, generate_inputs, read_inputs, write_inputs
from avowed.factors.usecase import UseCase, read_use_case
from avowed.refusal import Refused, Unusable

FOLDER = Path(__file__).parents[3] / "data" / "usecases"
CASES = {name: read_use_case(FOLDER / f"{name}.yaml") for name in ("advisor", "monitor", "loan")}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> UseCase:
    return CASES[request.param]


def same(first: Inputs, second: Inputs) -> bool:
    return (
        first.ids == second.ids
        and np.array_equal(first.codes, second.codes)
        and np.array_equal(first.base, second.base)
    )


def test_the_same_seed_gives_the_same_inputs_and_another_seed_others(case: UseCase) -> None:
    assert same(generate_inputs(case, seed=3), generate_inputs(case, seed=3))
    assert not same(generate_inputs(case, seed=3), generate_inputs(case, seed=4))


def test_shapes_ids_and_codes(case: UseCase) -> None:
    inputs = generate_inputs(case, seed=3)
    assert inputs.codes.shape == (case.samples, len(case.features))
    assert inputs.codes.dtype == inputs.base.dtype == np.int16
    assert len(set(inputs.ids)) == case.samples
    assert inputs.ids[0] == f"{case.input_name}-001"
    assert inputs.ids[-1] == f"{case.input_name}-{case.samples:03d}"
    sizes = np.array([len(feature.values) for feature in case.features])
    assert (inputs.codes < sizes).all() and (inputs.codes >= ABSENT).all()


def test_a_profile_has_every_field_and_uses_every_value() -> None:
    case = CASES["advisor"]
    inputs = generate_inputs(case, seed=3)
    assert inputs.active.all() and (inputs.base == 0).all()
    for position, feature in enumerate(case.features):
        assert len(np.unique(inputs.codes[:, position])) == len(feature.values)


@pytest.mark.parametrize("seed", range(20))
def test_half_of_the_prompts_have_three_segments_and_half_four(seed: int) -> None:
    case = CASES["monitor"]
    inputs = generate_inputs(case, seed=seed)
    sizes = inputs.active.sum(axis=1)
    assert (sizes == 3).sum() == (sizes == 4).sum() == 50
    # 100 prompts with 3.5 of 8 categories: 43.75 expected, standard deviation below 5.
    assert (inputs.active.sum(axis=0) >= 25).all()
    assert set(np.bincount(inputs.base, minlength=len(case.bases))) == {4}


def test_categories_of_a_prompt_are_a_uniform_set() -> None:
    case = dataclasses.replace(CASES["monitor"], samples=40_000, active=(3, 3))
    active = generate_inputs(case, seed=1).active
    # Every pair of the 8 categories: 3/8 x 2/7; six standard errors of 40,000 draws.
    expected = 3 / 8 * 2 / 7
    pairs = (active[:, :, None] & active[:, None, :]).mean(axis=0)[np.triu_indices(8, 1)]
    assert np.abs(pairs - expected).max() < 6 * np.sqrt(expected * (1 - expected) / 40_000)


def test_fields_are_drawn_independently() -> None:
    case = dataclasses.replace(CASES["advisor"], samples=10_000)
    correlations = np.corrcoef(generate_inputs(case, seed=1).codes.T)[np.triu_indices(18, 1)]
    # 153 correlations with a standard error of 0.01 each.
    assert np.abs(correlations).max() < 0.05


def test_a_longer_pool_leaves_the_other_fields_as_they_were() -> None:
    case = CASES["loan"]
    longer = dataclasses.replace(case.features[0], values=(*case.features[0].values, "Boat"))
    changed = dataclasses.replace(case, features=(longer, *case.features[1:]))
    before, after = generate_inputs(case, seed=3), generate_inputs(changed, seed=3)
    assert np.array_equal(before.codes[:, 1:], after.codes[:, 1:])
    assert not np.array_equal(before.codes[:, 0], after.codes[:, 0])


def test_written_and_read_back(tmp_path: Path, case: UseCase) -> None:
    inputs = generate_inputs(case, seed=3)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    write_inputs(first, case, inputs)
    assert same(read_inputs(first, case), inputs)
    write_inputs(second, case, generate_inputs(case, seed=3))
    assert first.read_bytes() == second.read_bytes()


def test_a_pool_in_another_order_reads_the_same_texts(tmp_path: Path) -> None:
    case = CASES["loan"]
    path = tmp_path / "inputs.jsonl"
    inputs = generate_inputs(case, seed=3)
    write_inputs(path, case, inputs)
    turned = dataclasses.replace(case.features[0], values=case.features[0].values[::-1])
    other = dataclasses.replace(case, features=(turned, *case.features[1:]))
    codes = read_inputs(path, other).codes
    assert np.array_equal(codes[:, 0], len(turned.values) - 1 - inputs.codes[:, 0])
    assert np.array_equal(codes[:, 1:], inputs.codes[:, 1:])


def line(name: str) -> dict[str, Any]:
    case = CASES[name]
    if case.kind == "profile":
        return {"id": "a", "values": {one.key: one.values[0] for one in case.features}}
    segments = {one.key: one.values[0] for one in case.features[:3]}
    return {"id": "a", "base": case.bases[0], "segments": segments}


Change = Callable[[dict[str, Any]], Any]
FAULTS: list[tuple[str, Change, str]] = [
    ("loan", lambda row: row["values"].update(colour="red"), "field values.colour: found 'colour'"),
    (
        "loan",
        lambda row: row["values"].update(purpose="Boat"),
        "field values.purpose: found 'Boat'",
    ),
    ("loan", lambda row: row["values"].update(purpose="[UNKNOWN]"), "found '[UNKNOWN]'"),
    (
        "loan",
        lambda row: row["values"].update(plan_clarity=7),
        "field values.plan_clarity: found 7",
    ),
    ("loan", lambda row: row["values"].update(purpose=["x"]), "field values.purpose: found ['x']"),
    ("loan", lambda row: row["values"].pop("purpose"), "field values.purpose: found None"),
    ("loan", lambda row: row.pop("id"), "field (all): found 'values'"),
    ("loan", lambda row: row.update(base="x"), "expected an object with the fields id, values"),
    ("loan", lambda row: row.update(id=1), "field id: found 1"),
    ("loan", lambda row: row.update(id=" "), "field id: found ' '"),
    ("loan", lambda row: row.update(values=[]), "field values: found []"),
    ("monitor", lambda row: row.update(base="Hello"), "field base: found 'Hello'"),
    ("monitor", lambda row: row.update(base=[]), "field base: found []"),
    (
        "monitor",
        lambda row: row["segments"].popitem(),
        "field segments: found 2; expected from 3 to",
    ),
]


@pytest.mark.parametrize(("name", "change", "told"), FAULTS)
def test_a_fault_is_told_with_file_line_and_field(
    tmp_path: Path, name: str, change: Change, told: str
) -> None:
    path = tmp_path / "inputs.jsonl"
    good, bad = line(name), line(name) | {"id": "b"}
    change(bad)
    # A blank line in between: the line told is that of the file.
    path.write_text(f"{json.dumps(good)}\n\n{json.dumps(bad)}\n", "utf-8")
    with pytest.raises(Refused) as refused:
        read_inputs(path, CASES[name])
    assert str(refused.value).startswith(f"{path}, line 3, ")
    assert told in str(refused.value)


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "inputs.jsonl"
    path.write_text(2 * f"{json.dumps(line('loan'))}\n", "utf-8")
    with pytest.raises(Refused, match=r"line 2, field id: found 'a'.*line 1 has it"):
        read_inputs(path, CASES["loan"])


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "inputs.jsonl"
    path.write_text('{"id": "a", "id": "b"}\n', "utf-8")
    with pytest.raises(Refused, match="line 1, field id: found 'id'; expected every key once"):
        read_inputs(path, CASES["loan"])


@pytest.mark.parametrize("content", [b"{\n", b"\xff\n", b"[" * 100_000])
def test_a_line_that_is_not_json_is_unusable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "inputs.jsonl"
    path.write_bytes(content)
    with pytest.raises(Unusable, match="line 1 is not JSON"):
        read_inputs(path, CASES["loan"])


def test_no_file_and_no_line(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot be read"):
        read_inputs(tmp_path / "none.jsonl", CASES["loan"])
    path = tmp_path / "inputs.jsonl"
    path.write_bytes(b"\n \n")
    with pytest.raises(Refused, match="found no input"):
        read_inputs(path, CASES["loan"])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda row: row.update(id="a\ud800"), "id"),
        (lambda row: row["values"].update(purpose="\udfff"), "values.purpose"),
        (lambda row: row["values"].update({"\ud800": "x"}), "values."),
        (lambda row: row.update(values=json.loads("[" * 200 + "]" * 200)), "values"),
    ],
)
def test_what_is_no_text_and_what_is_nested_too_deeply_is_refused(
    tmp_path: Path, change: Change, field: str
) -> None:
    path, row = tmp_path / "inputs.jsonl", line("loan")
    change(row)
    path.write_text(json.dumps(row), "utf-8")
    with pytest.raises(Refused, match=rf"line 1, field {field}.*(surrogate pair|too deeply)"):
        read_inputs(path, CASES["loan"])
