"""What the wording of the prompt does: instability and rank agreement by prompt (NS A.1, A.2)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from avowed.factors.across import ALL
from avowed.factors.bootstrap import (
    Ratio,
    Statistic,
    difference,
    draw_weights,
    mean_of,
    mean_over,
    statistics,
)
from avowed.factors.component import with_cited
from avowed.factors.controls import scores_by_rank
from avowed.factors.instability import positional_instability
from avowed.factors.ranking import rank_agreement
from avowed.factors.rows import Row, row_of
from avowed.factors.scored import Scored
from avowed.factors.scores import necessity
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase


def measure_instability(
    case: UseCase,
    codes: Mapping[str, Mapping[str, NDArray[np.integer]]],
    settings: FactorSettings,
) -> list[Row]:
    """Positional instability by component and prompt, its mean over components, and differences.

    ``codes`` holds per component and prompt the numbered texts, (I, R, places), which
    `avowed.factors.instability.text_codes` makes. Differences are those of the first prompt minus
    each other one, on the same inputs: free vocabulary minus fixed names, say.

    Raises:
        ValueError: the prompts were not put to the same inputs.

    Source: NS A.1, table 2 and figure 6.
    """
    ratios = [
        positional_instability(component, each, part=prompt)
        for component, prompts in codes.items()
        for prompt, each in prompts.items()
    ]
    return _rows(case, ratios, settings)


def measure_variations(
    case: UseCase, scored: Mapping[str, Mapping[str, Scored]], settings: FactorSettings
) -> list[Row]:
    """Agreement of the stated order with PN by component and explanation prompt.

    ``scored`` holds per component and prompt its responses to the same inputs. Differences are
    those of the first prompt minus each other one.

    Raises:
        ValueError: the prompts were not put to the same inputs.

    Source: NS A.2, figure 7.
    """
    ratios = []
    for component, prompts in scored.items():
        for prompt, whole in prompts.items():
            one = with_cited(whole, case.cited)
            by_rank = scores_by_rank(one, necessity(one, case.primary))
            found = rank_agreement(
                by_rank, one.explained, unscored_is_zero=settings.unscored_is_zero
            )
            ratios.append(
                mean_of("rank_agreement_necessity", component, found.rho, part=prompt, lowest=-1.0)
            )
    return _rows(case, ratios, settings)


def _rows(case: UseCase, ratios: Sequence[Ratio], settings: FactorSettings) -> list[Row]:
    sizes = {len(ratio.numerator) for ratio in ratios}
    if len(sizes) != 1:
        raise ValueError(f"prompts need the same inputs; found {sorted(sizes)} inputs")
    weights = draw_weights(case.name, sizes.pop(), settings)
    found = statistics(ratios, weights)
    prompts = list(dict.fromkeys(one.part for one in found))
    found += [
        mean_over([one for one in found if one.part == prompt], component=ALL, words="components")
        for prompt in prompts
    ]
    found += _differences(found)
    return [row_of(one, use_case=case.name, settings=settings) for one in found]


def _differences(found: Sequence[Statistic]) -> list[Statistic]:
    """The first prompt of every component minus each of its others."""
    first: dict[str, Statistic] = {}
    gaps = []
    for one in found:
        reference = first.setdefault(one.component, one)
        if one is not reference:
            part = f"{reference.part} minus {one.part}"
            gaps.append(difference(reference, one, component=one.component, part=part))
    return gaps
