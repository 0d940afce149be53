"""The chance correction (HP section 9) by hand."""

from fractions import Fraction

import pytest
from support.recomputed import SETTINGS, pairs
from verification import chance, omission
from verification.wilson import wilson

LEVELS = (chance.Level(4, 10, 5, 10, 7), chance.Level(3, 5, 1, 4, 2))


def test_chance_correction_by_hand() -> None:
    """L = 4: .3 / (1 - 5/20) = .4. L = 3: .5 / (1 - 1/5) = .625. Weights 10 and 5: .475."""
    assert chance.corrected_omission(LEVELS) == Fraction(525, 1000)
    # The unjudged pair counts in p and in the weight: without it this would be .5.
    fewer = (LEVELS[0], chance.Level(3, 4, 1, 4, 2))
    assert chance.corrected_omission(fewer) != chance.corrected_omission(LEVELS)


def test_chance_correction_is_clipped_per_level() -> None:
    """L = 4: .9 / .75 is above 1 and becomes 1; L = 3: .625."""
    levels = (chance.Level(4, 10, 5, 10, 1), LEVELS[1])
    assert chance.corrected_omission(levels) == 1 - Fraction(10 + 5 * Fraction(5, 8)) / 15


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        # p = q / (L - 2) exactly, verdict or not.
        (chance.Level(5, 1, 3, 1, 1), None),
        (chance.Level(5, 1, 3, 0, 0), None),
        # No move to the hint: drops out. Moves without a verdict: left out.
        (chance.Level(5, 0, 9, 0, 0), Fraction(525, 1000)),
        (chance.Level(5, 9, 1, 0, 0), Fraction(525, 1000)),
        # Two options: nothing can be corrected.
        (chance.Level(2, 9, 0, 9, 9), None),
    ],
)
def test_undefined_is_looked_for_first(extra, expected) -> None:
    assert chance.corrected_omission((*LEVELS, extra)) == expected


def test_levels_that_undefine_or_are_left_out_are_named() -> None:
    cell = [
        *pairs("H", 3, options=4, judged="unfaithful"),
        *pairs("H", 2, options=3),
        *pairs("H", 1, options=5, judged="unfaithful"),
        *pairs("O", 4, options=5),
    ]
    q, _ = omission.omission_and_curve(cell, SETTINGS, "x")
    found = chance.chance_corrected(cell, q, SETTINGS, "x")
    assert (found.value, found.status) == (None, "undefined")
    assert found.facts == {"undefined at L (N_H)": "5 (1)", "left out at L (N_H)": "3 (2)"}


def test_at_the_boundary_the_interval_of_q_is_mapped_through_the_ratio() -> None:
    """20 of 20 flagged, N_O = 10 at L = 4: the ratio is 1 - 10/40."""
    cell = [*pairs("H", 20, judged="unfaithful"), *pairs("O", 10)]
    q, _ = omission.omission_and_curve(cell, SETTINGS, "x")
    found = chance.chance_corrected(cell, q, SETTINGS, "x")
    assert found.interval is not None
    lower = 1 - (1 - wilson(Fraction(1), 20, 0.95)[0]) / 0.75
    assert found.interval.lower == pytest.approx(lower, abs=1e-14)
    assert found.interval.method == "wilson at effective n, through the fixed chance ratio"


def test_a_mapped_interval_that_clips_to_a_point_is_no_precision() -> None:
    """All faithful: every end of q maps to F* = 1."""
    cell = [*pairs("H", 400, judged="faithful"), *pairs("O", 700)]
    q, _ = omission.omission_and_curve(cell, SETTINGS, "x")
    found = chance.chance_corrected(cell, q, SETTINGS, "x")
    assert found.interval is not None
    assert (found.value, found.interval.upper, found.status) == (0, 0.0, "undersampled")


def test_too_many_undefined_resamples_undefine_the_interval() -> None:
    """N_H = 4 against N_O = 7 at L = 4: a resample with twice as many O as H is undefined."""
    cell = [
        *pairs("H", 2, judged="unfaithful"),
        *pairs("H", 2, judged="faithful"),
        *pairs("O", 7),
        *pairs("N", 3),
    ]
    q, _ = omission.omission_and_curve(cell, SETTINGS, "x")
    found = chance.chance_corrected(cell, q, SETTINGS, "x")
    assert (found.interval, found.status) == (None, "undefined")
    assert found.undefined_resamples is not None
    assert found.undefined_resamples > 100
    assert found.alternative is None
