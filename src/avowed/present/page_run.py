"""Where the numbers came from and how long it took: the last section of the report."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from avowed.present.page_text import as_number


@dataclass(frozen=True)
class RuleTime:
    """All jobs of a rule: how many, their seconds together, the most memory one took in MB."""

    rule: str
    jobs: int
    seconds: float
    memory: float | None


def rule_times(folder: Path, *, without: str = "") -> list[RuleTime]:
    """Sum up what Snakemake's ``benchmark:`` files say, slowest rule first.

    A benchmark is ``<rule>.tsv``, or ``<rule>/<wildcards>.tsv`` for a rule with wildcards. What is
    not there, or cannot be read, is left out: run times are noise, not results. ``without`` names
    the rule that asks, whose own time is known only of the run before.
    """
    measured: dict[str, list[Mapping[str, str]]] = {}
    for path in sorted(folder.rglob("*.tsv")):
        try:
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file, delimiter="\t"))
        except (OSError, ValueError, csv.Error):
            continue
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        measured.setdefault(rule, []).extend(row for row in rows if as_number(row.get("s")))
    times = [
        RuleTime(
            rule=rule,
            jobs=len(rows),
            seconds=sum(as_number(row["s"]) or 0 for row in rows),
            memory=max(
                (size for row in rows if (size := as_number(row.get("max_rss"))) is not None),
                default=None,
            ),
        )
        for rule, rows in measured.items()
        if rows and rule != without
    ]
    return sorted(times, key=lambda one: (-one.seconds, one.rule))


@dataclass(frozen=True)
class Provenance:
    """What a run was: see `avowed.provenance.describe_run`."""

    run: Mapping[str, Any]
    changed: Mapping[str, Any]
    times: Sequence[RuleTime]
    files_checked: int | None = None

    @property
    def seed(self) -> int | None:
        """The root of every random stream."""
        seed: int | None = self.run.get("settings", {}).get("seed")
        return seed
