"""What the rows of one repetition are formed from: its pairs and its settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from verification.bootstrap import tolerance
from verification.comparison import EXACT, MONTE_CARLO, Row, compared
from verification.estimates import Interval, Settings
from verification.omission import per_probe
from verification.records import Pair
from verification.simulated import Drawn, Key

SOURCE = "repetition 0 of the studies"
Number = float | int | None
#: Source, quantity, cell, k.
Place = tuple[str, str, str, int | None]


@dataclass(frozen=True, eq=False)
class Repetition:
    """The pairs of repetition 0 and the settings that made them."""

    pairs: Mapping[Key, Sequence[Drawn]]
    config: Mapping[str, Any]

    @property
    def simulation(self) -> Mapping[str, Any]:
        """The settings of the simulation study."""
        found: Mapping[str, Any] = self.config["simulation"]
        return found

    @cached_property
    def settings(self) -> Settings:
        """The settings of the estimators."""
        return Settings.from_config(self.config)

    def seen(self, key: Key) -> list[Pair]:
        """What an estimator sees of a cell."""
        return [one.pair(self.simulation["judge"]["cut"]) for one in self.pairs[key]]

    def analysed(self, key: Key) -> list[Pair]:
        """The pairs with enough options."""
        return [one for one in self.seen(key) if one.options >= self.settings.min_options]

    def main(self, hint_type: str, *, variant: str = "main") -> Key:
        """The cell of a hint type at full size."""
        return hint_type, self.simulation["probes"], variant

    def counts(self, key: Key) -> tuple[list[int], list[int]]:
        """Flagged and evaluable moves of each probe that has an evaluable one."""
        evaluable = [one for one in self.analysed(key) if one.evaluable_move]
        hits = per_probe(evaluable, lambda pair: pair.violation)
        sizes = per_probe(evaluable, lambda _: True)
        return list(hits.values()), list(sizes.values())


def end(place: Place, field: str, main: Number, ours: Number, slack: float) -> Row:
    """One end of an interval; without slack, exact."""
    if slack == 0:
        return compared(*place, field, main, ours)
    return compared(*place, field, main, ours, within=slack + EXACT, basis=MONTE_CARLO)


def ends_of(interval: Interval | None) -> tuple[tuple[Number, float], tuple[Number, float]]:
    """Each end with how far another bootstrap's may lie from it."""
    if interval is None:
        return (None, 0.0), (None, 0.0)
    e = interval.ends
    if e is None:
        return (interval.lower, 0.0), (interval.upper, 0.0)
    return (
        (interval.lower, tolerance(e.lower_error, e.lower_step)),
        (interval.upper, tolerance(e.upper_error, e.upper_step)),
    )
