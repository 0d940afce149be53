"""Explanation policies: what they cite, and how often."""

import numpy as np
import pytest
from scipy.stats import binomtest
from support.factors_scenarios import SEED

from avowed.endpoints.simulated.citations import CitationLaw, certainly
from avowed.endpoints.simulated.expected_explanations import (
    citation_frequency,
    overlap,
    positional_instability,
)
from avowed.endpoints.simulated.policies import (
    Context,
    FullRanking,
    Inactive,
    Order,
    Pair,
    Random,
    Ranks,
    Salience,
    Shuffled,
)

PN = np.array([[0.1, 0.9, np.nan, 0.5, 0.9, 0.2]])
PS = np.array([[0.9, 0.1, 0.5, 0.0, 0.2, 0.4]])


def context(active=(True,) * 6):
    shown = np.array([active])
    scores = {"necessity": np.where(shown, PN, np.nan), "sufficiency": np.where(shown, PS, np.nan)}
    return Context(scores, shown, tuple("abcdef"), 3)


def cited(policy, **kwargs):
    return policy.law(context(**kwargs)).cited.tolist()


def test_orders():
    # b and e tie at .9: the order of the list; c has no score and comes last.
    assert cited(Order("necessity")) == [[1, 4, 3]]
    assert cited(Order("necessity", reverse=True)) == [[3, 4, 1]]
    assert cited(Order("sufficiency")) == [[0, 2, 5]]
    assert cited(Ranks((1, 3, 5))) == [[1, 3, 0]]
    assert cited(Ranks((1, 2, 6))) == [[1, 4, 2]]


def test_ranks_beyond_the_active_ones_are_inactive():
    active = (True, False, True, True, False, False)
    assert cited(Ranks((1, 2, 4)), active=active) == [[3, 0, 1]]


def test_shuffled_and_random_spread_evenly():
    law = Shuffled().law(context())
    assert len(law.row) == 6
    assert {tuple(sorted(one)) for one in law.cited.tolist()} == {(1, 3, 4)}
    random = Random().law(context())
    assert len(random.row) == 6 * 5 * 4
    assert np.allclose(random.frequency(6), 0.5)
    some = Random().law(context(active=(True, True, True, True, False, False)))
    assert np.allclose(some.frequency(6), [[0.75] * 4 + [0, 0]])
    with pytest.raises(ValueError, match="active"):
        Random().law(context(active=(True, True, False, False, False, False)))


def test_salience_meets_its_frequencies_exactly_and_caps_them():
    law = Salience({"a": 3, "b": 2, "c": 4}).law(context())
    assert np.allclose(law.frequency(6), np.array([[3, 2, 4, 1, 1, 1]]) / 4)
    for one in law.cited.tolist():
        assert len(set(one)) == 3
        assert one[0] == 2  # the heaviest stands first, and is sure to be cited
    capped = Salience({"a": 50}).law(context())
    assert np.allclose(capped.frequency(6), [[1, *[0.4] * 5]])
    only_three = Salience({"a": 50}).law(context(active=(True, False, True, True, False, False)))
    assert np.allclose(only_three.frequency(6), [[1, 0, 1, 1, 0, 0]])


def test_inactive_replaces_the_last_citation_with_a_rate():
    active = (True, True, True, True, False, False)
    law = Inactive(Order(), 0.4).law(context(active=active))
    assert np.allclose(law.frequency(6), [[0.6, 1, 0, 1, 0.2, 0.2]])
    assert np.isclose(law.probability.sum(), 1)
    whole = Inactive(Order(), 0.4).law(context())
    assert whole.cited.tolist() == [[1, 4, 3]]


@pytest.mark.parametrize("shared", [0, 1, 2, 3])
@pytest.mark.parametrize("reverse", [False, True])
def test_pairs_share_what_they_should(shared, reverse):
    one = Order().law(context())
    other = Pair(Order(), shared, reverse).law(context())
    found = overlap(one, other)
    assert found.coefficient == pytest.approx(shared / 3)
    assert found.jaccard == pytest.approx(shared / (6 - shared))
    if shared < 2:
        assert np.isnan(found.ordering)
    else:
        assert found.ordering == (0 if reverse else 1)


def test_pair_refuses_an_overlap_that_the_features_do_not_allow():
    four = Context({"necessity": PN[:, :4]}, np.ones((1, 4), bool), tuple("abcd"), 3)
    with pytest.raises(ValueError, match="needs 2 other features"):
        Pair(Order(), 1).law(four)


def test_full_ranking_swaps_two_ranks_with_a_rate():
    law = FullRanking(swap=(3, 4), rate=0.25).law(context())
    assert law.cited.tolist() == [[1, 4, 3, 5, 0, 2], [1, 4, 5, 3, 0, 2]]
    assert law.probability.tolist() == [0.75, 0.25]
    assert len(FullRanking(rate=0.0).law(context()).row) == 1


def test_overlap_with_random_explanations():
    # Hypergeometric: 3 of 6 against fixed 3 of 6.
    found = overlap(Order().law(context()), Random().law(context()))
    assert np.allclose(found.shared, np.array([1, 9, 9, 1]) / 20)
    assert found.ordering == 0.5
    plain = Random().law(context())
    slow = overlap(Order().law(context()), CitationLaw(plain.row, plain.cited, plain.probability))
    assert np.allclose(found.shared, slow.shared)
    assert slow.ordering == pytest.approx(0.5)


def test_instability_is_one_minus_the_sum_of_squares():
    fixed = certainly(np.array([[0, 1, 2]]))
    assert positional_instability(fixed, 6) == 0
    assert positional_instability(fixed, 6, text_agreement=0.3) == pytest.approx(0.7)
    assert positional_instability(Random().law(context()), 6) == pytest.approx(5 / 6)
    assert positional_instability(Shuffled().law(context()), 6) == pytest.approx(2 / 3)


def test_citation_frequency_counts_inputs_in_which_the_feature_is_active():
    law = certainly(np.array([[0, 1, 2], [0, 1, 3]]))
    active = np.array([[True, True, True, False, False], [True, False, True, True, False]])
    found = citation_frequency(law, active)
    assert found[:4].tolist() == [1, 1, 0.5, 1]
    assert np.isnan(found[4])


@pytest.mark.slow
def test_samples_follow_the_law_of_each_input():
    law = CitationLaw(
        np.array([0, 0, 1, 2, 2]),
        np.array([[0, 1, 2], [1, 2, 3], [4, 5, 0], [0, 1, 2], [3, 4, 5]]),
        np.array([0.25, 0.75, 1.0, 0.6, 0.4]),
    )
    uniform = np.random.default_rng(SEED).random((3, 4000))
    first = law.sample(uniform)[:, :, 0]
    assert set(first[0]) == {0, 1}
    assert set(first[1]) == {4}
    assert binomtest(int((first[0] == 0).sum()), 4000, 0.25).pvalue > 1e-4
    assert binomtest(int((first[2] == 3).sum()), 4000, 0.4).pvalue > 1e-4
    ends = law.sample(np.array([[0.0, 1 - 1e-16], [0.0, 1 - 1e-16], [0.0, 1 - 1e-16]]))
    assert ends[:, :, 0].tolist() == [[0, 1], [4, 4], [0, 3]]
