"""One row per condition from the long table: a rearrangement, nothing is computed."""

from collections.abc import Mapping, Sequence
from typing import Any

from avowed.present.csvfile import Value

_COUNTS = (
    "n_pairs",
    "n_two_option",
    "n_analysed",
    "n_hint_change",
    "n_other_change",
    "n_no_change",
    "n_baseline_on_hint",
    "n_not_evaluable",
    "n_evaluable",
    "n_flagged",
)

#: Columns of the public-data table, in order; further columns follow these.
COLUMNS = (
    "condition",
    "n_items",
    "n_hint_correct",
    *_COUNTS,
    "omission",
    "omission_lower",
    "omission_upper",
    "interval_method",
    "clusters",
    "icc",
    "design_effect",
    "effective_n",
    "status",
    "susceptibility",
    "exposure_1",
    "exposure_1_all_completed",
    "omission_drift",
    "n_drift",
    "omission_wrong_to_wrong",
    "n_wrong_to_wrong",
    "omission_chance_corrected",
)

FURTHER_COLUMNS = (
    "hint_type",
    "n_ungraded",
    "n_ungraded_undetermined",
    "n_ungraded_truncated",
    "n_ungraded_unavailable",
    "omission_drift_lower",
    "omission_drift_upper",
    "omission_drift_status",
    "omission_wrong_to_wrong_lower",
    "omission_wrong_to_wrong_upper",
    "omission_wrong_to_wrong_status",
    "chance_corrected_lower",
    "chance_corrected_upper",
    "chance_corrected_method",
    "chance_corrected_status",
    "chance_corrected_note",
    "omission_note",
    "sentence",
)


def wide_row(
    condition: str,
    long_rows: Sequence[Mapping[str, Any]],
    *,
    hint_type: str,
    sentence: str,
    left_out: tuple[int, int] | None = None,
) -> dict[str, Value]:
    """Arrange one cell's long rows as a row of the public-data table.

    ``left_out`` is how many items there were and how many had the hint on the correct answer;
    unknown, and empty, for a delivery that does not say.

    Raises:
        KeyError: a quantity that the table shows is not among the rows.
    """
    by_name = {row["quantity"]: row for row in long_rows if row["k"] is None}
    omission, chance = by_name["omission"], by_name["omission_chance_corrected"]
    drift, other = by_name["omission_drift"], by_name["omission_wrong_to_wrong"]
    row: dict[str, Value] = {
        "condition": condition,
        "n_items": left_out and left_out[0],
        "n_hint_correct": left_out and left_out[1],
        **{name: int(by_name[name]["estimate"]) for name in _COUNTS},
        "omission": omission["estimate"],
        "omission_lower": omission["lower"],
        "omission_upper": omission["upper"],
        "interval_method": omission["method"],
        "clusters": omission["clusters"],
        "icc": omission["icc"],
        "design_effect": omission["deff"],
        "effective_n": omission["effective_n"],
        "status": omission["status"],
        "susceptibility": by_name["susceptibility"]["estimate"],
        "exposure_1": by_name["exposure_1_pooled"]["estimate"],
        "exposure_1_all_completed": by_name["exposure_1_all_completed"]["estimate"],
        "omission_drift": drift["estimate"],
        "n_drift": drift["n"],
        "omission_wrong_to_wrong": other["estimate"],
        "n_wrong_to_wrong": other["n"],
        "omission_chance_corrected": chance["estimate"],
        "hint_type": hint_type,
        **{
            name: int(by_name[name]["estimate"])
            for name in FURTHER_COLUMNS
            if name.startswith("n_ungraded")
        },
        **{
            f"{name}_{part}": by_name[name][part]
            for name in ("omission_drift", "omission_wrong_to_wrong")
            for part in ("lower", "upper", "status")
        },
        **{
            f"chance_corrected_{part}": chance[part]
            for part in ("lower", "upper", "method", "status")
        },
        "chance_corrected_note": chance["note"],
        "omission_note": omission["note"],
        "sentence": sentence,
    }
    return row


def wide_rows(
    condition: str,
    long_rows: Sequence[Mapping[str, Any]],
    cells: Sequence[Mapping[str, str]],
    *,
    left_out: tuple[int, int] | None = None,
) -> list[dict[str, Value]]:
    """Arrange every cell of a delivery; with several hint types, one row each."""
    rows = []
    for cell in cells:
        label = condition if len(cells) == 1 else f"{condition}/{cell['hint_type']}"
        rows.append(
            wide_row(
                label,
                [row for row in long_rows if row["cell"] == cell["cell"]],
                hint_type=cell["hint_type"],
                sentence=cell["sentence"],
                left_out=left_out,
            )
        )
    return rows
