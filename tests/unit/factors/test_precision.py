"""Variance components of one component's measures."""

from dataclasses import replace

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.precision import precision_of
from avowed.factors.scored import Scored
from avowed.factors.settings import FactorSettings
from avowed.factors.trials_needed import components_of_mean

THIRD = 1 / 3


def made() -> Scored:
    return component_of(
        pn=[[1, 2 * THIRD, 0, THIRD], [THIRD, THIRD, 1, 0], [0, 2 * THIRD, THIRD, 1]],
        ps=[[0, 0, THIRD, 1], [1, 2 * THIRD, 0, 0], [1, 1, 0, THIRD]],
        cited=["abc", "cba", "bcd"],
    )


def test_every_measure_and_its_rank() -> None:
    found = precision_of(made(), "blank", FactorSettings())
    assert [(one.quantity, one.k) for one in found] == [
        (f"{criterion}_by_rank", k) if k else (f"{kind}_{criterion}", None)
        for criterion in ("necessity", "sufficiency")
        for k, kind in ((1, ""), (2, ""), (3, ""), (0, "rank_agreement"), (0, "uncited_rate"))
    ]
    assert {one.trials for one in found} == {3}


def test_a_rank_takes_the_feature_that_stands_there() -> None:
    first = precision_of(made(), "blank", FactorSettings())[0].components
    # First cited: a with 3 of 3, c with 3 of 3, b with 2 of 3.
    assert first == components_of_mean(np.array([[1.0, 1, 1], [1, 1, 1], [1, 1, 0]]))


def test_invalid_explanations_are_no_inputs() -> None:
    scored = replace(made(), cited=np.array([[0, 1, 2], [-1, -1, -1], [1, 2, 3]]))
    first = precision_of(scored, "blank", FactorSettings())[0].components
    assert (first.inputs, first.defined) == (2, 1.0)


def test_one_trial_has_nothing_between_trials() -> None:
    scored = component_of(pn=[[1, 0, 1]], ps=[[1, 0, 0]], cited=["abc"], trials=1)
    assert precision_of(scored, "blank", FactorSettings()) == []


def test_settings_reach_the_measures() -> None:
    scored = component_of(
        pn=[[1, 0, THIRD], [0, 1, THIRD]], ps=[[1, 0, 0]] * 2, cited=["abc"] * 2, active=["abc"] * 2
    )
    kept = {one.quantity: one for one in precision_of(scored, "blank", FactorSettings())}
    left = FactorSettings(no_uncited_counts=False)
    out = {one.quantity: one for one in precision_of(scored, "blank", left)}
    assert kept["uncited_rate_necessity"].components.defined == 1.0
    assert out["uncited_rate_necessity"].components.defined == pytest.approx(0.0)
