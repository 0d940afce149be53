"""What an import left out of a delivery, read from the files that it wrote beside it."""

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from avowed.importing.build import EXCLUSIONS_FILE, IMPORT_FILE
from avowed.importing.exclusions import What
from avowed.jsonfile import read_json
from avowed.refusal import Unusable


@dataclass(frozen=True, kw_only=True)
class LeftOutByImport:
    """What an import says of itself.

    Attributes:
        records: pairs it put into the delivery; None where only the sheet is there.
        incomplete: pairs that lack a half.
        rows: rows left out, by reason, the most frequent first.
        verdicts: verdicts left out, by reason, likewise.
        words: words of the judge that the mapping does not explain, with their counts.
    """

    records: int | None
    incomplete: int
    rows: Mapping[str, int] = field(default_factory=dict)
    verdicts: Mapping[str, int] = field(default_factory=dict)
    words: Mapping[str, int] = field(default_factory=dict)


def read_left_out(folder: Path) -> LeftOutByImport | None:
    """What the import of a delivery left out, None if it was not imported.

    Without ``import.json`` the rows are counted in ``exclusions.csv``.

    Raises:
        Unusable: one of the two files is not what an import writes.
    """
    described, sheet = folder / IMPORT_FILE, folder / EXCLUSIONS_FILE
    if described.is_file():
        try:
            content = read_json(described)
            counts = content["counts"]
            return LeftOutByImport(
                records=int(counts["records"]),
                incomplete=int(counts["incomplete"]),
                rows=_counts(content["left_out"]),
                verdicts=_counts(content["verdicts_left_out"]),
                # An import of an older version does not name the words.
                words=_counts(content.get("unknown_verdicts", {})),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _no_import(described, error) from None
    if not sheet.is_file():
        return None
    try:
        with sheet.open(encoding="utf-8", newline="") as file:
            entries = [(row["what"], row["reason"]) for row in csv.DictReader(file)]
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise _no_import(sheet, error) from None
    rows, verdicts = (
        dict(Counter(reason for kind, reason in entries if kind == what).most_common())
        for what in (What.ROW, What.VERDICT)
    )
    halves = sum(what == What.HALF for what, _ in entries)
    return LeftOutByImport(records=None, incomplete=halves, rows=rows, verdicts=verdicts)


def _counts(found: Mapping[str, int]) -> dict[str, int]:
    return {str(each): int(count) for each, count in found.items()}


def _no_import(path: Path, error: Exception) -> Unusable:
    why = f"{type(error).__name__}: {error}"
    return Unusable(f"{path}: not what avowed import writes ({why}); import again or remove it")


def left_out_line(folder: Path) -> str | None:
    """What the import of a delivery left out in one sentence; None if it was not imported.

    Raises:
        Unusable: the record of the import is not what an import writes.
    """
    found = read_left_out(folder)
    return None if found is None else in_a_sentence(found)


def left_out_lines(folders: Mapping[str, Path | str]) -> list[tuple[str, str]]:
    """The name of each delivery that was imported, and what its import left out in a sentence.

    Args:
        folders: name of a delivery -> its folder; those that were not imported are passed over.

    Raises:
        Unusable: the record of an import is not what an import writes.
    """
    found = [(name, left_out_line(Path(folder))) for name, folder in folders.items()]
    return [(name, line) for name, line in found if line is not None]


def in_a_sentence(found: LeftOutByImport) -> str:
    """What an import left out, how many and why.

    >>> in_a_sentence(LeftOutByImport(
    ...     records=160, incomplete=0, rows={"hint on the correct answer": 40, "junk answer": 1}))
    'The import left out 41 of 201 rows: hint on the correct answer 40, junk answer 1.'
    """
    rows = sum(found.rows.values())
    parts = [f"{rows:,} rows{_why(found.rows)}"]
    if found.records is not None:
        total = found.records + found.incomplete + rows
        parts = [f"{rows:,} of {total:,} rows{_why(found.rows)}"]
    verdicts = sum(found.verdicts.values())
    if verdicts:
        parts.append(f"{verdicts:,} verdict{'s' * (verdicts != 1)}{_why(found.verdicts)}")
    text = f"The import left out {'; and '.join(parts)}."
    if found.incomplete:
        lack = "lack" if found.incomplete != 1 else "lacks"
        text += f" {found.incomplete:,} pair{'s' * (found.incomplete != 1)} {lack} a half."
    return text


def _why(reasons: Mapping[str, int]) -> str:
    listed = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    told = ", ".join(f"{reason} {count:,}" for reason, count in listed)
    return f": {told}" if told else ""
