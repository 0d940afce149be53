"""Every measure of every shipped component meets its known truth.

Forty repetitions per use case; 24 components with up to 14 quantities in two designs make about
370 biases. A bias may be off by 5 Monte-Carlo errors (t with 39 degrees of freedom: 1e-5 each, so
one seed in 200 fails if all is right). A ratio's own bias, of the order of 1 / inputs, adds .01.
Coverage with drawn inputs is judged over all measures together, since a percentile interval of a
mean near an end of its range falls short alone: the mean must lie within .05 of .95.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated.prepared import prepared
from avowed.endpoints.studied import known
from avowed.factors.inputs import generate_inputs
from avowed.factors.settings import FactorSettings
from avowed.factors.studies.known_truth import run, summarise
from avowed.factors.usecase import read_use_case

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "data"
REPETITIONS, RATIO_BIAS = 40, 0.01


@pytest.fixture(scope="module", params=["advisor", "loan", "monitor"])
def table(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    case = read_use_case(DATA / "usecases" / f"{request.param}.yaml")
    ready = prepared(case, generate_inputs(case, seed=1), names=(case.primary, "sufficiency"))
    components = read_components(DATA / "components" / f"{request.param}.yaml", case)
    assert len(components) == 8
    each = [known(one, ready) for one in components]
    settings = FactorSettings(resamples=400)
    return summarise(row for r in range(1, REPETITIONS + 1) for row in run(each, settings, r))


def test_no_measure_is_biased(table: list[dict[str, Any]]) -> None:
    judged = [row for row in table if not math.isnan(row["bias"])]
    assert len(judged) > 150
    far = [
        row
        for row in judged
        if abs(row["bias"])
        > 5 * row["bias_mc_error"] + (RATIO_BIAS if row["bias_mc_error"] > 1e-12 else 1e-9)
    ]
    assert far == []


def test_what_has_no_truth_is_never_estimated(table: list[dict[str, Any]]) -> None:
    for row in table:
        assert (row["repetitions"] == 0) == math.isnan(row["truth"]), row


def test_coverage_of_drawn_inputs(table: list[dict[str, Any]]) -> None:
    covered = [
        row["coverage"]
        for row in table
        if row["inputs"] == "drawn" and row["bias_mc_error"] > 1e-12
    ]
    assert len(covered) > 40
    assert abs(float(np.mean(covered)) - 0.95) < 0.05
