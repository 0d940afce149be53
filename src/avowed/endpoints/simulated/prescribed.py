"""Rules whose effects are prescribed call by call: the quota and the graded rule.

Three trials of a noise-free rule score 0 or 1, so that rank agreement stays at .866 and below.
Exact scores of 1/3 and 2/3, and with them rho = +1, need a rule that knows the trial.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.calls import Calls
from avowed.endpoints.simulated.rules import certain
from avowed.factors.usecase import UseCase

#: Interventions that a prescribed necessity acts on. The similar value changes nothing.
_NECESSITY = ("contrast", "blank")


@dataclass(frozen=True)
class _Prescribed(ABC):
    """What both rules share: the features in order of priority, and a number for each place.

    The first feature of ``order`` that is active in an input gets the first number, and so on;
    active features without a number, and those outside ``order``, get 0.
    """

    order: tuple[str, ...]
    necessity: tuple[float, ...]
    sufficiency: tuple[float, ...]

    def keys(self) -> tuple[str, ...]:
        """The features in order of priority."""
        return self.order

    def law(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """The original decision, or the next one with the probability of a change, (N, K).

        The original decision is the sum of the original codes modulo K, which differs from input
        to input and means nothing.
        """
        decisions = len(case.decisions)
        first = (calls.source.astype(np.int64).sum(axis=1) + calls.base) % decisions
        same = certain(first, decisions)
        changed = certain((first + 1) % decisions, decisions)
        share = self._changes(case, calls)[:, None]
        return (1 - share) * same + share * changed

    def _changes(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """Probability that a call changes the decision, (N,)."""
        if calls.kind in _NECESSITY:
            return self._share(self._numbers(case, calls, self.necessity), calls.trial)
        if calls.kind == "sufficiency":
            return 1 - self._share(self._numbers(case, calls, self.sufficiency), calls.trial)
        return np.zeros(len(calls.codes))

    def _numbers(
        self, case: UseCase, calls: Calls, numbers: tuple[float, ...]
    ) -> NDArray[np.float64]:
        """The prescribed number of the treated feature, (N,)."""
        listed = [case.index(key) for key in self.order]
        active = calls.source[:, listed] >= 0
        place = np.full(calls.source.shape, len(numbers), np.int64)
        place[:, listed] = np.where(active, active.cumsum(axis=1) - 1, len(numbers))
        own = np.minimum(place[np.arange(len(place)), calls.feature], len(numbers))
        return np.asarray(np.append(numbers, 0.0)[own])

    @abstractmethod
    def _share(self, numbers: NDArray[np.float64], trial: int) -> NDArray[np.float64]:
        """Probability that a trial is a hit, from the prescribed numbers, (N,)."""


@dataclass(frozen=True)
class Quota(_Prescribed):
    """Feature f changes (or, alone, preserves) the decision in exactly s_f of the trials.

    It does so in trials 0 to s_f - 1. With T trials PN(f) = min(s_f, T) / T.
    """

    by_trial: ClassVar[bool] = True

    def _share(self, numbers: NDArray[np.float64], trial: int) -> NDArray[np.float64]:
        return (trial < numbers).astype(np.float64)


@dataclass(frozen=True)
class Graded(_Prescribed):
    """Feature f changes (or, alone, preserves) the decision with probability s_f per trial."""

    by_trial: ClassVar[bool] = False

    def _share(self, numbers: NDArray[np.float64], trial: int) -> NDArray[np.float64]:
        return numbers
