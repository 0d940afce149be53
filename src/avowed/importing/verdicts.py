"""What the judge said of each hint-induced change: label and phi."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from avowed.importing.exclusions import Exclusions, Reason, What
from avowed.importing.kinds import Key, key_of
from avowed.importing.mapping import Verdicts
from avowed.importing.raw_table import Value
from avowed.importing.rows import Mask, Rows, by_value
from avowed.pairs.record import Label

LABELS = tuple(Label)

#: Codes of verdicts that are no label: the judge did not answer, and a word without a meaning.
NONE, UNKNOWN = -1, -2

_FAITHFUL, _UNFAITHFUL, _UNDETERMINED = (
    LABELS.index(label) for label in (Label.FAITHFUL, Label.UNFAITHFUL, Label.UNDETERMINED)
)

#: phi of a label that comes alone: one deterministic vote, and a tie where it is undetermined.
_VOTE = np.array(
    [{_FAITHFUL: 1.0, _UNFAITHFUL: 0.0, _UNDETERMINED: 0.5}[code] for code in range(len(LABELS))]
)

#: How a file without kinds writes a number.
_NUMBER = re.compile(r"(?:[0-9]{1,20}\.?|[0-9]{0,20}\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2})?")

#: A number that is no probability.
_NO_PHI = -1.0


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The verdicts that stand.

    Attributes:
        label: index into `LABELS`, `NONE` where there is none, shape (n,).
        phi: probability that the explanation is faithful, NaN where there is no label, shape (n,).
        kept: the rows that are kept, shape (n,).
    """

    label: npt.NDArray[np.int64]
    phi: npt.NDArray[np.float64]
    kept: Mask


def judged(
    rows: Rows,
    how: Verdicts | None,
    exclusions: Exclusions,
    *,
    kept: Mask,
    applied: Mask,
    truncated: Mask,
) -> Judged:
    """Turn what the judge said into labels and phi (HP section 5, R3 and R5 to R7).

    Args:
        rows: all rows.
        how: what the judge's words mean; None if there was no judge, and then no label either.
        exclusions: gets every verdict that is left out.
        kept: rows that are still in, shape (n,).
        applied: rows whose outcome is a hint-induced change, shape (n,).
        truncated: rows whose hinted generation was cut off, shape (n,).
    """
    n = rows.size
    if how is None:
        return Judged(label=np.full(n, NONE), phi=np.full(n, np.nan), kept=kept)
    phi = _phis(rows, how)
    word, column = _words(rows, how, phi)
    values = rows.columns[column]
    elsewhere = (word != NONE) & ~applied
    if how.elsewhere_row:
        kept = exclusions.rows_out(kept, elsewhere, Reason.VERDICT_ELSEWHERE, column, values)
    else:
        exclusions.note(
            kept & elsewhere, Reason.VERDICT_ELSEWHERE, column, values, what=What.VERDICT
        )
    stands = kept & applied & (word != NONE)

    def leave_out(fault: Mask, reason: Reason, name: str) -> Mask:
        exclusions.note(stands & fault, reason, name, rows.columns[name], what=What.VERDICT)
        left: Mask = stands & ~fault
        return left

    stands = leave_out(truncated, Reason.VERDICT_ON_TRUNCATED, column)
    stands = leave_out(word == UNKNOWN, Reason.UNKNOWN_VERDICT, column)
    if phi is not None and how.phi is not None:
        stands = leave_out(~(phi >= 0), Reason.UNUSABLE_PHI, how.phi)
    label = np.where(stands, word, NONE)
    if phi is None:
        phi = _VOTE[label]
    elif how.threshold is not None:
        # phi itself is compared: 1 - phi would lose a tie to rounding.
        side = np.where(phi >= how.threshold, _FAITHFUL, _UNFAITHFUL)
        label = np.where(stands & (label != _UNDETERMINED), side, label)
    return Judged(label=label, phi=np.where(stands, phi, np.nan), kept=kept)


def _words(
    rows: Rows, how: Verdicts, phi: npt.NDArray[np.float64] | None
) -> tuple[npt.NDArray[np.int64], str]:
    """The code of each verdict, and the column that it stands in."""
    if how.column is None:
        if phi is None or how.phi is None:
            raise ValueError("a judge has a column or a phi")
        return np.where(np.isnan(phi), NONE, _UNFAITHFUL), how.phi
    meanings: dict[Key, int] = dict.fromkeys(how.missing, NONE)
    for keys, code in (
        (how.faithful, _FAITHFUL),
        (how.unfaithful, _UNFAITHFUL),
        (how.undetermined, _UNDETERMINED),
    ):
        meanings.update(dict.fromkeys(keys, code))
    words = by_value(
        rows.columns[how.column], lambda value: meanings.get(key_of(value), UNKNOWN), np.int64
    )
    return words, how.column


def _phis(rows: Rows, how: Verdicts) -> npt.NDArray[np.float64] | None:
    if how.phi is None:
        return None

    def probability(value: Value) -> float:
        if value is None or key_of(value) in how.missing:
            return math.nan
        return faithful_probability(value, of_unfaithful=how.phi_of_unfaithful)

    return by_value(rows.columns[how.phi], probability, np.float64)


def faithful_probability(value: Value, *, of_unfaithful: bool) -> float:
    """The probability that an explanation is faithful; -1 where the value is no probability.

    The complement is taken in decimals, because in binary 1 - 0.9 falls short of 0.1 and a tie at
    that threshold would be lost.

    >>> faithful_probability(0.9, of_unfaithful=True), faithful_probability("0.25",
    ...     of_unfaithful=False), faithful_probability(1.33, of_unfaithful=False)
    (0.1, 0.25, -1.0)
    """
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value):
            return _NO_PHI
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return _NO_PHI
    return float(1 - Decimal(repr(value))) if of_unfaithful else float(value)
