"""How many inputs and trials a wanted precision needs (beyond the paper, which fixes 100 and 3).

A mean over inputs varies for two reasons: inputs differ, and the trials of one input differ. More
trials help with the second only.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.stats.intervals import normal_quantile

Floats = NDArray[np.float64]

# A half-width met up to rounding is met: 0.1 must not ask for one input more than 0.1 needs.
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Components:
    """Variance of a per-input value by source, and what follows from it.

    The value of an input from T trials has the variance between + within / T.

    Attributes:
        between: variance of the expected value between inputs; y is one call per input, so its
            noise is in here.
        within: variance between trials of one input.
        defined: share of inputs that have a value; the others do not narrow the mean.
        inputs: inputs with a value behind this estimate.
    """

    between: float
    within: float
    defined: float
    inputs: int

    @property
    def plannable(self) -> bool:
        """Whether there is a variance to plan with.

        Values that are all equal do not say that two inputs are enough; they say nothing.
        """
        return self.defined > 0 and self.between + self.within > 0

    def half_width(self, *, inputs: int, trials: int, confidence: float = 0.95) -> float:
        """z sqrt((between + within / T) / (I defined)), for I inputs of which some have a value."""
        z = normal_quantile(confidence)
        taken = inputs * self.defined
        return z * math.sqrt((self.between + self.within / trials) / taken) if taken else math.nan

    def inputs_needed(
        self, half_width: float, *, trials: int, confidence: float = 0.95
    ) -> int | None:
        """Fewest inputs with at most this half-width at T trials.

        I = z^2 (between + within / T) / (h^2 defined), at least two. None if ``plannable`` is not.

        Raises:
            ValueError: the half-width is not positive or there is no trial.

        >>> Components(between=0.04, within=0.12, defined=1.0, inputs=100).inputs_needed(
        ...     0.1, trials=3
        ... )
        31
        """
        _check(half_width, trials)
        if not self.plannable:
            return None
        z2 = normal_quantile(confidence) ** 2
        needed = z2 * (self.between + self.within / trials) / (half_width**2 * self.defined)
        return max(2, math.ceil(needed - _ROUNDING))

    def trials_needed(
        self, half_width: float, *, inputs: int, confidence: float = 0.95
    ) -> int | None:
        """Fewest trials with at most this half-width on I inputs.

        T = within / (I defined h^2 / z^2 - between). None where no number of trials is enough,
        because the inputs alone differ too much, or if ``plannable`` is not.

        Raises:
            ValueError: the half-width is not positive or there is no input.

        >>> few = Components(between=0.04, within=0.12, defined=1.0, inputs=100)
        >>> few.trials_needed(0.1, inputs=30), few.trials_needed(0.1, inputs=10)
        (4, None)
        """
        _check(half_width, inputs)
        if not self.plannable:
            return None
        allowed = inputs * self.defined * (half_width / normal_quantile(confidence)) ** 2
        if self.within == 0:
            return 1 if self.between <= allowed + _ROUNDING else None
        room = allowed - self.between
        return max(1, math.ceil(self.within / room - _ROUNDING)) if room > 0 else None


def _check(half_width: float, count: int) -> None:
    if not half_width > 0:
        raise ValueError(f"half_width is {half_width}; it must be positive")
    if count < 1:
        raise ValueError(f"{count} trials or inputs; at least one is needed")


def _variance(values: Floats) -> float:
    """Unbiased variance of the values that exist; NaN with fewer than two.

    Equal values have none at all: rounding of their mean would leave some 1e-32, which plans for
    two inputs where nothing is known.
    """
    there = values[~np.isnan(values)]
    if there.size < 2:
        return math.nan
    return 0.0 if there.min() == there.max() else float(there.var(ddof=1))


def components_of_mean(outcomes: Floats) -> Components:
    """Components of the mean of a score that is itself a mean over trials, as PN at a cited rank.

    With s_i the score of input i from n_i valid trials:

        within = mean over inputs with n_i >= 2 of n_i s_i (1 - s_i) / (n_i - 1)
        between = variance of s_i - within * mean of 1 / n_i, not below 0,

    both unbiased but for the cut at 0 (one-way analysis of variance with inputs as a random
    factor). Exact for every number of trials, not only the recorded one.

    Args:
        outcomes: 0 or 1 per input and trial, shape (I, T), NaN where the trial is not valid.

    Source: Searle, Casella and McCulloch (1992), Variance Components, chapter 3.

    >>> found = components_of_mean(np.array([[1.0, 0.0], [1.0, 0.0]]))
    >>> found.between, found.within
    (0.0, 0.5)
    """
    count = (~np.isnan(outcomes)).sum(axis=1)
    scored = count > 0
    score = np.nansum(outcomes, axis=1)[scored] / count[scored]
    several = count[scored] > 1
    n = count[scored][several]
    between, within = math.nan, math.nan
    if n.size:
        within = float((n * score[several] * (1 - score[several]) / (n - 1)).mean())
        between = _variance(score) - within * float((1 / count[scored]).mean())
    return Components(
        between=max(between, 0.0) if not math.isnan(between) else between,
        within=within,
        defined=float(scored.mean()) if scored.size else 0.0,
        inputs=int(scored.sum()),
    )


def components_of_statistic(single: Floats, together: Floats) -> Components:
    """Components of a per-input statistic that is not a mean over trials: rho, or an omission.

    It is computed from each of the T recorded trials alone and from all together. With V_1 the
    mean over trials of its variance between inputs, and V_T that of all trials together,

        between + within = V_1,   between + within / T = V_T,

    both parts not below 0. This is exact for a mean; for rho and omissions it is a line in 1 / T
    through the two ends, which other numbers of trials follow closely but not exactly. What is
    estimated depends on T as well: more trials break ties and change the expected rho and the
    expected uncited rate. ``defined`` is the share at T trials; ties make it smaller at fewer.

    Args:
        single: the statistic from one trial, shape (I, T), NaN where undefined.
        together: from all trials, shape (I,).

    Raises:
        ValueError: fewer than two trials.
    """
    trials = single.shape[1]
    if trials < 2:
        raise ValueError(f"{trials} trial(s); variance between trials needs at least two")
    all_trials = _variance(together)
    each = np.array([_variance(single[:, t]) for t in range(trials)])
    one_trial = float(np.nanmean(each)) if not np.isnan(each).all() else math.nan
    between = (trials * all_trials - one_trial) / (trials - 1)
    within = trials * (one_trial - all_trials) / (trials - 1)
    if not math.isnan(between):
        # At the cut the total at T trials is kept: that is what the data show directly.
        within = min(max(within, 0.0), trials * all_trials)
        between = all_trials - within / trials
    there = ~np.isnan(together)
    return Components(
        between=between,
        within=within,
        defined=float(there.mean()) if there.size else 0.0,
        inputs=int(there.sum()),
    )
