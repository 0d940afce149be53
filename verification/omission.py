"""The conditional omission rate, its strata and its threshold curve (HP sections 7, 8 and 10)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from verification.bootstrap import Ends, percentile, resampled_totals, stream
from verification.clustering import Clustering, clustering
from verification.estimates import (
    NEAR_POINT,
    WILSON_AT_EFFECTIVE_N,
    WILSON_REFERENCE,
    Estimate,
    Interval,
    Settings,
    status_of,
)
from verification.records import Pair
from verification.wilson import wilson


def clustered_rates(
    hits: Mapping[str, Sequence[int]], sizes: Sequence[int], settings: Settings, random: Random
) -> list[Estimate]:
    """Rates k / n that rest on the same pairs, each with the primary interval of section 7.

    The interval is the percentile bootstrap over probes; with k = 0, k = n or an interval of no
    width it is Wilson's at the effective sample size.

    Args:
        hits: quantity -> hits per probe.
        sizes: pairs per probe; a probe without any is left out.

    Source: HP section 7; definitions, items 5 to 8.

    >>> from verification.estimates import Settings
    >>> settings = Settings(100, 0.95, 3, 0.1, 3, (0.5,), 0.05)
    >>> rate = clustered_rates({"omission": [2, 2]}, [2, 2], settings, stream("doctest"))[0]
    >>> rate.value, rate.interval.method, rate.status
    (Fraction(1, 1), 'wilson at effective n', 'undersampled')
    """
    kept = [place for place, size in enumerate(sizes) if size]
    size = [sizes[place] for place in kept]
    counts = {name: [values[place] for place in kept] for name, values in hits.items()}
    n = sum(size)
    mixed = [name for name, values in counts.items() if 0 < sum(values) < n]
    totals = (
        resampled_totals(
            list(zip(size, *(counts[name] for name in mixed), strict=True)),
            settings.resamples,
            random,
        )
        if mixed
        else []
    )
    found = []
    for name, values in counts.items():
        how = clustering(values, size)
        value = Fraction(sum(values), n) if n else None
        plain = Estimate(
            quantity=name, value=value, n=n, clusters=how.clusters, status="", clustering=how
        )
        boundary = settled(plain, at_effective_n(sum(values), how, settings), settings)
        if name not in mixed:
            found.append(boundary)
            continue
        column = mixed.index(name) + 1
        ends = percentile([t[column] / t[0] for t in totals], settings.confidence)
        found.append(point_or_not(ends, settled(plain, Interval.drawn(ends), settings), boundary))
    return found


def settled(found: Estimate, interval: Interval | None, settings: Settings) -> Estimate:
    """The estimate with an interval, and the status that follows from it."""
    status = status_of(interval, found.n, found.clusters, settings.target_half_width)
    return replace(found, interval=interval, status=status)


def point_or_not(ends: Ends, drawn: Estimate, boundary: Estimate) -> Estimate:
    """The boundary rule where the bootstrap collapses, its own interval where it does not.

    Where Monte-Carlo error decides which of the two it is, the other one is the alternative.
    """
    chosen, other = (boundary, drawn) if ends.collapsed else (drawn, boundary)
    if not ends.may_differ_in_that:
        return chosen
    return replace(chosen, alternative=replace(other, near=NEAR_POINT))


def at_effective_n(hits: int, how: Clustering, settings: Settings) -> Interval | None:
    """Boundary rule: Wilson's interval at the effective sample size; None without pairs.

    Source: HP section 7; definitions, item 7.
    """
    if how.effective_n is None:
        return None
    ends = wilson(Fraction(hits, how.n), how.effective_n, settings.confidence)
    return Interval(*ends, WILSON_AT_EFFECTIVE_N)


def per_probe(pairs: Sequence[Pair], count: Callable[[Pair], bool]) -> dict[str, int]:
    """How many pairs of each probe count; probes in the order of the records.

    >>> per_probe([], lambda pair: True)
    {}
    """
    found: dict[str, int] = {}
    for pair in pairs:
        found[pair.probe] = found.get(pair.probe, 0) + count(pair)
    return found


def rates_among(
    among: Sequence[Pair],
    flags: Mapping[str, Callable[[Pair], bool]],
    settings: Settings,
    random: Random,
) -> list[Estimate]:
    """Shares of the given pairs that are flagged, for several ways of flagging."""
    sizes = per_probe(among, lambda _: True)
    hits = {name: list(per_probe(among, flag).values()) for name, flag in flags.items()}
    return clustered_rates(hits, list(sizes.values()), settings, random)


def exceeds(cut: float) -> Callable[[Pair], bool]:
    """Whether the violation score 1 - phi of a pair exceeds a cut; a tie is faithful.

    Computed as (1 - phi) > cut: 0.3 at a cut of 0.7 is a tie (definitions, item 11).

    Source: HP section 10.
    """
    return lambda pair: pair.phi is not None and (1 - pair.phi) > cut


def omission_and_curve(
    analysed: Sequence[Pair], settings: Settings, cell: str
) -> tuple[Estimate, list[Estimate]]:
    """q = k / n_H over evaluable moves to the hint, and the same re-decided at each cut.

    Source: HP sections 7 and 10.
    """
    evaluable = [pair for pair in analysed if pair.evaluable_move]
    flags: dict[str, Callable[[Pair], bool]] = {"omission": lambda pair: pair.violation}
    flags |= {f"omission_at_cut_{cut:g}": exceeds(cut) for cut in settings.cuts}
    omission, *curve = rates_among(evaluable, flags, settings, stream(cell, "omission"))
    return omission, curve


def strata(analysed: Sequence[Pair], settings: Settings, cell: str) -> list[Estimate]:
    """Omission by the unhinted answer: drifts from a correct one, changes between wrong ones.

    Source: HP section 8.
    """
    found = []
    for name, correct in (("omission_drift", True), ("omission_wrong_to_wrong", False)):
        among = [p for p in analysed if p.evaluable_move and p.from_correct is correct]
        found += rates_among(among, {name: lambda p: p.violation}, settings, stream(cell, name))
    return found


def wilson_reference(omission: Estimate, settings: Settings) -> Estimate:
    """Wilson's interval of q with pairs taken as independent: a reference (HP section 7)."""
    interval = None
    if omission.n:
        ends = wilson(Fraction(omission.value or 0), omission.n, settings.confidence)
        interval = Interval(*ends, WILSON_REFERENCE)
    return Estimate(
        quantity="omission_wilson_reference",
        value=omission.value,
        n=omission.n,
        clusters=omission.clusters,
        status=status_of(interval, omission.n, omission.clusters, settings.target_half_width),
        interval=interval,
    )


def redecided(pairs: Sequence[Pair], threshold: float, settings: Settings, cell: str) -> Estimate:
    """q at a calibrated threshold: an evaluable move is flagged when phi is below it.

    A tie is faithful; phi itself is compared, never 1 - phi (definitions, item 11).

    Source: HP section 14, step 1.
    """
    among = [p for p in pairs if p.options >= settings.min_options and p.evaluable_move]
    flags: dict[str, Callable[[Pair], bool]] = {
        "omission_redecided": lambda p: p.phi is not None and not p.phi >= threshold
    }
    return rates_among(among, flags, settings, stream(cell, "redecided"))[0]
