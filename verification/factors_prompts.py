"""The full-ranking pilot, and what the wording of the prompt does (NS 4.5, A.1, A.2)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import variance
from typing import Any

from verification.factors_across import ALL, difference, means_of
from verification.factors_bootstrap import (
    Number,
    Resamples,
    Stat,
    combined,
    count_row,
    gap,
    mean_of,
    ratio_stats,
    row_of,
)
from verification.factors_facts import NECESSITY, SUFFICIENCY, Facts, Readings, strip_marker
from verification.factors_measures import at_ranks, by_rank, instability, stated
from verification.factors_responses import Evidence, strict_json

Row = dict[str, Any]


def pilot(
    facts: Facts, evidence: Evidence, readings: Readings, resamples: Resamples
) -> Iterator[Row]:
    """Means by stated rank, inversions, lower ranks above the minimum of the cited ones.

    Source: NS 4.5, figure 5; definitions NS 11.
    """
    first, last = readings.lower_ranks
    places = max((len(one) for one in evidence.cited), default=0)
    for name, change in ((NECESSITY, facts.primary), (SUFFICIENCY, SUFFICIENCY)):
        ranked = at_ranks(evidence, evidence.scores(change))
        ratios = by_rank(f"pilot_{name}_by_rank", ranked, places)
        for k in range(1, places):
            pairs = ((one[k - 1], one[k]) if len(one) > k else (None, None) for one in ranked)
            above = ([int(b > a)] if a is not None and b is not None else [] for a, b in pairs)
            ratios.append(mean_of(f"pilot_{name}_inversion", above, k=k + 1))
        lower = [_lower_above(one, facts.cited, readings) for one in ranked]
        ratios.append(mean_of(f"pilot_{name}_lower_above_minimum", lower))
        ratios.append(mean_of(f"pilot_{name}_cited", (one[: facts.cited] for one in ranked)))
        ratios.append(mean_of(f"pilot_{name}_lower", (one[first - 1 : last] for one in ranked)))
        stats = ratio_stats(evidence.name, ratios, resamples)
        cited, low = stats[-2:]
        stats.append(
            combined(
                [cited, low],
                gap,
                quantity=f"{cited.quantity}_difference",
                n=cited.n + low.n,
                used=cited.used | low.used,
                low=-1,
                mean=False,
            )
        )
        for one in stats:
            yield row_of(one, study=facts.name, readings=readings)
        for k in range(places):
            values = [one[k] for one in ranked if len(one) > k and one[k] is not None]
            yield count_row(
                f"pilot_{name}_standard_error",
                _standard_error([value for value in values if value is not None]),
                study=facts.name,
                cell=evidence.name,
                k=k + 1,
                n=len(values),
                method="standard error over responses",
                whole=False,
            )


def _lower_above(scores: Sequence[Fraction | None], cited: int, readings: Readings) -> list[Number]:
    """1 where a feature ranked below the cited ones is strictly above their minimum."""
    if not scores:
        return []
    top = [readings.unscored_cited_value if one is None else one for one in scores[:cited]]
    lower = [one for one in scores[cited:] if one is not None]
    if not lower and not readings.no_uncited_counts:
        return []
    return [int(any(one > min(top) for one in lower))]


def _standard_error(values: Sequence[Fraction]) -> float | None:
    return math.sqrt(variance(values) / len(values)) if len(values) > 1 else None


def texts_of(raw: str | None, places: int) -> tuple[str, ...]:
    """The explanations in a response's own words, lower-cased and stripped; none if not ``places``.

    Source: NS A.1; definitions NS 7.
    """
    try:
        content = strict_json(raw or "")
    except ValueError:
        return ()
    given = content.get("explanations") if isinstance(content, dict) else None
    if not isinstance(given, list) or len(given) != places:
        return ()
    if not all(type(text) is str for text in given):
        return ()
    return tuple(strip_marker(text)[1].lower().strip() for text in given)


def prompt_instability(
    facts: Facts,
    texts: Mapping[str, Mapping[str, Sequence[Sequence[Sequence[str]]]]],
    readings: Readings,
    resamples: Resamples,
) -> list[Row]:
    """Instability by component and prompt; ``texts`` holds those of every repeat of an input."""
    stats = [
        one
        for component, prompts in texts.items()
        for one in ratio_stats(
            component, [instability(each, part=name) for name, each in prompts.items()], resamples
        )
    ]
    return _by_prompt(facts, stats, readings)


def prompt_variations(
    facts: Facts,
    evidence: Mapping[str, Mapping[str, Evidence]],
    readings: Readings,
    resamples: Resamples,
) -> list[Row]:
    """Agreement of the stated order with PN by component and prompt (NS A.2, figure 7)."""
    stats: list[Stat] = []
    for component, prompts in evidence.items():
        ratios = []
        for name, one in prompts.items():
            ranked = at_ranks(one, one.scores(facts.primary))
            ratio, _ = stated("rank_agreement_necessity", one, ranked, readings)
            ratios.append(replace(ratio, part=name))
        stats += ratio_stats(component, ratios, resamples)
    return _by_prompt(facts, stats, readings)


def _by_prompt(facts: Facts, stats: list[Stat], readings: Readings) -> list[Row]:
    """Also the means over components, and the first prompt minus each other one."""
    found = stats + means_of(ALL, stats)
    by_component: dict[str, list[Stat]] = {}
    for one in found:
        by_component.setdefault(one.component, []).append(one)
    for component, (first, *others) in by_component.items():
        found = found + [
            difference(first, one, component, f"{first.part} minus {one.part}") for one in others
        ]
    return [row_of(one, study=facts.name, readings=readings) for one in found]
