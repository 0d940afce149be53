"""Estimated against true: bias and coverage of the measures on components with known truth.

Two designs with one truth. *Fixed*: every repetition asks about the same I inputs, and only the
noise is new. The interval over inputs answers a wider question, what other inputs would give, so
it covers more often where inputs differ. *Drawn*: the I inputs are the population, and every
repetition draws I of them with replacement. That is what the interval is made for, and coverage
should be near its level; a percentile interval falls below it for a mean near an end of its range.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Ratio, draw_weights, mean_of, statistics
from avowed.factors.controls import rank_means, scores_by_rank
from avowed.factors.noise_floor import floor_counts
from avowed.factors.ranking import rank_agreement
from avowed.factors.rows import interval_of
from avowed.factors.scored import Scored
from avowed.factors.scores import mean_score, necessity_counts, sufficiency_counts
from avowed.factors.settings import FactorSettings
from avowed.factors.studies.known import Known
from avowed.factors.uncited import compare_uncited
from avowed.stats.performance import bias, coverage
from avowed.stats.performance import mean_of as mean_over_repetitions
from avowed.stats.seeds import Study, generator, name_id

Floats = NDArray[np.float64]

DESIGNS = ("fixed", "drawn")

COLUMNS = (
    "use_case",
    "component",
    "quantity",
    "k",
    "inputs",
    "truth",
    "mean_estimate",
    "bias",
    "bias_mc_error",
    "coverage",
    "coverage_mc_error",
    "repetitions",
    "undefined",
)


def ratios_of(scored: Scored, primary: str, settings: FactorSettings) -> list[Ratio]:
    """The measures whose truth is known, each from the estimator that data go through.

    ``necessity`` and ``sufficiency`` (mean over all features and inputs), the same ``_by_rank``,
    ``rank_agreement_`` necessity, sufficiency and mean, ``uncited_rate_`` necessity and
    sufficiency, and ``noise_floor``.
    """
    name = scored.component
    counts = {
        "necessity": necessity_counts(scored, primary),
        "sufficiency": sufficiency_counts(scored),
    }
    scores = {criterion: one.score for criterion, one in counts.items()}
    ratios: list[Ratio] = []
    for criterion, one in scores.items():
        ratios.append(mean_of(criterion, name, one))
        ratios += rank_means(f"{criterion}_by_rank", scored, scores_by_rank(scored, one))
        omission = compare_uncited(
            scored,
            one,
            unscored_cited_value=settings.unscored_cited_value,
            no_uncited_counts=settings.no_uncited_counts,
        ).omission
        ratios.append(mean_of(f"uncited_rate_{criterion}", name, omission))
    scores["mean"] = mean_score(counts["necessity"], counts["sufficiency"])
    for criterion, one in scores.items():
        rho = rank_agreement(
            scores_by_rank(scored, one),
            scored.explained,
            unscored_is_zero=settings.unscored_is_zero,
        ).rho
        ratios.append(mean_of(f"rank_agreement_{criterion}", name, rho, lowest=-1.0))
    changed, valid = (part.astype(np.float64) for part in floor_counts(scored))
    floor = Ratio(quantity="noise_floor", component=name, numerator=changed, denominator=valid)
    return [*ratios, floor]


def run(
    components: Sequence[Known], settings: FactorSettings, repetition: int, *, repeats: int = 3
) -> list[dict[str, Any]]:
    """One repetition of both designs for components of one use case: a row per quantity.

    All components share the drawn inputs and the bootstrap weights of the repetition.

    Args:
        components: of one use case, on the same inputs.
        settings: readings, level, resamples and root seed.
        repetition: 1, 2, ..; 0 is data's.
        repeats: repeats of the unchanged input, for the noise floor.

    Raises:
        ValueError: no component, or components of different use cases or inputs.
    """
    shapes = {(one.use_case, len(one.original)) for one in components}
    if len(shapes) != 1:
        raise ValueError(f"one use case with the same inputs is needed; found {sorted(shapes)}")
    use_case, inputs = shapes.pop()
    own = replace(settings, replicate=repetition)
    weights = draw_weights(use_case, inputs, own)
    stream = generator(own.seed, Study.FACTOR_STUDY, name_id(use_case), repetition)
    rows_of = {"fixed": np.arange(inputs), "drawn": stream.integers(0, inputs, size=inputs)}
    rows: list[dict[str, Any]] = []
    for component in components:
        for design in DESIGNS:
            condition = name_id(f"{use_case}\n{component.name}\n{design}")
            rng = generator(own.seed, Study.FACTOR_STUDY, condition, repetition)
            scored = component.respond(rng, rows_of[design], repeats=repeats)
            for one in statistics(ratios_of(scored, component.primary, own), weights):
                key = (one.quantity, one.k)
                if key not in component.truths:
                    continue
                interval, _ = interval_of(one, own)
                rows.append(
                    {
                        "use_case": use_case,
                        "component": component.name,
                        "quantity": one.quantity,
                        "k": one.k,
                        "inputs": design,
                        "repetition": repetition,
                        "truth": component.truths[key],
                        "estimate": float(one.draws[0]),
                        "lower": interval.lower,
                        "upper": interval.upper,
                    }
                )
    return rows


def summarise(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Bias and coverage of every component, quantity and design, with their Monte-Carlo errors.

    Repetitions without an estimate are left out and counted as undefined. A quantity without a
    truth (rank agreement of a component whose scores are always equal) has neither bias nor
    coverage.

    Source: Morris, White and Crowther (2019), table 6, through ``avowed.stats.performance``.
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    labels = ("use_case", "component", "quantity", "k", "inputs")
    for row in rows:
        groups.setdefault(tuple(row[label] for label in labels), []).append(row)
    table = []
    for key, group in groups.items():
        estimate, lower, upper, truth = (
            np.array([row[part] for row in group], dtype=np.float64)
            for part in ("estimate", "lower", "upper", "truth")
        )
        off, held = bias(estimate, truth), coverage(lower, upper, truth)
        mean = mean_over_repetitions(estimate)
        table.append(
            {
                **dict(zip(labels, key, strict=True)),
                "truth": float(truth[0]),
                "mean_estimate": mean.value,
                "bias": off.value,
                "bias_mc_error": off.mc_error,
                "coverage": held.value,
                "coverage_mc_error": held.mc_error,
                "repetitions": mean.repetitions,
                "undefined": len(group) - mean.repetitions,
            }
        )
    return table
