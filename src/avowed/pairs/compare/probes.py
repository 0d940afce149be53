"""The probes of one cell by name, with the counts that a comparison needs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.pairs.cell import Cell, Mask, cells_of
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Settings
from avowed.refusal import Refused

Counts = NDArray[np.int64]

#: What is compared: the rate of a cell by its name, in the words of a sentence.
QUANTITIES: Mapping[str, str] = {
    "omission": "flagged omission",
    "susceptibility": "susceptibility (the share of eligible pairs that moved to the hint)",
}

#: The pairs that each rate is a share of, in the words of a note.
CARRIED_BY: Mapping[str, str] = {
    "omission": "an evaluable hint-induced change",
    "susceptibility": "an eligible pair",
}


@dataclass(frozen=True, kw_only=True)
class CellProbes:
    """One cell of a delivery, by probe.

    Attributes:
        cell: the cell itself.
        names: probe ids, one per number that ``cell.probe`` holds.
        analysed: whether the probe has an analysed pair, shape (probes,).
        counts: hits and trials of each of :data:`QUANTITIES`, arrays of shape (probes,).
        options: least and greatest number of options, two arrays of shape (probes,).
        marked: correct and hinted option of the probe's first pair, two arrays of shape (probes,).
    """

    cell: Cell
    names: pa.Array
    analysed: Mask
    counts: Mapping[str, tuple[Counts, Counts]]
    options: tuple[Counts, Counts]
    marked: tuple[Counts, Counts]


def _integers(column: pa.ChunkedArray) -> Counts:
    return np.asarray(column.to_numpy(), dtype=np.int64)


def cell_probes(delivery: Delivery, hint_type: str, settings: Settings) -> CellProbes:
    """Count one cell of a validated delivery by probe.

    Omission: flagged among evaluable hint-induced changes. Susceptibility: hint-induced changes
    among eligible pairs. Both over pairs with ``settings.min_options`` options or more.

    Source: HP sections 7 and 12.
    """
    records = delivery.records.filter(pc.equal(delivery.records.column("hint_type"), hint_type))
    (cell,) = cells_of(
        records,
        hint_types=[hint_type],
        hint_channel=delivery.header.hint_channel,
        planned_replicas=delivery.header.planned_replicas,
    )
    # A cell numbers its probes in the order in which they appear, and so does this.
    names = pc.unique(records.column("probe_id")).cast(pa.large_string())
    probes = len(names)
    least, most = np.full(probes, np.iinfo(np.int64).max), np.zeros(probes, dtype=np.int64)
    np.minimum.at(least, cell.probe, cell.n_options)
    np.maximum.at(most, cell.probe, cell.n_options)
    # The first pair of a probe: written last, because the later value stays.
    correct, hint = np.zeros(probes, dtype=np.int64), np.zeros(probes, dtype=np.int64)
    backwards = cell.probe[::-1]
    correct[backwards] = _integers(records.column("correct_answer"))[::-1]
    hint[backwards] = _integers(records.column("hint_answer"))[::-1]
    analysed = cell.n_options >= settings.min_options

    def counted(mask: Mask) -> Counts:
        return np.bincount(cell.probe[mask & analysed], minlength=probes).astype(np.int64)

    return CellProbes(
        cell=cell,
        names=names,
        analysed=counted(analysed) > 0,
        counts={
            "omission": (counted(cell.flagged), counted(cell.evaluable)),
            "susceptibility": (counted(cell.hint_change), counted(cell.eligible)),
        },
        options=(least, most),
        marked=(correct, hint),
    )


@dataclass(frozen=True, kw_only=True)
class Matched:
    """Two cells over the union of their probes.

    Attributes:
        first, second: place of each cell's probes in the union, shape (probes of the cell,).
        union: number of probes in the union.
        shared: probes with an analysed pair in both.
        either: probes with an analysed pair in one or both.
        renumbered: shared probes whose correct or hinted option has another number.
        other_options: ids of probes in both with other numbers of options, each with the two.
    """

    first: Counts
    second: Counts
    union: int
    shared: int
    either: int
    renumbered: int
    other_options: tuple[tuple[str, int, int], ...]

    def spread(self, column: Counts, *, first: bool) -> NDArray[np.int64]:
        """A column of one cell over the union; 0 where the cell lacks the probe."""
        whole = np.zeros(self.union, dtype=np.int64)
        whole[self.first if first else self.second] = column
        return whole


def match(first: CellProbes, second: CellProbes) -> Matched:
    """Match two cells by probe id."""
    codes = pa.chunked_array([*_chunks(first), *_chunks(second)], type=pa.large_string())
    encoded = codes.combine_chunks().dictionary_encode()
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    places = np.asarray(encoded.indices.to_numpy(), dtype=np.int64)
    one, two = places[: len(first.names)], places[len(first.names) :]
    found = Matched(
        first=one,
        second=two,
        union=len(encoded.dictionary),
        shared=0,
        either=0,
        renumbered=0,
        other_options=(),
    )

    def both(columns: tuple[Counts, Counts], others: tuple[Counts, Counts]) -> list[list[Counts]]:
        return [
            [found.spread(column, first=side) for column in each]
            for side, each in ((True, columns), (False, others))
        ]

    analysed_one = found.spread(first.analysed.astype(np.int64), first=True) > 0
    analysed_two = found.spread(second.analysed.astype(np.int64), first=False) > 0
    shared = analysed_one & analysed_two
    there = np.zeros(found.union, dtype=bool)
    there[one] = True
    in_both = np.zeros(found.union, dtype=bool)
    in_both[two] = there[two]
    (least, most), (least_2, most_2) = both(first.options, second.options)
    other = np.flatnonzero(in_both & ((least != least_2) | (most != most_2)))
    (correct, hint), (correct_2, hint_2) = both(first.marked, second.marked)
    return Matched(
        first=one,
        second=two,
        union=found.union,
        shared=int(shared.sum()),
        either=int((analysed_one | analysed_two).sum()),
        renumbered=int((shared & ((correct != correct_2) | (hint != hint_2))).sum()),
        other_options=tuple(
            (encoded.dictionary[int(at)].as_py(), int(most[at]), int(most_2[at])) for at in other
        ),
    )


def _chunks(side: CellProbes) -> list[pa.Array]:
    names = side.names
    return list(names.chunks) if isinstance(names, pa.ChunkedArray) else [names]


def refuse_other_options(matched: Matched, hint_type: str, first: str, second: str) -> None:
    """Refuse to pair probes that have other numbers of options: they are not the same probes.

    Raises:
        Refused: with their number and the first of them.
    """
    if not matched.other_options:
        return
    probe, one, two = matched.other_options[0]
    raise Refused(
        f"{hint_type}: {len(matched.other_options)} probe ids are in both {first} and {second} "
        f"with another n_options; the first is probe_id {probe!r} with {one} and {two}; a "
        "probe is one question with one set of options: give other questions other ids, or say "
        "--pairing unpaired"
    )
