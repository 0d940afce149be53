"""Comparisons as rows of a table; what is undefined is None."""

import math
from typing import Any

from avowed.pairs.compare.differences import CellRates, Compared
from avowed.pairs.compare.judges import JudgesCompared
from avowed.pairs.compare.sentences import comparison_sentence, judges_sentence, p_number
from avowed.stats.difference import NEWCOMBE_METHOD, ClusteredDifference

Row = dict[str, Any]

_BOUND = "no resample lies beyond 0, so the p-value is an upper bound"
_BOUND_OF_INVERSION = "p-values are not looked for below this one, which is an upper bound"

#: Columns of the table of differences, in their order.
DIFFERENCE_COLUMNS = (
    *("hint_type", "quantity", "first", "second", "pairing", "shared_probes", "all_probes"),
    *("first_rate", "first_n", "first_clusters", "second_rate", "second_n", "second_clusters"),
    *("difference", "lower", "upper", "method", "standard_error"),
    *("p_value", "p_is_bound", "p_adjusted", "p_adjusted_is_bound", "tests"),
    *("status", "note", "sentence"),
)

#: Columns of the table of judges, in their order.
JUDGE_COLUMNS = (
    *("hint_type", "quantity", "first", "second", "estimate", "lower", "upper", "method"),
    *(
        "p_value",
        "p_is_bound",
        "status",
        "n",
        "clusters",
        "icc",
        "deff",
        "effective_n",
        "note",
        "sentence",
    ),
)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _flag(is_bound: bool, p: float) -> str | None:
    """Whether a p-value is only a bound, as a word; nothing where there is no p-value."""
    return None if math.isnan(p) else "yes" if is_bound else "no"


def _printed(p: float, *, bound: bool) -> str | None:
    return None if math.isnan(p) else p_number(p, bound=bound)


def _bound_notes(found: ClusteredDifference) -> list[str]:
    if not found.p_is_bound:
        return []
    return [_BOUND_OF_INVERSION if found.interval.method == NEWCOMBE_METHOD else _BOUND]


def difference_row(row: Compared, *, confidence: float) -> Row:
    """One difference as a row with the columns of `DIFFERENCE_COLUMNS`.

    Beside them ``p_printed`` and ``p_adjusted_printed`` have the p-values as sentences and tables
    print them.
    """
    found = row.found
    return {
        "hint_type": row.hint_type,
        "quantity": row.quantity,
        "first": row.first,
        "second": row.second,
        "pairing": "paired" if row.paired else "unpaired",
        "shared_probes": row.shared,
        "all_probes": row.either,
        "first_rate": _number(row.rates[0]),
        "first_n": found.first.n,
        "first_clusters": found.first.clusters,
        "second_rate": _number(row.rates[1]),
        "second_n": found.second.n,
        "second_clusters": found.second.clusters,
        "difference": _number(found.value),
        "lower": _number(found.interval.lower),
        "upper": _number(found.interval.upper),
        "method": found.interval.method if found.interval.defined else None,
        "standard_error": _number(found.standard_error),
        "p_value": _number(found.p_value),
        "p_is_bound": _flag(found.p_is_bound, found.p_value),
        "p_adjusted": _number(row.p_adjusted),
        "p_adjusted_is_bound": _flag(row.p_adjusted_is_bound, row.p_adjusted),
        "p_printed": _printed(found.p_value, bound=found.p_is_bound),
        "p_adjusted_printed": _printed(row.p_adjusted, bound=row.p_adjusted_is_bound),
        "tests": row.tests,
        "status": row.status.value,
        "note": "; ".join([*row.notes, *_bound_notes(found)]) or None,
        "sentence": comparison_sentence(row, confidence=confidence),
    }


def rate_row(one: CellRates) -> Row:
    """The rates of one delivery in one cell as a row; susceptibility is context, no interval."""
    moved, eligible, _ = one.susceptibility
    return {
        "hint_type": one.hint_type,
        "name": one.name,
        "omission": _number(one.omission.value),
        "lower": _number(one.omission.interval.lower),
        "upper": _number(one.omission.interval.upper),
        "method": one.omission.method,
        "n": one.omission.n,
        "clusters": one.omission.clusters,
        "status": one.omission.status.value,
        "susceptibility": moved / eligible if eligible else None,
        "n_eligible": eligible,
    }


def judge_rows(cell: JudgesCompared, *, names: tuple[str, str], confidence: float) -> list[Row]:
    """One cell of two judges as rows: the counts of the table, then the estimates.

    The count of pairs that the first judge called x and the second y is ``count_x_y``.
    """
    empty: Row = dict.fromkeys(JUDGE_COLUMNS)
    named = {"hint_type": cell.hint_type, "first": names[0], "second": names[1]}
    total = sum(cell.counts.values())
    rows = [
        {
            **empty,
            **named,
            "quantity": f"count_{one}_{two}",
            "estimate": count,
            "method": "count of pairs",
            "status": "descriptive",
            "n": total,
        }
        for (one, two), count in cell.counts.items()
    ]
    for each in cell.estimates:
        tested = each.quantity == "rate_difference"
        clustering = each.clustering
        notes = [*each.notes, *(cell.warnings if each.quantity == "cohens_kappa" else ())]
        if tested:
            notes += [*((cell.left_out,) if cell.left_out else ()), *_bound_notes(cell.difference)]
        rows.append(
            {
                **empty,
                **named,
                "quantity": each.quantity,
                "estimate": _number(each.value),
                "lower": _number(each.interval.lower),
                "upper": _number(each.interval.upper),
                "method": each.method or None,
                "p_value": _number(cell.difference.p_value) if tested else None,
                "p_is_bound": _flag(cell.difference.p_is_bound, cell.difference.p_value)
                if tested
                else None,
                "status": each.status.value,
                "n": each.n,
                "clusters": each.clusters,
                "icc": None if clustering is None else _number(clustering.icc),
                "deff": None if clustering is None else _number(clustering.design_effect),
                "effective_n": None if clustering is None else _number(clustering.effective_n),
                "note": "; ".join(notes) or None,
                "sentence": judges_sentence(cell, names=names, confidence=confidence)
                if tested
                else None,
            }
        )
    return rows
