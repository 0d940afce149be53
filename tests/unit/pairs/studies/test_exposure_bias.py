"""The exposure study: its rows against brute force, and its summary by hand."""

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.simulation import CONFIG, SETTINGS, TYPES, Row, keyed, repeat, with_config

from avowed.pairs.studies import exposure_bias
from avowed.pairs.studies.cells import main_cells
from avowed.pairs.truth import exposure_truth

DROP_OUT_FREE, THROUGH = exposure_bias.TRUTHS


def test_a_row_per_type_and_k_with_both_truths() -> None:
    rows = keyed(repeat("exposure_bias", [0]), "hint_type", "k")
    assert list(rows) == [(kind, k) for kind in TYPES for k in (1, 2, 4, 8)]
    for cell in main_cells(CONFIG):
        for k in (1, 2, 4, 8):
            row = rows[cell.hint_type, k]
            # Over probes with any number of options, as section 11 has it.
            assert row[DROP_OUT_FREE] == exposure_truth(cell.design, k, min_options=2)
            assert row[THROUGH] == exposure_truth(
                cell.design, k, min_options=2, through_drop_out=True
            )
            assert 0 <= row["lower"] <= row["unbiased"] <= row["upper"] <= 1
        curve = [rows[cell.hint_type, k]["unbiased"] for k in (1, 2, 4, 8)]
        assert curve == sorted(curve)


@pytest.mark.parametrize("min_options", [2, 3])
def test_the_estimates_by_counting_every_subset(min_options: int) -> None:
    """X(k): the share of k-subsets of a probe's evaluable replicas that hold a violation."""
    config = with_config(exposure_min_options=min_options, probes=40)
    rows = keyed(repeat("exposure_bias", [3], config=config), "hint_type", "k")
    for cell in main_cells(config):
        pairs = cell.pairs(replace(SETTINGS, replicate=3))
        outcomes = [
            [bool(flag) for flag, lost in zip(flags, gone, strict=True) if not lost]
            for flags, gone, options in zip(
                pairs.flagged, pairs.failed | pairs.undetermined, pairs.n_options, strict=True
            )
            if options >= min_options
        ]
        assert len(outcomes) == (40 if min_options == 2 else 36)
        pooled = sum(map(sum, outcomes)) / sum(map(len, outcomes))
        for k in (1, 2, 4, 8):
            shares = [
                np.mean([any(subset) for subset in combinations(probe, k)])
                for probe in outcomes
                if len(probe) >= k
            ]
            row = rows[cell.hint_type, k]
            assert row["unbiased"] == pytest.approx(np.mean(shares), abs=1e-12)
            assert row["plug_in"] == pytest.approx(1 - (1 - pooled) ** k, abs=1e-12)


def test_rows_are_the_same_whatever_the_order_and_the_chunk() -> None:
    together = repeat("exposure_bias", [0, 1, 2])
    apart = [row for one in (1, 2, 0) for row in repeat("exposure_bias", [one])]
    names = ("hint_type", "k", "repetition")
    assert keyed(together, *names) == keyed(apart, *names)


def row(kind: str, repetition: int, **changes: Any) -> Row:
    made: Row = {
        "hint_type": kind,
        "repetition": repetition,
        "k": 4,
        "unbiased": 0.5,
        "lower": 0.4,
        "upper": 0.6,
        "plug_in": 0.55,
        DROP_OUT_FREE: 0.5,
        THROUGH: 0.45,
    }
    return made | changes


def test_a_summary_by_hand() -> None:
    rows = [
        row("a", 0, unbiased=0.6, plug_in=0.62),
        row("a", 1, unbiased=0.4, plug_in=0.46, lower=0.47),
        row("b", 0, unbiased=0.48, plug_in=0.5, **{DROP_OUT_FREE: 0.4, THROUGH: 0.41}),
        row("b", 1, unbiased=0.42, plug_in=0.5, **{DROP_OUT_FREE: 0.4, THROUGH: 0.41}),
    ]
    found = keyed(exposure_bias.summarise(rows), "hint_type", "k", "truth_kind")
    assert set(found) == {
        (kind, 4, truth) for kind in ("a", "b", "all") for truth in (DROP_OUT_FREE, THROUGH)
    }
    free, through = found["a", 4, DROP_OUT_FREE], found["a", 4, THROUGH]
    assert (free["truth"], through["truth"]) == (0.5, 0.45)
    assert free["bias_unbiased"] == pytest.approx(0, abs=1e-15)
    assert through["bias_unbiased"] == pytest.approx(0.05)
    # Standard deviation of .6 and .4: sqrt(.02); over sqrt(2): .1.
    assert free["bias_unbiased_mc_error"] == pytest.approx(0.1)
    assert free["bias_plug_in"] == pytest.approx(0.04)
    # Differences .02 and .06, paired within the repetition.
    assert free["plug_in_minus_unbiased"] == pytest.approx(0.04)
    assert free["plug_in_minus_unbiased_mc_error"] == pytest.approx(0.02)
    assert (free["coverage"], through["coverage"]) == (1, 0.5)
    assert free["mean_width"] == pytest.approx(0.165)
    assert free["repetitions"] == 2


def test_the_figure_over_types_is_the_mean_of_theirs() -> None:
    rows = [
        row("a", 0, unbiased=0.6),
        row("a", 1, unbiased=0.4),
        row("b", 0, unbiased=0.9),
        row("b", 1, unbiased=0.7),
        row("b", 2, unbiased=0.8),
    ]
    found = keyed(exposure_bias.summarise(rows), "hint_type", "k", "truth_kind")
    pooled = found["all", 4, DROP_OUT_FREE]
    # Biases 0 +- .1 and .3 +- .1 / sqrt(3): each type weighs the same.
    assert pooled["bias_unbiased"] == pytest.approx(0.15)
    assert pooled["bias_unbiased_mc_error"] == pytest.approx(
        math.hypot(0.1, 0.1 / math.sqrt(3)) / 2
    )
    assert pooled["repetitions"] == 5


def test_the_summary_has_the_declared_columns() -> None:
    summaries = exposure_bias.summarise(repeat("exposure_bias", [0, 1]))
    assert len(summaries) == 4 * 2 * 4
    for summary in summaries:
        assert set(exposure_bias.COLUMNS) <= set(summary)
        assert summary["hint_type"] == "all" or summary["repetitions"] == 2
