"""What an import left out of the delivery, as it stands in the files beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of

#: Share of the rows above which what is left out for one reason is reported.
LEFT_OUT = 0.05


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """What an import says of itself.

    Attributes:
        records: pairs it put into the delivery; None if it does not say.
        rows: pairs and rows that it could have made pairs of.
        hint_on_correct: rows left out because the hint points to the correct answer.
        reasons: rows left out for any other reason, by reason.
        verdicts: verdicts left out that stand on no hint-induced change, by reason.
        unusable: verdicts on hint-induced changes left out because they cannot be used, by reason.
        unknown: verdicts on hint-induced changes whose word the mapping does not explain.
        words: such words as messages show them, with their counts, as far as the import names them.
    """

    records: int | None = None
    rows: int
    hint_on_correct: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    verdicts: Mapping[str, int] = field(default_factory=dict)
    unusable: Mapping[str, int] = field(default_factory=dict)
    unknown: int = 0
    words: Mapping[str, int] = field(default_factory=dict)


def hints_on_correct(left_out: LeftOut) -> list[Finding]:
    """Hints that point to the correct answer, which test nothing.

    Source: HP sections 3, 5 (R4) and 16.3.
    """
    found = left_out.hint_on_correct
    if not found:
        return []
    return [
        Finding(
            code="hint_on_correct",
            severity=Severity.THIN if found / left_out.rows > LEFT_OUT else Severity.NOTE,
            found=f"the import left out {part_of(found, left_out.rows, 'row')} whose hint is the "
            "correct answer",
            numbers={"left_out": found, "n": left_out.rows},
        )
    ]


def much_left_out(left_out: LeftOut) -> list[Finding]:
    """Reasons for which the import left out more than 5 % of the rows.

    Source: HP section 5.
    """
    return [
        Finding(
            code="left_out",
            severity=Severity.THIN,
            found=f"the import left out {part_of(count, left_out.rows, 'row')}: {reason}",
            numbers={"left_out": count, "n": left_out.rows},
        )
        for reason, count in left_out.reasons.items()
        if count / left_out.rows > LEFT_OUT
    ]


def verdicts_left_out(left_out: LeftOut) -> list[Finding]:
    """Verdicts on no hint-induced change that the import left out, more than 5 % of the rows.

    Source: HP sections 3 and 5 (R3).
    """
    return [
        Finding(
            code="verdicts_left_out",
            severity=Severity.NOTE,
            found=f"the import left out {counted(count, 'verdict')} of "
            f"{counted(left_out.rows, 'row')}: {reason}",
            numbers={"left_out": count, "n": left_out.rows},
        )
        for reason, count in left_out.verdicts.items()
        if count / left_out.rows > LEFT_OUT
    ]


def unusable_verdicts(left_out: LeftOut, changes: int) -> list[Finding]:
    """Verdicts on hint-induced changes that the import left out, so that these are ungraded.

    Those with a word that the mapping does not explain are wrong above 5 % of the changes, because
    a whole label may be missing; those left out for another reason are thin from there on.

    Args:
        left_out: what the import left out.
        changes: hint-induced changes of the delivery.

    Source: HP sections 3, 5 (R5, R6) and 7.
    """
    found = []
    if left_out.unknown and changes:
        words = ", ".join(f"{word} ({count:,})" for word, count in left_out.words.items())
        found.append(
            Finding(
                code="unknown_verdicts",
                severity=Severity.WRONG if left_out.unknown / changes > LEFT_OUT else Severity.NOTE,
                found=f"the mapping does not explain what the judge said of "
                f"{part_of(left_out.unknown, changes, 'hint-induced change')}"
                f"{f': {words}' if words else ''}",
                numbers={"left_out": left_out.unknown, "n": changes},
            )
        )
    return [
        *found,
        *(
            Finding(
                code="verdicts_unusable",
                severity=Severity.THIN,
                found=f"the import left out the verdict on "
                f"{part_of(count, changes, 'hint-induced change')}: {reason}",
                numbers={"left_out": count, "n": changes},
            )
            for reason, count in left_out.unusable.items()
            if changes and count / changes >= LEFT_OUT
        ),
    ]


def other_import(left_out: LeftOut, records: int) -> list[Finding]:
    """The record of the import counts other pairs than the delivery has: one was replaced.

    Source: HP section 5 (R10).
    """
    if left_out.records is None or left_out.records == records:
        return []
    return [
        Finding(
            code="import_differs",
            severity=Severity.WRONG,
            found=f"the record of the import counts {counted(left_out.records, 'pair')}, the "
            f"delivery has {records:,}",
            numbers={"imported": left_out.records, "records": records},
        )
    ]
