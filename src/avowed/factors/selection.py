"""How often an uncited feature would score higher by selection alone (definitions NS 13).

The uncited comparison sets a maximum over up to 15 noisy scores against a minimum over three
(NS 3.5). A maximum of noise is high and a minimum of noise is low, so the rate is large even where
no uncited feature matters more than any cited one. The closed forms here say how large.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr

from avowed.factors.bootstrap import Statistic
from avowed.factors.scored import Scored
from avowed.factors.scores import any_scored, at_cited, uncited
from avowed.factors.settings import FactorSettings

Floats = NDArray[np.float64]

# Stands in for log(0): its exponential is 0 to every digit, and times a weight of 0 it stays 0.
_LOG_OF_ZERO = -1e6

# A third of three trials is one trial, also after rounding.
_ROUNDING = 1e-9


def _not_above(probability: Floats, trials: int) -> Floats:
    """P(score <= v / T) for v = 0 .. T-1, shape (..., T), of a score Binomial(T, p) / T."""
    return np.asarray(bdtr(np.arange(trials), trials, probability[..., None]), dtype=np.float64)


def _lowest(above: Floats) -> Floats:
    """P(lowest cited score = v / T) for v = 0 .. T-1; v = T cannot be exceeded.

    From P(score > v / T) of every cited feature, shape (..., C, T), to shape (..., T).
    """
    all_above = np.prod(above, axis=-2)
    before = np.concatenate([np.ones_like(all_above[..., :1]), all_above[..., :-1]], axis=-1)
    return np.asarray(before - all_above, dtype=np.float64)


def exceedance(
    cited: ArrayLike, uncited: ArrayLike, *, trials: int, agreeing: bool = False
) -> float:
    """Probability that the highest uncited score is strictly above the lowest cited one.

    Each of T trials counts towards a feature's score with that feature's probability, and features
    are independent. For independent trials a score is Binomial(T, p) / T. For agreeing trials all
    T trials of a feature give the same answer, so a score is 1 with probability p and 0 else. Real
    trials of one input at temperature 0 lie between the two. With F_c and F_u the distribution
    functions of the scores,

        sum over v of P(min cited = v / T) * (1 - prod over u of F_u(v / T)),
        P(min cited > v / T) = prod over c of (1 - F_c(v / T)).

    Args:
        cited: probability of each cited feature, shape (C,), C >= 1.
        uncited: probability of each uncited feature, shape (U,); with none the rate is 0.
        trials: T.
        agreeing: agreeing instead of independent trials.

    Raises:
        ValueError: fewer than one trial, no cited feature, or a probability outside [0, 1].

    Source: NS 3.5 defines the comparison; definitions NS 13.

    >>> round(exceedance([0.05] * 3, [0.05] * 15, trials=3), 2)
    0.9
    >>> round(exceedance([0.731, 0.583, 0.482], [0.05] * 15, trials=3, agreeing=True), 3)
    0.426
    """
    named, others = np.asarray(cited, dtype=np.float64), np.asarray(uncited, dtype=np.float64)
    if trials < 1:
        raise ValueError(f"trials is {trials}; at least one is needed")
    if not named.size:
        raise ValueError("there is no cited feature to compare with")
    both = np.concatenate([named, others])
    if not bool(np.all((both >= 0) & (both <= 1))):
        raise ValueError("a probability is outside [0, 1]")
    steps = 1 if agreeing else trials
    higher = 1 - np.prod(_not_above(others, steps), axis=0)
    return float(_lowest(1 - _not_above(named, steps)) @ higher)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """The responses of a component that enter the uncited comparison under one criterion.

    Attributes:
        cited_scores: scores by cited rank, shape (N, C), NaN where inactive or unscored.
        uncited_scores: scores of the features that are active, scored and not cited, shape (N, F);
            NaN elsewhere.
        rows: which inputs these N responses are, shape (N,).
    """

    cited_scores: Floats
    uncited_scores: Floats
    rows: NDArray[np.intp]


def compared(scored: Scored, scores: Floats, *, no_uncited_counts: bool = True) -> Compared:
    """Split scores into cited ranks and eligible uncited features (NS 3.5).

    A response takes part when its decision and its explanation are valid and some feature of it
    has a score.

    Args:
        scored: the component's responses; ``scores`` PN or PS of them, shape (I, F), NaN where
            unscored.
        no_uncited_counts: a response without an eligible uncited feature takes part as one
            without an omission (definitions NS 5); else it is left out.
    """
    others = np.where(uncited(scored), scores, np.nan)
    takes_part = scored.explained & any_scored(scores)
    if not no_uncited_counts:
        takes_part = takes_part & ~np.isnan(others).all(axis=1)
    rows = np.flatnonzero(takes_part)
    by_rank = at_cited(scores, scored.cited)
    return Compared(cited_scores=by_rank[rows], uncited_scores=others[rows], rows=rows)


def _weighted_means(scores: Floats, weights: Floats) -> Floats:
    """Mean of every column over the inputs that have it, (B, columns); 0 where none has."""
    there = ~np.isnan(scores)
    total, count = weights @ np.where(there, scores, 0.0), weights @ there.astype(np.float64)
    means = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    # Rounding can leave a mean of ones a last digit above 1.
    return np.clip(means, 0.0, 1.0)


def baseline_rates(
    responses: Compared,
    *,
    trials: int,
    agreeing: bool,
    unscored_cited_value: float = 0.0,
    weights: Floats | None = None,
) -> Floats:
    """The rate that selection alone gives at the component's own mean scores.

    The cited features of all inputs have the mean score of their rank, and an uncited feature its
    mean score over the inputs in which it is eligible and uncited: a reference that assumes
    homogeneous inputs. Where they are not it can be too high: if y is noise in some inputs, all
    scores are high together there, and no uncited one exceeds them.

    The rate is the mean over inputs of ``exceedance`` with that input's eligible uncited features,
    so inputs may have different numbers of them, also none. A cited feature that is inactive or
    unscored has its fixed value, as in the comparison itself, and stays out of the rank's mean.

    Args:
        responses: what ``compared`` found.
        trials: T, trials of one modified input.
        agreeing: agreeing instead of independent trials.
        unscored_cited_value: score of an inactive or unscored cited feature (NS 3.5: 0).
        weights: how often each of the N responses is taken, shape (B, N), for a bootstrap over
            inputs; every response once when left out.

    Returns:
        Rates, shape (B,), or (1,) without weights; NaN where no response has weight.

    Raises:
        ValueError: the weights are for another number of responses.

    Source: definitions NS 13.

    >>> three = Compared(
    ...     cited_scores=np.full((2, 3), 0.5),
    ...     uncited_scores=np.array([[np.nan, np.nan, np.nan, 0.5]] * 2),
    ...     rows=np.arange(2),
    ... )
    >>> baseline_rates(three, trials=3, agreeing=True).round(4).tolist()
    [0.4375]
    """
    count = responses.rows.size
    taken = np.ones((1, count)) if weights is None else np.asarray(weights, dtype=np.float64)
    if taken.shape[1] != count:
        raise ValueError(f"weights have {taken.shape[1]} columns for {count} responses")
    steps = 1 if agreeing else trials
    above = 1 - _not_above(_weighted_means(responses.cited_scores, taken), steps)
    # A fixed value between two possible scores is exceeded by the upper one of them.
    fixed = np.floor(unscored_cited_value * steps + _ROUNDING) > np.arange(steps)
    below = _not_above(_weighted_means(responses.uncited_scores, taken), steps)
    logs = np.full(below.shape, _LOG_OF_ZERO)
    np.log(below, out=logs, where=below > 0)
    eligible = (~np.isnan(responses.uncited_scores)).astype(np.float64)
    patterns, which = np.unique(np.isnan(responses.cited_scores), axis=0, return_inverse=True)
    total = np.zeros(taken.shape[0])
    # At most 2^C ways of having unscored citations; the lowest score has one law in each.
    for number, pattern in enumerate(patterns):
        rows = which == number
        lowest = _lowest(np.where(pattern[:, None], fixed, above))
        for value in range(steps):
            higher = 1 - np.exp(logs[:, :, value] @ eligible[rows].T)
            total += lowest[:, value] * (taken[:, rows] * higher).sum(axis=1)
    size = taken.sum(axis=1)
    rates = np.divide(total, size, out=np.full_like(total, np.nan), where=size > 0)
    return np.asarray(rates, dtype=np.float64)


def selection_statistics(
    scored: Scored,
    scores: Floats,
    weights: Floats,
    settings: FactorSettings,
    *,
    criterion: str,
    trials: int,
) -> list[Statistic]:
    """Both baselines of one criterion with their resamples over inputs.

    Args:
        scored: the component's responses.
        scores: PN or PS of them, shape (I, F).
        weights: of ``draw_weights``, shape (1 + B, I).
        settings: the readings of the uncited comparison.
        criterion: ``necessity`` or ``sufficiency``, put behind the quantity's name.
        trials: T, named in the note.

    Returns:
        ``selection_independent_<criterion>`` and ``selection_agreeing_<criterion>``.
    """
    found = compared(scored, scores, no_uncited_counts=settings.no_uncited_counts)
    used = np.zeros(scored.inputs, dtype=bool)
    used[found.rows] = True
    return [
        Statistic(
            quantity=f"selection_{name}_{criterion}",
            component=scored.component,
            draws=baseline_rates(
                found,
                trials=trials,
                agreeing=agreeing,
                unscored_cited_value=settings.unscored_cited_value,
                weights=weights[:, found.rows],
            ),
            n=found.rows.size,
            used=used,
            is_mean=False,
            note=f"rate by selection alone if inputs were alike, {trials} {name} trials",
        )
        for name, agreeing in (("independent", False), ("agreeing", True))
    ]
