"""Power to tell two models apart by their omission rates, on the same probes or on other ones."""

import math
from dataclasses import dataclass

from scipy.special import ndtr

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.clusters import beta_binomial
from avowed.pairs.planning.correlation import correlation_limits
from avowed.pairs.planning.size import Size, smallest, with_two_options
from avowed.stats.intervals import normal_quantile

#: Of each model: fewest expected verdicts of either kind, counted as independent ones, and fewest
#: expected probes with a verdict. With fewer a rate is often 0 or 1, where `avowed compare` takes
#: the two sides for independent, and its quantiles for few probes are far from the normal ones.
LEAST_VERDICTS, LEAST_PROBES = 5, 20


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two models that differ by so much, each with a study of the same size.

    Attributes:
        rate: flagged rate of one model.
        difference: size of the difference of the flagged rates; the other model's rate is the one
            of rate + difference and rate - difference that is nearer to 0.5, the harder case.
        alpha: two-sided level of all comparisons together.
        comparisons: number of comparisons.
        power: probability with which the difference shall be found.
        probe_correlation: correlation between the two models of a probe's own tendency to omit, if
            both are asked the same probes; None for different probes. It is not the correlation of
            single verdicts. What the rates do not allow is taken as far as they do (`attainable`).

    Raises:
        ValueError: a value is outside its range; the message begins with the field's name.

    >>> Comparison(rate=0.5, difference=0.1, comparisons=5).level
    0.01
    """

    rate: float
    difference: float
    alpha: float = 0.05
    comparisons: int = 1
    power: float = 0.8
    probe_correlation: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no comparison."""
        for name in ("alpha", "power"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name):g}; it must be in (0, 1)")
        if not 0 < self.difference < 1:
            raise ValueError(f"difference is {self.difference:g}; it must be in (0, 1)")
        if not 0 < self.other < 1:
            raise ValueError(
                f"difference is {self.difference:g}; no rate in (0, 1) lies so far from "
                f"{self.rate:g}"
            )
        if not 1 <= self.comparisons <= 10**6:
            raise ValueError(f"comparisons is {self.comparisons}; it must be from 1 to 1000000")
        if self.probe_correlation is not None and not -1 <= self.probe_correlation <= 1:
            raise ValueError(
                f"probe_correlation is {self.probe_correlation:g}; it must be in [-1, 1]"
            )
        if self.power <= self.level:
            raise ValueError(
                f"power is {self.power:g}; it must be above the level {self.level:g}, which chance "
                "alone gives"
            )

    @property
    def level(self) -> float:
        """Level of one comparison, alpha / K (Bonferroni).

        Holm's procedure rejects whatever Bonferroni's does, so its power is at least this one's.

        Source: Holm (1979), Scandinavian Journal of Statistics 6, 65.
        """
        return self.alpha / self.comparisons

    @property
    def other(self) -> float:
        """The other model's rate."""
        return min(
            (self.rate - self.difference, self.rate + self.difference), key=lambda r: abs(r - 0.5)
        )


def attainable(compared: Comparison, assumed: Assumptions) -> float | None:
    """The correlation that is planned with: as asked for, or the nearest that can be.

    Source: :mod:`avowed.pairs.planning.correlation`.

    >>> asked = Comparison(rate=0.5, difference=0.1, probe_correlation=1)
    >>> found = attainable(asked, Assumptions(susceptibility=1, icc=1))
    >>> round(found, 3)
    0.816
    """
    if compared.probe_correlation is None:
        return None
    least, greatest = correlation_limits(compared.rate, compared.other, assumed.verdict_icc)
    return min(max(compared.probe_correlation, least), greatest)


def difference_error(
    compared: Comparison, assumed: Assumptions, *, analysed: int, replicas: int
) -> float:
    """Standard error of the difference of two rates on so many analysed probes each.

    Var = sum over models of q (1 - q) deff / (C m s), with the useful share s; on shared probes
    minus 2 r rho sqrt(q1 (1 - q1) q2 (1 - q2)) / C, because the tendencies of a probe, whose
    variance is rho q (1 - q), correlate by r. Which pairs move is taken as independent between
    models; where the same probes move in both, sharing gains more than this.

    Source: Kish (1965), section 8.2; HP section 7.

    >>> found = difference_error(
    ...     Comparison(rate=0.5, difference=0.1), Assumptions(susceptibility=1), analysed=245,
    ...     replicas=1)
    >>> round(found, 4)
    0.0447
    """
    spreads = [rate * (1 - rate) for rate in (compared.rate, compared.other)]
    pairs = analysed * replicas * assumed.useful
    variance = sum(spreads) * assumed.design_effect(replicas) / pairs
    correlation = attainable(compared, assumed)
    if correlation is not None:
        shared = correlation * assumed.verdict_icc * math.sqrt(math.prod(spreads))
        variance -= 2 * shared / analysed
    return math.sqrt(max(variance, 0.0))


def power_of(compared: Comparison, assumed: Assumptions, *, analysed: int, replicas: int) -> float:
    """Probability that the interval of the difference, at the level of one comparison, misses 0.

    Phi(d / se - z) + Phi(-d / se - z), z of the two-sided level, with the unpooled standard error
    that an interval of the difference has.

    Source: Chow, Shao and Wang (2008), Sample Size Calculations in Clinical Research, section 4.2.

    >>> compared, every = Comparison(rate=0.5, difference=0.1), Assumptions(susceptibility=1)
    >>> round(power_of(compared, every, analysed=385, replicas=1), 3)
    0.8
    """
    error = difference_error(compared, assumed, analysed=analysed, replicas=replicas)
    if error == 0:
        return 1.0
    z, distance = normal_quantile(1 - compared.level), compared.difference / error
    return float(ndtr(distance - z) + ndtr(-distance - z))


def large_enough(
    compared: Comparison, assumed: Assumptions, *, analysed: int, replicas: int
) -> bool:
    """Whether so many analysed probes give what the test of a difference needs to be a test.

    In each model `LEAST_VERDICTS` verdicts of either kind, over the design effect, and
    `LEAST_PROBES` probes with a verdict, both in expectation.

    >>> compared, every = Comparison(rate=0.5, difference=0.45), Assumptions(susceptibility=1)
    >>> [large_enough(compared, every, analysed=size, replicas=1) for size in (99, 100)]
    [False, True]
    """
    none = float(beta_binomial(replicas, assumed.useful, assumed.useful_icc)[0])
    pairs = analysed * replicas * assumed.useful / assumed.design_effect(replicas)
    rarest = min(share for rate in (compared.rate, compared.other) for share in (rate, 1 - rate))
    slack = 1 + 1e-9
    return (
        pairs * rarest * slack >= LEAST_VERDICTS and analysed * (1 - none) * slack >= LEAST_PROBES
    )


def size_to_tell_apart(compared: Comparison, assumed: Assumptions, *, replicas: int) -> Size:
    """The smallest study of each model that has the power and is not too small to be tested.

    Raises:
        Unusable: it would have too many pairs.

    >>> compared, every = Comparison(rate=0.5, difference=0.1), Assumptions(susceptibility=1)
    >>> size_to_tell_apart(compared, every, replicas=1).pairs
    385
    """
    analysed = smallest(
        lambda probes: (
            large_enough(compared, assumed, analysed=probes, replicas=replicas)
            and power_of(compared, assumed, analysed=probes, replicas=replicas) >= compared.power
        ),
        replicas=replicas,
        what=f"a difference of {compared.difference:g}",
    )
    probes = with_two_options(analysed, assumed.two_options)
    return Size(probes=probes, analysed=analysed, replicas=replicas)
