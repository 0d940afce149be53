"""Whether necessity and sufficiency order the cited features alike (NS D.2, figure 11)."""

import numpy as np
from numpy.typing import NDArray

from avowed.factors.ranking import RankAgreement, spearman

Floats = NDArray[np.float64]


def criteria_agreement(
    necessity: Floats, sufficiency: Floats, explained: NDArray[np.bool_]
) -> RankAgreement:
    """Spearman correlation of PN with PS over the cited features of every response.

    Undefined where all PN or all PS are equal, and where a cited feature lacks either score.

    Args:
        necessity, sufficiency: scores in the order cited, (I, C), NaN where unscored.
        explained: responses with a valid explanation and a valid decision, (I,).

    Source: NS D.2.

    >>> pn, ps = np.array([[1.0, 0.5, 0.0]]), np.array([[0.0, 0.5, 1.0]])
    >>> criteria_agreement(pn, ps, np.array([True])).rho.tolist()
    [-1.0]
    """
    missing = np.isnan(necessity).any(axis=1) | np.isnan(sufficiency).any(axis=1)
    counted = explained & ~missing
    rho = np.where(counted, spearman(necessity, sufficiency), np.nan)
    return RankAgreement(rho=rho, unscored=explained & missing, constant=counted & np.isnan(rho))
