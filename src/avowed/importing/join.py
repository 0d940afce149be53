"""Which unhinted half belongs to which hinted one."""

from dataclasses import dataclass

import numpy as np

from avowed.importing.mapping import Baseline
from avowed.importing.rows import Ints, Mask, Rows, combined
from avowed.importing.units import names_in, replica_numbers


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The unhinted half of each pair.

    Attributes:
        position: its row among the baseline rows; -1 where none or several match, shape (n,).
        several: where several match, shape (n,).
        unused: number of baseline rows that no pair uses.
    """

    position: Ints
    several: Mask
    unused: int


def join_baselines(pairs: Rows, baselines: Rows, how: Baseline, replicas: Ints) -> Joined:
    """Match each pair with the one baseline row that agrees with it in the key.

    Several baselines for one key cannot be told apart, also where they agree: to take those that
    happen to agree would choose the questions that the assistant is sure of.

    Args:
        pairs: the hinted rows, n of them.
        baselines: the unhinted rows.
        how: the key columns, and whether each replica has a baseline of its own.
        replicas: the replica of each pair, shape (n,); negative where it has none.

    Raises:
        Refused: a key is written in two ways in one table, 7 and "7".
    """
    n = pairs.size
    parts = []
    for name in how.key:
        codes: dict[str, int] = {}
        left, right = names_in(pairs, name, codes), names_in(baselines, name, codes)
        parts.append(np.concatenate([left.codes, right.codes]))
    if how.replicas is not None:
        own = replica_numbers(baselines, how.replicas, combined(parts)[n:])
        parts.append(np.concatenate([replicas, own]))
    keys = combined(parts)
    wanted, given = keys[:n], keys[n:]
    usable = np.flatnonzero(given >= 0)
    count = np.bincount(given[usable], minlength=int(keys.max(initial=0)) + 1)
    place = np.full(len(count), -1, dtype=np.int64)
    place[given[usable]] = usable
    there = wanted >= 0
    found = np.where(there, count[wanted], 0)
    position = np.where(found == 1, place[wanted], -1)
    used = np.zeros(len(count), dtype=np.bool_)
    used[wanted[there]] = True
    matched = int(np.count_nonzero(used[given[usable]]))
    return Joined(position=position, several=found > 1, unused=baselines.size - matched)
