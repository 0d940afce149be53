"""The law of every call of a component: the one object that responses and truths come from."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.calls import modified_calls, original_calls
from avowed.endpoints.simulated.noise import noisy
from avowed.endpoints.simulated.prepared import Prepared
from avowed.endpoints.simulated.rules import Rule


@dataclass(frozen=True)
class Laws:
    """Probabilities of the K decisions for every call; calls are independent.

    Attributes:
        original: (I, K); also the law of a repeat.
        modified: per intervention (I, F, T, K).
        constructible: per intervention (I, F); False too where a feature is inactive.
    """

    original: NDArray[np.float64]
    modified: Mapping[str, NDArray[np.float64]]
    constructible: Mapping[str, NDArray[np.bool_]]

    @property
    def trials(self) -> int:
        """The number of trials T."""
        return int(next(iter(self.modified.values())).shape[2])

    def with_noise(self, noise: float) -> "Laws":
        """The same calls with their decisions replaced by chance (`noise.noisy`)."""
        modified = {name: noisy(law, noise) for name, law in self.modified.items()}
        return Laws(noisy(self.original, noise), modified, self.constructible)


def laws_of(rule: Rule, prepared: Prepared, *, trials: int = 3, noise: float = 0.0) -> Laws:
    """Evaluate a rule on the original inputs and on every modification of them.

    Args:
        rule: the decision rule.
        prepared: the inputs and their modifications.
        trials: T, trials per modified input.
        noise: d, the probability per call that another decision is returned.
    """
    case = prepared.case
    inputs, features = prepared.inputs.codes.shape
    modified = {}
    for name in prepared.codes:
        laws = [
            rule.law(case, modified_calls(prepared, name, trial)).reshape(inputs, features, -1)
            for trial in range(trials if rule.by_trial else 1)
        ]
        stacked = np.stack(laws, axis=2)
        modified[name] = np.broadcast_to(stacked, (inputs, features, trials, stacked.shape[3]))
    original = rule.law(case, original_calls(prepared))
    plain = Laws(original, modified, prepared.constructible)
    return plain.with_noise(noise) if noise else plain
