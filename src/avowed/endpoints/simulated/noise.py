"""Noise of decisions, its random streams, and how a decision is drawn.

With probability d per call the decision is replaced by a uniform other one of K.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from avowed.stats.seeds import Study, generator, name_id

#: Uniform numbers of one call: the rule's own chance, noise, which other decision, what is broken.
DRAWS = 4


def noisy(law: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    """The law of decisions after noise: (1 - d) P(j) + d (1 - P(j)) / (K - 1).

    >>> noisy(np.array([1.0, 0.0, 0.0]), 0.2).round(3).tolist()
    [0.8, 0.1, 0.1]
    """
    others = law.shape[-1] - 1
    return np.asarray((1 - noise) * law + noise * (1 - law) / others)


def call_draws(
    root: int,
    study: Study,
    stream: Sequence[str],
    ids: Sequence[str],
    shape: tuple[int, ...],
) -> NDArray[np.float64]:
    """Uniform numbers for the calls of one kind, (I, \\*shape).

    Each input has a stream of its own, named by use case, component, kind of call and input, so a
    response is the same in whatever order or chunk it is made. ``shape`` counts trials first: more
    trials leave the numbers of earlier ones as they are.

    Args:
        root: the root seed.
        study: FACTOR_NOISE for decisions, FACTOR_POLICY for explanations.
        stream: use case, component and kind of call.
        ids: the names of the inputs.
        shape: trials, and what each trial needs.
    """
    condition = name_id("\n".join(stream))
    return np.stack([generator(root, study, condition, name_id(one)).random(shape) for one in ids])


def draw_decisions(
    law: NDArray[np.float64], noise: float, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Draw one decision per call: from the noise-free law (N, K), then the noise; (N,).

    ``draws`` are the uniform numbers (N, 4) of `call_draws`; the first three are used.
    """
    decisions = law.shape[1]
    upto = law.cumsum(axis=1)
    # Sums of probabilities end a few bits beside 1: the number is scaled to the sum.
    chosen = (upto[:, :-1] <= draws[:, :1] * upto[:, -1:]).sum(axis=1)
    shift = 1 + (draws[:, 2] * (decisions - 1)).astype(np.int64)
    return np.asarray(np.where(draws[:, 1] < noise, (chosen + shift) % decisions, chosen))
