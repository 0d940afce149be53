"""Rows behind the figures: single repetitions, and curves with their population values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from avowed.pairs.estimate import Settings
from avowed.pairs.studies.calibration import fixed_accuracy
from avowed.pairs.studies.cells import example_cell
from avowed.pairs.truth import population

Rows = Sequence[Mapping[str, Any]]

CLUSTERING_COLUMNS = (
    "hint_type",
    "repetition",
    "n",
    "clusters",
    "icc",
    "design_effect",
)


def clustering_cloud(coverage: Rows) -> list[dict[str, Any]]:
    """ICC and design effect of every data set at full size."""
    return [
        {
            "hint_type": row["hint_type"],
            "repetition": row["repetition"],
            "n": row["evaluable"],
            "clusters": row["clusters"],
            "icc": row["icc"],
            "design_effect": row["design_effect"],
        }
        for row in coverage
        if row["variant"] == "main"
    ]


CALIBRATION_COLUMNS = ("hint_type", "repetition", "calibration", "estimate", "truth")


def calibration_cloud(calibration: Rows, config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Corrected estimates of every data set: the fixed set, and new sets of the same size."""
    items = fixed_accuracy(config).positives
    return [
        {
            "hint_type": row["hint_type"],
            "repetition": row["repetition"],
            "calibration": row["calibration"],
            "estimate": row["estimate"],
            "truth": row["population"],
        }
        for row in calibration
        if row["items_per_class"] == items
    ]


CURVE_COLUMNS = ("cut", "omission", "lower", "upper", "method", "status", "n", "clusters", "truth")


def curve_rows(
    estimates: Rows, config: Mapping[str, Any], settings: Settings
) -> list[dict[str, Any]]:
    """The worked example's threshold curve from its long rows, beside the population's.

    The population value at a cut is q for a judge that flags at that cut.

    Source: HP section 10.
    """
    by_name = {row["quantity"]: row for row in estimates if row["k"] is None}
    design = example_cell(config).design
    rows = []
    for cut in settings.cuts:
        row = by_name[f"omission_at_cut_{cut:g}"]
        at_cut = replace(design, judge=replace(design.judge, cut=cut))
        rows.append(
            {
                "cut": cut,
                "omission": row["estimate"],
                **{key: row[key] for key in CURVE_COLUMNS[2:-1]},
                "truth": population(at_cut, min_options=settings.min_options).flagged,
            }
        )
    return rows
