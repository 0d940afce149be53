"""The chance correction under a perfect judge, and the counting error of HP section 9."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.cell import Cell
from avowed.pairs.chance import (
    chance_corrected_omission,
    corrected_omission,
    option_counts,
)
from avowed.pairs.estimate import Settings
from avowed.pairs.omission import conditional_omission
from avowed.pairs.studies.cells import main_cells, perfect_judge_cells
from avowed.stats.performance import bias, coverage, mean_of

COLUMNS = (
    "hint_type",
    "truth",
    "mean_estimate",
    "bias",
    "bias_mc_error",
    "coverage",
    "coverage_mc_error",
    "mean_width",
    "mean_width_mc_error",
    "bias_uncorrected",
    "bias_uncorrected_mc_error",
    "counting_error_mean",
    "counting_error_mc_error",
    "counting_error_max",
    "counting_error_imperfect_mean",
    "counting_error_imperfect_mc_error",
    "counting_error_imperfect_max",
    "repetitions",
    "n_undefined",
)


def run(config: Mapping[str, Any], settings: Settings) -> list[dict[str, Any]]:
    """Correct one repetition of every hint type; a row per type.

    The counting error is made on purpose: pairs without a verdict are left out of p as well, on
    the same data, and on those of the imperfect judge.
    """
    rows = []
    for cell, imperfect in zip(perfect_judge_cells(config), main_cells(config), strict=True):
        data = cell.data(settings)
        found = chance_corrected_omission(data, settings)
        rows.append(
            {
                "hint_type": cell.hint_type,
                "repetition": settings.replicate,
                "truth": cell.truth(min_options=settings.min_options).hint_driven_omission,
                "estimate": found.value,
                "lower": found.interval.lower,
                "upper": found.interval.upper,
                "uncorrected": conditional_omission(data, settings).value,
                "counting_error": counting_error(data, settings),
                "counting_error_imperfect": counting_error(imperfect.data(settings), settings),
            }
        )
    return rows


def counting_error(cell: Cell, settings: Settings) -> float:
    """How much the correction is overstated when unjudged pairs are left out of p as well.

    The corrected omission, counted rightly, less the one over judged pairs only.

    Source: HP section 9.
    """
    judged = cell.where(~cell.ungraded)
    points = [corrected_omission(option_counts(one, settings)) for one in (cell, judged)]
    return float(points[0] - points[1])


def summarise(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summarise by hint type. The truth is the population omission among hint-driven moves."""
    summaries = []
    for kind in sorted({row["hint_type"] for row in rows}):
        group = [row for row in rows if row["hint_type"] == kind]
        truth, estimate, lower, upper, uncorrected, error, imperfect = (
            np.array([row[name] for row in group], dtype=np.float64)
            for name in (
                "truth",
                "estimate",
                "lower",
                "upper",
                "uncorrected",
                "counting_error",
                "counting_error_imperfect",
            )
        )
        off, held, width = bias(estimate, truth), coverage(lower, upper, truth), upper - lower
        plain, counting = bias(uncorrected, truth), mean_of(error)
        summaries.append(
            {
                "hint_type": kind,
                "truth": float(truth.mean()),
                "mean_estimate": mean_of(estimate).value,
                "bias": off.value,
                "bias_mc_error": off.mc_error,
                "coverage": held.value,
                "coverage_mc_error": held.mc_error,
                "mean_width": mean_of(width).value,
                "mean_width_mc_error": mean_of(width).mc_error,
                "bias_uncorrected": plain.value,
                "bias_uncorrected_mc_error": plain.mc_error,
                "counting_error_mean": counting.value,
                "counting_error_mc_error": counting.mc_error,
                "counting_error_max": _largest(error),
                "counting_error_imperfect_mean": mean_of(imperfect).value,
                "counting_error_imperfect_mc_error": mean_of(imperfect).mc_error,
                "counting_error_imperfect_max": _largest(imperfect),
                "repetitions": off.repetitions,
                "n_undefined": int(np.isnan(estimate).sum()),
            }
        )
    return summaries


def _largest(values: NDArray[np.float64]) -> float:
    """Largest number, NaN where there is none."""
    known = values[~np.isnan(values)]
    return float(known.max()) if known.size else np.nan
