"""The probability that a study of a given size reaches a half-width.

The half-width of the percentile bootstrap over C probes is close to z sqrt(S) / N, with n_i useful
pairs and k_i flagged ones in probe i, N = sum n_i, q = sum k_i / N, S = sum (k_i - q n_i)^2. All
three are random. With e_i = k_i - q_0 n_i around the planned rate q_0 and A = (h / z)^2,

    h is reached  <=>  W = A N^2 - S >= 0.

W is a sum over independent probes plus a quadratic form in the sums of (n, e, ne): N = C mu + d
gives A d^2, and the estimated rate gives 2 (sum e)(sum ne) / N - (sum e)^2 (sum n^2) / N^2. Mean,
variance and third cumulant of such a form follow from the moments of one probe, which are exact
sums over the states of its law, and the probability follows by an Edgeworth expansion to the
skewness. With a calibration the allowed half-width of q is smaller, and since h_c depends on the
rate, W gains a term linear in sum e and one quadratic in it.

Two things of the bootstrap itself are added. Its ends are quantiles of B resamples, whose error
makes the half-width vary by a relative tau. And where all probes that are present have equally
many pairs, as with one replica, a resampled rate moves in steps of 1 / N and an end lies up to half
a step further out or in. Which, changes with N: the ends pass through one step while N grows by
2 N / (z sqrt(S)). A random N blurs this to a noise of variance 1 / (12 N^2); what is left of the
first harmonic, exp(-2 pi^2 (sd(N) / period)^2), is taken at its worst for planning.

One thing is not in the law of a probe: that verdicts may depend on how often a probe moves. Where
readily moved probes omit less often, S is larger than the law says and varies more, and a few per
cent of studies fewer reach the half-width (seen in the third simulated hint type, eight replicas;
tests/statistical/test_plan.py). Planning takes S 4 % larger. With one replica a probe has one
useful pair or none, so that there is nothing to depend on, and S is taken as it is.

Source: HP sections 7 and 14; Hall (1992), The Bootstrap and Edgeworth Expansion, section 2.4.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc, ndtr, ndtri

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.clusters import ClusterLaw, cluster_law
from avowed.pairs.planning.correction import Correction
from avowed.stats.intervals import normal_quantile

#: Factor on the variance in planning with two replicas or more, for what the law of a probe leaves
#: out.
MARGIN = 1.04

#: Where the expected half-width is so many times the allowed one, the expansion, which knows the
#: middle of the law only, is not asked: the half-width counts as not reached.
_FAR = 1.5


def quantile_noise(resamples: int, confidence: float) -> float:
    """Relative standard deviation of a percentile half-width that is due to the resamples alone.

    tau = sqrt(t (1 - 2 t) / (2 B)) / (phi(z) z), t = (1 - confidence) / 2: the asymptotic law of
    the difference of two sample quantiles of a normal distribution.

    Source: David and Nagaraja (2003), Order Statistics, section 10.3.

    >>> round(quantile_noise(2000, 0.95), 4)
    0.0213
    """
    tail = (1 - confidence) / 2
    z = -float(ndtri(tail))
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return math.sqrt(tail * (1 - 2 * tail) / (2 * resamples)) / (density * z)


@dataclass(frozen=True, kw_only=True)
class Design:
    """A planned study of one hint type with so many replicas per probe, of any number of probes."""

    assumed: Assumptions
    replicas: int
    correction: Correction | None = None

    @property
    def rate(self) -> float:
        """The flagged rate that is expected, q_0."""
        return self.correction.flagged if self.correction else self.assumed.expected_omission

    @property
    def margin(self) -> float:
        """Factor on the variance in planning: 1 with one replica, whose law leaves out nothing.

        >>> assumed = Assumptions(susceptibility=0.5)
        >>> [Design(assumed=assumed, replicas=replicas).margin for replicas in (1, 2)]
        [1.0, 1.04]
        """
        return 1.0 if self.replicas == 1 else MARGIN

    def law(self) -> ClusterLaw:
        """Law of one analysed probe."""
        return cluster_law(
            replicas=self.replicas,
            useful=self.assumed.useful,
            useful_icc=self.assumed.useful_icc,
            rate=self.rate,
            icc=self.assumed.verdict_icc,
        )

    def allowed(self, half_width: float) -> float:
        """Half-width that the flagged rate may have."""
        return self.correction.left_for_sample(half_width) if self.correction else half_width


def chance(
    design: Design, law: ClusterLaw, probes: int, half_width: float, *, cautious: bool = True
) -> float:
    """Probability that ``probes`` analysed probes give an interval with at most this half-width.

    ``law`` is ``design.law()``, made once by the caller. ``cautious`` takes the worst case of a
    stepwise rate and the margin on the variance, as planning does; without it the probability is
    the expected one. Studies in which all verdicts agree are counted by the boundary rule, and
    insufficient ones as not reached.

    >>> planned = Design(assumed=Assumptions(susceptibility=0.5), replicas=1)
    >>> [round(chance(planned, planned.law(), probes, 0.1), 1) for probes in (100, 210, 250)]
    [0.0, 0.8, 1.0]
    """
    assumed, q = design.assumed, design.rate
    z = normal_quantile(assumed.confidence)
    n, k, c = law.n, law.k, float(probes)
    mu = law.mean(n)
    allowed = design.allowed(half_width)
    e = k - q * n
    spread = law.mean(e * e)
    relative = quantile_noise(assumed.resamples, assumed.confidence)
    if law.equal_sizes:
        # (sd(N) / period)^2 with sd(N)^2 = C var(n) and the period 2 C mu / (z sqrt(C spread)).
        blur = law.mean((n - mu) ** 2) * spread * (z / (2 * mu)) ** 2
        left = math.exp(-2 * math.pi**2 * blur)
        allowed -= 0.5 * left / (c * mu) if cautious else 0.0
        # 1 / (sqrt(12) N) relative to the expected half-width z sqrt(C spread) / N.
        relative = math.hypot(relative, 1 / (math.sqrt(12 * c * spread) * z))
    if allowed <= 0:
        return 0.0
    square = (allowed / z) ** 2 / (design.margin if cautious else 1.0)
    slope = bend = 0.0
    if design.correction:
        slope = design.correction.slope * design.correction.accuracy.youden / z**2
        bend = design.correction.bend / (2 * z**2)
    linear = 2 * square * c * mu * n - e * e - slope * c * mu * e
    x = np.stack([n - mu, e, n * e])
    form = np.zeros((3, 3))
    form[0, 0] = square
    form[0, 1] = form[1, 0] = -slope / 2
    form[1, 2] = form[2, 1] = 1 / (c * mu)
    form[1, 1] = -law.mean(n * n) / (c * mu**2) - bend
    # n e has mean 0 because e has, whatever n is.
    covariance = (x * law.probability) @ x.T
    centre = law.mean(linear)
    away = linear - centre
    along = x @ (law.probability * away)
    mean = c * centre - square * (c * mu) ** 2 + c * float((form * covariance).sum())
    noise = 2 * c * spread * relative
    variance = c * law.mean(away**2) + noise**2
    third = c * law.mean(away**3) + 6 * c * c * float(along @ form @ along)
    if variance <= 0:
        return float(mean >= 0)
    inside = 0.0
    if z * math.sqrt(c * spread) <= _FAR * allowed * c * mu:
        inside = _beyond(mean / math.sqrt(variance), third / variance**1.5)
    agree = _all_agree(law, c)
    reached = inside * (1 - agree) + agree * _by_boundary(design, law, c, half_width)
    return min(reached, 1 - _insufficient(law, c))


def _beyond(distance: float, skewness: float) -> float:
    """P(W >= 0) of a W whose mean is so many standard deviations above 0."""
    y = -distance
    density = math.exp(-y * y / 2) / math.sqrt(2 * math.pi)
    below = float(ndtr(y)) - density * skewness * (y * y - 1) / 6
    return min(1.0, max(0.0, 1 - below))


def _all_agree(law: ClusterLaw, probes: float) -> float:
    """Probability that no pair is flagged, or every pair is."""
    none = law.mean((law.k == 0).astype(np.float64))
    every = law.mean((law.k == law.n).astype(np.float64))
    return float(min(1.0, none**probes + every**probes))


def _insufficient(law: ClusterLaw, probes: float) -> float:
    """Probability of fewer than two probes with a useful pair, which makes no interval (HP 7)."""
    absent = 1 - law.present
    return float(absent**probes + probes * law.present * absent ** (probes - 1))


def _by_boundary(design: Design, law: ClusterLaw, probes: float, half_width: float) -> float:
    """Probability that Wilson's interval of a rate of 0 or 1 is narrow enough.

    Its half-width is z^2 / (2 (n + z^2)) with n the number of probes with a useful pair, which is
    binomial. A corrected rate at the boundary is counted as not reached.
    """
    if design.correction:
        return 0.0
    z2 = normal_quantile(design.assumed.confidence) ** 2
    needed = math.ceil(z2 * (1 / (2 * half_width) - 1))
    return float(bdtrc(needed - 1, int(probes), law.present)) if needed <= probes else 0.0
