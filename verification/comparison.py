"""Two programs' values of one field, how far apart they may be, and the verdict.

Whole numbers and text must be equal; other numbers agree to 1e-12 (times the number where it is
above 1). Ends of percentile intervals come from two bootstraps with different random numbers: they
agree within their Monte-Carlo error, 6 sqrt(2) standard errors of one end plus one lattice step
of a discrete statistic (`verification.bootstrap`). A status that the half-width decides
must follow from the pipeline's own ends, which may lie on the other side of the limit by that
error; where the share of undefined resamples is that close to its limit, either side of it will do,
and so will the boundary rule where only one of the two bootstraps collapses to a point.
What is undefined on both sides agrees, on one side it fails, and so does every estimate that only
one of the two programs has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verification.bootstrap import count_tolerance, tolerance

COLUMNS = (
    "source",
    "quantity",
    "cell",
    "k",
    "field",
    "main",
    "independent",
    "difference",
    "tolerance",
    "basis",
    "verdict",
)
AGREES = "agrees"
FAILS = "fails"
ONLY_PIPELINE = "no counterpart in the recomputation"
ONLY_RECOMPUTATION = "no counterpart in the pipeline"
VERDICTS = (AGREES, FAILS, ONLY_PIPELINE, ONLY_RECOMPUTATION)

#: Fields of the long table in the order in which they are compared.
FIELDS = (
    "study",
    "estimate",
    "lower",
    "upper",
    "method",
    "status",
    "n",
    "clusters",
    "icc",
    "deff",
    "effective_n",
    "mc_error",
    "repetitions",
)
EXACT = 1e-12
MONTE_CARLO = "Monte-Carlo error of two bootstraps: 6 sqrt(2) standard errors, and a lattice step"
MONTE_CARLO_COUNT = "Monte-Carlo error of two bootstraps: 6 sqrt(2) standard deviations, and one"
#: What a note says in words and the recomputation in ``facts``, joined as "3 (9), 5 (2)".
NOTED = {
    "undefined at L (N_H)": r"p <= q/\(L-2\) at L = (\d+) \(N_H = (\d+)\)",
    "left out at L (N_H)": r"\bL = (\d+) left out: N_H = (\d+)",
    "beyond reliable k": r"(beyond reliable k)",
    "probes left out": r"([\d,]+) probes left out",
}
UNDEFINED_RESAMPLES = r"(\d+) of \d+ resamples undefined"
Row = dict[str, Any]


def compared(  # noqa: PLR0917 - the columns of the table, in their order
    source: str,
    quantity: str,
    cell: str,
    k: int | None,
    field: str,
    main: Any,
    independent: Any,
    *,
    within: float | None = None,
    basis: str | None = None,
) -> Row:
    """One row of the table: two values of one field, how far apart they are, and the verdict.

    Args:
        source: the delivery or table that the values are of.
        quantity: the estimate.
        cell: the cell, empty if there is none.
        k: attempts, for exposure and reliability.
        field: which number or text of the estimate.
        main: the pipeline's value; None where it is undefined.
        independent: the recomputed value.
        within: tolerance; by default 0 for whole numbers and 1e-12 (relative above 1) for others.
        basis: what the tolerance is.

    >>> compared("d", "omission", "c", None, "icc", 0.25, 0.25 + 2e-12)["verdict"]
    'fails'
    >>> compared("d", "omission", "c", None, "icc", None, 0.25)["basis"]
    'undefined on one side'
    """
    main, independent = _plain(main), _plain(independent)
    row = dict.fromkeys(COLUMNS)
    row |= {"source": source, "quantity": quantity, "cell": cell, "k": k, "field": field}
    row |= {"main": main, "independent": independent, "verdict": FAILS}
    numbers = isinstance(main, int | float) and isinstance(independent, int | float)
    if main is None or independent is None:
        both = main is None and independent is None
        row |= {"basis": f"undefined on {'both sides' if both else 'one side'}"}
        agrees = both
    elif not numbers:
        row |= {"basis": basis or "equal"}
        agrees = type(main) is type(independent) and main == independent
    else:
        whole = isinstance(independent, int)
        if within is None:
            within = 0.0 if whole else EXACT * max(1.0, abs(independent))
            basis = basis or ("equal" if whole else "exact, 1e-12")
        row |= {"difference": main - independent, "tolerance": within, "basis": basis}
        agrees = abs(main - independent) <= within
    return row | {"verdict": AGREES} if agrees else row


def _plain(value: Any) -> Any:
    """Truth values as words, so that a file reads the same as its table."""
    return str(value).lower() if isinstance(value, bool) else value


def compare(
    main: Sequence[Mapping[str, Any]], independent: Sequence[Mapping[str, Any]], *, source: str
) -> list[Row]:
    """Compare rows of the long table with recomputed ones, matched by cell, quantity and k.

    Args:
        main: the pipeline's rows.
        independent: rows of `verification.recompute.recompute_delivery`.
        source: what they are of.

    Returns:
        Rows with the columns of `COLUMNS`: one per field of a matched estimate, one per estimate
        that only one side has. A row that stands twice on one side has one counterpart.

    >>> compare([{"cell": "c", "quantity": "omission", "k": None}], [], source="d")[0]["verdict"]
    'no counterpart in the recomputation'
    """
    ours, theirs = _keyed(main), _keyed(independent)
    rows: list[Row] = []
    for key, row in ours.items():
        if key in theirs:
            rows += _fields(row, theirs[key], source)
        else:
            rows.append(_alone(row, source, ONLY_PIPELINE))
    rows += [_alone(row, source, ONLY_RECOMPUTATION) for k, row in theirs.items() if k not in ours]
    return rows


def _keyed(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    """Rows by cell, quantity, k and how often these stood before."""
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    times: dict[tuple[Any, ...], int] = {}
    for row in rows:
        key = (row.get("cell"), row.get("quantity"), row.get("k"))
        times[key] = times.get(key, 0) + 1
        found[*key, times[key]] = row
    return found


def _alone(row: Mapping[str, Any], source: str, verdict: str) -> Row:
    side = "main" if verdict == ONLY_PIPELINE else "independent"
    return dict.fromkeys(COLUMNS) | {
        "source": source,
        "quantity": row.get("quantity"),
        "cell": row.get("cell"),
        "k": row.get("k"),
        "field": "estimate",
        side: row.get("estimate"),
        "basis": "every estimate needs a counterpart",
        "verdict": verdict,
    }


def _fields(main: Mapping[str, Any], independent: Mapping[str, Any], source: str) -> Iterator[Row]:
    """Every field of one estimate."""
    place = (source, main.get("quantity", ""), main.get("cell", ""), main.get("k"))
    independent, near = counterpart(main.get("method"), independent)
    apart = {
        end: tolerance(independent[f"{end}_error"], independent[f"{end}_step"]) + EXACT
        for end in ("lower", "upper")
        if independent.get(f"{end}_error") is not None
    }
    for name in FIELDS:
        values = main.get(name), independent.get(name)
        if name in apart:
            yield compared(*place, name, *values, within=apart[name], basis=MONTE_CARLO)
        elif name == "status" and apart:
            yield _status(place, main, independent, near)
        else:
            yield compared(*place, name, *values, basis=near if name == "method" else None)
    yield from _noted(place, main, independent)


def counterpart(
    method: str | None, independent: Mapping[str, Any]
) -> tuple[Mapping[str, Any], str | None]:
    """The recomputed estimate that has the pipeline's method, and why it may be an alternative.

    Without one of that method, the estimate itself.

    >>> row = {"method": "a", "alternative": {"method": "b", "near": "why", "alternative": None}}
    >>> counterpart("b", row)[1], counterpart("c", row)[1]
    ('why', None)
    """
    other = independent
    while other.get("method") != method:
        further = other.get("alternative")
        if further is None:
            return independent, None
        other = further
    return other, other.get("near") or None


def _status(
    place: tuple[str, str, str, int | None],
    main: Mapping[str, Any],
    independent: Mapping[str, Any],
    near: str | None,
) -> Row:
    """A status that the half-width decides has to follow from the pipeline's own ends."""
    found, ours = main.get("status"), independent.get("status")
    target: Any = independent.get("target_half_width")
    lower: Any = main.get("lower")
    upper: Any = main.get("upper")
    decided = ("undersampled", "converged")
    if not {found, ours} <= {*decided} or None in (target, lower, upper):
        return compared(*place, "status", found, ours, basis=near)
    half = (upper - lower) / 2
    implied = decided[0] if half > target else decided[1]
    if abs(half - target) <= EXACT:
        implied = str(found)
    row = compared(*place, "status", found, implied, basis="follows from its own half-width")
    return row | {"independent": ours}


def _noted(
    place: tuple[str, str, str, int | None],
    main: Mapping[str, Any],
    independent: Mapping[str, Any],
) -> Iterator[Row]:
    """What the note says in words; only where one of the two sides says it."""
    if "facts" not in independent:
        return
    note = main.get("note") or ""
    for name, pattern in NOTED.items():
        said = ", ".join(_words(found) for found in re.finditer(pattern, note))
        known = independent["facts"].get(name, "")
        if said or known:
            yield compared(*place, name, said or None, known or None)
    counted = re.search(UNDEFINED_RESAMPLES, note)
    drawn, dropped = independent.get("resamples"), independent.get("undefined_resamples")
    if drawn and (counted or dropped):
        yield compared(
            *place,
            "undefined resamples",
            int(counted[1]) if counted else 0,
            dropped,
            within=count_tolerance(dropped or 0, drawn),
            basis=MONTE_CARLO_COUNT,
        )


def _words(found: re.Match[str]) -> str:
    first, *rest = (group.replace(",", "") for group in found.groups())
    if first == "beyond reliable k":
        return "yes"
    return " ".join((first, *(f"({group})" for group in rest)))
