"""The coverage study: its rows, their independence of order, and its summary by hand."""

import math
from typing import Any

import numpy as np
import pytest
from support.simulation import CONFIG, SETTINGS, TYPES, Row, keyed, repeat, with_config

from avowed.pairs.cell import per_probe
from avowed.pairs.omission import conditional_omission
from avowed.pairs.studies import coverage
from avowed.pairs.studies.cells import main_cells
from avowed.stats.rate_intervals import METHODS

FEW = with_config(repetitions=3, further_repetitions=1, smaller_probes=[10], extreme_probes=[20])


def test_a_row_per_cell_with_every_method() -> None:
    rows = repeat("coverage", [0], config=FEW)
    assert len(rows) == 3 + 3 + 2
    for row in rows:
        assert row["repetition"] == 0
        assert 0 <= row["rate"] <= 1
        for method in METHODS:
            assert 0 <= row[f"{method} lower"] <= row[f"{method} upper"] <= 1
    main = [row for row in rows if row["variant"] == "main"]
    assert [row["hint_type"] for row in main] == list(TYPES)
    assert [round(row["truth"], 4) for row in main] == [0.6440, 0.5218, 0.7000]
    assert [row["truth"] for row in rows if row["variant"].startswith("near")] == pytest.approx(
        [0.02, 0.98]
    )


def test_the_rate_is_the_one_that_the_main_job_estimates() -> None:
    row = repeat("coverage", [0], config=with_config(further_repetitions=0))[0]
    data = main_cells(CONFIG)[0].data(SETTINGS)
    estimate = conditional_omission(data, SETTINGS)
    assert row["rate"] == estimate.value
    assert row["evaluable"] == estimate.n
    assert estimate.clustering is not None and row["icc"] == estimate.clustering.icc
    # The paper's interval, from a stream of its own: ends from 2,000 resamples each have an error
    # of 1/15 of the half-width at most, and differ by less than five of them.
    reach = estimate.interval.half_width / 15 * math.sqrt(2) * 5
    assert row["percentile lower"] == pytest.approx(estimate.interval.lower, abs=reach)
    assert row["percentile upper"] == pytest.approx(estimate.interval.upper, abs=reach)


def test_only_questions_with_three_options_count() -> None:
    row = repeat("coverage", [0], config=with_config(further_repetitions=0))[0]
    data = main_cells(CONFIG)[0].data(SETTINGS)
    used = data.evaluable & (data.n_options >= 3)
    assert row["evaluable"] == used.sum() < data.evaluable.sum()
    (hits,) = per_probe(data, data.flagged & used)
    assert row["rate"] == hits.sum() / used.sum()


def test_rows_are_the_same_whatever_the_order_and_the_chunk() -> None:
    together = keyed(
        repeat("coverage", [0, 1, 2], config=FEW), "hint_type", "probes", "variant", "repetition"
    )
    backwards = [row for one in (2, 0, 1) for row in repeat("coverage", [one], config=FEW)]
    apart = keyed(backwards, "hint_type", "probes", "variant", "repetition")
    # Shown as text, because an undefined icc is not equal to itself.
    assert {key: repr(row) for key, row in apart.items()} == {
        key: repr(row) for key, row in together.items()
    }


def test_a_cell_s_rows_do_not_depend_on_which_others_run() -> None:
    alone = with_config(
        hint_types={"type_2": CONFIG["hint_types"]["type_2"]}, further_repetitions=0
    )
    (row,) = repeat("coverage", [1], config=alone)
    beside = repeat("coverage", [1], config=with_config(further_repetitions=2))
    assert row == next(r for r in beside if (r["hint_type"], r["variant"]) == ("type_2", "main"))


def row(**changes: Any) -> Row:
    """A repetition in which every method gives [.4, .6] around .5."""
    made: Row = {
        "hint_type": "type_1",
        "probes": 320,
        "variant": "main",
        "repetition": 0,
        "truth": 0.5,
        "evaluable": 100,
        "rate": 0.5,
        "icc": 0.1,
    }
    for method in METHODS:
        made |= {
            f"{method} lower": 0.4,
            f"{method} upper": 0.6,
            f"{method} fallback": False,
            f"{method} clipped": False,
        }
    return made | changes


def test_a_summary_by_hand() -> None:
    rows = [
        row(),
        row(rate=0.7, icc=0.3, **{"bca lower": 0.55, "bca clipped": True}),
        row(rate=0.6, icc=math.nan, **{"bca lower": 0.0, "bca fallback": True}),
        row(rate=0.4, evaluable=60, **{"bca upper": 0.45}),
    ]
    found = keyed(coverage.summarise(rows), "hint_type", "method")
    assert set(found) == {(kind, method) for kind in ("type_1", "all") for method in METHODS}
    bca = found["type_1", "bca"]
    # Held in the first and the third repetition; the third is a fallback.
    assert (bca["coverage"], bca["repetitions"]) == (0.5, 4)
    assert bca["coverage_mc_error"] == pytest.approx(math.sqrt(0.25 / 4))
    assert bca["coverage_without_fallback"] == pytest.approx(1 / 3)
    assert bca["coverage_without_fallback_mc_error"] == pytest.approx(math.sqrt(2 / 9 / 3))
    assert (bca["n_fallback"], bca["n_clipped"], bca["n_empty"]) == (1, 1, 0)
    # Widths .2, .05, .6, .05.
    assert bca["mean_width"] == pytest.approx(0.225)
    assert bca["mean_width_mc_error"] == pytest.approx(np.std([0.2, 0.05, 0.6, 0.05], ddof=1) / 2)
    # Errors 0, .2, .1, -.1; icc .1, .3 and .1, unknown in one repetition.
    assert bca["bias"] == pytest.approx(0.05)
    assert bca["mean_icc"] == pytest.approx(0.5 / 3)
    assert bca["mean_evaluable"] == 90
    assert bca["truth"] == 0.5
    percentile = found["type_1", "percentile"]
    assert (percentile["coverage"], percentile["n_fallback"]) == (1, 0)
    # At the boundary the error is that of (4 + 1) / (4 + 2).
    assert percentile["coverage_mc_error"] == pytest.approx(math.sqrt(5 / 36 / 4))


def test_main_cells_are_pooled_and_others_are_not() -> None:
    rows = [
        row(),
        row(hint_type="type_2", truth=0.9, rate=0.9),
        row(hint_type="type_2", probes=10, variant="smaller", truth=0.9),
    ]
    found = keyed(coverage.summarise(rows), "hint_type", "probes", "variant", "method")
    pooled = found["all", 320, "main", "percentile"]
    assert (pooled["coverage"], pooled["repetitions"]) == (0.5, 2)
    assert pooled["truth"] == pytest.approx(0.7) and pooled["bias"] == pytest.approx(0)
    assert found["type_2", 10, "smaller", "percentile"]["coverage"] == 0
    assert {key[:3] for key in found if key[0] == "all"} == {("all", 320, "main")}


def test_repetitions_without_a_pair_are_counted_as_empty() -> None:
    empty = {key: row()[key] for key in ("hint_type", "probes", "variant", "repetition", "truth")}
    found = coverage.summarise([row(), empty | {"evaluable": 0}])
    assert {each["n_empty"] for each in found} == {1}
    assert {each["repetitions"] for each in found} == {1}
    assert {each["mean_evaluable"] for each in found} == {50}
    nothing = coverage.summarise([empty | {"evaluable": 0}])
    assert all(math.isnan(each["coverage"]) and each["repetitions"] == 0 for each in nothing)


def test_a_design_without_moves_gives_a_row_without_estimate() -> None:
    still = with_config(
        chance_move=0.0,
        hint_types={"type_1": {"susceptibility": [1e-9, 1.0], "acknowledgement": [1, 1]}},
        further_repetitions=0,
    )
    (found,) = repeat("coverage", [0], config=still)
    assert found["evaluable"] == 0 and found["rate"] is None
    assert {each["n_empty"] for each in coverage.summarise([found])} == {1}


def test_the_summary_has_the_declared_columns() -> None:
    for summary in coverage.summarise(repeat("coverage", [0], config=FEW)):
        assert set(summary) == set(coverage.COLUMNS)
