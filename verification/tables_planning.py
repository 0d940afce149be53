"""Accuracy of the public outputs as their own paper tabulates it; planning numbers (HP 16.3)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from verification.tables_compare import Expected, Table
from verification.tables_inputs import Inputs, Row
from verification.tables_measures import named
from verification.tables_population import fraction
from verification.wilson import normal_quantile, wilson

CODED = "counted in the coded answers"
PRINTED = "data/published/turpin_accuracy.csv"
KIND = {"requested": "explained", "none": "unexplained"}


def accuracy_table(inputs: Inputs) -> Table:
    """Accuracy in both contexts over items whose bias points to a wrong answer.

    Items are pooled over tasks; those whose explained answer is missing in either context are left
    out, of the accuracy without explanation too.

    Source: Turpin et al. (2023), suggested answer; ``definitions``, Public data.
    """
    published = {
        (row["bias"], row["condition"], row["explanation"]): row
        for row in inputs.published("turpin_accuracy")
    }
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in inputs.coded:
        key = (row["bias"], f"{row['model']}_{row['prompting']}")
        groups.setdefault(key, []).append(row)
    rows = []
    for (bias, condition), items in groups.items():
        wrong = [row for row in items if row["hint"] != row["correct"]]
        kept = [
            row
            for row in wrong
            if row["unhinted_explained"] is not None and row["hinted_explained"] is not None
        ]
        for explanation, kind in KIND.items():
            printed = published.get((bias, condition, explanation))
            rows.append(
                {
                    **named(bias=bias, condition=condition, explanation=explanation),
                    "n_items": Expected(len(kept), CODED),
                    "n_left_out": Expected(len(wrong) - len(kept), CODED),
                    **_accuracy_cells(kept, kind, printed, inputs.confidence),
                }
            )
    return Table("turpin_accuracy", ("bias", "condition", "explanation"), tuple(rows))


def _accuracy_cells(
    kept: Sequence[Row], kind: str, printed: Mapping[str, str] | None, confidence: float
) -> dict[str, Expected]:
    cells: dict[str, Expected] = {}
    shares, agrees = [], []
    for context, name in (("unhinted", "unbiased"), ("hinted", "biased")):
        right = sum(row[f"{context}_{kind}"] == row["correct"] for row in kept)
        share = Fraction(right, len(kept))
        lower, upper = wilson(share, len(kept), confidence)
        shares.append(share)
        cells[f"accuracy_{name}"] = Expected(float(share), CODED)
        cells[f"accuracy_{name}_lower"] = Expected(lower, "Wilson in closed form")
        cells[f"accuracy_{name}_upper"] = Expected(upper, "Wilson in closed form")
        theirs = None if printed is None else printed[f"accuracy_{name}"]
        cells[f"published_{name}_percent"] = Expected(
            None if theirs is None else float(theirs), PRINTED
        )
        agrees.append(theirs == f"{100 * float(share):.1f}")
    cells["difference"] = Expected(float(shares[1] - shares[0]), "biased - unbiased")
    cells["method"] = Expected("wilson", "the interval that was recomputed")
    said = None if printed is None else "yes" if all(agrees) else "no"
    cells["agrees"] = Expected(said, "whether both accuracies round to the printed ones")
    return cells


def nearest_multiple(value: float, step: int) -> int:
    """The nearest multiple of a step, halves upward.

    >>> nearest_multiple(352.6, 5), nearest_multiple(192.5, 5)
    (355, 195)
    """
    return step * floor(value / step + 0.5)


def sample_size_table(inputs: Inputs) -> Table:
    """Pairs that a study needs: z^2 r (1 - r) / h^2 useful ones, divided by the share that moved.

    The share is N_H over all analysed pairs, or over eligible ones.

    Source: HP section 16.3.
    """
    plan = inputs.settings["sample_size"]
    rate, half_width = fraction(plan["rate"]), fraction(plan["half_width"])
    z = normal_quantile(inputs.confidence)
    useful = z * z * float(rate * (1 - rate) / half_width**2)
    least = inputs.settings["analysis"]["min_options"]
    rows = []
    for basis in ("all completed", "eligible"):
        for cell in inputs.cells:
            if cell.study != "public_data":
                continue
            analysed = [pair for pair in cell.pairs if pair.options >= least]
            base = [pair for pair in analysed if basis == "all completed" or pair.eligible]
            moved = sum(pair.outcome == "H" for pair in base)
            cells = named(condition=cell.name, share_basis=basis)
            rows.append(cells | _plan_cells(moved, len(base), useful, plan))
    return Table("sample_size", ("condition", "share_basis"), tuple(rows))


def _plan_cells(
    moved: int, base: int, useful: float, plan: Mapping[str, float]
) -> dict[str, Expected]:
    counted, formula = "counted in the records", "useful pairs / share that moved"
    step = int(plan["round_to"])
    completed = useful * base / moved if moved else None
    clustered = None if completed is None else completed * plan["design_effect"]
    cells = {
        "n_moved": Expected(moved if base else None, counted),
        "n_base": Expected(base, counted),
        "share_moved": Expected(moved / base if base else None, counted),
        "useful_pairs": Expected(useful, "z^2 r (1 - r) / h^2"),
    }
    for name, pairs in (("completed_pairs", completed), ("completed_pairs_clustered", clustered)):
        how = formula if name == "completed_pairs" else f"{formula} x design effect"
        rounded = None if pairs is None else nearest_multiple(pairs, step)
        cells[name] = Expected(pairs, how)
        cells[f"{name}_rounded"] = Expected(rounded, f"{how}, rounded")
        cells[f"{name}_at_least"] = Expected(
            None if pairs is None else ceil(pairs), f"{how}, rounded up"
        )
    return cells
