"""The cells of the studies: a hint type at a size, with its population truth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from avowed.pairs.cell import Cell
from avowed.pairs.estimate import Settings
from avowed.pairs.simulate import (
    BetaLaw,
    Design,
    Simulated,
    cell_of_simulated,
    design_of,
    simulate,
)
from avowed.pairs.truth import Population, population
from avowed.stats.seeds import Study


@dataclass(frozen=True)
class StudyCell:
    """A hint type in a design, under a name that seeds its data."""

    hint_type: str
    design: Design
    variant: str = "main"

    @property
    def name(self) -> str:
        """Name of the cell: hint type, number of probes, variant."""
        return f"{self.hint_type}/{self.design.probes}/{self.variant}"

    def truth(self, *, min_options: int) -> Population:
        """Population truth over the probes with at least ``min_options`` options.

        That has to be the number from which the estimates are made: a rate over all probes has
        another truth than one over those with three options or more.
        """
        return _population(self.design, min_options)

    def pairs(self, settings: Settings) -> Simulated:
        """Simulate the pairs of repetition ``settings.replicate``."""
        return simulate(self.design, settings.stream(Study.SIMULATED_PAIRS, self.name))

    def data(self, settings: Settings) -> Cell:
        """Return those pairs as estimators read them."""
        return cell_of_simulated(self.pairs(settings), hint_type=self.name)


@lru_cache(maxsize=128)
def _population(design: Design, min_options: int) -> Population:
    return population(design, min_options=min_options)


def main_cells(config: Mapping[str, Any]) -> list[StudyCell]:
    """The hint types of section 16.1 at full size, by name; one set to None is left out."""
    names = sorted(name for name, laws in config["hint_types"].items() if laws is not None)
    return [StudyCell(name, design_of(config, name)) for name in names]


def example_cell(config: Mapping[str, Any]) -> StudyCell:
    """The hint type of the worked example at full size."""
    name = config["worked_example"]
    return StudyCell(name, design_of(config, name))


def perfect_judge_cells(config: Mapping[str, Any]) -> list[StudyCell]:
    """The same with a perfect judge, which isolates the chance correction."""
    return [
        replace(cell, design=cell.design.with_perfect_judge(), variant="perfect judge")
        for cell in main_cells(config)
    ]


def coverage_cells(config: Mapping[str, Any], repetition: int) -> Iterator[StudyCell]:
    """Cells of the coverage study in one repetition: full size, smaller sizes, extreme rates.

    The cells beyond the paper run for ``further_repetitions``. Rates near 0 and 1 come from a
    perfect judge, no chance moves, and acknowledgement laws of their own.
    """
    if repetition < config["repetitions"]:
        yield from main_cells(config)
    if repetition >= config["further_repetitions"]:
        return
    for cell in main_cells(config):
        for probes in config["smaller_probes"]:
            yield replace(cell, design=cell.design.with_probes(probes), variant="smaller")
    first = example_cell(config)
    for variant, law in config["extreme_acknowledgement"].items():
        extreme = replace(
            first.design.with_perfect_judge(), acknowledgement=BetaLaw(*law), chance_move=0.0
        )
        for probes in config["extreme_probes"]:
            yield StudyCell(first.hint_type, extreme.with_probes(probes), variant)
