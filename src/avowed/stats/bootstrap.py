"""The cluster bootstrap: one engine from per-cluster counts to resampled totals.

A cluster enters every estimator of the hinted-pair paper through a few small integers. Clusters
with the same integers are interchangeable, so resampling C clusters with replacement is the same
as resampling the distinct *profiles* with their multiplicities. Two ways of drawing have that
law: a multinomial draw over the P profiles, whose cost does not grow with C, and a gather of C
indices, which is faster while C is small. Which one is used depends on P and C alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Cost of one index drawn and counted by the gather relative to one binomial of the multinomial.
#: A ratio, so it holds on fast and slow machines; only speed depends on it.
_GATHER_COST = 1 / 14

#: Largest mixed-radix key space that is counted in a table instead of sorted.
_TABLE_LIMIT = 1 << 22

#: Entries of one block of drawn counts or indices; bounds memory, cannot change a law.
_BLOCK = 1 << 21


@dataclass(frozen=True)
class Profiles:
    """Distinct rows of per-cluster counts, sorted, with how many clusters have each.

    ``values`` has shape (P, D), ``multiplicity`` shape (P,). Sorting makes every draw independent
    of the order in which clusters were listed.
    """

    values: NDArray[np.int64]
    multiplicity: NDArray[np.int64]

    @property
    def clusters(self) -> int:
        """Number of clusters C, the sum of the multiplicities."""
        return int(self.multiplicity.sum())

    @property
    def totals(self) -> NDArray[np.int64]:
        """Sum of every column over all clusters, shape (D,)."""
        return np.asarray(self.multiplicity @ self.values, dtype=np.int64)


def profiles_of(*columns: NDArray[np.integer]) -> Profiles:
    """Group clusters with equal counts.

    Each column holds one non-negative integer per cluster, shape (C,).

    Raises:
        ValueError: no column, columns of different lengths, or a negative count.

    >>> grouped = profiles_of(np.array([2, 0, 2]), np.array([3, 1, 3]))
    >>> grouped.values.tolist(), grouped.multiplicity.tolist()
    ([[0, 1], [2, 3]], [1, 2])
    """
    if not columns or any(column.shape != columns[0].shape for column in columns):
        raise ValueError("profiles need at least one column, all with one entry per cluster")
    if columns[0].size == 0:
        return Profiles(np.zeros((0, len(columns)), np.int64), np.zeros(0, np.int64))
    if any(int(column.min()) < 0 for column in columns):
        raise ValueError("a per-cluster count cannot be negative")
    radices = [int(column.max()) + 1 for column in columns]
    space = 1
    for radix in radices:
        space *= radix
    if space > 2**62:
        rows, multiplicity = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
        return Profiles(rows.astype(np.int64), multiplicity.astype(np.int64))
    keys = columns[0].astype(np.int64)
    for column, radix in zip(columns[1:], radices[1:], strict=True):
        keys *= radix
        keys += column
    if space <= max(_TABLE_LIMIT, keys.size):
        table = np.bincount(keys, minlength=space)
        distinct = np.flatnonzero(table)
        multiplicity = table[distinct]
    else:
        distinct, multiplicity = np.unique(keys, return_counts=True)
    values = np.empty((distinct.size, len(columns)), dtype=np.int64)
    for position in range(len(columns) - 1, -1, -1):
        distinct, values[:, position] = np.divmod(distinct, radices[position])
    return Profiles(values, multiplicity.astype(np.int64))


def drawing_method(profiles: Profiles) -> str:
    """Name the cheaper of the two ways of drawing: ``gather`` or ``multinomial``.

    >>> drawing_method(Profiles(np.zeros((2, 1), np.int64), np.array([500, 500])))
    'multinomial'
    """
    distinct = profiles.multiplicity.size
    return "gather" if profiles.clusters * _GATHER_COST < distinct else "multinomial"


def _drawn_counts(
    profiles: Profiles, rng: np.random.Generator, resamples: int, method: str
) -> Iterator[NDArray[np.float64]]:
    """Yield blocks (rows, P): how often each profile was drawn in each resample."""
    clusters, distinct = profiles.clusters, profiles.multiplicity.size
    if method == "multinomial":
        share = profiles.multiplicity / clusters
        step = max(1, _BLOCK // distinct)
        for start in range(0, resamples, step):
            rows = min(step, resamples - start)
            yield rng.multinomial(clusters, share, size=rows).astype(np.float64)
        return
    owner = np.repeat(np.arange(distinct, dtype=np.int32), profiles.multiplicity)
    step = max(1, _BLOCK // max(clusters, distinct))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = owner.take(rng.integers(0, clusters, size=(rows, clusters), dtype=np.int32))
        drawn += (np.arange(rows, dtype=np.int32) * distinct)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * distinct)
        yield counts.reshape(rows, distinct).astype(np.float64)


def resample_totals(
    profiles: Profiles,
    rng: np.random.Generator,
    *,
    resamples: int = 2000,
    values: NDArray[np.float64] | None = None,
    method: str | None = None,
) -> NDArray[np.float64]:
    """Totals over resampled clusters, shape (resamples, D).

    Each resample draws as many clusters as there are, with replacement, and adds their rows.
    ``values``, shape (P, D), replaces the profiles' own counts where a statistic is a sum of
    something computed from them. Integer totals are exact up to 2**53. ``method`` forces
    ``gather`` or ``multinomial``; both have the same law.

    Raises:
        ValueError: there are no clusters, fewer than one resample, or an unknown method.

    Source: HP section 7; Field and Welsh (2007).

    >>> rng = np.random.default_rng([1, 1, 0, 0])
    >>> totals = resample_totals(profiles_of(np.array([1, 1]), np.array([2, 2])), rng, resamples=3)
    >>> totals.tolist()
    [[2.0, 4.0], [2.0, 4.0], [2.0, 4.0]]
    """
    if profiles.clusters == 0:
        raise ValueError("there is no cluster to resample")
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}; at least one is needed")
    chosen = drawing_method(profiles) if method is None else method
    if chosen not in ("gather", "multinomial"):
        raise ValueError(f"method is {method!r}; it must be 'gather' or 'multinomial'")
    columns = profiles.values.astype(np.float64) if values is None else values
    blocks = [counts @ columns for counts in _drawn_counts(profiles, rng, resamples, chosen)]
    return np.concatenate(blocks)
