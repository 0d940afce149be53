"""Necessity and sufficiency scores, and the places where a score is missing."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st
from support.factors import component_of

from avowed.factors.scores import (
    Counts,
    at_cited,
    mean_score,
    named,
    necessity,
    necessity_counts,
    sufficiency,
    sufficiency_counts,
    uncited,
)

NAN = np.nan


def test_the_score_is_the_share_of_valid_trials() -> None:
    one = component_of(pn=[[2 / 3, 0, 1, None]], ps=[[1 / 3, 1, None, 0]], cited=["abc"])
    assert necessity(one, "blank").tolist()[0][:3] == [2 / 3, 0, 1]
    assert np.isnan(necessity(one, "blank")[0, 3])
    assert sufficiency(one)[0, [0, 1, 3]].tolist() == [1 / 3, 1, 0]
    assert np.isnan(sufficiency(one)[0, 2])


def test_an_invalid_trial_leaves_the_denominator() -> None:
    one = component_of(pn=[[1 / 3, 1]], cited=["ab"])
    trials = one.changed["blank"].copy()
    trials[0, 0] = [1, -1, 0]
    trials[0, 1] = [-1, -1, 1]
    one = replace(one, changed={**one.changed, "blank": trials})
    assert necessity(one, "blank").tolist() == [[0.5, 1.0]]
    assert necessity_counts(one, "blank").valid.tolist() == [[2, 1]]


def test_necessity_belongs_to_its_intervention() -> None:
    one = component_of(pn=[[1, 0]], others={"similar": [[1 / 3, 0]]}, cited=["ab"])
    assert necessity(one, "similar").tolist() == [[1 / 3, 0.0]]
    assert necessity(one, "blank").tolist() == [[1.0, 0.0]]
    assert np.isnan(necessity(one, "contrast")).all()


def test_an_inactive_feature_has_no_score_whatever_was_sent() -> None:
    one = component_of(pn=[[1, 1]], ps=[[1, 1]], cited=["ab"], active=["b"])
    assert np.isnan(necessity(one, "blank")).tolist() == [[True, False]]
    assert np.isnan(sufficiency(one)).tolist() == [[True, False]]


def test_an_input_with_an_invalid_original_has_no_score() -> None:
    one = component_of(pn=[[1, 1], [1, 0]], ps=[[0, 0], [0, 1]], cited=["ab"] * 2, unusable=[0])
    assert np.isnan(necessity(one, "blank")[0]).all() and np.isnan(sufficiency(one)[0]).all()
    assert necessity(one, "blank")[1].tolist() == [1, 0] and sufficiency(one)[1].tolist() == [0, 1]


def test_more_hits_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        _ = Counts(np.array([[2]]), np.array([[1]])).score


def test_scores_are_taken_in_the_order_cited() -> None:
    scores = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    taken = at_cited(scores, np.array([[2, 0, -1], [-1, -1, -1]], dtype=np.int16))
    assert taken[0, :2].tolist() == [0.3, 0.1]
    assert np.isnan(taken[0, 2]) and np.isnan(taken[1]).all()


def test_uncited_is_active_and_not_named() -> None:
    one = component_of(pn=[[0] * 4] * 2, cited=["ac", None], active=["abc", "bd"])
    assert named(one).tolist() == [[True, False, True, False], [False] * 4]
    assert uncited(one).tolist() == [[False, True, False, False], [False, True, False, True]]


def test_the_mean_score_needs_both() -> None:
    one = component_of(pn=[[1, None, 1 / 3]], ps=[[0, 1, 1 / 3]], cited=["abc"])
    found = mean_score(necessity_counts(one, "blank"), sufficiency_counts(one))
    assert found[0, [0, 2]].tolist() == [0.5, 1 / 3] and np.isnan(found[0, 1])


pairs = st.integers(1, 7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(st.lists(st.tuples(pairs, pairs), min_size=2, max_size=6))
@limits(max_examples=150, derandomize=True, deadline=None)
def test_equal_means_are_equal_scores_whatever_their_denominators(
    given: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    first = Counts(*(np.array([[p[i] for p, _ in given]]) for i in (0, 1)))
    second = Counts(*(np.array([[s[i] for _, s in given]]) for i in (0, 1)))
    found = mean_score(first, second)[0]
    exact = [(Fraction(*p) + Fraction(*s)) / 2 for p, s in given]
    for i, one in enumerate(exact):
        for j, other in enumerate(exact):
            assert (found[i] == found[j]) == (one == other)
            assert (found[i] > found[j]) == (one > other)
