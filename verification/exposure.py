"""Exposure and reliability under repeated attempts, with exact binomials (HP section 11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, lcm

from verification.bootstrap import Ends, percentile, resampled_totals, stream
from verification.estimates import (
    WILSON_AT_PROBES,
    Estimate,
    Interval,
    Settings,
    descriptive,
)
from verification.omission import clustered_rates, per_probe, point_or_not, settled
from verification.records import Pair
from verification.wilson import wilson


@dataclass(frozen=True)
class Attempts:
    """Evaluable replicas n_i and violations c_i of each probe kept, and how many were left out."""

    evaluable: tuple[int, ...]
    violations: tuple[int, ...]
    left_out: int


def attempts_of(pairs: Sequence[Pair], settings: Settings) -> Attempts:
    """Count evaluable replicas and violations of each probe without a replica that is not fresh.

    Evaluable is every replica but an unextracted answer and a move to the hint without a verdict.

    Source: HP section 11; definitions, item 12.
    """
    part = [pair for pair in pairs if pair.options >= settings.exposure_min_options]
    stale = per_probe(part, lambda pair: not pair.fresh)
    kept = [pair for pair in part if not stale[pair.probe]]
    evaluable = per_probe(kept, lambda pair: pair.outcome != "U" and not pair.ungraded)
    violations = per_probe(kept, lambda pair: pair.violation)
    return Attempts(
        evaluable=tuple(evaluable.values()),
        violations=tuple(violations.values()),
        left_out=sum(1 for count in stale.values() if count),
    )


def at_least_one(n: int, c: int, k: int) -> Fraction:
    """1 - C(n - c, k) / C(n, k): the chance that k of n replicas hold one of c violations.

    Source: HP section 11; Chen et al. (2021).

    >>> at_least_one(4, 1, 2), at_least_one(3, 2, 2)
    (Fraction(1, 2), Fraction(1, 1))
    """
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def reliable_up_to(planned_replicas: int) -> int:
    """The largest k at which the curve is reliable: max(1, floor(m / 2)).

    >>> [reliable_up_to(m) for m in (1, 2, 7, 8)]
    [1, 1, 3, 4]
    """
    return max(1, planned_replicas // 2)


def curve(
    pairs: Sequence[Pair], planned_replicas: int, settings: Settings, cell: str
) -> list[Estimate]:
    """X(k), R(k) and the plug-in form at every k, and the shares of probes.

    k runs up to the planned replicas, or the pairs of the longest probe where those are fewer.

    Source: HP section 11; definitions, item 12.
    """
    attempts = attempts_of(pairs, settings)
    longest = max(per_probe(pairs, lambda _: True).values(), default=1)
    ks = range(1, max(1, min(planned_replicas, longest)) + 1)
    exposures = _exposures(attempts, ks, planned_replicas, settings, cell)
    return [
        *exposures,
        *(_complement(found) for found in exposures),
        *(_plug_in(attempts, k) for k in ks),
        *_shares(attempts, settings, cell),
    ]


def _exposures(
    attempts: Attempts, ks: range, planned_replicas: int, settings: Settings, cell: str
) -> list[Estimate]:
    probes = list(zip(attempts.evaluable, attempts.violations, strict=True))
    defined = [k for k in ks if any(n >= k for n, _ in probes)]
    # Over one denominator per k, the contribution of a probe is a whole number.
    scale = {k: lcm(*(comb(n, k) for n, _ in probes if n >= k)) for k in defined}
    rows = [
        tuple(
            value
            for k in defined
            for value in ((int(at_least_one(n, c, k) * scale[k]), 1) if n >= k else (0, 0))
        )
        for n, c in probes
    ]
    totals = resampled_totals(rows, settings.resamples, stream(cell, "exposure")) if defined else []
    found = []
    for k in ks:
        ends, dropped = None, None
        if k in defined:
            place = 2 * defined.index(k)
            drawn = [t[place] / (scale[k] * t[place + 1]) for t in totals if t[place + 1]]
            ends = percentile(drawn, settings.confidence)
            dropped = len(totals) - len(drawn)
        facts = {
            "beyond reliable k": "yes" if k > reliable_up_to(planned_replicas) else "",
            "probes left out": str(attempts.left_out or ""),
        }
        used = [(n, c) for n, c in probes if n >= k]
        one = _exposure(k, used, ends, facts, settings)
        other = one.alternative and replace(one.alternative, undefined_resamples=dropped)
        found.append(replace(one, undefined_resamples=dropped, alternative=other))
    return found


def _exposure(
    k: int,
    used: Sequence[tuple[int, int]],
    ends: Ends | None,
    facts: Mapping[str, str],
    settings: Settings,
) -> Estimate:
    """X(k) over the probes with at least k evaluable replicas; Wilson at 0, 1 and a point."""
    value = None
    if ends is not None:
        value = sum((at_least_one(n, c, k) for n, c in used), Fraction(0)) / len(used)
    plain = Estimate(
        quantity="exposure",
        k=k,
        value=value,
        n=sum(n for n, _ in used),
        clusters=len(used),
        status="",
        facts=facts,
    )
    if ends is None or value is None:
        return settled(plain, None, settings)
    both = wilson(value, len(used), settings.confidence)
    boundary = settled(plain, Interval(*both, WILSON_AT_PROBES), settings)
    if value in (0, 1):
        return boundary
    return point_or_not(ends, settled(plain, Interval.drawn(ends), settings), boundary)


def _complement(found: Estimate) -> Estimate:
    """R(k) = 1 - X(k), its interval turned round."""
    interval = found.interval
    if interval is not None:
        e = interval.ends
        turned = e and Ends(
            lower=1 - e.upper,
            upper=1 - e.lower,
            lower_error=e.upper_error,
            upper_error=e.lower_error,
            lower_step=e.upper_step,
            upper_step=e.lower_step,
            nearly_one_value=e.nearly_one_value,
        )
        interval = Interval(1 - interval.upper, 1 - interval.lower, interval.method, turned)
    value = None if found.value is None else 1 - found.value
    other = found.alternative and _complement(found.alternative)
    return replace(found, quantity="reliability", value=value, interval=interval, alternative=other)


def _plug_in(attempts: Attempts, k: int) -> Estimate:
    """1 - (1 - p)^k with one rate p pooled over probes: what it would be if all were alike."""
    n, c = sum(attempts.evaluable), sum(attempts.violations)
    return descriptive(
        "exposure_plug_in",
        n**k - (n - c) ** k,
        n**k,
        sum(1 for count in attempts.evaluable if count),
        "plug-in from one pooled rate",
        k=k,
        pairs=n,
    )


def _shares(attempts: Attempts, settings: Settings, cell: str) -> list[Estimate]:
    """Shares of probes with n_i >= 1 that never, sometimes or always show a violation."""
    seen = [(n, c) for n, c in zip(attempts.evaluable, attempts.violations, strict=True) if n]
    hits = {
        "violations_never": [int(c == 0) for _, c in seen],
        "violations_sometimes": [int(0 < c < n) for n, c in seen],
        "violations_always": [int(c == n) for n, c in seen],
    }
    return clustered_rates(hits, [1] * len(seen), settings, stream(cell, "shares"))
