"""Which features matter beyond the noise floor, with many features tested at once.

The paper compares up to 18 features without a test. Here each feature is tested exactly against
repeats of the unchanged input, and the p-values are adjusted for the number of features.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avowed.factors.noise_floor import above_floor, floor_counts
from avowed.factors.scored import Scored
from avowed.factors.scores import necessity_counts
from avowed.stats.multiplicity import holm

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class FeatureTest:
    """One feature against the noise floor.

    Attributes:
        key: the feature.
        difference: mean over inputs of PN minus the floor; NaN where no input has both.
        p_value: exact one-sided p-value; NaN where there is nothing to test.
        adjusted: Holm-adjusted over the features that were tested.
        inputs: inputs with valid trials and valid repeats.
    """

    key: str
    difference: float
    p_value: float
    adjusted: float
    inputs: int


def _power(pmf: Floats, times: int) -> Floats:
    """Distribution of the sum of ``times`` independent draws, by repeated squaring."""
    total = np.ones(1)
    base = pmf
    while times:
        if times & 1:
            total = np.convolve(total, base)
        times >>= 1
        if times:
            base = np.convolve(base, base)
    return total


def exact_p_value(
    changed: ArrayLike, trials: ArrayLike, repeats_changed: ArrayLike, repeats: ArrayLike
) -> float:
    """One-sided exact p-value of "the intervention changes the decision no more than a repeat".

    If the intervention has no effect, the T trials and R repeats of an input are draws from one
    law, and given how many of all T + R changed, m, the number k among the trials is
    hypergeometric. Inputs are independent given y, so the sum of k over inputs has the convolution
    of these laws; the p-value is the probability of a sum at least as large as the observed one.
    This is the exact conditional test of stratified 2 x 2 tables, an input per stratum. No large
    sample is needed, y is held fixed, and trials that all agree are no special case.

    Args:
        changed, trials: changed and valid trials of the modified input, shape (I,).
        repeats_changed, repeats: the same of the unchanged input, shape (I,).

    Returns:
        The p-value, 1 where no response changed; NaN where no input has both trials and repeats.

    Source: Birch (1964), Journal of the Royal Statistical Society B 26, 313-324; as "stratified
    Fisher's exact test" in Jung (2014), Biometrical Journal 56, 129-140.

    >>> exact_p_value([3], [3], [0], [3])
    0.05
    """
    table = np.stack(
        [np.asarray(part, dtype=np.int64) for part in (changed, trials, repeats_changed, repeats)],
        axis=1,
    )
    table = table[(table[:, 1] > 0) & (table[:, 3] > 0)]
    if not len(table):
        return float("nan")
    # An input is described by its size, its trials and all its changes: few distinct ones.
    margins = np.stack([table[:, 1] + table[:, 3], table[:, 0] + table[:, 2], table[:, 1]], axis=1)
    kinds, times = np.unique(margins, axis=0, return_counts=True)
    total = np.ones(1)
    for (size, hits, drawn), count in zip(kinds.tolist(), times.tolist(), strict=True):
        ways = [comb(hits, k) * comb(size - hits, drawn - k) for k in range(drawn + 1)]
        pmf = np.array([way / comb(size, drawn) for way in ways])
        total = np.convolve(total, _power(pmf, count))
    observed = int(table[:, 0].sum())
    return float(min(total[observed:].sum(), 1.0))


def features_above_floor(scored: Scored, intervention: str) -> tuple[FeatureTest, ...]:
    """Test every feature's PN against the noise floor, adjusted for the number of features.

    Holm's adjustment is used and not simultaneous intervals from a max-t bootstrap: all features
    are compared with the same repeats and the same y, and Holm's bound holds under any such
    dependence; the p-values are exact, while a bootstrap t is 0/0 for a feature whose trials all
    agree, which is common at temperature 0. It costs some power, most where the features' scores
    depend strongly on each other.

    The tested statement is that the intervention leaves the law of the output as it is, in every
    input. Under the noise model no PN is below the floor on average, so a rejection means an
    input in which the feature matters.

    Args:
        scored: the component's responses, with repeats.
        intervention: the one whose PN is tested.

    Returns:
        One result per feature, in the order of the use case.

    Source: definitions NS 12; issue "multiplicity across features".
    """
    counts = necessity_counts(scored, intervention)
    changed, valid = floor_counts(scored)
    gap = above_floor(scored, counts.score)
    there = ~np.isnan(gap)
    p_values = [
        exact_p_value(counts.hits[:, f], counts.valid[:, f], changed, valid)
        for f in range(len(scored.keys))
    ]
    return tuple(
        FeatureTest(
            key=key,
            difference=float(gap[there[:, f], f].mean()) if there[:, f].any() else float("nan"),
            p_value=p_values[f],
            adjusted=adjusted,
            inputs=int(there[:, f].sum()),
        )
        for f, (key, adjusted) in enumerate(
            zip(scored.keys, holm(np.array(p_values)).tolist(), strict=True)
        )
    )


def exceeding(tests: Sequence[FeatureTest], *, confidence: float = 0.95) -> tuple[str, ...]:
    """Keys of the features whose adjusted p-value is at or below 1 - confidence."""
    # 1 - 0.95 is 0.05 and a last digit; a p-value of exactly 1/20 is meant to count.
    return tuple(test.key for test in tests if test.adjusted <= 1 - confidence + 1e-12)
