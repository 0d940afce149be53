"""Features against the noise floor by an exact test, and how many inputs and trials are needed.

Both are beyond the paper. The test: if a change has no effect, the trials and the repeats of one
input are draws of one law, so that given their number of changed decisions the changed ones among
the trials are hypergeometric; inputs are independent. The number of ways is a polynomial's
coefficient, and polynomials are multiplied here as whole numbers. Holm (1979) adjusts for the
number of features. Planning: the variance of a value from T trials is between + within / T.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb
from statistics import fmean, variance
from typing import Any

from verification.factors_bootstrap import (
    Number,
    Resamples,
    count_row,
    mean_of,
    ratio_stats,
    row_of,
)
from verification.factors_facts import NECESSITY, SUFFICIENCY, Facts, Readings
from verification.factors_measures import at_ranks, noise_floor, stated, uncited_values
from verification.factors_responses import Evidence, Trials
from verification.wilson import normal_quantile

Row = dict[str, Any]
#: A need met up to rounding is met.
ROUNDING = 1e-9


@cache
def exact_p(strata: tuple[tuple[tuple[int, int, int, int], int], ...]) -> Fraction | None:
    """P(at least as many changed trials), from (changed, trials, changed repeats, repeats).

    Args:
        strata: these four numbers of an input, and how many inputs have them.

    >>> exact_p((((3, 3, 0, 3), 1),))
    Fraction(1, 20)
    """
    kept = [(one, many) for one, many in strata if one[1] and one[3]]
    if not kept:
        return None
    ways = math.prod(comb(t + r, t) ** many for (_, t, _, r), many in kept)
    width = ways.bit_length() + 1
    product = 1
    for (k, t, c, r), many in kept:
        changed = k + c
        packed = sum(
            comb(changed, hits) * comb(t + r - changed, t - hits) << (width * hits)
            for hits in range(t + 1)
        )
        product *= packed**many
    observed = sum(one[0] * many for one, many in kept)
    # Everything above the coefficient of the observed number, summed.
    tail, total = product >> (width * observed), 0
    while tail:
        total += tail & ((1 << width) - 1)
        tail >>= width
    return Fraction(total, ways)


def holm(p_values: Mapping[str, Fraction | None]) -> dict[str, Fraction | None]:
    """Holm's step-down adjustment; what was not tested counts for nothing."""
    ordered = sorted((p, key) for key, p in p_values.items() if p is not None)
    adjusted: dict[str, Fraction | None] = dict.fromkeys(p_values)
    reached = Fraction(0)
    for place, (p, key) in enumerate(ordered):
        reached = max(reached, min(p * (len(ordered) - place), Fraction(1)))
        adjusted[key] = reached
    return adjusted


def above_floor(
    facts: Facts, evidence: Evidence, readings: Readings, resamples: Resamples
) -> list[Row]:
    """Every feature's mean of PN minus the floor, its p-value and the adjusted one."""
    pn, floors = evidence.scores(facts.primary), noise_floor(evidence)
    gaps: dict[str, list[list[Number]]] = {}
    p_values: dict[str, Fraction | None] = {}
    for key in evidence.keys:
        gaps[key], strata = [], Counter[tuple[int, int, int, int]]()
        for at in range(evidence.size):
            score, floor = pn[at].get(key), floors[at]
            gaps[key].append([] if score is None or floor is None else [score - floor])
            if gaps[key][at]:
                trials, repeats = evidence.trials[facts.primary][at][key], evidence.repeats[at]
                strata[*_tally(trials), *_tally(repeats)] += 1
        p_values[key] = exact_p(tuple(sorted(strata.items())))
    adjusted = holm(p_values)
    tested = sum(p is not None for p in p_values.values())
    means = ratio_stats(
        evidence.name,
        [mean_of("necessity_above_floor", gaps[key], part=key, low=-1) for key in evidence.keys],
        resamples,
    )
    rows: list[Row] = []
    for key, mean in zip(evidence.keys, means, strict=True):
        rows.append(row_of(mean, study=facts.name, readings=readings))
        for name, value, method in (
            ("p_value", p_values[key], "stratified exact test"),
            ("p_adjusted", adjusted[key], f"Holm over {tested} features"),
        ):
            rows.append(
                count_row(
                    f"necessity_above_floor_{name}",
                    value,
                    study=facts.name,
                    cell=f"{evidence.name} · {key}",
                    n=mean.n,
                    method=method,
                    whole=False,
                )
            )
    return rows


def _tally(trials: Trials) -> tuple[int, int]:
    return trials.count(True), len(trials) - trials.count(None)


@dataclass(frozen=True)
class Parts:
    """Variance between inputs and within them, share of inputs with a value, their number."""

    between: Number | None
    within: Number | None
    defined: Fraction
    inputs: int

    def needed(
        self, readings: Readings, *, trials: int, inputs: int
    ) -> tuple[int | None, int | None]:
        """Fewest inputs at the trials that there were, and fewest trials at the inputs."""
        between, within = self.between, self.within
        if between is None or within is None or not self.defined or between + within <= 0:
            return None, None
        # z^2 / h^2, from the quantile of the normal law
        from_precision = (normal_quantile(readings.confidence) / readings.target_half_width) ** 2
        enough = from_precision * float((between + within / trials) / self.defined)
        most = max(2, math.ceil(enough - ROUNDING))
        if not inputs:
            return most, None
        allowed = inputs * float(self.defined) / from_precision
        if within == 0:
            return most, 1 if between <= allowed + ROUNDING else None
        room = allowed - float(between)
        return most, max(1, math.ceil(float(within) / room - ROUNDING)) if room > 0 else None


def of_mean(trials: Sequence[Trials]) -> Parts:
    """Parts of a score that is a mean over trials, without bias but for the cut at 0.

    Source: Searle, Casella and McCulloch (1992), chapter 3.
    """
    kept = [[one for one in some if one is not None] for some in trials]
    kept = [some for some in kept if some]
    scores = [Fraction(some.count(True), len(some)) for some in kept]
    several = [
        (len(some), score) for some, score in zip(kept, scores, strict=True) if len(some) > 1
    ]
    defined = Fraction(len(kept), len(trials)) if trials else Fraction(0)
    if not several:
        return Parts(None, None, defined, len(kept))
    within = sum(n * s * (1 - s) / (n - 1) for n, s in several) / len(several)
    between = None
    if len(scores) > 1:
        noise = within * sum(Fraction(1, len(some)) for some in kept) / len(kept)
        between = max(variance(scores) - noise, Fraction(0))
    return Parts(between, within, defined, len(kept))


def of_statistic(
    single: Sequence[Sequence[Number | None]], together: Sequence[Number | None]
) -> Parts:
    """Parts of any other value per input, from each trial alone and from all together.

    between + within = mean variance of one trial, between + within / T = that of all T.
    """
    count = len(single)
    one = [v for v in map(_variance, single) if v is not None]
    all_of_them = _variance(together)
    known = [value for value in together if value is not None]
    defined = Fraction(len(known), len(together)) if together else Fraction(0)
    if all_of_them is None or not one:
        return Parts(None, None, defined, len(known))
    within = count * (fmean(one) - all_of_them) / (count - 1)
    within = min(max(within, 0.0), count * all_of_them)
    return Parts(all_of_them - within / count, within, defined, len(known))


def _variance(values: Sequence[Number | None]) -> float | None:
    kept = [Fraction(value) for value in values if value is not None]
    return float(variance(kept)) if len(kept) > 1 else None


def planning(facts: Facts, evidence: Evidence, readings: Readings) -> list[Row]:
    """Inputs and trials needed for the target half-width, for PN, PS, rho and the uncited rate."""
    rows: list[Row] = []
    inputs = sum(evidence.explained)
    for criterion, change in ((NECESSITY, facts.primary), (SUFFICIENCY, SUFFICIENCY)):
        trials = evidence.length[change]
        if trials < 2:
            continue
        parts: list[tuple[str, int | None, Parts]] = [
            (f"{criterion}_by_rank", k + 1, of_mean(_trials_at(evidence, change, k)))
            for k in range(facts.cited)
        ]
        alone = [_one_trial(evidence, change, trial) for trial in range(trials)]
        for name, values in (("rank_agreement", _rhos), ("uncited_rate", _omissions)):
            single = [values(one, change, readings) for one in alone]
            together = values(evidence, change, readings)
            parts.append((f"{name}_{criterion}", None, of_statistic(single, together)))
        for quantity, k, found in parts:
            pair = found.needed(readings, trials=trials, inputs=inputs)
            for what, number in zip(("inputs", "trials"), pair, strict=True):
                rows.append(
                    count_row(
                        f"{what}_needed_{quantity}",
                        number,
                        study=facts.name,
                        cell=evidence.name,
                        k=k,
                        n=found.inputs,
                        method="variance components",
                    )
                )
    return rows


def _trials_at(evidence: Evidence, change: str, k: int) -> list[Trials]:
    """The trials at a cited rank, of the responses that count; a trial is a hit or not."""
    return [
        evidence.trials[change][at].get(evidence.cited[at][k], [])
        for at in range(evidence.size)
        if evidence.explained[at]
    ]


def _one_trial(evidence: Evidence, change: str, trial: int) -> Evidence:
    """The same component with one trial of a change only."""
    only = [
        {key: [trials[trial]] for key, trials in some.items()} for some in evidence.trials[change]
    ]
    return replace(evidence, trials={**evidence.trials, change: only})


Values = Callable[[Evidence, str, Readings], list[Number | None]]


def _rhos(evidence: Evidence, change: str, readings: Readings) -> list[Number | None]:
    ranked = at_ranks(evidence, evidence.scores(change))
    ratio, _ = stated("", evidence, ranked, readings)
    return _of_explained(evidence, ratio.top, ratio.bottom)


def _omissions(evidence: Evidence, change: str, readings: Readings) -> list[Number | None]:
    omission, _, _ = uncited_values(evidence, evidence.scores(change), readings)
    ratio = mean_of("", omission)
    return _of_explained(evidence, ratio.top, ratio.bottom)


def _of_explained(
    evidence: Evidence, tops: Sequence[Number], bottoms: Sequence[int]
) -> list[Number | None]:
    return [
        top if bottom else None
        for top, bottom, counts in zip(tops, bottoms, evidence.explained, strict=True)
        if counts
    ]
