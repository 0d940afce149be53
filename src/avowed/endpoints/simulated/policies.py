"""Explanation policies: which features a component cites, and in which order.

A policy knows the true scores of the component's rule without noise, so that its explanations are
right or wrong by design. Source: definitions, "Decision components with known truth".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.citations import CitationLaw, certainly


@dataclass(frozen=True)
class Context:
    """What a policy sees of I inputs with F features.

    Attributes:
        scores: the true ``necessity`` and ``sufficiency``, (I, F) each; NaN where not defined.
        active: (I, F).
        keys: the F keys.
        cited: the number of features to cite.
    """

    scores: Mapping[str, NDArray[np.float64]]
    active: NDArray[np.bool_]
    keys: tuple[str, ...]
    cited: int

    def order(self, by: str) -> NDArray[np.int64]:
        """Feature indices from the highest true score to the lowest, (I, F).

        Equal scores keep the order of the prompt's list. Features without a score follow, then the
        inactive ones.
        """
        rank = np.where(np.isnan(self.scores[by]), -1.0, self.scores[by])
        rank = np.where(self.active, rank, -2.0)
        # Equal truths may differ in the last bits.
        return np.argsort(-rank.round(9), axis=1, kind="stable")


class Policy(Protocol):
    """An explanation policy."""

    def law(self, context: Context) -> CitationLaw:
        """The law of the citations of every input."""
        ...


@dataclass(frozen=True)
class Order:
    """The features with the highest true scores, highest first, or in reversed order.

    Where exactly three features are active, this cites all of them.
    """

    by: str = "necessity"
    reverse: bool = False

    def law(self, context: Context) -> CitationLaw:
        """One citation per input."""
        best = context.order(self.by)[:, : context.cited]
        return certainly(best[:, ::-1] if self.reverse else best)


@dataclass(frozen=True)
class Ranks:
    """The features at chosen ranks of the true order, 1, 3 and 5: rho +1 and an omission.

    Ranks beyond the active features fall on inactive ones, in the order of the prompt's list.
    """

    ranks: tuple[int, ...] = (1, 3, 5)
    by: str = "necessity"

    def law(self, context: Context) -> CitationLaw:
        """One citation per input."""
        return certainly(context.order(self.by)[:, np.asarray(self.ranks) - 1])


@dataclass(frozen=True)
class Shuffled:
    """The right set in random order."""

    by: str = "necessity"

    def law(self, context: Context) -> CitationLaw:
        """Every order of the right set, equally likely."""
        best = context.order(self.by)[:, : context.cited]
        orders = np.array(list(permutations(range(context.cited))))
        inputs = np.repeat(np.arange(len(best)), len(orders))
        cited = best[:, orders].reshape(-1, context.cited)
        return CitationLaw(inputs, cited, np.full(len(cited), 1 / len(orders)), any_order=True)


@dataclass(frozen=True)
class Random:
    """Active features at random, each ordered choice equally likely."""

    def law(self, context: Context) -> CitationLaw:
        """Every ordered choice of active features.

        Raises:
            ValueError: an input has fewer active features than are cited.
        """
        choices = np.array(list(permutations(range(len(context.keys)), context.cited)))
        allowed = context.active[:, choices].all(axis=2)
        number = allowed.sum(axis=1)
        if not number.all():
            raise ValueError("the random policy needs as many active features as it cites")
        row, choice = np.nonzero(allowed)
        return CitationLaw(row, choices[choice], 1 / number[row], any_order=True)


@dataclass(frozen=True)
class Salience:
    """Features cited with fixed frequencies that have nothing to do with influence.

    An active feature is cited with probability C w_f / sum of w over the active ones, at most 1
    (what exceeds it goes to the others); the cited ones stand in descending order of w. Features
    without a weight have 1. The set is drawn by systematic sampling, which meets the frequencies
    exactly.
    """

    weights: Mapping[str, float]

    def law(self, context: Context) -> CitationLaw:
        """The sets that systematic sampling can give, with the length of their intervals."""
        weights = np.array([self.weights.get(key, 1.0) for key in context.keys])
        upto = self.frequencies(context).cumsum(axis=1)
        inputs, count = len(upto), context.cited
        edges = np.sort(np.column_stack([np.zeros(inputs), upto % 1, np.ones(inputs)]), axis=1)
        width = np.diff(edges, axis=1)
        row, interval = np.nonzero(width > 1e-9)
        start = (edges[:, :-1] + width / 2)[row, interval]
        marks = start[:, None] + np.arange(count)
        chosen = (upto[row][:, None, :] <= marks[:, :, None]).sum(axis=2)
        stated = np.argsort(-weights[chosen], axis=1, kind="stable")
        probability = width[row, interval]
        total = np.bincount(row, weights=probability)
        return CitationLaw(
            row, np.take_along_axis(chosen, stated, axis=1), probability / total[row]
        )

    def frequencies(self, context: Context) -> NDArray[np.float64]:
        """Probability that a feature is cited, (I, F); each row sums to the number cited."""
        weights = np.array([self.weights.get(key, 1.0) for key in context.keys])
        weights = np.where(context.active, weights, 0.0)
        sure = np.zeros(weights.shape, dtype=bool)
        for _ in range(context.cited + 1):
            left = context.cited - sure.sum(axis=1, keepdims=True)
            rest = np.where(sure, 0.0, weights)
            # With every active feature sure nothing is left to share out.
            sums = np.maximum(rest.sum(axis=1, keepdims=True), 1e-300)
            found = np.where(sure, 1.0, left * rest / sums)
            sure = found >= 1
        return np.asarray(found)


@dataclass(frozen=True)
class Inactive:
    """Another policy whose last citation is replaced by an inactive category with a rate.

    The inactive categories of an input are equally likely; an input without one stays as it is.
    """

    of: Policy
    rate: float

    def law(self, context: Context) -> CitationLaw:
        """The other policy's law, and the same with every inactive category at the end."""
        base = self.of.law(context)
        absent = ~context.active[base.row]
        # A category that the other policy cites already would stand there twice.
        absent[np.arange(len(absent))[:, None], base.cited] = False
        number = absent.sum(axis=1)
        source, category = np.nonzero(absent)
        swapped = base.cited[source].copy()
        swapped[:, -1] = category
        share = np.where(number > 0, self.rate, 0.0)
        row = np.concatenate([base.row, base.row[source]])
        cited = np.concatenate([base.cited, swapped])
        probability = np.concatenate(
            [
                base.probability * (1 - share),
                base.probability[source] * self.rate / number[source],
            ]
        )
        order = np.argsort(row, kind="stable")
        kept = order[probability[order] > 0]
        return CitationLaw(row[kept], cited[kept], probability[kept])


@dataclass(frozen=True)
class Pair:
    """A partner of another policy: shares ``overlap`` of its features, in the same order or not.

    It cites the first ``overlap`` features of the other explanation, then features that are not
    in it: active ones first, in the order of the prompt's list.
    """

    of: Policy
    overlap: int
    reverse: bool = False

    def law(self, context: Context) -> CitationLaw:
        """One citation per citation of the other policy.

        Raises:
            ValueError: there are too few features outside the other explanation.
        """
        base = self.of.law(context)
        shared = base.cited[:, : self.overlap]
        shared = shared[:, ::-1] if self.reverse else shared
        outside = np.ones((len(base.row), len(context.keys)), dtype=bool)
        outside[np.arange(len(outside))[:, None], base.cited] = False
        wanted = base.width - self.overlap
        if outside.sum(axis=1).min() < wanted:
            raise ValueError(f"a pair with overlap {self.overlap} needs {wanted} other features")
        rank = np.where(outside, np.where(context.active[base.row], 0, 1), 2)
        others = np.argsort(rank, axis=1, kind="stable")[:, :wanted]
        return CitationLaw(base.row, np.column_stack([shared, others]), base.probability)


@dataclass(frozen=True)
class FullRanking:
    """All features from the highest true score down, two ranks swapped with a rate (NS 4.5)."""

    by: str = "necessity"
    swap: tuple[int, int] = (3, 4)
    rate: float = 0.0

    def law(self, context: Context) -> CitationLaw:
        """The true order, and the order with the planted inversion; width F."""
        order = context.order(self.by)
        first, second = (rank - 1 for rank in self.swap)
        inverted = order.copy()
        inverted[:, [first, second]] = order[:, [second, first]]
        inputs, features = order.shape
        law = CitationLaw(
            np.repeat(np.arange(inputs), 2),
            np.stack([order, inverted], axis=1).reshape(-1, features),
            np.tile([1 - self.rate, self.rate], inputs),
        )
        kept = law.probability > 0
        return CitationLaw(law.row[kept], law.cited[kept], law.probability[kept])
