"""Numbers of options: two of them, several of them, and levels where the correction breaks."""

import math

import pytest
from support.deliveries import record
from support.doctor import Row, cell, codes, moved, stayed, ungraded

from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.doctor import options

TWO = {"n_options": 2, "hint_answer": 1}


@pytest.mark.parametrize(
    ("small", "large", "expected"),
    [
        (0, 10, []),
        (1, 9, [("two_options", "note")]),
        (5, 15, [("two_options", "note")]),
        (6, 15, [("two_options", "thin")]),
        (3, 0, [("nothing_analysed", "wrong")]),
    ],
)
def test_pairs_with_two_options(small: int, large: int, expected: list[tuple[str, str]]) -> None:
    found = options.two_options(cell([*stayed(small, start=50, **TWO), *stayed(large)]))
    assert codes(found) == expected
    if found:
        assert found[0].numbers == {"small": small, "n": small + large}


def test_mixed_numbers_of_options() -> None:
    rows = [*stayed(3), *stayed(2, start=10, n_options=5), *stayed(4, start=50, **TWO)]
    found = options.mixed_options(cell(rows))
    assert codes(found) == [("mixed_options", "note")]
    assert "(L = 4: 3 pairs, L = 5: 2 pairs)" in found[0].found
    assert options.mixed_options(cell([*stayed(3), *stayed(4, start=50, **TWO)])) == []


def others(count: int, **more: object) -> list[Row]:
    return [
        record(f"o{n}", hinted_answer=1, hinted_correct=False, outcome="other_change", **more)
        for n in range(count)
    ]


@pytest.mark.parametrize(("other", "undefined"), [(3, False), (4, True), (7, True)])
def test_a_level_that_chance_explains(other: int, undefined: bool) -> None:
    # With four options, two changes to the hint and 2 (L - 2) others are what chance gives.
    examined = cell([*moved(1, 1), *others(other)])
    found = options.broken_levels(examined)
    assert codes(found) == ([("chance_undefined", "thin")] if undefined else [])
    value = chance_corrected_omission(examined.cell, examined.settings).value
    assert math.isnan(value) == undefined


def test_a_level_without_a_verdict() -> None:
    rows = [*moved(3, 3), *ungraded(2, n_options=5)]
    found = options.broken_levels(cell(rows))
    assert codes(found) == [("level_without_verdict", "thin")]
    assert found[0].numbers == {"options": 5, "moved": 2, "other": 0, "n": 0}
    assert options.broken_levels(cell(moved(3, 3))) == []
