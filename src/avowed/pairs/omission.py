"""The conditional omission rate, its cluster interval, boundary rule, status and strata."""

import math

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.cell import Cell, Mask, per_probe
from avowed.pairs.estimate import Estimate, Settings
from avowed.stats.bootstrap import profiles_of, resample_totals
from avowed.stats.clustering import Clustering, describe
from avowed.stats.intervals import UNDEFINED, Interval, percentile, wilson
from avowed.stats.seeds import Study
from avowed.stats.status import status_of

BOUNDARY_METHOD = "wilson at effective n"
PRIMARY_METHOD = "percentile cluster bootstrap"


def boundary_interval(rate: float, clustering: Clustering, *, confidence: float) -> Interval:
    """Wilson interval at the effective sample size, for a rate whose bootstrap collapses.

    Source: HP section 7; ``definitions`` item 7.

    >>> boundary_interval(1.0, describe([4] * 10, [4] * 10), confidence=0.95).lower.__round__(3)
    0.722
    """
    interval = wilson(rate, clustering.effective_n, confidence=confidence)
    return Interval(interval.lower, interval.upper, BOUNDARY_METHOD)


#: Below so many probes the percentile interval is known to be too narrow; a note says so.
FEW_PROBES = 40


def clustered_rate(
    quantity: str,
    flagged: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rng: np.random.Generator,
    settings: Settings,
) -> Estimate:
    """Estimate a rate k / n from per-probe counts with the primary interval of section 7.

    ``flagged`` and ``sizes`` have one entry per probe, shape (probes,); probes of size 0 are
    left out first, so that they are not resampled. The interval is the percentile cluster
    bootstrap; with k = 0, k = n or a collapsed interval it is Wilson's at the effective sample
    size. An empty cell has no value and no interval, an insufficient one (fewer than two probes
    or pairs) keeps its interval by the boundary rule where that exists.

    Source: HP section 7; ``definitions`` items 4 to 8.

    >>> rng = np.random.default_rng(1)
    >>> rate = clustered_rate("omission", np.array([2, 2]), np.array([2, 2]), rng, Settings())
    >>> rate.value, rate.interval.method, rate.status.value
    (1.0, 'wilson at effective n', 'undersampled')
    """
    present = sizes > 0
    profiles = profiles_of(flagged[present], sizes[present])
    clustering = describe(
        profiles.values[:, 0], profiles.values[:, 1], multiplicity=profiles.multiplicity
    )
    if clustering.n == 0:
        value, interval = math.nan, UNDEFINED
    else:
        k, n = (int(total) for total in profiles.totals)
        value = k / n
        interval = UNDEFINED
        if 0 < k < n:
            totals = resample_totals(profiles, rng, resamples=settings.resamples)
            drawn = percentile(totals[:, 0] / totals[:, 1], confidence=settings.confidence)
            interval = Interval(drawn.lower, drawn.upper, PRIMARY_METHOD)
        if not interval.defined or interval.collapsed:
            interval = boundary_interval(value, clustering, confidence=settings.confidence)
    return Estimate(
        quantity=quantity,
        value=value,
        n=clustering.n,
        clusters=clustering.clusters,
        status=status_of(
            interval,
            n=clustering.n,
            clusters=clustering.clusters,
            target_half_width=settings.target_half_width,
        ),
        interval=interval,
        clustering=clustering,
        notes=_notes_on(clustering, interval),
    )


def _notes_on(clustering: Clustering, interval: Interval) -> tuple[str, ...]:
    few = interval.method == PRIMARY_METHOD and clustering.clusters < FEW_PROBES
    return (
        *((clustering.note,) if clustering.note else ()),
        *(
            (f"few probes ({clustering.clusters}): the percentile interval is likely too narrow",)
            if few
            else ()
        ),
    )


def _rate_among(
    quantity: str, study: Study, cell: Cell, *, among: Mask, settings: Settings
) -> Estimate:
    hits, sizes = per_probe(cell, among & cell.flagged, among)
    rng = settings.stream(study, cell.hint_type)
    return clustered_rate(quantity, hits, sizes, rng, settings)


def conditional_omission(cell: Cell, settings: Settings) -> Estimate:
    """q = k / n_H: the share of evaluable hint-induced changes that the judge flagged.

    Pairs with fewer than ``settings.min_options`` options are left out. The rate is observed
    and uncorrected: how often this judge flagged omission.

    Source: HP section 7.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    return _rate_among(
        "omission", Study.OMISSION, analysed, among=analysed.evaluable, settings=settings
    )


def omission_strata(cell: Cell, settings: Settings) -> tuple[Estimate, Estimate]:
    """Omission among drifts from a correct answer, and among changes between wrong answers.

    The strata are by the unhinted answer a0, because the final answer is wrong in every
    hint-induced change.

    Source: HP section 8.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    strata = (
        ("omission_drift", Study.OMISSION_DRIFT, analysed.baseline_correct),
        ("omission_wrong_to_wrong", Study.OMISSION_WRONG_TO_WRONG, ~analysed.baseline_correct),
    )
    drift, wrong_to_wrong = (
        _rate_among(name, study, analysed, among=analysed.evaluable & stratum, settings=settings)
        for name, study, stratum in strata
    )
    return drift, wrong_to_wrong


def wilson_reference(cell: Cell, settings: Settings) -> Estimate:
    """Wilson interval of q as if pairs were independent; a reference, not the primary interval.

    Source: HP section 7.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    hits, sizes = per_probe(analysed, analysed.flagged & analysed.evaluable, analysed.evaluable)
    n, k = int(sizes.sum()), int(hits.sum())
    value = k / n if n else math.nan
    interval = UNDEFINED
    if n:
        plain = wilson(value, n, confidence=settings.confidence)
        interval = Interval(plain.lower, plain.upper, "wilson, pairs as independent")
    return Estimate(
        quantity="omission_wilson_reference",
        value=value,
        n=n,
        clusters=int((sizes > 0).sum()),
        status=status_of(
            interval,
            n=n,
            clusters=int((sizes > 0).sum()),
            target_half_width=settings.target_half_width,
        ),
        interval=interval,
    )
