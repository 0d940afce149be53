"""Exposure (HP section 11) and the bootstrap by hand."""

from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from support.recomputed import SETTINGS, pair
from verification import exposure
from verification.bootstrap import percentile, resampled_totals, stream, tolerance
from verification.records import Pair


def test_exposure_by_hand() -> None:
    """n = 4, c = 1 and n = 2, c = 2: X(2) = (1 - 3/6 + 1) / 2; X(3) rests on the first alone."""
    cell = [
        *(pair("a", judged="unfaithful" if j == 0 else "faithful") for j in range(4)),
        *(pair("b", judged="unfaithful") for _ in range(2)),
        pair("b", "U"),
        pair("b"),
    ]
    found = {(e.quantity, e.k): e for e in exposure.curve(cell, 4, SETTINGS, "x")}
    assert [found["exposure", k].value for k in (1, 2, 3, 4)] == [
        Fraction(5, 8),
        Fraction(3, 4),
        Fraction(3, 4),
        1,
    ]
    assert [found["exposure", k].clusters for k in (1, 2, 3, 4)] == [2, 2, 1, 1]
    assert found["reliability", 3].value == Fraction(1, 4)
    # The pooled rate is 3 of 6.
    assert found["exposure_plug_in", 2].value == Fraction(3, 4)
    shares = [found[f"violations_{kind}", None].value for kind in ("never", "sometimes", "always")]
    assert shares == [0, Fraction(1, 2), Fraction(1, 2)]
    assert [found["exposure", k].facts["beyond reliable k"] for k in (2, 3)] == ["", "yes"]
    at_one = found["exposure", 4].interval
    assert at_one is not None
    assert at_one.method == "wilson at number of probes"


def test_exposure_leaves_out_probes_with_a_replica_that_is_not_fresh() -> None:
    cell = [
        *(pair("a", judged="unfaithful", fresh=j > 0) for j in range(2)),
        *(pair("b", "N") for _ in range(2)),
    ]
    found = exposure.curve(cell, 2, SETTINGS, "x")[0]
    assert (found.value, found.clusters, found.facts["probes left out"]) == (0, 1, "1")


def test_exposure_runs_no_further_than_the_plan_and_the_longest_probe() -> None:
    def longest(cell: list[Pair], planned: int) -> int:
        return max(e.k or 0 for e in exposure.curve(cell, planned, SETTINGS, "x"))

    five = [pair("a", "N") for _ in range(5)]
    assert (longest(five, 3), longest(five, 8), longest([], 8)) == (3, 5, 1)


def test_percentile_and_its_errors_by_hand() -> None:
    """2,000 values in steps of 1: the end is at rank 49.975, three deviations are 20.9 ranks."""
    found = percentile([float(i) for i in range(2000)], 0.95)
    assert found.lower == pytest.approx(49.975)
    assert found.upper == pytest.approx(1949.025)
    # Ranks 29 and 71, divided by six.
    assert found.lower_error == pytest.approx(7)
    # All values differ: no lattice.
    assert found.lower_step == 0
    assert tolerance(2.0, 0.5) == pytest.approx(6 * sqrt(2) * 2 + 0.5)


def test_a_lattice_step_counts_only_within_reach() -> None:
    near = percentile([0.0] * 60 + [1.0] * 1940, 0.95)
    far = percentile([0.0] * 400 + [1.0] * 1600, 0.95)
    assert (near.lower, near.lower_step) == (0, 1)
    assert (far.lower, far.lower_step, far.lower_error) == (0, 0, 0)
    with pytest.raises(ValueError, match="at least one"):
        percentile([], 0.95)


def test_resamples_have_the_law_of_drawing_probes_with_replacement() -> None:
    """Two probes of 0 and 1: totals 0, 1, 2 with chances 1/4, 1/2, 1/4."""
    drawn = Counter(resampled_totals([(0, 3), (1, 3)], 4000, stream("law")))
    assert set(drawn) == {(0, 6), (1, 6), (2, 6)}
    assert abs(drawn[1, 6] - 2000) < 5 * sqrt(1000)
    assert abs(drawn[0, 6] - 1000) < 5 * sqrt(750)


def test_packed_columns_do_not_run_into_each_other() -> None:
    large = 10**30
    totals = resampled_totals([(large, 1, 0)] * 7, 3, stream("packed"))
    assert totals == [(7 * large, 7, 0)] * 3
