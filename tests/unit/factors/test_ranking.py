"""Rank agreement: its sign, its ties, and the responses that have none."""

import numpy as np
import pytest

from avowed.factors.ranking import (
    midranks,
    rank_agreement,
    rank_correlation_of_means,
    spearman,
)

TRUE = np.array([True])


def rho(*scores: float, zero: bool = False) -> float:
    return float(rank_agreement(np.array([scores]), TRUE, unscored_is_zero=zero).rho[0])


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((1.0, 0.5, 0.0), 1.0),
        ((0.0, 0.5, 1.0), -1.0),
        ((1.0, 0.0, 0.5), 0.5),
        ((0.5, 1.0, 0.0), 0.5),
        ((0.5, 0.0, 1.0), -0.5),
        # With scores of 0 and 1 alone the largest possible value is sqrt(3) / 2.
        ((1.0, 0.0, 0.0), np.sqrt(3) / 2),
        ((1.0, 1.0, 0.0), np.sqrt(3) / 2),
        ((0.0, 1.0, 1.0), -np.sqrt(3) / 2),
        ((0.0, 1.0, 0.0), 0.0),
        ((1.0, 0.0, 1.0), 0.0),
    ],
)
def test_plus_one_means_the_first_cited_scores_highest(
    scores: tuple[float, ...], expected: float
) -> None:
    assert rho(*scores) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("score", [0.0, 1 / 3, 1.0])
def test_equal_scores_have_no_agreement_and_are_counted(score: float) -> None:
    found = rank_agreement(np.full((1, 3), score), TRUE)
    assert np.isnan(found.rho[0])
    assert found.constant.tolist() == [True] and found.unscored.tolist() == [False]


def test_an_unscored_feature_excludes_the_response_or_counts_as_0() -> None:
    assert np.isnan(rho(1.0, 0.5, np.nan))
    assert rho(1.0, 0.5, np.nan, zero=True) == 1.0
    found = rank_agreement(np.array([[1.0, 0.5, np.nan]]), TRUE)
    assert found.unscored.tolist() == [True] and found.constant.tolist() == [False]
    none = rank_agreement(np.full((1, 3), np.nan), TRUE, unscored_is_zero=True)
    assert none.constant.tolist() == [True] and none.unscored.tolist() == [False]


def test_a_response_without_an_explanation_is_neither() -> None:
    found = rank_agreement(np.array([[1.0, 0.5, 0.0]]), ~TRUE)
    assert np.isnan(found.rho[0])
    assert not found.unscored.any() and not found.constant.any()


def test_midranks_share_the_mean_of_their_places() -> None:
    assert midranks([3.0, 1.0, 3.0, 3.0]).tolist() == [3.0, 1.0, 3.0, 3.0]
    assert midranks([[2.0, 1.0], [1.0, 1.0]]).tolist() == [[2.0, 1.0], [1.5, 1.5]]


def test_places_without_both_values_are_left_out() -> None:
    full = spearman([1.0, 2.0, 3.0], [2.0, 1.0, 3.0])
    assert spearman([1.0, 9.0, 2.0, 3.0], [2.0, np.nan, 1.0, 3.0]) == full == 0.5
    assert np.isnan(spearman([1.0, np.nan], [np.nan, 1.0]))
    assert np.isnan(spearman([1.0], [1.0]))


def test_means_that_differ_by_rounding_are_tied() -> None:
    third = np.array([0.1 + 0.2, 0.3, 0.0])
    assert third[0] != third[1]
    assert rank_correlation_of_means(third, np.array([0.3, 0.6, 0.0])) == pytest.approx(
        np.sqrt(3) / 2
    )
