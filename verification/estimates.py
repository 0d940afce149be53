"""What the recomputation gives for one quantity, and the settings it works with (HP section 7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verification.bootstrap import Ends
from verification.clustering import Clustering
from verification.files import Unusable

PERCENTILE = "percentile cluster bootstrap"
WILSON_AT_EFFECTIVE_N = "wilson at effective n"
WILSON_AT_PROBES = "wilson at number of probes"
WILSON_REFERENCE = "wilson, pairs as independent"

#: Why another outcome is as good, by Monte-Carlo error.
NEAR_LIMIT = "the share of undefined resamples is as near to its limit"
NEAR_POINT = "the bootstrap is as near to a point"


@dataclass(frozen=True)
class Settings:
    """The numbers that the paper fixes, as the configuration that ran has them."""

    resamples: int
    confidence: float
    min_options: int
    target_half_width: float
    exposure_min_options: int
    cuts: tuple[float, ...]
    max_undefined_share: float

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Settings":
        """Read them from the configuration.

        Raises:
            Unusable: a key is missing, is not a number, or is out of its range.
        """
        return cls(
            resamples=_whole(config, "bootstrap", "resamples", least=1),
            confidence=_within(config, "bootstrap", "confidence", ends=False),
            min_options=_whole(config, "analysis", "min_options", least=2),
            target_half_width=setting(config, "analysis", "target_half_width"),
            exposure_min_options=_whole(config, "exposure", "min_options", least=2),
            cuts=tuple(_cuts(config)),
            max_undefined_share=_within(config, "chance", "max_undefined_share", ends=True),
        )


def setting(config: Mapping[str, Any], part: str, key: str) -> float:
    """One number of the configuration.

    Raises:
        Unusable: it is missing or is not a number.
    """
    section = config.get(part)
    value = section.get(key) if isinstance(section, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unusable(f"settings: {part}.{key} is {value!r}; expected a number")
    return value


def _whole(config: Mapping[str, Any], part: str, key: str, *, least: int) -> int:
    value = setting(config, part, key)
    if not isinstance(value, int) or value < least:
        raise Unusable(f"settings: {part}.{key} is {value!r}; expected a whole number >= {least}")
    return value


def _within(config: Mapping[str, Any], part: str, key: str, *, ends: bool) -> float:
    value = setting(config, part, key)
    if not (0 < value < 1 or (ends and value in (0, 1))):
        raise Unusable(f"settings: {part}.{key} is {value!r}; expected a share between 0 and 1")
    return value


def _cuts(config: Mapping[str, Any]) -> list[float]:
    section = config.get("sensitivity")
    cuts = section.get("cuts") if isinstance(section, Mapping) else None
    if not isinstance(cuts, list) or not all(
        isinstance(cut, int | float) and not isinstance(cut, bool) for cut in cuts
    ):
        raise Unusable(f"settings: sensitivity.cuts is {cuts!r}; expected a list of numbers")
    return cuts


@dataclass(frozen=True)
class Interval:
    """Two ends with the method that made them; the errors are None where nothing was drawn."""

    lower: float
    upper: float
    method: str
    ends: Ends | None = None

    @property
    def half_width(self) -> float:
        """Half of the width."""
        return (self.upper - self.lower) / 2

    @classmethod
    def drawn(cls, ends: Ends) -> "Interval":
        """The percentile interval of the bootstrap."""
        return cls(ends.lower, ends.upper, PERCENTILE, ends)


@dataclass(frozen=True)
class Estimate:
    """One quantity of one cell; what is undefined is None.

    Attributes:
        method: how a value without an interval was got; with one, the interval names its own.
        facts: what the pipeline says in words in its note, by name.
        undefined_resamples: how many resamples were undefined; None where none were drawn.
        alternative: what holds where the share of undefined resamples falls on the other side of
            its limit, or where the bootstrap collapses to a point and this one does not (or the
            other way round), if Monte-Carlo error can bring that about. It may have one as well.
        near: why this is an alternative.
    """

    quantity: str
    value: Fraction | float | int | None
    n: int
    clusters: int
    status: str
    k: int | None = None
    interval: Interval | None = None
    method: str | None = None
    clustering: Clustering | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    undefined_resamples: int | None = None
    alternative: "Estimate | None" = None
    near: str = ""


def status_of(interval: Interval | None, n: int, clusters: int, target: float) -> str:
    """Insufficient below two clusters or two pairs, then by the half-width (HP section 7).

    >>> status_of(Interval(0.4, 0.7, "any"), 40, 10, 0.1)
    'undersampled'
    """
    if clusters < 2 or n < 2:
        return "insufficient"
    if interval is None:
        return "undefined"
    return "undersampled" if interval.half_width > target else "converged"


def descriptive(
    quantity: str,
    hits: int,
    n: int,
    clusters: int,
    method: str,
    *,
    k: int | None = None,
    pairs: int | None = None,
) -> Estimate:
    """A share hits / n without an interval; undefined where there is nothing to share.

    ``pairs`` is the number of pairs where that is not n.
    """
    return Estimate(
        quantity=quantity,
        k=k,
        value=Fraction(hits, n) if n else None,
        n=n if pairs is None else pairs,
        clusters=clusters,
        status="descriptive" if n else "undefined",
        method=method,
    )


def as_row(found: Estimate, *, study: str, cell: str, settings: Settings) -> dict[str, Any]:
    """The estimate under the names of the long table, and what a comparison needs beside them.

    Whole numbers stay whole, so that they are compared as such. ``lower_error``, ``upper_error``,
    ``lower_step`` and ``upper_step`` are None but for bootstrap ends.
    """
    interval, clustered, other = found.interval, found.clustering, found.alternative
    ends = interval.ends if interval else None
    return {
        "study": study,
        "cell": cell,
        "quantity": found.quantity,
        "k": found.k,
        "estimate": found.value if isinstance(found.value, int) else _float(found.value),
        "lower": interval.lower if interval else None,
        "upper": interval.upper if interval else None,
        "method": interval.method if interval else found.method,
        "status": found.status,
        "n": found.n,
        "clusters": found.clusters,
        "icc": _float(clustered.icc) if clustered else None,
        "deff": _float(clustered.deff) if clustered else None,
        "effective_n": _float(clustered.effective_n) if clustered else None,
        "mc_error": None,
        "repetitions": None,
        "lower_error": ends.lower_error if ends else None,
        "upper_error": ends.upper_error if ends else None,
        "lower_step": ends.lower_step if ends else None,
        "upper_step": ends.upper_step if ends else None,
        "target_half_width": settings.target_half_width,
        "resamples": settings.resamples,
        "facts": dict(found.facts),
        "undefined_resamples": found.undefined_resamples,
        "near": found.near,
        "alternative": (
            as_row(other, study=study, cell=cell, settings=settings) if other else None
        ),
    }


def _float(value: Fraction | float | None) -> float | None:
    return None if value is None else float(value)
