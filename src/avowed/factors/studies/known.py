"""A component whose truth is known, as arrays: the law of every call, and what follows from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import NONE, Scored, scored_from

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Draws one explanation per response: (generator, input of each response (N,)) -> (N, C).
Cite = Callable[[np.random.Generator, Indices], NDArray[np.integer]]


@dataclass(frozen=True, kw_only=True)
class Known:
    """A component on I inputs with F features and K decisions.

    Attributes:
        name: the component.
        use_case: the use case, part of the random streams.
        keys: the F feature keys.
        primary: the intervention behind necessity.
        active: (I, F).
        original: law of the decision on the unchanged input, noise included, (I, K).
        modified: per intervention (I, F, T, K); calls are independent given the inputs.
        constructible: per intervention (I, F).
        cite: draws the explanations, also those that name inactive features.
        truths: quantity and rank -> true value of it, over all I inputs.
        invalid: probability per call that the response does not count.
        misexplained: probability that an explanation is invalid.
    """

    name: str
    use_case: str
    keys: tuple[str, ...]
    primary: str
    active: NDArray[np.bool_]
    original: Floats
    modified: Mapping[str, Floats]
    constructible: Mapping[str, NDArray[np.bool_]]
    cite: Cite
    truths: Mapping[tuple[str, int | None], float] = field(default_factory=dict)
    invalid: float = 0.0
    misexplained: float = 0.0

    def respond(self, rng: np.random.Generator, rows: Indices, *, repeats: int) -> Scored:
        """Answer every call on the inputs ``rows`` anew; an input may stand there twice.

        Args:
            rng: fresh noise for decisions, explanations and broken responses.
            rows: which of the I inputs, (N,).
            repeats: repeats of the unchanged input.
        """
        first = self._decide(rng, self.original[rows])
        again = self._decide(rng, np.repeat(self.original[rows][:, None], repeats, axis=1))
        cited = np.asarray(self.cite(rng, rows)).copy()
        cited[rng.random(rows.size) < self.misexplained] = NONE
        decisions = {}
        for name, law in self.modified.items():
            drawn = self._decide(rng, law[rows])
            there = self.constructible[name][rows] & self.active[rows]
            decisions[name] = np.where(there[:, :, None], drawn, NONE)
        return scored_from(
            component=self.name,
            keys=self.keys,
            active=self.active[rows],
            original=first,
            cited=cited,
            decisions=decisions,
            repeats=again,
        )

    def _decide(self, rng: np.random.Generator, law: Floats) -> NDArray[np.int16]:
        """One decision per law, -1 where the response does not count; (..., K) to (...)."""
        upto = law.cumsum(axis=-1)
        # Sums of probabilities end a few bits beside 1; scaled to it, no decision is off the end.
        uniform = rng.random(law.shape[:-1]) * upto[..., -1]
        drawn = np.zeros(law.shape[:-1], dtype=np.int16)
        for decision in range(law.shape[-1] - 1):
            drawn += uniform >= upto[..., decision]
        if self.invalid:
            drawn[rng.random(drawn.shape) < self.invalid] = NONE
        return drawn
