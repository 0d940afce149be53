"""The hinted rows of a study, each with what its unhinted half says."""

from dataclasses import dataclass

import numpy as np

from avowed.importing.join import join_baselines
from avowed.importing.mapping import Condition, Mapping
from avowed.importing.raw_table import Column
from avowed.importing.rows import Ints, Mask, Rows, constant, is_one_of
from avowed.importing.units import Names, probes


@dataclass(frozen=True, kw_only=True)
class Selected:
    """The rows that the mapping asks for.

    Attributes:
        hinted: the hinted rows, n of them; they hold both halves where a pair is one row.
        unhinted: the rows with unhinted halves; None where they stand in the hinted rows.
        passed_over: number of rows that a filter passes over.
    """

    hinted: Rows
    unhinted: Rows | None
    passed_over: int


@dataclass(frozen=True, kw_only=True)
class Unhinted:
    """The unhinted half of each hinted row, shape (n,) each.

    Attributes:
        answer: the answer as it stands.
        conversation: the reference to the conversation, or None.
        missing: where there is no unhinted half.
        several: where several match.
        names: what identifies the half before its replica.
        own: whether each replica has one of its own.
        unused: number of unhinted halves that no hinted row uses.
    """

    answer: Column
    conversation: Column | None
    missing: Mask
    several: Mask
    names: Names
    own: bool
    unused: int


def meets(rows: Rows, condition: Condition) -> Mask:
    """Where a row meets a condition, shape (n,)."""
    found = is_one_of(rows.columns[condition.column], condition.values)
    return ~found if condition.negated else found


def select(rows: Rows, mapping: Mapping, other: Rows | None) -> Selected:
    """Apply the filter, and tell hinted from unhinted rows.

    Args:
        rows: all rows of the input.
        mapping: what to select.
        other: the rows of the other file with unhinted halves, where there is one.
    """
    wanted = np.ones(rows.size, dtype=np.bool_)
    for condition in mapping.filter:
        wanted &= meets(rows, condition)
    passed_over = int(np.count_nonzero(~wanted))
    where = mapping.baseline.where
    unhinted = other
    if other is not None and where is not None:
        unhinted = other.take(np.flatnonzero(meets(other, where)))
    elif mapping.baseline.join == "rows" and where is not None:
        control = meets(rows, where)
        unhinted = rows.take(np.flatnonzero(wanted & control))
        wanted &= ~control
    return Selected(
        hinted=rows.take(np.flatnonzero(wanted)), unhinted=unhinted, passed_over=passed_over
    )


def unhinted_halves(selected: Selected, mapping: Mapping, probe: Names, replicas: Ints) -> Unhinted:
    """Find the unhinted half of each hinted row.

    Args:
        selected: the rows.
        mapping: how the halves belong together.
        probe: the probe of each hinted row.
        replicas: the replica of each hinted row, shape (n,).
    """
    hinted, there = selected.hinted, selected.unhinted
    name, conversation = mapping.answers.baseline.column, mapping.baseline_conversation
    if name is None:
        raise ValueError("an unhinted answer stands in a column")
    if there is None:
        none = np.zeros(hinted.size, dtype=np.bool_)
        return Unhinted(
            answer=hinted.columns[name],
            conversation=hinted.columns[conversation] if conversation else None,
            missing=hinted.absent.get(name, none),
            several=none,
            names=probe,
            own=True,
            unused=0,
        )
    how = mapping.baseline
    joined = join_baselines(hinted, there, how, replicas)
    lacking = joined.position < 0
    if name in there.absent and there.size:
        lacking = lacking | there.absent[name][joined.position]
    return Unhinted(
        answer=_at(there, name, joined.position),
        conversation=_at(there, conversation, joined.position) if conversation else None,
        missing=lacking & ~joined.several,
        several=joined.several,
        names=probes(hinted, how.key),
        own=how.replicas is not None,
        unused=joined.unused,
    )


def _at(rows: Rows, name: str, positions: Ints) -> Column:
    """A column of the unhinted rows as the hinted ones see it; null where none is joined."""
    column = rows.columns[name]
    if not rows.size:
        return constant(None, len(positions))
    codes = np.where(positions >= 0, column.codes[positions], len(column.values))
    return Column(values=[*column.values, None], codes=codes.astype(np.int32))
