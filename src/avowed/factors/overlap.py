"""How far two components cite the same features, and in the same order (NS 4.3, D.4)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import Scored

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Overlap:
    """Two components' explanations of the same inputs, (I,); NaN where not comparable.

    Attributes:
        jaccard: shared features / all features that either cites.
        coefficient: shared features / features that one cites.
        ordering: share of the pairs of shared features that both order alike.
    """

    jaccard: Floats
    coefficient: Floats
    ordering: Floats


def compare_explanations(first: Scored, second: Scored, *, min_shared: int = 2) -> Overlap:
    """Compare what two components cite for each input.

    An input counts where both explanations are valid. The paper calls its score feature overlap
    without a formula: the Jaccard index and the overlap coefficient are both given. Ordering
    agreement needs ``min_shared`` shared features, never fewer than two.

    Raises:
        ValueError: the components answered different use cases or numbers of inputs.

    Source: NS D.4, figure 13.
    """
    if first.keys != second.keys or first.inputs != second.inputs:
        raise ValueError(
            f"{first.component} and {second.component} did not see the same inputs: "
            f"{first.inputs} and {second.inputs} inputs, {len(first.keys)} and "
            f"{len(second.keys)} features"
        )
    both = (first.cited[:, 0] >= 0) & (second.cited[:, 0] >= 0)
    equal = (first.cited[:, :, None] == second.cited[:, None, :]) & (first.cited >= 0)[:, :, None]
    shares, place = equal.any(axis=2), equal.argmax(axis=2)
    shared = shares.sum(axis=1)
    sizes = [(one.cited >= 0).sum(axis=1) for one in (first, second)]
    concordant, pairs = np.zeros(first.inputs), np.zeros(first.inputs)
    for late in range(1, shares.shape[1]):
        for early in range(late):
            known = shares[:, early] & shares[:, late]
            pairs += known
            concordant += known & (place[:, early] < place[:, late])
    ordered = both & (shared >= max(min_shared, 2))
    return Overlap(
        jaccard=_share(shared, sizes[0] + sizes[1] - shared, both),
        coefficient=_share(shared, np.minimum(*sizes), both),
        ordering=_share(concordant, pairs, ordered),
    )


def _share(
    part: NDArray[np.generic], whole: NDArray[np.generic], where: NDArray[np.bool_]
) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=where))
