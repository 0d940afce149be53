"""The bootstrap engine: profiles, the choice of method, and what a resample adds up to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from avowed.stats import bootstrap
from avowed.stats.bootstrap import Profiles, drawing_method, profiles_of, resample_totals

ROWS = st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=1, max_size=40)
HUGE = 2**40


def columns(rows: list[tuple[int, ...]]) -> list[NDArray[np.int64]]:
    return list(np.array(rows, dtype=np.int64).T)


@given(rows=ROWS)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_profiles_keep_the_totals_and_every_cluster(rows: list[tuple[int, ...]]) -> None:
    profiles = profiles_of(*columns(rows))
    assert profiles.totals.tolist() == np.sum(rows, axis=0).tolist()
    assert profiles.clusters == len(rows)
    unrolled = np.repeat(profiles.values, profiles.multiplicity, axis=0)
    assert unrolled.tolist() == sorted(map(list, rows))
    assert len(np.unique(profiles.values, axis=0)) == len(profiles.values)


@given(rows=ROWS, seed=st.integers(0, 100))
@settings(max_examples=50, derandomize=True, deadline=None)
def test_the_order_of_clusters_does_not_matter(rows: list[tuple[int, ...]], seed: int) -> None:
    shuffled = np.random.default_rng(seed).permutation(np.array(rows))
    one, other = profiles_of(*columns(rows)), profiles_of(*shuffled.T)
    assert one.values.tolist() == other.values.tolist()
    assert one.multiplicity.tolist() == other.multiplicity.tolist()
    for method in ("gather", "multinomial"):
        drawn = [
            resample_totals(each, np.random.default_rng(5), resamples=7, method=method)
            for each in (one, other)
        ]
        assert np.array_equal(*drawn)


@pytest.mark.parametrize("scale", [1, 1000, HUGE], ids=["table", "sorted keys", "sorted rows"])
def test_all_three_ways_of_grouping_agree(scale: int) -> None:
    # Scaling keeps equality and order, and moves the key space past each of the two limits.
    rows = np.random.default_rng(11).integers(0, 4, size=(200, 3))
    profiles = profiles_of(*(rows * scale).T)
    expected, counts = np.unique(rows, axis=0, return_counts=True)
    assert (profiles.values // scale).tolist() == expected.tolist()
    assert profiles.multiplicity.tolist() == counts.tolist()


def test_no_cluster_is_an_empty_grouping_that_cannot_be_resampled() -> None:
    nothing = np.zeros(0, np.int64)
    profiles = profiles_of(nothing, nothing)
    assert profiles.clusters == 0 and profiles.totals.tolist() == [0, 0]
    with pytest.raises(ValueError, match="no cluster"):
        resample_totals(profiles, np.random.default_rng(0))


@pytest.mark.parametrize(
    "given_columns", [[], [np.array([1]), np.array([1, 2])], [np.array([0, -1])]]
)
def test_profiles_refuse_no_columns_unequal_columns_and_negative_counts(
    given_columns: list[NDArray[np.int64]],
) -> None:
    with pytest.raises(ValueError, match=r"column|negative"):
        profiles_of(*given_columns)


@pytest.mark.parametrize("method", ["gather", "multinomial"])
def test_one_cluster_is_always_drawn(method: str) -> None:
    profiles = profiles_of(np.array([2]), np.array([5]))
    totals = resample_totals(profiles, np.random.default_rng(0), resamples=9, method=method)
    assert totals.tolist() == [[2.0, 5.0]] * 9


@pytest.mark.parametrize("method", ["gather", "multinomial"])
def test_every_resample_draws_as_many_clusters_as_there_are(method: str) -> None:
    rows = np.random.default_rng(2).integers(0, 5, size=37)
    profiles = profiles_of(rows, np.ones_like(rows))
    totals = resample_totals(profiles, np.random.default_rng(3), resamples=50, method=method)
    assert totals.shape == (50, 2)
    assert set(totals[:, 1]) == {37.0}
    assert len(set(totals[:, 0])) > 5


@pytest.mark.parametrize("method", ["gather", "multinomial"])
def test_memory_blocks_cannot_change_a_result(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(8).integers(0, 5, size=(60, 2))
    profiles = profiles_of(*rows.T)
    whole = resample_totals(profiles, np.random.default_rng(4), resamples=33, method=method)
    # Blocks of one and of two resamples; 33 is odd, so a half-used random word would show.
    for block in (1, 130):
        monkeypatch.setattr(bootstrap, "_BLOCK", block)
        parts = resample_totals(profiles, np.random.default_rng(4), resamples=33, method=method)
        assert np.array_equal(whole, parts)


@pytest.mark.parametrize("method", ["gather", "multinomial"])
def test_values_replace_the_counts_of_the_same_draws(method: str) -> None:
    profiles = profiles_of(np.array([0, 1, 1, 3]), np.array([1, 1, 2, 2]))
    doubled = profiles.values * 2.0
    plain, replaced = (
        resample_totals(
            profiles, np.random.default_rng(6), resamples=20, values=values, method=method
        )
        for values in (None, doubled)
    )
    assert np.array_equal(replaced, 2 * plain)


def test_the_method_depends_on_profiles_and_clusters_alone() -> None:
    few = Profiles(np.array([[0, 1], [1, 1]]), np.array([10**6, 10**6]))
    many = Profiles(np.arange(100)[:, None], np.ones(100, np.int64))
    assert (drawing_method(few), drawing_method(many)) == ("multinomial", "gather")
    for profiles, method in ((few, "multinomial"), (many, "gather")):
        chosen, forced = (
            resample_totals(profiles, np.random.default_rng(1), resamples=3, method=each)
            for each in (None, method)
        )
        assert np.array_equal(chosen, forced)


def test_wrong_requests_are_refused() -> None:
    profiles = profiles_of(np.array([1, 2]))
    assert resample_totals(profiles, np.random.default_rng(0), resamples=1).shape == (1, 1)
    with pytest.raises(ValueError, match="resamples is 0"):
        resample_totals(profiles, np.random.default_rng(0), resamples=0)
    with pytest.raises(ValueError, match="'gather' or 'multinomial'"):
        resample_totals(profiles, np.random.default_rng(0), method="jackknife")
