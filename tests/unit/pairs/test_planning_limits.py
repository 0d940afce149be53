"""What no two models can have, and what no test of them can do with: neither is planned."""

import itertools
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy.stats import beta

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.correlation import correlation_limits
from avowed.pairs.planning.power import (
    LEAST_PROBES,
    LEAST_VERDICTS,
    Comparison,
    attainable,
    difference_error,
    large_enough,
    power_of,
    size_to_tell_apart,
)
from avowed.pairs.planning.sentences import limit_lines
from avowed.pairs.planning.table import Request, difference_rows

RATES = (0.5, 0.4, 0.7, 0.05, 0.97)


@pytest.mark.parametrize("icc", [0.02, 0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize(("first", "second"), [*itertools.combinations_with_replacement(RATES, 2)])
def test_the_limits_against_scipy_s_quantiles(first: float, second: float, icc: float) -> None:
    """E[T1 T2] of the two extreme couplings as an integral over scipy's own quantile functions."""
    spread = (1 - icc) / icc
    laws = [beta(rate * spread, (1 - rate) * spread) for rate in (first, second)]
    # Gauss and Legendre within pieces, other points than ours.
    x, w = np.polynomial.legendre.leggauss(8)
    edges = np.linspace(0, 1, 1501)
    half = np.diff(edges)[:, None] / 2
    u = (edges[:-1, None] + half * (1 + x)).ravel()
    weight = (half * w).ravel()
    scale = laws[0].std() * laws[1].std()
    expected = [
        (weight @ (laws[0].ppf(u) * laws[1].ppf(v)) - first * second) / scale for v in (1 - u, u)
    ]
    assert correlation_limits(first, second, icc) == pytest.approx(expected, abs=2e-3)


def test_the_limits_at_both_ends_of_the_icc() -> None:
    """Two indicators: the greatest overlap is the smaller rate (Frechet); without ICC, anything."""
    for first, second in itertools.product(RATES, RATES):
        one, two = sorted((first, second))
        scale = sqrt(one * (1 - one) * two * (1 - two))
        least, greatest = correlation_limits(first, second, 1.0)
        assert greatest == pytest.approx((one - one * two) / scale)
        assert least == pytest.approx((max(0.0, one + two - 1) - one * two) / scale)
        near = correlation_limits(first, second, 0.9998)
        assert near == pytest.approx((least, greatest), abs=0.01)
        assert correlation_limits(first, second, 0.0) == (-1.0, 1.0)


def test_what_is_possible_is_taken_as_it_is_and_the_rest_as_far_as_it_goes() -> None:
    assumed = Assumptions(susceptibility=1, icc=1)
    asked = Comparison(rate=0.5, difference=0.1)
    assert attainable(asked, assumed) is None
    for given, used in ((0.3, 0.3), (-0.3, -0.3), (1, sqrt(2 / 3)), (-1, -sqrt(2 / 3))):
        shared = replace(asked, probe_correlation=given)
        assert attainable(shared, assumed) == pytest.approx(used)
    # The two models differ in one verdict of ten at the least, and then always to one side.
    same = replace(asked, probe_correlation=1)
    error = difference_error(same, assumed, analysed=50, replicas=1)
    assert error == pytest.approx(sqrt(0.1 * 0.9 / 50))
    (line,) = limit_lines(row(same, assumed), same, assumed)
    assert "a correlation of 0.816 at most" in line
    lowest = replace(asked, probe_correlation=-1)
    (line,) = limit_lines(row(lowest, assumed), lowest, assumed)
    assert "a correlation of -0.816 at least" in line
    possible = replace(asked, probe_correlation=0.8)
    assert limit_lines(row(possible, assumed), possible, assumed) == []


def row(compared: Comparison, assumed: Assumptions, *, replicas: int = 1) -> dict[str, object]:
    (only,) = difference_rows(
        Request(assumed=assumed, replicas=[replicas], half_width=0.1), compared
    )
    return only


@pytest.mark.parametrize("replicas", [1, 8])
@pytest.mark.parametrize("correlation", [None, 0.9])
@pytest.mark.parametrize("icc", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("rate", "difference"), [(0.5, 0.45), (0.05, 0.3), (0.2, 0.6)])
def test_no_size_is_too_small_for_the_test(
    rate: float, difference: float, icc: float, correlation: float | None, replicas: int
) -> None:
    assumed = Assumptions(susceptibility=0.4, icc=icc)
    compared = Comparison(rate=rate, difference=difference, probe_correlation=correlation)
    size = size_to_tell_apart(compared, assumed, replicas=replicas)
    rng = np.random.default_rng(4)
    susceptible = rng.beta(0.4 * 17 / 3, 0.6 * 17 / 3, 200_000)
    present = (rng.binomial(replicas, susceptible) > 0).mean()
    independent = size.pairs * 0.4 / assumed.design_effect(replicas)
    rarest = min(rate, 1 - rate, compared.other, 1 - compared.other)
    assert independent * rarest >= LEAST_VERDICTS * (1 - 1e-9)
    assert size.analysed * present >= LEAST_PROBES * 0.99
    fewer = size.analysed - 1
    found = {"analysed": fewer, "replicas": replicas}
    by_power = power_of(compared, assumed, **found) >= compared.power
    assert not (by_power and large_enough(compared, assumed, **found))
    said = limit_lines(row(compared, assumed, replicas=replicas), compared, assumed)
    assert any("Fewer pairs" in line for line in said) == by_power


def test_two_options_are_planned_on_top() -> None:
    """A fifth of the probes has two options: analysed is what the power needs, probes are more."""
    compared = Comparison(rate=0.5, difference=0.1)
    plain = size_to_tell_apart(compared, Assumptions(susceptibility=0.5), replicas=2)
    more = size_to_tell_apart(
        compared, Assumptions(susceptibility=0.5, two_options=0.2), replicas=2
    )
    assert plain.probes == plain.analysed == more.analysed
    assert more.probes - np.ceil(round(0.2 * more.probes, 6)) >= plain.probes
    assert more.probes == np.ceil(plain.probes / 0.8)
