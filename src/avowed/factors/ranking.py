"""Whether the stated order of the cited features agrees with their scores (NS 3.5)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def midranks(values: ArrayLike) -> Floats:
    """Ranks along the last axis, 1 the lowest, ties sharing their mean rank; NaN has no rank.

    >>> midranks([0.5, 0.0, 0.5, np.nan]).tolist()
    [2.5, 1.0, 2.5, nan]
    """
    given = np.asarray(values, dtype=np.float64)
    one, other = given[..., :, None], given[..., None, :]
    below = (other < one).sum(axis=-1)
    equal = (other == one).sum(axis=-1)
    return np.where(np.isnan(given), np.nan, below + (equal + 1) / 2)


def spearman(first: ArrayLike, second: ArrayLike) -> Floats:
    """Spearman correlation along the last axis: Pearson correlation of midranks.

    Places where either value is NaN are left out. NaN where fewer than two places are left or
    where either side is constant: a constant has no order that anything could agree with.

    >>> spearman([3, 2, 1], [1.0, 0.0, 0.0]).round(4).tolist()
    0.866
    >>> spearman([3, 2, 1], [0.5, 0.5, 0.5]).tolist()
    nan
    """
    x, y = np.broadcast_arrays(
        np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    )
    both = ~(np.isnan(x) | np.isnan(y))
    ranks = [midranks(np.where(both, side, np.nan)) for side in (x, y)]
    # The midranks of m values always have mean (m + 1) / 2.
    centre = (both.sum(axis=-1, keepdims=True) + 1) / 2
    a, b = (np.where(both, side - centre, 0.0) for side in ranks)
    spread = (a * a).sum(axis=-1) * (b * b).sum(axis=-1)
    covariance = (a * b).sum(axis=-1)
    root = np.sqrt(np.where(spread > 0, spread, 1.0))
    return np.where(spread > 0, np.clip(covariance / root, -1.0, 1.0), np.nan)


def rank_correlation_of_means(first: Floats, second: Floats) -> Floats:
    """Spearman correlation of means along the last axis.

    Means over inputs are rounded to nine digits first: two sums of thirds that are equal can
    differ in their last digits, which would break a tie.
    """
    return spearman(np.round(first, 9), np.round(second, 9))


@dataclass(frozen=True)
class RankAgreement:
    """Agreement of every response, and why a response has none; all (I,).

    Attributes:
        rho: Spearman correlation of stated importance with the scores, NaN where undefined.
        unscored: responses left out because a cited feature has no score.
        constant: responses left out because the scores of the cited features are all equal.
    """

    rho: Floats
    unscored: NDArray[np.bool_]
    constant: NDArray[np.bool_]


def rank_agreement(
    scores: Floats, explained: NDArray[np.bool_], *, unscored_is_zero: bool = False
) -> RankAgreement:
    """Spearman correlation of stated importance (3, 2, 1) with the scores of the cited features.

    +1: the first cited feature has the highest score, the last the lowest. Ties share midranks.
    Undefined where all scores are equal, so each criterion excludes responses of its own.

    Args:
        scores: scores in the order cited, (I, C), NaN where unscored.
        explained: responses with a valid explanation and a valid decision, (I,).
        unscored_is_zero: counts an unscored feature as 0 instead of leaving the response out.

    Source: NS 3.5; NS table 3 for the exclusion.

    >>> found = rank_agreement(np.array([[1, 1 / 3, 0], [1, 1, 1]]), np.array([True, True]))
    >>> found.rho.tolist(), found.constant.tolist()
    ([1.0, nan], [False, True])
    """
    filled = np.where(np.isnan(scores), 0.0, scores) if unscored_is_zero else scores
    unscored = explained & np.isnan(filled).any(axis=1)
    counted = explained & ~unscored
    importance = np.arange(scores.shape[1], 0, -1, dtype=np.float64)
    rho = np.where(counted, spearman(importance, filled), np.nan)
    return RankAgreement(rho=rho, unscored=unscored, constant=counted & np.isnan(rho))
