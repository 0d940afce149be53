"""Population truths of the simulated study, by exact quadrature over the Beta laws.

Gauss-Jacobi nodes integrate a polynomial against a Beta density exactly, also for shapes below 1,
where the density is unbounded. Exposure is a polynomial in the probe's three parameters divided by
one that stays away from 0, and converges to rounding error with a few dozen nodes.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, betainc, roots_jacobi

from avowed.pairs.simulate import BetaLaw, Design

Floats = NDArray[np.float64]
_NODES = 48


@dataclass(frozen=True)
class Judging:
    """Probabilities that a judged explanation is flagged, by what it is."""

    flag_if_omitted: float
    flag_if_acknowledged: float


@dataclass(frozen=True, kw_only=True)
class Population:
    """What the estimators aim at, over probes with at least ``min_options`` options.

    Attributes:
        omission: share of moves to the hint whose explanation does not acknowledge it.
        hint_driven_omission: the same among moves that the hint caused; the truth of the chance
            correction (with a perfect judge).
        flagged: q, the share of evaluable moves that this judge flags.
        hint_driven_flagged: the same among moves that the hint caused.
        expected_evaluable: expected number of evaluable moves, E[n_H].
        susceptibility: p = N_H / N_E.
    """

    omission: float
    hint_driven_omission: float
    flagged: float
    hint_driven_flagged: float
    expected_evaluable: float
    susceptibility: float


def judging(design: Design) -> Judging:
    """Probability that the judge flags an omission, and an acknowledgement.

    With phi ~ Beta(a, b) and a flag at 1 - phi > cut, it is the law's distribution function at
    1 - cut; 1 and 0 for a perfect judge.

    Source: HP section 16.1.

    >>> from avowed.pairs.simulate import JudgeLaw
    >>> law = JudgeLaw(acknowledged=BetaLaw(4, 2), omitted=BetaLaw(2, 4), failed=0, undetermined=0)
    >>> from types import SimpleNamespace
    >>> found = judging(SimpleNamespace(judge=law))
    >>> round(found.flag_if_omitted, 4), round(found.flag_if_acknowledged, 4)
    (0.8125, 0.1875)
    """
    judge = design.judge
    if judge.perfect:
        return Judging(1.0, 0.0)
    return Judging(
        float(betainc(judge.omitted.a, judge.omitted.b, 1 - judge.cut)),
        float(betainc(judge.acknowledged.a, judge.acknowledged.b, 1 - judge.cut)),
    )


def nodes(law: BetaLaw, count: int = _NODES) -> tuple[Floats, Floats]:
    """Gauss-Jacobi nodes in (0, 1) and weights that sum to 1 for a Beta law.

    >>> x, w = nodes(BetaLaw(2, 3))
    >>> round(float(w @ x), 12)
    0.4
    """
    points, weights = roots_jacobi(count, law.b - 1, law.a - 1)
    return (points + 1) / 2, weights / weights.sum()


@dataclass(frozen=True, kw_only=True)
class _Moves:
    """Per grid point, for one number of options; arrays broadcast over (accuracy, suscept., ack.).

    Probabilities of a pair: eligible, hint-driven move, any move, acknowledged move, and the grid's
    weight; ``violated`` is a move that is judged and flagged, ``observed`` one minus ungraded.
    """

    weight: Floats
    eligible: Floats
    driven: Floats
    moved: Floats
    acknowledged: Floats
    violated: Floats
    observed: Floats


def _moves(design: Design, options: int) -> _Moves:
    (a, wa), (s, ws), (k, wk) = (
        nodes(law) for law in (design.accuracy, design.susceptibility, design.acknowledgement)
    )
    accuracy, susceptible, acknowledging = np.meshgrid(a, s, k, indexing="ij", sparse=True)
    weight = wa[:, None, None] * ws[None, :, None] * wk[None, None, :]
    eligible = 1 - (1 - accuracy) / (options - 1)
    driven = eligible * susceptible
    moved = driven + eligible * (1 - susceptible) * design.chance_move / (options - 1)
    acknowledged = driven * acknowledging
    how = judging(design)
    graded = 1 - design.judge.ungraded
    flagged = acknowledged * how.flag_if_acknowledged + (moved - acknowledged) * how.flag_if_omitted
    return _Moves(
        weight=weight,
        eligible=eligible,
        driven=driven,
        moved=moved,
        acknowledged=acknowledged,
        violated=flagged * graded,
        observed=1 - moved * design.judge.ungraded,
    )


def _levels(design: Design, min_options: int) -> list[tuple[int, int]]:
    """Number of options and of probes of each group that is analysed."""
    groups = [
        (2, design.two_option_probes),
        (design.options, design.probes - design.two_option_probes),
    ]
    return [(options, probes) for options, probes in groups if options >= min_options and probes]


def population(design: Design, *, min_options: int = 3) -> Population:
    """Population values of a design, over its probes with enough options.

    Ratios of expectations: each probe weighs by how often it moves, as in the estimators. A share
    of nothing is NaN: where no probe has enough options, or no move is ever graded.

    Source: ``definitions``, Simulation.
    """
    totals = np.zeros(5)
    pairs = 0
    for options, probes in _levels(design, min_options):
        at = _moves(design, options)
        quantities = (at.eligible, at.driven, at.moved, at.acknowledged, at.violated)
        means = [float((at.weight * each).sum()) for each in quantities]
        totals += probes * design.replicas * np.array(means)
        pairs += probes * design.replicas
    eligible, driven, moved, acknowledged, violated = (float(total) for total in totals)
    how = judging(design)
    hint_driven = 1 - _ratio(acknowledged, driven)
    graded = 1 - design.judge.ungraded
    return Population(
        omission=1 - _ratio(acknowledged, moved),
        hint_driven_omission=hint_driven,
        # A rate of exactly 1 must not come out a rounding error above it.
        flagged=_at_most_1(_ratio(violated, moved * graded)),
        hint_driven_flagged=(
            hint_driven * how.flag_if_omitted + (1 - hint_driven) * how.flag_if_acknowledged
        ),
        expected_evaluable=moved * graded,
        susceptibility=_ratio(moved, eligible),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def _at_most_1(share: float) -> float:
    """The share without a rounding error above 1; NaN stays NaN, which ``min`` may lose."""
    return 1.0 if share > 1 else share


def exposure_truth(
    design: Design, k: int, *, min_options: int = 2, through_drop_out: bool = False
) -> float:
    """X(k): probability that at least one of k evaluable attempts at a probe shows a violation.

    Conditional on the attempts being evaluable, with pi the probability of a violation in an
    evaluable replica: 1 - E[(1 - pi)^k]. With ``through_drop_out`` a probe weighs by the
    probability that at least k of its planned replicas are evaluable: what an estimator over the
    set I_k aims at. Probes that change more lose more replicas to undetermined labels, so the two
    differ at high k. NaN where no probe has enough options.

    Raises:
        ValueError: k is not between 1 and the planned replicas.

    Source: HP section 11; ``definitions``, Simulation.
    """
    if not 1 <= k <= design.replicas:
        raise ValueError(f"k is {k}; it must be between 1 and {design.replicas}")
    hit = weight = 0.0
    for options, probes in _levels(design, min_options):
        at = _moves(design, options)
        violation = at.violated / at.observed
        share = at.weight * np.ones_like(violation) * probes
        if through_drop_out:
            share = share * _at_least(design.replicas, k, at.observed)
        hit += float((share * (1 - (1 - violation) ** k)).sum())
        weight += float(share.sum())
    return _ratio(hit, weight)


def _at_least(n: int, k: int, p: Floats) -> Floats:
    """P(Bin(n, p) >= k)."""
    return np.asarray(bdtrc(k - 1, n, p))


def plug_in_truth(design: Design, k: int, *, min_options: int = 2) -> float:
    """1 - (1 - p)^k with the p that pools evaluable replicas over probes: the plug-in's own aim."""
    hit = seen = 0.0
    for options, probes in _levels(design, min_options):
        at = _moves(design, options)
        hit += probes * float((at.weight * at.violated).sum())
        seen += probes * float((at.weight * at.observed).sum())
    return 1 - (1 - _ratio(hit, seen)) ** k
