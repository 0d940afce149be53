"""What is left out, why, and where it stands: the sheet ``exclusions.csv``."""

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from avowed.atomic import atomic_path
from avowed.importing.kinds import SHOWN, is_text, shown
from avowed.importing.raw_table import Column, Value
from avowed.importing.rows import Ints, Mask, Rows
from avowed.refusal import Refused
from avowed.sheet_cell import sheet_cell


class Reason(StrEnum):
    """Why something is left out."""

    MISSING_PROBE = "missing probe"
    UNUSABLE_SESSION = "unusable session"
    UNUSABLE_REPLICA = "unusable replica"
    BEYOND_PLAN = "replica beyond the plan"
    UNKNOWN_HINT_TYPE = "unknown hint type"
    UNKNOWN_RISK_FAMILY = "unknown risk family"
    UNKNOWN_COUNT = "unknown option count"
    TOO_FEW_OPTIONS = "too few options"
    UNUSABLE_CORRECT = "unusable correct answer"
    UNUSABLE_HINT = "unusable hint"
    HINT_IS_CORRECT = "hint on the correct answer"
    MISSING_BASELINE = "missing baseline"
    MISSING_HINTED = "missing hinted half"
    SEVERAL_BASELINES = "several baselines"
    JUNK_ANSWER = "junk answer"
    DUPLICATE_UNIT = "duplicate unit"
    CONTRADICTORY_UNITS = "contradictory units"
    VERDICT_ELSEWHERE = "verdict without a hint-induced change"
    VERDICT_ON_TRUNCATED = "verdict on a truncated explanation"
    UNKNOWN_VERDICT = "unknown verdict"
    UNUSABLE_PHI = "unusable phi"
    EVIDENCE_NOT_FOUND = "evidence not in the conversation"


#: Reasons that lie in a value which the mapping does not explain; the import names such values.
UNEXPLAINED = (
    Reason.UNKNOWN_HINT_TYPE,
    Reason.UNKNOWN_RISK_FAMILY,
    Reason.UNKNOWN_COUNT,
    Reason.TOO_FEW_OPTIONS,
    Reason.UNUSABLE_REPLICA,
    Reason.UNUSABLE_CORRECT,
    Reason.UNUSABLE_HINT,
    Reason.JUNK_ANSWER,
    Reason.UNKNOWN_VERDICT,
    Reason.UNUSABLE_PHI,
)


class What(StrEnum):
    """How much is left out: the pair, its verdict, its evidence, or a half that is not there."""

    ROW = "row"
    VERDICT = "verdict"
    EVIDENCE = "evidence"
    HALF = "pair half"


COLUMNS = ("file", "row", "reason", "column", "value", "what")


@dataclass(frozen=True, kw_only=True)
class Exclusion:
    """Rows that are left out for one reason.

    Attributes:
        what: how much of each is left out.
        reason: why.
        column: the column, or columns, at fault.
        positions: the rows, ascending positions among all rows read, shape (k,).
        values: what stands there, shape (k,); None where no one value is at fault.
    """

    what: What
    reason: Reason
    column: str
    positions: Ints
    values: Column | None


class Exclusions:
    """Collects what is left out; a row is left out once, for the first reason that is found.

    Args:
        rows: all rows read.

    >>> from avowed.importing.rows import constant
    >>> rows = Rows(columns={}, absent={}, files=("x",), file=np.zeros(2, dtype=np.int32),
    ...             numbers=np.array([1, 2]), row_words=("row",))
    >>> found = Exclusions(rows)
    >>> kept = found.rows_out(np.array([True, True]), np.array([True, False]), Reason.JUNK_ANSWER,
    ...                       "answer", constant("AD", 2))
    >>> kept.tolist(), found.counts(What.ROW)
    ([False, True], {'junk answer': 1})
    """

    def __init__(self, rows: Rows) -> None:
        """Nothing is left out yet."""
        self.rows = rows
        self.all: list[Exclusion] = []

    def rows_out(
        self,
        kept: Mask,
        fault: Mask,
        reason: Reason,
        column: str,
        values: Column | None,
        *,
        what: What = What.ROW,
    ) -> Mask:
        """Leave out the rows that are still kept and at fault; the rows kept after that.

        Args:
            kept, fault: shape (n,) each.
            reason: why.
            column: the column at fault.
            values: that column, over all n rows, or None.
            what: `What.HALF` where the pair lacks a half and so is incomplete.
        """
        self.note(kept & fault, reason, column, values, what=what)
        return kept & ~fault

    def note(
        self, where: Mask, reason: Reason, column: str, values: Column | None, *, what: What
    ) -> None:
        """Note that something of the rows ``where`` is left out."""
        positions = np.flatnonzero(where)
        if positions.size:
            there = None
            if values is not None:
                there = Column(values=values.values, codes=values.codes[positions])
            self.all.append(
                Exclusion(
                    what=what, reason=reason, column=column, positions=positions, values=there
                )
            )

    def counts(self, *kinds: What) -> dict[str, int]:
        """How often each reason occurs among exclusions of these kinds, the most frequent first."""
        found: Counter[str] = Counter()
        for each in self.all:
            if each.what in kinds:
                found[str(each.reason)] += len(each.positions)
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def values_of(self, reason: Reason) -> dict[str, dict[str, int]]:
        """The values at fault for a reason, by column, as messages show them, with their counts.

        The most frequent come first; equally frequent ones are sorted by what is shown.
        """
        found: dict[str, Counter[str]] = {}
        for each in self.all:
            if each.reason is not reason or each.values is None:
                continue
            used, counts = np.unique(each.values.codes, return_counts=True)
            counter = found.setdefault(each.column, Counter())
            for code, count in zip(used.tolist(), counts.tolist(), strict=True):
                counter[shown(each.values.values[code])] += count
        return {
            column: dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
            for column, counter in found.items()
        }

    def first_of(self, *kinds: What) -> str | None:
        """The first exclusion in the order of the rows, in words; None if there is none."""
        listed = [each for each in self.all if each.what in kinds]
        if not listed:
            return None
        first = min(listed, key=lambda each: int(each.positions[0]))
        value = ""
        if first.values is not None:
            value = f" found {shown(first.values.values[first.values.codes[0]])};"
        where = self.rows.where(int(first.positions[0]))
        return f"{where}, column {first.column}:{value} {first.reason}"

    def refuse_any(self) -> None:
        """Refuse the first exclusion, for a strict import.

        Raises:
            Refused: something is left out; file, row, column, value and reason are named.
        """
        first = self.first_of(*What)
        if first is not None:
            raise Refused(
                f"{first}; --strict takes no exclusion; mend the data or the mapping, or import "
                "without --strict"
            )

    def write(self, path: Path, *, names: Mapping[str, str] | None = None) -> None:
        """Write the sheet, one line per exclusion, in the order of the rows read.

        Args:
            path: the sheet.
            names: what to call a file in it, by its name in messages; others keep theirs.
        """
        sizes = [len(each.positions) for each in self.all]
        number = np.repeat(np.arange(len(sizes)), sizes)
        place = np.concatenate([np.zeros(0, dtype=np.int64), *map(np.arange, sizes)])
        position = np.concatenate(
            [np.zeros(0, dtype=np.int64), *(each.positions for each in self.all)]
        )
        order = np.lexsort((number, position))
        listed = zip(
            self.rows.file[position[order]].tolist(),
            self.rows.numbers[position[order]].tolist(),
            number[order].tolist(),
            place[order].tolist(),
            strict=True,
        )
        files = [sheet_cell((names or {}).get(file, file)) for file in self.rows.files]
        cells = [_cells(each) for each in self.all]
        columns = [sheet_cell(each.column) for each in self.all]
        with (
            atomic_path(path) as temporary,
            temporary.open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(
                (
                    files[of_file],
                    row,
                    self.all[each].reason,
                    columns[each],
                    cells[each][within],
                    self.all[each].what,
                )
                for of_file, row, each, within in listed
            )


def _cells(exclusion: Exclusion) -> list[str]:
    """The value of each row as a cell; every distinct value is put into words once."""
    if exclusion.values is None:
        return [""] * len(exclusion.positions)
    used, places = np.unique(exclusion.values.codes, return_inverse=True)
    texts = [sheet_cell(_value_text(exclusion.values.values[code])) for code in used]
    return [texts[place] for place in places]


def _value_text(value: Value) -> str:
    """A text as it is, so that it reads as it stands in the source; everything else as JSON."""
    if isinstance(value, str) and is_text(value):
        return value if len(value) <= SHOWN else f"{value[: SHOWN - 1]}…"
    return shown(value)
