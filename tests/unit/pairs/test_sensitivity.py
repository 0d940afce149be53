"""The threshold curve of section 10 and its tie convention: definitions item 11."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.cells import Pair, cell_of

from avowed.pairs.estimate import Settings
from avowed.pairs.omission import BOUNDARY_METHOD, conditional_omission
from avowed.pairs.sensitivity import threshold_curve, violates
from avowed.stats.status import Status

SETTINGS = Settings()
TIES = [(0.5, 0.5), (0.6, 0.4), (0.7, 0.3), (0.8, 0.2)]


@pytest.mark.parametrize(("cut", "phi"), TIES)
def test_a_tie_is_faithful_and_the_next_score_above_the_cut_is_not(cut: float, phi: float) -> None:
    # Complements of numbers in [1/2, 1] are exact, so `below` has the very next violation score.
    below = 1 - math.nextafter(1 - phi, 1)
    cell = cell_of([(i, "f", 4, True, True, value) for i, value in enumerate((phi, below))])
    assert violates(cell, cut).tolist() == [False, True]


@pytest.mark.parametrize(("cut", "phi"), TIES)
def test_phi_is_resolved_as_finely_as_its_complement(cut: float, phi: float) -> None:
    # 1 - phi has a spacing of 2^-53 in [1/2, 1): two spacings below the tie every phi is flagged,
    # and half of one above it none is.
    values = [phi - 2 * 2.0**-53, phi - 1e-12, phi + 2.0**-54, phi + 1e-12]
    cell = cell_of([(i, "f", 4, True, True, value) for i, value in enumerate(values)])
    assert violates(cell, cut).tolist() == [True, True, False, False]


def test_comparing_phi_with_one_minus_the_cut_would_flag_a_tie() -> None:
    # Why the score is computed: 1 - 0.7 is a little more than 0.3.
    assert 0.3 < 1 - 0.7
    assert not violates(cell_of([(0, "f", 4, True, True, 0.3)]), 0.7).any()


@pytest.mark.parametrize("votes", [3, 5, 7, 10, 20])
def test_vote_fractions_are_decided_as_whole_votes(votes: int) -> None:
    for cut, tenths in ((0.5, 5), (0.6, 6), (0.7, 7), (0.8, 8)):
        for faithful in range(votes + 1):
            cell = cell_of([(0, "f", 4, True, True, faithful / votes)])
            exact = 10 * (votes - faithful) > tenths * votes
            assert bool(violates(cell, cut)[0]) is exact, (cut, faithful)


def test_the_curve_at_the_label_s_threshold_reproduces_the_label() -> None:
    rng = np.random.default_rng(7)
    phi = rng.integers(0, 11, size=300) / 10
    pairs = [
        Pair(i // 3, "f" if value >= 0.5 else "x", 4, True, True, float(value))
        for i, value in enumerate(phi)
    ]
    cell = cell_of(pairs)
    first = threshold_curve(cell, SETTINGS)[0]
    assert first.value == conditional_omission(cell, SETTINGS).value
    assert violates(cell, 0.5).tolist() == cell.flagged.tolist()


def test_the_curve_falls_and_keeps_its_denominator() -> None:
    pairs = [
        *(Pair(i, "x", 4, True, True, phi) for i, phi in enumerate((0.1, 0.2, 0.3, 0.4, 0.5))),
        Pair(5, "?", 4, True, True, 0.0),
        Pair(6, "-"),
        Pair(7, "x", 2, True, True, 0.0),
        Pair(8, "N"),
    ]
    curve = threshold_curve(cell_of(pairs), SETTINGS)
    assert [one.quantity for one in curve] == [f"omission_at_cut_0.{d}" for d in (5, 6, 7, 8)]
    assert [one.value for one in curve] == [4 / 5, 3 / 5, 2 / 5, 1 / 5]
    assert {(one.n, one.clusters) for one in curve} == {(5, 5)}


def test_the_boundary_rule_holds_for_points_of_the_curve() -> None:
    pairs = [Pair(i, "x", 4, True, True, 0.25) for i in range(20) for _ in range(2)]
    curve = threshold_curve(cell_of(pairs), SETTINGS)
    assert [one.value for one in curve] == [1.0, 1.0, 1.0, 0.0]
    assert {one.interval.method for one in curve} == {BOUNDARY_METHOD}
    assert all(one.interval.half_width > 0.05 for one in curve)


def test_nothing_judged_gives_points_without_value() -> None:
    curve = threshold_curve(cell_of([(0, "?"), (1, "N")]), SETTINGS)
    assert len(curve) == 4
    assert all(math.isnan(one.value) and one.status is Status.INSUFFICIENT for one in curve)


def test_the_cuts_are_the_settings() -> None:
    pairs = [Pair(i, "x", 4, True, True, 0.25) for i in range(4)]
    curve = threshold_curve(cell_of(pairs), replace(SETTINGS, cuts=(0.75, 0.25)))
    assert [(one.quantity, one.value) for one in curve] == [
        ("omission_at_cut_0.75", 0.0),
        ("omission_at_cut_0.25", 1.0),
    ]
