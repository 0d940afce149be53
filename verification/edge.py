"""The recomputation's side of the edge delivery: every part that planted faults are looked for in.

Computed once, then held against what each faulty copy of the program gives. Standard library only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verification.comparison import compare
from verification.corrections import Key, compare_corrections, key_of, redecisions
from verification.files import Unusable, read_json, read_json_lines
from verification.planted import Rows
from verification.public_records import PREFIXES, Legend, compare_public
from verification.recompute import recompute_delivery
from verification.refusals import compare_refusals, independent_rules

#: Name of the delivery, its cells and its study.
NAME = "edge"
#: The cell whose bootstrap is drawn with many resamples.
STEADY_CELL = "wide"
#: What ``definitions`` says of the public data's labels.
LABEL_THRESHOLD, RISK_FAMILY = 0.5, "sycophancy"

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Edge:
    """The exported edge delivery and what this program makes of it.

    ``estimates`` and ``spread`` are rows of the long table, ``refusals`` the rules broken by case;
    ``redecided`` is filled where a correction asks for a threshold. ``coded`` is the small table of
    coded answers, labels as codes, and ``legend`` what the codes stand for.
    """

    header: Mapping[str, Any]
    records: Sequence[Record]
    settings: Mapping[str, Any]
    estimates: Rows
    spread: Rows
    refusals: Mapping[str, str]
    redecided: dict[Key, dict[str, Any]]
    coded: Sequence[Record]
    legend: Legend

    @classmethod
    def recomputed(
        cls,
        exported: Path,
        refused: Path,
        settings: Mapping[str, Any],
        *,
        steady_resamples: int,
        coded: Sequence[Record] = (),
        legend: Legend | None = None,
    ) -> "Edge":
        """Recompute everything.

        Args:
            exported: folder with ``edge.jsonl`` and ``edge.header.json``.
            refused: folder of the refused deliveries.
            settings: the configuration; its resamples hold for everything but ``spread``.
            steady_resamples: bootstrap resamples of ``spread``.
            coded: a table of coded public answers.
            legend: label column -> labels, in the order of their codes.

        Raises:
            Unusable: a file cannot be read, or the delivery lacks the cell of ``spread``.
        """
        header = read_json(exported / f"{NAME}.header.json")
        records = read_json_lines(exported / f"{NAME}.jsonl")
        alone = [record for record in records if record["hint_type"] == STEADY_CELL]
        if not alone:
            raise Unusable(f"{exported}: no records of the cell {STEADY_CELL}; run make reproduce")
        return cls(
            header=header,
            records=records,
            settings=settings,
            estimates=recompute_delivery(NAME, header, records, settings, study=NAME),
            spread=recompute_delivery(
                NAME,
                {**header, "hint_types": [STEADY_CELL]},
                alone,
                with_resamples(settings, steady_resamples),
                study=NAME,
                cell_name=f"{NAME}/{STEADY_CELL}",
            ),
            refusals=independent_rules(refused),
            redecided={},
            coded=coded,
            legend=legend or {},
        )

    def compared(self, parts: Mapping[str, Rows], cells: Sequence[str]) -> Rows:
        """Compare the parts that a program gave, one row per comparison.

        Args:
            parts: what it gave.
            cells: hint types that it was asked to estimate, all if empty.
        """
        rows: Rows = []
        if "estimates" in parts:
            asked_for = {f"{NAME}/{cell}" for cell in cells}
            ours = [row for row in self.estimates if not cells or row["cell"] in asked_for]
            rows += compare(parts["estimates"], ours, source=NAME)
        if "spread" in parts:
            rows += compare(parts["spread"], self.spread, source=NAME)
        if "corrections" in parts:
            asked = parts["corrections"]
            missing = [row for row in asked if key_of(row) not in self.redecided]
            deliveries = {NAME: (self.header, self.records)}
            self.redecided.update(redecisions(missing, deliveries, self.settings))
            headers = {NAME: self.header}
            rows += compare_corrections(asked, self.redecided, headers, self.settings)
        if "refusals" in parts:
            rows += compare_refusals(parts["refusals"], dict(self.refusals))
        if "public" in parts:
            rows += self._public(parts["public"])
        return rows

    def _public(self, main: Rows) -> Rows:
        """The records that a program made of the coded answers; it states each condition once."""
        conditions = {(row["bias"], row["condition"]): row for row in main}
        return list(
            compare_public(
                self.coded,
                self.legend,
                {PREFIXES[bias] + name: row["records"] for (bias, name), row in conditions.items()},
                {
                    bias: [row["exclusions"] for key, row in conditions.items() if key[0] == bias]
                    for bias in PREFIXES
                },
                threshold=LABEL_THRESHOLD,
                risk_family=RISK_FAMILY,
            )
        )


def with_resamples(settings: Mapping[str, Any], resamples: int) -> dict[str, Any]:
    """The configuration with another number of bootstrap resamples.

    >>> with_resamples({"bootstrap": {"resamples": 9, "confidence": 0.9}}, 5)["bootstrap"]
    {'resamples': 5, 'confidence': 0.9}
    """
    return {**settings, "bootstrap": {**settings["bootstrap"], "resamples": resamples}}
