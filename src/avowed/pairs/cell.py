"""One cell of the instrument as arrays, and its per-probe counts.

A cell is the pairs of one hint type in one delivery (HP section 7). Estimators read cells, never
records, and reach the bootstrap only through per-probe counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.pairs.record import Label, Outcome, Reason

Mask = NDArray[np.bool_]
Counts = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Pairs of one hint type, one entry per pair in every array, shape (pairs,).

    ``probe`` numbers the probes from 0; ``phi`` is NaN where the judge gave none. The masks are
    the outcomes and labels of the records; ``planned_replicas`` is the plan's m.
    """

    hint_type: str
    hint_channel: str
    planned_replicas: int
    probe: NDArray[np.int64]
    n_options: NDArray[np.int64]
    hint_change: Mask
    other_change: Mask
    no_change: Mask
    baseline_on_hint: Mask
    not_evaluable: Mask
    baseline_correct: Mask
    faithful: Mask
    unfaithful: Mask
    undetermined: Mask
    truncated: Mask
    phi: NDArray[np.float64]
    fresh: Mask

    def __len__(self) -> int:
        """Return the number of pairs."""
        return int(self.probe.size)

    @property
    def eligible(self) -> Mask:
        """Pairs whose unhinted answer is not the hint: outcomes H, O and N."""
        return self.hint_change | self.other_change | self.no_change

    @property
    def evaluable(self) -> Mask:
        """Hint-induced changes that the judge called faithful or unfaithful."""
        return self.hint_change & (self.faithful | self.unfaithful)

    @property
    def flagged(self) -> Mask:
        """Hint-induced changes that the judge called unfaithful: the violations."""
        return self.hint_change & self.unfaithful

    @property
    def ungraded(self) -> Mask:
        """Hint-induced changes without a verdict; counted apart, never read as faithful."""
        return self.hint_change & ~(self.faithful | self.unfaithful)

    def where(self, mask: Mask) -> "Cell":
        """Return the cell of the pairs selected by ``mask``; probes keep their numbers."""
        picked: dict[str, Any] = {
            name: array[mask] for name, array in vars(self).items() if isinstance(array, np.ndarray)
        }
        return replace(self, **picked)

    def with_options(self, *, at_least: int) -> "Cell":
        """Return the cell of the pairs with at least that many options."""
        return self.where(self.n_options >= at_least)


def _numbers(table: pa.Table, name: str) -> NDArray[np.int64]:
    column = table.column(name).combine_chunks()
    return cast(NDArray[np.int64], column.to_numpy(zero_copy_only=False).astype(np.int64))


def _truth(column: pa.ChunkedArray) -> Mask:
    """Booleans with null read as False: a missing flag supports no claim."""
    filled = pc.fill_null(column, False).combine_chunks()
    return cast(Mask, filled.to_numpy(zero_copy_only=False).astype(bool))


def _equals(table: pa.Table, name: str, value: str) -> Mask:
    return _truth(pc.equal(table.column(name), value))


def _codes(column: pa.ChunkedArray) -> NDArray[np.int64]:
    codes = column.combine_chunks().dictionary_encode().indices
    return cast(NDArray[np.int64], codes.to_numpy(zero_copy_only=False).astype(np.int64))


def cells_of(
    records: pa.Table, *, hint_types: Sequence[str], hint_channel: str, planned_replicas: int
) -> list[Cell]:
    """Split validated records into one cell per declared hint type, ordered by hint type.

    Parameters are the records of a delivery in the record schema, and what its header declares.

    >>> from avowed.pairs.record import ARROW_SCHEMA
    >>> empty = ARROW_SCHEMA.empty_table()
    >>> [len(c) for c in cells_of(empty, hint_types=["a"], hint_channel="x", planned_replicas=1)]
    [0]
    """
    cells = []
    for hint_type in sorted(hint_types):
        part = records.filter(pc.equal(records.column("hint_type"), hint_type))
        phi = part.column("judge_phi").combine_chunks()
        cells.append(
            Cell(
                hint_type=hint_type,
                hint_channel=hint_channel,
                planned_replicas=planned_replicas,
                probe=_codes(part.column("probe_id")),
                n_options=_numbers(part, "n_options"),
                hint_change=_equals(part, "outcome", Outcome.HINT_INDUCED_CHANGE),
                other_change=_equals(part, "outcome", Outcome.OTHER_CHANGE),
                no_change=_equals(part, "outcome", Outcome.NO_CHANGE),
                baseline_on_hint=_equals(part, "outcome", Outcome.BASELINE_ON_HINT),
                not_evaluable=_equals(part, "outcome", Outcome.NOT_EVALUABLE),
                baseline_correct=_truth(part.column("baseline_correct")),
                faithful=_equals(part, "judge_label", Label.FAITHFUL),
                unfaithful=_equals(part, "judge_label", Label.UNFAITHFUL),
                undetermined=_equals(part, "judge_label", Label.UNDETERMINED),
                truncated=_equals(part, "reason_not_evaluable", Reason.GENERATION_TRUNCATED),
                phi=np.asarray(phi.to_numpy(zero_copy_only=False), dtype=np.float64),
                fresh=_truth(part.column("fresh_session")),
            )
        )
    return cells


def per_probe(cell: Cell, *masks: Mask) -> list[Counts]:
    """Count each mask's pairs in every probe that the cell numbers, arrays of shape (probes,).

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> cell = SimpleNamespace(probe=np.array([0, 1, 1]))
    >>> [c.tolist() for c in per_probe(cell, np.array([True, True, False]))]
    [[1, 1]]
    """
    probes = int(cell.probe.max()) + 1 if cell.probe.size else 0
    return [np.bincount(cell.probe[mask], minlength=probes).astype(np.int64) for mask in masks]
