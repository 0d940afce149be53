"""Intra-cluster correlation, design effect and effective sample size of clustered binary data."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True, kw_only=True)
class Clustering:
    """How far correlation within clusters thins a sample.

    ``icc`` is raw: it can be negative, and is NaN where it is 0/0. ``design_effect`` is at least
    1 and ``effective_n`` is ``n / design_effect``; both are NaN for an empty sample.
    """

    n: int
    clusters: int
    icc: float
    design_effect: float
    effective_n: float
    note: str


def describe(
    successes: ArrayLike, sizes: ArrayLike, *, multiplicity: ArrayLike | None = None
) -> Clustering:
    """One-way ANOVA intra-cluster correlation and Kish's design effect.

    With k_i successes among m_i trials in cluster i, N = sum m_i and C clusters:
    MSB = sum m_i (k_i/m_i - k/N)^2 / (C - 1), MSW = sum k_i (1 - k_i/m_i) / (N - C),
    m0 = (N - sum m_i^2 / N) / (C - 1), rho = (MSB - MSW) / (MSB + (m0 - 1) MSW),
    deff = 1 + (N/C - 1) max(rho, 0), effective n = N / deff.

    Where rho is 0/0 (no success, only successes, one trial per cluster, one cluster) it is NaN
    and deff takes rho = 1, so that the effective sample size is the number of clusters: the
    conservative reading of ``definitions`` item 6.

    Parameters are integer arrays of shape (C,): successes, sizes (each at least 1), and how
    often each row occurs.

    Raises:
        ValueError: a size is below 1, or successes are outside [0, size].

    Source: HP section 7; Kish (1965).

    >>> round(describe([4, 0, 4, 0], [4, 4, 4, 4]).icc, 6)
    1.0
    >>> describe([1, 1], [1, 1]).effective_n
    2.0
    """
    k = np.asarray(successes, dtype=np.float64)
    m = np.asarray(sizes, dtype=np.float64)
    w = np.ones_like(m) if multiplicity is None else np.asarray(multiplicity, dtype=np.float64)
    if (m < 1).any() or (k < 0).any() or (k > m).any():
        raise ValueError("every cluster needs a size of at least 1 and 0 <= successes <= size")
    clusters, n, total = int(w.sum()), int((w * m).sum()), float((w * k).sum())
    if clusters == 0:
        return Clustering(
            n=0,
            clusters=0,
            icc=math.nan,
            design_effect=math.nan,
            effective_n=math.nan,
            note="no clusters",
        )
    icc = math.nan
    if clusters > 1 and n > clusters and 0 < total < n:
        msb = float((w * m * (k / m - total / n) ** 2).sum()) / (clusters - 1)
        msw = float((w * k * (1 - k / m)).sum()) / (n - clusters)
        m0 = (n - float((w * m * m).sum()) / n) / (clusters - 1)
        denominator = msb + (m0 - 1) * msw
        if denominator != 0:
            icc = (msb - msw) / denominator
    note = "" if not math.isnan(icc) else "icc is 0/0; effective n is the number of clusters"
    working = 1.0 if math.isnan(icc) else max(icc, 0.0)
    design_effect = 1 + (n / clusters - 1) * working
    return Clustering(
        n=n,
        clusters=clusters,
        icc=icc,
        design_effect=design_effect,
        effective_n=n / design_effect,
        note=note,
    )
