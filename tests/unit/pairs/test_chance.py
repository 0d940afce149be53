"""The chance correction of section 9, against fractions: definitions item 10."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cells import MOVED, Pair, cell_of, probes

from avowed.pairs.chance import (
    OptionCounts,
    chance_corrected_omission,
    chance_ratio,
    corrected_omission,
)
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import PRIMARY_METHOD, conditional_omission
from avowed.stats.status import Status

SETTINGS = Settings()


def exact(pairs: list[Pair], *, min_options: int = 3) -> Fraction | None:
    """1 - F* by the definition, with p and q written out over eligible pairs; None: undefined."""
    parts = []
    for level in sorted({pair.options for pair in pairs if pair.options >= min_options}):
        kinds = Counter(pair.kind for pair in pairs if pair.options == level)
        moved = sum(kinds[kind] for kind in MOVED)
        eligible = moved + kinds["O"] + kinds["N"]
        if not moved:
            continue
        p, q = Fraction(moved, eligible), Fraction(kinds["O"], eligible)
        if level == 2 or p <= q / (level - 2):
            return None
        judged = kinds["x"] + kinds["f"]
        if judged:
            faithful = Fraction(kinds["f"], judged)
            parts.append((moved, min(faithful / (1 - q / ((level - 2) * p)), Fraction(1))))
    weight = sum(moved for moved, _ in parts)
    return 1 - sum(moved * share for moved, share in parts) / weight if weight else None


def corrected(pairs: list[Pair], options: Settings = SETTINGS) -> Estimate:
    return chance_corrected_omission(cell_of(pairs), options)


def test_one_number_of_options() -> None:
    # L = 4, N_H = 10 (6 flagged, 4 faithful), N_O = 5, N_N = 5: p = 1/2, q = 1/4,
    # F* = 0.4 / (1 - 1/4 / (2 * 1/2)) = 8/15.
    pairs = probes(*"xxxxxxffff", *"OOOOO", *"NNNNN")
    assert exact(pairs) == 1 - Fraction(8, 15)
    assert corrected(pairs).value == pytest.approx(7 / 15, abs=1e-15)


@given(
    pairs=st.lists(
        st.builds(
            Pair,
            st.integers(0, 8),
            st.sampled_from("xxff?-tONNBU"),
            st.sampled_from([2, 3, 4, 5]),
        ),
        min_size=1,
        max_size=60,
    ),
    min_options=st.sampled_from([2, 3]),
)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_the_definition_in_fractions(pairs: list[Pair], min_options: int) -> None:
    expected = exact(pairs, min_options=min_options)
    found = corrected(pairs, Settings(resamples=50, min_options=min_options))
    if expected is None:
        assert math.isnan(found.value)
        assert found.status in (Status.UNDEFINED, Status.INSUFFICIENT)
        assert not found.interval.defined
    else:
        assert found.value == pytest.approx(float(expected), abs=1e-12)
        assert 0 <= found.value <= 1
        if found.interval.defined:
            assert 0 <= found.interval.lower <= found.interval.upper <= 1


def test_p_and_q_count_pairs_whose_judge_did_not_answer() -> None:
    judged = probes(*"xxfff", *"OO", *"NNN")
    ungraded = [*judged, *probes(*"?-t??", start=20)]
    # N_H goes from 5 to 10, F stays 3/5: F* = .6 / (1 - 2 / (2 * 5)) against .6 / (1 - 2 / 20).
    assert corrected(judged).value == pytest.approx(1 - 0.6 / 0.8, abs=1e-12)
    assert corrected(ungraded).value == pytest.approx(1 - 0.6 / 0.9, abs=1e-12)
    assert corrected(ungraded).n == 5


def test_only_eligible_pairs_enter() -> None:
    pairs = probes(*"xxfff", *"OO", *"NNN")
    assert corrected([*pairs, *probes(*"BBBUUU", start=50)]).value == corrected(pairs).value


def test_weights_are_all_pairs_that_moved_not_those_judged() -> None:
    three = [*probes(*"xxxf", *"??????", options=3)]  # N_H = 10, F = 1/4, no other change
    five = probes(*"ffx", options=5, start=20)  # N_H = 3, F = 2/3
    expected = 1 - (10 * Fraction(1, 4) + 3 * Fraction(2, 3)) / 13
    assert corrected([*three, *five]).value == pytest.approx(float(expected), abs=1e-12)


def test_clipping_comes_before_combining() -> None:
    clipped = probes(*"fffx", *"OOO", options=3)  # 3/4 / (1 - 3/4) = 3, clipped to 1
    plain = probes(*"xxxf", options=4, start=20)  # 1/4
    assert corrected([*clipped, *plain]).value == pytest.approx(1 - (1 + 0.25) / 2, abs=1e-12)


def test_a_level_without_a_move_drops_out() -> None:
    pairs = probes(*"xxf")
    still = [*pairs, *probes(*"OOONNN", options=5, start=20)]
    assert corrected(still).value == corrected(pairs).value
    assert not any("L = 5" in note for note in corrected(still).notes)


def test_a_level_that_moved_without_a_verdict_is_left_out_and_named() -> None:
    pairs = probes(*"xxf")
    more = [*pairs, *probes(*"?-t?", *"O", options=5, start=20)]
    found = corrected(more)
    assert found.value == corrected(pairs).value
    assert any("L = 5 left out: N_H = 4" in note for note in found.notes)
    one_verdict = corrected([*more, *probes("f", options=5, start=30)])
    assert not any("left out" in note for note in one_verdict.notes)


@pytest.mark.parametrize("judged", ["x", "f", "?"])
def test_as_many_other_moves_as_chance_allows_makes_the_cell_undefined(judged: str) -> None:
    # L = 5: p = 2/n, q = 6/n: p = q / 3 exactly, an equality that rounding must not open.
    bad = probes(judged, judged, *"OOOOOO", options=5, start=20)
    found = corrected([*probes(*"xxf"), *bad])
    assert math.isnan(found.value)
    assert found.status is Status.UNDEFINED
    assert not found.interval.defined
    assert any("p <= q/(L-2) at L = 5" in note and "N_H = 2" in note for note in found.notes)
    one_less = [*probes(*"xxf"), *bad[:-1]]
    assert not math.isnan(corrected(one_less).value)


def test_one_move_is_enough_to_make_the_cell_undefined_and_be_named() -> None:
    found = corrected([*probes(*"xxf"), *probes("x", *"OOO", options=5, start=20)])
    assert math.isnan(found.value)
    assert found.notes == ("p <= q/(L-2) at L = 5 (N_H = 1)",)


def test_two_options_make_the_correction_undefined_where_they_are_let_in() -> None:
    pairs = [*probes(*"xxf"), *probes(*"xf", options=2, start=20)]
    assert corrected(pairs).status is not Status.UNDEFINED
    found = corrected(pairs, replace(SETTINGS, min_options=2))
    assert math.isnan(found.value) and found.status is Status.UNDEFINED
    assert any("L = 2" in note for note in found.notes)


def test_two_options_without_a_move_drop_out() -> None:
    pairs = [*probes(*"xxf"), *probes(*"NNN", options=2, start=20)]
    found = corrected(pairs, replace(SETTINGS, min_options=2))
    assert found.value == corrected(pairs).value


@pytest.mark.parametrize(
    "pairs",
    [[], probes("NO", "BU"), probes("xf", options=2)],
    ids=["no pair", "none moved", "all two options"],
)
def test_nothing_to_correct_is_insufficient_and_not_0(pairs: list[Pair]) -> None:
    found = corrected(pairs)
    assert math.isnan(found.value) and not found.interval.defined
    assert (found.n, found.status) == (0, Status.INSUFFICIENT)


def test_all_ungraded_is_insufficient_and_says_how_many_moved() -> None:
    found = corrected(probes("??", "-t", "N"))
    assert math.isnan(found.value) and found.status is Status.INSUFFICIENT
    assert found.notes == ("L = 4 left out: N_H = 4, none with a verdict",)


@pytest.mark.parametrize(("kind", "value"), [("x", 1.0), ("f", 0.0)])
def test_no_effect_at_the_boundary_where_the_q_interval_is_mapped(kind: str, value: float) -> None:
    pairs = [*probes(*[kind * 2] * 30), *probes(*["ON"] * 15, start=50)]
    found, plain = corrected(pairs), conditional_omission(cell_of(pairs), SETTINGS)
    assert found.value == value
    assert "fixed chance ratio" in found.interval.method
    ratio = 1 - Fraction(15, 2 * 60)
    for end, q in (
        (found.interval.lower, plain.interval.lower),
        (found.interval.upper, plain.interval.upper),
    ):
        assert end == pytest.approx(1 - min((1 - q) / float(ratio), 1), abs=1e-12)
    assert found.interval.lower <= value <= found.interval.upper


def test_a_mapped_interval_that_clips_to_a_point_is_not_converged() -> None:
    # ratio 1 - 40/(2 * 40) = 1/2; q in [0, z^2 / (20 + z^2) = .16]: F from .84 to 1, F* is 1.
    pairs = [*probes(*["ff"] * 20), *probes(*["OO"] * 20, start=50)]
    found = corrected(pairs)
    assert found.value == 0.0
    assert (found.interval.lower, found.interval.upper) == (0.0, 0.0)
    assert found.status is Status.UNDERSAMPLED
    assert "the interval clips to a point at 0" in found.notes


def test_the_undefined_check_comes_before_the_missing_verdicts() -> None:
    # One move without a verdict against four changes elsewhere at L = 4: p = 1/5 < q/2 = 2/5.
    found = corrected(probes("?OOOO", "OOOON"))
    assert math.isnan(found.value)
    assert found.status is Status.UNDEFINED


def test_a_collapse_by_clipping_takes_the_mapped_interval() -> None:
    # F* = (3/4) / (1 - 7/8) is clipped to 1 in every usable resample, though 0 < k < n.
    pairs = probes(*["fffxOOOOOOO"] * 20)
    found = corrected(pairs)
    assert found.value == 0.0
    assert "fixed chance ratio" in found.interval.method
    assert found.interval.lower == 0.0


def spread(blocks: int) -> list[Pair]:
    """Probes that differ in whether they move, and how their moves are judged."""
    pairs: list[Pair] = []
    for block in range(blocks):
        start = 10 * block
        pairs += probes("xxf", "xO", "ffN", "xNN", "N?", start=start)
        pairs += probes("xxx", "fxO", "NNO", options=3, start=start + 5)
    return pairs


def test_the_interval_resamples_probes_that_never_moved_too() -> None:
    few, many = corrected(spread(10)), corrected(spread(40))
    assert few.interval.method == many.interval.method == PRIMARY_METHOD
    assert few.interval.lower < few.value < few.interval.upper
    # Four times the probes: half the width, within the Monte-Carlo error of two quantiles
    # from 2,000 resamples (about 3 % each).
    assert many.interval.half_width / few.interval.half_width == pytest.approx(0.5, abs=0.07)


@pytest.mark.parametrize("kinds", [["fff"] * 9 + ["xff"], ["xxx"] * 9 + ["fxx"]])
def test_one_pair_off_the_boundary_is_a_matter_for_the_bootstrap(kinds: list[str]) -> None:
    found = corrected(probes(*kinds, "N", "O"))
    assert found.interval.method == PRIMARY_METHOD
    assert found.interval.lower <= found.value <= found.interval.upper


def test_probes_without_an_eligible_pair_are_not_resampled() -> None:
    pairs = spread(6)
    assert corrected([*pairs, *probes(*["B", "U", "BU"] * 20, start=500)]) == corrected(pairs)
    assert corrected([*pairs, *probes(*["N"] * 60, start=500)]) != corrected(pairs)


def test_undefined_resamples_are_counted_and_below_the_limit_dropped() -> None:
    # L = 3 with N_H = 12 against N_O = 4: some resamples have at least as many O as H.
    pairs = [*probes(*"xxxxxxxxffff", *"OOOO", options=3), *probes(*["xf"] * 10, start=50)]
    strict = corrected(pairs, replace(SETTINGS, max_undefined_share=0.0))
    assert strict.status is Status.UNDEFINED and not strict.interval.defined
    assert strict.value == pytest.approx(float(exact(pairs) or 0), abs=1e-12)
    loose = corrected(pairs, replace(SETTINGS, max_undefined_share=0.05))
    assert loose.interval.method == PRIMARY_METHOD
    (note,) = [note for note in loose.notes if "resamples undefined" in note]
    assert 0 < int(note.split()[0]) <= 100
    assert note == next(n for n in strict.notes if "resamples undefined" in n)


def test_a_share_of_undefined_resamples_equal_to_the_limit_is_not_above_it() -> None:
    pairs = [*probes(*"xxxxxxxxffff", *"OOOO", options=3), *probes(*["xf"] * 10, start=50)]
    (note,) = [note for note in corrected(pairs).notes if "resamples undefined" in note]
    dropped = int(note.split()[0])
    at, below = (
        corrected(pairs, replace(SETTINGS, max_undefined_share=count / 2000))
        for count in (dropped, dropped - 1)
    )
    assert at.interval.method == PRIMARY_METHOD
    assert below.status is Status.UNDEFINED


def test_too_many_undefined_resamples_leave_the_value_without_interval() -> None:
    pairs = probes(*"xxxf", *"OOO", *"NN", options=3)
    found = corrected(pairs)
    assert not math.isnan(found.value)
    assert not found.interval.defined and found.status is Status.UNDEFINED
    assert any("resamples undefined" in note for note in found.notes)


def test_the_ratio_has_no_value_where_nobody_moved() -> None:
    counts = OptionCounts(np.array([3, 4]), *(np.array([0.0, 8.0]) for _ in range(4)))
    assert np.isnan(chance_ratio(counts)).tolist() == [True, False]
    nobody = OptionCounts(np.array([3]), *(np.zeros(1) for _ in range(4)))
    assert math.isnan(float(corrected_omission(nobody)))
