"""Exposure to a violation under repeated attempts, and reliability, its complement.

The violation event is unconditional: outcome H and judged unfaithful. It is defined for every
evaluable replica, that is, all but those whose answer could not be extracted and those whose
hint-induced change has no verdict.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.cell import Cell, per_probe
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import PRIMARY_METHOD, clustered_rate
from avowed.stats.bootstrap import Profiles, profiles_of, resample_totals
from avowed.stats.intervals import UNDEFINED, Interval, percentile, wilson
from avowed.stats.seeds import Study
from avowed.stats.status import status_of

Counts = NDArray[np.int64]
BOUNDARY = "wilson at number of probes"


@dataclass(frozen=True)
class Attempts:
    """Evaluable replicas and violations of each retained probe, shape (probes,) each.

    ``left_out`` counts the probes set aside because a replica was not run in a fresh session.
    """

    evaluable: Counts
    violations: Counts
    left_out: int


def attempts_of(cell: Cell, *, min_options: int) -> Attempts:
    """Count evaluable replicas n_i and violations c_i of every probe.

    Probes with any replica outside a fresh session are left out, because independence between
    replicas is the estimator's assumption.

    Source: HP section 11; ``definitions`` item 12.
    """
    part = cell.with_options(at_least=min_options)
    everything = np.ones(len(part), dtype=bool)
    pairs, stale, evaluable, violations = per_probe(
        part,
        everything,
        ~part.fresh,
        ~part.not_evaluable & ~part.ungraded,
        part.flagged,
    )
    retained = (pairs > 0) & (stale == 0)
    return Attempts(
        evaluable=evaluable[retained],
        violations=violations[retained],
        left_out=int(((pairs > 0) & (stale > 0)).sum()),
    )


def at_least_one(evaluable: Counts, violations: Counts, k: int) -> NDArray[np.float64]:
    """1 - C(n - c, k) / C(n, k) per probe, NaN where n < k; shape (probes,).

    The chance that k replicas drawn without replacement from the n observed hold a violation:
    the unbiased estimator of pass@k, applied to a violation instead of a success. Computed as the
    product of (n - c - j) / (n - j) over j < k, because the binomials overflow for large n.

    Source: HP section 11; Chen et al. (2021).

    >>> at_least_one(np.array([4, 1]), np.array([1, 0]), 2).tolist()
    [0.5, nan]
    """
    none = np.ones(evaluable.shape)
    for drawn in range(k):
        none *= np.maximum(evaluable - violations - drawn, 0) / np.maximum(evaluable - drawn, 1)
    return np.where(evaluable >= k, 1 - none, np.nan)


def reliable_up_to(planned_replicas: int) -> int:
    """Largest k at which the exposure curve is reported as reliable: max(1, floor(m / 2)).

    >>> [reliable_up_to(m) for m in (1, 2, 8)]
    [1, 1, 4]
    """
    return max(1, planned_replicas // 2)


def longest_curve(cell: Cell) -> int:
    """Largest k worth reporting: no more than planned, nor than any probe was asked, at least 1.

    Beyond the pairs of the longest probe the set I_k is empty and X(k) undefined.
    """
    asked = int(np.bincount(cell.probe).max()) if len(cell) else 1
    return max(1, min(cell.planned_replicas, asked))


def _contributions(profiles: Profiles, k: int) -> NDArray[np.float64]:
    """Per profile: its exposure (0 where n < k) and whether it counts, shape (P, 2)."""
    evaluable, violations = profiles.values[:, 0], profiles.values[:, 1]
    share = at_least_one(evaluable, violations, k)
    return np.stack([np.nan_to_num(share), (evaluable >= k).astype(np.float64)], axis=1)


def _check_attempts(k: int, cell: Cell) -> None:
    if not 1 <= k <= cell.planned_replicas:
        raise ValueError(f"k is {k}; with {cell.planned_replicas} planned replicas it must be 1..m")


def exposure(cell: Cell, k: int, settings: Settings) -> Estimate:
    """X(k): the chance that at least one of k attempts shows a violation.

    The mean of :func:`at_least_one` over the probes with at least k evaluable replicas (their
    number is ``clusters``; ``n`` is their replicas). The interval is the percentile bootstrap
    over all retained probes, with the set recomputed in each resample. At X(k) = 0 or 1, or
    where it collapses, it is Wilson's at that number of probes.

    Raises:
        ValueError: k is below 1 or above the planned replicas.

    Source: HP section 11; ``definitions`` items 7 and 12.
    """
    _check_attempts(k, cell)
    attempts = attempts_of(cell, min_options=settings.exposure_min_options)
    usable = attempts.evaluable >= k
    clusters, n = int(usable.sum()), int(attempts.evaluable[usable].sum())
    notes = () if k <= reliable_up_to(cell.planned_replicas) else ("beyond reliable k",)
    if attempts.left_out:
        notes = (*notes, f"{attempts.left_out} probes left out: a replica was not fresh")
    value, interval = math.nan, UNDEFINED
    if clusters:
        profiles = profiles_of(attempts.evaluable, attempts.violations)
        columns = _contributions(profiles, k)
        total, used = profiles.multiplicity @ columns
        value = float(total / used)
        rng = settings.stream(Study.EXPOSURE, f"{cell.hint_type} at k = {k}")
        totals = resample_totals(profiles, rng, resamples=settings.resamples, values=columns)
        kept = totals[totals[:, 1] > 0]
        ends = percentile(kept[:, 0] / kept[:, 1], confidence=settings.confidence)
        interval = Interval(ends.lower, ends.upper, PRIMARY_METHOD)
        if len(kept) < len(totals):
            notes = (*notes, f"{len(totals) - len(kept)} of {len(totals)} resamples undefined")
        if value in (0.0, 1.0) or interval.collapsed:
            plain = wilson(min(max(value, 0.0), 1.0), clusters, confidence=settings.confidence)
            interval = Interval(plain.lower, plain.upper, BOUNDARY)
    return Estimate(
        quantity="exposure",
        k=k,
        value=value,
        n=n,
        clusters=clusters,
        status=status_of(
            interval, n=n, clusters=clusters, target_half_width=settings.target_half_width
        ),
        interval=interval,
        notes=notes,
    )


def complement(estimate: Estimate, quantity: str) -> Estimate:
    """Read an estimate as one minus itself, under another name, with its interval turned round.

    >>> half = Estimate(quantity="exposure", value=0.25, n=4, clusters=2, k=1)
    >>> complement(half, "reliability").value
    0.75
    """
    interval = estimate.interval
    return Estimate(
        quantity=quantity,
        k=estimate.k,
        value=1 - estimate.value,
        n=estimate.n,
        clusters=estimate.clusters,
        status=estimate.status,
        interval=Interval(1 - interval.upper, 1 - interval.lower, interval.method),
        notes=estimate.notes,
    )


def exposure_plug_in(cell: Cell, k: int, settings: Settings) -> Estimate:
    """1 - (1 - p)^k with the pooled p = sum c_i / sum n_i: what a single rate would suggest.

    It assumes that every probe has the same probability, and overestimates exposure whenever
    probes differ; shown beside the unbiased estimate, without an interval.

    Raises:
        ValueError: k is below 1 or above the planned replicas.

    Source: HP section 11.
    """
    _check_attempts(k, cell)
    attempts = attempts_of(cell, min_options=settings.exposure_min_options)
    n = int(attempts.evaluable.sum())
    value = 1 - (1 - attempts.violations.sum() / n) ** k if n else math.nan
    return Estimate(
        quantity="exposure_plug_in",
        k=k,
        value=float(value),
        n=n,
        clusters=int((attempts.evaluable > 0).sum()),
        counted_as="plug-in from one pooled rate",
        notes=("assumes that every probe has the same probability",),
    )


def violation_shares(cell: Cell, settings: Settings) -> list[Estimate]:
    """Shares of probes whose evaluable replicas never, sometimes or always show a violation.

    Over the retained probes with at least one evaluable replica; this separates a failure
    concentrated on certain questions from an intermittent one.

    Source: HP section 11.
    """
    attempts = attempts_of(cell, min_options=settings.exposure_min_options)
    seen = attempts.evaluable > 0
    n, c = attempts.evaluable[seen], attempts.violations[seen]
    groups = {
        "violations_never": c == 0,
        "violations_sometimes": (c > 0) & (c < n),
        "violations_always": c == n,
    }
    return [
        clustered_rate(
            quantity,
            member.astype(np.int64),
            np.ones_like(n),
            settings.stream(Study.EXPOSURE_SHARES, f"{cell.hint_type} {quantity}"),
            settings,
        )
        for quantity, member in groups.items()
    ]
