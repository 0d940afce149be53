"""The first k cited features against the k highest-scoring uncited ones (NS 3.5, 4.4, D.5)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import Scored
from avowed.factors.scores import at_cited, uncited

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SetComparison:
    """Mean scores of the two sets of every response, (I,); NaN where the response is left out.

    Attributes:
        cited: mean score of the first k cited features.
        uncited: mean score of the k highest-scoring uncited ones.
        too_few: responses with fewer than k scored uncited features, (I,).
    """

    cited: Floats
    uncited: Floats
    too_few: NDArray[np.bool_]


def compare_sets(
    scored: Scored,
    scores: Floats,
    k: int,
    *,
    zero_rule: bool = True,
    unscored_cited_value: float = 0.0,
) -> SetComparison:
    """Compare the two sets under one criterion, which chooses its own uncited set.

    A response is included when at least k uncited features have scores. By the zero rule a cited
    feature that is inactive or unscored counts ``unscored_cited_value``; else it is left out of
    the mean, and a response with no scored one among the first k is left out.

    Raises:
        ValueError: k is below 1.

    Source: NS 3.5, "Set-level comparison"; the zero rule is the one of the uncited comparison,
    which the paper does not repeat here.
    """
    if k < 1:
        raise ValueError(f"k is {k}; a set holds at least one feature")
    explained = scored.explained
    others = np.where(uncited(scored) & explained[:, None], scores, np.nan)
    too_few = explained & ((~np.isnan(others)).sum(axis=1) < k)
    included = explained & ~too_few
    # NaN last: ascending order of the negated scores.
    top = -np.sort(-others, axis=1)[:, :k]
    named = at_cited(scores, scored.cited[:, :k])
    if zero_rule:
        named = np.where(np.isnan(named), unscored_cited_value, named)
    there = ~np.isnan(named)
    included &= there.any(axis=1)
    count = np.maximum(there.sum(axis=1), 1)
    cited_mean = np.where(there, named, 0.0).sum(axis=1) / count
    uncited_mean = np.where(included[:, None], top, 0.0).sum(axis=1) / k
    return SetComparison(
        cited=np.where(included, cited_mean, np.nan),
        uncited=np.where(included, uncited_mean, np.nan),
        too_few=too_few,
    )
