"""Intra-cluster correlation, design effect and effective sample size, exactly (HP section 7)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Clustering:
    """Sizes and clustering of a 0/1 outcome; what does not exist is None."""

    n: int
    clusters: int
    icc: Fraction | None
    deff: Fraction | None
    effective_n: Fraction | None


def clustering(hits: Sequence[int], sizes: Sequence[int]) -> Clustering:
    """One-way ANOVA correlation of a 0/1 outcome within clusters, in fractions.

    With k_i of m_i in cluster i, K of N in all and C clusters: MSB = (sum k_i^2 / m_i - K^2 / N) /
    (C - 1), MSW = (K - sum k_i^2 / m_i) / (N - C), m0 = (N - sum m_i^2 / N) / (C - 1),
    rho = (MSB - MSW) / (MSB + (m0 - 1) MSW), deff = 1 + (N / C - 1) max(rho, 0), n_eff = N / deff.
    Where rho is 0/0 (no hit, all hits, or one pair in each cluster) it is None and counts as 1 in
    deff, so that n_eff is the number of clusters.

    Args:
        hits: k_i, one per cluster.
        sizes: m_i, each at least 1.

    Source: HP section 7; definitions, item 6.

    >>> found = clustering([2, 0], [2, 2])
    >>> found.icc, found.effective_n
    (Fraction(1, 1), Fraction(2, 1))
    """
    c, n, total = len(sizes), sum(sizes), sum(hits)
    if c == 0:
        return Clustering(n=0, clusters=0, icc=None, deff=None, effective_n=None)
    icc: Fraction | None = None
    if c > 1 and n > c and 0 < total < n:
        alike = Counter(zip(hits, sizes, strict=True))
        squares = sum((t * Fraction(k * k, m) for (k, m), t in alike.items()), Fraction(0))
        between = (squares - Fraction(total * total, n)) / (c - 1)
        within = (total - squares) / (n - c)
        m0 = (n - Fraction(sum(m * m for m in sizes), n)) / (c - 1)
        # Not 0: a mixed outcome varies between clusters or within them, and m0 is above 1.
        icc = (between - within) / (between + (m0 - 1) * within)
    working = Fraction(1) if icc is None else max(icc, Fraction(0))
    deff = 1 + (Fraction(n, c) - 1) * working
    return Clustering(n=n, clusters=c, icc=icc, deff=deff, effective_n=n / deff)
