"""The parts of a study of simulated components, and the rows that follow from their answers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated.generate import simulate
from avowed.endpoints.simulated.prepared import prepared
from avowed.endpoints.simulated_rows import FIXED, FREE, Answers, main_rows, pilot_rows, prompt_rows
from avowed.endpoints.simulated_study import MAIN, PILOT, PROMPTS, by_prompt, study_plan
from avowed.endpoints.true_scores import NO_DECISION, feature_truth, original_decisions
from avowed.factors.inputs import Inputs, generate_inputs
from avowed.factors.interventions import INTERVENTIONS
from avowed.factors.plan import Plan
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase, read_use_case
from avowed.refusal import Unusable

DATA = Path(__file__).parents[3] / "data"
CONFIG: dict[str, Any] = yaml.safe_load((DATA.parent / "config.yaml").read_text("utf-8"))
FOLDERS = {MAIN: "", PILOT: "pilot/", PROMPTS: "prompts/"}
SETTINGS = FactorSettings(resamples=200)


@pytest.fixture(scope="module")
def case() -> UseCase:
    return read_use_case(DATA / "usecases" / "loan.yaml")


@pytest.fixture(scope="module")
def inputs(case: UseCase) -> Inputs:
    return generate_inputs(case, seed=1)


def components(case: UseCase, part: str) -> tuple[SimulatedComponent, ...]:
    return read_components(DATA / f"components/{FOLDERS[part]}{case.name}.yaml", case)


def planned(case: UseCase, inputs: Inputs, part: str) -> tuple[Inputs, Plan]:
    asked = components(case, part)
    return study_plan(part, case, inputs, asked, config=CONFIG, use_case_sha256="0" * 64)


def answers(case: UseCase, inputs: Inputs, part: str) -> Answers:
    own, plan = planned(case, inputs, part)
    table = simulate(components(case, part), prepared(case, own), plan, seed=1)
    return Answers(own, plan.components, table)


def test_the_parts_ask_what_the_paper_asks(case: UseCase, inputs: Inputs) -> None:
    (_, main), (few, pilot), (same, prompts) = (
        planned(case, inputs, part) for part in (MAIN, PILOT, PROMPTS)
    )
    assert main.design.interventions == INTERVENTIONS
    assert (main.design.repeats, main.design.cited) == (CONFIG["factors"]["repeats"], 3)
    assert pilot.design.cited == len(case.features) and pilot.design.repeats == 0
    assert prompts.design.interventions == (case.primary,) and prompts.design.repeats >= 2
    # The pilot's inputs are the first ones of all.
    assert few.ids == same.ids == inputs.ids[: CONFIG["factors"]["pilot"]["samples"]]


def test_more_inputs_than_there_are_cannot_be_asked(case: UseCase, inputs: Inputs) -> None:
    factors = {**CONFIG["factors"], "pilot": {"samples": 41, "lower_ranks": [4, 6]}}
    with pytest.raises(Unusable, match=r"factors\.pilot\.samples: found 41; .*loan \(40\)"):
        study_plan(
            PILOT,
            case,
            inputs,
            components(case, PILOT),
            config={**CONFIG, "factors": factors},
            use_case_sha256="0" * 64,
        )


def test_prompts_are_part_of_the_name() -> None:
    assert by_prompt(["a--x", "b--x", "a--y"]) == {
        "a": {"x": "a--x", "y": "a--y"},
        "b": {"x": "b--x"},
    }
    with pytest.raises(Unusable, match="component 'a': no prompt in its name"):
        by_prompt(["a"])


@pytest.mark.parametrize("name", ["advisor", "monitor", "loan"])
def test_the_shipped_prompts_are_complete(name: str) -> None:
    own = read_use_case(DATA / "usecases" / f"{name}.yaml")
    for prompts in by_prompt(one.name for one in components(own, PROMPTS)).values():
        # The first is what the difference is taken from.
        assert list(prompts)[:2] == [FREE, FIXED] and len(prompts) > 2


def test_rows_of_the_parts_do_not_share_a_place(case: UseCase, inputs: Inputs) -> None:
    main = answers(case, inputs, MAIN)
    rows = main_rows(case, main.scored(case), SETTINGS, groups={"pair": ["single", "graded"]})
    pilot = pilot_rows(case, answers(case, inputs, PILOT), SETTINGS)
    prompts = prompt_rows(case, answers(case, inputs, PROMPTS), SETTINGS)
    places = [(row["cell"], row["quantity"], row["k"]) for row in [*rows, *pilot, *prompts]]
    assert len(places) == len(set(places))
    assert any(row["cell"] == "pair" for row in rows)
    by_place = {(row["cell"], row["quantity"]): row["estimate"] for row in prompts}
    # Planted: paraphrases make nine of ten names free, fixed ones never change.
    assert by_place[f"graded · {FIXED}", "positional_instability"] == 0
    assert by_place[f"graded · {FREE}", "positional_instability"] == pytest.approx(0.855, abs=0.06)
    rho = {
        prompt: by_place[f"graded · {prompt}", "rank_agreement_necessity"]
        for prompt in (FIXED, "generate-critique-revise")
    }
    assert rho[FIXED] == pytest.approx(0.9, abs=0.1)
    assert rho["generate-critique-revise"] == pytest.approx(-0.9, abs=0.1)


def test_estimates_meet_the_true_scores(case: UseCase, inputs: Inputs) -> None:
    main = answers(case, inputs, MAIN)
    rows = main_rows(case, main.scored(case), SETTINGS, groups={})
    places = {(row["cell"], row["quantity"]): row for row in rows if row["k"] is None}
    ready = prepared(case, inputs)
    known = {one.name: one for one in components(case, MAIN)}
    for name in ("single", "conjunction"):
        found = feature_truth(known[name], ready, main.table, places, trials=3)
        assert len(found) == 2 * len(case.features)
        for row in found:
            # Without noise the estimate is the truth; with it, close.
            near = 1e-12 if known[name].noise == 0 else 0.12
            for truth in ("truth", "truth_given_decisions"):
                assert row["estimate"] == pytest.approx(row[truth], abs=near)


def test_an_invalid_original_response_has_no_decision(case: UseCase, inputs: Inputs) -> None:
    table = answers(case, inputs, MAIN).table
    found = original_decisions(table, "single", inputs.ids, case.decisions)
    assert found.shape == (len(inputs.ids),) and (found >= 0).all()
    # A pool without the first decision knows it no more.
    other = original_decisions(table, "single", inputs.ids, case.decisions[1:])
    assert np.array_equal(other == NO_DECISION, found == 0) and (found == 0).any()
