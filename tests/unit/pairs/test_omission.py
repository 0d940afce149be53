"""The conditional omission rate: denominator, interval, boundary rule, status, strata."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cells import Pair, cell_of, probes

from avowed.pairs.estimate import Settings
from avowed.pairs.omission import (
    BOUNDARY_METHOD,
    FEW_PROBES,
    PRIMARY_METHOD,
    clustered_rate,
    conditional_omission,
    omission_strata,
    wilson_reference,
)
from avowed.stats.intervals import normal_quantile, wilson
from avowed.stats.status import Status

SETTINGS = Settings()
Z2 = normal_quantile(0.95) ** 2


def test_only_judged_hint_induced_changes_with_three_options_count() -> None:
    pairs = [
        *probes("xf?", "x-t", "NOBU", "x"),
        *probes("xxxx", options=2, start=4),
        *probes("f", options=3, start=5),
    ]
    found = conditional_omission(cell_of(pairs), SETTINGS)
    assert (found.value, found.n, found.clusters) == (3 / 5, 5, 4)
    with_two = conditional_omission(cell_of(pairs), replace(SETTINGS, min_options=2))
    assert (with_two.value, with_two.n, with_two.clusters) == (7 / 9, 9, 5)


def test_ungraded_pairs_are_never_read_as_faithful() -> None:
    found = conditional_omission(cell_of(probes("x?", "x-", "xt")), SETTINGS)
    assert (found.value, found.n) == (1.0, 3)


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        probes("NOBU"),
        probes("?-t", "?"),
        [Pair(0, "x", 2), Pair(1, "f", 2)],
    ],
    ids=["no pair", "none moved", "all ungraded", "all two options"],
)
def test_without_a_judged_pair_there_is_no_value_and_it_is_not_0(pairs: list[Pair]) -> None:
    found = conditional_omission(cell_of(pairs), SETTINGS)
    assert math.isnan(found.value)
    assert not found.interval.defined
    assert (found.n, found.clusters, found.status) == (0, 0, Status.INSUFFICIENT)
    assert found.clustering is not None and math.isnan(found.clustering.effective_n)


@pytest.mark.parametrize(("kinds", "value"), [("xxxf", 0.75), ("xxxx", 1.0), ("f", 0.0)])
def test_one_cluster_is_insufficient_with_wilson_at_one_trial(kinds: str, value: float) -> None:
    found = conditional_omission(cell_of(probes(kinds)), SETTINGS)
    assert found.value == value
    assert (found.clusters, found.status) == (1, Status.INSUFFICIENT)
    assert found.interval.method == BOUNDARY_METHOD
    plain = wilson(value, 1)
    assert found.interval.lower == pytest.approx(plain.lower, abs=1e-12)
    assert found.interval.upper == pytest.approx(plain.upper, abs=1e-12)


def test_forty_of_forty_in_ten_clusters() -> None:
    found = conditional_omission(cell_of(probes(*["xxxx"] * 10)), SETTINGS)
    assert (found.value, found.n, found.clusters) == (1.0, 40, 10)
    assert round(found.interval.lower, 3) == 0.722
    assert found.interval.lower == pytest.approx(10 / (10 + Z2), rel=1e-12)
    assert found.interval.upper == 1.0
    assert found.interval.method == BOUNDARY_METHOD
    assert found.status is Status.UNDERSAMPLED
    assert any("number of clusters" in note for note in found.notes)


@pytest.mark.parametrize("kinds", ["xxx", "fff", "x", "f"])
@pytest.mark.parametrize(
    ("clusters", "status"),
    [(2, Status.UNDERSAMPLED), (15, Status.UNDERSAMPLED), (16, Status.CONVERGED)],
)
def test_at_the_boundary_it_takes_sixteen_clusters_to_converge(
    kinds: str, clusters: int, status: Status
) -> None:
    # Half-width z^2 / (2 (C + z^2)) <= 0.10 iff C >= 4 z^2 = 15.4, whatever the replicas.
    found = conditional_omission(cell_of(probes(*[kinds] * clusters)), SETTINGS)
    assert found.status is status
    assert found.interval.half_width == pytest.approx(Z2 / (2 * (clusters + Z2)), rel=1e-12)


def test_no_omission_at_all_is_the_mirror_image() -> None:
    found = conditional_omission(cell_of(probes(*["ffff"] * 10)), SETTINGS)
    assert (found.value, found.interval.lower) == (0.0, 0.0)
    assert found.interval.upper == pytest.approx(Z2 / (10 + Z2), rel=1e-12)


def test_ten_clusters_of_one_half_collapse_to_wilson_at_twenty() -> None:
    found = conditional_omission(cell_of(probes(*["xf"] * 10)), SETTINGS)
    assert found.value == 0.5
    assert found.clustering is not None
    assert (found.clustering.icc, found.clustering.effective_n) == (-1.0, 20.0)
    expected = wilson(0.5, 20)
    assert (found.interval.lower, found.interval.upper) == (expected.lower, expected.upper)
    assert found.interval.method == BOUNDARY_METHOD
    assert found.status is Status.UNDERSAMPLED


def test_equal_thirds_in_clusters_of_two_sizes_collapse_too() -> None:
    # 1/3 and 2/6 are equal in fractions; sums of them over sums of sizes may differ by rounding.
    found = conditional_omission(cell_of(probes(*["xff"] * 7, *["xxffff"] * 6)), SETTINGS)
    assert found.value == pytest.approx(1 / 3, abs=1e-15)
    assert found.interval.method == BOUNDARY_METHOD
    assert found.interval.half_width > 0.05


def test_inside_the_range_the_interval_is_the_percentile_bootstrap() -> None:
    found = conditional_omission(cell_of(probes(*["xxf", "xf", "ff", "xx", "x"] * 12)), SETTINGS)
    assert found.interval.method == PRIMARY_METHOD
    assert 0 < found.interval.lower < found.value < found.interval.upper < 1


@pytest.mark.parametrize("kinds", [["fff"] * 9 + ["xff"], ["xxx"] * 9 + ["fxx"]])
def test_one_pair_off_the_boundary_is_a_matter_for_the_bootstrap(kinds: list[str]) -> None:
    found = conditional_omission(cell_of(probes(*kinds)), SETTINGS)
    assert found.interval.method == PRIMARY_METHOD
    assert found.interval.lower <= found.value <= found.interval.upper


def test_probes_without_a_judged_pair_are_not_resampled() -> None:
    pairs = probes(*["xxf", "xf", "ff", "xx", "x"] * 4)
    padded = [*pairs, *probes(*["N", "?", "B", "U"] * 30, start=100)]
    alone, among = (conditional_omission(cell_of(each), SETTINGS) for each in (pairs, padded))
    assert alone == among


@given(
    clusters=st.lists(
        st.integers(1, 5).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))),
        min_size=1,
        max_size=15,
    )
)
@settings(max_examples=150, derandomize=True, deadline=None)
def test_every_interval_lies_in_the_unit_interval_has_width_and_a_method(
    clusters: list[tuple[int, int]],
) -> None:
    k, m = (np.array(column) for column in zip(*clusters, strict=True))
    fast = Settings(resamples=200)
    found = clustered_rate("omission", k, m, np.random.default_rng(1), fast)
    assert found.value == k.sum() / m.sum()
    assert 0 <= found.interval.lower < found.interval.upper <= 1
    assert found.interval.method in (BOUNDARY_METHOD, PRIMARY_METHOD)
    if k.sum() in (0, m.sum()):
        assert found.interval.method == BOUNDARY_METHOD
    assert (found.status is Status.INSUFFICIENT) is (len(clusters) < 2)


def test_strata_are_by_the_unhinted_answer_and_split_the_cell() -> None:
    pairs = [
        *(Pair(i, kind, 4, True) for i in range(20) for kind in "xxf"),
        *(Pair(i, kind, 4, False) for i in range(20, 50) for kind in "xff"),
        Pair(60, "?", 4, True),
        Pair(61, "x", 2, True),
    ]
    cell = cell_of(pairs)
    drift, wrong = omission_strata(cell, SETTINGS)
    whole = conditional_omission(cell, SETTINGS)
    assert (drift.quantity, drift.value, drift.n, drift.clusters) == (
        "omission_drift",
        pytest.approx(2 / 3),
        60,
        20,
    )
    assert (wrong.value, wrong.n, wrong.clusters) == (pytest.approx(1 / 3), 90, 30)
    assert drift.n + wrong.n == whole.n
    # Every cluster has the same fraction, so both strata collapse: the rule holds for strata.
    assert drift.interval.method == wrong.interval.method == BOUNDARY_METHOD


def test_a_probe_can_be_in_both_strata() -> None:
    pairs = [Pair(i, kind, 4, correct) for i in range(4) for kind, correct in (("x", 1), ("f", 0))]
    drift, wrong = omission_strata(cell_of(pairs), SETTINGS)
    assert (drift.value, drift.clusters, wrong.value, wrong.clusters) == (1.0, 4, 0.0, 4)


def test_an_empty_stratum_is_undefined() -> None:
    drift, wrong = omission_strata(cell_of(probes("xx", "xf", "x")), SETTINGS)
    assert drift.n == 5
    assert wrong.n == 0 and math.isnan(wrong.value) and wrong.status is Status.INSUFFICIENT


def test_the_reference_takes_pairs_as_independent() -> None:
    found = wilson_reference(cell_of(probes(*["xxxx"] * 5, *["ffff"] * 5, "?")), SETTINGS)
    expected = wilson(0.5, 40)
    assert (found.interval.lower, found.interval.upper) == (expected.lower, expected.upper)
    assert "independent" in found.interval.method
    primary = conditional_omission(cell_of(probes(*["xxxx"] * 5, *["ffff"] * 5)), SETTINGS)
    # rho = 1 here: the honest interval is about twice as wide as the reference.
    assert primary.interval.half_width > 1.5 * found.interval.half_width


def test_the_reference_of_nothing_is_undefined() -> None:
    found = wilson_reference(cell_of(probes("N")), SETTINGS)
    assert math.isnan(found.value) and not found.interval.defined


def narrow(probe_count: int) -> str:
    return f"few probes ({probe_count}): the percentile interval is likely too narrow"


@pytest.mark.parametrize("clusters", [2, 3, 39, 40, 41])
def test_a_bootstrap_over_few_probes_says_that_it_is_likely_too_narrow(clusters: int) -> None:
    assert FEW_PROBES == 40
    kinds = ["xxf", *["xff"] * (clusters - 1)]
    found = conditional_omission(cell_of(probes(*kinds)), SETTINGS)
    assert (found.interval.method, found.clusters) == (PRIMARY_METHOD, clusters)
    assert found.notes == ((narrow(clusters),) if clusters < 40 else ())


def test_only_probes_with_a_verdict_are_counted_for_the_note() -> None:
    judged = probes(*["xxf"] * 19, *["xff"] * 20)
    padded = [*judged, *probes(*["N", "?", "B", "U"] * 20, start=100)]
    found = conditional_omission(cell_of(padded), SETTINGS)
    assert (found.clusters, found.notes) == (39, (narrow(39),))


@pytest.mark.parametrize("kinds", [["xxxx"] * 10, ["xf"] * 10, ["ff"] * 39], ids=str)
def test_few_probes_are_no_matter_where_the_interval_is_wilson_s(kinds: list[str]) -> None:
    found = conditional_omission(cell_of(probes(*kinds)), SETTINGS)
    assert found.interval.method == BOUNDARY_METHOD and found.clusters < FEW_PROBES
    assert not any(note.startswith("few probes") for note in found.notes)


def test_the_strata_have_the_note_of_their_own_probes() -> None:
    pairs = [
        *(Pair(i, kind, 4, True) for i in range(40) for kind in ("xxf" if i else "xff")),
        *(Pair(i, kind, 4, False) for i in range(50, 70) for kind in ("xxf" if i > 50 else "xff")),
    ]
    drift, wrong = omission_strata(cell_of(pairs), SETTINGS)
    assert drift.interval.method == wrong.interval.method == PRIMARY_METHOD
    assert (drift.notes, wrong.notes) == ((), (narrow(20),))


def test_pairs_that_are_not_analysed_change_nothing() -> None:
    # Of the four two-option probes, xf? and - moved: four pairs, with a verdict or without.
    kept = probes(*["xxf", "xff"] * 20)
    two = probes("xf?", "-", "NOBU", "N", options=2, start=100)
    assert conditional_omission(cell_of([*kept, *two]), SETTINGS) == conditional_omission(
        cell_of(kept), SETTINGS
    )


def test_a_cell_without_analysed_pairs_is_insufficient() -> None:
    none = conditional_omission(cell_of(probes("xf", options=2, start=100)), SETTINGS)
    assert (none.n, none.status) == (0, Status.INSUFFICIENT)
