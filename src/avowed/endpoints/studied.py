"""Simulated components as studies take them: laws, explanations and truths as plain arrays."""

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.citations import CitationLaw
from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.expected import rank_agreement, uncited_rate
from avowed.endpoints.simulated.prepared import Prepared
from avowed.endpoints.simulated.truth import SUFFICIENCY, marginal
from avowed.factors.studies.known import Cite, Known

Floats = NDArray[np.float64]


def known(component: SimulatedComponent, prepared: Prepared, *, trials: int = 3) -> Known:
    """What a study needs to know of a component: how to ask it, and the truth of every measure.

    Scores and the noise floor have their marginal truth, y being one noisy call; rank agreement
    and the uncited rate the value that their estimators have on average at T trials.

    Args:
        component: the simulated component.
        prepared: the inputs and their modifications.
        trials: T.
    """
    case = prepared.case
    laws = component.laws(prepared, trials=trials)
    citations = component.citations(prepared, trials=trials)
    truth = marginal(laws)
    scores = {"necessity": truth.necessity[case.primary], SUFFICIENCY: truth.sufficiency}
    places = citations.places(len(case.keys))
    truths: dict[tuple[str, int | None], float] = {("noise_floor", None): float(truth.floor.mean())}
    for criterion, score in scores.items():
        truths[criterion, None] = _mean(score, np.ones_like(score))
        for place in range(citations.width):
            # An inactive cited feature has no score and stays out of its rank's mean.
            truths[f"{criterion}_by_rank", place + 1] = _mean(score, places[:, place])
        truths[f"uncited_rate_{criterion}", None] = uncited_rate(
            laws, citations, criterion, primary=case.primary, invalid=component.invalid
        )
    for criterion in (*scores, "mean"):
        truths[f"rank_agreement_{criterion}", None] = rank_agreement(
            laws, citations, criterion, primary=case.primary, invalid=component.invalid
        ).value
    return Known(
        name=component.name,
        use_case=case.name,
        keys=case.keys,
        primary=case.primary,
        active=prepared.active,
        original=laws.original,
        modified={name: laws.modified[name] for name in (case.primary, SUFFICIENCY)},
        constructible=prepared.constructible,
        cite=_cite(citations),
        truths=truths,
        invalid=component.invalid,
        misexplained=component.misexplained,
    )


def _mean(score: Floats, weight: Floats) -> float:
    there = ~np.isnan(score)
    total = float(weight[there].sum())
    return float((score[there] * weight[there]).sum()) / total if total else float("nan")


def _cite(citations: CitationLaw) -> Cite:
    """Draw one explanation per response; responses to one input get draws of their own."""

    def cite(rng: np.random.Generator, rows: NDArray[np.intp]) -> NDArray[np.integer]:
        inputs = int(citations.row[-1]) + 1
        # How many responses to the same input come before each.
        order = np.argsort(rows, kind="stable")
        ordered = rows[order]
        which = np.empty(rows.size, dtype=np.intp)
        which[order] = np.arange(rows.size) - np.searchsorted(ordered, ordered)
        drawn = citations.sample(rng.random((inputs, int(which.max(initial=0)) + 1)))
        return np.asarray(drawn[rows, which])

    return cite
