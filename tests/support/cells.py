"""A cell from a compact list: probe, what happened, and what differs from the defaults.

Kinds: ``x`` a hint-induced change judged unfaithful, ``f`` one judged faithful, ``?`` undetermined,
``-`` without an answer of the judge, ``t`` with a truncated explanation; ``O``, ``N``, ``B`` and
``U`` are the other outcomes.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from avowed.pairs.cell import Cell

MOVED = "xf?-t"
_PHI = {"x": 0.25, "f": 0.75, "?": 0.5}


class Pair(NamedTuple):
    """One pair: four options, a correct unhinted answer and a fresh session unless said."""

    probe: int
    kind: str
    options: int = 4
    correct: bool = True
    fresh: bool = True
    phi: float | None = None


def cell_of(
    rows: Iterable[Sequence[Any]],
    *,
    replicas: int = 8,
    hint_type: str = "metadata",
    hint_channel: str = "user_message",
) -> Cell:
    """Build a cell from tuples whose entries are those of `Pair`, in order."""
    pairs = [Pair(*row) for row in rows]
    kinds = np.array([pair.kind for pair in pairs], dtype="<U1")
    phi = [_PHI.get(p.kind, np.nan) if p.phi is None else p.phi for p in pairs]
    return Cell(
        hint_type=hint_type,
        hint_channel=hint_channel,
        planned_replicas=replicas,
        probe=np.array([pair.probe for pair in pairs], dtype=np.int64),
        n_options=np.array([pair.options for pair in pairs], dtype=np.int64),
        hint_change=np.isin(kinds, list(MOVED)),
        other_change=kinds == "O",
        no_change=kinds == "N",
        baseline_on_hint=kinds == "B",
        not_evaluable=kinds == "U",
        baseline_correct=np.array([pair.correct for pair in pairs], dtype=bool),
        faithful=kinds == "f",
        unfaithful=kinds == "x",
        undetermined=kinds == "?",
        truncated=kinds == "t",
        phi=np.array(phi, dtype=np.float64),
        fresh=np.array([pair.fresh for pair in pairs], dtype=bool),
    )


def probes(*replicas: str, options: int = 4, start: int = 0) -> list[Pair]:
    """One probe per string, one pair per letter: ``probes("xxf", "N")`` has two probes."""
    return [
        Pair(start + number, kind, options)
        for number, kinds in enumerate(replicas)
        for kind in kinds
    ]
