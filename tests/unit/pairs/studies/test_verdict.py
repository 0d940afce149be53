"""Verdicts are computed, each of the four can come out, and none is forced."""

import math

import pytest

from avowed.pairs.studies.verdict import Verdict, compare
from avowed.stats.performance import Performance


def figure(value: float, error: float = 0.01, repetitions: int = 200) -> Performance:
    return Performance(value=value, mc_error=error, repetitions=repetitions)


def test_what_rounds_to_the_printed_figure_matches() -> None:
    found = compare(0.95, figure(0.9521), decimals=2)
    assert (found.verdict, found.in_errors) == (Verdict.MATCHES, 0.0)


def test_a_lost_figure_is_recovered() -> None:
    assert compare(None, figure(0.9), decimals=3).verdict is Verdict.RECOVERED


@pytest.mark.parametrize(
    ("printed", "verdict"),
    # The error of the difference of two studies of equal size is .01 sqrt(2); half a unit of the
    # last place is .0005. Two errors end at .9 + .0005 + .0283 = .9288.
    [(0.928, Verdict.WITHIN_ERROR), (0.929, Verdict.DIFFERS)],
)
def test_two_errors_of_the_difference_decide(printed: float, verdict: Verdict) -> None:
    assert compare(printed, figure(0.9), decimals=3, printed_repetitions=200).verdict is verdict


def test_the_smallest_difference_that_would_be_noticed_is_where_the_verdict_turns() -> None:
    noticed = compare(0.9, figure(0.9), decimals=3, printed_repetitions=200).noticed
    for off, verdict in ((-1e-6, Verdict.WITHIN_ERROR), (1e-6, Verdict.DIFFERS)):
        found = compare(0.9, figure(0.9 + noticed + off), decimals=3, printed_repetitions=200)
        assert found.verdict is verdict
    assert math.isnan(compare(None, figure(0.9), decimals=3).noticed)


def test_a_smaller_printed_study_has_the_larger_error() -> None:
    found = compare(0.95, figure(0.9), decimals=3, printed_repetitions=50)
    assert found.error == pytest.approx(0.01 * math.sqrt(1 + 200 / 50))


def test_an_exact_figure_differs_or_matches() -> None:
    assert compare(0.729, figure(0.7303, error=0.0), decimals=3).verdict is Verdict.DIFFERS
    assert compare(0.730, figure(0.7303, error=0.0), decimals=3).verdict is Verdict.MATCHES


def test_an_undefined_figure_has_no_verdict_on_its_size() -> None:
    found = compare(0.95, figure(math.nan), decimals=2)
    assert found.verdict is Verdict.UNDEFINED
    assert math.isnan(found.in_errors)
