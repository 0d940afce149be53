"""The inputs of a use case with every modification of them, made once for all components."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.inputs import Inputs
from avowed.factors.interventions import (
    INTERVENTIONS,
    BinarySimilar,
    FixedPoint,
    intervene,
)
from avowed.factors.usecase import UseCase


@dataclass(frozen=True)
class Prepared:
    """I inputs with F features, and what becomes of them under each intervention.

    Attributes:
        case: the use case.
        inputs: the original inputs, codes (I, F).
        codes: per intervention (I, F, F): input i with feature f treated; the last axis is the
            feature whose code it is.
        constructible: per intervention (I, F): False where f cannot be treated in i.
    """

    case: UseCase
    inputs: Inputs
    codes: Mapping[str, NDArray[np.int16]]
    constructible: Mapping[str, NDArray[np.bool_]]

    @property
    def active(self) -> NDArray[np.bool_]:
        """Features that are there in the original inputs, (I, F)."""
        return np.asarray(self.inputs.active)


def prepared(
    case: UseCase,
    inputs: Inputs,
    *,
    names: tuple[str, ...] = INTERVENTIONS,
    fixed_point: FixedPoint = "not constructible",
    binary_similar: BinarySimilar = "unchanged",
) -> Prepared:
    """Apply every intervention to every feature of every input (NS 3.3, 3.4, appendix C).

    The two switches are those of `avowed.factors.interventions.intervene`.
    """
    codes, constructible = {}, {}
    for name in names:
        made = [
            intervene(case, inputs, f, name, fixed_point=fixed_point, binary_similar=binary_similar)
            for f in range(len(case.features))
        ]
        codes[name] = np.stack([one.codes for one in made], axis=1)
        constructible[name] = np.stack([one.constructible for one in made], axis=1)
    return Prepared(case, inputs, codes, constructible)
