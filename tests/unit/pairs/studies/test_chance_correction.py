"""The chance-correction study: what it corrects, the counting error, and its summary by hand."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.simulation import CONFIG, SETTINGS, TYPES, Row, keyed, repeat, with_config

from avowed.pairs.cell import Cell
from avowed.pairs.studies import chance_correction
from avowed.pairs.studies.cells import main_cells, perfect_judge_cells
from avowed.pairs.studies.registry import repetitions_of_chunk


def test_a_row_per_type_with_the_omission_of_hint_driven_moves_as_truth() -> None:
    rows = repeat("chance_correction", [0])
    assert [row["hint_type"] for row in rows] == list(TYPES)
    # One minus the mean acknowledgement: 1.4/2, 1/2, 1.6/2.
    assert [row["truth"] for row in rows] == pytest.approx([0.7, 0.5, 0.8], rel=1e-12)
    assert all(row["lower"] < row["estimate"] < row["upper"] for row in rows)


def formula(data: Cell) -> tuple[float, float, float]:
    """The uncorrected and the corrected omission, and the one that leaves unjudged pairs out of p.

    All probes but those with two options have four: F* = F / (1 - N_O / (2 N_H)).
    """
    part = data.with_options(at_least=3)
    moved, other = int(part.hint_change.sum()), int(part.other_change.sum())
    judged, faithful = int(part.evaluable.sum()), int((part.evaluable & part.faithful).sum())
    assert judged < moved
    share = faithful / judged
    right, wrong = (1 - share / (1 - other / (2 * n)) for n in (moved, judged))
    return 1 - share, right, wrong


def test_the_estimate_and_the_counting_error_by_the_formula() -> None:
    rows = keyed(repeat("chance_correction", [2]), "hint_type")
    own = replace(SETTINGS, replicate=2)
    for perfect, main in zip(perfect_judge_cells(CONFIG), main_cells(CONFIG), strict=True):
        row = rows[(perfect.hint_type,)]
        uncorrected, right, wrong = formula(perfect.data(own))
        assert row["estimate"] == pytest.approx(right, abs=1e-12)
        assert row["uncorrected"] == pytest.approx(uncorrected, abs=1e-12)
        assert row["counting_error"] == pytest.approx(right - wrong, abs=1e-12)
        # Leaving pairs out of p makes chance look larger, and the corrected rate too low.
        assert 0 < row["counting_error"] < 0.003
        assert row["estimate"] < row["uncorrected"]
        _, right, wrong = formula(main.data(own))
        assert row["counting_error_imperfect"] == pytest.approx(right - wrong, abs=1e-12)


def test_it_runs_for_its_own_number_of_repetitions() -> None:
    config = with_config(chance_repetitions=3, repetitions=2, further_repetitions=9)
    shared = [
        repetition
        for chunk in range(2)
        for repetition in repetitions_of_chunk("chance_correction", config, chunk, 2)
    ]
    assert sorted(shared) == [0, 1, 2]


def test_rows_are_the_same_whatever_the_order_and_the_chunk() -> None:
    together = repeat("chance_correction", [0, 1, 2])
    apart = [row for one in (2, 0, 1) for row in repeat("chance_correction", [one])]
    names = ("hint_type", "repetition")
    assert keyed(together, *names) == keyed(apart, *names)


def row(repetition: int, **changes: Any) -> Row:
    made: Row = {
        "hint_type": "a",
        "repetition": repetition,
        "truth": 0.7,
        "estimate": 0.7,
        "lower": 0.65,
        "upper": 0.75,
        "uncorrected": 0.73,
        "counting_error": 0.001,
        "counting_error_imperfect": 0.002,
    }
    return made | changes


def test_a_summary_by_hand() -> None:
    rows = [
        row(0, estimate=0.72, uncorrected=0.75, counting_error_imperfect=0.005),
        row(1, estimate=0.66, lower=0.6, upper=0.69, counting_error=0.003),
        row(2, estimate=math.nan, lower=math.nan, upper=math.nan, counting_error=math.nan),
        row(0, hint_type="b", truth=0.5),
    ]
    found = keyed(chance_correction.summarise(rows), "hint_type")
    assert list(found) == [("a",), ("b",)]
    a = found[("a",)]
    # Estimates .72 and .66 around .7; the undefined repetition counts as such and nowhere else.
    assert a["mean_estimate"] == pytest.approx(0.69)
    assert a["bias"] == pytest.approx(-0.01)
    assert a["bias_mc_error"] == pytest.approx(0.03)
    assert (a["coverage"], a["repetitions"], a["n_undefined"]) == (0.5, 2, 1)
    assert a["coverage_mc_error"] == pytest.approx(math.sqrt(0.25 / 2))
    assert a["mean_width"] == pytest.approx(0.095)
    # Uncorrected .75, .73, .73 in all three.
    assert a["bias_uncorrected"] == pytest.approx(0.11 / 3)
    assert a["counting_error_mean"] == pytest.approx(0.002)
    assert a["counting_error_mc_error"] == pytest.approx(0.001)
    assert a["counting_error_max"] == 0.003
    # .005, .002 and .002.
    assert a["counting_error_imperfect_mean"] == pytest.approx(0.003)
    assert a["counting_error_imperfect_mc_error"] == pytest.approx(0.001)
    assert a["counting_error_imperfect_max"] == 0.005
    b = found[("b",)]
    assert b["bias"] == pytest.approx(0.2) and np.isnan(b["bias_mc_error"])


def test_undefined_estimates_leave_no_figure() -> None:
    names = ("estimate", "lower", "upper", "counting_error", "counting_error_imperfect")
    (found,) = chance_correction.summarise([row(0, **dict.fromkeys(names, math.nan))])
    assert (found["n_undefined"], found["repetitions"]) == (1, 0)
    for name in ("mean_estimate", "bias", "coverage", "counting_error_max"):
        assert math.isnan(found[name])


def test_the_summary_has_the_declared_columns() -> None:
    for summary in chance_correction.summarise(repeat("chance_correction", [0, 1])):
        assert tuple(summary) == chance_correction.COLUMNS
