"""Rows of the long table: interval, status and what is said about them."""

from dataclasses import replace

import numpy as np
import pytest

from avowed.factors.bootstrap import Statistic, draw_weights, mean_of, statistics
from avowed.factors.rows import cell_name, interval_of, plain_row, row_of
from avowed.factors.settings import FactorSettings
from avowed.stats.intervals import wilson
from avowed.stats.long_table import LONG_SCHEMA

SETTINGS = FactorSettings(resamples=400)


def one_of(values: list[float], **labels: object) -> Statistic:
    column = mean_of("q", "c", np.array(values), **labels)
    return statistics([column], draw_weights("toy", len(values), SETTINGS))[0]


def row(one: Statistic, settings: FactorSettings = SETTINGS) -> dict[str, object]:
    return row_of(one, use_case="toy", settings=settings)


def test_a_row_has_the_columns_of_the_long_table() -> None:
    assert list(row(one_of([1.0, 0.0]))) == LONG_SCHEMA.names
    plain = plain_row("n", 3, use_case="toy", component="c", n=4, clusters=4, k=2)
    assert list(plain) == LONG_SCHEMA.names
    assert (plain["estimate"], plain["status"], plain["method"]) == (3, "descriptive", "count")
    assert (plain["study"], plain["cell"], plain["k"], plain["lower"]) == ("toy", "c", 2, None)
    absent = plain_row("n", np.nan, use_case="toy", component="c", n=0, clusters=0)
    assert (absent["estimate"], absent["status"]) == (None, "undefined")


def test_the_interval_is_the_percentile_of_the_resamples() -> None:
    one = one_of([0.0, 1.0, 0.5, 1 / 3, 1.0], k=2, part="age", note="said")
    found = row(one)
    assert (found["lower"], found["upper"]) == tuple(np.quantile(one.draws[1:], [0.025, 0.975]))
    assert found["method"] == "percentile" and found["estimate"] == pytest.approx(17 / 30)
    assert (found["cell"], found["k"], found["note"]) == ("c · age", 2, "said")
    assert (found["n"], found["clusters"], found["status"]) == (5, 5, "undersampled")
    narrow = replace(SETTINGS, confidence=0.5)
    assert row(one, narrow)["lower"] == np.quantile(one.draws[1:], 0.25)


def test_the_status_follows_sample_and_width() -> None:
    assert row(one_of([0.0, 1.0] * 60))["status"] == "converged"
    assert row(one_of([0.0, 1.0] * 10))["status"] == "undersampled"
    assert row(one_of([1.0, np.nan, np.nan]))["status"] == "insufficient"
    empty = row(one_of([np.nan] * 3))
    assert (empty["estimate"], empty["lower"], empty["method"]) == (None, None, None)
    assert (empty["status"], empty["n"], empty["clusters"]) == ("insufficient", 0, 0)


@pytest.mark.parametrize(("value", "lowest"), [(0.0, 0.0), (1.0, 0.0), (1.0, -1.0), (0.5, 0.0)])
def test_an_interval_of_zero_width_is_wilson_over_the_inputs(value: float, lowest: float) -> None:
    found = row(one_of([value] * 20, lowest=lowest))
    unit = wilson((value - lowest) / (1 - lowest), 20)
    assert found["lower"] == lowest + (1 - lowest) * unit.lower
    assert found["upper"] == lowest + (1 - lowest) * unit.upper
    assert found["method"] == "wilson over inputs" and "zero width" in str(found["note"])


def test_a_statistic_that_is_no_mean_has_no_interval_of_zero_width() -> None:
    found = row(replace(one_of([1.0] * 5), is_mean=False))
    assert (found["lower"], found["status"], found["estimate"]) == (None, "undefined", 1.0)
    assert found["note"] == "no interval: all resamples are equal"


def test_undefined_resamples_are_left_out_up_to_a_share_and_counted() -> None:
    one = one_of([0.0, 1.0, 0.5] + [np.nan] * 2)
    missing = int(np.isnan(one.draws[1:]).sum())
    assert 0 < missing < 0.05 * 400
    interval, notes = interval_of(one, SETTINGS)
    assert interval.defined and notes == [f"{missing} of 400 resamples undefined"]
    strict, _ = interval_of(one, replace(SETTINGS, max_undefined_share=0.0))
    assert not strict.defined
    assert row(one, replace(SETTINGS, max_undefined_share=0.0))["status"] == "undefined"


def test_a_pair_and_a_feature_stand_behind_the_component() -> None:
    assert (cell_name("a"), cell_name("a", "b")) == ("a", "a · b")
