"""What takes several components: headline means, differences, overlap (NS 3.5, 4.3, D.4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Ratio, Statistic, difference, mean_of, mean_over, statistics
from avowed.factors.component import Measured, correlation_statistics, with_cited
from avowed.factors.frequency import CORRELATIONS, FeatureProfile
from avowed.factors.overlap import compare_explanations
from avowed.factors.scored import Scored
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase

Floats = NDArray[np.float64]

#: The cell of a mean over all components of a use case.
ALL = "all components"

#: What is compared between two components on the same inputs (NS 4.3).
COMPARED = (
    "rank_agreement_necessity",
    "rank_agreement_sufficiency",
    "rank_agreement_mean",
    "uncited_rate_necessity",
    "uncited_rate_sufficiency",
)


def across_components(
    case: UseCase,
    scored: Mapping[str, Scored],
    found: Mapping[str, Measured],
    settings: FactorSettings,
    *,
    weights: Floats,
    groups: Mapping[str, Sequence[str]],
) -> list[Statistic]:
    """Means over all components and over groups, overlaps of pairs and differences of pairs.

    ``found`` are the statistics of the components in ``scored``, all on ``weights``.

    Raises:
        ValueError: a group is empty, names a component that is not there, or has a component's
            name.
    """
    for name, members in groups.items():
        if not members or not set(members) <= set(scored) or name in {ALL, *scored}:
            raise ValueError(
                f"group {name!r} of {list(members)}: expected a new name and one or more of "
                f"{sorted(scored)}"
            )
    pairs = list(combinations(scored, 2))
    overlaps = statistics(
        [ratio for pair in pairs for ratio in _overlaps(case, scored, pair, settings)], weights
    )
    result: list[Statistic] = []
    for name, members in {ALL: tuple(scored), **groups}.items():
        result += _group_means(name, [found[each] for each in members])
        inside = [one for one in overlaps if {one.component, one.part} <= set(members)]
        result += _means_by_key(name, [replace(one, part="") for one in inside], "pairs")
    result += overlaps
    for first, second in pairs:
        result += _differences(found[first], found[second], first, second)
    return result


def _overlaps(
    case: UseCase, scored: Mapping[str, Scored], pair: tuple[str, str], settings: FactorSettings
) -> list[Ratio]:
    first, second = (with_cited(scored[name], case.cited) for name in pair)
    found = compare_explanations(first, second, min_shared=settings.min_shared)
    values = {
        "overlap_jaccard": found.jaccard,
        "overlap_coefficient": found.coefficient,
        "ordering_agreement": found.ordering,
    }
    return [mean_of(name, pair[0], each, part=pair[1]) for name, each in values.items()]


def _means_by_key(group: str, parts: Iterable[Statistic], words: str) -> list[Statistic]:
    """The mean of the statistics that share quantity, feature and k."""
    by_key: dict[tuple[str, str, int | None], list[Statistic]] = {}
    for one in parts:
        by_key.setdefault(one.key, []).append(one)
    return [mean_over(same, component=group, words=words) for same in by_key.values()]


def _group_means(group: str, members: Sequence[Measured]) -> list[Statistic]:
    # The paper correlates pooled features (NS 4.1); a mean of correlations would be another figure.
    parts = [one for each in members for one in each.statistics if one.quantity not in CORRELATIONS]
    found = _means_by_key(group, parts, "components")
    profile = FeatureProfile(
        *(
            np.stack([one.draws for one in found if one.part and one.quantity == name], axis=1)
            for name in ("citation_frequency", "necessity", "sufficiency")
        )
    )
    used = np.any([one.used for each in members for one in each.statistics], axis=0)
    return found + correlation_statistics(profile, group, used, prefix="pooled_")


def _differences(one: Measured, other: Measured, first: str, second: str) -> list[Statistic]:
    ours = {each.quantity: each for each in one.statistics if each.quantity in COMPARED}
    theirs = {each.quantity: each for each in other.statistics if each.quantity in COMPARED}
    return [difference(ours[name], theirs[name], component=first, part=second) for name in COMPARED]
