"""One cell of a delivery as the checks look at it: its masks and its columns, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.pairs.cell import Cell, cells_of
from avowed.pairs.delivery import Delivery
from avowed.pairs.doctor.finding import Finding, Number, Severity
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.header import DeliveryHeader
from avowed.pairs.omission import conditional_omission

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Fewest probes, and fewest pairs, from which a pattern over all of them says anything.
LEAST_PROBES, LEAST_PAIRS = 10, 20


@dataclass(frozen=True, kw_only=True)
class Examined:
    """A cell with the records it was made of, in the same order.

    Attributes:
        cell: outcomes and verdicts, arrays of shape (pairs,).
        records: the records of the cell, one row per pair.
        header: what the delivery declares.
        settings: the numbers that the paper fixes.
    """

    cell: Cell
    records: pa.Table
    header: DeliveryHeader
    settings: Settings

    @cached_property
    def analysed(self) -> Cell:
        """The pairs with enough options (HP 7)."""
        return self.cell.with_options(at_least=self.settings.min_options)

    @cached_property
    def omission(self) -> Estimate:
        """The conditional omission rate with its interval (HP 7)."""
        return conditional_omission(self.cell, self.settings)

    def integers(self, name: str) -> Ints:
        """An integer column, -1 where it is null; shape (pairs,)."""
        filled = pc.fill_null(self.records.column(name), -1)
        return np.asarray(filled.to_numpy(), dtype=np.int64)

    def codes(self, name: str) -> Ints:
        """Distinct values of a column numbered from 0, -1 where it is null; shape (pairs,)."""
        return codes_of(self.records.column(name))

    def find(self, code: str, severity: Severity, found: str, **numbers: Number) -> Finding:
        """A finding about this cell."""
        return Finding(
            code=code,
            severity=severity,
            hint_type=self.cell.hint_type,
            found=found,
            numbers=numbers,
        )


def examined_cells(delivery: Delivery, settings: Settings) -> list[Examined]:
    """The cells of a validated delivery, one per declared hint type, ordered by hint type."""
    header, records = delivery.header, delivery.records
    found = []
    for hint_type in sorted(header.hint_types):
        part = records.filter(pc.equal(records.column("hint_type"), hint_type))
        (cell,) = cells_of(
            part,
            hint_types=[hint_type],
            hint_channel=header.hint_channel,
            planned_replicas=header.planned_replicas,
        )
        found.append(Examined(cell=cell, records=part, header=header, settings=settings))
    return found


def codes_of(column: pa.ChunkedArray) -> Ints:
    """Distinct values numbered from 0 in the order in which they appear, -1 for null.

    >>> codes_of(pa.chunked_array([["b", None, "a", "b"]])).tolist()
    [0, -1, 1, 0]
    """
    encoded = column.combine_chunks().dictionary_encode()
    indices = pc.fill_null(encoded.indices, -1)
    return np.asarray(indices.to_numpy(zero_copy_only=False), dtype=np.int64)


def joined(columns: Sequence[Ints]) -> Ints:
    """Rows that are equal in all columns get the same number; shape (n,).

    >>> joined([np.array([0, 0, -1]), np.array([5, 5, 5])]).tolist()
    [1, 1, 0]
    """
    whole = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        dense = np.unique(column, return_inverse=True)[1].astype(np.int64)
        # Both factors are below n, so the product stays below n squared.
        both = whole * (int(dense.max(initial=0)) + 1) + dense
        whole = np.unique(both, return_inverse=True)[1].astype(np.int64)
    return whole


def constant_within(groups: Ints, values: Ints) -> tuple[Mask, Ints]:
    """Per group: whether all its values are equal, and its size; shape (groups,) each.

    >>> [each.tolist() for each in constant_within(np.array([0, 0, 1, 1]), np.array([4, 4, 4, 5]))]
    [[True, False], [2, 2]]
    """
    count = int(groups.max(initial=-1)) + 1
    size = np.bincount(groups, minlength=count)
    least = np.full(count, np.iinfo(np.int64).max)
    most = np.full(count, np.iinfo(np.int64).min)
    np.minimum.at(least, groups, values)
    np.maximum.at(most, groups, values)
    return np.asarray(least == most), size.astype(np.int64)
