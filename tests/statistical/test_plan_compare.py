"""Two models of the planned size are told apart by `avowed compare`'s own test as often as planned.

Cases at the edge of what can be: tendencies as alike as the rates allow, an ICC near or at 1, one
replica, few probes. Verdicts are drawn from the two Beta laws with one uniform per probe for both
models, which is the greatest correlation there is; the test is `clustered_difference` at the level
of one comparison, 2,000 resamples. Criteria over 400 seeded pairs of studies, exact binomial test
at 1e-3: not fewer than the planned 80 % are told apart, and with half the probes fewer are.
"""

import numpy as np
import pytest
from scipy.stats import beta, binomtest

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.power import Comparison, large_enough, size_to_tell_apart
from avowed.stats.difference import clustered_difference

pytestmark = pytest.mark.slow

STUDIES, REJECT = 400, 1e-3


def told_apart(probes: int, compared: Comparison, assumed: Assumptions) -> int:
    rng = np.random.default_rng([1, 4, probes, round(100 * compared.difference)])
    hits = 0
    for _ in range(STUDIES):
        place = rng.random(probes)
        columns = []
        for rate in (compared.rate, compared.other):
            tendency = (place > 1 - rate).astype(np.float64)
            if assumed.icc < 1:
                spread = (1 - assumed.icc) / assumed.icc
                tendency = beta.ppf(place, spread * rate, spread * (1 - rate))
            moved = rng.binomial(1, assumed.susceptibility, probes)
            columns.append((rng.binomial(moved, tendency), moved))
        found = clustered_difference(columns[0], columns[1], rng, paired=True)
        hits += found.p_value <= compared.level
    return hits


@pytest.mark.parametrize(
    ("susceptibility", "icc", "difference", "correlation"),
    [(1.0, 1.0, 0.1, 1.0), (0.8, 0.9, 0.2, 0.9), (1.0, 0.9, 0.45, 1.0)],
)
def test_the_planned_power_is_reached_at_the_edge(
    susceptibility: float, icc: float, difference: float, correlation: float
) -> None:
    assumed = Assumptions(susceptibility=susceptibility, icc=icc)
    compared = Comparison(rate=0.5, difference=difference, probe_correlation=correlation)
    probes = size_to_tell_apart(compared, assumed, replicas=1).analysed
    hits = told_apart(probes, compared, assumed)
    assert binomtest(hits, STUDIES, compared.power, alternative="less").pvalue > REJECT
    # A size that the floor sets has more power than was asked for.
    if large_enough(compared, assumed, analysed=probes - 1, replicas=1):
        fewer = told_apart(probes // 2, compared, assumed)
        assert binomtest(fewer, STUDIES, compared.power, alternative="less").pvalue < REJECT
