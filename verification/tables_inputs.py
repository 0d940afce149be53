"""What the tables are recomputed from: exported deliveries, estimates, repetitions, settings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from verification.files import Unusable, read_csv, read_json, read_json_lines
from verification.records import Pair, cells_of

Row = Mapping[str, Any]

# Tables that the estimates of a delivery go to.
TABLES_OF_CELLS = {"public_data", "always_a", "deliveries", "worked_example"}


@dataclass(frozen=True)
class Cell:
    """One cell of a delivery: what its long table calls it, its hint, its pairs, its estimates.

    ``estimates`` maps a quantity (without k) to its row of the long table.
    """

    study: str
    name: str
    hint_type: str
    hint_channel: str
    pairs: tuple[Pair, ...]
    estimates: Mapping[str, Row]


# Equal only to itself, so that what is worked out from it can be kept by it.
@dataclass(frozen=True, eq=False)
class Inputs:
    """The files that the recomputation of the tables reads; each is read once, when needed."""

    results: Path
    exported: Path
    published_folder: Path
    settings: Mapping[str, Any]

    @property
    def simulation(self) -> Mapping[str, Any]:
        """The settings of the simulation study."""
        found: Mapping[str, Any] = self.settings["simulation"]
        return found

    @property
    def hint_types(self) -> list[str]:
        """The simulated hint types by name; one set to null is left out."""
        kinds = self.simulation["hint_types"]
        return sorted(name for name, laws in kinds.items() if laws is not None)

    @property
    def confidence(self) -> float:
        """Level of every interval."""
        return float(self.settings["bootstrap"]["confidence"])

    def study(self, name: str) -> list[Row]:
        """Repetitions of a study, by repetition."""
        return self._studies.setdefault(name, self._read_study(name))

    @cached_property
    def _studies(self) -> dict[str, list[Row]]:
        return {}

    def _read_study(self, name: str) -> list[Row]:
        rows = read_json_lines(self.exported / "studies" / f"{name}.jsonl")
        return sorted(rows, key=lambda row: int(row["repetition"]))

    def published(self, name: str) -> list[dict[str, str]]:
        """Rows of a file of printed numbers, as text.

        Raises:
            Unusable: it cannot be read.
        """
        return read_csv(self.published_folder / f"{name}.csv", remedy="restore it")

    @cached_property
    def coded(self) -> list[Row]:
        """The public outputs as integers, labels instead of codes."""
        rows = read_json_lines(self.exported / "coded_answers.jsonl")
        return [
            {**row, **{column: names[row[column]] for column, names in self.legend.items()}}
            for row in rows
        ]

    @cached_property
    def items(self) -> Counter[tuple[str, str, str, bool]]:
        """Public items by bias, condition, task and whether the hint is the correct answer."""
        return Counter(
            (
                row["bias"],
                f"{row['model']}_{row['prompting']}",
                row["task"],
                row["hint"] == row["correct"],
            )
            for row in self.coded
        )

    @cached_property
    def legend(self) -> Mapping[str, Sequence[str]]:
        """Labels of the coded columns, in the order of their codes."""
        found: Mapping[str, Sequence[str]] = read_json(
            self.results / "pairs" / "coded_answers.json"
        )["legend"]
        return found

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell of every exported delivery whose estimates go to a table.

        Raises:
            Unusable: a file cannot be read, or the estimates name other cells than the delivery.
        """
        found = []
        for path in sorted((self.exported / "estimates").glob("*.jsonl")):
            rows = read_json_lines(path)
            labels = list(dict.fromkeys((row["study"], row["cell"]) for row in rows))
            if not {study for study, _ in labels} & TABLES_OF_CELLS:
                continue
            header = read_json(self.exported / "deliveries" / f"{path.stem}.header.json")
            records = read_json_lines(self.exported / "deliveries" / path.name)
            parts = cells_of(path.stem, header, records)
            if len(labels) != len(parts):
                raise Unusable(
                    f"{path}: estimates of {len(labels)} cells, but the delivery has "
                    f"{len(parts)} hint types; run make reproduce"
                )
            for (kind, pairs), (study, label) in zip(parts.items(), labels, strict=True):
                mine = {
                    row["quantity"]: row for row in rows if (row["cell"], row["k"]) == (label, None)
                }
                channel = header.get("hint_channel", "")
                found.append(Cell(study, label, kind, channel, tuple(pairs), mine))
        return found
