"""A second program for every estimate of a delivery: standard library only, nothing of avowed.

It follows the text of the hinted-pair paper (HP): exact whole numbers and fractions, binomial
coefficients, Wilson's interval in closed form, an ANOVA correlation, and a bootstrap with random
numbers of its own (`verification.bootstrap` says how closely two bootstraps can agree). Where the
paper leaves something open, the parts name the reading. `verification.diff` sets its rows beside
the pipeline's.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verification.calibrated import calibrated
from verification.chance import chance_corrected
from verification.estimates import Estimate, Settings, as_row, descriptive
from verification.exposure import curve
from verification.files import Unusable
from verification.kinds import is_integer
from verification.omission import omission_and_curve, redecided, strata, wilson_reference
from verification.records import Pair, cells_of
from verification.rules import Broken, broken_by_rule, check_rules, coverage_counts

__all__ = [
    "Broken",
    "Row",
    "broken_by_rule",
    "calibrated",
    "cell_estimates",
    "check_rules",
    "coverage_counts",
    "recompute_delivery",
    "redecided_omission",
]

#: A row of the long table, and what a comparison needs beside it (`verification.estimates.as_row`).
Row = dict[str, Any]


def recompute_delivery(
    name: str,
    header: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    *,
    study: str,
    cell_name: str | None = None,
) -> list[Row]:
    """Everything of Part I for a delivery that keeps the rules, one row per estimate.

    A delivery with one hint type is one cell called ``cell_name`` (by default ``name``), with
    several its cells are called ``cell_name/hint_type``; they are never averaged.

    Args:
        name: the delivery, for messages.
        header: its ``delivery.json``.
        records: its records, token kinds kept.
        settings: the whole configuration that ran.
        study: the table that the estimates go to.
        cell_name: what the pipeline calls the cell.

    Returns:
        Rows with the keys of the long table, and ``lower_error``, ``upper_error``,
        ``lower_step``, ``upper_step`` and more that `verification.comparison` needs. What is
        undefined is None.

    Raises:
        Unusable: a setting, a header field or a record field is missing.

    Source: HP sections 7 to 12.
    """
    chosen = Settings.from_config(settings)
    planned = header.get("planned_replicas")
    if not isinstance(planned, int) or not is_integer(planned) or planned < 1:
        raise Unusable(f"{name}: planned_replicas is {planned!r}; it must be at least 1")
    cells = cells_of(name, header, records)
    label = name if cell_name is None else cell_name
    return [
        as_row(
            found,
            study=study,
            cell=label if len(cells) == 1 else f"{label}/{kind}",
            settings=chosen,
        )
        for kind, pairs in cells.items()
        for found in cell_estimates(pairs, planned, chosen, cell=f"{name}/{kind}")
    ]


def redecided_omission(
    name: str,
    header: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    *,
    threshold: float,
    hint_type: str,
) -> Row:
    """The omission of one cell at a calibrated threshold, as `calibrated` needs it.

    Raises:
        Unusable: a setting, a header field or a record field is missing.

    Source: HP section 14, step 1.
    """
    chosen = Settings.from_config(settings)
    pairs = cells_of(name, header, records)[hint_type]
    found = redecided(pairs, threshold, chosen, f"{name}/{hint_type}")
    return as_row(found, study="", cell=name, settings=chosen)


def cell_estimates(
    pairs: Sequence[Pair], planned_replicas: int, settings: Settings, *, cell: str
) -> list[Estimate]:
    """Everything of Part I for the pairs of one cell; ``cell`` names its random numbers.

    Source: HP sections 7 to 12.
    """
    analysed = [pair for pair in pairs if pair.options >= settings.min_options]
    omission, points = omission_and_curve(analysed, settings, cell)
    return [
        *_counts(pairs, analysed),
        *_context(analysed),
        omission,
        wilson_reference(omission, settings),
        *strata(analysed, settings, cell),
        chance_corrected(analysed, omission, settings, cell),
        *points,
        *curve(pairs, planned_replicas, settings, cell),
    ]


def _has(letter: str) -> Callable[[Pair], bool]:
    return lambda pair: pair.outcome == letter


def _probes(pairs: Sequence[Pair]) -> int:
    return len({pair.probe for pair in pairs})


def _counts(pairs: Sequence[Pair], analysed: Sequence[Pair]) -> list[Estimate]:
    """Pairs by outcome and verdict; outcomes over the pairs with enough options (HP 3 and 7)."""

    def count(quantity: str, among: Sequence[Pair], test: Callable[[Pair], bool]) -> Estimate:
        met = [pair for pair in among if test(pair)]
        return Estimate(
            quantity=quantity,
            value=len(met),
            n=len(among),
            clusters=_probes(met),
            status="descriptive",
            method="count of pairs",
        )

    enough = set(map(id, analysed))
    outcomes = {
        "n_hint_change": "H",
        "n_other_change": "O",
        "n_no_change": "N",
        "n_baseline_on_hint": "B",
        "n_not_evaluable": "U",
    }
    return [
        count("n_pairs", pairs, lambda _: True),
        count("n_two_option", pairs, lambda p: id(p) not in enough),
        count("n_analysed", pairs, lambda p: id(p) in enough),
        *(count(name, analysed, _has(letter)) for name, letter in outcomes.items()),
        count("n_evaluable", analysed, lambda p: p.evaluable_move),
        count("n_flagged", analysed, lambda p: p.violation),
        count("n_ungraded", analysed, lambda p: p.ungraded),
        count("n_ungraded_undetermined", analysed, lambda p: p.ungraded and p.undetermined),
        count("n_ungraded_truncated", analysed, lambda p: p.ungraded and p.truncated),
        count(
            "n_ungraded_unavailable",
            analysed,
            lambda p: p.ungraded and not p.undetermined and not p.truncated,
        ),
    ]


def _context(analysed: Sequence[Pair]) -> list[Estimate]:
    """Susceptibility and the shares of pairs that show a violation (HP 12 and 16.3)."""
    observed = [pair for pair in analysed if pair.outcome != "U" and not pair.ungraded]
    eligible = [pair for pair in analysed if pair.eligible]
    moved = sum(1 for pair in analysed if pair.outcome == "H")
    flagged = sum(1 for pair in analysed if pair.violation)
    event, completed = "share of pairs whose event was observed", "share of analysed pairs"
    return [
        descriptive(quantity, hits, len(among), _probes(among), method)
        for quantity, hits, among, method in (
            ("susceptibility", moved, eligible, "share of eligible pairs"),
            ("exposure_1_pooled", flagged, observed, event),
            ("exposure_1_all_completed", flagged, analysed, completed),
            ("hint_change_all_completed", moved, analysed, completed),
        )
    ]


if __name__ == "__main__":
    print("error: no command line here; run python -m verification.diff", file=sys.stderr)
    sys.exit(2)
