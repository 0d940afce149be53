"""What a rule may know of the calls it answers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.prepared import Prepared

#: Feature of a call on the unchanged input.
NO_FEATURE = -1


@dataclass(frozen=True)
class Calls:
    """N calls of one kind and one trial.

    Most rules look at ``codes`` alone, as a model sees the prompt alone. The quota and graded
    rules have their effects prescribed for each call, so they look at the rest.

    Attributes:
        kind: original, contrast, blank, similar or sufficiency.
        trial: counted from 0.
        codes: the input as submitted, (N, F): index of the value, negative where there is none.
        base: index of the base request, (N,).
        feature: the feature treated, (N,); -1 for the original.
        source: the original input behind each call, (N, F).
    """

    kind: str
    trial: int
    codes: NDArray[np.int16]
    base: NDArray[np.int16]
    feature: NDArray[np.int64]
    source: NDArray[np.int16]


def original_calls(prepared: Prepared) -> Calls:
    """The calls with unchanged inputs, one per input."""
    inputs = prepared.inputs
    nothing = np.full(len(inputs.ids), NO_FEATURE, np.int64)
    return Calls("original", 0, inputs.codes, inputs.base, nothing, inputs.codes)


def modified_calls(prepared: Prepared, name: str, trial: int) -> Calls:
    """The calls of one intervention in one trial, features of an input together, N = I F."""
    codes = prepared.codes[name]
    inputs, features = codes.shape[:2]
    return Calls(
        name,
        trial,
        codes.reshape(inputs * features, features),
        np.repeat(prepared.inputs.base, features),
        np.tile(np.arange(features, dtype=np.int64), inputs),
        np.repeat(prepared.inputs.codes, features, axis=0),
    )
