"""Is there enough for a rate: probes with a verdict, width of the interval, correlation."""

import math

import numpy as np

from avowed.pairs.cell import per_probe
from avowed.pairs.doctor.examined import LEAST_PROBES, Examined
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, percent
from avowed.pairs.estimate import Estimate
from avowed.pairs.omission import FEW_PROBES
from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design
from avowed.pairs.planning.size import Planner, Size
from avowed.refusal import Unusable
from avowed.stats.clustering import describe
from avowed.stats.status import Status

#: Probability with which the planned size reaches the half-width; the default of `avowed plan`.
ASSURANCE = 0.9

#: An intra-cluster correlation this close to 1 means that replicas say nothing new.
_NEARLY_ONE = 0.99


def few_clusters(examined: Examined) -> list[Finding]:
    """Fewer probes with an evaluable hint-induced change than an interval can rest on.

    Below two probes or pairs the cell is insufficient, be it that too few pairs moved to the hint
    or that those that did have no verdict; below `FEW_PROBES` the percentile interval is too
    narrow.

    Source: HP sections 6 and 7.
    """
    rate = examined.omission
    if rate.status is not Status.INSUFFICIENT and rate.clusters >= FEW_PROBES:
        return []
    numbers = {"clusters": rate.clusters, "n": rate.n, "pairs": len(examined.cell)}
    there = (
        f"{counted(rate.clusters, 'probe')} with an evaluable hint-induced change "
        f"({counted(rate.n, 'evaluable pair')} of {counted(len(examined.cell), 'pair')})"
    )
    if rate.status is Status.INSUFFICIENT and _moved_enough(examined):
        moved = int(examined.analysed.hint_change.sum())
        found = (
            f"{there}, although {counted(moved, 'analysed pair')} moved to the hint: the cell is "
            "insufficient for want of verdicts, and no rate of it can be reported"
        )
        return [
            examined.find("insufficient_verdicts", Severity.THIN, found, **numbers, moved=moved)
        ]
    if rate.status is Status.INSUFFICIENT:
        found = f"{there}: the cell is insufficient, and no rate of it can be reported"
        return [examined.find("insufficient", Severity.THIN, found, **numbers)]
    found = f"{there}, fewer than the {FEW_PROBES} that a percentile interval needs"
    return [examined.find("few_clusters", Severity.THIN, found, **numbers)]


def _moved_enough(examined: Examined) -> bool:
    """Whether the cell would not be insufficient if every change to the hint had a verdict."""
    cell = examined.analysed
    return np.unique(cell.probe[cell.hint_change]).size >= 2


def wide_interval(examined: Examined) -> list[Finding]:
    """The half-width is above the target; how many more pairs would reach it.

    The size is that of `avowed plan` for what this cell shows: its susceptibility, correlations,
    losses and rate, or, where all verdicts agree, the end of its interval that is nearer to 0.5.

    Source: HP sections 7 and 16.3.
    """
    rate, target = examined.omission, examined.settings.target_half_width
    if rate.status is not Status.UNDERSAMPLED:
        return []
    numbers: dict[str, int | float] = {
        "rate": rate.value,
        "half_width": rate.interval.half_width,
        "target": target,
        "n": rate.n,
        "clusters": rate.clusters,
    }
    found = (
        f"the interval of the omission rate {percent(rate.value)} has the half-width "
        f"{rate.interval.half_width:.3f}, above the target {target:g} ({rate.interval.method}; "
        f"{counted(rate.n, 'pair')}, {counted(rate.clusters, 'probe')})"
    )
    size, planned = size_needed(examined), planned_rate(rate)
    probes = _probes(examined)
    if size is None:
        found += "; no number of pairs that can be made would reach it as things are"
    elif size.probes > probes:
        more = size.probes - probes
        numbers |= {"more_probes": more, "more_pairs": more * size.replicas}
        found += (
            f"; about {counted(more, 'more probe')} with {counted(size.replicas, 'replica')} "
            f"({counted(more * size.replicas, 'pair')}) would reach it with a probability of "
            f"{ASSURANCE:g}, planned around a rate of {percent(planned)}"
        )
    else:
        found += "; a study of this size usually reaches it, so that a few more probes should do"
    return [examined.find("wide_interval", Severity.THIN, found, **numbers)]


def planned_rate(rate: Estimate) -> float:
    """The rate itself, or at 0 and 1 the inner end of its interval: a rate with some spread.

    >>> from avowed.stats.intervals import wilson
    >>> planned_rate(Estimate(quantity="q", value=0.0, n=9, clusters=9, interval=wilson(0, 9))) > 0
    True
    """
    if 0 < rate.value < 1:
        return rate.value
    return rate.interval.upper if rate.value == 0 else rate.interval.lower


def size_needed(examined: Examined) -> Size | None:
    """The smallest study like this cell that reaches the target; None where there is none."""
    cell, rate, settings = examined.analysed, examined.omission, examined.settings
    eligible, moved = int(cell.eligible.sum()), int(cell.hint_change.sum())
    if not moved or rate.clustering is None or not rate.interval.defined:
        return None
    moves, tries = per_probe(cell, cell.hint_change, cell.eligible)
    together = describe(moves[tries > 0], tries[tries > 0]).icc
    answered = int((~cell.not_evaluable).sum())
    try:
        assumed = Assumptions(
            susceptibility=moved / eligible,
            baseline_on_hint=1 - eligible / answered,
            # Where a correlation is 0/0 it is taken as 1, as in the effective sample size.
            icc=_known(rate.clustering.icc),
            susceptibility_icc=_known(together),
            loss=1 - answered / len(cell) * int(cell.evaluable.sum()) / moved,
            two_options=1 - len(cell) / len(examined.cell),
            expected_omission=planned_rate(rate),
            confidence=settings.confidence,
            resamples=max(settings.resamples, 100),
        )
        replicas = max(1, round(len(examined.cell) / _probes(examined)))
        design = Design(assumed=assumed, replicas=replicas)
        planner = Planner(design=design, law=design.law(), assurance=ASSURANCE)
        return planner.size_for(settings.target_half_width)
    except (ValueError, Unusable):
        # The planner's own words for a study that cannot be made.
        return None


def icc_boundary(examined: Examined) -> list[Finding]:
    """The correlation within probes is undefined, at 1, or below 0.

    At 1 it is thin from ten pairs beyond the first of their probe on; with fewer, chance does it.

    Source: HP section 7; ``definitions`` item 6.
    """
    clustering = examined.omission.clustering
    if clustering is None or clustering.clusters < 2 or clustering.n == clustering.clusters:
        return []
    icc, n, clusters = clustering.icc, clustering.n, clustering.clusters
    numbers: dict[str, int | float] = {"n": n, "clusters": clusters}
    there = f"over {counted(n, 'pair')} in {counted(clusters, 'probe')}"
    if math.isnan(icc):
        found = (
            f"the intra-cluster correlation is 0/0 {there}, because all verdicts agree; the "
            f"effective sample size is taken as the number of probes, {clusters:,}"
        )
        return [examined.find("icc_boundary", Severity.NOTE, found, **numbers)]
    numbers["icc"] = icc
    if icc >= _NEARLY_ONE:
        found = (
            f"the intra-cluster correlation is {icc:.3f} {there}: replicas of a probe get "
            "the same verdict and add nothing to the first"
        )
        severity = Severity.THIN if n - clusters >= LEAST_PROBES else Severity.NOTE
        return [examined.find("icc_boundary", severity, found, **numbers)]
    if icc < 0:
        found = (
            f"the intra-cluster correlation is {icc:.3f} {there}, below 0; the design effect is "
            "taken as 1"
        )
        return [examined.find("icc_boundary", Severity.NOTE, found, **numbers)]
    return []


def _probes(examined: Examined) -> int:
    return int(examined.cell.probe.max(initial=-1)) + 1


def _known(icc: float) -> float:
    return 1.0 if math.isnan(icc) else min(max(icc, -1.0), 1.0)
