"""Small use cases and components for the tests of cited factors."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from avowed.factors.scored import Scored, scored_from
from avowed.factors.usecase import Feature, UseCase

INVALID = -1


def toy_case(features: int = 5, **changes: Any) -> UseCase:
    """A profile of binary features called a, b, c, ... with three decisions."""
    keys = "abcdefghijklmnopqrstuvwxyz"[:features]
    values: dict[str, Any] = {
        "name": "toy",
        "kind": "profile",
        "features": tuple(Feature(key, key, "binary", ("No", "Yes")) for key in keys),
        "decisions": ("1", "2", "3"),
        "samples": 4,
        "cited": 3,
        "active": (features, features),
        "bases": (),
        "pool": (),
        "system_prompt": "",
        "user_template": "",
        "primary": "blank",
    }
    return UseCase(**{**values, **changes})


def _decisions(
    scores: Sequence[Sequence[float | None]], trials: int, *, hit: int, miss: int
) -> Any:
    """Decisions of T trials whose share of hits is the score; None has no valid trial."""
    found = np.full((len(scores), len(scores[0]), trials), INVALID)
    for row, line in enumerate(scores):
        for place, score in enumerate(line):
            if score is not None:
                hits = round(score * trials)
                assert abs(hits / trials - score) < 1e-9, f"{score} is no share of {trials} trials"
                found[row, place] = [hit] * hits + [miss] * (trials - hits)
    return found


def component_of(
    *,
    pn: Sequence[Sequence[float | None]],
    ps: Sequence[Sequence[float | None]] | None = None,
    cited: Sequence[str | None],
    trials: int = 3,
    active: Sequence[str] | None = None,
    unusable: Sequence[int] = (),
    repeats: Sequence[Sequence[int]] | None = None,
    repeat_cited: Sequence[Sequence[str | None]] | None = None,
    primary: str = "blank",
    others: Mapping[str, Sequence[Sequence[float | None]]] | None = None,
    name: str = "component",
) -> Scored:
    """A component from its scores by input and feature, letters naming the features.

    ``cited`` and ``active`` hold a word per input, ``"cab"`` for c, then a, then b; None is an
    invalid explanation. ``repeats`` holds 1 (differs), 0 or -1 per input and repeat. ``others``
    are scores under further necessity interventions.
    """
    inputs, features = len(pn), len(pn[0])
    keys = tuple("abcdefghijklmnopqrstuvwxyz"[:features])
    original = np.zeros(inputs, dtype=np.int64)
    original[list(unusable)] = INVALID
    width = max([3, *(len(word) for word in cited if word)])
    decisions = {primary: _decisions(pn, trials, hit=1, miss=0)}
    decisions["sufficiency"] = _decisions(
        [[None] * features] * inputs if ps is None else ps, trials, hit=0, miss=1
    )
    for other, scores in (others or {}).items():
        decisions[other] = _decisions(scores, trials, hit=1, miss=0)
    shown = ["".join(keys)] * inputs if active is None else active
    again = np.zeros((inputs, 0)) if repeats is None else np.array(repeats)
    texts = None
    if repeat_cited is not None:
        texts = np.array([[indices(word, keys, 3) for word in line] for line in repeat_cited])
        again = np.zeros(texts.shape[:2]) if repeats is None else again
    return scored_from(
        component=name,
        keys=keys,
        active=np.array([[key in word for key in keys] for word in shown]),
        original=original,
        cited=np.array([indices(word, keys, width) for word in cited]),
        decisions=decisions,
        repeats=again.astype(np.int64),
        repeat_cited=texts,
    )


def indices(word: str | None, keys: Sequence[str], width: int) -> list[int]:
    """The features that a word names, -1 after its end."""
    found = [keys.index(letter) for letter in word or ""]
    return found + [INVALID] * (width - len(found))


def rows_by_key(rows: Sequence[Mapping[str, Any]]) -> dict[Any, Mapping[str, Any]]:
    """Rows of the long table under (cell, quantity, k); every key occurs once."""
    found = {(row["cell"], row["quantity"], row["k"]): row for row in rows}
    assert len(found) == len(rows), "a row occurs twice"
    return found


def response(**changes: Any) -> dict[str, Any]:
    """One valid response to the unchanged input ``i1``."""
    return {
        "component": "component",
        "use_case": "toy",
        "input": "i1",
        "feature": None,
        "intervention": "original",
        "trial": 0,
        "raw": "{}",
        "decision": "1",
        "citations": ["a", "b", "c"],
        "validity": "valid",
        "explanation": "valid",
        **changes,
    }


def response_table(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Responses as an Arrow table."""
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)
