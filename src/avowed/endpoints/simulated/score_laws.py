"""The law of a score from T trials, and of the rank agreement of three scores."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ScoreLaw:
    """Probabilities of the values that a score can take.

    Attributes:
        values: ascending; the first is None and stands for unscored, (S,).
        law: (I, F, S).
    """

    values: tuple[Fraction | None, ...]
    law: Floats


def score_law(hit: Floats, scored: NDArray[np.bool_], invalid: float = 0.0) -> ScoreLaw:
    """The law of hits / valid trials.

    Args:
        hit: probability of a hit in each trial, (I, F, T); trials are independent.
        scored: (I, F); False makes a feature surely unscored.
        invalid: probability that a trial does not count.

    >>> law = score_law(np.full((1, 1, 2), 0.5), np.ones((1, 1), bool))
    >>> [(str(value), p) for value, p in zip(law.values, law.law[0, 0].tolist(), strict=True)]
    [('None', 0.0), ('0', 0.25), ('1/2', 0.5), ('1', 0.25)]
    """
    trials = hit.shape[2]
    # state[c, n]: c hits in n valid trials.
    state = np.zeros((trials + 1, trials + 1, *hit.shape[:2]))
    state[0, 0] = 1
    for trial in range(trials):
        chance = hit[:, :, trial]
        after = invalid * state
        after[:, 1:] += (1 - invalid) * (1 - chance) * state[:, :-1]
        after[1:, 1:] += (1 - invalid) * chance * state[:-1, :-1]
        state = after
    least = 1 if invalid else trials
    pairs = [(c, n) for n in range(least, trials + 1) for c in range(n + 1)]
    values = sorted({Fraction(c, n) for c, n in pairs})
    law = np.zeros((*hit.shape[:2], 1 + len(values)))
    for c, n in pairs:
        law[:, :, 1 + values.index(Fraction(c, n))] += state[c, n]
    law[:, :, 0] = state[0, 0]
    law[~scored] = 0
    law[~scored, 0] = 1
    return ScoreLaw((None, *values), law)


def halved_sum(first: ScoreLaw, second: ScoreLaw) -> ScoreLaw:
    """The law of the mean of two independent scores; unscored if either is."""
    pairs = [(a, b) for a in range(len(first.values)) for b in range(len(second.values))]
    halves = {}
    for a, b in pairs:
        one, other = first.values[a], second.values[b]
        halves[a, b] = None if one is None or other is None else (one + other) / 2
    values = sorted({half for half in halves.values() if half is not None})
    law = np.zeros((*first.law.shape[:2], 1 + len(values)))
    for (a, b), half in halves.items():
        place = 0 if half is None else 1 + values.index(half)
        law[:, :, place] += first.law[:, :, a] * second.law[:, :, b]
    return ScoreLaw((None, *values), law)


def agreement_table(values: tuple[Fraction | None, ...]) -> Floats:
    """Spearman of stated importance (3, 2, 1) with three scores, for every triple, (S, S, S).

    Midranks for ties; NaN where the three scores are equal or one is None.

    >>> table = agreement_table((None, Fraction(0), Fraction(1, 2), Fraction(1)))
    >>> [round(float(table[one]), 3) for one in ((3, 2, 1), (1, 2, 3), (3, 1, 1), (2, 2, 2))]
    [1.0, -1.0, 0.866, nan]
    """
    size = len(values)
    place = np.indices((size, size, size))
    # The places ascend with the values, so their ranks are the ranks of the scores.
    below = (place[None] < place[:, None]).sum(axis=1)
    equal = (place[None] == place[:, None]).sum(axis=1)
    ranks = below + (equal + 1) / 2
    away = ranks - 2
    spread = np.sqrt(2 * (away**2).sum(axis=0))
    defined = (spread > 0) & (place > 0).all(axis=0)
    rho = (away[0] - away[2]) / np.where(spread > 0, spread, 1)
    return np.where(defined, rho, np.nan)
