"""Population values of the simulated study in closed form, with exact fractions (HP 16.1).

The paper's study draws a probe's accuracy, susceptibility and propensity to acknowledge from Beta
laws. Every probability of a pair is a polynomial in these three, and the moments of a Beta law are
rational, so every population value is a fraction: no quadrature, no draws. Only the exposure truth
without drop-out divides by the share of graded pairs; its geometric series is summed to 1e-16.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, exp, lgamma, log
from typing import Any

_NEGLIGIBLE = Fraction(1, 10**16)
_MOST_TERMS = 400


def fraction(number: float | int) -> Fraction:
    """The decimal number that a configuration writes, exactly.

    >>> fraction(0.15)
    Fraction(3, 20)
    """
    return Fraction(str(number))


@dataclass(frozen=True)
class Beta:
    """A Beta law with rational shapes."""

    a: Fraction
    b: Fraction

    @cached_property
    def mean(self) -> Fraction:
        """Mean a / (a + b)."""
        return self.a / (self.a + self.b)

    def moments(self, highest: int) -> list[Fraction]:
        """E[X^j] for j = 0 to ``highest``: the product of (a + i) / (a + b + i) over i < j.

        >>> Beta(Fraction(2), Fraction(3)).moments(2)
        [Fraction(1, 1), Fraction(2, 5), Fraction(1, 5)]
        """
        found = [Fraction(1)]
        for i in range(highest):
            found.append(found[-1] * (self.a + i) / (self.a + self.b + i))
        return found

    def below(self, x: Fraction) -> Fraction:
        """P(X <= x): a binomial tail for whole shapes, else the power series of the integral.

        P(Beta(a, b) <= x) = P(Bin(a + b - 1, x) >= a).

        >>> Beta(Fraction(2), Fraction(4)).below(Fraction(1, 2))
        Fraction(13, 16)
        """
        if x <= 0 or x >= 1:
            return Fraction(int(x >= 1))
        if self.a.denominator == self.b.denominator == 1:
            n = int(self.a + self.b) - 1
            tail = range(int(self.a), n + 1)
            return sum((comb(n, j) * x**j * (1 - x) ** (n - j) for j in tail), Fraction(0))
        if x > Fraction(1, 2):
            return 1 - Beta(self.b, self.a).below(1 - x)
        a, b, at = float(self.a), float(self.b), float(x)
        total, term, n = 0.0, 1.0, 0
        while abs(term) > 1e-18 * abs(total) and n < _MOST_TERMS:
            total += term / (a + n)
            n += 1
            term *= (n - b) / n * at
        scale = exp(a * log(at) + lgamma(a + b) - lgamma(a) - lgamma(b))
        return Fraction(scale * total)


def beta(shapes: Sequence[float]) -> Beta:
    """A law from the two shapes of the configuration."""
    return Beta(fraction(shapes[0]), fraction(shapes[1]))


@dataclass(frozen=True, kw_only=True)
class Study:
    """A simulated study of one hint type.

    ``flag_omitted`` and ``flag_acknowledged`` are the probabilities that a judged explanation is
    flagged; ``ungraded`` is the probability that a move to the hint gets no verdict; ``levels``
    pairs each number of options with its number of probes.
    """

    accuracy: Beta
    susceptibility: Beta
    acknowledgement: Beta
    chance_move: Fraction
    flag_omitted: Fraction
    flag_acknowledged: Fraction
    ungraded: Fraction
    replicas: int
    levels: tuple[tuple[int, int], ...]

    def at_least(self, options: int) -> "Study":
        """The same study without the probes that have fewer options."""
        return replace(self, levels=tuple(one for one in self.levels if one[0] >= options))

    def without_judge_error(self) -> "Study":
        """The same study with a perfect judge, whose calls fail as often."""
        return replace(self, flag_omitted=Fraction(1), flag_acknowledged=Fraction(0))


def study_of(
    simulation: Mapping[str, Any],
    hint_type: str,
    *,
    probes: int | None = None,
    cut: float | None = None,
) -> Study:
    """The configured study of one hint type, with another number of probes or another cut.

    An explanation is flagged when 1 - phi exceeds the cut, that is, when phi is below 1 - cut.
    """
    laws, judge = simulation["hint_types"][hint_type], simulation["judge"]
    below = 1 - fraction(judge["cut"] if cut is None else cut)
    failed, undetermined = fraction(judge["failed"]), fraction(judge["undetermined"])
    number = simulation["probes"] if probes is None else probes
    two = round(simulation["two_option_share"] * number)
    levels = [(2, two), (simulation["options"], number - two)]
    return Study(
        accuracy=beta(simulation["accuracy"]),
        susceptibility=beta(laws["susceptibility"]),
        acknowledgement=beta(laws["acknowledgement"]),
        chance_move=fraction(simulation["chance_move"]),
        flag_omitted=beta(judge["phi_omitted"]).below(below),
        flag_acknowledged=beta(judge["phi_acknowledged"]).below(below),
        ungraded=failed + (1 - failed) * undetermined,
        replicas=simulation["replicas"],
        levels=tuple(one for one in levels if one[1] > 0),
    )


def extreme_study(simulation: Mapping[str, Any], variant: str, *, probes: int) -> Study:
    """The study that puts the rate near 0 or 1: perfect judge, no chance moves, its own law."""
    study = study_of(simulation, simulation["worked_example"], probes=probes)
    return replace(
        study.without_judge_error(),
        acknowledgement=beta(simulation["extreme_acknowledgement"][variant]),
        chance_move=Fraction(0),
    )


@dataclass(frozen=True, kw_only=True)
class Population:
    """What the estimators aim at.

    Shares of moves to the hint: ``omission`` that do not acknowledge it, ``flagged`` that the
    judge flags, ``hint_driven_omission`` among moves that the hint caused. All are None where no
    probe has enough options.
    """

    omission: Fraction | None
    flagged: Fraction | None
    hint_driven_omission: Fraction | None


@lru_cache(maxsize=256)
def population(study: Study) -> Population:
    """Population shares: ratios of expectations, so that a probe weighs by how often it moves.

    A pair is eligible with e = 1 - (1 - accuracy) / (L - 1); the hint moves it with e s, chance
    with e (1 - s) c / (L - 1). Only a hint-driven move can be acknowledged.

    Source: HP 16.1; ``definitions``, Simulation.
    """
    if not study.levels:
        return Population(omission=None, flagged=None, hint_driven_omission=None)
    moved = acknowledged = driven = Fraction(0)
    s = study.susceptibility.mean
    for options, probes in study.levels:
        eligible = 1 - (1 - study.accuracy.mean) / (options - 1)
        driven += probes * eligible * s
        moved += probes * eligible * (s + (1 - s) * study.chance_move / (options - 1))
        acknowledged += probes * eligible * s * study.acknowledgement.mean
    omission = 1 - acknowledged / moved
    return Population(
        omission=omission,
        flagged=omission * study.flag_omitted + (1 - omission) * study.flag_acknowledged,
        hint_driven_omission=1 - acknowledged / driven,
    )


def number(share: Fraction | None) -> float | None:
    """A population share as a table shows it; None where there is nothing to share.

    >>> number(Fraction(1, 4)), number(None)
    (0.25, None)
    """
    return None if share is None else float(share)


class _Moments:
    """Moments of one number of options: E[e^n], E[t^p s^j] and E[kappa^j].

    t = s + (1 - s) c / (L - 1) is the probability that an eligible pair moves to the hint.
    """

    def __init__(self, study: Study, options: int, highest: int) -> None:
        """Moments up to the power ``highest``; those of kappa and s up to the replicas."""
        base, slope = Fraction(options - 2, options - 1), Fraction(1, options - 1)
        chance = study.chance_move / (options - 1)
        self.eligible = _affine(base, slope, study.accuracy.moments(highest))
        self.acknowledged = study.acknowledgement.moments(study.replicas)
        raw = study.susceptibility.moments(study.replicas + highest)
        self.moved = [
            _affine(chance, 1 - chance, raw[j:], highest) for j in range(study.replicas + 1)
        ]


@lru_cache(maxsize=64)
def _moments(study: Study, options: int) -> _Moments:
    """Moments as high as the longest curve needs them."""
    return _Moments(study, options, study.replicas + len(_series(study, study.replicas)))


def _affine(
    base: Fraction, slope: Fraction, moments: Sequence[Fraction], highest: int | None = None
) -> list[Fraction]:
    """E[(base + slope X)^p Y] for p = 0, 1, ..., from E[X^q Y]."""
    last = len(moments) - 1 if highest is None else highest
    return [
        sum(
            (comb(p, q) * base ** (p - q) * slope**q * moments[q] for q in range(p + 1)),
            Fraction(0),
        )
        for p in range(last + 1)
    ]


def _expected(
    study: Study, moments: _Moments, k: int, coefficients: Sequence[Fraction]
) -> Fraction:
    """E[(1 - u x - v)^k sum_r c_r (u x)^r] with x the probability of a move to the hint.

    u is the probability of no verdict, so that 1 - u x is the probability that a replica is
    evaluable and v that of a violation: 1 - u x - v is that of an evaluable replica without one.
    """
    graded = 1 - study.ungraded
    kept = -(study.ungraded + graded * study.flag_omitted)
    spared = graded * (study.flag_omitted - study.flag_acknowledged)
    total = Fraction(0)
    for i in range(k + 1):
        for r, coefficient in enumerate(coefficients):
            power = sum(
                (
                    comb(i, j)
                    * kept ** (i - j)
                    * spared**j
                    * moments.acknowledged[j]
                    * moments.moved[j][i - j + r]
                    for j in range(i + 1)
                ),
                Fraction(0),
            )
            weight = comb(k, i) * coefficient * study.ungraded**r
            total += weight * moments.eligible[i + r] * power
    return total


def _series(study: Study, k: int) -> list[Fraction]:
    """Coefficients of (1 - y)^-k as far as they matter for y up to the ungraded share."""
    found: list[Fraction] = []
    for r in range(_MOST_TERMS):
        found.append(Fraction(comb(k + r - 1, r)))
        if found[-1] * study.ungraded**r < _NEGLIGIBLE:
            break
    return found


def _still_evaluable(replicas: int, k: int, power: int) -> list[Fraction]:
    """Coefficients in y of P(Bin(m, 1 - y) >= k) / (1 - y)^power, a polynomial for power <= k."""
    found = [Fraction(0)] * (replicas - power + 1)
    for j in range(k, replicas + 1):
        for i in range(j - power + 1):
            found[replicas - j + i] += comb(replicas, j) * comb(j - power, i) * (-1) ** i
    return found


@lru_cache(maxsize=256)
def exposure_truth(study: Study, k: int, *, through_drop_out: bool = False) -> Fraction | None:
    """X(k) = 1 - E[(1 - pi)^k], pi the probability of a violation in an evaluable replica.

    With ``through_drop_out`` a probe weighs by the probability that at least k of its replicas
    stay evaluable, which is what an estimator over the set I_k aims at. None without probes.

    Source: HP section 11; ``definitions``, Simulation.
    """
    if not study.levels:
        return None
    spared = weight = Fraction(0)
    for options, probes in study.levels:
        if through_drop_out:
            above = _still_evaluable(study.replicas, k, k)
            below = _still_evaluable(study.replicas, k, 0)
        else:
            above, below = _series(study, k), [Fraction(1)]
        moments = _moments(study, options)
        spared += probes * _expected(study, moments, k, above)
        weight += probes * _expected(study, moments, 0, below)
    return 1 - spared / weight
