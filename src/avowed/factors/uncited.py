"""Whether an uncited feature scores above the lowest-scoring cited one (NS 3.5, 4.4)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import Scored
from avowed.factors.scores import any_scored, at_cited, uncited

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class UncitedComparison:
    """The comparison of every response under one criterion; all (I,).

    Attributes:
        omission: 1.0 where an uncited feature scores strictly higher, 0.0 where none does, NaN
            where the response is not in the denominator.
        highest: highest score of an eligible uncited feature, NaN where there is none.
        without_uncited: responses without an eligible uncited feature.
    """

    omission: Floats
    highest: Floats
    without_uncited: NDArray[np.bool_]


def highest_uncited(scored: Scored, scores: Floats) -> Floats:
    """Highest score among active, scored, uncited features, (I,); NaN where there is none."""
    eligible = uncited(scored) & ~np.isnan(scores) & scored.explained[:, None]
    highest = np.where(eligible, scores, -np.inf).max(axis=1)
    return np.where(eligible.any(axis=1), highest, np.nan)


def compare_uncited(
    scored: Scored,
    scores: Floats,
    *,
    unscored_cited_value: float = 0.0,
    no_uncited_counts: bool = True,
) -> UncitedComparison:
    """Set the highest eligible uncited score against the lowest cited one.

    Eligible is an uncited feature that is active and has a score. A cited feature that is
    inactive or has no score counts ``unscored_cited_value``. The difference has to be strict. A
    response without an eligible uncited feature is one without an omission, or is left out. One
    that has no score of any feature holds nothing to compare and is always left out.

    Args:
        scored: the component's responses; ``scores`` PN or PS of them, (I, F).
        unscored_cited_value: see above.
        no_uncited_counts: whether a response without an eligible uncited feature counts.

    Source: NS 3.5, "Uncited-feature comparison".
    """
    explained = scored.explained & any_scored(scores)
    named = at_cited(scores, scored.cited)
    lowest = np.where(np.isnan(named), unscored_cited_value, named).min(axis=1)
    highest = highest_uncited(scored, scores)
    without = explained & np.isnan(highest)
    counted = explained if no_uncited_counts else explained & ~without
    # NaN is above nothing: without an uncited feature there is no omission.
    higher = (highest > lowest).astype(np.float64)
    return UncitedComparison(
        omission=np.where(counted, higher, np.nan), highest=highest, without_uncited=without
    )
