"""Controlled changes of one feature: contrast, blank, similar, sufficiency (NS 3.3-3.6, C)."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from avowed.factors.inputs import ABSENT, BLANK, Inputs
from avowed.factors.usecase import Feature, UseCase

#: The interventions, in the order of tables.
INTERVENTIONS = ("contrast", "blank", "similar", "sufficiency")

#: What to do with the middle value of an odd list, which is its own mirror image.
FixedPoint = Literal["not constructible", "far end"]

#: Whether a binary field has a similar value: itself (as in appendix C), or none.
BinarySimilar = Literal["unchanged", "not constructible"]

#: Why an intervention cannot be constructed.
INACTIVE = "inactive"
FIXED_POINT = "the value is its own mirror image"
BINARY = "a binary field has no similar value"
NO_CONTRAST = "no contrasting category is left"
_REASONS = (None, INACTIVE, FIXED_POINT, BINARY, NO_CONTRAST)


@dataclass(frozen=True)
class Modified:
    """I inputs after one intervention on one feature.

    Attributes:
        codes: (I, F). Where the intervention is not constructible the row is the original's and
            is not to be asked.
        constructible: (I,), whether the modified input exists.
        reason: why not, per input; None where it exists.
    """

    codes: NDArray[np.int16]
    constructible: NDArray[np.bool_]
    reason: tuple[str | None, ...]


def intervene(
    case: UseCase,
    inputs: Inputs,
    feature: int,
    name: str,
    *,
    fixed_point: FixedPoint = "not constructible",
    binary_similar: BinarySimilar = "unchanged",
) -> Modified:
    """Apply one intervention on one feature to every input.

    Contrast. Ordinal, scale and binary: position p of n goes to n - 1 - p (on 1-10, x to 11 - x; a
    binary is flipped). The middle of an odd list is its own image: not constructible, or with
    ``fixed_point="far end"`` the first value, the end that comes first in the pool when both are
    equally far. Categorical and text: the other value sharing the fewest words. Segment: swapped
    for the first category of its contrast list that is not active in the prompt; the expression
    has the same position in that category's pool, counted round if the pool is shorter.
    Blank. Profile: the value becomes [UNKNOWN]. Segment: it is deleted.
    Similar. Ordinal and scale: the next higher value, from the highest the next lower one. Binary:
    unchanged, so that its necessity is a noise floor; with ``binary_similar="not constructible"``
    it has none. Categorical and text: the other value sharing the most words. Segment: the next
    expression of the category, after the last the first.
    Sufficiency. Profile: every other value becomes [UNKNOWN]. Segment: every other one is deleted.

    Words are lower-cased runs of letters, digits and _; each distinct word counts once; ties go to
    the value that comes first in the pool.

    Args:
        case: the use case.
        inputs: the original inputs.
        feature: position of the feature.
        name: one of INTERVENTIONS.
        fixed_point, binary_similar: the two readings that are switches.

    Raises:
        ValueError: ``name`` is not an intervention, or ``feature`` is not a position.

    Source: NS 3.3, 3.4, 3.6 and appendix C; the readings are those of docs/usecases.md.
    """
    if name not in INTERVENTIONS:
        raise ValueError(f"intervention {name!r}; expected one of {', '.join(INTERVENTIONS)}")
    if not 0 <= feature < len(case.features):
        raise ValueError(f"feature {feature}; expected 0 to {len(case.features) - 1}")
    codes, active = inputs.codes.copy(), inputs.active[:, feature]
    why = np.zeros(len(inputs.ids), np.int8)
    removed = np.int16(BLANK if case.kind == "profile" else ABSENT)
    if name == "blank":
        codes[:, feature] = removed
    elif name == "sufficiency":
        others = np.arange(len(case.features)) != feature
        codes[:, others] = removed
    elif case.features[feature].kind == "segment":
        if name == "similar":
            codes[:, feature] = (codes[:, feature] + 1) % len(case.features[feature].values)
        else:
            why[_swap(case, inputs, feature, codes)] = _REASONS.index(NO_CONTRAST)
    else:
        values = case.features[feature]
        table = (
            contrast_codes(values, fixed_point=fixed_point)
            if name == "contrast"
            else similar_codes(values, binary_similar=binary_similar)
        )
        codes[:, feature] = table[codes[:, feature]]
        none = BINARY if values.kind == "binary" else FIXED_POINT
        why[codes[:, feature] < 0] = _REASONS.index(none)
    why[~active] = _REASONS.index(INACTIVE)
    constructible = why == 0
    codes[~constructible] = inputs.codes[~constructible]
    return Modified(codes, constructible, tuple(_REASONS[code] for code in why.tolist()))


def contrast_codes(
    feature: Feature, *, fixed_point: FixedPoint = "not constructible"
) -> NDArray[np.int16]:
    """For each value of a profile's field the code of its contrast; ABSENT where there is none.

    >>> contrast_codes(Feature("a", "A", "ordinal", ("low", "middle", "high"))).tolist()
    [2, -1, 0]
    """
    count = len(feature.values)
    if feature.kind in ("categorical", "text"):
        shared = shared_words(feature.values)
        # A value is no alternative to itself; argmin takes the first of equals.
        np.fill_diagonal(shared, np.iinfo(np.int64).max)
        fewest: NDArray[np.int16] = shared.argmin(axis=1).astype(np.int16)
        return fewest
    mirrored = np.arange(count - 1, -1, -1, dtype=np.int16)
    if count % 2:
        mirrored[count // 2] = 0 if fixed_point == "far end" else ABSENT
    return mirrored


def similar_codes(
    feature: Feature, *, binary_similar: BinarySimilar = "unchanged"
) -> NDArray[np.int16]:
    """For each value of a profile's field the code of a similar one; ABSENT where there is none.

    >>> similar_codes(Feature("a", "A", "ordinal", ("low", "middle", "high"))).tolist()
    [1, 2, 1]
    """
    count = len(feature.values)
    if feature.kind in ("categorical", "text"):
        shared = shared_words(feature.values)
        np.fill_diagonal(shared, -1)
        most: NDArray[np.int16] = shared.argmax(axis=1).astype(np.int16)
        return most
    if feature.kind == "binary":
        unchanged = np.arange(count, dtype=np.int16)
        return unchanged if binary_similar == "unchanged" else np.full_like(unchanged, ABSENT)
    adjacent = np.arange(1, count + 1, dtype=np.int16)
    adjacent[-1] = count - 2
    return adjacent


def shared_words(values: tuple[str, ...]) -> NDArray[np.int64]:
    """(V, V), the number of distinct lower-cased words that two values share.

    >>> shared_words(("Save for college", "save, SAVE, save!", "none")).tolist()
    [[3, 1, 0], [1, 1, 0], [0, 0, 1]]
    """
    words = [set(re.findall(r"\w+", value.lower())) for value in values]
    known = {word: position for position, word in enumerate(sorted(set().union(*words)))}
    held = np.zeros((len(values), len(known)), np.int64)
    for row, found in enumerate(words):
        held[row, [known[word] for word in found]] = 1
    return held @ held.T


def _swap(
    case: UseCase, inputs: Inputs, feature: int, codes: NDArray[np.int16]
) -> NDArray[np.bool_]:
    """Swap the segment in ``codes`` in place; returns the inputs where no category is left."""
    expression = inputs.codes[:, feature]
    codes[:, feature] = ABSENT
    open_ = inputs.active[:, feature].copy()
    for key in case.features[feature].contrasts:
        other = case.index(key)
        chosen = open_ & ~inputs.active[:, other]
        codes[chosen, other] = expression[chosen] % len(case.features[other].values)
        open_ &= ~chosen
    return open_
