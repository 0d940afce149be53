"""The uncited comparison with selection and scoring on different trials (definitions NS 13).

A feature that was picked because its trials came out high scores high on those trials. Here the
highest uncited and the lowest cited feature are picked on one trial and compared on the others,
so that noise between trials cannot favour either.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Statistic, mean_of, statistics
from avowed.factors.outcomes import trial_outcomes
from avowed.factors.scored import NONE, Scored
from avowed.factors.scores import at_cited, uncited
from avowed.factors.settings import FactorSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SplitTrials:
    """Held-out comparison per input, each a mean over the splits that count there.

    Attributes:
        difference: held-out score of the picked uncited feature minus that of the picked cited
            one, shape (I,); NaN where no split counts.
        higher: probability that the uncited one is strictly higher, shape (I,).
        lower: probability that it is strictly lower, shape (I,).
        splits: number of splits that count, shape (I,).
        trials: T, the trials of a modified input.
    """

    difference: Floats
    higher: Floats
    lower: Floats
    splits: NDArray[np.int64]
    trials: int

    @property
    def net(self) -> Floats:
        """P(higher) - P(lower) per input, shape (I,)."""
        return self.higher - self.lower

    @property
    def inputs(self) -> int:
        """Number of inputs with at least one split that counts."""
        return int((self.splits > 0).sum())


def _mean_difference(high: Floats, low: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean of u - c, of u > c and of u < c over all pairs of one of each, per row, NaN skipped."""
    gap = high[:, :, None] - low[:, None, :]
    there = ~np.isnan(gap)
    pairs = np.maximum(there.sum(axis=(1, 2)), 1)
    total = np.where(there, gap, 0.0).sum(axis=(1, 2))
    return total / pairs, (gap > 0).sum(axis=(1, 2)) / pairs, (gap < 0).sum(axis=(1, 2)) / pairs


def split_trials(
    scored: Scored, intervention: str, *, unscored_cited_value: float = 0.0
) -> SplitTrials:
    """Pick on one trial, score on the other T - 1, and average the T splits.

    In a split, a feature can be picked if the picking trial and at least one other trial of it are
    valid. The uncited features with the highest picking trial and the cited ones with the lowest
    are compared by their scores over the valid other trials. One trial is 0 or 1, so there are
    often several: then the mean over all pairs of them is taken, which is the expected value of
    breaking ties by lot. A cited feature that is inactive or has no valid trial at all has a
    fixed value on both sides, 0, as in the comparison on all trials. A split counts where there is
    an uncited and a cited feature to pick; an input without one has no value.

    Exchangeable features with independent trials give an expected difference of 0 and
    P(higher) = P(lower), which is why the net figure is reported: P(higher) alone is not 0. What
    the trials of one input share is not removed. All of them are compared with one response y, so
    a y that is itself a chance draw makes the same features look influential on every trial.

    Args:
        scored: the component's responses.
        intervention: ``contrast``, ``blank`` or ``similar`` for PN; ``sufficiency`` for PS, where
            a trial counts 1 if it preserves the decision.
        unscored_cited_value: that fixed value (NS 3.5: 0).

    Raises:
        ValueError: there are fewer than two trials to split.

    Source: definitions NS 13; the comparison is NS 3.5.
    """
    outcome = trial_outcomes(scored, intervention)
    trials = outcome.shape[2]
    if trials < 2:
        raise ValueError(f"{intervention}: {trials} trial(s); a split needs at least two")
    others = np.where(uncited(scored)[:, :, None], outcome, np.nan)
    named = np.stack([at_cited(outcome[:, :, t], scored.cited) for t in range(trials)], axis=2)
    fixed = (scored.cited != NONE) & np.isnan(named).all(axis=2)
    named = np.where(fixed[:, :, None], unscored_cited_value, named)
    sums = np.zeros((3, scored.inputs))
    splits = np.zeros(scored.inputs, dtype=np.int64)
    for trial in range(trials):
        high = _picked(others, trial, highest=True)
        low = _picked(named, trial, highest=False)
        counts = ~np.isnan(high).all(axis=1) & ~np.isnan(low).all(axis=1)
        sums += np.where(counts, np.stack(_mean_difference(high, low)), 0.0)
        splits += counts
    means = np.divide(sums, splits, out=np.full_like(sums, np.nan), where=splits > 0)
    return SplitTrials(
        difference=means[0], higher=means[1], lower=means[2], splits=splits, trials=trials
    )


def _picked(outcome: Floats, trial: int, *, highest: bool) -> Floats:
    """Held-out scores of the features that a trial picks, NaN for all others, (I, features)."""
    rest = np.delete(outcome, trial, axis=2)
    valid = (~np.isnan(rest)).sum(axis=2)
    held_out = np.divide(
        np.nansum(rest, axis=2), valid, out=np.full(valid.shape, np.nan), where=valid > 0
    )
    choice = np.where(valid > 0, outcome[:, :, trial], np.nan)
    worst = -np.inf if highest else np.inf
    filled = np.where(np.isnan(choice), worst, choice)
    best = (filled.max if highest else filled.min)(axis=1, keepdims=True, initial=worst)
    return np.where((filled == best) & ~np.isnan(choice), held_out, np.nan)


def split_trial_statistics(
    scored: Scored,
    intervention: str,
    weights: Floats,
    settings: FactorSettings,
    *,
    criterion: str,
) -> list[Statistic]:
    """Means over inputs of the held-out comparison, with their resamples.

    Args:
        scored: the component's responses.
        intervention: as in ``split_trials``.
        weights: of ``draw_weights``, shape (1 + B, I).
        settings: the value of an unscored citation.
        criterion: ``necessity`` or ``sufficiency``, put behind the quantity's name.

    Returns:
        ``split_difference_<criterion>`` and ``split_net_<criterion>``; none with one trial.
    """
    if scored.changed[intervention].shape[2] < 2:
        return []
    found = split_trials(scored, intervention, unscored_cited_value=settings.unscored_cited_value)
    left_out = int(scored.explained.sum()) - found.inputs
    note = (
        f"picked on one of {found.trials} trials, scored on the others; "
        f"{int(found.splits.sum())} splits, {left_out} responses without one"
    )
    return statistics(
        [
            mean_of(
                f"split_{name}_{criterion}",
                scored.component,
                values,
                lowest=-1.0,
                highest=1.0,
                note=note,
            )
            for name, values in (("difference", found.difference), ("net", found.net))
        ],
        weights,
    )
