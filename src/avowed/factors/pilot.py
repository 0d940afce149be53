"""Full rankings: whether influence ends where the cited three end (NS 4.5, figure 5)."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Ratio, difference, draw_weights, mean_of, statistics
from avowed.factors.controls import rank_means, scores_by_rank
from avowed.factors.rows import Row, plain_row, row_of
from avowed.factors.scored import Scored
from avowed.factors.scores import necessity, sufficiency
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase

Floats = NDArray[np.float64]


def standard_error(values: Floats) -> float:
    """Standard error of the mean of the values that are numbers; NaN for fewer than two.

    >>> standard_error(np.array([0.0, 1.0, np.nan]))
    0.5
    """
    there = values[~np.isnan(values)]
    return float(there.std(ddof=1) / math.sqrt(there.size)) if there.size > 1 else math.nan


def inversions(name: str, scored: Scored, by_rank: Floats) -> list[Ratio]:
    """Share of responses in which rank k scores strictly above rank k - 1, for k from 2.

    Both ranks have to be scored: the 7.7 % of NS 4.5 is 3 of 39, not of 40.
    """
    ratios = []
    for place in range(1, by_rank.shape[1]):
        gap = by_rank[:, place] - by_rank[:, place - 1]
        above = np.where(np.isnan(gap), np.nan, (gap > 0).astype(np.float64))
        ratios.append(mean_of(f"pilot_{name}_inversion", scored.component, above, k=place + 1))
    return ratios


def lower_above_minimum(
    name: str, scored: Scored, by_rank: Floats, cited: int, settings: FactorSettings
) -> Ratio:
    """Share of responses with a feature ranked below the cited ones above their minimum.

    The rules are those of the uncited comparison: an unscored cited feature counts 0, and a
    response without a scored lower feature has none above. So every response with a ranking is
    in the denominator, as in the 55.0 % of NS 4.5.
    """
    top, lower = by_rank[:, :cited], by_rank[:, cited:]
    lowest = np.where(np.isnan(top), settings.unscored_cited_value, top).min(axis=1)
    there = ~np.isnan(lower)
    above = (there & (np.where(there, lower, 0.0) > lowest[:, None])).any(axis=1)
    counted = scored.explained & (settings.no_uncited_counts | there.any(axis=1))
    return mean_of(
        f"pilot_{name}_lower_above_minimum",
        scored.component,
        np.where(counted, above.astype(np.float64), np.nan),
    )


def measure_pilot(case: UseCase, scored: Scored, settings: FactorSettings) -> list[Row]:
    """Every figure of the full-ranking pilot, under PN (primary intervention) and PS.

    By stated rank the mean score with its standard error over responses; the share of responses
    with an inversion at each rank; the share with a lower-ranked feature above the minimum of the
    cited ones; and the mean over all observations at the cited ranks against that at
    ``settings.lower_ranks``.

    Source: NS 4.5, figure 5.
    """
    weights = draw_weights(case.name, scored.inputs, settings)
    criteria = {
        "necessity": necessity(scored, case.primary),
        "sufficiency": sufficiency(scored),
    }
    first, last = settings.lower_ranks
    rows: list[Row] = []
    for name, scores in criteria.items():
        by_rank = scores_by_rank(scored, scores)
        sets = {"cited": by_rank[:, : case.cited], "lower": by_rank[:, first - 1 : last]}
        ratios = [
            *rank_means(f"pilot_{name}_by_rank", scored, by_rank),
            *inversions(name, scored, by_rank),
            lower_above_minimum(name, scored, by_rank, case.cited, settings),
            *(
                mean_of(f"pilot_{name}_{words}", scored.component, values)
                for words, values in sets.items()
            ),
        ]
        found = statistics(ratios, weights)
        cited, lower = found[-2:]
        gap = difference(cited, lower, component=scored.component, part="")
        found.append(replace(gap, n=cited.n + lower.n, used=cited.used | lower.used))
        rows += [row_of(one, use_case=case.name, settings=settings) for one in found]
        rows += [
            plain_row(
                f"pilot_{name}_standard_error",
                standard_error(by_rank[:, place]),
                use_case=case.name,
                component=scored.component,
                k=place + 1,
                n=int((~np.isnan(by_rank[:, place])).sum()),
                clusters=int((~np.isnan(by_rank[:, place])).sum()),
                method="standard error over responses",
            )
            for place in range(by_rank.shape[1])
        ]
    return rows
