"""The numbers and readings that the measures of cited factors use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from avowed.refusal import Unusable

_FIXED_POINTS = ("not constructible", "far end")
_BINARY_SIMILAR = ("unchanged", "not constructible")


@dataclass(frozen=True, kw_only=True)
class FactorSettings:
    """What the measures of cited factors leave open, each with the reading used.

    Attributes:
        seed: root seed of every random stream.
        resamples: bootstrap resamples of the inputs.
        confidence: level of every interval (NS figures 6 and 12: 95 %).
        target_half_width: the precision that separates converged from undersampled.
        max_undefined_share: share of undefined resamples above which an interval is undefined.
        unscored_is_zero: rank agreement counts an unscored cited feature as 0 instead of
            excluding the response.
        no_uncited_counts: uncited comparison counts a response without an eligible uncited
            feature as one without an omission instead of leaving it out.
        unscored_cited_value: score of an inactive or unscored cited feature in the uncited
            comparison and, by the zero rule, in the set comparison (NS 3.5: 0).
        zero_rule: set comparison counts an unscored cited feature with that score instead of
            taking the mean over the scored ones.
        set_sizes: the k of the set comparison (NS 3.5: 2 and 3).
        lower_ranks: first and last of the ranks that the full-ranking pilot compares with the
            cited ones (NS 4.5: 4 and 6).
        min_shared: shared features that an ordering comparison needs (NS D.4: 2).
        fixed_point: what contrast does with the middle of an ordinal list.
        binary_similar: what similar does with a binary feature.
        replicate: repetition of a study on simulated components; 0 for data.
    """

    seed: int = 1
    resamples: int = 2000
    confidence: float = 0.95
    target_half_width: float = 0.10
    max_undefined_share: float = 0.05
    unscored_is_zero: bool = False
    no_uncited_counts: bool = True
    unscored_cited_value: float = 0.0
    zero_rule: bool = True
    set_sizes: tuple[int, ...] = (2, 3)
    lower_ranks: tuple[int, int] = (4, 6)
    min_shared: int = 2
    fixed_point: str = "not constructible"
    binary_similar: str = "unchanged"
    replicate: int = 0

    def __post_init__(self) -> None:
        """Refuse a reading that does not exist and ranks or sizes that cannot be."""
        for key, value, allowed in (
            ("interventions.fixed_point", self.fixed_point, _FIXED_POINTS),
            ("interventions.binary_similar", self.binary_similar, _BINARY_SIMILAR),
        ):
            if value not in allowed:
                raise Unusable(
                    f"config key factors.{key}: found {value!r}; expected one of {list(allowed)}"
                )
        if not self.set_sizes or min(self.set_sizes) < 1:
            raise Unusable(
                f"config key factors.sets.k: found {list(self.set_sizes)}; expected sizes of 1 or "
                "more"
            )
        if len(self.lower_ranks) != 2 or not 1 < self.lower_ranks[0] <= self.lower_ranks[1]:
            raise Unusable(
                f"config key factors.pilot.lower_ranks: found {list(self.lower_ranks)}; expected "
                "the first and the last rank, both above 1"
            )

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "FactorSettings":
        """Read the settings from the workflow's configuration; what is absent has its default.

        Raises:
            Unusable: a reading that does not exist, or ranks or sizes that cannot be.

        >>> config = {"seed": 3, "factors": {"uncited": {"no_uncited_counts": False}}}
        >>> FactorSettings.from_config(config).no_uncited_counts
        False
        """
        factors = config.get("factors", {})

        def at(section: str, key: str) -> Any:
            return factors.get(section, {}).get(key)

        sizes, ranks = at("sets", "k"), at("pilot", "lower_ranks")
        found = {
            "seed": config.get("seed"),
            "resamples": config.get("bootstrap", {}).get("resamples"),
            "confidence": config.get("bootstrap", {}).get("confidence"),
            "target_half_width": config.get("analysis", {}).get("target_half_width"),
            "max_undefined_share": factors.get("max_undefined_share"),
            "unscored_is_zero": at("rank_agreement", "unscored_is_zero"),
            "no_uncited_counts": at("uncited", "no_uncited_counts"),
            "unscored_cited_value": at("uncited", "unscored_cited_value"),
            "zero_rule": at("sets", "zero_rule"),
            "set_sizes": None if sizes is None else tuple(sizes),
            "lower_ranks": None if ranks is None else tuple(ranks),
            "min_shared": at("cross_model", "min_shared"),
            "fixed_point": at("interventions", "fixed_point"),
            "binary_similar": at("interventions", "binary_similar"),
        }
        return cls(**{name: value for name, value in found.items() if value is not None})
