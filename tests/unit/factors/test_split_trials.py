"""The split-trial estimate: near 0 for exchangeable features, sign kept for a planted winner."""

import numpy as np
import pytest
from numpy.typing import NDArray

from avowed.factors.scored import Scored, scored_from
from avowed.factors.split_trials import split_trials


def component(
    changed: NDArray[np.integer],
    cited: NDArray[np.integer] | list[list[int]],
    *,
    active: NDArray[np.bool_] | None = None,
    original: NDArray[np.integer] | None = None,
    name: str = "blank",
) -> Scored:
    """Responses whose trials differ from decision 0 where ``changed`` is 1; -1 is no response."""
    changed = np.asarray(changed)
    return scored_from(
        component="made",
        keys=tuple(f"f{i}" for i in range(changed.shape[1])),
        active=np.ones(changed.shape[:2], bool) if active is None else active,
        original=np.zeros(changed.shape[0], int) if original is None else original,
        cited=np.asarray(cited),
        decisions={name: changed},
        repeats=np.zeros((changed.shape[0], 2), int),
    )


def drawn(p: list[float], inputs: int, seed: int, trials: int = 3) -> Scored:
    rng = np.random.default_rng([13, seed, inputs, trials])
    changed = (rng.random((inputs, len(p), trials)) < np.array(p)[:, None]).astype(int)
    return component(changed, [[0, 1, 2]] * inputs)


def by_hand(changed: list[list[int]], cited: list[int]) -> tuple[float, float, float]:
    """One response, every split and every tie written out; no trial missing."""
    trials, found = len(changed[0]), []
    others = [f for f in range(len(changed)) if f not in cited]
    for t in range(trials):
        rest = [[row[s] for s in range(trials) if s != t] for row in changed]
        score = [sum(row) / len(row) for row in rest]
        top, low = max(changed[f][t] for f in others), min(changed[f][t] for f in cited)
        gaps = [
            score[u] - score[c]
            for u in others
            for c in cited
            if changed[u][t] == top and changed[c][t] == low
        ]
        found.append(
            [
                sum(gaps) / len(gaps),
                sum(g > 0 for g in gaps) / len(gaps),
                sum(g < 0 for g in gaps) / len(gaps),
            ]
        )
    means = np.mean(found, axis=0).tolist()
    return means[0], means[1], means[2]


@pytest.mark.parametrize("seed", range(8))
def test_against_every_split_by_hand(seed: int) -> None:
    rng = np.random.default_rng([1, 13, seed, 0])
    changed = rng.integers(0, 2, size=(1, 6, 3))
    cited = rng.permutation(6)[:3].tolist()
    found = split_trials(component(changed, [cited]), "blank")
    expected = by_hand(changed[0].tolist(), cited)
    assert [found.difference[0], found.higher[0], found.lower[0]] == pytest.approx(expected)
    assert found.splits.tolist() == [3]


def means(scored: Scored) -> tuple[float, float, float, float]:
    found = split_trials(scored, "blank")
    error = found.difference.std(ddof=1) / np.sqrt(found.inputs)
    return (
        float(found.difference.mean()),
        float(error),
        float(found.net.mean()),
        float(found.higher.mean()),
    )


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_near_zero_for_exchangeable_features_but_the_bare_rate_is_not(p: float) -> None:
    # The comparison on all trials says .95 and more here; one seed in 100,000 exceeds 4.5 errors.
    difference, error, net, higher = means(drawn([p] * 18, 4000, int(10 * p)))
    assert abs(difference) < 4.5 * error
    assert abs(net) < 0.05
    assert higher > 0.15


def test_keeps_the_sign_of_a_planted_uncited_winner() -> None:
    difference, error, net, _ = means(drawn([0.6, 0.5, 0.2, *[0.1] * 14, 0.9], 1000, 1))
    assert difference > 10 * error
    assert net > 0


def test_keeps_the_sign_where_the_cited_features_win() -> None:
    difference, error, net, _ = means(drawn([0.95, 0.9, 0.85, *[0.1] * 15], 1000, 2))
    assert difference < -10 * error
    assert net < 0


def test_noise_shared_through_y_is_not_removed() -> None:
    """All marginal PNs are 1/2, and yet every held-out difference is 1.

    y is a coin; the even features make the component say 0, the odd ones 1, for certain. Whatever
    y is, half of the features change it on every trial.
    """
    y = np.random.default_rng([1, 1, 1, 1]).integers(0, 2, size=200)
    says = np.broadcast_to((np.arange(8) % 2)[None, :, None], (200, 8, 3))
    scored = component(says, [[0, 1, 2]] * 200, original=y)
    assert 0.4 < (says[:, :, 0] != y[:, None]).mean() < 0.6
    assert split_trials(scored, "blank").difference.tolist() == [1.0] * 200


def test_invalid_trials_leave_their_split() -> None:
    # f3 (uncited) has a valid trial 0 only: nothing is left to score it on, so no split counts.
    changed = np.array([[[0, 0, 0], [1, 1, 1], [1, 1, 1], [1, -1, -1]]])
    found = split_trials(component(changed, [[0, 1, 2]]), "blank")
    assert (found.splits.tolist(), found.inputs) == ([0], 0)
    assert np.isnan(found.difference).all() and np.isnan(found.net).all()
    # With two valid trials it can be picked on each and is scored on the other one.
    changed[0, 3] = [1, 0, -1]
    found = split_trials(component(changed, [[0, 1, 2]]), "blank")
    assert found.splits.tolist() == [2]
    # Picked on trial 0 it scores 0, on trial 1 it scores 1; f0 always scores 0.
    assert found.difference.tolist() == [0.5]
    assert (found.higher.tolist(), found.lower.tolist()) == ([0.5], [0.0])


def test_a_feature_that_cannot_be_scored_is_not_picked() -> None:
    # f3 is highest on trial 0 and has no other trial: f4 is picked there.
    changed = np.array([[[0, 0, 0], [1, 1, 1], [1, 1, 1], [1, -1, -1], [0, 1, 1]]])
    found = split_trials(component(changed, [[0, 1, 2]]), "blank")
    assert found.splits.tolist() == [3]
    assert found.difference.tolist() == pytest.approx([(1 + 0.5 + 0.5) / 3])


def test_an_inactive_citation_counts_as_zero() -> None:
    changed = np.array([[[1, 1, 1], [1, 1, 1], [-1, -1, -1], [1, 1, 1]]])
    active = np.array([[True, True, False, True]])
    found = split_trials(component(changed, [[0, 1, 2]], active=active), "blank")
    assert (found.difference.tolist(), found.splits.tolist()) == ([1.0], [3])


def test_a_citation_with_some_invalid_trials_is_scored_on_the_others() -> None:
    # Only the one without any valid trial has the fixed value, here f0 has two of three.
    changed = np.array([[[1, 1, -1], [1, 1, 1], [1, 1, 1], [1, 1, 1]]])
    found = split_trials(component(changed, [[0, 1, 2]]), "blank", unscored_cited_value=-5.0)
    assert (found.difference.tolist(), found.splits.tolist()) == ([0.0], [3])
    changed[0, 0] = [-1, -1, -1]
    found = split_trials(component(changed, [[0, 1, 2]]), "blank", unscored_cited_value=-5.0)
    assert found.difference.tolist() == [6.0]


def test_responses_that_cannot_be_compared_have_no_value() -> None:
    changed = np.ones((3, 4, 3), int)
    cited = [[0, 1, 2], [-1, -1, -1], [0, 1, 2]]
    active = np.array([[True] * 4, [True] * 4, [True, True, True, False]])
    found = split_trials(
        component(changed, cited, active=active, original=np.array([-1, 0, 0])), "blank"
    )
    assert found.inputs == 0


def test_sufficiency_counts_preserved_decisions() -> None:
    changed = np.array([[[1, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]])
    cited = [[0, 1, 2]]
    kept = split_trials(component(changed, cited, name="sufficiency"), "sufficiency")
    assert kept.difference.tolist() == [1.0]
    assert split_trials(component(1 - changed, cited), "blank").difference.tolist() == [1.0]


def test_one_trial_cannot_be_split() -> None:
    with pytest.raises(ValueError, match="at least two"):
        split_trials(component(np.ones((1, 4, 1), int), [[0, 1, 2]]), "blank")
