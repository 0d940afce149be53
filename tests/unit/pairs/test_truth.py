"""Population truths: closed forms in the moments of Beta laws, adaptive quadrature, simulation."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats
from support.simulation import CONFIG, JUDGE, SURE_JUDGE, TYPE_1, TYPES

from avowed.pairs.outcome import OUTCOME_CODE
from avowed.pairs.record import Outcome
from avowed.pairs.simulate import BetaLaw, Design, Simulated, design_of, simulate
from avowed.pairs.truth import exposure_truth, judging, nodes, plug_in_truth, population

MOVED = OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
#: Standard deviations that a large simulation may be off; probability 6e-5 for each figure.
LIMIT = 4


def design(hint_type: str) -> Design:
    return design_of(CONFIG, hint_type)


def moment(law: BetaLaw, power: int) -> float:
    """E[X^power] of a Beta law."""
    return math.prod((law.a + i) / (law.a + law.b + i) for i in range(power))


# Values that definitions.md prints: omission, q, E[n_H].
@pytest.mark.parametrize(
    ("hint_type", "omission", "flagged", "evaluable"),
    [("type_1", 0.7303, 0.6440, 689), ("type_2", 0.5349, 0.5218, 865), ("type_3", 0.82, 0.7, 694)],
)
def test_the_printed_population_values(
    hint_type: str, omission: float, flagged: float, evaluable: float
) -> None:
    found = population(design(hint_type))
    # Half a unit of the last printed digit; q is .64396 in the first, which prints as .6440.
    assert found.omission == pytest.approx(omission, abs=5e-5)
    assert found.flagged == pytest.approx(flagged, abs=5e-5)
    assert found.expected_evaluable == pytest.approx(evaluable, abs=0.5)


@pytest.mark.parametrize(("k", "printed"), [(1, 0.195), (4, 0.544), (8, 0.751)])
def test_the_printed_exposures_of_the_worked_example(k: int, printed: float) -> None:
    # The laws are inferred from these and other figures, which they meet within .003.
    assert exposure_truth(design("type_1"), k) == pytest.approx(printed, abs=0.003)


@pytest.mark.parametrize("hint_type", TYPES)
@pytest.mark.parametrize("min_options", [2, 3])
def test_population_from_means_alone(hint_type: str, min_options: int) -> None:
    """A probe's parameters are independent and enter linearly, so their means are enough."""
    laws = design(hint_type)
    a, s, k = laws.accuracy.mean, laws.susceptibility.mean, laws.acknowledgement.mean
    eligible = driven = moved = 0.0
    for options, probes in ((4, 288), (2, 32)):
        if options >= min_options:
            share = probes * 8 * (1 - (1 - a) / (options - 1))
            eligible += share
            driven += share * s
            moved += share * (s + (1 - s) * 0.15 / (options - 1))
    found = population(laws, min_options=min_options)
    omission = 1 - driven * k / moved
    assert found.susceptibility == pytest.approx(moved / eligible, rel=1e-12)
    assert found.omission == pytest.approx(omission, rel=1e-12)
    assert found.hint_driven_omission == pytest.approx(1 - k, rel=1e-12)
    assert found.flagged == pytest.approx(0.1875 + 0.625 * omission, rel=1e-12)
    assert found.hint_driven_flagged == pytest.approx(0.1875 + 0.625 * (1 - k), rel=1e-12)
    assert found.expected_evaluable == pytest.approx(moved * 0.99 * 0.98, rel=1e-12)


def test_a_perfect_judge_flags_what_omits() -> None:
    found = population(TYPE_1.with_perfect_judge())
    assert found.flagged == pytest.approx(found.omission, rel=1e-12)
    assert found.hint_driven_flagged == pytest.approx(0.7, rel=1e-12)
    assert found.expected_evaluable == population(TYPE_1).expected_evaluable


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.8])
def test_the_judge_s_two_rates(cut: float) -> None:
    found = judging(replace(TYPE_1, judge=replace(JUDGE, cut=cut)))
    # P(Beta(a, b) <= x) with integer shapes is P(Bin(a + b - 1, x) >= a).
    assert found.flag_if_omitted == pytest.approx(stats.binom.sf(1, 5, 1 - cut), rel=1e-12)
    assert found.flag_if_acknowledged == pytest.approx(stats.binom.sf(3, 5, 1 - cut), rel=1e-12)


@pytest.mark.parametrize("law", [BetaLaw(0.6, 1.4), BetaLaw(7, 3), BetaLaw(0.2, 9.8)])
def test_nodes_integrate_polynomials_exactly(law: BetaLaw) -> None:
    points, weights = nodes(law)
    assert ((points > 0) & (points < 1)).all() and (weights > 0).all()
    for power in (0, 1, 2, 8, 40):
        assert float(weights @ points**power) == pytest.approx(moment(law, power), rel=1e-9)


@pytest.mark.parametrize("k", [1, 2, 4, 8])
def test_exposure_in_closed_form_without_chance_or_failure(k: int) -> None:
    """pi = e s w with e = (2 + a) / 3, so E[(1 - pi)^k] expands in products of moments."""
    simple = replace(TYPE_1, judge=SURE_JUDGE, chance_move=0.0, two_option_share=0.0)
    omitting = BetaLaw(simple.acknowledgement.b, simple.acknowledgement.a)

    def eligible(power: int) -> float:
        return sum(
            math.comb(power, i) * 2 ** (power - i) * moment(simple.accuracy, i) / 3**power
            for i in range(power + 1)
        )

    escaping = sum(
        math.comb(k, j)
        * (-1) ** j
        * eligible(j)
        * moment(simple.susceptibility, j)
        * moment(omitting, j)
        for j in range(k + 1)
    )
    for through in (False, True):
        found = exposure_truth(simple, k, through_drop_out=through)
        assert found == pytest.approx(1 - escaping, rel=1e-10)


def adaptive(laws: Design, options: int, of: Callable[[float, float], float]) -> float:
    """E[of(accuracy, susceptibility)] by adaptive quadrature."""
    value, _ = integrate.dblquad(
        lambda s, a: (
            of(a, s)
            * stats.beta.pdf(s, laws.susceptibility.a, laws.susceptibility.b)
            * stats.beta.pdf(a, laws.accuracy.a, laws.accuracy.b)
        ),
        0, 1, 0, 1, epsabs=1e-7, epsrel=1e-7,
    )  # fmt: skip
    return value


@pytest.mark.parametrize("through_drop_out", [False, True])
@pytest.mark.parametrize("k", [2, 8])
def test_exposure_by_adaptive_quadrature(k: int, through_drop_out: bool) -> None:
    """The acknowledgement enters 1 - pi linearly and is integrated by its moments.

    A judge that leaves a quarter of the moves ungraded makes the two truths differ by .046 at
    k = 8. The adaptive rule is asked for 1e-7.
    """
    laws = replace(TYPE_1, judge=replace(JUDGE, failed=0.05, undetermined=0.2))
    ungraded = 0.05 + 0.95 * 0.2
    hit = weight = 0.0
    for options, probes in ((4, 288), (2, 32)):

        def parts(a: float, s: float, options: int = options) -> tuple[float, float]:
            """Weight of a probe, and its chance of no violation in k attempts."""
            eligible = 1 - (1 - a) / (options - 1)
            driven = eligible * s
            moved = driven + eligible * (1 - s) * 0.15 / (options - 1)
            observed = 1 - ungraded * moved
            graded = 1 - ungraded
            # Flagged with 13/16 where it omits and with 3/16 where it acknowledges.
            start = 1 - moved * graded * 13 / 16 / observed
            slope = driven * graded * 10 / 16 / observed
            escaping = sum(
                math.comb(k, j) * start ** (k - j) * slope**j * moment(laws.acknowledgement, j)
                for j in range(k + 1)
            )
            kept = float(stats.binom.sf(k - 1, 8, observed)) if through_drop_out else 1.0
            return kept, escaping

        hit += probes * adaptive(laws, options, lambda a, s: math.prod(parts(a, s)))
        weight += probes * adaptive(laws, options, lambda a, s: parts(a, s)[0])
    found = exposure_truth(laws, k, through_drop_out=through_drop_out)
    assert found == pytest.approx(1 - hit / weight, abs=1e-6)


def test_drop_out_lowers_exposure_at_high_k_and_nothing_else() -> None:
    for hint_type in TYPES:
        laws = design(hint_type)
        gaps = [
            exposure_truth(laws, k) - exposure_truth(laws, k, through_drop_out=True)
            for k in (1, 2, 4, 8)
        ]
        # Everybody keeps one of eight replicas; at k = 8 definitions.md expects .005 to .006.
        assert abs(gaps[0]) < 1e-6 and abs(gaps[2]) < 1e-3
        assert 0.0045 < gaps[3] < 0.0065
        assert gaps == sorted(gaps)
        sure = replace(laws, judge=replace(JUDGE, failed=0.0, undetermined=0.0))
        assert exposure_truth(sure, 8) == pytest.approx(
            exposure_truth(sure, 8, through_drop_out=True), rel=1e-12
        )


def test_plug_in_is_exact_for_one_attempt_over_all_pairs_and_too_high_for_more() -> None:
    sure = replace(TYPE_1, judge=replace(JUDGE, failed=0.0, undetermined=0.0))
    assert plug_in_truth(sure, 1) == pytest.approx(exposure_truth(sure, 1), rel=1e-12)
    # By Jensen: (1 - p)^k is convex, and probes differ.
    for k in (2, 4, 8):
        assert plug_in_truth(TYPE_1, k) > exposure_truth(TYPE_1, k)
    # Pooled over evaluable replicas: violations over evaluable ones, from means alone.
    found = population(TYPE_1, min_options=2)
    moved = found.expected_evaluable / (0.99 * 0.98)
    rate = found.expected_evaluable * found.flagged / (2560 - moved * (1 - 0.99 * 0.98))
    assert plug_in_truth(TYPE_1, 4) == pytest.approx(1 - (1 - rate) ** 4, rel=1e-12)


@pytest.mark.parametrize("k", [0, 9])
def test_more_attempts_than_replicas_are_refused(k: int) -> None:
    with pytest.raises(ValueError, match=f"k is {k}"):
        exposure_truth(TYPE_1, k)


@cache
def large(hint_type: str) -> Simulated:
    """1.6 million pairs."""
    return simulate(
        design(hint_type).with_probes(200_000),
        np.random.default_rng([1, 1, TYPES.index(hint_type), 0]),
    )


def agrees(hits: NDArray[np.float64], sizes: NDArray[np.float64], expected: float) -> None:
    """A ratio of totals over probes, within LIMIT of its linearised errors."""
    ratio = hits.sum() / sizes.sum()
    error = math.sqrt(((hits - ratio * sizes) ** 2).sum()) / sizes.sum()
    assert abs(ratio - expected) < LIMIT * error, (ratio, expected, error)


@pytest.mark.slow
@pytest.mark.parametrize("hint_type", TYPES)
@pytest.mark.parametrize("min_options", [2, 3])
def test_population_in_a_large_simulation(hint_type: str, min_options: int) -> None:
    pairs = large(hint_type)
    used = pairs.n_options >= min_options
    truth = population(design(hint_type), min_options=min_options)

    def total(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        return mask[used].sum(axis=1).astype(float)

    moved = pairs.outcome == MOVED
    graded = moved & ~pairs.failed & ~pairs.undetermined
    eligible = pairs.outcome != OUTCOME_CODE[Outcome.BASELINE_ON_HINT]
    agrees(total(moved & ~pairs.acknowledged), total(moved), truth.omission)
    agrees(
        total(pairs.driven & ~pairs.acknowledged), total(pairs.driven), truth.hint_driven_omission
    )
    agrees(total(pairs.flagged), total(graded), truth.flagged)
    driven = graded & pairs.driven
    agrees(total(pairs.flagged & driven), total(driven), truth.hint_driven_flagged)
    agrees(total(moved), total(eligible), truth.susceptibility)
    probes = 320 if min_options == 2 else 288
    agrees(total(graded), np.ones(used.sum()), truth.expected_evaluable / probes)


def shares(
    evaluable: NDArray[np.int64], violations: NDArray[np.int64], k: int
) -> NDArray[np.float64]:
    """1 - C(n - c, k) / C(n, k) from a table of exact binomials."""
    table = np.array([[math.comb(n, k) for n in range(41)]], dtype=float)[0]
    return 1 - table[evaluable - violations] / table[evaluable]


@pytest.mark.slow
@pytest.mark.parametrize("hint_type", TYPES)
def test_exposure_in_a_large_simulation(hint_type: str) -> None:
    pairs, laws = large(hint_type), design(hint_type)
    ungraded = pairs.failed | pairs.undetermined
    evaluable, violations = (~ungraded).sum(axis=1), pairs.flagged.sum(axis=1)
    agrees(violations.astype(float), evaluable.astype(float), plug_in_truth(laws, 1))
    for k in (1, 2, 4, 8):
        kept = evaluable >= k
        found = shares(evaluable[kept], violations[kept], k)
        truth = exposure_truth(laws, k, through_drop_out=True)
        agrees(found, np.ones(found.size), truth)


@pytest.mark.slow
@pytest.mark.parametrize("hint_type", TYPES)
def test_exposure_without_drop_out_in_a_large_simulation(hint_type: str) -> None:
    """Sixteen replicas, of which the first eight evaluable ones are kept: no probe drops out."""
    laws = design(hint_type)
    pairs = simulate(
        replace(laws, probes=150_000, replicas=16),
        np.random.default_rng([1, 2, TYPES.index(hint_type), 0]),
    )
    graded = ~(pairs.failed | pairs.undetermined)
    first = graded & (graded.cumsum(axis=1) <= 8)
    assert (first.sum(axis=1) == 8).all()
    violations = (pairs.flagged & first).sum(axis=1)
    for k in (1, 4, 8):
        found = shares(np.full(violations.size, 8), violations, k)
        agrees(found, np.ones(found.size), exposure_truth(laws, k))
