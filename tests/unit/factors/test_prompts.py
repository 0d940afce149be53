"""The 13 strategies and 4 variations as data, against table 1 and appendix A."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from avowed.factors.prompts import (
    SCHEMA,
    Strategies,
    marker,
    matched_pair,
    read_strategies,
    read_variations,
    strategy_prompt,
    variation_prompt,
)
from avowed.factors.render import render_system
from avowed.factors.usecase import UseCase, read_use_case
from avowed.refusal import Refused, Unusable

DATA = Path(__file__).parents[3] / "data"
CASES = {
    name: read_use_case(DATA / "usecases" / f"{name}.yaml")
    for name in ("advisor", "monitor", "loan")
}
STRATEGIES = read_strategies(DATA / "prompts" / "strategies.yaml")
VARIATIONS = read_variations(DATA / "prompts" / "exploratory.yaml")

# NS table 1 as printed.
TABLE_1 = [
    ("numbers", "neutral", "flat_text", "none"),
    ("letters", "neutral", "flat_text", "none"),
    ("bullets", "neutral", "flat_text", "none"),
    ("numbers", "assertive", "flat_text", "none"),
    ("numbers", "socratic", "flat_text", "none"),
    ("numbers", "analytical", "flat_text", "none"),
    ("numbers", "neutral", "sectioned_text", "none"),
    ("numbers", "neutral", "strict_json", "none"),
    ("numbers", "neutral", "step_by_step", "none"),
    ("numbers", "neutral", "flat_text", "evaluation_disclosed"),
    ("numbers", "analytical", "step_by_step", "evaluation_disclosed"),
    ("letters", "analytical", "step_by_step", "evaluation_disclosed"),
    ("numbers", "analytical", "flat_text", "fixed_names"),
]


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> UseCase:
    return CASES[request.param]


def test_the_files_meet_the_schema_as_a_whole() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    for name in ("strategies", "exploratory"):
        content = yaml.safe_load((DATA / "prompts" / f"{name}.yaml").read_text("utf-8"))
        Draft202012Validator(schema).validate(content)


def test_the_strategies_are_those_of_table_1() -> None:
    rows = [(row.ranking, row.tone, row.format, row.requirement) for row in STRATEGIES.rows]
    assert rows == TABLE_1
    assert [row.number for row in STRATEGIES.rows] == list(range(1, 14))


def test_strategy_13_is_the_prompt_of_the_primary_evaluation(case: UseCase) -> None:
    assert strategy_prompt(case, STRATEGIES, 13) == render_system(case)
    assert strategy_prompt(case, STRATEGIES, 13, count=5) == render_system(case, count=5)


def test_thirteen_strategies_are_thirteen_prompts(case: UseCase) -> None:
    prompts = {row.number: strategy_prompt(case, STRATEGIES, row.number) for row in STRATEGIES.rows}
    assert len(set(prompts.values())) == 13
    keys = ", ".join(case.keys)
    assert [number for number, prompt in prompts.items() if keys in prompt] == [13]
    for prompt in prompts.values():
        assert "{{" not in prompt and "exactly three" in prompt
        assert case.task in prompt and '"explanations": [' in prompt


def test_the_matched_pair_differs_in_the_names_only(case: UseCase) -> None:
    free, fixed = matched_pair(STRATEGIES)
    assert (free, fixed) == (6, 13)
    first = strategy_prompt(case, STRATEGIES, free).split("\n")
    second = strategy_prompt(case, STRATEGIES, fixed).split("\n")
    differing = [a for a, b in zip(first, second, strict=True) if a != b]
    assert len(differing) == 2
    assert differing[0] == "Name each feature in your own words."
    assert differing[1].startswith("Return valid JSON only: ")


def test_without_a_pair_there_is_an_error() -> None:
    free = Strategies(STRATEGIES.rows[:12], STRATEGIES.wording)
    with pytest.raises(ValueError, match="no strategy with fixed names"):
        matched_pair(free)
    with pytest.raises(ValueError, match="no strategy 13"):
        strategy_prompt(CASES["loan"], free, 13)


def test_the_variations_are_those_of_the_paper(case: UseCase) -> None:
    assert [row.name for row in VARIATIONS] == [
        "counterfactual_self_simulation",
        "decompose_then_rank",
        "self_consistency_ensembling",
        "generate_critique_revise",
    ]
    primary = render_system(case).split("\n")
    for row in VARIATIONS:
        prompt = variation_prompt(case, STRATEGIES, row).split("\n")
        changed = [b for a, b in zip(primary, prompt, strict=True) if a != b]
        assert changed == [row.instruction]


def test_markers() -> None:
    assert [marker("letters", rank) for rank in (1, 26, 27, 28)] == ["A.", "Z.", "AA.", "AB."]
    assert [marker("numbers", rank) for rank in (1, 12)] == ["1.", "12."]
    prompt = strategy_prompt(CASES["loan"], STRATEGIES, 3)
    assert '["- <feature>", "- <feature>", "- <feature>"]' in prompt and "begun with -." in prompt
    assert "(A, B, C)" in strategy_prompt(CASES["loan"], STRATEGIES, 2)


def changed(folder: Path, name: str, *place: str | int, value: object) -> Path:
    content: Any = yaml.safe_load((DATA / "prompts" / f"{name}.yaml").read_text("utf-8"))
    at = content
    for part in place[:-1]:
        at = at[part]
    at[place[-1]] = value
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")
    return path


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("strategies", 2, "tone"), "rude", "field strategies[2].tone: found 'rude'"),
        (("strategies", 2, "number"), 1, "field strategies[2].number: found 1 again"),
        (("strategies", 2, "colour"), 1, "field strategies[2].colour: found a field that is not"),
        (("wording", "tone", "neutral"), None, "field wording.tone.neutral: found None"),
        (("wording", "tone", "loud"), "x", "field wording.tone.loud: found a field that is not"),
        (("wording", "tone", "neutral"), "{{who}}", "field wording.tone.neutral: found {{who}}"),
        (("strategies",), [], "field strategies: found []"),
    ],
)
def test_a_fault_of_the_strategies(
    tmp_path: Path, place: tuple[str | int, ...], value: object, told: str
) -> None:
    path = changed(tmp_path, "strategies", *place, value=value)
    with pytest.raises(Refused) as refused:
        read_strategies(path)
    assert str(refused.value).startswith(f"{path}, line ") and told in str(refused.value)


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("variations", 1, "name"), "generate_critique_revise", "field variations[3]"),
        (("variations", 1, "instruction"), " ", "field variations[1].instruction: found ' '"),
        (("variations", 1, "instruction"), "{{x}}", "found {{x}}; expected only {{role}}"),
        (("variations", 1, "name"), "Two words", "found 'Two words'"),
    ],
)
def test_a_fault_of_the_variations(
    tmp_path: Path, place: tuple[str | int, ...], value: object, told: str
) -> None:
    path = changed(tmp_path, "exploratory", *place, value=value)
    with pytest.raises(Refused) as refused:
        read_variations(path)
    assert str(refused.value).startswith(f"{path}, line ") and told in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for read in (read_strategies, read_variations):
        with pytest.raises(Unusable, match="cannot be read"):
            read(tmp_path / "none.yaml")
