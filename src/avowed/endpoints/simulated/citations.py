"""The law of an explanation: every ordered citation that may occur, with its probability."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class CitationLaw:
    """N possible citations of C features each, for I inputs.

    Attributes:
        row: the input of each possibility, in ascending order, (N,).
        cited: feature indices, first cited first, (N, C).
        probability: sums to 1 within an input, (N,).
        any_order: the C! orders of a set are equally likely.
    """

    row: NDArray[np.int64]
    cited: NDArray[np.int64]
    probability: NDArray[np.float64]
    any_order: bool = False

    @property
    def width(self) -> int:
        """C, the number of features cited."""
        return int(self.cited.shape[1])

    def sample(self, uniform: NDArray[np.float64]) -> NDArray[np.int64]:
        """Draw citations with uniform numbers (I, R); returns (I, R, C)."""
        inputs = np.arange(len(uniform))
        first = np.searchsorted(self.row, inputs)
        last = np.searchsorted(self.row, inputs, side="right") - 1
        # Totals within each input, put one after the other: input i covers i to i + 1.
        upto = self.probability.cumsum()
        before = (upto[first] - self.probability[first])[self.row]
        total = (upto[last][self.row]) - before
        edges = self.row + (upto - before) / total
        chosen = np.searchsorted(edges, inputs[:, None] + uniform, side="right")
        return np.asarray(self.cited[np.minimum(chosen, last[:, None])])

    def places(self, features: int) -> NDArray[np.float64]:
        """Probability that feature f stands at place c, (I, C, F)."""
        inputs = int(self.row[-1]) + 1
        found = np.zeros((inputs, self.width, features))
        for place in range(self.width):
            np.add.at(found[:, place], (self.row, self.cited[:, place]), self.probability)
        return found

    def frequency(self, features: int) -> NDArray[np.float64]:
        """Probability that feature f is cited, (I, F)."""
        return np.asarray(self.places(features).sum(axis=1))

    def sets(self) -> "CitationLaw":
        """The same law without the order: features ascending, equal sets merged."""
        order = np.sort(self.cited, axis=1)
        # One whole number per input and set: sorting numbers is far faster than sorting rows.
        size = int(order.max()) + 1
        number = self.row.copy()
        for place in range(self.width):
            number = number * size + order[:, place]
        _, first, position = np.unique(number, return_index=True, return_inverse=True)
        probability = np.bincount(position.reshape(-1), weights=self.probability)
        return CitationLaw(
            self.row[first], order[first], probability.astype(np.float64), self.any_order
        )


def certainly(cited: NDArray[np.int64]) -> CitationLaw:
    """The law that is sure of one citation per input, given as (I, C).

    >>> certainly(np.array([[2, 0, 1]])).frequency(4).tolist()
    [[1.0, 1.0, 1.0, 0.0]]
    """
    return CitationLaw(np.arange(len(cited)), cited, np.ones(len(cited)))
