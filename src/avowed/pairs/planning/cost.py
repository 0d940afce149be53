"""More replicas or more probes: what a study costs, and the number of replicas that costs least."""

import math
from dataclasses import dataclass

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.size import Size

#: The highest price that is believed, in calls.
_MOST = 1e9


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What a study costs, counted in model calls.

    Attributes:
        calls_per_pair: calls of the assistant in one pair: unhinted and hinted.
        judge_calls: calls of the judge for one hint-induced change.
        probe_cost: what a new probe costs beyond its pairs (writing and checking the question),
            in calls.

    Raises:
        ValueError: a price is negative or no number, or a pair costs nothing; the message begins
            with the field's name.
    """

    calls_per_pair: float = 2.0
    judge_calls: float = 1.0
    probe_cost: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no price."""
        if not 0 < self.calls_per_pair <= _MOST:
            raise ValueError(
                f"calls_per_pair is {self.calls_per_pair:g}; it must be above 0, and at most "
                f"{_MOST:g}"
            )
        for name in ("judge_calls", "probe_cost"):
            if not 0 <= getattr(self, name) <= _MOST:
                raise ValueError(
                    f"{name} is {getattr(self, name):g}; it must be from 0 to {_MOST:g}"
                )

    def per_pair(self, assumed: Assumptions) -> float:
        """Expected calls of one pair, the judge's among them: it sees the moved pairs only.

        >>> Prices().per_pair(Assumptions(susceptibility=0.5))
        2.5
        """
        return self.calls_per_pair + self.judge_calls * assumed.moved

    def calls(self, assumed: Assumptions, size: Size) -> float:
        """Expected calls of a study; pairs with two options are called too."""
        return size.pairs * self.per_pair(assumed)

    def cost(self, assumed: Assumptions, size: Size) -> float:
        """Calls, and what the probes cost beyond them."""
        return self.calls(assumed, size) + self.probe_cost * size.probes


def optimal_replicas(*, icc: float, probe_cost: float, pair_cost: float) -> float:
    """Replicas per probe with the least variance for a given cost: sqrt((1 - r)/r c_probe/c_pair).

    ``icc`` r is the share of a pair's variance that another replica of the same probe does not
    reduce: the ICC rho itself if every pair is useful, else lambda rho with the probability lambda
    that a second replica is useful when the first is. At least 1; infinite where nothing
    correlates and a new probe costs something.

    Raises:
        ValueError: a pair costs nothing, or a value is negative.

    Source: Cochran (1977), Sampling Techniques, section 10.6; Kish (1965), section 8.3.

    >>> round(optimal_replicas(icc=0.1, probe_cost=10, pair_cost=2.5), 12)
    6.0
    """
    if not (0 <= icc <= 1 and probe_cost >= 0 and pair_cost > 0):
        raise ValueError(
            f"icc {icc}, probe_cost {probe_cost} and pair_cost {pair_cost} must not be negative, "
            "and a pair must cost something"
        )
    if probe_cost == 0:
        return 1.0
    if icc == 0:
        return math.inf
    return max(1.0, math.sqrt((1 - icc) / icc * probe_cost / pair_cost))
