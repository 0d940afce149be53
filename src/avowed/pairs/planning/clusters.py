"""The law of one probe's counts: how many of its pairs are useful, and how many are flagged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]


def beta_binomial(trials: int, share: float, icc: float) -> Floats:
    """Probabilities of 0, 1, ..., ``trials`` successes, shape (trials + 1,).

    With t = icc / (1 - icc): C(n, k) prod_{i<k} (p + i t) prod_{i<n-k} (1 - p + i t) /
    prod_{i<n} (1 + i t), the beta-binomial law with correlation ``icc`` between trials. It is the
    binomial law at 0; at 1 all trials agree.

    Raises:
        ValueError: the share or the correlation is outside [0, 1].

    Source: Griffiths (1973), Biometrics 29, 637.

    >>> beta_binomial(2, 0.5, 0).tolist(), beta_binomial(2, 0.5, 1).tolist()
    ([0.25, 0.5, 0.25], [0.5, 0.0, 0.5])
    """
    if not (0 <= share <= 1 and 0 <= icc <= 1):
        raise ValueError(f"share {share} and correlation {icc} must be in [0, 1]")
    if trials == 0:
        return np.ones(1)
    if icc == 1:
        ends = np.zeros(trials + 1)
        ends[0], ends[-1] = 1 - share, share
        return ends
    growth = np.arange(trials) * (icc / (1 - icc))

    def rising(start: float) -> Floats:
        with np.errstate(divide="ignore"):  # the logarithm of an impossible success
            return np.concatenate([[0.0], np.cumsum(np.log(start + growth))])

    k = np.arange(trials + 1)
    ways = gammaln(trials + 1) - gammaln(k + 1) - gammaln(trials - k + 1)
    logs = ways + rising(share)[k] + rising(1 - share)[trials - k] - rising(1.0)[trials]
    probability = np.exp(logs)
    return np.asarray(probability / probability.sum())


@dataclass(frozen=True)
class ClusterLaw:
    """Law of (n, k) of one analysed probe: n useful pairs, k of them flagged; arrays (states,)."""

    n: Floats
    k: Floats
    probability: Floats

    def mean(self, values: Floats) -> float:
        """Expected value of a function of the counts, given by its value in every state."""
        return float(self.probability @ values)

    @property
    def present(self) -> float:
        """Probability that the probe has a useful pair at all."""
        return self.mean((self.n > 0).astype(np.float64))

    @property
    def equal_sizes(self) -> bool:
        """Whether all probes that are present have the same number of useful pairs."""
        there = self.n[(self.n > 0) & (self.probability > 1e-9)]
        return bool(there.size == 0 or there.min() == there.max())


def cluster_law(
    *, replicas: int, useful: float, useful_icc: float, rate: float, icc: float
) -> ClusterLaw:
    """n is beta-binomial over the replicas, and k given n is beta-binomial over n.

    Verdicts are taken not to depend on how often a probe moves.

    >>> law = cluster_law(replicas=4, useful=0.5, useful_icc=0.2, rate=0.3, icc=0.1)
    >>> round(law.mean(law.n), 12), round(law.mean(law.k), 12)
    (2.0, 0.6)
    """
    size = beta_binomial(replicas, useful, useful_icc)
    n = np.repeat(np.arange(replicas + 1), np.arange(1, replicas + 2))
    k = np.concatenate([np.arange(each + 1) for each in range(replicas + 1)])
    flagged = [size[each] * beta_binomial(each, rate, icc) for each in range(replicas + 1)]
    return ClusterLaw(n.astype(np.float64), k.astype(np.float64), np.concatenate(flagged))
