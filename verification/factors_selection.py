"""What selection alone gives: baselines in closed form and split trials (definitions NS 13).

The baseline is summed over the highest uncited score: with T trials and scores v / T,

    P(uncited above cited) = sum over v = 1..T of P(highest uncited = v) P(lowest cited < v).

For independent trials a score is a binomial share, for agreeing trials 0 or 1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import comb, fsum, prod
from operator import mul

from verification.factors_bootstrap import (
    Number,
    Ratio,
    Resamples,
    Stat,
    combined,
    gap,
    mean_of,
    ratio_stats,
)
from verification.factors_facts import Readings
from verification.factors_measures import Scores, uncited_values
from verification.factors_responses import Evidence

#: Eligible uncited features, and at which ranks a cited one has no score.
Pattern = tuple[frozenset[str], tuple[bool, ...]]


def at_most(p: float, steps: int) -> list[float]:
    """P(a share of ``steps`` trials is at most v / steps) for v = 0 .. steps - 1."""
    mass = (comb(steps, v) * p**v * (1 - p) ** (steps - v) for v in range(steps))
    return [*accumulate(mass)]


@cache
def _absent(eligible: frozenset[str], keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in eligible)


class _Products:
    """Products of P(score <= v) over some features, by dividing those of the others out."""

    def __init__(self, laws: Mapping[str, Sequence[float]], steps: int) -> None:
        self._laws, self._keys, self._steps = laws, tuple(laws), steps
        self._zeros = [{key for key, law in laws.items() if law[v] == 0} for v in range(steps)]
        self._whole = [prod(law[v] for law in laws.values() if law[v]) for v in range(steps)]

    def over(self, eligible: frozenset[str]) -> list[float]:
        """P(no eligible score is above v / steps) for v = 0 .. steps."""
        if 2 * len(eligible) < len(self._laws):
            laws = [self._laws[key] for key in eligible]
            return [prod(law[v] for law in laws) for v in range(self._steps)] + [1.0]
        laws = [self._laws[key] for key in _absent(eligible, self._keys)]
        return [
            self._whole[v] / prod(law[v] or 1.0 for law in laws)
            if self._zeros[v].isdisjoint(eligible)
            else 0.0
            for v in range(self._steps)
        ] + [1.0]


def exceedance(
    patterns: Mapping[Pattern, float],
    cited: Sequence[float],
    uncited: Mapping[str, float],
    *,
    steps: int,
    fixed: float,
) -> float | None:
    """Mean over responses of the chance that the highest uncited score is above the lowest cited.

    Args:
        patterns: how many responses have each pattern.
        cited: probability at each rank.
        uncited: probability of each feature.
        steps: T, or 1 for agreeing trials.
        fixed: score of a cited feature without one.

    >>> one = {(frozenset("d"), (False, False, False)): 1.0}
    >>> exceedance(one, [0.5, 0.5, 0.5], {"d": 0.5}, steps=1, fixed=0)
    0.4375
    """
    responses = fsum(patterns.values())
    if not responses:
        return None
    products = _Products({key: at_most(p, steps) for key, p in uncited.items()}, steps)
    ranks = [at_most(p, steps) for p in cited]
    lower: dict[tuple[bool, ...], list[float]] = {}
    total = []
    for (eligible, missing), times in patterns.items():
        if not times:
            continue
        if missing not in lower:
            lower[missing] = _lowest_below(ranks, missing, steps, fixed)
        below = products.over(eligible)
        highest = [after - before for before, after in pairwise(below)]
        total.append(times * sum(map(mul, highest, lower[missing])))
    return fsum(total) / responses


def _lowest_below(
    ranks: Sequence[Sequence[float]], missing: Sequence[bool], steps: int, fixed: float
) -> list[float]:
    """P(the lowest cited score is below v / steps) for v = 1 .. steps."""
    return [
        1
        - prod(
            # A score is not below v / steps with 1 - P(at most (v - 1) / steps).
            float(fixed * steps >= v) if lacks else 1 - law[v - 1]
            for law, lacks in zip(ranks, missing, strict=True)
        )
        for v in range(1, steps + 1)
    ]


def baselines(
    evidence: Evidence,
    scores: Scores,
    readings: Readings,
    resamples: Resamples,
    *,
    criterion: str,
    trials: int,
    places: int,
) -> list[Stat]:
    """The rate by selection alone at the component's own means, and the observed rate minus it.

    Rank r has the mean score of rank r over the responses that count, an uncited feature its mean
    over those in which it is eligible. The responses are those of the uncited comparison.
    """
    few = resamples.fewer()
    omission, _, _ = uncited_values(evidence, scores, readings)
    rate = ratio_stats(evidence.name, [mean_of("rate", omission)], few)[0]
    patterns = {
        at: _pattern(evidence, scores[at], at) for at, values in enumerate(omission) if values
    }
    kinds = [*dict.fromkeys(patterns.values())]
    times = few.totals(
        [[int(patterns.get(at) == one) for at in range(evidence.size)] for one in kinds]
    )
    means = ratio_stats(evidence.name, _mean_scores(evidence, scores, patterns, places), few)
    points = [*zip(zip(*(one.draws for one in means), strict=True), times, strict=True)]
    result = []
    for name, steps in (("independent", trials), ("agreeing", 1)):
        rate_at = _Rate(kinds, evidence.keys, places, steps, float(readings.unscored_cited_value))
        baseline = Stat(
            quantity=f"selection_{name}_{criterion}",
            component=evidence.name,
            estimate=rate_at(
                [one.estimate for one in means], [*Counter(patterns.values()).values()]
            ),
            draws=[rate_at(*point) for point in points],
            n=len(patterns),
            used=frozenset(patterns),
            mean=False,
        )
        result.append(baseline)
    shown = replace(rate, estimate=None if rate.estimate is None else float(rate.estimate))
    excess = [
        combined(
            [shown, one],
            gap,
            quantity=one.quantity.replace("selection_", "selection_excess_", 1),
            n=one.n,
            used=one.used,
            low=-1,
            mean=False,
        )
        for one in result
    ]
    return [*result, *excess]


def _pattern(evidence: Evidence, scores: Mapping[str, Fraction], at: int) -> Pattern:
    named = evidence.cited[at]
    rivals = frozenset(key for key in scores if key in evidence.active[at] and key not in named)
    return rivals, tuple(key not in scores for key in named)


def _mean_scores(
    evidence: Evidence, scores: Scores, patterns: Mapping[int, Pattern], places: int
) -> list[Ratio]:
    """The mean score of every rank, then of every feature where it is eligible and uncited."""
    inputs = range(evidence.size)
    ranked = [
        [[scores[at].get(evidence.cited[at][k])] if at in patterns else [] for at in inputs]
        for k in range(places)
    ]
    free = [
        [[scores[at][key]] if at in patterns and key in patterns[at][0] else [] for at in inputs]
        for key in evidence.keys
    ]
    return [*(mean_of("rank", one) for one in ranked), *(mean_of("feature", one) for one in free)]


@dataclass
class _Rate:
    """The rate at given means and numbers of responses of every pattern; each is computed once."""

    kinds: Sequence[Pattern]
    keys: Sequence[str]
    places: int
    steps: int
    fixed: float
    known: dict[tuple[object, ...], float | None] = field(default_factory=dict)

    def __call__(self, means: Sequence[Number | None], times: Sequence[int]) -> float | None:
        # A mean without an observation belongs to no response, so that any number will do.
        values = [0.0 if one is None else float(one) for one in means]
        key = (*values, *times)
        if key not in self.known:
            self.known[key] = exceedance(
                dict(zip(self.kinds, map(float, times), strict=True)),
                values[: self.places],
                dict(zip(self.keys, values[self.places :], strict=True)),
                steps=self.steps,
                fixed=self.fixed,
            )
        return self.known[key]


def split_trials(
    evidence: Evidence, change: str, readings: Readings, *, criterion: str
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Per input the held-out difference, and P(higher) - P(lower); empty where no split counts.

    In each split one trial picks the highest uncited feature and the lowest cited one, and the
    other valid trials score them. Ties are broken by lot, so that the mean over all tied pairs is
    taken. A feature can be picked if the picking trial and another one are valid. A cited feature
    without any valid trial has its fixed value on both sides.
    """
    differences: list[list[Fraction]] = []
    nets: list[list[Fraction]] = []
    for at in range(evidence.size):
        differences.append([])
        nets.append([])
        named = evidence.cited[at]
        trials = {
            key: [None if one is None else one == (criterion == "necessity") for one in some]
            for key, some in evidence.trials[change][at].items()
        }
        splits: list[tuple[Fraction, Fraction]] = []
        for pick in range(evidence.length[change]):
            free = _held_out({k: t for k, t in trials.items() if k not in named}, pick, max)
            fixed = [k for k in named if set(trials.get(k, [])) <= {None}]
            own = {k: t for k, t in trials.items() if k in named and k not in fixed}
            lowest = _held_out(own, pick, min, [readings.unscored_cited_value] * len(fixed))
            pairs = [u - c for u in free for c in lowest]
            if pairs:
                net = sum(one > 0 for one in pairs) - sum(one < 0 for one in pairs)
                mean = sum(pairs, start=Fraction(0)) / len(pairs)
                splits.append((mean, Fraction(net, len(pairs))))
        if splits and evidence.y[at] is not None:
            differences[at].append(sum((d for d, _ in splits), start=Fraction(0)) / len(splits))
            nets[at].append(sum((n for _, n in splits), start=Fraction(0)) / len(splits))
    return differences, nets


def _held_out(
    trials: Mapping[str, Sequence[bool | None]],
    pick: int,
    best: object,
    fixed: Sequence[Fraction] = (),
) -> list[Fraction]:
    """Scores over the other trials of the features that one trial picks."""
    candidates: list[tuple[Number, Fraction]] = [(value, value) for value in fixed]
    for some in trials.values():
        rest = [one for place, one in enumerate(some) if place != pick and one is not None]
        if some[pick] is not None and rest:
            candidates.append((int(bool(some[pick])), Fraction(rest.count(True), len(rest))))
    if not candidates:
        return []
    chosen = (max if best is max else min)(value for value, _ in candidates)
    return [held for value, held in candidates if value == chosen]


def split_stats(
    evidence: Evidence,
    change: str,
    readings: Readings,
    resamples: Resamples,
    *,
    criterion: str,
) -> list[Stat]:
    """Both means over inputs."""
    found = split_trials(evidence, change, readings, criterion=criterion)
    ratios = [
        mean_of(f"split_{name}_{criterion}", values, low=-1)
        for name, values in zip(("difference", "net"), found, strict=True)
    ]
    return ratio_stats(evidence.name, ratios, resamples)
