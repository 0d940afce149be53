"""The set comparison: who is included, the zero rule, and the uncited set."""

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.scored import Scored
from avowed.factors.scores import necessity
from avowed.factors.sets import SetComparison, compare_sets


def sets(one: Scored, k: int, *, zero_rule: bool = True) -> SetComparison:
    return compare_sets(one, necessity(one, "blank"), k, zero_rule=zero_rule)


def test_the_first_k_cited_stand_against_the_k_highest_uncited() -> None:
    one = component_of(pn=[[1, 0, 2 / 3, 1 / 3, 1, 0]], cited=["abc"])
    two, three = sets(one, 2), sets(one, 3)
    assert (two.cited[0], two.uncited[0]) == pytest.approx((1 / 2, 2 / 3))
    assert (three.cited[0], three.uncited[0]) == pytest.approx((5 / 9, 4 / 9))


def test_k_uncited_features_need_scores() -> None:
    one = component_of(pn=[[1, 1, 1, 1, 0], [1, 1, 1, 1, None]], cited=["abc"] * 2)
    found = sets(one, 2)
    assert found.too_few.tolist() == [False, True]
    assert np.isnan(found.cited).tolist() == np.isnan(found.uncited).tolist() == [False, True]
    # Inactive ones do not count either: three active and all cited.
    monitor = component_of(pn=[[1] * 5], cited=["abc"], active=["abc"])
    assert sets(monitor, 1).too_few.tolist() == [True]


def test_an_unscored_citation_counts_0_or_is_left_out_of_the_mean() -> None:
    one = component_of(pn=[[None, 1, 1, 0, 0], [None, None, 1, 0, 0]], cited=["abc"] * 2)
    assert sets(one, 2).cited.tolist() == [0.5, 0.0]
    assert sets(one, 2, zero_rule=False).cited.tolist()[0] == 1.0
    assert np.isnan(sets(one, 2, zero_rule=False).cited[1])
    assert np.isnan(sets(one, 2, zero_rule=False).uncited[1])


def test_the_uncited_set_is_chosen_among_scored_ones() -> None:
    one = component_of(pn=[[0, 0, 0, None, 1, 1 / 3]], cited=["abc"])
    assert sets(one, 2).uncited[0] == pytest.approx(2 / 3)


def test_a_response_without_explanation_is_left_out_and_not_for_being_too_small() -> None:
    one = component_of(pn=[[1, 1, 1, 1, 1]] * 2, cited=[None, "abc"], unusable=[1])
    found = sets(one, 2)
    assert np.isnan(found.cited).all() and not found.too_few.any()


def test_a_set_holds_at_least_one() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        sets(component_of(pn=[[1, 1, 1, 1]], cited=["abc"]), 0)
