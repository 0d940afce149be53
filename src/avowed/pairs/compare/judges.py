"""Two judges of the same pairs: how much the rate depends on the judge, and their agreement."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.pairs.compare.differences import difference_notes
from avowed.pairs.compare.same_pairs import SamePairs, same_pairs
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import BOUNDARY_METHOD, PRIMARY_METHOD, boundary_interval, clustered_rate
from avowed.pairs.record import Label, Outcome
from avowed.refusal import Refused
from avowed.stats.agreement import (
    SATURATED,
    bias_index,
    cohens_kappa,
    expected_agreement,
    gwet_ac1,
    gwet_expected,
    prevalence_index,
)
from avowed.stats.bootstrap import Profiles, profiles_of, resample_totals
from avowed.stats.clustering import describe
from avowed.stats.difference import ClusteredDifference, clustered_difference
from avowed.stats.intervals import UNDEFINED, Interval, percentile
from avowed.stats.seeds import Study
from avowed.stats.status import Status, status_of

#: What a judge may have said, in the order of the table.
NO_ANSWER = "no_answer"
SAID = (Label.UNFAITHFUL.value, Label.FAITHFUL.value, Label.UNDETERMINED.value, NO_ANSWER)

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class JudgesCompared:
    """Two judges in one cell.

    Attributes:
        hint_type: the cell.
        counts: pairs by what the first and the second judge said, of `SAID`.
        estimates: rates, difference and measures of agreement over pairs that both judged, and
            each judge's rate over all that it judged (``own_rate_first``, ``own_rate_second``).
        difference: the difference of the rates, with its p-value; what ``bias_index`` estimates.
        left_out: what the pairs that one judge alone judged are, None where there is none.
        warnings: what keeps kappa from saying much.
    """

    hint_type: str
    counts: Mapping[tuple[str, str], int]
    estimates: tuple[Estimate, ...]
    difference: ClusteredDifference
    left_out: str | None
    warnings: tuple[str, ...]

    def get(self, quantity: str) -> Estimate:
        """Return one estimate by name."""
        return next(each for each in self.estimates if each.quantity == quantity)


@dataclass(frozen=True, kw_only=True)
class JudgeComparison:
    """Every cell, how the pairs matched, and what has to be known."""

    cells: tuple[JudgesCompared, ...]
    pairs: SamePairs
    notes: tuple[str, ...]


def compare_judges(
    first: Delivery, second: Delivery, settings: Settings, *, names: tuple[str, str]
) -> JudgeComparison:
    """Compare two judges on the pairs that both deliveries hold, cell by cell.

    Analysed are hint-induced changes with ``settings.min_options`` options or more. Rates and
    agreement are over those that both judges called faithful or unfaithful; the table has the
    others too, each judge's rate over all that it judged stands beside, and a warning says how many
    one judge alone judged. A pair whose identity is in both deliveries and whose answers are not
    the same is refused: counted, named and left out.

    Raises:
        Refused: no pair is in both, or in most of those the answers do not agree.

    Source: HP section 7; :mod:`avowed.stats.agreement`.
    """
    pairs = same_pairs(first, second)
    if len(pairs.others) > pairs.records.num_rows:
        # What is left would be chosen by agreement, and stand for no conversations in particular.
        whole = len(pairs.others) + pairs.records.num_rows
        raise Refused(
            f"{len(pairs.others)} of {whole} pairs that are in {names[0]} and {names[1]} by their "
            "identity do not agree in their answers, so these are not the same conversations; the "
            f"first: {pairs.others[0].told}; leave out --judges to compare two assistants"
        )
    kinds = sorted(set(pairs.records.column("hint_type").to_pylist()))
    cells = tuple(_cell(kind, pairs.records, settings) for kind in kinds)
    return JudgeComparison(cells=cells, pairs=pairs, notes=_notes(first, second, pairs, names))


def _notes(
    first: Delivery, second: Delivery, pairs: SamePairs, names: tuple[str, str]
) -> tuple[str, ...]:
    notes = []
    if first.header.judge is not None and first.header.judge == second.header.judge:
        notes.append("both deliveries declare the same judge: this is one judge asked twice")
    if first.header.label_threshold != second.header.label_threshold:
        notes.append(
            f"label_threshold is {first.header.label_threshold} in {names[0]} and "
            f"{second.header.label_threshold} in {names[1]}"
        )
    for name, count in zip(names, (pairs.only_first, pairs.only_second), strict=True):
        if count:
            notes.append(f"{count} records are in {name} only, and are left out")
    if pairs.others:
        notes.append(
            f"{len(pairs.others)} pairs are refused: their identity is in both deliveries, and "
            "their answers do not agree, so they are not the same pairs"
        )
    return tuple(notes)


def _said(records: pa.Table, name: str) -> NDArray[np.int64]:
    labels = pc.fill_null(records.column(name), NO_ANSWER)
    found = pc.index_in(labels, value_set=pa.array(SAID))
    return np.asarray(found.to_numpy(), dtype=np.int64)


def _cell(kind: str, records: pa.Table, settings: Settings) -> JudgesCompared:
    moved = pc.and_(
        pc.and_(
            pc.equal(records.column("hint_type"), kind),
            pc.equal(records.column("outcome"), Outcome.HINT_INDUCED_CHANGE.value),
        ),
        pc.greater_equal(records.column("n_options"), settings.min_options),
    )
    analysed = records.filter(moved)
    one, two = _said(analysed, "judge_label"), _said(analysed, "judge_label_of_second")
    encoded = analysed.column("probe_id").combine_chunks().dictionary_encode()
    probe = np.asarray(encoded.indices.to_numpy(), dtype=np.int64)
    graded = (one < 2) & (two < 2)
    # Both unfaithful, only the first, only the second, neither.
    place = 2 * one[graded] + two[graded]
    columns = [
        np.bincount(probe[graded][place == which], minlength=len(encoded.dictionary))
        for which in range(4)
    ]
    table = np.stack(columns, axis=1).astype(np.int64)
    table = table[table.sum(axis=1) > 0]
    difference, estimates = _estimates(kind, table, settings)
    own = [
        _own_rate(kind, f"own_rate_{place}", said, probe, settings)
        for place, said in (("first", one), ("second", two))
    ]
    return JudgesCompared(
        hint_type=kind,
        counts={
            (said_one, said_two): int(((one == at_one) & (two == at_two)).sum())
            for at_one, said_one in enumerate(SAID)
            for at_two, said_two in enumerate(SAID)
        },
        estimates=(*estimates, *own),
        difference=difference,
        left_out=_left_out(analysed.num_rows, int(graded.sum()), own),
        warnings=_warnings(table.sum(axis=0)),
    )


def _own_rate(
    kind: str, name: str, said: NDArray[np.int64], probe: NDArray[np.int64], settings: Settings
) -> Estimate:
    """The flagged omission of one judge over all pairs that it called faithful or unfaithful."""
    sizes = np.bincount(probe[said < 2])
    hits = np.bincount(probe[said == 0], minlength=sizes.size)
    there = sizes > 0
    stream = settings.stream(Study.JUDGE_AGREEMENT, f"{kind}/{name}")
    return clustered_rate(name, hits[there], sizes[there], stream, settings)


def _left_out(moved: int, both: int, own: Sequence[Estimate]) -> str | None:
    """Say how many pairs one judge alone judged, and what each says of all that it judged."""
    first, second = (rate.n - both for rate in own)
    if not first + second:
        return None
    said = [
        f"the {place} judge flags {100 * rate.value:.1f} % of {rate.n:,}"
        if rate.n
        else f"the {place} judge judged none"
        for place, rate in zip(("first", "second"), own, strict=True)
    ]
    return (
        f"{first + second:,} of {moved:,} hint-induced changes were judged by one judge only "
        f"({first:,} by the first, {second:,} by the second), and the comparison leaves them out; "
        f"over all that it judged, {said[0]}, {said[1]}"
    )


def _warnings(totals: NDArray[np.int64]) -> tuple[str, ...]:
    index = float(prevalence_index(totals))
    both, only_first, only_second, neither = totals.tolist()
    on = f"{int(totals.sum()):,} pairs that both judged"
    warnings = []
    if abs(index) > SATURATED:
        rarer = "faithful" if index > 0 else "unfaithful"
        warnings.append(
            f"prevalence is saturated (prevalence index {index:.2f}): hardly any of the {on} is "
            f"called {rarer}, so kappa can be low although the judges nearly always agree, and "
            "says little; read the observed agreement, AC1 and the counts"
        )
    for judge, unfaithful, faithful in (
        ("first", both + only_first, only_second + neither),
        ("second", both + only_second, only_first + neither),
    ):
        if (unfaithful == 0) != (faithful == 0):
            warnings.append(
                f"the {judge} judge said the same of all {on}, so kappa is 0 or undefined whatever "
                "the agreement"
            )
    return tuple(warnings)


def _estimates(
    kind: str, table: NDArray[np.int64], settings: Settings
) -> tuple[ClusteredDifference, tuple[Estimate, ...]]:
    """Rates, difference and agreement from per-probe tables, shape (probes, 4)."""
    both, only_first, only_second, neither = (table[:, place] for place in range(4))
    sizes = table.sum(axis=1)

    def stream(what: str) -> np.random.Generator:
        return settings.stream(Study.JUDGE_AGREEMENT, f"{kind}/{what}")

    difference = clustered_difference(
        (both + only_first, sizes),
        (both + only_second, sizes),
        stream("difference"),
        paired=True,
        resamples=settings.resamples,
        confidence=settings.confidence,
        max_undefined_share=settings.max_undefined_share,
    )
    n, clusters = int(sizes.sum()), int(sizes.size)
    rates = [
        clustered_rate(name, hits, sizes, stream(name), settings)
        for name, hits in (
            ("rate_first", both + only_first),
            ("rate_second", both + only_second),
            ("observed_agreement", both + neither),
        )
    ]
    gap = Estimate(
        quantity="rate_difference",
        value=difference.value,
        n=n,
        clusters=clusters,
        status=_status(difference.interval, n, clusters, settings),
        interval=difference.interval,
        notes=tuple(difference_notes(difference)),
    )
    profiles = profiles_of(both, only_first, only_second, neither)
    measures = [
        _measure(
            name,
            measure,
            profiles,
            expected=agreeing,
            agreement=rates[2],
            rng=stream(name),
            settings=settings,
        )
        for name, measure, agreeing in (
            ("cohens_kappa", cohens_kappa, expected_agreement),
            ("gwet_ac1", gwet_ac1, gwet_expected),
            ("prevalence_index", prevalence_index, None),
        )
    ]
    bias = replace(gap, quantity="bias_index", value=_bias(table))
    return difference, (rates[0], rates[1], gap, rates[2], *measures, bias)


def _bias(table: NDArray[np.int64]) -> float:
    return float(bias_index(table.sum(axis=0)))


def _status(interval: Interval, n: int, clusters: int, settings: Settings) -> Status:
    return status_of(interval, n=n, clusters=clusters, target_half_width=settings.target_half_width)


def _measure(
    name: str,
    measure: Callable[[Floats], Floats],
    profiles: Profiles,
    *,
    expected: Callable[[Floats], Floats] | None,
    agreement: Estimate,
    rng: np.random.Generator,
    settings: Settings,
) -> Estimate:
    """A measure with its percentile cluster bootstrap, and what stands in where that collapses.

    kappa and AC1 then take Wilson's interval of the observed agreement at the effective sample
    size, through their agreement by chance held fixed; the prevalence index takes that of the mean
    share.
    """
    totals = profiles.totals.astype(np.float64)
    n, clusters = agreement.n, agreement.clusters
    value = float(measure(totals))
    interval, notes = UNDEFINED, []
    if n and math.isnan(value):
        notes.append(
            f"agreement by chance is 1: both judges said the same of all {n:,} pairs that both "
            "judged"
        )
    elif n:
        drawn = measure(resample_totals(profiles, rng, resamples=settings.resamples))
        kept = drawn[~np.isnan(drawn)]
        dropped = drawn.size - kept.size
        if dropped:
            notes.append(f"{dropped} of {drawn.size} resamples undefined")
        if kept.size and dropped <= settings.max_undefined_share * drawn.size:
            ends = percentile(kept, confidence=settings.confidence)
            interval = Interval(ends.lower, ends.upper, PRIMARY_METHOD)
            if interval.collapsed:
                interval = _stand_in(profiles, expected, agreement, settings)
    return Estimate(
        quantity=name,
        value=value,
        n=n,
        clusters=clusters,
        status=Status.UNDEFINED
        if n and math.isnan(value)
        else _status(interval, n, clusters, settings),
        interval=interval,
        notes=tuple(notes),
    )


def _stand_in(
    profiles: Profiles,
    expected: Callable[[Floats], Floats] | None,
    agreement: Estimate,
    settings: Settings,
) -> Interval:
    if expected is not None and agreement.clustering is not None:
        chance = float(expected(profiles.totals.astype(np.float64)))
        plain = boundary_interval(
            agreement.value, agreement.clustering, confidence=settings.confidence
        )
        lower, upper = ((end - chance) / (1 - chance) for end in (plain.lower, plain.upper))
        return Interval(lower, upper, f"{BOUNDARY_METHOD}, through the fixed agreement by chance")
    a, b, c, d = (profiles.values[:, place] for place in range(4))
    calls = describe(2 * a + b + c, 2 * (a + b + c + d), multiplicity=profiles.multiplicity)
    share = (float(prevalence_index(profiles.totals.astype(np.float64))) + 1) / 2
    plain = boundary_interval(share, calls, confidence=settings.confidence)
    return Interval(
        2 * plain.lower - 1, 2 * plain.upper - 1, f"{BOUNDARY_METHOD}, of the mean share"
    )
