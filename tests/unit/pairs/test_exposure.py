"""Exposure under repeated attempts, reliability, plug-in and shares: definitions item 12."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cells import Pair, cell_of, probes

from avowed.pairs.estimate import Settings
from avowed.pairs.exposure import (
    BOUNDARY,
    at_least_one,
    attempts_of,
    complement,
    exposure,
    exposure_plug_in,
    reliable_up_to,
    violation_shares,
)
from avowed.pairs.omission import PRIMARY_METHOD
from avowed.stats.intervals import wilson
from avowed.stats.status import Status

SETTINGS = Settings()


def one(n: int, c: int, k: int) -> float:
    return float(at_least_one(np.array([n]), np.array([c]), k)[0])


@given(n=st.integers(1, 60), data=st.data())
@settings(max_examples=200, derandomize=True, deadline=None)
def test_one_probe_against_exact_binomials(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    expected = 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
    # A product of at most 60 factors below 1, each rounded once or twice.
    assert one(n, c, k) == pytest.approx(float(expected), abs=60 * 2.0**-52)


@given(n=st.integers(2, 60), data=st.data())
@settings(max_examples=200, derandomize=True, deadline=None)
def test_more_attempts_or_more_violations_never_lower_the_exposure(
    n: int, data: st.DataObject
) -> None:
    c, k = data.draw(st.integers(0, n - 1)), data.draw(st.integers(1, n - 1))
    assert one(n, c, k) <= one(n, c, k + 1)
    assert one(n, c, k) <= one(n, c + 1, k)


def test_with_too_few_replicas_there_is_no_value_also_without_violations() -> None:
    assert math.isnan(one(3, 0, 4)) and math.isnan(one(3, 3, 4)) and math.isnan(one(0, 0, 1))


def test_at_the_edges_the_value_is_exact() -> None:
    assert [one(7, 0, k) for k in range(1, 8)] == [0.0] * 7
    assert [one(7, 7, k) for k in range(1, 8)] == [1.0] * 7


def test_large_numbers_of_replicas_do_not_overflow() -> None:
    # One violation among 2,000: 1,000 attempts without replacement find it half the time, though
    # C(2000, 1000) is beyond the floating-point range.
    assert one(2000, 1, 1000) == pytest.approx(0.5, abs=1000 * 2.0**-52)


def test_what_counts_as_an_attempt_and_as_a_violation() -> None:
    # B, N, O and a faithful H are attempts without violation; U and an ungraded H are none.
    attempts = attempts_of(cell_of(probes("xBNOf", "xU?-t", "UU")), min_options=3)
    assert attempts.evaluable.tolist() == [5, 1, 0]
    assert attempts.violations.tolist() == [1, 1, 0]
    assert attempts.left_out == 0


def test_a_probe_with_any_replica_that_was_not_fresh_is_left_out_whole() -> None:
    pairs = [*probes("xxN"), *(Pair(1, "x", 4, True, fresh) for fresh in (True, True, False))]
    attempts = attempts_of(cell_of(pairs), min_options=3)
    assert (attempts.evaluable.tolist(), attempts.left_out) == ([3], 1)
    found = exposure(cell_of(pairs), 1, SETTINGS)
    assert found.value == pytest.approx(2 / 3, abs=1e-15)
    assert any("1 probes left out" in note and "fresh" in note for note in found.notes)
    assert sum(share.value for share in violation_shares(cell_of(pairs), SETTINGS)) == 1.0
    assert {share.n for share in violation_shares(cell_of(pairs), SETTINGS)} == {1}


def test_exposure_has_its_own_limit_on_options() -> None:
    cell = cell_of([*probes("xN"), *probes("xx", options=2, start=1)])
    assert exposure(cell, 1, SETTINGS).value == 0.5
    assert exposure(cell, 1, replace(SETTINGS, exposure_min_options=2)).value == 0.75
    assert exposure(cell, 1, replace(SETTINGS, min_options=2)).value == 0.5


@pytest.mark.parametrize("k", [0, -1, 4])
def test_k_beyond_the_plan_is_refused(k: int) -> None:
    cell = cell_of(probes("xxNNN"), replicas=3)
    for estimator in (exposure, exposure_plug_in):
        with pytest.raises(ValueError, match=rf"k is {k}; with 3 planned"):
            estimator(cell, k, SETTINGS)


def test_k_within_the_plan_that_no_probe_reaches_has_no_value_and_it_is_not_0_or_1() -> None:
    found = exposure(cell_of(probes("xN", "x?U")), 3, SETTINGS)
    assert math.isnan(found.value) and not found.interval.defined
    assert (found.n, found.clusters, found.status) == (0, 0, Status.INSUFFICIENT)
    reliability = complement(found, "reliability")
    assert math.isnan(reliability.value) and not reliability.interval.defined


def test_the_set_of_probes_shrinks_with_k() -> None:
    cell = cell_of(probes("xNNN", "xxN", "N?", "x"))
    found = [exposure(cell, k, SETTINGS) for k in (1, 2, 3, 4)]
    assert [one.clusters for one in found] == [4, 2, 2, 1]
    assert [one.n for one in found] == [9, 7, 7, 4]
    # k = 1: (1/4 + 2/3 + 0 + 1) / 4; k = 2: (1/2 + 1) / 2; k = 3: (3/4 + 1) / 2; k = 4: 1.
    expected = [Fraction(23, 48), Fraction(3, 4), Fraction(7, 8), Fraction(1)]
    for one_k, value in zip(found, expected, strict=True):
        assert one_k.value == pytest.approx(float(value), abs=1e-15)


def test_one_attempt_is_the_mean_over_probes_not_over_pairs() -> None:
    cell = cell_of(probes("xN", "N" * 8))
    assert exposure(cell, 1, SETTINGS).value == 0.25
    assert exposure_plug_in(cell, 1, SETTINGS).value == pytest.approx(0.1, abs=1e-15)


def test_reliable_up_to_half_of_the_plan_and_marked_beyond() -> None:
    assert [reliable_up_to(m) for m in (1, 2, 3, 7, 8, 9)] == [1, 1, 1, 3, 4, 4]
    cell = cell_of(probes(*["xNNNNNNN"] * 3), replicas=8)
    beyond = [any("beyond" in n for n in exposure(cell, k, SETTINGS).notes) for k in range(1, 9)]
    assert beyond == [False] * 4 + [True] * 4


@pytest.mark.parametrize(("kinds", "value"), [("NNNN", 0.0), ("xxxx", 1.0)])
def test_at_0_and_1_the_interval_is_wilson_s_at_the_probes_used(kinds: str, value: float) -> None:
    cell = cell_of(probes(*[kinds] * 12, *["x"] * 5, *["U"] * 4))
    found = exposure(cell, 2, SETTINGS)
    expected = wilson(value, 12)
    assert found.value == value
    assert (found.interval.lower, found.interval.upper) == (expected.lower, expected.upper)
    assert (found.interval.method, found.clusters) == (BOUNDARY, 12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_equal_fractional_contributions_collapse_to_wilson_too(k: int) -> None:
    # Every probe contributes k/3 with one violation in three replicas; below 1 it is a fraction
    # whose sums round differently in different resamples.
    found = exposure(cell_of(probes(*["xNN"] * 21)), k, SETTINGS)
    expected = wilson(min(k / 3, 1.0), 21)
    assert found.value == pytest.approx(k / 3, abs=1e-15)
    assert found.interval.method == BOUNDARY
    assert found.interval.lower == pytest.approx(expected.lower, abs=1e-12)
    assert found.interval.upper == pytest.approx(expected.upper, abs=1e-12)


def test_inside_the_range_the_interval_is_the_percentile_bootstrap() -> None:
    cell = cell_of(probes(*["xNNN", "xxNN", "NNNN", "xxxx", "N?U"] * 10))
    found = exposure(cell, 2, SETTINGS)
    assert found.interval.method == PRIMARY_METHOD
    assert 0 < found.interval.lower < found.value < found.interval.upper < 1


def test_retained_probes_below_k_are_resampled_and_the_set_is_recomputed() -> None:
    # Two of forty probes reach k: about e^-2 = 13 % of resamples hold neither.
    cell = cell_of(probes("xN", "NN", *["N"] * 38))
    found = exposure(cell, 2, SETTINGS)
    (note,) = [note for note in found.notes if "resamples undefined" in note]
    expected, count = 2000 * (38 / 40) ** 40, int(note.split()[0])
    # Five binomial standard deviations of 2,000 resamples.
    assert abs(count - expected) < 5 * math.sqrt(expected * (1 - expected / 2000))


def test_probes_with_too_few_options_are_not_resampled() -> None:
    pairs = probes(*["xNNN", "xxNN", "NNNN", "Nx"] * 10)
    more = [*probes(*["xN"] * 30, options=2, start=100), *pairs]
    for k in (1, 3):
        found = [exposure(cell_of(each), k, SETTINGS) for each in (pairs, more)]
        assert found[0] == found[1]
    assert attempts_of(cell_of(more), min_options=3).evaluable.size == 40


def test_reliability_is_the_complement_with_its_interval_turned_round() -> None:
    cell = cell_of(probes(*["xNNN", "xxNN", "NNNN", "Nx"] * 10))
    for k in range(1, 5):
        found = exposure(cell, k, SETTINGS)
        other = complement(found, "reliability")
        assert (other.quantity, other.k) == ("reliability", k)
        assert other.value == 1 - found.value
        assert other.interval.lower == 1 - found.interval.upper
        assert other.interval.upper == 1 - found.interval.lower
        assert other.interval.method == found.interval.method
        assert (other.n, other.clusters, other.status) == (found.n, found.clusters, found.status)


@given(counts=st.lists(st.integers(0, 8), min_size=1, max_size=20), k=st.integers(1, 8))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_the_plug_in_is_at_least_the_mean_over_probes_of_its_own_form(
    counts: list[int], k: int
) -> None:
    cell = cell_of(probes(*["x" * c + "N" * (8 - c) for c in counts]))
    by_probe = sum(1 - (1 - Fraction(c, 8)) ** k for c in counts) / len(counts)
    # Jensen's inequality, with equality for equal probes; rounding of one power and one quotient.
    assert exposure_plug_in(cell, k, SETTINGS).value >= float(by_probe) - 1e-14


def test_the_plug_in_overstates_exposure_when_probes_differ() -> None:
    cell = cell_of(probes(*["xxxxxxxx"] * 5, *["NNNNNNNN"] * 5))
    assert [exposure(cell, k, SETTINGS).value for k in (1, 2, 4)] == [0.5, 0.5, 0.5]
    assert [exposure_plug_in(cell, k, SETTINGS).value for k in (1, 2, 4)] == [0.5, 0.75, 0.9375]


def test_the_plug_in_is_no_upper_bound_of_the_estimate_for_equal_probes() -> None:
    # In a sample attempts come without replacement: 1 - C(4, 2)/C(8, 2) = 11/14 > 3/4. Jensen
    # orders the truths, not every pair of estimates.
    cell = cell_of(probes(*["xxxxNNNN"] * 5))
    assert exposure(cell, 2, SETTINGS).value == pytest.approx(11 / 14, abs=1e-15)
    assert exposure_plug_in(cell, 2, SETTINGS).value == 0.75


def test_the_plug_in_rests_on_the_probes_with_an_attempt() -> None:
    found = exposure_plug_in(cell_of(probes("xN", "N", "U?", "f")), 2, SETTINGS)
    assert (found.n, found.clusters, found.value) == (4, 3, 1 - 0.75**2)


def test_the_plug_in_of_nothing_is_undefined() -> None:
    found = exposure_plug_in(cell_of(probes("U?")), 1, SETTINGS)
    assert math.isnan(found.value) and found.status is Status.UNDEFINED


def test_never_sometimes_always_over_probes_with_an_attempt() -> None:
    cell = cell_of(probes("NNB", "x", "xx?", "xN", "fO", "U?", "U"))
    never, sometimes, always = violation_shares(cell, SETTINGS)
    assert (never.value, sometimes.value, always.value) == (0.4, 0.2, 0.4)
    assert {share.n for share in (never, sometimes, always)} == {5}
    assert never.quantity == "violations_never" and always.quantity == "violations_always"


@given(kinds=st.lists(st.text("xfNU?", min_size=1, max_size=5), min_size=1, max_size=12))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_the_three_shares_sum_to_1_and_intervals_are_never_points(kinds: list[str]) -> None:
    shares = violation_shares(cell_of(probes(*kinds)), Settings(resamples=100))
    if any(set(kind) & set("xfN") for kind in kinds):
        assert sum(share.value for share in shares) == pytest.approx(1, abs=1e-15)
        for share in shares:
            assert 0 <= share.interval.lower < share.interval.upper <= 1
    else:
        assert all(math.isnan(share.value) for share in shares)
