"""The two messages that a decision component gets (NS appendix B)."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from avowed.factors.inputs import BLANK
from avowed.factors.placeholders import fill
from avowed.factors.usecase import UNKNOWN, UseCase

_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]


def render(
    case: UseCase,
    codes_row: NDArray[np.int16] | Sequence[int],
    base_index: int = 0,
    *,
    count: int | None = None,
) -> tuple[str, str]:
    """Render one input as (system prompt, user message).

    A profile is one line ``- Label: value`` per field, [UNKNOWN] where the value is blank, and the
    whole pool as JSON. A prompt is the base request and its segments, one per line, in the order of
    the use case's list.

    Args:
        case: the use case.
        codes_row: (F,) codes of one input, original or modified.
        base_index: position of the base request.
        count: factors to ask for, ``case.cited`` unless told; the full-ranking pilot asks for more.

    Raises:
        ValueError: the codes do not fit the use case.

    Source: NS appendix B.
    """
    return render_system(case, count=count), render_user(case, codes_row, base_index)


def render_system(case: UseCase, *, count: int | None = None) -> str:
    """The system prompt; it is the same for every input of a use case."""
    return fill(case.system_prompt, system_texts(case, count=count))


def system_texts(case: UseCase, *, count: int | None = None) -> dict[str, str]:
    """The texts behind the placeholders of a system prompt, by name."""
    asked = case.cited if count is None else count
    entries = ", ".join(f'"{rank}. <feature key>"' for rank in range(1, asked + 1))
    return {
        "role": case.role,
        "task": case.task,
        "keys": ", ".join(case.keys),
        "count": number_word(asked),
        "markers": ", ".join(str(rank) for rank in range(1, asked + 1)),
        "entries": entries,
        "decisions": ", ".join(case.decisions),
    }


def render_user(
    case: UseCase, codes_row: NDArray[np.int16] | Sequence[int], base_index: int = 0
) -> str:
    """The user message of one input.

    Raises:
        ValueError: the codes do not fit the use case.
    """
    codes = [int(code) for code in codes_row]
    for feature, code in zip(case.features, codes, strict=True):
        lowest = BLANK if case.kind == "profile" else BLANK + 1
        if not lowest <= code < len(feature.values) or (case.kind == "profile" and code == -1):
            raise ValueError(f"{feature.key}: code {code} does not fit a {case.kind} use case")
    texts = {"decisions": ", ".join(case.decisions)}
    if case.kind == "profile":
        texts["profile"] = "\n".join(
            f"- {feature.label}: {UNKNOWN if code == BLANK else feature.values[code]}"
            for feature, code in zip(case.features, codes, strict=True)
        )
        texts["pool"] = json.dumps([dict(one) for one in case.pool], indent=2, ensure_ascii=False)
    else:
        segments = (
            feature.values[code]
            for feature, code in zip(case.features, codes, strict=True)
            if code >= 0
        )
        texts["prompt"] = "\n".join((case.bases[base_index], *segments))
    return fill(case.user_template, texts)


def number_word(number: int) -> str:
    """A number in words up to twenty, in digits beyond.

    >>> number_word(3), number_word(21)
    ('three', '21')
    """
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)
