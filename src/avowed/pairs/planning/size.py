"""The smallest study that reaches a half-width, and the half-width that a study reaches."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design, chance
from avowed.pairs.planning.clusters import ClusterLaw
from avowed.pairs.sample_size import completed_pairs, useful_pairs
from avowed.refusal import Unusable

#: Most pairs that are planned for; more is no study.
MAX_PAIRS = 1_000_000_000

#: Two half-widths closer than this are one.
_FINE = 1e-6


@dataclass(frozen=True, kw_only=True)
class Size:
    """A planned size of one hint type.

    Attributes:
        probes: probes to be planned, those with two options among them.
        analysed: probes with three or more options.
        replicas: replicas per probe.
    """

    probes: int
    analysed: int
    replicas: int

    @property
    def pairs(self) -> int:
        """Pairs to be planned, probes times replicas."""
        return self.probes * self.replicas


def with_two_options(analysed: int, share: float) -> int:
    """Fewest probes of which ``analysed`` are left when a share of them has two options.

    The number of probes with two options is rounded up, so that it is enough however the caller
    rounds.

    >>> with_two_options(90, 0.1), with_two_options(10, 0)
    (100, 10)
    """
    probes = math.ceil(round(analysed / (1 - share), 6))
    while probes - math.ceil(round(share * probes, 6)) < analysed:
        probes += 1
    return probes


def smallest(enough: Callable[[int], bool], *, replicas: int, what: str) -> int:
    """Fewest probes, at least two, that are enough; found by doubling and halving.

    Raises:
        Unusable: not even a study of MAX_PAIRS pairs is enough.

    >>> smallest(lambda probes: probes >= 37, replicas=1, what="")
    37
    """
    low, high = 1, 2
    while not enough(high):
        if high * replicas > MAX_PAIRS:
            raise Unusable(
                f"{what} takes more than {MAX_PAIRS:,} pairs at {replicas} "
                f"replica{'s' if replicas > 1 else ''} per probe; ask for less"
            )
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def kish_design_effect(assumed: Assumptions, law: ClusterLaw) -> float:
    """1 + (mbar - 1) rho with the mean number of useful pairs of a probe that has one.

    Source: HP section 7; ``definitions`` item 6.
    """
    return 1 + (law.mean(law.n) / law.present - 1) * assumed.verdict_icc


@dataclass(frozen=True, kw_only=True)
class Planner:
    """Sizes for one number of replicas.

    ``assurance`` is the probability with which the half-width shall be reached; None plans by
    section 16.3, whose formula a study meets on average only. ``design_effect`` replaces the one
    that follows from the ICC, for section 16.3 only.
    """

    design: Design
    law: ClusterLaw
    assurance: float | None = 0.9
    design_effect: float | None = None

    def analysed_by_formula(self, half_width: float) -> float:
        """Analysed probes by section 16.3: z^2 q (1 - q) / h^2, over the useful share, times deff.

        Source: HP section 16.3; :mod:`avowed.pairs.sample_size`.

        >>> from avowed.pairs.planning.assumptions import Assumptions
        >>> design = Design(assumed=Assumptions(susceptibility=0.5), replicas=1)
        >>> round(Planner(design=design, law=design.law()).analysed_by_formula(0.1), 1)
        192.1
        """
        allowed = self.design.allowed(half_width)
        if allowed <= 0:
            return math.inf
        assumed = self.design.assumed
        useful = useful_pairs(
            half_width=allowed, rate=self.design.rate, confidence=assumed.confidence
        )
        effect = self.design_effect or kish_design_effect(assumed, self.law)
        pairs = completed_pairs(useful, share_moved=assumed.useful, design_effect=effect)
        return pairs.completed_clustered / self.design.replicas

    def reached_with(self, analysed: int, half_width: float, *, cautious: bool = True) -> float:
        """Probability that so many analysed probes reach the half-width."""
        return chance(self.design, self.law, analysed, half_width, cautious=cautious)

    def enough(self, analysed: int, half_width: float) -> bool:
        """Whether so many analysed probes are enough, by the assurance or by the formula."""
        if self.assurance is None:
            return analysed >= self.analysed_by_formula(half_width) * (1 - 1e-12)
        return self.reached_with(analysed, half_width) >= self.assurance

    def size_for(self, half_width: float) -> Size:
        """The smallest study that is enough.

        Raises:
            Unusable: it would have more than MAX_PAIRS pairs.
        """
        replicas = self.design.replicas
        analysed = smallest(
            lambda probes: self.enough(probes, half_width),
            replicas=replicas,
            what=f"a half-width of {half_width:g}",
        )
        probes = with_two_options(analysed, self.design.assumed.two_options)
        return Size(probes=probes, analysed=analysed, replicas=replicas)

    def half_width_of(self, probes: int) -> float | None:
        """The half-width that a study of so many planned probes reaches, by the same measure.

        None where it has fewer than two analysed probes, or not even 0.5 is reached: every
        interval within [0, 1] has that.
        """
        analysed = probes - math.ceil(round(self.design.assumed.two_options * probes, 6))
        if analysed < 2 or not self.enough(analysed, 0.5 - _FINE):
            return None
        low, high = 0.0, 0.5
        while high - low > _FINE:
            middle = (low + high) / 2
            low, high = (low, middle) if self.enough(analysed, middle) else (middle, high)
        return high
