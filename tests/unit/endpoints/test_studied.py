"""Simulated components as a study takes them: the truths of every measure, and explanations."""

import math
from pathlib import Path

import numpy as np
import pytest

from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated.prepared import Prepared, prepared
from avowed.endpoints.studied import known
from avowed.factors.inputs import generate_inputs
from avowed.factors.settings import FactorSettings
from avowed.factors.studies.known_truth import ratios_of
from avowed.factors.usecase import read_use_case

REPOSITORY = Path(__file__).parents[3]


def loan() -> tuple[Prepared, dict[str, SimulatedComponent]]:
    case = read_use_case(REPOSITORY / "data" / "usecases" / "loan.yaml")
    ready = prepared(case, generate_inputs(case, seed=1), names=(case.primary, "sufficiency"))
    found = read_components(REPOSITORY / "data" / "components" / "loan.yaml", case)
    return ready, {one.name: one for one in found}


READY, COMPONENTS = loan()


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_every_measure_of_the_study_has_a_truth(name: str) -> None:
    one = known(COMPONENTS[name], READY)
    rows = np.arange(len(one.original))
    scored = one.respond(np.random.default_rng([1, 1, 1, 1]), rows, repeats=3)
    ratios = ratios_of(scored, one.primary, FactorSettings())
    assert {(ratio.quantity, ratio.k) for ratio in ratios} == set(one.truths)


def test_a_component_without_chance_is_estimated_without_error() -> None:
    found = 0
    for component in COMPONENTS.values():
        laws = component.laws(READY)
        sure = all(
            (law.max(axis=-1) == 1).all() for law in (laws.original, *laws.modified.values())
        )
        if not sure or component.invalid or component.misexplained:
            continue
        one = known(component, READY)
        if component.citations(READY).probability.min() < 1:
            continue
        found += 1
        rows = np.arange(len(one.original))
        scored = one.respond(np.random.default_rng(2), rows, repeats=3)
        for ratio in ratios_of(scored, one.primary, FactorSettings()):
            truth, below = one.truths[ratio.quantity, ratio.k], ratio.denominator.sum()
            if math.isnan(truth):
                assert below == 0
            else:
                assert ratio.numerator.sum() / below == pytest.approx(truth, abs=1e-12)
    assert found > 0


def test_responses_to_one_input_are_explained_anew() -> None:
    """Drawn citations have the law's frequencies, also where an input is asked many times."""
    many = 30_000
    component = next(
        one for one in COMPONENTS.values() if one.citations(READY).probability.min() < 1
    )
    law = component.citations(READY)
    rows = np.tile([3, 0], many)
    cited = known(component, READY).cite(np.random.default_rng([7, 7, 7, 7]), rows)
    places = law.places(len(READY.case.keys))
    for row in (0, 3):
        drawn = cited[rows == row]
        for place in range(law.width):
            shares = np.bincount(drawn[:, place], minlength=places.shape[2]) / many
            # 4.5 standard errors of a share.
            assert np.abs(shares - places[row, place]).max() < 4.5 * 0.5 / math.sqrt(many)
