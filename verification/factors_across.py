"""What takes several components: means, overlap, ordering, differences (NS 3.5, 4.3, D.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from verification.factors_bootstrap import (
    Number,
    Resamples,
    Stat,
    combined,
    gap,
    mean_of,
    plain_mean,
    ratio_stats,
)
from verification.factors_facts import Readings
from verification.factors_measures import CORRELATED, Measured, correlations
from verification.factors_responses import Evidence, share
from verification.files import Unusable

ALL = "all components"
#: Measures whose difference between two components is given (NS 4.3).
COMPARED = (
    *(f"rank_agreement_{name}" for name in ("necessity", "sufficiency", "mean")),
    *(f"uncited_rate_{name}" for name in ("necessity", "sufficiency")),
)


def across(
    evidence: Mapping[str, Evidence],
    found: Mapping[str, Measured],
    readings: Readings,
    resamples: Resamples,
    *,
    groups: Mapping[str, Sequence[str]],
) -> list[Stat]:
    """Means over all components and over groups, overlaps and differences of every pair.

    Raises:
        Unusable: a group names a component without responses.
    """
    for name, members in groups.items():
        if not set(members) <= set(evidence):
            raise Unusable(f"settings: factors.groups, {name}: {members} are not all components")
    pairs = [*combinations(evidence, 2)]
    overlaps = [
        one
        for first, second in pairs
        for one in overlap(evidence[first], evidence[second], readings, resamples)
    ]
    result: list[Stat] = []
    for name, members in {ALL: tuple(evidence), **groups}.items():
        own = [one for each in members for one in found[each].stats]
        means = means_of(name, [one for one in own if one.quantity not in CORRELATED])
        used = frozenset(at for one in own for at in one.used)
        result += [*means, *correlations(means, name, used, prefix="pooled_")]
        inside = [one for one in overlaps if {one.component, one.part} <= set(members)]
        result += means_of(name, [replace(one, part="") for one in inside])
    result += overlaps
    for first, second in pairs:
        result += [
            difference(found[first].of(name)[0], found[second].of(name)[0], first, second)
            for name in COMPARED
        ]
    return result


def means_of(name: str, stats: Sequence[Stat]) -> list[Stat]:
    """Unweighted mean of the statistics that share quantity, feature and k.

    What is undefined is left out, in every resample anew.

    Source: NS 3.5, "then average the eight model-level rates"; definitions NS 4.
    """
    alike: dict[tuple[str, str, int | None], list[Stat]] = {}
    for one in stats:
        alike.setdefault((one.quantity, one.part, one.k), []).append(one)
    result = []
    for parts in alike.values():
        there = [one for one in parts if one.estimate is not None]
        result.append(
            combined(
                parts,
                plain_mean,
                component=name,
                n=sum(one.n for one in there),
                used=frozenset(at for one in there for at in one.used),
                mean=all(one.mean for one in parts),
            )
        )
    return result


def difference(first: Stat, second: Stat, component: str, part: str) -> Stat:
    """First minus second on the same inputs; n is the smaller number, inputs those of both."""
    return combined(
        [first, second],
        gap,
        quantity=f"{first.quantity}_difference",
        component=component,
        part=part,
        n=min(first.n, second.n),
        used=first.used & second.used,
        mean=False,
    )


def overlap(
    first: Evidence, second: Evidence, readings: Readings, resamples: Resamples
) -> list[Stat]:
    """Features that two components cite for one input, and the order of the shared ones.

    Jaccard: shared / cited by either; coefficient: shared / cited by the one with fewer. Ordering:
    share of the pairs of shared features that both put in the same order, where at least two are
    shared. An input counts where both explanations are valid.

    Source: NS D.4, figure 13; definitions NS 10.
    """
    jaccard: list[list[Number]] = []
    coefficient: list[list[Number]] = []
    ordering: list[list[Number]] = []
    for one, other in zip(first.cited, second.cited, strict=True):
        for values in (jaccard, coefficient, ordering):
            values.append([])
        if not one or not other:
            continue
        shared = [key for key in one if key in other]
        jaccard[-1].append(share(len(shared), len({*one, *other})))
        coefficient[-1].append(share(len(shared), min(len(one), len(other))))
        if len(shared) >= max(2, readings.min_shared):
            couples = [*combinations(shared, 2)]
            alike = sum(other.index(a) < other.index(b) for a, b in couples)
            ordering[-1].append(Fraction(alike, len(couples)))
    ratios = [
        mean_of(quantity, values, part=second.name)
        for quantity, values in (
            ("overlap_jaccard", jaccard),
            ("overlap_coefficient", coefficient),
            ("ordering_agreement", ordering),
        )
    ]
    return ratio_stats(first.name, ratios, resamples)
