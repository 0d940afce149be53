"""True scores against the printed formulas, against enumeration and against simulation."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest
from support.factors_scenario_cases import profile_case, segments_case
from support.factors_scenarios import SEED, Scenario

from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.laws import Laws, laws_of
from avowed.endpoints.simulated.noise import noisy
from avowed.endpoints.simulated.policies import Order
from avowed.endpoints.simulated.prescribed import Quota
from avowed.endpoints.simulated.rules import Additive, Constant, Linear, Single, Softmax
from avowed.endpoints.simulated.truth import conditional, marginal
from avowed.factors.inputs import generate_inputs
from avowed.factors.scored import scored_of

GRADES = [(0.0, 2), (0.1, 3), (0.05, 5), (0.3, 13), (0.9, 4)]


def laws(original, modified, noise):
    """One input whose only feature leads from one decision to another."""
    there = np.ones((1, 1), bool)
    law = {name: np.array([[[modified]]], float) for name in ("blank", "sufficiency")}
    plain = Laws(np.array([original], float), law, dict.fromkeys(law, there))
    return plain.with_noise(noise)


def certain(decision, k):
    return np.eye(k)[decision].tolist()


@pytest.mark.parametrize(("d", "k"), GRADES)
def test_given_the_decision_noise_gives_d_or_its_complement(d, k):
    same, changed = laws(certain(0, k), certain(0, k), d), laws(certain(0, k), certain(1, k), d)
    y = np.array([0])
    for found, pn in ((same, d), (changed, 1 - d / (k - 1))):
        truth = conditional(found, y)
        assert truth.necessity["blank"][0, 0] == pytest.approx(pn, abs=1e-12)
        assert truth.sufficiency[0, 0] == pytest.approx(1 - pn, abs=1e-12)


@pytest.mark.parametrize(("d", "k"), GRADES)
def test_marginal_formulas_of_the_definitions(d, k):
    same, changed = laws(certain(0, k), certain(0, k), d), laws(certain(0, k), certain(1, k), d)
    floor = 2 * d - d**2 * k / (k - 1)
    assert marginal(same).necessity["blank"][0, 0] == pytest.approx(floor, abs=1e-12)
    assert marginal(changed).floor[0] == pytest.approx(floor, abs=1e-12)
    differs = 1 - 2 * d * (1 - d) / (k - 1) - (k - 2) * d**2 / (k - 1) ** 2
    assert marginal(changed).necessity["blank"][0, 0] == pytest.approx(differs, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3, 5, 13])
@pytest.mark.parametrize("moved", [False, True])
def test_marginal_truth_by_enumerating_both_noisy_outputs(k, moved):
    d = Fraction(3, 20)

    def chance(output, meant):
        return 1 - d if output == meant else d / (k - 1)

    exact = sum(
        chance(y, 0) * chance(z, int(moved)) for y, z in product(range(k), repeat=2) if y != z
    )
    found = marginal(laws(certain(0, k), certain(int(moved), k), float(d)))
    assert found.necessity["blank"][0, 0] == pytest.approx(float(exact), abs=1e-12)
    assert found.sufficiency[0, 0] == pytest.approx(float(1 - exact), abs=1e-12)


def test_softmax_truth_sums_over_both_outputs():
    first, second = [0.5, 0.3, 0.2], [0.1, 0.1, 0.8]
    found = marginal(laws(first, second, 0.0)).necessity["blank"][0, 0]
    exact = sum(a * b for i, a in enumerate(first) for j, b in enumerate(second) if i != j)
    assert found == pytest.approx(exact, abs=1e-12)


def test_noise_law_adds_up_and_mixes():
    law = np.array([[0.6, 0.3, 0.1]])
    found = noisy(law, 0.3)
    assert found.sum() == pytest.approx(1)
    assert found[0, 0] == pytest.approx(0.7 * 0.6 + 0.3 / 2 * (0.3 + 0.1))


def test_single_feature_has_pn_and_ps_1_and_all_others_0():
    case = profile_case()
    inputs = generate_inputs(case, seed=SEED)
    ready = Scenario(case, inputs, SimulatedComponent("x", "x", Single("field_c"), Order())).ready
    truth = marginal(laws_of(Single("field_c"), ready))
    only = np.broadcast_to(np.arange(8) == 2, truth.sufficiency.shape)
    assert np.array_equal(truth.necessity["contrast"], only)
    assert np.array_equal(truth.sufficiency, only)


def test_inactive_and_unconstructible_features_have_no_truth():
    case = segments_case()
    inputs = generate_inputs(case, seed=SEED)
    ready = Scenario(case, inputs, SimulatedComponent("x", "x", Constant("3"), Order())).ready
    truth = marginal(laws_of(Constant("3"), ready))
    assert np.array_equal(np.isnan(truth.sufficiency), ~inputs.active)
    assert np.array_equal(np.isnan(truth.necessity["blank"]), ~inputs.active)
    assert (truth.sufficiency[inputs.active] == 1).all()


def test_quota_truth_is_the_share_of_the_trials_asked_for():
    case = profile_case()
    inputs = generate_inputs(case, seed=SEED)
    rule = Quota(case.keys, (3, 2, 1), (1, 2, 3))
    ready = Scenario(case, inputs, SimulatedComponent("x", "x", rule, Order())).ready
    truth = marginal(laws_of(rule, ready, trials=3))
    assert np.allclose(truth.necessity["contrast"][:, :4], [1, 2 / 3, 1 / 3, 0])
    assert np.allclose(truth.sufficiency[:, :4], [1 / 3, 2 / 3, 1, 0])
    assert np.allclose(marginal(laws_of(rule, ready, trials=5)).sufficiency[:, :3], [0.2, 0.4, 0.6])


RULES = {
    "linear": (profile_case(400), Linear({"field_a": 2, "field_d": 1.5, "field_f": 1}), 0.1),
    "softmax": (profile_case(400), Softmax(Linear({"field_a": 2, "field_d": 1}), 0.4), 0.05),
    "additive": (segments_case(400), Additive({"risk_a": 2, "risk_c": (1, 2)}, 0.6), 0.2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_simulated_changes_are_binomial_around_the_truth(name):
    case, rule, noise = RULES[name]
    component = SimulatedComponent(name, "x", rule, Order(), noise)
    made = Scenario(case, generate_inputs(case, seed=SEED), component)
    scored = scored_of(case, made.inputs, made.table(), name)
    truth = marginal(component.laws(made.ready))
    for key in range(len(case.keys)):
        for intervention in ("contrast", "blank", "similar"):
            # One trial per input: trials share y, inputs share nothing.
            trial = scored.changed[intervention][:, key, 0]
            valid = trial >= 0
            chance = truth.necessity[intervention][valid, key]
            _within(int(trial[valid].sum()), chance)
        alone = scored.changed["sufficiency"][:, key, 0]
        _within(int((alone == 0).sum()), truth.sufficiency[alone >= 0, key])
    _within(int(scored.repeats[:, 0].sum()), truth.floor)


def _within(hits, chances):
    """A sum of independent hits with these chances; its variance is at most the binomial one."""
    if chances.size:
        mean = float(np.clip(chances.mean(), 0, 1))
        assert binomtest(hits, chances.size, mean).pvalue > 1e-4


@pytest.mark.slow
def test_given_the_observed_decisions_the_conditional_truth_holds():
    case, rule, noise = RULES["additive"]
    component = SimulatedComponent("given", "x", rule, Order(), noise)
    made = Scenario(case, generate_inputs(case, seed=SEED), component)
    table = made.table()
    rows = [row for row in table.to_pylist() if row["intervention"] == "original"]
    y = np.array([case.decisions.index(row["decision"]) for row in rows])
    truth = conditional(component.laws(made.ready), y)
    scored = scored_of(case, made.inputs, table, "given")
    for value in np.unique(truth.necessity["blank"][made.inputs.active].round(9)):
        chosen = made.inputs.active & np.isclose(truth.necessity["blank"], value)
        trials = scored.changed["blank"][chosen]
        assert binomtest(int(trials.sum()), trials.size, float(value)).pvalue > 1e-4
