"""Everything of Part I for one cell, as rows of the long results table."""

import math
from dataclasses import dataclass
from typing import Any

from avowed.pairs.cell import Cell, Mask, cells_of
from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.exposure import (
    complement,
    exposure,
    exposure_plug_in,
    longest_curve,
    violation_shares,
)
from avowed.pairs.notes import in_words, noted_omission
from avowed.pairs.omission import omission_strata, wilson_reference
from avowed.pairs.sensitivity import threshold_curve
from avowed.pairs.sentence import reporting_sentence


@dataclass(frozen=True, kw_only=True)
class CellEstimates:
    """The estimates of one cell, and what names the cell."""

    cell: str
    hint_type: str
    hint_channel: str
    estimates: tuple[Estimate, ...]

    def get(self, quantity: str, *, k: int | None = None) -> Estimate:
        """Return one estimate by name.

        Raises:
            KeyError: there is none of that name (and k).
        """
        for estimate in self.estimates:
            if estimate.quantity == quantity and estimate.k == k:
                return estimate
        raise KeyError(f"no estimate {quantity!r} (k = {k}) in cell {self.cell!r}")


@dataclass(frozen=True, kw_only=True)
class DeliveryEstimates:
    """Long rows of every cell of a delivery, and what names and words each cell."""

    rows: tuple[dict[str, Any], ...]
    cells: tuple[dict[str, str], ...]


def _count(quantity: str, cell: Cell, mask: Mask) -> Estimate:
    probes = len(set(cell.probe[mask].tolist()))
    return Estimate(
        quantity=quantity,
        value=float(mask.sum()),
        n=len(cell),
        clusters=probes,
        counted_as="count of pairs",
    )


def pair_counts(cell: Cell, settings: Settings) -> list[Estimate]:
    """Count pairs by outcome and verdict; outcomes over analysed pairs (L >= min_options).

    Source: HP sections 3 and 7.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    small = cell.n_options < settings.min_options
    ungraded = analysed.ungraded
    undetermined = ungraded & analysed.undetermined
    truncated = ungraded & analysed.truncated
    return [
        _count("n_pairs", cell, cell.n_options >= 0),
        _count("n_two_option", cell, small),
        _count("n_analysed", cell, ~small),
        _count("n_hint_change", analysed, analysed.hint_change),
        _count("n_other_change", analysed, analysed.other_change),
        _count("n_no_change", analysed, analysed.no_change),
        _count("n_baseline_on_hint", analysed, analysed.baseline_on_hint),
        _count("n_not_evaluable", analysed, analysed.not_evaluable),
        _count("n_evaluable", analysed, analysed.evaluable),
        _count("n_flagged", analysed, analysed.flagged),
        _count("n_ungraded", analysed, ungraded),
        _count("n_ungraded_undetermined", analysed, undetermined),
        _count("n_ungraded_truncated", analysed, truncated),
        _count("n_ungraded_unavailable", analysed, ungraded & ~undetermined & ~truncated),
    ]


def _share(quantity: str, cell: Cell, part: Mask, whole: Mask, note: str) -> Estimate:
    n, hits = int(whole.sum()), int((part & whole).sum())
    return Estimate(
        quantity=quantity,
        value=hits / n if n else math.nan,
        n=n,
        clusters=len(set(cell.probe[whole].tolist())),
        counted_as=note,
    )


def context_shares(cell: Cell, settings: Settings) -> list[Estimate]:
    """Susceptibility p = N_H / N_E and the share of pairs that show a violation, without interval.

    Susceptibility explains the size of the denominator; it is not a rate of this construct.
    ``exposure_1_pooled`` divides the flagged pairs by those with a verdict on the event (neither
    unextracted nor ungraded), ``exposure_1_all_completed`` by all analysed pairs.

    Source: HP sections 11, 12 and 16.3.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    everything = analysed.n_options >= 0
    observed = ~analysed.not_evaluable & ~analysed.ungraded
    return [
        _share(
            "susceptibility",
            analysed,
            analysed.hint_change,
            analysed.eligible,
            "share of eligible pairs",
        ),
        _share(
            "exposure_1_pooled",
            analysed,
            analysed.flagged,
            observed,
            "share of pairs whose event was observed",
        ),
        _share(
            "exposure_1_all_completed",
            analysed,
            analysed.flagged,
            everything,
            "share of analysed pairs",
        ),
        _share(
            "hint_change_all_completed",
            analysed,
            analysed.hint_change,
            everything,
            "share of analysed pairs",
        ),
    ]


def estimate_cell(cell: Cell, settings: Settings, *, name: str) -> CellEstimates:
    """Estimate everything of Part I for one cell.

    Source: HP sections 7 to 12.
    """
    attempts = range(1, longest_curve(cell) + 1)
    exposures = [exposure(cell, k, settings) for k in attempts]
    estimates: list[Estimate] = [
        *pair_counts(cell, settings),
        *context_shares(cell, settings),
        noted_omission(cell, settings),
        wilson_reference(cell, settings),
        *omission_strata(cell, settings),
        chance_corrected_omission(cell, settings),
        *threshold_curve(cell, settings),
        *exposures,
        *(complement(one, "reliability") for one in exposures),
        *(exposure_plug_in(cell, k, settings) for k in attempts),
        *violation_shares(cell, settings),
    ]
    return CellEstimates(
        cell=name,
        hint_type=cell.hint_type,
        hint_channel=cell.hint_channel,
        estimates=tuple(in_words(one) for one in estimates),
    )


def long_rows(results: CellEstimates, *, study: str) -> list[dict[str, Any]]:
    """Rows of the long table, one per estimate; what is undefined is None.

    >>> rows = long_rows(
    ...     CellEstimates(
    ...         cell="c",
    ...         hint_type="h",
    ...         hint_channel="user_message",
    ...         estimates=(Estimate(quantity="omission", value=0.5, n=4, clusters=2),),
    ...     ),
    ...     study="s",
    ... )
    >>> rows[0]["estimate"], rows[0]["lower"]
    (0.5, None)
    """
    rows = []
    for one in results.estimates:
        clustering = one.clustering
        rows.append(
            {
                "study": study,
                "cell": results.cell,
                "quantity": one.quantity,
                "k": one.k,
                "estimate": _number(one.value),
                "lower": _number(one.interval.lower),
                "upper": _number(one.interval.upper),
                "method": one.method or None,
                "status": one.status.value,
                "n": one.n,
                "clusters": one.clusters,
                "icc": None if clustering is None else _number(clustering.icc),
                "deff": None if clustering is None else _number(clustering.design_effect),
                "effective_n": None if clustering is None else _number(clustering.effective_n),
                "mc_error": None,
                "repetitions": None,
                "note": "; ".join(one.notes) or None,
            }
        )
    return rows


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def cells_of_delivery(delivery: Delivery) -> list[Cell]:
    """Return the cells of a validated delivery, one per declared hint type, ordered by name."""
    header = delivery.header
    return cells_of(
        delivery.records,
        hint_types=header.hint_types,
        hint_channel=header.hint_channel,
        planned_replicas=header.planned_replicas,
    )


def estimate_delivery(
    delivery: Delivery, settings: Settings, *, name: str, study: str
) -> DeliveryEstimates:
    """Estimate every cell of a delivery that has passed validation.

    A delivery with one hint type is one cell called ``name``; with several, its cells are called
    ``name/hint_type``, and they stand side by side and are never averaged (HP section 7). A
    declared hint type without records is a cell too: insufficient, with every count 0.

    Source: HP sections 7 to 12.
    """
    found = cells_of_delivery(delivery)
    rows: list[dict[str, Any]] = []
    cells: list[dict[str, str]] = []
    for cell in found:
        label = name if len(found) == 1 else f"{name}/{cell.hint_type}"
        results = estimate_cell(cell, settings, name=label)
        rows += long_rows(results, study=study)
        sentence = reporting_sentence(
            results.get("omission"),
            hint_type=cell.hint_type,
            hint_channel=cell.hint_channel,
            confidence=settings.confidence,
        )
        cells.append({"cell": label, "hint_type": cell.hint_type, "sentence": sentence})
    return DeliveryEstimates(rows=tuple(rows), cells=tuple(cells))
