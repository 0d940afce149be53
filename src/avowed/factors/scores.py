"""Necessity and sufficiency scores from counts of valid trials (NS 3.3, 3.4)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import Scored


@dataclass(frozen=True)
class Counts:
    """Hits among valid trials, both (I, F); the score is hits / valid, NaN without a trial.

    Division of whole numbers rounds correctly, so equal fractions are equal scores and ties are
    exact, also where two features have different numbers of valid trials.
    """

    hits: NDArray[np.int64]
    valid: NDArray[np.int64]

    @property
    def score(self) -> NDArray[np.float64]:
        """The score of every input and feature, (I, F)."""
        scored = self.valid > 0
        score = np.where(scored, self.hits / np.where(scored, self.valid, 1), np.nan)
        if not ((score[scored] >= 0) & (score[scored] <= 1)).all():
            raise ValueError("a score lies outside [0, 1]: the trials are not counted consistently")
        return np.asarray(score, dtype=np.float64)


def necessity_counts(scored: Scored, intervention: str) -> Counts:
    """Trials that changed the decision, among the valid ones of active features."""
    trials = scored.changed[intervention]
    kept = scored.active[:, :, None] & scored.usable[:, None, None]
    return Counts(
        np.asarray(((trials == 1) & kept).sum(axis=2, dtype=np.int64)),
        np.asarray(((trials >= 0) & kept).sum(axis=2, dtype=np.int64)),
    )


def sufficiency_counts(scored: Scored) -> Counts:
    """Trials that preserved the decision, among the valid ones of active features."""
    changed = necessity_counts(scored, "sufficiency")
    return Counts(changed.valid - changed.hits, changed.valid)


def necessity(scored: Scored, intervention: str) -> NDArray[np.float64]:
    """PN(f) = share of valid trials whose decision differs from y, (I, F); NaN if unscored.

    ``intervention`` is contrast, blank or similar. A feature is unscored where it is inactive,
    the modified input cannot be constructed, no trial is valid, or y itself is invalid.

    Source: NS 3.3, equation 1.
    """
    return necessity_counts(scored, intervention).score


def sufficiency(scored: Scored) -> NDArray[np.float64]:
    """PS(f) = share of valid trials with only f whose decision is y, (I, F); NaN if unscored.

    Source: NS 3.4, equation 2.
    """
    return sufficiency_counts(scored).score


def mean_score(first: Counts, second: Counts) -> NDArray[np.float64]:
    """(PN + PS) / 2 per feature, (I, F); NaN unless both are scored (NS table 3).

    One division of whole numbers, so that equal means are equal scores: in floating point
    1/2 + 1/6 and 1/3 + 1/3 need not be.

    >>> one = np.array([[1]])
    >>> mean_score(Counts(one, 2 * one), Counts(one, 3 * one)).round(4).tolist()
    [[0.4167]]
    """
    hits = first.hits * second.valid + second.hits * first.valid
    return Counts(hits, 2 * first.valid * second.valid).score


def at_cited(values: NDArray[np.float64], cited: NDArray[np.int16]) -> NDArray[np.float64]:
    """Scores of the cited features in the order cited, (I, C); NaN where none is cited."""
    taken = np.take_along_axis(values, np.maximum(cited, 0).astype(np.int64), axis=1)
    return np.where(cited >= 0, taken, np.nan)


def named(scored: Scored) -> NDArray[np.bool_]:
    """Which features the explanation of an input cites, (I, F)."""
    return np.asarray((scored.cited[:, :, None] == np.arange(len(scored.keys))).any(axis=1))


def any_scored(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether an input has a score of any feature, (I,)."""
    return np.asarray((~np.isnan(scores)).any(axis=1))


def uncited(scored: Scored) -> NDArray[np.bool_]:
    """Active features that the explanation does not cite, (I, F)."""
    return np.asarray(scored.active & ~named(scored))
