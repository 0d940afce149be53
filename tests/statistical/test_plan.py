"""Simulated studies of the planned size reach the half-width as often as the plan says.

Planned with the population's numbers of the simulated hint types: p and q by quadrature, both ICCs
from 200,000 simulated probes. A study is simulated whole (accuracy, susceptibility, chance moves,
two-option questions, judge errors and failures), and its interval is the percentile bootstrap of
the pipeline, 2,000 resamples. Criteria, exact binomial tests at 1e-3 over 400 seeded studies:

- with an assurance of 0.9 not fewer than 90 % of studies reach the half-width;
- a study of 0.85 times the size falls short of that, so that the plan is not wasteful;
- planned by section 16.3, the share that reaches it is the one that the plan foretells (within .1
  of it), which is between a quarter and two thirds.

A correct plan fails for one root seed in twenty at most.
"""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.special import betaincinv, ndtr
from scipy.stats import binomtest
from support.simulation import CONFIG, SETTINGS, TYPES

from avowed.pairs.calibration import Gates, correct
from avowed.pairs.cell import per_probe
from avowed.pairs.omission import clustered_rate, conditional_omission
from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design as PlannedDesign
from avowed.pairs.planning.correction import Correction
from avowed.pairs.planning.power import Comparison, size_to_tell_apart
from avowed.pairs.planning.size import Planner
from avowed.pairs.simulate import cell_of_simulated, design_of, simulate
from avowed.pairs.truth import population
from avowed.stats.bootstrap import profiles_of, resample_totals
from avowed.stats.clustering import describe
from avowed.stats.intervals import percentile
from avowed.stats.misclassification import Accuracy

pytestmark = pytest.mark.slow

STUDIES, REJECT = 400, 1e-3
DESIGNS = [
    (hint_type, replicas, half_width)
    for hint_type in TYPES
    for replicas in (1, 2, 8)
    for half_width in (0.10, 0.06)
]


@cache
def assumed(hint_type: str) -> Assumptions:
    """The population of a hint type in the terms of the plan."""
    design = replace(design_of(CONFIG, hint_type), probes=200_000)
    truth = population(design)
    pairs = simulate(design, np.random.default_rng([1, 1, TYPES.index(hint_type), 0]))
    cell = cell_of_simulated(pairs, hint_type=hint_type).with_options(at_least=3)
    everything = np.ones(len(cell), dtype=bool)
    flagged, useful, planned = per_probe(
        cell, cell.flagged & cell.evaluable, cell.evaluable, everything
    )
    there = useful > 0
    analysed = (design.probes - design.two_option_probes) * design.replicas
    return Assumptions(
        susceptibility=truth.expected_evaluable / analysed,
        icc=describe(flagged[there], useful[there]).icc,
        susceptibility_icc=describe(useful[planned > 0], planned[planned > 0]).icc,
        two_options=design.two_option_share,
        expected_omission=truth.flagged,
    )


def planner(hint_type: str, replicas: int, *, assurance: float | None) -> Planner:
    design = PlannedDesign(assumed=assumed(hint_type), replicas=replicas)
    return Planner(design=design, law=design.law(), assurance=assurance)


def reaching(hint_type: str, probes: int, replicas: int, half_width: float) -> int:
    """How many of the simulated studies have at most this half-width."""
    design = replace(design_of(CONFIG, hint_type), probes=probes, replicas=replicas)
    hits = 0
    for study in range(STUDIES):
        rng = np.random.default_rng([SETTINGS.seed, TYPES.index(hint_type), probes, study])
        cell = cell_of_simulated(simulate(design, rng), hint_type=hint_type)
        found = conditional_omission(cell, replace(SETTINGS, replicate=study))
        hits += found.interval.half_width <= half_width
    return hits


@pytest.mark.parametrize(("hint_type", "replicas", "half_width"), DESIGNS)
def test_nine_in_ten_studies_reach_it_and_smaller_ones_do_not(
    hint_type: str, replicas: int, half_width: float
) -> None:
    probes = planner(hint_type, replicas, assurance=0.9).size_for(half_width).probes
    hits = reaching(hint_type, probes, replicas, half_width)
    assert binomtest(hits, STUDIES, 0.9, alternative="less").pvalue > REJECT
    fewer = reaching(hint_type, round(0.85 * probes), replicas, half_width)
    assert binomtest(fewer, STUDIES, 0.9, alternative="less").pvalue < REJECT


@pytest.mark.parametrize(("hint_type", "replicas", "half_width"), DESIGNS)
def test_section_16_3_is_reached_by_about_half(
    hint_type: str, replicas: int, half_width: float
) -> None:
    by_formula = planner(hint_type, replicas, assurance=None)
    size = by_formula.size_for(half_width)
    hits = reaching(hint_type, size.probes, replicas, half_width)
    told = by_formula.reached_with(size.analysed, half_width, cautious=False)
    low, high = binomtest(hits, STUDIES).proportion_ci(confidence_level=1 - REJECT)
    assert low <= told + 0.1 and told - 0.1 <= high
    assert low < 2 / 3 and high > 1 / 4


@pytest.mark.parametrize("replicas", [1, 2])
@pytest.mark.parametrize("rate", [0.3, 0.5, 0.8])
def test_a_corrected_rate_reaches_its_half_width_too(rate: float, replicas: int) -> None:
    """h_c varies with the estimated rate; the calibration itself is given.

    Criteria as above, with beta-binomial pairs: not fewer than 90 % of 400 studies, and a study of
    0.85 times the size falls short.
    """
    accuracy = Accuracy(tp=258, fn=42, tn=244, fp=56)
    values = Assumptions(susceptibility=0.4, icc=0.2, expected_omission=rate)
    correction = Correction(accuracy=accuracy, rate=rate)
    design = PlannedDesign(assumed=values, replicas=replicas, correction=correction)
    law = design.law()
    analysed = Planner(design=design, law=law).size_for(0.10).analysed
    reached = []
    for probes in (analysed, round(0.85 * analysed)):
        rng, hits = np.random.default_rng([1, 3, probes, 0]), 0
        for _ in range(STUDIES):
            drawn = rng.choice(law.n.size, size=probes, p=law.probability)
            k, n = law.k[drawn].astype(np.int64), law.n[drawn].astype(np.int64)
            found = clustered_rate("omission", k, n, rng, SETTINGS)
            whole = correct(found.value, found.interval.half_width, accuracy, gates=Gates())
            hits += whole.half_width <= 0.10
        reached.append(hits)
    assert binomtest(reached[0], STUDIES, 0.9, alternative="less").pvalue > REJECT
    assert binomtest(reached[1], STUDIES, 0.9, alternative="less").pvalue < REJECT


@pytest.mark.parametrize("correlation", [None, 0.8])
def test_two_models_are_told_apart_as_often_as_planned(correlation: float | None) -> None:
    """Beta-binomial verdicts of two models; on shared probes their tendencies correlate.

    Criterion: the interval of the difference misses 0 in the planned 80 % of 400 pairs of studies
    (two-sided exact binomial test at 1e-3, .03 allowed for the percentile interval).
    """
    replicas = 6
    values = Assumptions(susceptibility=0.4, icc=0.3, susceptibility_icc=0.15)
    compared = Comparison(rate=0.5, difference=0.12, probe_correlation=correlation)
    size = size_to_tell_apart(compared, values, replicas=replicas)
    rates, rng = (compared.rate, compared.other), np.random.default_rng([1, 2, 0, 0])
    shape = (1 - values.icc) / values.icc
    moving = (1 - values.susceptibility_icc) / values.susceptibility_icc
    hits = 0
    for _ in range(STUDIES):
        columns = []
        first = rng.normal(size=size.probes)
        r = correlation or 0.0
        for place in (first, r * first + math.sqrt(1 - r * r) * rng.normal(size=size.probes)):
            rate = rates[len(columns) // 2]
            # A Gaussian copula; between Beta laws this wide its r is the correlation but for .02.
            tendency = betaincinv(shape * rate, shape * (1 - rate), ndtr(place))
            susceptible = rng.beta(moving * 0.4, moving * 0.6, size.probes)
            n = rng.binomial(replicas, susceptible)
            columns += [rng.binomial(n, tendency), n]
        if correlation is None:
            drawn = [
                resample_totals(profiles_of(k[n > 0], n[n > 0]), rng, resamples=1000)
                for k, n in (columns[:2], columns[2:])
            ]
            totals = np.concatenate(drawn, axis=1)
        else:
            totals = resample_totals(profiles_of(*columns), rng, resamples=1000)
        interval = percentile(totals[:, 0] / totals[:, 1] - totals[:, 2] / totals[:, 3])
        hits += not interval.lower <= 0 <= interval.upper
    low, high = binomtest(hits, STUDIES).proportion_ci(confidence_level=1 - REJECT)
    assert low <= 0.83 and high >= 0.77
