"""Agreement of necessity and sufficiency over the cited features."""

import numpy as np
import pytest

from avowed.factors.agreement import criteria_agreement

TRUE = np.array([True])


def test_it_is_the_correlation_of_the_two_scores_and_ignores_the_stated_order() -> None:
    pn, ps = np.array([[0.0, 1.0, 1.0]]), np.array([[0.0, 0.5, 1.0]])
    found = criteria_agreement(pn, ps, TRUE)
    assert found.rho[0] == pytest.approx(np.sqrt(3) / 2)
    turned = criteria_agreement(pn[:, ::-1], ps[:, ::-1], TRUE)
    assert turned.rho[0] == found.rho[0]


@pytest.mark.parametrize("constant", [0, 1])
def test_it_is_undefined_where_either_score_is_constant(constant: int) -> None:
    scores = [np.array([[0.0, 0.5, 1.0]]), np.array([[0.0, 0.5, 1.0]])]
    scores[constant] = np.full((1, 3), 0.5)
    found = criteria_agreement(scores[0], scores[1], TRUE)
    assert np.isnan(found.rho[0])
    assert found.constant.tolist() == [True] and found.unscored.tolist() == [False]


@pytest.mark.parametrize("missing", [0, 1])
def test_it_needs_both_scores_of_all_three(missing: int) -> None:
    scores = [np.array([[0.0, 0.5, 1.0]]), np.array([[0.0, 0.5, 1.0]])]
    scores[missing][0, 1] = np.nan
    found = criteria_agreement(scores[0], scores[1], TRUE)
    assert np.isnan(found.rho[0]) and found.unscored.tolist() == [True]
    assert not criteria_agreement(scores[0], scores[1], ~TRUE).unscored.any()
