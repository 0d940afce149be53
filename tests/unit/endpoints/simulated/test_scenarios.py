"""Every scenario's truth against the exact sums and against its own simulated responses."""

import numpy as np
import pytest
from scipy.stats import binomtest, spearmanr
from support.factors_scenarios import SCENARIOS, partners

from avowed.endpoints.simulated.expected import rank_agreement, uncited_rate
from avowed.endpoints.simulated.expected_explanations import (
    citation_frequency,
    overlap,
    positional_instability,
)
from avowed.factors.responses import explanation_texts
from avowed.factors.scored import scored_of
from avowed.factors.scores import necessity, sufficiency

TOP = 3


def summed(made, name):
    """The expected value of a statistic, by summing over the laws."""
    ready, component, primary = made.ready, made.component, made.case.primary
    laws, law = component.laws(ready), component.citations(ready)
    kind, _, criterion = name.partition("_")
    if kind in ("rho", "excluded"):
        found = rank_agreement(laws, law, criterion, primary=primary, invalid=component.invalid)
        return found.value if kind == "rho" else found.excluded
    if kind == "uncited":
        return uncited_rate(laws, law, criterion, primary=primary, invalid=component.invalid)
    if kind == "instability":
        own = component.paraphrase
        agreement = 1.0 if own is None else own.agreement
        return positional_instability(law, len(made.case.keys), text_agreement=agreement)
    if kind == "frequency":
        return citation_frequency(law, ready.active)
    return None


@pytest.mark.parametrize("name", SCENARIOS)
def test_exact_sums_give_the_truth_of_the_design(name):
    made = SCENARIOS[name]()
    compared = 0
    for quantity, truth in made.expected.items():
        found = summed(made, quantity)
        if found is not None:
            assert found == pytest.approx(truth, abs=1e-9, nan_ok=True), quantity
            compared += 1
    assert compared or name == "planted_inversion"


def rho(scores):
    if np.isnan(scores).any() or np.ptp(scores) == 0:
        return np.nan
    return spearmanr([3, 2, 1], scores).statistic


def measured(made):
    """The paper's statistics of one component per input, written here from the definitions."""
    scored = scored_of(made.case, made.inputs, made.table(), made.component.name)
    found = {name: [] for name in made.expected}
    criteria = {
        "necessity": necessity(scored, made.case.primary),
        "sufficiency": sufficiency(scored),
    }
    criteria["mean"] = (criteria["necessity"] + criteria["sufficiency"]) / 2
    for i in np.flatnonzero(scored.explained):
        cited = scored.cited[i, :TOP]
        others = scored.active[i].copy()
        others[cited] = False
        for criterion, values in criteria.items():
            own = values[i, cited].round(9)
            rest = values[i, others][~np.isnan(values[i, others])].round(9)
            value = rho(own)
            above = rest.size > 0 and rest.max() > np.nan_to_num(own).min()
            for quantity, one in (
                ("rho", value),
                ("excluded", np.isnan(value)),
                ("uncited", above),
            ):
                found.setdefault(f"{quantity}_{criterion}", []).append(one)
        if scored.cited.shape[1] > TOP:
            ranked = criteria["necessity"][i, scored.cited[i]]
            found["fourth_above_third"].append(ranked[3] > ranked[2])
            found["lower_above_minimum"].append(ranked[3:].max() > ranked[:3].min())
        scored_rest = (~np.isnan(criteria["necessity"][i, others])).sum()
        for k in (2, 3):
            found.setdefault(f"included_{k}", []).append(scored_rest >= k)
        found.setdefault("agreement", []).append(
            rho_of(criteria["necessity"][i, cited], criteria["sufficiency"][i, cited])
        )
    return {name: np.array(values, float) for name, values in found.items()}


def rho_of(first, second):
    if np.isnan([first, second]).any() or np.ptp(first) == 0 or np.ptp(second) == 0:
        return np.nan
    return spearmanr(first, second).statistic


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_simulated_responses_give_the_truth_of_the_design(name):
    made = SCENARIOS[name]()
    found = measured(made)
    for quantity, truth in made.expected.items():
        values = found.get(quantity, np.array([]))
        values = values[~np.isnan(values)]
        if quantity not in found or not len(found[quantity]):
            continue
        if np.isnan(truth):
            assert values.size == 0, quantity
        elif made.exact:
            assert np.allclose(values, truth), quantity
            assert values.size, quantity
        elif quantity.startswith(("uncited", "fourth", "lower")):
            assert binomtest(int(values.sum()), values.size, truth).pvalue > 1e-4, quantity
        else:
            error = max(values.std(ddof=1) / np.sqrt(values.size), 1e-9)
            assert abs(values.mean() - truth) < 4 * error, quantity


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quota_true_order", "shuffled", "exchangeable", "paraphrases"])
def test_repeats_differ_as_often_as_the_instability_says(name):
    made = SCENARIOS[name]()
    texts = {}
    for row in made.table().to_pylist():
        if row["intervention"] == "repeat":
            texts.setdefault(row["input"], []).append(explanation_texts(row["raw"]))
    # One pair per input, so that pairs are independent; the places of a pair need not be.
    shares = np.array(
        [np.mean([a != b for a, b in zip(one[0], one[1], strict=True)]) for one in texts.values()]
    )
    error = max(shares.std(ddof=1) / np.sqrt(shares.size), 1e-9)
    assert abs(shares.mean() - made.expected["instability"]) < 4 * error


@pytest.mark.slow
def test_salient_frequencies_are_met():
    made = SCENARIOS["salient"]()
    scored = scored_of(made.case, made.inputs, made.table(), made.component.name)
    for feature, share in enumerate(made.expected["frequency"]):
        hits = int((scored.cited == feature).any(axis=1).sum())
        assert binomtest(hits, scored.inputs, share).pvalue > 1e-4


@pytest.mark.parametrize("shared", [0, 1, 2, 3])
@pytest.mark.parametrize("reverse", [False, True])
def test_partners_overlap_as_designed(shared, reverse):
    first, second = partners(shared, reverse=reverse)
    found = overlap(
        first.component.citations(first.ready), second.component.citations(second.ready)
    )
    for name in ("jaccard", "coefficient", "ordering"):
        assert getattr(found, name) == pytest.approx(first.expected[name], nan_ok=True)
