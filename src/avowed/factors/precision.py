"""Variance components of the measures of one component, as planning needs them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.controls import scores_by_rank
from avowed.factors.outcomes import SUFFICIENCY, trial_outcomes
from avowed.factors.ranking import rank_agreement
from avowed.factors.scored import Scored
from avowed.factors.settings import FactorSettings
from avowed.factors.trials_needed import Components, components_of_mean, components_of_statistic
from avowed.factors.uncited import compare_uncited

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Precision:
    """What one measure's mean over inputs varies by.

    Attributes:
        quantity: name of the measure in the long table.
        k: cited rank, if there is one.
        components: its variance between inputs and between trials.
        trials: T, the recorded trials.
        exact: whether the components hold for every T, or by a line in 1 / T.
    """

    quantity: str
    k: int | None
    components: Components
    trials: int
    exact: bool


def _mean_over_trials(outcomes: Floats) -> Floats:
    valid = (~np.isnan(outcomes)).sum(axis=2)
    # Whole hits over whole trials, so that equal scores are equal numbers.
    hits = np.nansum(outcomes, axis=2)
    score = np.divide(hits, valid, out=np.full(valid.shape, np.nan), where=valid > 0)
    return np.asarray(score, dtype=np.float64)


def precision_of(scored: Scored, primary: str, settings: FactorSettings) -> list[Precision]:
    """Components of PN and PS by cited rank, of rank agreement and of the uncited rate.

    With one trial there is nothing between trials, and nothing is returned for that criterion.

    Args:
        scored: the component's responses, as many places as are cited.
        primary: the intervention behind necessity.
        settings: the readings of the measures.
    """
    found: list[Precision] = []
    for criterion, intervention in (("necessity", primary), (SUFFICIENCY, SUFFICIENCY)):
        outcomes = trial_outcomes(scored, intervention)
        trials = outcomes.shape[2]
        if trials < 2:
            continue
        single = [outcomes[:, :, t] for t in range(trials)]
        together = _mean_over_trials(outcomes)
        by_rank = np.stack([scores_by_rank(scored, one) for one in single], axis=2)
        explained = by_rank[scored.explained]
        found += [
            Precision(
                quantity=f"{criterion}_by_rank",
                k=place + 1,
                components=components_of_mean(explained[:, place]),
                trials=trials,
                exact=True,
            )
            for place in range(by_rank.shape[1])
        ]
        for name, per_input in (
            (f"rank_agreement_{criterion}", _agreement),
            (f"uncited_rate_{criterion}", _omission),
        ):
            values = np.stack([per_input(scored, one, settings) for one in single], axis=1)
            all_trials = per_input(scored, together, settings)
            found.append(
                Precision(
                    quantity=name,
                    k=None,
                    components=components_of_statistic(
                        values[scored.explained], all_trials[scored.explained]
                    ),
                    trials=trials,
                    exact=False,
                )
            )
    return found


def _agreement(scored: Scored, scores: Floats, settings: FactorSettings) -> Floats:
    return rank_agreement(
        scores_by_rank(scored, scores),
        scored.explained,
        unscored_is_zero=settings.unscored_is_zero,
    ).rho


def _omission(scored: Scored, scores: Floats, settings: FactorSettings) -> Floats:
    return compare_uncited(
        scored,
        scores,
        unscored_cited_value=settings.unscored_cited_value,
        no_uncited_counts=settings.no_uncited_counts,
    ).omission
