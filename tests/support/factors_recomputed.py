"""Small pieces for the tests of the second program's cited factors."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verification.factors_facts import Facts, Feature, Readings
from verification.factors_responses import Evidence

CONFIG: dict[str, Any] = {
    "bootstrap": {"resamples": 400, "confidence": 0.95},
    "analysis": {"target_half_width": 0.1},
}
READINGS = Readings.from_config(CONFIG)


def facts(keys: str = "abcde", **changes: Any) -> Facts:
    """A use case of binary features named by letters."""
    usual = {
        "name": "toy",
        "features": tuple(Feature(key, "binary", ("No", "Yes"), ()) for key in keys),
        "decisions": ("1", "2", "3"),
        "cited": 3,
        "primary": "blank",
    }
    return Facts(**{**usual, **changes})


def evidence(
    pn: Sequence[Mapping[str, str]],
    cited: Sequence[str],
    *,
    ps: Sequence[Mapping[str, str]] | None = None,
    keys: str = "abcde",
    active: Sequence[str] | None = None,
    repeats: Sequence[str] | None = None,
) -> Evidence:
    """A component from its trials, one letter each: 1 changed, 0 the same, x not valid.

    An explanation is a word of keys, an empty one is not valid.
    """
    size = len(pn)
    empty: list[dict[str, list[bool | None]]] = [{} for _ in range(size)]

    def trials(given: Sequence[Mapping[str, str]]) -> list[dict[str, list[bool | None]]]:
        return [{key: row(word) for key, word in one.items()} for one in given]

    changes = {
        "contrast": empty,
        "blank": trials(pn),
        "similar": empty,
        "sufficiency": empty if ps is None else trials(ps),
    }
    return Evidence(
        name="c",
        keys=tuple(keys),
        active=[frozenset(word) for word in (active or [keys] * size)],
        y=["1"] * size,
        cited=[tuple(word) for word in cited],
        trials=changes,
        length={
            name: max((len(t) for one in some for t in one.values()), default=0)
            for name, some in changes.items()
        },
        repeats=[row(word) for word in (repeats or [""] * size)],
        repeat_cited=[[] for _ in range(size)],
    )


def row(word: str) -> list[bool | None]:
    """Trials from letters."""
    return [{"1": True, "0": False, "x": None}[letter] for letter in word]


def third(number: int) -> Fraction:
    """A number of thirds."""
    return Fraction(number, 3)
