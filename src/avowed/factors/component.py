"""All statistics of one component, from its scores and one draw of bootstrap weights."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from avowed.factors.agreement import criteria_agreement
from avowed.factors.bootstrap import Ratio, Statistic, mean_of, statistics
from avowed.factors.controls import control_of_interventions, rank_means, scores_by_rank
from avowed.factors.frequency import FeatureProfile, citation_frequencies, feature_means
from avowed.factors.instability import positional_instability
from avowed.factors.noise_floor import above_floor, floor_counts
from avowed.factors.ranking import RankAgreement, rank_agreement
from avowed.factors.responses import Explanation, Validity
from avowed.factors.scored import Scored
from avowed.factors.scores import (
    any_scored,
    mean_score,
    named,
    necessity_counts,
    sufficiency_counts,
)
from avowed.factors.sets import compare_sets
from avowed.factors.settings import FactorSettings
from avowed.factors.uncited import compare_uncited
from avowed.factors.usecase import UseCase

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """Everything of one component: statistics, counts, and its features' draws."""

    statistics: tuple[Statistic, ...]
    counts: tuple[tuple[str, int, int | None], ...]
    profile: FeatureProfile
    inputs: int


@dataclass(frozen=True)
class _Criterion:
    """Scores under one criterion, (I, F), and in the order cited, (I, C)."""

    name: str
    scores: Floats
    by_rank: Floats


def with_cited(scored: Scored, cited: int) -> Scored:
    """The first ``cited`` places of a longer ranking."""
    return replace(
        scored, cited=scored.cited[:, :cited], repeat_cited=scored.repeat_cited[:, :, :cited]
    )


def _agreement(name: str, component: str, found: RankAgreement) -> Ratio:
    constant, unscored = int(found.constant.sum()), int(found.unscored.sum())
    return mean_of(
        name,
        component,
        found.rho,
        lowest=-1.0,
        note=f"left out: {constant} with equal scores, {unscored} with an unscored feature",
    )


def _left_out(name: str, found: RankAgreement) -> list[tuple[str, int, int | None]]:
    return [
        (f"{name}_constant", int(found.constant.sum()), None),
        (f"{name}_unscored", int(found.unscored.sum()), None),
    ]


def _criterion_ratios(
    scored: Scored, one: _Criterion, settings: FactorSettings
) -> tuple[list[Ratio], list[tuple[str, int, int | None]]]:
    """Scores, uncited comparison and set comparison under one criterion."""
    component, name = scored.component, one.name
    found = compare_uncited(
        scored,
        one.scores,
        unscored_cited_value=settings.unscored_cited_value,
        no_uncited_counts=settings.no_uncited_counts,
    )
    without = int(found.without_uncited.sum())
    kept = "counted as no omission" if settings.no_uncited_counts else "left out"
    ratios = [
        *feature_means(name, scored, one.scores),
        *rank_means(f"{name}_by_rank", scored, one.by_rank),
        mean_of(f"cited_{name}", component, one.by_rank),
        mean_of(f"highest_uncited_{name}", component, found.highest),
        mean_of(
            f"uncited_rate_{name}",
            component,
            found.omission,
            note=f"{without} without an eligible uncited feature, {kept}{_blank_note(scored, one)}",
        ),
    ]
    counts: list[tuple[str, int, int | None]] = [
        (f"uncited_rate_{name}_without_uncited", without, None),
        (f"cited_{name}_unscored", int(_unscored(scored, one.by_rank).sum()), None),
    ]
    for k in settings.set_sizes:
        sets = compare_sets(
            scored,
            one.scores,
            k,
            zero_rule=settings.zero_rule,
            unscored_cited_value=settings.unscored_cited_value,
        )
        few = int(sets.too_few.sum())
        note = f"left out: {few} with fewer than {k} scored uncited features"
        gap = sets.cited - sets.uncited
        ratios += [
            mean_of(f"set_cited_{name}", component, sets.cited, k=k, note=note),
            mean_of(f"set_uncited_{name}", component, sets.uncited, k=k, note=note),
            mean_of(f"set_difference_{name}", component, gap, k=k, lowest=-1.0, note=note),
        ]
        counts.append((f"set_{name}_too_few", few, k))
    return ratios, counts


def _blank_note(scored: Scored, one: _Criterion) -> str:
    blank = int((scored.explained & ~any_scored(one.scores)).sum())
    return f"; left out: {blank} without a score of any feature" if blank else ""


def _unscored(scored: Scored, by_rank: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(by_rank) & scored.explained[:, None])


def _sample_counts(scored: Scored) -> list[tuple[str, int, int | None]]:
    """How many inputs can be compared, and what was left out before any comparison."""
    inactive = named(scored) & ~scored.active & scored.explained[:, None]
    kinds = [f"response_{kind}" for kind in Validity if kind is not Validity.VALID]
    kinds += [
        f"explanation_{kind}"
        for kind in Explanation
        if kind not in (Explanation.VALID, Explanation.NOT_ASKED)
    ]
    return [
        ("n_inputs", scored.inputs, None),
        ("n_usable", int(scored.usable.sum()), None),
        ("n_explained", int(scored.explained.sum()), None),
        ("cited_inactive", int(inactive.sum()), None),
        *((kind, int(scored.invalid.get(kind, 0)), None) for kind in kinds),
    ]


def measured(case: UseCase, scored: Scored, settings: FactorSettings, weights: Floats) -> Measured:
    """All statistics of one component on given bootstrap weights, (1 + B, I)."""
    scored = with_cited(scored, case.cited)
    component, explained = scored.component, scored.explained
    counts = [necessity_counts(scored, case.primary), sufficiency_counts(scored)]
    criteria = [
        _Criterion(name, one.score, scores_by_rank(scored, one.score))
        for name, one in zip(("necessity", "sufficiency"), counts, strict=True)
    ]
    necessity, sufficiency = criteria
    both = scores_by_rank(scored, mean_score(*counts))
    plain = _sample_counts(scored)
    ratios: list[Ratio] = []
    for one in criteria:
        more, left_out = _criterion_ratios(scored, one, settings)
        ratios += more
        plain += left_out
    agreements = {
        f"rank_agreement_{name}": rank_agreement(
            by_rank, explained, unscored_is_zero=settings.unscored_is_zero
        )
        for name, by_rank in (
            ("necessity", necessity.by_rank),
            ("sufficiency", sufficiency.by_rank),
            ("mean", both),
        )
    }
    agreements["criteria_agreement"] = criteria_agreement(
        necessity.by_rank, sufficiency.by_rank, explained
    )
    for name, found in agreements.items():
        ratios.append(_agreement(name, component, found))
        plain += _left_out(name, found)
    changed, repeats = floor_counts(scored)
    floor = Ratio(
        quantity="noise_floor",
        component=component,
        numerator=changed.astype(np.float64),
        denominator=repeats.astype(np.float64),
    )
    over = scores_by_rank(scored, above_floor(scored, necessity.scores))
    ratios += [
        floor,
        mean_of("cited_necessity_above_floor", component, over, lowest=-1.0),
        positional_instability(component, scored.repeat_cited),
        *control_of_interventions(scored),
        *citation_frequencies(scored),
    ]
    found_statistics = statistics(ratios, weights)
    profile = FeatureProfile(
        *(
            np.stack([s.draws for s in found_statistics if s.part and s.quantity == name], axis=1)
            for name in ("citation_frequency", "necessity", "sufficiency")
        )
    )
    found_statistics += correlation_statistics(profile, component, explained, prefix="")
    return Measured(tuple(found_statistics), tuple(plain), profile, scored.inputs)


def correlation_statistics(
    profile: FeatureProfile, component: str, used: NDArray[np.bool_], *, prefix: str
) -> list[Statistic]:
    """Feature-level correlations as statistics; n is the number of features compared."""
    found = []
    for name, draws in profile.correlations().items():
        scores = profile.necessity if "necessity" in name else profile.sufficiency
        features = ~np.isnan(profile.frequency[0]) & ~np.isnan(scores[0])
        found.append(
            Statistic(
                quantity=prefix + name,
                component=component,
                draws=draws,
                n=int(features.sum()),
                used=used,
                lowest=-1.0,
                is_mean=False,
                note="n is the number of features",
            )
        )
    return found
