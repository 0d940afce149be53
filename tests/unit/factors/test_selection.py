"""The selection baseline over a component's responses."""

import numpy as np
import pytest
from numpy.typing import NDArray

from avowed.factors.scored import Scored, scored_from
from avowed.factors.scores import necessity
from avowed.factors.selection import Compared, baseline_rates, compared, exceedance


def component(
    changed: NDArray[np.integer],
    cited: list[list[int]],
    *,
    active: NDArray[np.bool_] | None = None,
    original: list[int] | None = None,
) -> Scored:
    """Responses with the given 1/0/-1 outcomes under blank, shape (I, F, T)."""
    changed = np.asarray(changed)
    first = np.zeros(changed.shape[0], int) if original is None else np.array(original)
    return scored_from(
        component="made",
        keys=tuple(f"f{i}" for i in range(changed.shape[1])),
        active=np.ones(changed.shape[:2], bool) if active is None else active,
        original=first,
        cited=np.array(cited),
        decisions={"blank": changed},
        repeats=np.zeros((changed.shape[0], 2), int),
    )


def rates(scored: Scored, *, trials: int = 3, leave_out: bool = False) -> list[float]:
    found = compared(scored, necessity(scored, "blank"), no_uncited_counts=not leave_out)
    return [
        float(baseline_rates(found, trials=trials, agreeing=agreeing)[0])
        for agreeing in (False, True)
    ]


def outcomes(rows: list[list[int]], trials: int = 3) -> NDArray[np.integer]:
    """(I, F) numbers of hits of ``trials`` -> (I, F, T) outcomes."""
    hits = np.array(rows)
    return (np.arange(trials) < hits[:, :, None]).astype(int)


def test_pools_means_by_rank_and_by_feature() -> None:
    # Rank means 1, 2/3, 1/3; f3 has the mean 1/2 and f4 the mean 1/6 over the two inputs.
    scored = component(outcomes([[3, 2, 0, 1, 1], [2, 3, 2, 2, 0]]), [[0, 1, 2], [1, 0, 2]])
    for found, agreeing in zip(rates(scored), (False, True), strict=True):
        expected = exceedance([1, 2 / 3, 1 / 3], [0.5, 1 / 6], trials=3, agreeing=agreeing)
        assert found == pytest.approx(expected, abs=1e-12)


def test_inputs_with_none_or_one_uncited_feature_are_averaged() -> None:
    active = np.array([[True, True, True, True], [True, True, True, False]])
    scored = component(outcomes([[1, 1, 1, 2], [1, 1, 1, 0]]), [[0, 1, 2]] * 2, active=active)
    expected = exceedance([1 / 3] * 3, [2 / 3], trials=3) / 2
    assert rates(scored)[0] == pytest.approx(expected, abs=1e-12)
    assert rates(scored, leave_out=True)[0] == pytest.approx(2 * expected, abs=1e-12)


def test_nothing_but_three_active_features_leaves_no_omission() -> None:
    scored = component(outcomes([[3, 1, 0]] * 4), [[0, 1, 2]] * 4)
    assert rates(scored) == [0.0, 0.0]
    assert np.isnan(rates(scored, leave_out=True)).all()


def test_an_inactive_citation_counts_as_zero_and_leaves_the_rank_mean_alone() -> None:
    active = np.array([[True, True, False, True], [True, True, True, True]])
    scored = component(outcomes([[3, 3, 0, 1], [3, 3, 3, 1]]), [[0, 1, 2]] * 2, active=active)
    # First input: 0 is exceeded as soon as f3 is above 0. Second: 1 is never exceeded.
    expected = (1 - (2 / 3) ** 3) / 2
    assert rates(scored)[0] == pytest.approx(expected, abs=1e-12)


def test_unusable_responses_and_invalid_explanations_take_no_part() -> None:
    good = outcomes([[3, 2, 1, 2]] * 3)
    cited = [[0, 1, 2], [-1, -1, -1], [0, 1, 2]]
    scored = component(good, cited, original=[0, 0, -1])
    found = compared(scored, necessity(scored, "blank"))
    assert found.rows.tolist() == [0]
    alone = component(good[:1], cited[:1])
    assert rates(scored) == pytest.approx(rates(alone), abs=1e-15)


def test_no_response_at_all_is_undefined() -> None:
    scored = component(outcomes([[3, 2, 1, 2]]), [[-1, -1, -1]])
    assert np.isnan(rates(scored)).all()


def test_weights_are_repeated_inputs() -> None:
    rng = np.random.default_rng([1, 2, 3, 4])
    hits = rng.integers(0, 4, size=(6, 7)).tolist()
    cited = [rng.permutation(7)[:3].tolist() for _ in range(6)]
    scored = component(outcomes(hits), cited)
    found = compared(scored, necessity(scored, "blank"))
    taken = [0, 0, 3, 4, 4, 4]
    again = component(outcomes([hits[i] for i in taken]), [cited[i] for i in taken])
    weights = np.bincount(taken, minlength=6)[None, :].astype(float)
    for agreeing in (False, True):
        drawn = baseline_rates(found, trials=3, agreeing=agreeing, weights=weights)
        alone = compared(again, necessity(again, "blank"))
        expected = baseline_rates(alone, trials=3, agreeing=agreeing)
        assert drawn.tolist() == pytest.approx(expected.tolist(), abs=1e-12)


def test_extreme_means_give_no_warning_and_exact_rates() -> None:
    ones = Compared(
        cited_scores=np.zeros((2, 3)), uncited_scores=np.ones((2, 4)), rows=np.arange(2)
    )
    assert baseline_rates(ones, trials=3, agreeing=False).tolist() == [1.0]
    zeros = Compared(
        cited_scores=np.ones((2, 3)), uncited_scores=np.ones((2, 4)), rows=np.arange(2)
    )
    assert baseline_rates(zeros, trials=3, agreeing=True).tolist() == [0.0]


@pytest.mark.parametrize(
    ("cited", "uncited", "trials", "said"),
    [
        ([0.5], [0.5], 0, "trials is 0"),
        ([], [0.5], 3, "no cited feature"),
        ([1.5], [0.5], 3, "outside"),
        ([0.5], [float("nan")], 3, "outside"),
    ],
)
def test_unusable_arguments(
    cited: list[float], uncited: list[float], trials: int, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        exceedance(cited, uncited, trials=trials)


def test_weights_of_another_size_are_refused() -> None:
    found = compared(
        scored := component(outcomes([[3, 2, 1, 2]]), [[0, 1, 2]]), necessity(scored, "blank")
    )
    with pytest.raises(ValueError, match="2 columns for 1 responses"):
        baseline_rates(found, trials=3, agreeing=True, weights=np.ones((1, 2)))
