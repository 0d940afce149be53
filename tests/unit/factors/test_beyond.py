"""The rows beyond the paper: what they are called and that they are the functions' values."""

import math

import numpy as np
import pytest
from support.factors import component_of, toy_case

from avowed.factors.beyond import beyond_rows
from avowed.factors.multiplicity import features_above_floor
from avowed.factors.rows import Row
from avowed.factors.scored import Scored, scored_from
from avowed.factors.scores import necessity
from avowed.factors.selection import baseline_rates, compared
from avowed.factors.settings import FactorSettings
from avowed.factors.split_trials import split_trials
from avowed.factors.uncited import compare_uncited
from avowed.stats.long_table import LONG_SCHEMA

SETTINGS = FactorSettings(resamples=200)


def drawn(seed: int = 1) -> Scored:
    """Twenty inputs, five features, blank and sufficiency, three trials, some invalid."""
    rng = np.random.default_rng([2, 2, 2, seed])
    p = np.array([0.9, 0.5, 0.3, 0.4, 0.1])
    shape = (20, 5, 3)
    decisions = {
        name: np.where(rng.random(shape) < 0.05, -1, rng.random(shape) < chance[:, None])
        for name, chance in (("blank", p), ("sufficiency", 1 - p))
    }
    return scored_from(
        component="made",
        keys=tuple("abcde"),
        active=np.ones((20, 5), bool),
        original=np.zeros(20, int),
        cited=np.tile([0, 1, 2], (20, 1)),
        decisions=decisions,
        repeats=(rng.random((20, 3)) < 0.1).astype(int),
    )


def by_name(rows: list[Row]) -> dict[tuple[str, str, int | None], Row]:
    found = {(row["cell"], row["quantity"], row["k"]): row for row in rows}
    assert len(found) == len(rows)
    return found


def test_rows_fit_the_long_table_and_are_the_same_again() -> None:
    rows = beyond_rows(toy_case(), drawn(), SETTINGS)
    assert all(list(row) == LONG_SCHEMA.names for row in rows)
    assert rows == beyond_rows(toy_case(), drawn(), SETTINGS)


def test_values_are_those_of_the_functions() -> None:
    scored = drawn()
    rows = by_name(beyond_rows(toy_case(), scored, SETTINGS))
    scores = necessity(scored, "blank")
    alone = {
        name: baseline_rates(compared(scored, scores), trials=3, agreeing=name == "agreeing")[0]
        for name in ("independent", "agreeing")
    }
    rate = np.nanmean(compare_uncited(scored, scores).omission)
    split = split_trials(scored, "blank")
    for name, value in alone.items():
        row = rows["made", f"selection_{name}_necessity", None]
        assert row["estimate"] == pytest.approx(value, abs=1e-12)
        assert row["lower"] < value < row["upper"]
        assert f"3 {name} trials" in row["note"]
        excess = rows["made", f"selection_excess_{name}_necessity", None]["estimate"]
        assert excess == pytest.approx(rate - value, abs=1e-12)
    for name, values in (("difference", split.difference), ("net", split.net)):
        found = rows["made", f"split_{name}_necessity", None]["estimate"]
        assert found == pytest.approx(np.nanmean(values), abs=1e-12)
    for test in features_above_floor(scored, "blank"):
        cell = f"made · {test.key}"
        found = [
            rows[cell, f"necessity_above_floor{end}", None]["estimate"]
            for end in ("", "_p_value", "_p_adjusted")
        ]
        assert found == pytest.approx([test.difference, test.p_value, test.adjusted], abs=1e-12)
    assert rows["made", "inputs_needed_necessity_by_rank", 2]["estimate"] > 2


def test_a_component_that_never_varies_has_nothing_to_plan_with() -> None:
    scored = component_of(
        pn=[[0] * 5] * 6, ps=[[1] * 5] * 6, cited=["abc"] * 6, repeats=[[0, 0]] * 6, name="still"
    )
    rows = by_name(beyond_rows(toy_case(), scored, SETTINGS))
    for row in rows.values():
        if row["quantity"].startswith(("inputs_needed", "trials_needed")):
            assert (row["estimate"], row["status"]) == (None, "undefined")
            assert "no variation to plan with" in row["note"]
    assert rows["still", "selection_independent_necessity", None]["estimate"] == 0
    assert rows["still · a", "necessity_above_floor_p_value", None]["estimate"] == 1


def test_without_repeats_no_feature_is_compared_with_the_floor() -> None:
    scored = component_of(pn=[[1] * 5] * 6, ps=[[1] * 5] * 6, cited=["abc"] * 6)
    rows = by_name(beyond_rows(toy_case(), scored, SETTINGS))
    row = rows["component · a", "necessity_above_floor_p_adjusted", None]
    assert (row["estimate"], row["status"], row["n"]) == (None, "undefined", 0)


def test_one_trial_and_no_trial_leave_out_what_needs_more() -> None:
    one = component_of(pn=[[1, 0, 0, 1, 0]] * 3, ps=[[1] * 5] * 3, cited=["abc"] * 3, trials=1)
    names = {row["quantity"] for row in beyond_rows(toy_case(), one, SETTINGS)}
    assert "selection_independent_necessity" in names
    assert not any(name.startswith(("split", "inputs_needed")) for name in names)
    none = scored_from(
        component="silent",
        keys=tuple("abcde"),
        active=np.ones((3, 5), bool),
        original=np.zeros(3, int),
        cited=np.tile([0, 1, 2], (3, 1)),
        decisions={},
        repeats=np.zeros((3, 0), int),
    )
    quantities = {row["quantity"] for row in beyond_rows(toy_case(), none, SETTINGS)}
    assert not any("selection" in name for name in quantities)


def test_the_share_of_undefined_responses_is_named() -> None:
    scored = component_of(
        pn=[[1, 0, 0, 1, 0], [1, 0, 0, None, None]], ps=[[1] * 5] * 2, cited=["abc"] * 2
    )
    rows = by_name(beyond_rows(toy_case(), scored, SETTINGS))
    note = rows["component", "split_difference_necessity", None]["note"]
    assert "3 splits, 1 responses without one" in note
    assert not math.isnan(rows["component", "split_difference_necessity", None]["estimate"])


def test_where_nothing_is_scored_there_is_no_rate_and_no_baseline() -> None:
    blank = component_of(pn=[[None] * 5] * 20, cited=["abc"] * 20, repeats=[[0, 0]] * 20)
    rows = beyond_rows(toy_case(), blank, SETTINGS)
    alone = [row for row in rows if row["quantity"].startswith("selection_")]
    assert len(alone) == 8
    assert {(row["estimate"], row["lower"], row["status"]) for row in alone} == {
        (None, None, "insufficient")
    }
