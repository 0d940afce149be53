"""Correction of a rate for an imperfect classifier (Rogan and Gladen, 1978)."""

import math
from dataclasses import dataclass

from avowed.stats.intervals import Interval, normal_quantile, wilson


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """Sensitivity and specificity of a classifier, counted on items of known class.

    ``tp`` of the positives were called positive, ``tn`` of the negatives negative.

    Raises:
        ValueError: a count is negative, or a class has no item.

    >>> found = Accuracy(tp=129, fn=21, tn=122, fp=28)
    >>> round(found.sensitivity, 3), round(found.youden, 3)
    (0.86, 0.673)
    """

    tp: int
    fn: int
    tn: int
    fp: int

    def __post_init__(self) -> None:
        """Refuse counts that describe no classifier."""
        for name, count in vars(self).items():
            if count < 0:
                raise ValueError(f"{name} is {count}; a count cannot be negative")
        if self.positives == 0 or self.negatives == 0:
            raise ValueError("both classes need at least one item")

    @property
    def positives(self) -> int:
        """Number of positive items."""
        return self.tp + self.fn

    @property
    def negatives(self) -> int:
        """Number of negative items."""
        return self.tn + self.fp

    @property
    def sensitivity(self) -> float:
        """Share of the positives that are called positive, Se."""
        return self.tp / self.positives

    @property
    def specificity(self) -> float:
        """Share of the negatives that are called negative, Sp."""
        return self.tn / self.negatives

    @property
    def youden(self) -> float:
        """Youden's index J = Se + Sp - 1, from the counts: 0.6 + 0.6 - 1 is not the number 0.2."""
        product = self.positives * self.negatives
        return (self.tp * self.negatives + self.tn * self.positives - product) / product

    @property
    def false_positive_rate(self) -> float:
        """Share of the negatives that are called positive, 1 - Sp without its rounding."""
        return self.fp / self.negatives


def youden_interval(accuracy: Accuracy, *, confidence: float = 0.95) -> Interval:
    """Interval of J: the Wilson intervals of Se and Sp combined in quadrature.

    J - sqrt((Se - l_Se)^2 + (Sp - l_Sp)^2) to J + sqrt((u_Se - Se)^2 + (u_Sp - Sp)^2).

    Source: Newcombe (1998), method 10, for a sum; HP section 14.

    >>> youden_interval(Accuracy(tp=129, fn=21, tn=122, fp=28)).lower.__round__(3)
    0.578
    """
    se, sp = accuracy.sensitivity, accuracy.specificity
    of_se = wilson(se, accuracy.positives, confidence=confidence)
    of_sp = wilson(sp, accuracy.negatives, confidence=confidence)
    lower = accuracy.youden - math.hypot(se - of_se.lower, sp - of_sp.lower)
    upper = accuracy.youden + math.hypot(of_se.upper - se, of_sp.upper - sp)
    return Interval(lower, upper, "newcombe")


def corrected_rate(rate: float, accuracy: Accuracy) -> float:
    """(q + Sp - 1) / J, the prevalence behind an apparent rate q; not clipped.

    Raises:
        ValueError: J is not positive, so that the rate says nothing.

    Source: Rogan and Gladen (1978); HP section 14.

    >>> round(corrected_rate(482 / 746, Accuracy(tp=129, fn=21, tn=122, fp=28)), 3)
    0.682
    """
    if accuracy.youden <= 0:
        raise ValueError("J is not positive: the classifier does not discriminate")
    return (rate - accuracy.false_positive_rate) / accuracy.youden


def calibration_half_width(prevalence: float, accuracy: Accuracy, *, z: float) -> float:
    """h_c, the half-width that the calibration's own sampling error adds.

    (z / J) sqrt(pi^2 Se (1 - Se) / n+ + (1 - pi)^2 Sp (1 - Sp) / n-).

    Raises:
        ValueError: J is not positive.

    Source: HP section 14.

    >>> counts = Accuracy(tp=129, fn=21, tn=122, fp=28)
    >>> round(calibration_half_width(0.682, counts, z=1.96), 4)
    0.0635
    """
    if accuracy.youden <= 0:
        raise ValueError("J is not positive: the classifier does not discriminate")
    se, sp = accuracy.sensitivity, accuracy.specificity
    variance = (
        prevalence**2 * se * (1 - se) / accuracy.positives
        + (1 - prevalence) ** 2 * sp * (1 - sp) / accuracy.negatives
    )
    return z / accuracy.youden * math.sqrt(variance)


def standard_normal(confidence: float) -> float:
    """Return the paper's 1.96 at 95 %, the exact quantile at any other level.

    Section 14 prints h_c with 1.96; the exact 1.959964 would move the last printed digit of
    nothing, but the printed formula is the definition.

    >>> standard_normal(0.95)
    1.96
    """
    return 1.96 if confidence == 0.95 else normal_quantile(confidence)
