"""Intra-cluster correlation, design effect, effective sample size: definitions item 6."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avowed.stats.clustering import Clustering, describe

CLUSTERS = st.lists(
    st.integers(1, 9).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))),
    min_size=1,
    max_size=12,
)


def exact(clusters: list[tuple[int, int]]) -> tuple[Fraction | None, Fraction, Fraction]:
    """rho, deff and effective n in fractions, from the ANOVA table written out pair by pair."""
    c, n = len(clusters), sum(m for _, m in clusters)
    mean = Fraction(sum(k for k, _ in clusters), n)
    between = sum(m * (Fraction(k, m) - mean) ** 2 for k, m in clusters)
    within = sum(k * (1 - Fraction(k, m)) ** 2 + (m - k) * Fraction(k, m) ** 2 for k, m in clusters)
    rho = None
    if 1 < c < n and 0 < mean < 1:
        msb, msw = between / (c - 1), within / (n - c)
        m0 = (n - Fraction(sum(m * m for _, m in clusters), n)) / (c - 1)
        rho = (msb - msw) / (msb + (m0 - 1) * msw)
    deff = 1 + (Fraction(n, c) - 1) * max(Fraction(1) if rho is None else rho, Fraction(0))
    return rho, deff, n / deff


def check(found: Clustering, clusters: list[tuple[int, int]]) -> None:
    rho, deff, effective = exact(clusters)
    assert (
        math.isnan(found.icc) if rho is None else found.icc == pytest.approx(float(rho), abs=1e-12)
    )
    assert found.design_effect == pytest.approx(float(deff), rel=1e-12)
    assert found.effective_n == pytest.approx(float(effective), rel=1e-12)


@given(clusters=CLUSTERS)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_the_anova_estimator_in_fractions(clusters: list[tuple[int, int]]) -> None:
    k, m = zip(*clusters, strict=True)
    found = describe(k, m)
    check(found, clusters)
    assert found.n == sum(m) and found.clusters == len(clusters)
    assert 1 <= found.design_effect <= sum(m) / len(m) + 1e-12
    assert len(clusters) - 1e-9 <= found.effective_n <= sum(m) + 1e-9
    assert bool(found.note) is math.isnan(found.icc)


@given(clusters=CLUSTERS, times=st.integers(1, 4))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_multiplicity_is_the_same_as_listing_again(
    clusters: list[tuple[int, int]], times: int
) -> None:
    k, m = zip(*clusters, strict=True)
    check(describe(k, m, multiplicity=[times] * len(clusters)), clusters * times)


def test_a_negative_correlation_is_reported_raw_and_floors_the_design_effect() -> None:
    # Ten clusters of 1/2 each: MSB = 0, MSW = 1/2, m0 = 2, rho = -1/2 / (1/2) = -1.
    found = describe([1] * 10, [2] * 10)
    assert found.icc == -1.0
    assert (found.design_effect, found.effective_n) == (1.0, 20.0)
    assert found.note == ""


@pytest.mark.parametrize(
    ("successes", "sizes", "effective"),
    [
        ([0, 0, 0], [4, 2, 3], 3),
        ([4, 2, 3], [4, 2, 3], 3),
        ([1, 0, 1, 1], [1, 1, 1, 1], 4),
        ([2], [5], 1),
    ],
    ids=["no success", "only successes", "one pair per probe", "one cluster"],
)
def test_where_rho_is_0_over_0_the_effective_size_is_the_number_of_clusters(
    successes: list[int], sizes: list[int], effective: int
) -> None:
    found = describe(successes, sizes)
    assert math.isnan(found.icc)
    assert found.effective_n == pytest.approx(effective, rel=1e-12)
    assert "0/0" in found.note and "number of clusters" in found.note


def test_no_clusters_has_no_effective_size_and_it_is_not_0() -> None:
    found = describe([], [])
    assert (found.n, found.clusters) == (0, 0)
    assert all(math.isnan(x) for x in (found.icc, found.design_effect, found.effective_n))


@pytest.mark.parametrize(("k", "m"), [([0], [0]), ([-1], [2]), ([3], [2])])
def test_impossible_clusters_are_refused(k: list[int], m: list[int]) -> None:
    with pytest.raises(ValueError, match="size of at least 1"):
        describe(k, m)
