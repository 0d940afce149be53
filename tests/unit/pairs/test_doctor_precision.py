"""Few probes, wide intervals, correlations at their boundary."""

import pytest
from support.deliveries import judged
from support.doctor import QUICK, Row, cell, codes, moved, stayed, ungraded

from avowed.pairs.doctor import precision
from avowed.pairs.sample_size import completed_pairs, useful_pairs


@pytest.mark.parametrize(
    ("probes", "expected"),
    [
        (0, [("insufficient", "thin")]),
        (1, [("insufficient", "thin")]),
        (2, [("few_clusters", "thin")]),
        (39, [("few_clusters", "thin")]),
        (40, []),
    ],
)
def test_probes_with_a_verdict(probes: int, expected: list[tuple[str, str]]) -> None:
    found = precision.few_clusters(cell([*moved(probes // 2, probes - probes // 2), *stayed(30)]))
    assert codes(found) == expected
    if found:
        assert found[0].numbers == {"clusters": probes, "n": probes, "pairs": probes + 30}


def test_replicas_do_not_make_clusters() -> None:
    rows = [judged("p0", "faithful", 0.9, replica=n) for n in range(50)]
    assert codes(precision.few_clusters(cell(rows))) == [("insufficient", "thin")]


@pytest.mark.parametrize(
    ("without", "graded", "expected"),
    [
        (0, 1, "insufficient"),
        (1, 0, "insufficient"),
        (2, 0, "insufficient_verdicts"),
        (30, 1, "insufficient_verdicts"),
    ],
)
def test_a_cell_that_lacks_verdicts_does_not_lack_moves(
    without: int, graded: int, expected: str
) -> None:
    (found,) = precision.few_clusters(cell([*ungraded(without), *moved(graded, 0), *stayed(9)]))
    assert found.code == expected
    assert ("rarely moves" in found.why) is (expected == "insufficient")


def test_a_wide_interval_says_how_many_more_pairs() -> None:
    found = precision.wide_interval(cell([*moved(25, 25), *stayed(50)]))
    assert codes(found) == [("wide_interval", "thin")]
    numbers = found[0].numbers
    assert numbers["half_width"] > numbers["target"] == QUICK.target_half_width
    # By section 16.3, half of all studies with so many pairs reach the half-width; nine of ten
    # take somewhat more.
    useful = useful_pairs(half_width=0.1, rate=0.5)
    by_formula = completed_pairs(useful, share_moved=0.5, design_effect=1.0).completed
    assert by_formula < 100 + numbers["more_pairs"] < 1.4 * by_formula
    assert numbers["more_pairs"] == numbers["more_probes"]


def test_a_narrow_interval_is_none() -> None:
    assert precision.wide_interval(cell(moved(150, 150))) == []


def test_without_a_rate_there_is_no_width() -> None:
    assert precision.wide_interval(cell(stayed(50))) == []


def test_where_all_verdicts_agree_the_inner_end_is_planned_for() -> None:
    examined = cell(moved(0, 8))
    assert examined.omission.interval.method == "wilson at effective n"
    assert precision.planned_rate(examined.omission) == examined.omission.interval.lower
    found = precision.wide_interval(examined)
    assert codes(found) == [("wide_interval", "thin")] and found[0].numbers["more_pairs"] > 0
    none = cell(moved(8, 0)).omission
    assert precision.planned_rate(none) == none.interval.upper


def replicated(labels: list[str]) -> list[Row]:
    """One probe per text, one verdict per letter: f or x."""
    words = {"f": ("faithful", 0.9), "x": ("unfaithful", 0.1)}
    return [
        judged(f"p{n}", *words[letter], replica=place)
        for n, text in enumerate(labels)
        for place, letter in enumerate(text)
    ]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["xx", "xx", "xx"], [("icc_boundary", "note")]),
        (["xx", "ff"] * 5, [("icc_boundary", "thin")]),
        (["xx", "ff"] * 4, [("icc_boundary", "note")]),
        (["xf", "xf", "xf"], [("icc_boundary", "note")]),
        (["xx", "xf", "ff", "xx", "ff"], []),
        (["x", "f", "x"], []),
    ],
)
def test_a_correlation_at_its_boundary(labels: list[str], expected: list[tuple[str, str]]) -> None:
    assert codes(precision.icc_boundary(cell(replicated(labels)))) == expected
