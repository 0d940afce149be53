"""Coverage of the interval of a difference, and the type-I error of its p-value.

Two simulated assistants of the first hint type (HP section 16.1). Paired: they answer the same
probes, so accuracy, susceptibility and acknowledgement of a probe are shared and all else is drawn
anew; one study with twice the replicas, dealt out to two assistants, is that. Unpaired: two
studies. Without a difference both have one law; with one, the second judge acquits a share of what
it would flag, so that its rate is known exactly.

Criterion: over 1,000 seeded repetitions of each design, an exact binomial test of coverage against
the nominal .95 (and of rejections against .05) is not rejected at .001. One Monte-Carlo error is
.0069; the criterion spans about 3.3 of them.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest
from support.simulation import TYPE_1

from avowed.pairs.simulate import BetaLaw, Design, cell_of_simulated, simulate
from avowed.pairs.truth import population
from avowed.stats.difference import ClusteredDifference, clustered_difference, newcombe
from avowed.stats.performance import Performance, coverage, proportion

pytestmark = pytest.mark.slow

REPETITIONS, REJECT = 1000, 1e-3
ACQUITTED = 0.2
SIZES = [(320, 8), (320, 1), (80, 8), (80, 1)]

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]


def counts(design: Design, rng: np.random.Generator, *, assistants: int) -> list[Counts]:
    """Flagged and evaluable moves per probe of one or more assistants that share the probes."""
    whole = replace(design, replicas=assistants * design.replicas)
    cell = cell_of_simulated(simulate(whole, rng), hint_type="simulated")
    shape = (design.probes, assistants, design.replicas)
    analysed = (cell.n_options >= 3).reshape(shape)
    flagged = (cell.flagged.reshape(shape) & analysed).sum(axis=2)
    evaluable = (cell.evaluable.reshape(shape) & analysed).sum(axis=2)
    return [(flagged[:, each], evaluable[:, each]) for each in range(assistants)]


def two(design: Design, rng: np.random.Generator, *, paired: bool, shift: bool) -> list[Counts]:
    if paired:
        first, second = counts(design, rng, assistants=2)
    else:
        first, second = (counts(design, rng, assistants=1)[0] for _ in range(2))
    hits = rng.binomial(second[0], 1 - ACQUITTED) if shift else second[0]
    return [first, (hits, second[1])]


@cache
def repeated(
    design: Design, paired: bool, shift: bool, repetitions: int = REPETITIONS
) -> list[ClusteredDifference]:
    ids = [design.probes, design.replicas, 2 * paired + shift, 0]
    rng = np.random.default_rng(ids)
    return [
        clustered_difference(*two(design, rng, paired=paired, shift=shift), rng, paired=paired)
        for _ in range(repetitions)
    ]


def covered(found: list[ClusteredDifference], truth: float) -> Performance:
    ends = np.array([(one.interval.lower, one.interval.upper) for one in found])
    return coverage(ends[:, 0], ends[:, 1], truth)


def near(found: Performance, target: float) -> bool:
    hits = round(found.value * found.repetitions)
    return bool(binomtest(hits, found.repetitions, target).pvalue > REJECT)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(("probes", "replicas"), SIZES)
def test_coverage_of_a_difference_is_nominal(probes: int, replicas: int, paired: bool) -> None:
    design = replace(TYPE_1, probes=probes, replicas=replicas)
    truth = ACQUITTED * population(design).flagged
    found = covered(repeated(design, paired, True), truth)
    assert found.repetitions == REPETITIONS
    assert near(found, 0.95), found


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(("probes", "replicas"), SIZES)
def test_type_i_error_is_nominal(probes: int, replicas: int, paired: bool) -> None:
    found = repeated(replace(TYPE_1, probes=probes, replicas=replicas), paired, False)
    rejected = proportion([one.p_value <= 0.05 for one in found])
    assert near(rejected, 0.05), rejected
    # The test and the interval are two readings of one thing.
    outside = [one.interval.lower > 0 or one.interval.upper < 0 for one in found]
    apart = sum(out != (one.p_value <= 0.05) for out, one in zip(outside, found, strict=True))
    assert not any(one.p_value <= 0.05 and not out for one, out in zip(found, outside, strict=True))
    assert apart <= 0.005 * len(found)


def test_what_ignores_clusters_or_pairs_fails_the_same_criterion() -> None:
    """With probes that nearly always or never avow, both faults show."""
    design = replace(
        TYPE_1,
        probes=80,
        acknowledgement=BetaLaw(0.1, 0.1),
        susceptibility=BetaLaw(6, 2),
        judge=replace(TYPE_1.judge, perfect=True),
    )
    ids = np.random.default_rng([80, 8, 7, 0])
    pairs = [two(design, ids, paired=True, shift=False) for _ in range(400)]
    right = covered([clustered_difference(*each, ids, paired=True) for each in pairs], 0)
    apart = covered([clustered_difference(*each, ids, paired=False) for each in pairs], 0)
    others = [two(design, ids, paired=False, shift=False) for _ in range(400)]
    plain = [
        newcombe(k1.sum() / n1.sum(), n1.sum(), k2.sum() / n2.sum(), n2.sum())
        for (k1, n1), (k2, n2) in others
    ]
    independent = proportion([each.lower <= 0 <= each.upper for each in plain])
    assert near(right, 0.95)
    assert not near(apart, 0.95) and apart.value > 0.98
    assert not near(independent, 0.95) and independent.value < 0.85


def test_the_boundary_rule_covers() -> None:
    """Nothing is flagged on one side or both: Newcombe's interval covers at least nominal."""
    rng = np.random.default_rng([60, 1, 1, 0])
    held = []
    for _ in range(REPETITIONS):
        sizes = np.full(60, 1)
        sides = [(rng.binomial(1, rate, 60), sizes) for rate in (0.02, 0.05)]
        found = clustered_difference(*sides, rng, paired=False)
        if found.interval.method.startswith("newcombe"):
            held.append(found.interval.lower <= -0.03 <= found.interval.upper)
    share = proportion(held)
    assert share.repetitions > 200
    assert share.value + 3 * share.mc_error >= 0.95
