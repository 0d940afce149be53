"""The uncited comparison: who is eligible, what counts 0, and what stays in the denominator."""

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.scored import Scored
from avowed.factors.scores import necessity
from avowed.factors.uncited import compare_uncited, highest_uncited


def omissions(one: Scored, *, counts: bool = True, value: float = 0.0) -> list[float]:
    return compare_uncited(
        one, necessity(one, "blank"), no_uncited_counts=counts, unscored_cited_value=value
    ).omission.tolist()


@pytest.mark.parametrize(
    ("scores", "omission"),
    [
        # The comparator is the lowest cited score, here at rank 1, 2 and 3.
        ([1 / 3, 1, 1, 2 / 3, 0], 1.0),
        ([1, 1 / 3, 1, 2 / 3, 0], 1.0),
        ([1, 1, 1 / 3, 2 / 3, 0], 1.0),
        # Equal is not above.
        ([1, 1, 2 / 3, 2 / 3, 2 / 3], 0.0),
        ([0, 0, 0, 0, 0], 0.0),
        ([1, 1, 1, 2 / 3, 0], 0.0),
        # The ranks-1-3-5 policy: perfectly ordered, and still a stronger feature is left out.
        ([1, 2 / 3, 0, 1 / 3, 0], 1.0),
    ],
)
def test_the_highest_uncited_is_set_against_the_lowest_cited(
    scores: list[float], omission: float
) -> None:
    assert omissions(component_of(pn=[scores], cited=["abc"])) == [omission]


def test_an_unscored_or_inactive_citation_counts_0() -> None:
    unscored = component_of(pn=[[1, 1, None, 1 / 3]], cited=["abc"])
    assert omissions(unscored) == [1.0]
    assert omissions(unscored, value=0.5) == [0.0]
    inactive = component_of(pn=[[1, 1, 1, 1 / 3]], cited=["abc"], active=["abd"])
    assert omissions(inactive) == [1.0]
    # Against an uncited score of 0 there is no strict difference.
    assert omissions(component_of(pn=[[1, 1, None, 0]], cited=["abc"])) == [0.0]


def test_an_uncited_feature_must_be_active_and_scored() -> None:
    unscored = component_of(pn=[[0, 0, 0, None]], cited=["abc"])
    inactive = component_of(pn=[[0, 0, 0, 1]], cited=["abc"], active=["abc"])
    for one in (unscored, inactive):
        assert omissions(one) == [0.0]
        assert np.isnan(omissions(one, counts=False)[0])
        found = compare_uncited(one, necessity(one, "blank"))
        assert found.without_uncited.tolist() == [True] and np.isnan(found.highest[0])


def test_a_response_without_any_score_holds_nothing_to_compare() -> None:
    one = component_of(pn=[[None] * 4, [0, 0, 0, 1]], cited=["abc", "abc"])
    for counts in (True, False):
        assert np.isnan(omissions(one, counts=counts)).tolist() == [True, False]
    found = compare_uncited(one, necessity(one, "blank"))
    assert found.without_uncited.tolist() == [False, False]


def test_without_explanation_or_decision_a_response_is_in_no_denominator() -> None:
    one = component_of(pn=[[0, 0, 0, 1]] * 3, cited=[None, "abc", "abc"], unusable=[1])
    assert np.isnan(omissions(one)).tolist() == [True, True, False]
    found = compare_uncited(one, necessity(one, "blank"))
    assert found.without_uncited.tolist() == [False] * 3
    assert np.isnan(highest_uncited(one, necessity(one, "blank"))).tolist() == [True, True, False]
