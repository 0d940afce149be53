"""What explanations look like on average: frequencies, instability and overlap, exactly."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.citations import CitationLaw

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ExpectedOverlap:
    """Expected agreement of two explanations of the same input (NS D.4).

    Attributes:
        jaccard: shared features among all that either cites.
        coefficient: shared features among those that one cites.
        ordering: concordant share of the shared pairs, over inputs that share at least two; NaN if
            that never happens.
        shared: probabilities of 0, 1, ..., C shared features.
    """

    jaccard: float
    coefficient: float
    ordering: float
    shared: Floats


def citation_frequency(citations: CitationLaw, active: NDArray[np.bool_]) -> Floats:
    """Probability that a feature is cited where it is active, (F,); NaN if it never is (NS 4.1)."""
    cited = (citations.frequency(active.shape[1]) * active).sum(axis=0)
    number = active.sum(axis=0)
    return np.where(number > 0, cited / np.maximum(number, 1), np.nan)


def positional_instability(
    citations: CitationLaw, features: int, *, text_agreement: float = 1.0
) -> float:
    """Expected share of places whose text differs between two repeats (NS appendix A.1).

    At a place where feature f stands with probability q_f, and two texts of one feature are the
    same with probability ``text_agreement`` (sum of p^2 over its paraphrases), it is
    1 - sum_f q_f^2 sum p^2.
    """
    same = (citations.places(features) ** 2).sum(axis=2) * text_agreement
    return float(1 - same.mean())


def overlap(first: CitationLaw, second: CitationLaw) -> ExpectedOverlap:
    """Expected overlap of two components whose explanations are independent given the input.

    If either states its set in any order, a shared pair is concordant with probability 1/2.

    >>> from avowed.endpoints.simulated.citations import certainly
    >>> found = overlap(certainly(np.array([[0, 1, 2]])), certainly(np.array([[1, 0, 5]])))
    >>> found.jaccard, round(found.coefficient, 3), found.ordering
    (0.5, 0.667, 0.0)
    """
    any_order = first.any_order or second.any_order
    one, other = (law.sets() if law.any_order else law for law in (first, second))
    width = one.width
    shared = np.zeros(width + 1)
    concordant = enough = 0.0
    for a, b, weight in _joined(one, other):
        same = a[:, :, None] == b[:, None, :]
        number = same.sum(axis=(1, 2))
        shared += np.bincount(number, weights=weight, minlength=width + 1)
        pairs = number * (number - 1) / 2
        there = pairs > 0
        enough += float(weight[there].sum())
        if any_order:
            concordant += 0.5 * float(weight[there].sum())
            continue
        place = np.where(same.any(axis=2), same.argmax(axis=2), -1)
        agree = np.zeros(len(weight))
        for i in range(width):
            for j in range(i + 1, width):
                agree += (place[:, i] >= 0) & (place[:, j] > place[:, i])
        concordant += float(weight[there] @ (agree[there] / pairs[there]))
    inputs = int(one.row[-1]) + 1
    shared /= inputs
    number = np.arange(width + 1)
    return ExpectedOverlap(
        jaccard=float(shared @ (number / (2 * width - number))),
        coefficient=float(shared @ (number / width)),
        ordering=concordant / enough if enough > 0 else float("nan"),
        shared=shared,
    )


def _joined(
    first: CitationLaw, second: CitationLaw, size: int = 500_000
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Floats]]:
    """Every pair of citations of one input with its probability, in pieces that fit into memory."""
    start = np.searchsorted(second.row, first.row)
    number = np.searchsorted(second.row, first.row, side="right") - start
    step = max(1, size // int(number.max()))
    for begin in range(0, len(first.row), step):
        own = np.arange(begin, min(begin + step, len(first.row)))
        mine = np.repeat(own, number[own])
        within = np.arange(mine.size) - np.repeat(number[own].cumsum() - number[own], number[own])
        theirs = start[mine] + within
        weight = first.probability[mine] * second.probability[theirs]
        yield first.cited[mine], second.cited[theirs], weight
