"""Features against the noise floor: exact p-values, Holm's adjustment, both against others."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact
from statsmodels.stats.contingency_tables import StratifiedTable

from avowed.factors.multiplicity import exact_p_value, exceeding, features_above_floor
from avowed.factors.scored import Scored, scored_from


@pytest.mark.parametrize(("k", "repeats_changed"), [(0, 0), (1, 2), (2, 1), (3, 0), (4, 1), (5, 5)])
def test_one_input_is_fishers_exact_test(k: int, repeats_changed: int) -> None:
    table = [[k, 5 - k], [repeats_changed, 7 - repeats_changed]]
    expected = fisher_exact(table, alternative="greater").pvalue
    assert exact_p_value([k], [5], [repeats_changed], [7]) == pytest.approx(expected, abs=1e-12)


def test_every_relabelling_of_the_trials() -> None:
    """The law of the sum by listing which responses of each input were the modified ones."""
    changed, trials, again, repeats = [2, 1, 2], [2, 2, 3], [1, 0, 0], [2, 1, 2]
    per_input = []
    for k, t, j, r in zip(changed, trials, again, repeats, strict=True):
        responses = [1] * (k + j) + [0] * (t + r - k - j)
        sums = [
            sum(x for x, chosen in zip(responses, labels, strict=True) if chosen)
            for labels in product([0, 1], repeat=t + r)
            if sum(labels) == t
        ]
        per_input.append(sums)
    totals = [sum(combination) for combination in product(*per_input)]
    expected = sum(total >= sum(changed) for total in totals) / len(totals)
    assert exact_p_value(changed, trials, again, repeats) == pytest.approx(expected, abs=1e-12)


def test_many_inputs_approach_the_cochran_mantel_haenszel_test() -> None:
    rng = np.random.default_rng([4, 4, 4, 4])
    trials, repeats = np.full(400, 3), np.full(400, 3)
    changed, again = rng.binomial(3, 0.26, 400), rng.binomial(3, 0.22, 400)
    tables = [
        np.array([[k, 3 - k], [j, 3 - j]], dtype=float) for k, j in zip(changed, again, strict=True)
    ]
    two_sided = StratifiedTable(tables).test_null_odds(correction=True).pvalue
    assert exact_p_value(changed, trials, again, repeats) == pytest.approx(two_sided / 2, rel=0.03)


def test_ends() -> None:
    assert exact_p_value([0, 0], [3, 3], [0, 0], [3, 3]) == 1.0
    assert exact_p_value([3, 3], [3, 3], [3, 3], [3, 3]) == pytest.approx(1.0, abs=1e-12)
    assert exact_p_value([3] * 4, [3] * 4, [0] * 4, [3] * 4) == pytest.approx(20.0**-4, rel=1e-9)
    assert math.isnan(exact_p_value([0], [0], [0], [3]))
    assert math.isnan(exact_p_value([1], [3], [0], [0]))
    # An input without repeats says nothing about the floor and changes nothing.
    assert exact_p_value([3, 3], [3, 3], [0, 0], [3, 0]) == exact_p_value([3], [3], [0], [3])


def component(p: list[float], floor: float, *, inputs: int, seed: int) -> Scored:
    rng = np.random.default_rng([15, seed, inputs, len(p)])
    changed = (rng.random((inputs, len(p), 3)) < np.array(p)[:, None]).astype(int)
    return scored_from(
        component="made",
        keys=tuple(f"f{i}" for i in range(len(p))),
        active=np.ones(changed.shape[:2], bool),
        original=np.zeros(inputs, int),
        cited=np.tile([0, 1, 2], (inputs, 1)),
        decisions={"blank": changed},
        repeats=(rng.random((inputs, 3)) < floor).astype(int),
    )


def test_finds_the_features_that_matter_and_no_other() -> None:
    tests = features_above_floor(
        component([0.5, 0.05, 0.4, 0.05], 0.05, inputs=100, seed=1), "blank"
    )
    assert exceeding(tests) == ("f0", "f2")
    assert [test.inputs for test in tests] == [100] * 4
    assert tests[0].difference == pytest.approx(0.45, abs=0.1)


def test_a_feature_that_is_never_active_is_not_tested() -> None:
    scored = component([0.9, 0.9, 0.9], 0.05, inputs=50, seed=2)
    scored.active[:, 1] = False
    tests = features_above_floor(scored, "blank")
    assert math.isnan(tests[1].p_value) and math.isnan(tests[1].adjusted)
    assert (tests[1].inputs, math.isnan(tests[1].difference)) == (0, True)
    assert exceeding(tests) == ("f0", "f2")


def test_a_threshold_that_is_met_exactly_counts() -> None:
    tests = features_above_floor(component([1.0], 0.0, inputs=1, seed=3), "blank")
    assert tests[0].adjusted == pytest.approx(0.05, abs=1e-15)
    assert exceeding(tests, confidence=0.95) == ("f0",)


@pytest.mark.slow
@pytest.mark.parametrize("floor", [0.02, 0.2, 0.6])
def test_false_alarms_stay_below_five_percent_where_nothing_matters(floor: float) -> None:
    """Eight features, no influence: any rejection is false. 400 repetitions, binomial criterion."""
    alarms = sum(
        bool(
            exceeding(
                features_above_floor(component([floor] * 8, floor, inputs=40, seed=s), "blank")
            )
        )
        for s in range(400)
    )
    assert binomtest(alarms, 400, 0.05, alternative="greater").pvalue > 1e-4
