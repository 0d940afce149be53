"""Tables of a study of cited factors as text, from rows of the long table; nothing is computed."""

from collections.abc import Mapping, Sequence
from typing import Any

from avowed.present.page_text import fixed

#: Heading -> quantity of the long table, in the order of the columns.
OVERVIEW = {
    "Order and necessity, rho": "rank_agreement_necessity",
    "Order and sufficiency, rho": "rank_agreement_sufficiency",
    "Uncited above cited, necessity": "uncited_rate_necessity",
    "Uncited above cited, sufficiency": "uncited_rate_sufficiency",
    "Noise floor": "noise_floor",
    "Cited necessity above the floor": "cited_necessity_above_floor",
}

#: Heading -> count of the long table.
COUNTS = {
    "Inputs": "n_inputs",
    "Inputs with a valid decision": "n_usable",
    "Inputs with a valid explanation too": "n_explained",
    "Calls that failed": "response_failed",
    "Calls answered without JSON": "response_not_json",
    "Calls without a decision": "response_no_decision",
    "Calls with a decision outside the pool": "response_decision_outside",
    "Inputs with too few cited": "explanation_too_few",
    "Inputs with too many cited": "explanation_too_many",
    "Inputs with an unknown key cited": "explanation_unknown_key",
    "Inputs with a key cited twice": "explanation_duplicate",
    "Inputs without an explanation": "explanation_missing",
}

#: Status of an estimate that has no interval -> what is said beside it, in tables and figures.
NO_INTERVAL = {"insufficient": "insufficient", "undefined": "no interval"}

Row = Mapping[str, Any]


def estimate_text(row: Row | None) -> str:
    """An estimate with its interval; the status where there is no estimate.

    >>> estimate_text({"estimate": -1.0, "lower": None, "upper": None, "status": "insufficient"})
    '−1.000 (insufficient)'
    >>> estimate_text({"estimate": 0.25, "lower": 0.1, "upper": None, "status": "undersampled"})
    '0.250'
    >>> estimate_text({"estimate": -0.5, "lower": -0.75, "upper": 0.1, "status": "undersampled"})
    '−0.500 [−0.750, 0.100]'
    """
    if row is None:
        return ""
    if row["estimate"] is None:
        return str(row["status"])
    if row["lower"] is None or row["upper"] is None:
        return fixed(row["estimate"]) + no_interval(str(row["status"]))
    return f"{fixed(row['estimate'])} [{fixed(row['lower'])}, {fixed(row['upper'])}]"


def no_interval(status: str) -> str:
    """What stands behind an estimate without an interval.

    >>> no_interval("undefined"), no_interval("descriptive")
    (' (no interval)', '')
    """
    return f" ({NO_INTERVAL[status]})" if status in NO_INTERVAL else ""


def overview(rows: Sequence[Row], components: Sequence[str]) -> list[dict[str, str]]:
    """One row per component: the main estimates with their intervals."""
    found = _by_place(rows)
    return [
        {"Component": name}
        | {head: estimate_text(found.get((name, what))) for head, what in OVERVIEW.items()}
        for name in components
    ]


def counts(rows: Sequence[Row], components: Sequence[str]) -> list[dict[str, str]]:
    """One row per component: inputs, and responses left out by kind."""
    found = _by_place(rows)
    return [
        {"Component": name}
        | {
            head: fixed(row["estimate"], 0) if (row := found.get((name, what))) else ""
            for head, what in COUNTS.items()
        }
        for name in components
    ]


def _by_place(rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
    return {(row["cell"], row["quantity"]): row for row in rows if row["k"] is None}
