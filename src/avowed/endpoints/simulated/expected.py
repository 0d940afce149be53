"""What the estimators of the paper give a component on average, by exact enumeration.

Given the original decision y all calls are independent, so the score of a feature from T trials has
a law that can be written down, and statistics of three or eighteen scores can be summed over it.
The estimate of a noisy component is compared with this, not with the statistic of its true scores:
with softmax truths .9, .5 and .1, perfectly ranked, rank agreement at T = 3 is .90 and not 1.

An estimator that leaves responses out is a ratio; its value here is the expected sum over the
expected number kept, as for many inputs.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.citations import CitationLaw
from avowed.endpoints.simulated.laws import Laws
from avowed.endpoints.simulated.score_laws import (
    ScoreLaw,
    agreement_table,
    halved_sum,
    score_law,
)
from avowed.endpoints.simulated.truth import SUFFICIENCY

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Expected:
    """An expected statistic: ``value`` over the responses kept, NaN if none is.

    ``excluded`` is the expected share of responses left out because it is undefined there.
    """

    value: float
    excluded: float


def rank_agreement(
    laws: Laws,
    citations: CitationLaw,
    criterion: str,
    *,
    primary: str,
    decision: NDArray[np.int64] | None = None,
    invalid: float = 0.0,
) -> Expected:
    """E[rho] of stated importance with the scores of the three cited features (NS 3.5).

    Args:
        laws: of the component, noise included.
        citations: the law of its explanations.
        criterion: necessity, sufficiency or mean, (PN + PS) / 2.
        primary: the intervention behind necessity.
        decision: the observed original decisions, (I,); None averages over them.
        invalid: probability per call that the response does not count.

    A response with an unscored cited feature, or with three equal scores, is excluded.
    """
    law = citations.sets() if citations.any_order else citations
    total = kept = 0.0
    for weight, scores in _given(laws, criterion, primary, decision, invalid):
        table = agreement_table(scores.values)
        if citations.any_order:
            # Every order of a set is as likely, so its statistic is the mean over them.
            table = _symmetric(table)
        defined = ~np.isnan(table)
        own = weight[law.row] * law.probability
        for chosen in _chunks(own):
            joint = [scores.law[law.row[chosen], law.cited[chosen, place]] for place in range(3)]
            total += float(own[chosen] @ _mean_over(joint, np.where(defined, table, 0.0)))
            kept += float(own[chosen] @ _mean_over(joint, defined.astype(np.float64)))
    inputs = len(laws.original)
    return Expected(total / kept if kept > 1e-12 else np.nan, 1 - kept / inputs)


def uncited_rate(
    laws: Laws,
    citations: CitationLaw,
    criterion: str,
    *,
    primary: str,
    decision: NDArray[np.int64] | None = None,
    invalid: float = 0.0,
) -> float:
    """Probability that an uncited feature scores above the lowest cited one (NS 3.5).

    Arguments as in `rank_agreement`. An unscored cited feature counts 0; without an eligible
    uncited feature there is no omission.
    """
    law = citations.sets()
    total = 0.0
    for weight, scores in _given(laws, criterion, primary, decision, invalid):
        # Values ascend behind the unscored one, which stands below all scores when uncited.
        at_most = scores.law.cumsum(axis=2)
        zero = scores.law[:, :, 1:].copy()
        zero[:, :, 0] += scores.law[:, :, 0]
        at_least = zero[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
        own = weight[law.row] * law.probability
        for chosen in _chunks(own):
            row, cited = law.row[chosen], law.cited[chosen]
            lowest = np.prod([at_least[row, cited[:, c]] for c in range(law.width)], axis=0)
            is_lowest = lowest - np.column_stack([lowest[:, 1:], np.zeros(len(row))])
            highest = np.ones((len(row), at_most.shape[2] - 1))
            for f in range(at_most.shape[1]):
                outside = ~(cited == f).any(axis=1)
                highest[outside] *= at_most[row[outside], f, 1:]
            total += float(own[chosen] @ (is_lowest * (1 - highest)).sum(axis=1))
    return max(total, 0.0) / len(laws.original)


def _given(
    laws: Laws, criterion: str, primary: str, decision: NDArray[np.int64] | None, invalid: float
) -> Iterator[tuple[Floats, ScoreLaw]]:
    """For every decision y: the probability of it per input, and the laws of the scores.

    Decisions that lead to the same laws come together, so that the sum over them is short.
    """
    found: list[tuple[Floats, ScoreLaw]] = []
    weights = laws.original if decision is None else np.eye(laws.original.shape[1])[decision]
    for y in range(weights.shape[1]):
        if not (weights[:, y] > 0).any():
            continue
        scores = _scores(laws, SUFFICIENCY if criterion == SUFFICIENCY else primary, y, invalid)
        if criterion == "mean":
            scores = halved_sum(scores, _scores(laws, SUFFICIENCY, y, invalid))
        for place, (weight, known) in enumerate(found):
            if np.allclose(known.law, scores.law, rtol=0, atol=1e-14):
                found[place] = (weight + weights[:, y], known)
                break
        else:
            found.append((weights[:, y], scores))
    yield from found


def _scores(laws: Laws, name: str, y: int, invalid: float) -> ScoreLaw:
    same = laws.modified[name][:, :, :, y]
    hit = same if name == SUFFICIENCY else 1 - same
    return score_law(hit, laws.constructible[name], invalid)


def _symmetric(table: Floats) -> Floats:
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    return np.asarray(np.mean([table.transpose(order) for order in orders], axis=0))


def _mean_over(joint: list[Floats], table: Floats) -> Floats:
    """Sum of a table over the joint law of three independent scores, (N,)."""
    size = len(table)
    last = (joint[0] @ table.reshape(size, -1)).reshape(-1, size, size)
    return np.asarray(np.einsum("nbc,nb,nc->n", last, joint[1], joint[2]))


def _chunks(weight: Floats, size: int = 20_000) -> Iterator[NDArray[np.int64]]:
    """Positions with a weight, in pieces that fit into memory."""
    chosen = np.flatnonzero(weight > 0)
    for start in range(0, chosen.size, size):
        yield chosen[start : start + size]
