"""Planning numbers of section 16.3."""

import math
from typing import Any

import pytest

from avowed.pairs.sample_size import (
    PLAN_COLUMNS,
    completed_pairs,
    plan_rows,
    to_nearest,
    useful_pairs,
)

# The standard normal quantile from printed tables, to as many digits as they give.
Z = 1.959964


def test_about_96_useful_pairs_for_ten_points_around_one_half() -> None:
    assert useful_pairs(half_width=0.10, rate=0.5) == pytest.approx(Z**2 / 0.04, rel=1e-6)
    assert round(useful_pairs(half_width=0.10, rate=0.5)) == 96


def test_half_the_width_takes_four_times_the_pairs_and_a_lopsided_rate_fewer() -> None:
    base = useful_pairs(half_width=0.10, rate=0.5)
    assert useful_pairs(half_width=0.05, rate=0.5) == pytest.approx(4 * base, rel=1e-12)
    assert useful_pairs(half_width=0.10, rate=0.9) == pytest.approx(0.36 * base, rel=1e-12)
    assert useful_pairs(half_width=0.10, rate=0.5, confidence=0.99) > base


@pytest.mark.parametrize(("half_width", "rate"), [(0, 0.5), (1, 0.5), (0.1, 0), (0.1, 1)])
def test_degenerate_plans_are_refused(half_width: float, rate: float) -> None:
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        useful_pairs(half_width=half_width, rate=rate)


@pytest.mark.parametrize(("share", "effect"), [(0, 1), (1.1, 1), (-0.2, 1), (0.5, 0.9)])
def test_impossible_shares_and_design_effects_are_refused(share: float, effect: float) -> None:
    with pytest.raises(ValueError, match=r"share_moved|design_effect"):
        completed_pairs(96, share_moved=share, design_effect=effect)


def test_a_design_effect_of_1_and_a_share_of_1_change_nothing() -> None:
    size = completed_pairs(96, share_moved=1, design_effect=1)
    assert size.useful == size.completed == size.completed_clustered == 96


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(0, 0), (2.4, 0), (2.5, 5), (167.4, 165), (167.5, 170), (410, 410), (412.49, 410)],
)
def test_rounding_is_to_the_nearest_multiple_halves_upward(value: float, rounded: int) -> None:
    assert to_nearest(value, 5) == rounded


def rows_of(cell: str, moved: int, eligible: int, completed: int) -> list[dict[str, Any]]:
    def row(quantity: str, base: int) -> dict[str, Any]:
        share = moved / base if base else None
        return {"cell": cell, "quantity": quantity, "estimate": share, "n": base}

    return [row("susceptibility", eligible), row("hint_change_all_completed", completed)]


def plan(*cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return plan_rows(cells, half_width=0.1, rate=0.5, design_effect=1.25, round_to=5)


def test_both_readings_of_the_share_stand_side_by_side() -> None:
    completed, eligible = plan(rows_of("a", 50, 100, 200))
    assert (completed["share_basis"], completed["n_moved"], completed["n_base"]) == (
        "all completed",
        50,
        200,
    )
    assert (eligible["share_basis"], eligible["n_base"]) == ("eligible", 100)
    assert completed["completed_pairs"] == pytest.approx(4 * Z**2 / 0.04, rel=1e-6)
    assert eligible["completed_pairs"] == pytest.approx(2 * Z**2 / 0.04, rel=1e-6)
    assert eligible["completed_pairs_rounded"] == 190
    assert eligible["completed_pairs_clustered"] == pytest.approx(2.5 * Z**2 / 0.04, rel=1e-6)
    assert eligible["completed_pairs_clustered_rounded"] == 240


def test_every_plan_has_all_the_columns() -> None:
    for row in plan(rows_of("a", 50, 100, 200), rows_of("b", 0, 100, 200)):
        assert sorted(row) == sorted(PLAN_COLUMNS)


def test_the_exact_numbers_are_rounded_up_to_whole_pairs() -> None:
    # 96.036 / 0.25, / 0.5, and times 1.25: 384.15, 192.07, 480.18, 240.09; rounding to the nearest
    # whole pair would leave each a pair short.
    completed, eligible = plan(rows_of("a", 50, 100, 200))
    assert completed["completed_pairs_at_least"] == 385
    assert completed["completed_pairs_clustered_at_least"] == 481
    assert eligible["completed_pairs_at_least"] == 193
    assert eligible["completed_pairs_clustered_at_least"] == 241
    # The paper's rounding goes below: 190 pairs do not give the half-width, 193 do.
    assert eligible["completed_pairs_rounded"] < eligible["completed_pairs"]


@pytest.mark.parametrize("moved", [1, 7, 37, 99, 100])
def test_a_ceiling_is_enough_and_one_pair_fewer_is_not(moved: int) -> None:
    for row in plan(rows_of("a", moved, 100, 200)):
        for column in ("completed_pairs", "completed_pairs_clustered"):
            whole = row[f"{column}_at_least"]
            assert isinstance(whole, int) and whole - 1 < row[column] <= whole
            assert whole == math.ceil(row[column])


@pytest.mark.parametrize(("moved", "base"), [(0, 10), (0, 0)])
def test_where_nobody_moved_no_number_of_pairs_is_enough(moved: int, base: int) -> None:
    for row in plan(rows_of("a", moved, base, base)):
        assert row["completed_pairs"] is None and row["completed_pairs_clustered"] is None
        assert row["completed_pairs_rounded"] is None
        assert row["completed_pairs_clustered_rounded"] is None
        assert row["completed_pairs_at_least"] is None
        assert row["completed_pairs_clustered_at_least"] is None
        assert row["share_moved"] == (0 if base else None)
        assert row["useful_pairs"] == pytest.approx(96.04, abs=0.01)


def test_cells_keep_their_names_and_order() -> None:
    rows = plan(rows_of("b", 1, 2, 4), rows_of("a", 1, 2, 4))
    assert [row["condition"] for row in rows] == ["b", "a", "b", "a"]
