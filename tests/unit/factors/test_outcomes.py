"""Trials as 0 and 1: their mean is the score."""

from dataclasses import replace

import numpy as np
from support.factors import component_of

from avowed.factors.outcomes import trial_outcomes
from avowed.factors.scores import necessity, sufficiency


def test_the_mean_over_trials_is_the_score() -> None:
    scored = component_of(
        pn=[[1, 1 / 3, None, 0], [2 / 3, 0, 1, 1]],
        ps=[[0, 1, None, 2 / 3], [1 / 3, 1, 0, 0]],
        cited=["abc", "dcb"],
        active=["abcd", "abd"],
        unusable=[],
    )
    for name, scores in (
        ("blank", necessity(scored, "blank")),
        ("sufficiency", sufficiency(scored)),
    ):
        outcomes = trial_outcomes(scored, name)
        valid = ~np.isnan(outcomes)
        assert (valid.any(axis=2) == ~np.isnan(scores)).all()
        means = np.nansum(outcomes, axis=2)[valid.any(axis=2)] / 3
        assert means.tolist() == scores[~np.isnan(scores)].tolist()


def test_nothing_counts_where_the_original_response_is_invalid() -> None:
    scored = component_of(pn=[[1, 1, 1], [1, 1, 1]], cited=["abc"] * 2, unusable=[0])
    assert np.isnan(trial_outcomes(scored, "blank")).all(axis=(1, 2)).tolist() == [True, False]
    scored = replace(scored, usable=np.array([True, False]))
    assert np.isnan(trial_outcomes(scored, "blank")).all()
