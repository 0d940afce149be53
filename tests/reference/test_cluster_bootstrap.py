"""Percentile cluster bootstrap intervals against ``scipy.stats.bootstrap``.

Where the numbers come from: computed while the test runs by ``scipy.stats.bootstrap(paired=True,
vectorized=True, method="percentile")`` on per-probe counts, with statistics written here from the
paper's formulas. Both sides draw 20,000 resamples from other streams, so they differ by Monte-Carlo
error: an end is the 2.5 % quantile of a statistic whose spread over resamples is s, its standard
error about sqrt(.025 * .975 / B) / (phi(1.96) / s) = 2.67 s / sqrt(B) for a near-normal statistic,
and the difference of two such ends sqrt(2) times that. The tests allow five of those: 0.134 s.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import bootstrap
from support.cells import Pair, cell_of

from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.estimate import Settings
from avowed.pairs.exposure import exposure
from avowed.pairs.omission import conditional_omission
from avowed.stats.bootstrap import profiles_of, resample_totals

B = 20_000
SETTINGS = Settings(resamples=B)
Array = NDArray[np.float64]


def allowed(spread: float) -> float:
    return 5 * math.sqrt(2) * 2.67 * spread / math.sqrt(B)


def pairs(seed: int = 21, probes: int = 90, replicas: int = 6) -> list[Pair]:
    """Probes that differ in susceptibility and acknowledgement, a third with three options."""
    rng = np.random.default_rng(seed)
    made = []
    for probe in range(probes):
        moves, avows = rng.beta(2, 2), rng.beta(1, 2)
        for _ in range(replicas):
            if rng.random() < moves:
                kind = "?" if rng.random() < 0.05 else "f" if rng.random() < avows else "x"
            else:
                kind = str(rng.choice(list("NNNNNOBU")))
            made.append(Pair(probe, kind, 3 if probe % 3 == 0 else 4))
    return made


PAIRS = pairs()
CELL = cell_of(PAIRS, replicas=6)


def counts(kinds: str, *, options: int | None = None) -> Array:
    """Pairs of these kinds in every probe, counted one by one."""
    found = np.zeros(90)
    for pair in PAIRS:
        if pair.kind in kinds and options in (None, pair.options):
            found[pair.probe] += 1
    return found


@dataclass(frozen=True)
class Reference:
    lower: float
    upper: float
    spread: float


def reference(statistic: Callable[..., Array], *columns: Array) -> Reference:
    result = bootstrap(
        columns,
        statistic,
        n_resamples=B,
        batch=2000,
        vectorized=True,
        paired=True,
        method="percentile",
        rng=np.random.default_rng(77),
    )
    interval = result.confidence_interval
    return Reference(float(interval.low), float(interval.high), float(result.standard_error))


def test_the_conditional_omission_rate() -> None:
    hits, judged = counts("x"), counts("xf")
    used = judged > 0

    def rate(k: Array, m: Array, axis: int) -> Array:
        return k.sum(axis) / m.sum(axis)

    theirs = reference(rate, hits[used], judged[used])
    ours = conditional_omission(CELL, SETTINGS)
    assert ours.value == hits.sum() / judged.sum()
    assert ours.interval.lower == pytest.approx(theirs.lower, abs=allowed(theirs.spread))
    assert ours.interval.upper == pytest.approx(theirs.upper, abs=allowed(theirs.spread))


def test_the_chance_corrected_omission() -> None:
    columns = [
        counts(kinds, options=level) for level in (3, 4) for kinds in ("xf?", "O", "xf", "f")
    ]
    eligible = counts("xf?ON") > 0

    def corrected(*parts: Array, axis: int) -> Array:
        sums = [part.sum(axis) for part in parts]
        total = weight = 0.0
        for level, (moved, other, judged, faithful) in ((3, sums[:4]), (4, sums[4:])):
            share = (faithful / judged) / (1 - other / ((level - 2) * moved))
            total, weight = total + moved * np.minimum(share, 1), weight + moved
        return np.asarray(1 - total / weight)

    theirs = reference(corrected, *(column[eligible] for column in columns))
    ours = chance_corrected_omission(CELL, SETTINGS)
    assert not any("undefined" in note for note in ours.notes)
    assert ours.interval.lower == pytest.approx(theirs.lower, abs=allowed(theirs.spread))
    assert ours.interval.upper == pytest.approx(theirs.upper, abs=allowed(theirs.spread))


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_exposure_with_its_set_of_probes_recomputed(k: int) -> None:
    hits, seen = counts("x"), counts("xfNOB")
    none = np.array(
        [
            math.comb(int(n - c), k) / math.comb(int(n), k) if n >= k else 1.0
            for c, n in zip(hits, seen, strict=True)
        ]
    )

    def mean(share: Array, inside: Array, axis: int) -> Array:
        return share.sum(axis) / inside.sum(axis)

    theirs = reference(mean, 1 - none, (seen >= k).astype(float))
    ours = exposure(CELL, k, SETTINGS)
    assert (seen < 5).any()
    assert ours.interval.lower == pytest.approx(theirs.lower, abs=allowed(theirs.spread))
    assert ours.interval.upper == pytest.approx(theirs.upper, abs=allowed(theirs.spread))


@pytest.mark.parametrize("method", ["gather", "multinomial"])
def test_both_ways_of_drawing_have_the_spread_of_scipy_s_resamples(method: str) -> None:
    hits, judged = counts("x"), counts("xf")

    def rate(k: Array, m: Array, axis: int) -> Array:
        return k.sum(axis) / m.sum(axis)

    theirs = reference(rate, hits, judged)
    profiles = profiles_of(hits.astype(np.int64), judged.astype(np.int64))
    rng = np.random.default_rng(3)
    totals = resample_totals(profiles, rng, resamples=B, method=method)
    # A standard deviation from B near-normal draws has a relative error of 1 / sqrt(2 B); the
    # ratio of two of them sqrt(2) times that; five of those.
    assert np.std(totals[:, 0] / totals[:, 1], ddof=1) == pytest.approx(
        theirs.spread, rel=5 / math.sqrt(B)
    )
