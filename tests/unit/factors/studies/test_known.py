"""Responses drawn from the laws of a known component."""

from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from avowed.factors.scores import necessity, sufficiency
from avowed.factors.studies.known import Known

INPUTS, FEATURES, TRIALS = 2, 4, 3


def cites_first_three(rng: np.random.Generator, rows: NDArray[np.intp]) -> NDArray[np.integer]:
    return np.tile([0, 1, 2], (rows.size, 1))


def component(**changes: object) -> Known:
    """y is 0 with 3/4 and 1 with 1/4; feature f makes every trial 2 with probability f / 4."""
    leave = np.arange(FEATURES) / 4
    law = np.zeros((INPUTS, FEATURES, TRIALS, 3))
    law[..., 0], law[..., 2] = (1 - leave)[:, None], leave[:, None]
    there = np.ones((INPUTS, FEATURES), bool)
    values: dict[str, object] = {
        "name": "known",
        "use_case": "made",
        "keys": tuple("abcd"),
        "primary": "blank",
        "active": np.array([[True] * 4, [True] * 3 + [False]]),
        "original": np.tile([0.75, 0.25, 0.0], (INPUTS, 1)),
        "modified": {"blank": law, "sufficiency": law},
        "constructible": {"blank": there, "sufficiency": there},
        "cite": cites_first_three,
    }
    return Known(**{**values, **changes})  # type: ignore[arg-type]


def test_shares_are_the_laws() -> None:
    """40,000 responses; 4.5 standard errors fail for one seed in 10,000 over all comparisons."""
    many = 40_000
    scored = component().respond(
        np.random.default_rng([1, 2, 1, 2]), np.zeros(many, np.intp), repeats=2
    )
    pn, ps = necessity(scored, "blank"), sufficiency(scored)
    for f in range(FEATURES):
        same = 0.75 * (1 - f / 4)
        limit = 4.5 * 0.5 / sqrt(many)
        assert abs(pn[:, f].mean() - (1 - same)) < limit
        assert abs(ps[:, f].mean() - same) < limit
    assert abs(scored.repeats.mean() - 2 * 0.75 * 0.25) < 4.5 * 0.5 / sqrt(2 * many)
    assert scored.usable.all() and scored.explained.all()


def test_trials_of_one_input_share_y() -> None:
    scored = component().respond(np.random.default_rng(3), np.zeros(1000, np.intp), repeats=1)
    # Without f = a the component always says 0: all trials tell whether y is 0.
    trials = scored.changed["blank"][:, 0]
    assert (trials == trials[:, :1]).all()
    assert 0 < trials.mean() < 1


def test_rows_choose_the_inputs() -> None:
    scored = component().respond(np.random.default_rng(4), np.array([1, 0, 1]), repeats=1)
    assert scored.active[:, 3].tolist() == [False, True, False]
    assert (scored.changed["blank"][[0, 2], 3] == -1).all()
    assert (scored.changed["blank"][1, 3] >= 0).all()


def test_what_cannot_be_constructed_has_no_trial() -> None:
    there = np.ones((INPUTS, FEATURES), bool)
    there[0, 1] = False
    known = component(constructible={"blank": there, "sufficiency": ~there | there})
    scored = known.respond(np.random.default_rng(5), np.array([0]), repeats=1)
    assert (scored.changed["blank"][0, 1] == -1).all()
    assert (scored.changed["sufficiency"][0, 1] >= 0).all()


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_broken_responses_come_at_their_rates(rate: float) -> None:
    many = 20_000
    scored = component(invalid=rate).respond(
        np.random.default_rng(6), np.zeros(many, np.intp), repeats=1
    )
    assert abs((~scored.usable).mean() - rate) < 4.5 * 0.5 / sqrt(many)
    spoilt = component(misexplained=rate).respond(
        np.random.default_rng(7), np.zeros(many, np.intp), repeats=1
    )
    assert spoilt.usable.all()
    assert abs((~spoilt.explained).mean() - rate) < 4.5 * 0.5 / sqrt(many)
