"""Changes without a verdict: gathered in a stratum, or unevenly over groups."""

import numpy as np
import pytest
from scipy.stats import hypergeom
from support.deliveries import OTHER_HINT_TYPE
from support.doctor import Row, cell, cells, codes, moved, ungraded

from avowed.pairs.doctor.ungraded import exact_p_value, ungraded_differences, ungraded_strata

WRONG = {"baseline_answer": 1, "baseline_correct": False}


@pytest.mark.parametrize(
    ("without", "graded", "expected"),
    [
        (20, 0, [("all_ungraded", "wrong")]),
        (19, 0, [("all_ungraded", "thin")]),
        (11, 9, [("mostly_ungraded", "thin"), ("mostly_ungraded", "thin")]),
        (10, 10, [("many_ungraded", "thin")]),
        (1, 19, [("many_ungraded", "thin")]),
        (1, 20, []),
        (0, 20, []),
        (0, 0, []),
    ],
)
def test_a_cell_without_verdicts(
    without: int, graded: int, expected: list[tuple[str, str]]
) -> None:
    rows = [*ungraded(without), *moved(graded, 0)]
    assert codes(ungraded_strata(cell(rows))) == expected


def test_a_stratum_without_verdicts() -> None:
    rows = [*ungraded(25, **WRONG), *moved(100, 100)]
    found = ungraded_strata(cell(rows))
    assert codes(found) == [("many_ungraded", "thin"), ("all_ungraded", "wrong")]
    assert "change between wrong answers 25 of 25" in found[1].found
    drift = [*ungraded(25), *moved(100, 100, **WRONG)]
    assert "drift from a correct answer" in ungraded_strata(cell(drift))[1].found


@pytest.mark.parametrize("table", [[[8, 2], [1, 5]], [[3, 30], [12, 25]], [[0, 7], [6, 9]]])
def test_fisher_s_p_value_is_a_sum_of_hypergeometric_terms(table: list[list[int]]) -> None:
    (a, b), (c, d) = table
    law = hypergeom(a + b + c + d, a + b, a + c)
    terms = law.pmf(np.arange(a + b + 1))
    expected = terms[terms <= law.pmf(a) * (1 + 1e-7)].sum()
    assert exact_p_value(np.array(table)) == pytest.approx(expected)


def test_an_empty_margin_is_no_test() -> None:
    assert np.isnan(exact_p_value(np.array([[0, 0], [3, 4]])))
    assert np.isnan(exact_p_value(np.array([[0, 2], [0, 4]])))


def test_strata_that_differ() -> None:
    rows = [
        *ungraded(2),
        *moved(49, 49),
        *ungraded(30, start=90, **WRONG),
        *moved(35, 35, start=500, **WRONG),
    ]
    found = ungraded_differences(cells(rows))
    assert codes(found) == [("ungraded_differs", "thin")]
    assert found[0].numbers["ungraded"] == 2 and found[0].numbers["n_others"] == 100
    # One test has a table with filled margins: the numbers of options do not differ.
    assert found[0].numbers["tests"] == 1
    expected = exact_p_value(np.array([[2, 30], [98, 70]]))
    assert found[0].numbers["p_value"] == pytest.approx(expected)


def test_numbers_of_options_that_differ() -> None:
    rows = [
        *ungraded(40, n_options=3),
        *moved(30, 30, n_options=3),
        *ungraded(2, start=90),
        *moved(49, 49, start=500),
    ]
    found = ungraded_differences(cells(rows))
    assert [each.found.split("for ")[1].split(",")[0] for each in found] == ["L = 3"]


def of_two_types(first: int, second: int) -> list[Row]:
    return [
        *ungraded(first),
        *moved(50, 50 - first),
        *ungraded(second, start=300, hint_type=OTHER_HINT_TYPE),
        *moved(50, 50 - second, start=300, hint_type=OTHER_HINT_TYPE),
    ]


def test_hint_types_that_differ() -> None:
    found = ungraded_differences(cells(of_two_types(2, 30)))
    assert codes(found) == [("ungraded_differs", "thin")] and found[0].hint_type is None
    assert f"the hint type {OTHER_HINT_TYPE}" in found[0].found
    assert ungraded_differences(cells(of_two_types(5, 8))) == []


def test_small_rates_are_passed_over() -> None:
    rows = [*ungraded(40), *moved(500, 500), *moved(500, 500, start=5000, step=1e-5, **WRONG)]
    rows = [row | {"judge_phi": None if row["judge_phi"] is None else 0.75} for row in rows]
    assert exact_p_value(np.array([[40, 0], [1000, 1000]])) < 1e-6
    assert ungraded_differences(cells(rows)) == []


def test_replicas_of_one_probe_are_no_independent_failures() -> None:
    """All failures in three of 30 probes of ten: significant as pairs, and not as probes."""
    rows = []
    for n in range(60):
        lost = n < 3
        rows += [
            (ungraded(1, start=n) if lost else moved(1, 0, start=n))[0]
            | {"replica": r, **(WRONG if n >= 30 else {})}
            for r in range(10)
        ]
    assert exact_p_value(np.array([[30, 0], [270, 300]])) < 1e-6
    assert ungraded_differences(cells(rows)) == []
