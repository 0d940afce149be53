"""The recomputation's side of the edge studies of cited factors, for planted faults."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verification.comparison import compare
from verification.factors import PARTS, read_study, recomputed
from verification.factors_facts import Readings
from verification.planted import Rows


@dataclass(frozen=True)
class FactorEdge:
    """Rows of the long table by study and part, computed once."""

    rows: Mapping[tuple[str, str], Rows]

    @classmethod
    def recomputed(cls, exported: Path, settings: Mapping[str, Any]) -> "FactorEdge":
        """Recompute every part of every exported study; their estimates are not needed.

        Raises:
            Unusable: a file cannot be read.
        """
        readings = Readings.from_config(settings)
        found = {}
        for folder in sorted(path.parent for path in exported.glob("*/usecase.json")):
            groups = settings["factors"]["groups"][folder.name]
            for part in PARTS:
                study = read_study(folder, part)
                found[folder.name, part] = recomputed(study, part, readings, groups)
        return cls(found)

    def compared(self, parts: Mapping[str, Rows], _cells: Sequence[str]) -> Rows:
        """Compare the parts that a program gave, one row per comparison."""
        rows: Rows = []
        for (study, part), ours in self.rows.items():
            if part in parts:
                given = [row for row in parts[part] if row["study"] == study]
                rows += compare(given, ours, source=f"edge {study}")
        return rows
