"""What an import read and what became of it, in words."""

from collections.abc import Mapping

from avowed.importing.build import Built
from avowed.importing.exclusions import UNEXPLAINED, Exclusions, What
from avowed.importing.unused_values import listed


def summary_lines(built: Built, *, files: int) -> list[str]:
    """What was read and what became of it, one line each."""
    counts, exclusions = built.counts, built.exclusions
    lines = [f"read: {counts.read:,} rows of {files:,} file{'s' * (files != 1)}"]
    if counts.passed_over:
        lines.append(f"passed over by the filter: {counts.passed_over:,} rows")
    if counts.unhinted:
        lines.append(f"unhinted halves: {counts.unhinted:,} rows")
    lines.append(f"records: {counts.records:,} pairs")
    for what, kind in (
        ("incomplete pairs", What.HALF),
        ("rows left out", What.ROW),
        ("verdicts left out", What.VERDICT),
        ("evidence left out", What.EVIDENCE),
    ):
        counted = exclusions.counts(kind)
        if counted or kind is not What.EVIDENCE:
            lines.append(_counted(what, counted))
    lines += _unexplained(exclusions)
    if counts.unused:
        lines.append(f"unhinted halves without a hinted one: {counts.unused:,}")
    if counts.taken_as_missing:
        lines.append(f"junk answers taken as not extracted: {counts.taken_as_missing:,}")
    lines += [f"mapping, {each}" for each in built.unused]
    return lines


def _unexplained(exclusions: Exclusions) -> list[str]:
    """The values that the mapping does not explain, with their counts."""
    lines = []
    for reason in UNEXPLAINED:
        for column, values in exclusions.values_of(reason).items():
            told = listed([f"{value} ({count:,})" for value, count in values.items()])
            lines.append(f"{reason} in {column}: {told}")
    return lines


def _counted(what: str, counts: Mapping[str, int]) -> str:
    total = f"{what}: {sum(counts.values()):,}"
    return total + (
        f" ({', '.join(f'{reason} {count:,}' for reason, count in counts.items())})"
        if counts
        else ""
    )
