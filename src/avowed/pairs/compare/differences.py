"""Differences of rates between deliveries, cell by cell, for two deliveries or many."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.compare.probes import (
    CARRIED_BY,
    QUANTITIES,
    CellProbes,
    Matched,
    cell_probes,
    match,
    refuse_other_options,
)
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import FEW_PROBES, conditional_omission
from avowed.refusal import Refused
from avowed.stats.difference import ClusteredDifference, clustered_difference
from avowed.stats.multiplicity import holm
from avowed.stats.seeds import Study
from avowed.stats.status import Status, status_of

Pairing = Literal["auto", "paired", "unpaired"]

#: Below this share of shared probes a paired comparison is mostly one of different questions.
FEW_SHARED = 0.5

#: Keys of a header that say how the pairs were made and judged.
_DECLARED = (
    *("judge", "label_source", "label_threshold", "construct", "language", "format"),
    *("hint_channel", "planned_replicas"),
)

#: Most resamples of one comparison, however many are read together.
MOST_RESAMPLES = 100_000


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One difference, first minus second, in one cell.

    Attributes:
        hint_type, quantity: the cell, and one of `QUANTITIES`.
        first, second: names of the deliveries.
        paired: whether the probes' counts were resampled together.
        shared, either: analysed probes in both deliveries, and in one or both.
        found: the difference with its interval and p-value.
        rates: the two rates.
        status: insufficient if either side is; by the half-width of the difference otherwise.
        p_adjusted: Holm-adjusted over the ``tests`` comparisons of the cell and quantity, NaN if
            not tested.
        p_adjusted_is_bound: whether it rests on a p-value that is only a bound, its own or that of
            another comparison.
        notes: what has to be known of it.
    """

    hint_type: str
    quantity: str
    first: str
    second: str
    paired: bool
    shared: int
    either: int
    found: ClusteredDifference
    rates: tuple[float, float]
    status: Status
    p_adjusted: float = math.nan
    p_adjusted_is_bound: bool = False
    tests: int = 0
    notes: tuple[str, ...] = ()

    @property
    def leaves_out_0(self) -> bool:
        """Whether its own interval, which knows of no other comparison, leaves out 0."""
        return self.found.interval.lower > 0 or self.found.interval.upper < 0

    def differs(self, confidence: float) -> bool:
        """Whether the adjusted p-value is at or below 1 - confidence."""
        # 1 - 0.95 is 0.05 and a last digit.
        return self.p_adjusted <= 1 - confidence + 1e-12


@dataclass(frozen=True, kw_only=True)
class CellRates:
    """The rates of one delivery in one cell, as `avowed estimate` has them."""

    hint_type: str
    name: str
    omission: Estimate
    susceptibility: tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Every cell that two deliveries or more have in common, and what is left out."""

    differences: tuple[Compared, ...]
    rates: tuple[CellRates, ...]
    notes: tuple[str, ...]


def resamples_for(tests: int, settings: Settings) -> int:
    """Resamples of each of ``tests`` comparisons that are adjusted together.

    Holm's strictest level is alpha / tests; so many resamples that ten of them are expected beyond
    it on one side, at least the configured number and at most 100,000.

    >>> resamples_for(1, Settings()), resamples_for(45, Settings())
    (2000, 18000)
    """
    alpha = 1 - settings.confidence
    return min(max(settings.resamples, math.ceil(20 * tests / alpha - 1e-6)), MOST_RESAMPLES)


def compare_deliveries(
    deliveries: Mapping[str, Delivery], settings: Settings, *, pairing: Pairing = "auto"
) -> Comparison:
    """Compare validated deliveries cell by cell, every pair of them.

    With ``auto`` a pair is paired in a cell where they share a probe id. p-values are adjusted by
    Holm's method over the pairs of a cell, separately for each quantity; cells stand side by side
    and are not adjusted for each other. Intervals are at the stated level each, not all together.

    Raises:
        Refused: no hint type is in two deliveries; probes with the same id have other numbers of
            options; or ``paired`` is asked for and no probe is shared.

    Source: HP section 7 for the rates; :mod:`avowed.stats.difference`; Holm (1979).
    """
    declared = {name: set(each.header.hint_types) for name, each in deliveries.items()}
    kinds = sorted(set().union(*declared.values()))
    by_kind = {kind: [name for name, has in declared.items() if kind in has] for kind in kinds}
    common = {kind: names for kind, names in by_kind.items() if len(names) > 1}
    if not common:
        raise Refused(
            "no hint type is in two of the deliveries: "
            + "; ".join(f"{name} has {', '.join(sorted(has))}" for name, has in declared.items())
        )
    notes = list(_declared_otherwise(deliveries))
    differences: list[Compared] = []
    rates: list[CellRates] = []
    for kind, names in by_kind.items():
        if kind not in common:
            notes.append(f"{kind} is in {names[0]} only, and is not compared")
            continue
        sides = {name: cell_probes(deliveries[name], kind, settings) for name in names}
        rates += [_rates_of(name, side, settings) for name, side in sides.items()]
        matches = _matches(kind, sides, pairing=pairing)
        differences += _cell(kind, sides, matches, settings)
        notes += [
            f"{kind}: {each.renumbered} of {each.shared} probes shared by {first} and {second} "
            "have another correct_answer or hint_answer: options in another order, or not the same "
            "question"
            for (first, second), (each, _) in matches.items()
            if each.renumbered
        ]
    return Comparison(differences=tuple(differences), rates=tuple(rates), notes=tuple(notes))


def _rates_of(name: str, side: CellProbes, settings: Settings) -> CellRates:
    moved, eligible = side.counts["susceptibility"]
    return CellRates(
        hint_type=side.cell.hint_type,
        name=name,
        omission=conditional_omission(side.cell, settings),
        susceptibility=(int(moved.sum()), int(eligible.sum()), int((eligible > 0).sum())),
    )


def _matches(
    kind: str, sides: Mapping[str, CellProbes], *, pairing: Pairing
) -> dict[tuple[str, str], tuple[Matched, bool]]:
    """Every pair of deliveries in one cell: how their probes match, and whether they are paired."""
    matches = {}
    for first, second in combinations(sides, 2):
        matched = match(sides[first], sides[second])
        paired = pairing == "paired" or (pairing == "auto" and matched.shared > 0)
        if pairing == "paired" and not matched.shared:
            raise Refused(
                f"{kind}: no probe_id is shared by {first} and {second}, so there is nothing to "
                "pair; say --pairing unpaired"
            )
        if paired:
            refuse_other_options(matched, kind, first, second)
        matches[first, second] = matched, paired
    return matches


def _cell(
    kind: str,
    sides: Mapping[str, CellProbes],
    matches: Mapping[tuple[str, str], tuple[Matched, bool]],
    settings: Settings,
) -> list[Compared]:
    """Every pair in one cell, the quantities one after the other, adjusted within each."""
    compared: list[Compared] = []
    for quantity in QUANTITIES:
        rows = [
            _difference(kind, quantity, pair, sides, how=how, settings=settings, tests=len(matches))
            for pair, how in matches.items()
        ]
        adjusted = holm([row.found.p_value for row in rows]).tolist()
        # The least that they can be: what is a bound may be anything from 0 on.
        least = holm([_least(row.found) for row in rows]).tolist()
        tests = sum(not math.isnan(p) for p in adjusted)
        compared += [
            replace(row, p_adjusted=p, p_adjusted_is_bound=low < p, tests=tests)
            for row, p, low in zip(rows, adjusted, least, strict=True)
        ]
    return compared


def _least(found: ClusteredDifference) -> float:
    return 0.0 if found.p_is_bound else found.p_value


def _difference(
    kind: str,
    quantity: str,
    pair: tuple[str, str],
    sides: Mapping[str, CellProbes],
    *,
    how: tuple[Matched, bool],
    settings: Settings,
    tests: int,
) -> Compared:
    matched, paired = how
    k1, n1 = (matched.spread(c, first=True) for c in sides[pair[0]].counts[quantity])
    k2, n2 = (matched.spread(c, first=False) for c in sides[pair[1]].counts[quantity])
    found = clustered_difference(
        (k1, n1),
        (k2, n2),
        settings.stream(Study.COMPARISON, f"{kind}/{quantity}"),
        paired=paired,
        resamples=resamples_for(tests, settings),
        confidence=settings.confidence,
        max_undefined_share=settings.max_undefined_share,
    )
    status = status_of(
        found.interval,
        n=min(found.first.n, found.second.n),
        clusters=min(found.first.clusters, found.second.clusters),
        target_half_width=settings.target_half_width,
    )
    if status is Status.INSUFFICIENT:
        found = replace(found, p_value=math.nan, p_is_bound=False)
    return Compared(
        hint_type=kind,
        quantity=quantity,
        first=pair[0],
        second=pair[1],
        paired=paired,
        shared=matched.shared,
        either=matched.either,
        found=found,
        rates=(_share(int(k1.sum()), found.first.n), _share(int(k2.sum()), found.second.n)),
        status=status,
        notes=_notes_on(found, matched, quantity, carried=(n1 > 0, n2 > 0), paired=paired),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def difference_notes(found: ClusteredDifference) -> list[str]:
    """What has to be known of a difference's interval."""
    notes = []
    if found.interval.method.startswith("newcombe"):
        notes.append(
            "a rate at 0 or 1, or resamples that do not vary: the interval takes the two sides for "
            "independent"
        )
    if found.dropped:
        notes.append(f"{found.dropped} of {found.resamples} resamples undefined")
    fewest = min(found.first.clusters, found.second.clusters)
    if 0 < fewest < FEW_PROBES:
        notes.append(f"few probes ({fewest} on one side): the interval is only approximate")
    return notes


def _notes_on(
    found: ClusteredDifference,
    matched: Matched,
    quantity: str,
    *,
    carried: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    paired: bool,
) -> tuple[str, ...]:
    """Notes of one difference; ``carried`` are the probes that each rate rests on, over the union.

    Two assistants that are asked the same questions may move on different ones.
    """
    notes = difference_notes(found)
    both, either = int((carried[0] & carried[1]).sum()), int((carried[0] | carried[1]).sum())
    if paired and both < FEW_SHARED * either:
        notes.append(
            f"only {both} of {either} probes with {CARRIED_BY[quantity]} are shared: the rates "
            "rest mostly on different questions"
        )
    if not paired and matched.shared:
        notes.append(f"{matched.shared} shared probe ids were not paired")
    return tuple(notes)


def _declared_otherwise(deliveries: Mapping[str, Delivery]) -> list[str]:
    """Header keys that differ, so that a difference is not one of assistants alone."""
    return [
        f"{key} is not declared alike in all deliveries: a difference may be one of it as well"
        for key in _DECLARED
        if len({getattr(each.header, key) for each in deliveries.values()}) > 1
    ]
