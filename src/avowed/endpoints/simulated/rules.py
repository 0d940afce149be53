"""Decision rules that look at the input alone: noise-free, so that their truth is known.

A rule gives every call its law over the K decisions; for all but the softmax that is certainty of
one decision. A value enters as its strength in [0, 1]: its place in the feature's pool, or 1 for a
segment that is present. A removed value or an absent segment has strength 0.

Source: definitions, "Decision components with known truth".
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.calls import Calls
from avowed.factors.usecase import UseCase


class Rule(Protocol):
    """A decision rule.

    ``by_trial`` says whether the law depends on the number of the trial.
    """

    by_trial: ClassVar[bool]

    def law(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """Probability of every decision for every call, (N, K)."""
        ...

    def keys(self) -> tuple[str, ...]:
        """The features that the rule names."""
        ...


class ScoredRule(ABC):
    """A rule that gives every decision a score and takes the highest, the first one of equals."""

    by_trial: ClassVar[bool] = False

    @abstractmethod
    def scores(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """Score of every decision for every call, (N, K)."""

    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The features that the rule names."""

    def law(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """Certainty of the decision with the highest score, (N, K)."""
        # Scores are sums of a few terms; equal ones may differ in the last bits.
        return certain(self.scores(case, calls).round(9).argmax(axis=1), len(case.decisions))


def certain(decision: NDArray[np.int64], decisions: int) -> NDArray[np.float64]:
    """The law that is sure of one decision per call, (N, K).

    >>> certain(np.array([1, 0]), 2).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return np.asarray(np.eye(decisions)[decision])


def strengths(case: UseCase, feature: int) -> NDArray[np.float64]:
    """Strength of every value of a feature, with a last 0 that stands for no value.

    Negative codes index from the end, so an array of codes clipped at -1 gathers it directly.
    """
    count = len(case.features[feature].values)
    if case.kind == "segments":
        values = np.ones(count)
    else:
        values = np.linspace(0, 1, count) if count > 1 else np.ones(1)
    return np.append(values, 0.0)


def _gather(table: NDArray[np.float64], codes: NDArray[np.int16]) -> NDArray[np.float64]:
    return np.asarray(table[np.maximum(codes, -1)])


@dataclass(frozen=True)
class Single(ScoredRule):
    """One feature decides alone.

    In a profile the values are spread evenly over all decisions but the last, which is the one for
    an unknown value. Among segments: the highest decision if the segment is there, else the lowest.
    """

    feature: str

    def keys(self) -> tuple[str, ...]:
        """The deciding feature."""
        return (self.feature,)

    def scores(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """1 for the decision of the feature's value, 0 for all others."""
        codes, last = calls.codes[:, case.index(self.feature)], len(case.decisions) - 1
        if case.kind == "segments":
            return certain(np.where(codes >= 0, last, 0), last + 1)
        values = len(case.features[case.index(self.feature)].values)
        spread = codes.astype(np.int64) * max(last, 2) // values
        return certain(np.where(codes >= 0, spread, last), last + 1)


@dataclass(frozen=True)
class Linear(ScoredRule):
    """A weighted sum of affinities: score_j = sum_f w_f (1 - \\|s_f - t_fj\\|).

    s_f is the strength of f's value and t_fj the place on f's scale that suits decision j best.
    The places of the K decisions are 0, 1/(K-1), ..., 1 in an order that differs from feature to
    feature: t_fj = ((j m_f + f) mod K) / (K - 1), m_f the f-th number that has no divisor with K.
    A feature without a value adds nothing.
    """

    weights: Mapping[str, float]

    def keys(self) -> tuple[str, ...]:
        """The features with a weight."""
        return tuple(self.weights)

    def scores(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """The weighted sums, (N, K)."""
        decisions = len(case.decisions)
        total = np.zeros((len(calls.codes), decisions))
        for key, weight in self.weights.items():
            f = case.index(key)
            affinity = 1 - np.abs(strengths(case, f)[:, None] - best_places(f, decisions))
            affinity[-1] = 0
            total += weight * _gather(affinity, calls.codes[:, f])
        return total


def best_places(feature: int, decisions: int) -> NDArray[np.float64]:
    """The place on a feature's scale that suits each decision best, (K,); see `Linear`.

    >>> best_places(0, 3).tolist(), best_places(1, 3).tolist()
    ([0.0, 0.5, 1.0], [0.5, 0.0, 1.0])
    """
    coprime = [m for m in range(1, decisions + 1) if gcd(m, decisions) == 1]
    step = coprime[feature % len(coprime)]
    places = (np.arange(decisions) * step + feature) % decisions
    return np.asarray(places / max(decisions - 1, 1))


class LevelRule(ScoredRule):
    """A rule that computes a level on the ordered decisions 0 to K - 1."""

    @abstractmethod
    def level(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """The level of every call before clipping, (N,)."""

    def scores(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """Minus the distance to the clipped level: the nearest decision wins, the lower of two."""
        decisions = len(case.decisions)
        clipped = np.clip(self.level(case, calls), 0, decisions - 1)
        return -np.abs(clipped[:, None] - np.arange(decisions))


@dataclass(frozen=True)
class Additive(LevelRule):
    """level = start + sum_f points_f s_f, clipped to the ends of the scale.

    Points of a segment may be a list: one number per expression of the category, from the front
    again if there are more expressions.
    """

    points: Mapping[str, float | tuple[float, ...]]
    start: float = 0.0

    def keys(self) -> tuple[str, ...]:
        """The features with points."""
        return tuple(self.points)

    def level(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """The sum of points, (N,)."""
        total = np.full(len(calls.codes), float(self.start))
        for key, points in self.points.items():
            f = case.index(key)
            strength = strengths(case, f)
            each = np.resize(np.asarray(points, dtype=np.float64), strength.size)
            total += _gather(each * strength, calls.codes[:, f])
        return total


@dataclass(frozen=True)
class Maximum(LevelRule):
    """level = the highest severity_f s_f there is, at least ``start``.

    Two segments of the highest severity are redundant: removing one changes nothing (PN 0), and
    each is enough alone (PS 1).
    """

    severities: Mapping[str, float]
    start: float = 0.0

    def keys(self) -> tuple[str, ...]:
        """The features with a severity."""
        return tuple(self.severities)

    def level(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """The highest severity, (N,)."""
        highest = np.full(len(calls.codes), float(self.start))
        for key, severity in self.severities.items():
            f = case.index(key)
            reached = severity * _gather(strengths(case, f), calls.codes[:, f])
            highest = np.maximum(highest, reached)
        return highest


@dataclass(frozen=True)
class Conjunction(ScoredRule):
    """``then`` if at least ``least`` of the features have a strength of one half, else ``other``.

    ``least`` None asks for all of them (AND): each is necessary (PN 1), none is enough (PS 0).
    """

    features: tuple[str, ...]
    then: str
    other: str
    least: int | None = None

    def keys(self) -> tuple[str, ...]:
        """The features that have to come together."""
        return self.features

    def scores(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """1 for the decision, 0 for all others."""
        met = np.zeros(len(calls.codes), np.int64)
        for key in self.features:
            f = case.index(key)
            met += _gather(strengths(case, f), calls.codes[:, f]) >= 0.5
        wanted = len(self.features) if self.least is None else self.least
        then, other = case.decisions.index(self.then), case.decisions.index(self.other)
        return certain(np.where(met >= wanted, then, other), len(case.decisions))


@dataclass(frozen=True)
class Constant(ScoredRule):
    """The same decision whatever the input: PN 0, PS 1, every rank agreement undefined."""

    decision: str

    def keys(self) -> tuple[str, ...]:
        """No feature."""
        return ()

    def scores(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """1 for the decision, 0 for all others."""
        only = np.full(len(calls.codes), case.decisions.index(self.decision))
        return certain(only, len(case.decisions))


@dataclass(frozen=True)
class Softmax:
    """P(j) proportional to exp(score_j / temperature), the scores those of another rule.

    Graded influence: the true PN and PS lie between 0 and 1.
    """

    of: ScoredRule
    temperature: float
    by_trial: ClassVar[bool] = False

    def keys(self) -> tuple[str, ...]:
        """The features of the rule behind the scores."""
        return self.of.keys()

    def law(self, case: UseCase, calls: Calls) -> NDArray[np.float64]:
        """The softmax of the scores, (N, K)."""
        scaled = self.of.scores(case, calls) / self.temperature
        weight = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))
