"""What an estimate is: a value with its interval, sample, method and status; and the settings."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from avowed.refusal import Unusable
from avowed.stats.clustering import Clustering
from avowed.stats.intervals import UNDEFINED, Interval
from avowed.stats.seeds import Study, generator, name_id
from avowed.stats.status import Status


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The numbers that the paper fixes, each with the section that fixes it.

    Attributes:
        seed: root seed of every random stream.
        resamples: bootstrap resamples (section 7).
        confidence: level of every interval (section 7).
        min_options: fewest options L of an analysed pair (section 7).
        target_half_width: the precision epsilon of the status gate (section 7).
        exposure_min_options: fewest options of a pair in the exposure curve (section 11).
        cuts: cuts of the violation score in the threshold curve (section 10).
        max_undefined_share: share of undefined resamples above which the interval of the
            chance correction is undefined.
        replicate: repetition of a simulation study; 0 for data.
    """

    seed: int = 1
    resamples: int = 2000
    confidence: float = 0.95
    min_options: int = 3
    target_half_width: float = 0.10
    exposure_min_options: int = 3
    cuts: tuple[float, ...] = (0.5, 0.6, 0.7, 0.8)
    max_undefined_share: float = 0.05
    replicate: int = 0

    def stream(self, study: Study, cell: str) -> np.random.Generator:
        """Return the random stream of one use in one cell (and repetition).

        >>> one = Settings().stream(Study.OMISSION, "metadata").integers(1000)
        >>> bool(one == Settings(replicate=1).stream(Study.OMISSION, "metadata").integers(1000))
        False
        """
        return generator(self.seed, study, name_id(cell), self.replicate)

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Settings":
        """Read the settings from the workflow's configuration.

        Raises:
            Unusable: the cuts of the threshold curve do not increase.

        >>> Settings.from_config({"seed": 1, "bootstrap": {"resamples": 10}}).resamples
        10
        """
        bootstrap = config.get("bootstrap", {})
        analysis = config.get("analysis", {})
        found = {
            "seed": config.get("seed"),
            "resamples": bootstrap.get("resamples"),
            "confidence": bootstrap.get("confidence"),
            "min_options": analysis.get("min_options"),
            "target_half_width": analysis.get("target_half_width"),
            "exposure_min_options": config.get("exposure", {}).get("min_options"),
            "cuts": config.get("sensitivity", {}).get("cuts"),
            "max_undefined_share": config.get("chance", {}).get("max_undefined_share"),
        }
        given = {name: value for name, value in found.items() if value is not None}
        if "cuts" in given:
            given["cuts"] = tuple(given["cuts"])
            # A quantity is named after its cut, to six digits.
            shown = [float(f"{cut:g}") for cut in given["cuts"]]
            if any(after <= before for before, after in pairwise(shown)):
                raise Unusable(
                    f"config key sensitivity.cuts: found {list(given['cuts'])}; expected cuts that "
                    "increase and differ in their first six digits"
                )
        return cls(**given)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One row of the long results table.

    ``k`` is the number of attempts of an exposure; ``n`` and ``clusters`` are the pairs and
    probes that the value rests on. Undefined is NaN with a status, never 0. ``method`` is the
    interval's, or how a value without one was got.
    """

    quantity: str
    value: float
    n: int
    clusters: int
    status: Status = Status.DESCRIPTIVE
    interval: Interval = UNDEFINED
    counted_as: str = ""
    k: int | None = None
    clustering: Clustering | None = None
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        """Refuse an infinite value, which no quantity here can take."""
        if math.isinf(self.value):
            raise ValueError(f"{self.quantity}: an estimate cannot be infinite")
        if math.isnan(self.value) and self.status is Status.DESCRIPTIVE:
            object.__setattr__(self, "status", Status.UNDEFINED)

    @property
    def method(self) -> str:
        """Name of the interval's method, or of how a value without an interval was got."""
        return self.interval.method if self.interval.defined else self.counted_as
