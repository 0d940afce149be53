"""Necessity by cited rank under one intervention beside another (NS 3.6, C; figures 8 and 9)."""

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Ratio, mean_of
from avowed.factors.scored import Scored
from avowed.factors.scores import at_cited, necessity

Floats = NDArray[np.float64]

#: What contrast substitution is compared with.
OTHERS = ("blank", "similar")


def answered(scored: Scored, intervention: str) -> bool:
    """Whether any trial of an intervention is valid."""
    return bool((scored.changed[intervention] >= 0).any())


def scores_by_rank(scored: Scored, scores: Floats) -> Floats:
    """Scores of the cited features in the order cited, (I, C), of comparable responses only."""
    return np.where(scored.explained[:, None], at_cited(scores, scored.cited), np.nan)


def rank_means(quantity: str, scored: Scored, by_rank: Floats) -> list[Ratio]:
    """Mean score at every cited rank; a response without a score there is left out (figure 3)."""
    return [
        mean_of(quantity, scored.component, by_rank[:, place], k=place + 1)
        for place in range(by_rank.shape[1])
    ]


def control_of_interventions(scored: Scored) -> list[Ratio]:
    """PN by cited rank under every intervention that was run, and contrast against the others.

    ``necessity_NAME_by_rank`` is the mean under one intervention. ``control_OTHER_contrast``,
    ``control_OTHER_OTHER`` and ``control_OTHER_difference`` (contrast minus other) are means over
    the cited features that are scored under both, as the paper's comparisons are paired.

    Source: NS 3.6 and appendix C.
    """
    run = [name for name in ("contrast", *OTHERS) if answered(scored, name)]
    by_rank = {name: scores_by_rank(scored, necessity(scored, name)) for name in run}
    ratios = [
        ratio
        for name in run
        for ratio in rank_means(f"necessity_{name}_by_rank", scored, by_rank[name])
    ]
    for other in OTHERS:
        if other not in run or "contrast" not in run:
            continue
        gap = by_rank["contrast"] - by_rank[other]
        both = ~np.isnan(gap)
        for name in ("contrast", other):
            paired = np.where(both, by_rank[name], np.nan)
            ratios += rank_means(f"control_{other}_{name}", scored, paired)
        ratios += [
            mean_of(
                f"control_{other}_difference",
                scored.component,
                gap[:, place],
                k=place + 1,
                lowest=-1.0,
            )
            for place in range(gap.shape[1])
        ]
    return ratios
