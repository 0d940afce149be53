"""A component in words, and the numbers behind them, from its rows of the long table."""

from collections.abc import Mapping, Sequence
from typing import Any

from avowed.factors.rows import SEPARATOR

#: Words for the size of a correlation: below the bound, these words. A convention, not a law:
#: Evans (1996), Straightforward Statistics for the Behavioral Sciences.
STRENGTH: tuple[tuple[float, str], ...] = (
    (0.2, "very weak"),
    (0.4, "weak"),
    (0.6, "moderate"),
    (0.8, "strong"),
    (float("inf"), "very strong"),
)

_CRITERIA = ("necessity", "sufficiency")

#: Side of 0 on which the interval lies, 0 for neither, None without one -> words.
_ORDER: Mapping[int | None, str] = {
    1: "follows {}",
    -1: "runs against {}",
    0: "shows no clear relation to {}",
    None: "cannot be compared with {}",
}
_LEAD: Mapping[int | None, str] = {
    1: "the best uncited one leads under {}",
    -1: "the weakest cited one leads under {}",
    0: "neither clearly leads under {}",
    None: "nothing can be said under {}",
}

Found = Mapping[str, Mapping[str, Any]]


def verdict(rows: Sequence[Mapping[str, Any]], component: str, *, confidence: float = 0.95) -> str:
    """Say in one line whether a component's explanations name what moves its decision.

    Three statements without numbers, for necessity and sufficiency each where they differ: whether
    the order of the cited features follows the scores; who leads on trials that took no part in the
    selection, the best uncited feature or the weakest cited one; how many features change the
    decision more often than a repeat of the unchanged input. A direction is stated where its
    interval lies on one side of 0. The intervals are those of each measure alone; nothing is
    adjusted for the number of components.

    Args:
        rows: rows of the long table, those of ``measures`` and of ``beyond`` together; others are
            ignored.
        component: which component.
        confidence: features count as above the floor at an adjusted p-value of 1 - confidence.
    """
    own = _own(rows, component)
    order = _by_words(own, "rank_agreement", _ORDER)
    lead = _by_words(own, "split_difference", _LEAD)
    parts = [f"The order of the cited features {' and '.join(order)}"]
    parts.append(f"on held-out trials {' and '.join(lead)}")
    parts.append(_features(rows, component, confidence))
    return "; ".join(parts) + "."


def evidence(rows: Sequence[Mapping[str, Any]], component: str) -> str:
    """The numbers behind ``verdict``, in one line.

    Rank agreement with its interval or the reason why there is none; how often an uncited feature
    scores higher, beside the rates that selection alone would give if all inputs were alike
    (definitions NS 13: a reference, not a test, because inputs differ and share y); the lead on
    held-out trials.

    Args:
        rows: as in ``verdict``.
        component: which component.
    """
    own = _own(rows, component)
    parts = [f"order of citation: {_order(own)}"]
    parts += [f"{criterion}: {_omissions(own, criterion)}" for criterion in _CRITERIA]
    return "; ".join(parts)


def _own(rows: Sequence[Mapping[str, Any]], component: str) -> Found:
    return {row["quantity"]: row for row in rows if row["cell"] == component and row["k"] is None}


def _by_words(own: Found, quantity: str, words: Mapping[int | None, str]) -> list[str]:
    """What is said of each criterion; both together where the same is said."""
    signs = {}
    for criterion in _CRITERIA:
        row = own.get(f"{quantity}_{criterion}")
        known = row is not None and _estimate(row) is not None and row["lower"] is not None
        signs[criterion] = _sign(row) if known and row is not None else None
    if len(set(signs.values())) == 1:
        return [words[signs[_CRITERIA[0]]].format(" and ".join(_CRITERIA))]
    return [words[sign].format(criterion) for criterion, sign in signs.items()]


def _estimate(row: Mapping[str, Any] | None) -> float | None:
    """The estimate of a row that is there, defined and not insufficient."""
    if row is None or row["estimate"] is None or row["status"] in ("undefined", "insufficient"):
        return None
    return float(row["estimate"])


def _number(value: float) -> str:
    """Two decimals, without a sign in front of a zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"


def _interval(row: Mapping[str, Any]) -> str:
    """The interval with a space in front, nothing where there is none."""
    if row["lower"] is None or row["upper"] is None:
        return ""
    return f" [{_number(row['lower'])}, {_number(row['upper'])}]"


def _strength(size: float) -> str:
    return next(words for bound, words in STRENGTH if size < bound)


def _sign(row: Mapping[str, Any]) -> int:
    """1 or -1 where the interval lies on one side of 0, else 0."""
    return int(row["lower"] > 0) - int(row["upper"] < 0)


def _order(own: Found) -> str:
    """Rank agreement with both criteria."""
    said = []
    for criterion in _CRITERIA:
        row = own.get(f"rank_agreement_{criterion}")
        rho = _estimate(row)
        if row is None or rho is None:
            why = str(row["note"]) if row and row["note"] else "not measured"
            said.append(f"no rho with {criterion} ({why})")
            continue
        said.append(f"rho {_number(rho)}{_interval(row)} with {criterion} ({_strength(abs(rho))})")
    return ", ".join(said)


def _omissions(own: Found, criterion: str) -> str:
    """The uncited rate, what selection alone would give, and the held-out comparison."""
    rate = _estimate(own.get(f"uncited_rate_{criterion}"))
    if rate is None:
        return "whether an uncited feature scores higher cannot be said"
    text = f"an uncited feature scores higher in {_percent(rate)} % of responses"
    names = ("independent", "agreeing")
    alone = [own.get(f"selection_{name}_{criterion}") for name in names]
    # A baseline without an interval (a component that never varies) is still a number.
    rates = [float(row["estimate"]) for row in alone if row and row["estimate"] is not None]
    if len(rates) == len(names):
        low, high = _percent(min(rates)), _percent(max(rates))
        given = f"{low} to {high} %" if low != high else f"{low} %"
        text += f", by selection alone in {given} if inputs were alike"
    return text + _held_out(own.get(f"split_difference_{criterion}"))


def _held_out(row: Mapping[str, Any] | None) -> str:
    """The mean held-out difference, best uncited minus weakest cited."""
    lead = _estimate(row)
    if row is None or lead is None:
        return ""
    return f", held-out difference {_number(lead)}{_interval(row)}"


def _features(rows: Sequence[Mapping[str, Any]], component: str, confidence: float) -> str:
    """How many features change the decision more often than nothing does."""
    adjusted = [
        float(row["estimate"])
        for row in rows
        if row["quantity"] == "necessity_above_floor_p_adjusted"
        and row["cell"].startswith(component + SEPARATOR)
        and row["estimate"] is not None
    ]
    if not adjusted:
        return "no feature could be compared with repeats of the unchanged input"
    above = sum(p <= 1 - confidence + 1e-12 for p in adjusted)
    verb = "changes" if above == 1 else "change"
    return (
        f"{above} of {len(adjusted)} features {verb} the decision more often than repeats of the "
        "unchanged input do"
    )
