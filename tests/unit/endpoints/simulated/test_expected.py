"""Expected statistics against the definitions' numbers, hand-written sums and simulation."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import spearmanr
from support.factors_scenarios import selection_rate

from avowed.endpoints.simulated.citations import CitationLaw, certainly
from avowed.endpoints.simulated.expected import rank_agreement, uncited_rate
from avowed.endpoints.simulated.laws import Laws
from avowed.endpoints.simulated.score_laws import agreement_table, halved_sum, score_law

TOP = certainly(np.array([[0, 1, 2]]))


def laws(necessity, sufficiency=None, *, trials=3, active=None):
    """One input with two decisions, the first certain; chances per feature."""
    pn = np.asarray(necessity, float)
    ps = pn if sufficiency is None else np.asarray(sufficiency, float)
    there = np.ones((1, len(pn)), bool) if active is None else np.array([active])
    modified = {
        name: np.repeat(np.stack([same, 1 - same], -1)[None, :, None, :], trials, axis=2)
        for name, same in (("blank", 1 - pn), ("sufficiency", ps))
    }
    return Laws(np.array([[1.0, 0.0]]), modified, dict.fromkeys(modified, there))


def by_hand(pn, statistic, *, trials=3, invalid=0.0):
    """E of a statistic of the scores of some features, over every outcome of every trial."""
    one = []
    for p in pn:
        outcomes = {}
        for trial in product((None, 0, 1), repeat=trials):
            chance = np.prod(
                [invalid if t is None else (1 - invalid) * (p if t else 1 - p) for t in trial]
            )
            valid = [t for t in trial if t is not None]
            score = Fraction(sum(valid), len(valid)) if valid else None
            outcomes[score] = outcomes.get(score, 0.0) + chance
        one.append([(score, chance) for score, chance in outcomes.items() if chance > 0])
    total = kept = 0.0
    for outcome in product(*one):
        chance = np.prod([each[1] for each in outcome])
        value = statistic([each[0] for each in outcome])
        if value is not None:
            total += chance * value
            kept += chance
    return total / kept, 1 - kept


def rho(scores):
    if None in scores or len(set(scores)) == 1:
        return None
    return spearmanr([3, 2, 1], [float(score) for score in scores]).statistic


def omits(scores):
    cited = [score or 0 for score in scores[:3]]
    return float(any(score is not None and score > min(cited) for score in scores[3:]))


def test_softmax_truths_of_the_definitions_give_90():
    found = rank_agreement(laws([0.9, 0.5, 0.1]), TOP, "necessity", primary="blank")
    assert round(found.value, 2) == 0.90
    value, excluded = by_hand([0.9, 0.5, 0.1], rho)
    assert (found.value, found.excluded) == pytest.approx((value, excluded), abs=1e-12)


@pytest.mark.parametrize("invalid", [0.0, 0.2])
@pytest.mark.parametrize("trials", [1, 2, 3])
def test_rank_agreement_is_the_sum_over_all_outcomes(invalid, trials):
    chances = [0.3, 0.8, 0.55]
    found = rank_agreement(
        laws(chances, trials=trials), TOP, "necessity", primary="blank", invalid=invalid
    )
    value, excluded = by_hand(chances, rho, trials=trials, invalid=invalid)
    assert (found.value, found.excluded) == pytest.approx((value, excluded), abs=1e-12)


def test_mean_criterion_takes_pn_and_ps_together():
    pn, ps = [0.9, 0.5, 0.1], [0.2, 0.6, 0.7]
    found = rank_agreement(laws(pn, ps, trials=2), TOP, "mean", primary="blank")

    def both(scores):
        return rho([(a + b) / 2 for a, b in zip(scores[:3], scores[3:], strict=True)])

    value, excluded = by_hand([*pn, *ps], both, trials=2)
    assert (found.value, found.excluded) == pytest.approx((value, excluded), abs=1e-12)


def test_undefined_everywhere_is_nan():
    found = rank_agreement(laws([0, 0, 0]), TOP, "necessity", primary="blank")
    assert np.isnan(found.value)
    assert found.excluded == pytest.approx(1)


@pytest.mark.parametrize("invalid", [0.0, 0.3])
def test_uncited_rate_is_the_sum_over_all_outcomes(invalid):
    chances = [0.7, 0.5, 0.4, 0.3, 0.6]
    found = uncited_rate(
        laws(chances, trials=2), TOP, "necessity", primary="blank", invalid=invalid
    )
    value, _ = by_hand(chances, omits, trials=2, invalid=invalid)
    assert found == pytest.approx(value, abs=1e-12)


def test_selection_baseline_of_the_definitions():
    rates = {
        p: uncited_rate(laws([p] * 18), TOP, "necessity", primary="blank")
        for p in (0.05, 0.3, 0.5, 0.77)
    }
    assert round(rates[0.05], 2) == 0.90
    assert round(rates[0.77], 2) == 0.90
    assert round(max(rates.values()), 2) == 0.99
    for p, rate in rates.items():
        assert rate == pytest.approx(selection_rate(p, 18), abs=1e-12)
    cited_means = laws([0.731, 0.583, 0.482, *[0.05] * 15])
    assert round(uncited_rate(cited_means, TOP, "necessity", primary="blank"), 3) == 0.252


def test_inactive_cited_feature_counts_0_and_excludes_the_correlation():
    active = [True, True, False, True]
    found = laws([0.9, 0.8, 0.7, 0.4], active=active)
    rate = uncited_rate(found, TOP, "necessity", primary="blank")
    assert rate == pytest.approx(1 - 0.6**3)
    assert rank_agreement(found, TOP, "necessity", primary="blank").excluded == pytest.approx(1)


def test_random_order_shortcut_equals_the_sum_over_orders():
    orders = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    plain = CitationLaw(np.zeros(6, np.int64), orders, np.full(6, 1 / 6))
    quick = CitationLaw(plain.row, plain.cited, plain.probability, any_order=True)
    given = laws([0.9, 0.5, 0.1])
    slow = rank_agreement(given, plain, "necessity", primary="blank")
    fast = rank_agreement(given, quick, "necessity", primary="blank")
    assert fast.value == pytest.approx(slow.value, abs=1e-12)
    assert fast.excluded == pytest.approx(slow.excluded, abs=1e-12)


def test_original_decision_is_summed_out_or_given():
    two = laws([0.9, 0.5, 0.1, 0.3])
    noisy = two.with_noise(0.2)
    given = [
        uncited_rate(noisy, TOP, "necessity", primary="blank", decision=np.array([y]))
        for y in (0, 1)
    ]
    whole = uncited_rate(noisy, TOP, "necessity", primary="blank")
    assert whole == pytest.approx(0.8 * given[0] + 0.2 * given[1], abs=1e-12)
    assert given[0] != pytest.approx(given[1], abs=0.05)


def test_score_laws_add_up_and_keep_values_exact():
    law = score_law(np.full((2, 3, 3), 0.4), np.ones((2, 3), bool), 0.1)
    assert law.values == (None, *(Fraction(*q) for q in ((0, 1), (1, 3), (1, 2), (2, 3), (1, 1))))
    assert np.allclose(law.law.sum(axis=2), 1)
    both = halved_sum(law, law)
    assert np.allclose(both.law.sum(axis=2), 1)
    assert Fraction(5, 12) in both.values


def test_agreement_table_is_spearman():
    values = (None, Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
    table = agreement_table(values)
    for triple in product(range(len(values)), repeat=3):
        expected = rho([values[place] for place in triple])
        if expected is None:
            assert np.isnan(table[triple])
        else:
            assert table[triple] == pytest.approx(expected, abs=1e-12)
