"""The noise floor: how often the output changes although the input did not (definitions NS 12)."""

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import NONE, Scored

Floats = NDArray[np.float64]


def floor_counts(scored: Scored) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Repeats of the unchanged input that differ from y, and valid repeats, both shape (I,)."""
    kept = (scored.repeats != NONE) & scored.usable[:, None]
    changed = kept & (scored.repeats == 1)
    return changed.sum(axis=1, dtype=np.int64), kept.sum(axis=1, dtype=np.int64)


def noise_floor(scored: Scored) -> Floats:
    """PN of "nothing changed": share of valid repeats whose decision differs from y, shape (I,).

    NaN where y is invalid or no repeat is valid. A PN is read against it: a component that answers
    at random has a high PN for every feature and the same value here.

    Source: definitions NS 12; the paper (NS 3.3) has no such control.
    """
    changed, valid = floor_counts(scored)
    there = valid > 0
    share = np.divide(changed, valid, out=np.full(scored.inputs, np.nan), where=there)
    return np.asarray(share)


def above_floor(scored: Scored, scores: Floats) -> Floats:
    """PN minus the noise floor of the same input, shape (I, F); NaN where either is missing.

    Paired by input, because both are compared with the same response y.
    """
    return np.asarray(scores - noise_floor(scored)[:, None], dtype=np.float64)
