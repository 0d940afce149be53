"""True necessity, sufficiency and noise floor of a component, in closed form.

With the law L of a call's decision, noise included: given the observed original decision y,

    PN(f) = mean over trials of 1 - L_t(y),        PS(f) = mean over trials of L_t(y).

Before y is known, which is itself one noisy call with the law L_0, the same averaged over y:

    PN(f) = mean over trials of 1 - sum_j L_0(j) L_t(j),  and so on.

For a noise-free rule with noise d these are the formulas of the definitions: given y, d or
1 - d/(K-1); marginal, 2d - d^2 K/(K-1) or 1 - 2d(1-d)/(K-1) - (K-2) d^2/(K-1)^2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.laws import Laws

#: The intervention behind sufficiency; all others give a necessity.
SUFFICIENCY = "sufficiency"


@dataclass(frozen=True)
class Truth:
    """True scores of one component.

    Attributes:
        necessity: per intervention PN, (I, F); NaN where f is inactive or cannot be treated.
        sufficiency: PS, (I, F).
        floor: probability that a repeat of the unchanged input differs from y, (I,).
    """

    necessity: Mapping[str, NDArray[np.float64]]
    sufficiency: NDArray[np.float64]
    floor: NDArray[np.float64]

    def scores(self, primary: str) -> dict[str, NDArray[np.float64]]:
        """PN of the primary intervention and PS, as policies take them."""
        return {"necessity": self.necessity[primary], "sufficiency": self.sufficiency}


def marginal(laws: Laws) -> Truth:
    """True scores before the original decision is known: what an estimate has on average.

    >>> noise, unchanged = np.array([[0.8, 0.1, 0.1]]), np.array([[[[0.8, 0.1, 0.1]]]])
    >>> there = np.ones((1, 1), bool)
    >>> laws = Laws(noise, {"blank": unchanged, "sufficiency": unchanged},
    ...     {"blank": there, "sufficiency": there})
    >>> marginal(laws).necessity["blank"].round(3).tolist()   # 2d - d^2 K/(K-1), d = .2, K = 3
    [[0.34]]
    """
    return _truth(laws, laws.original)


def conditional(laws: Laws, decision: NDArray[np.int64]) -> Truth:
    """True scores given the observed original decisions y, (I,)."""
    return _truth(laws, np.eye(laws.original.shape[1])[decision])


def _truth(laws: Laws, weight: NDArray[np.float64]) -> Truth:
    """Scores with y weighted by (I, K)."""
    same = {
        name: np.where(
            laws.constructible[name],
            # Sums of probabilities may end a few bits outside [0, 1].
            np.clip(np.einsum("ik,iftk->if", weight, law) / law.shape[2], 0, 1),
            np.nan,
        )
        for name, law in laws.modified.items()
    }
    return Truth(
        {name: 1 - kept for name, kept in same.items() if name != SUFFICIENCY},
        same[SUFFICIENCY],
        1 - (weight * laws.original).sum(axis=1),
    )
