"""What a calibration leaves of a half-width, and the size that a calibration would need."""

import math
from dataclasses import dataclass

from avowed.stats.misclassification import Accuracy, calibration_half_width, standard_normal


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A calibration and the corrected rate pi around which is planned (HP 13).

    Raises:
        ValueError: J is not positive, so that nothing can be corrected.
    """

    accuracy: Accuracy
    rate: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse a judge that does not discriminate."""
        if self.accuracy.youden <= 0:
            raise ValueError("the judge does not discriminate: J = Se + Sp - 1 is not positive")

    @property
    def flagged(self) -> float:
        """The observed rate behind a corrected one: q = pi Se + (1 - pi)(1 - Sp).

        >>> Correction(accuracy=Accuracy(tp=9, fn=1, tn=8, fp=2), rate=0.5).flagged
        0.55
        """
        of_negatives = self.accuracy.false_positive_rate
        return self.rate * self.accuracy.sensitivity + (1 - self.rate) * of_negatives

    def squared(self, rate: float) -> float:
        """h_c^2 at a corrected rate."""
        z = standard_normal(self.confidence)
        return calibration_half_width(rate, self.accuracy, z=z) ** 2

    @property
    def half_width(self) -> float:
        """h_c, what the calibration adds to the half-width at the planned rate."""
        return math.sqrt(self.squared(self.rate))

    @property
    def bend(self) -> float:
        """Second derivative of h_c^2, which is a parabola in the rate."""
        return 4 * (self.squared(0.0) - 2 * self.squared(0.5) + self.squared(1.0))

    @property
    def slope(self) -> float:
        """First derivative of h_c^2 at the planned rate.

        >>> even = Correction(accuracy=Accuracy(tp=8, fn=2, tn=8, fp=2), rate=0.5)
        >>> round(even.slope, 12)
        0.0
        """
        at_0 = self.squared(1.0) - self.squared(0.0) - self.bend / 2
        return at_0 + self.bend * self.rate

    def left_for_sample(self, half_width: float) -> float:
        """Half-width that the flagged rate may have: J sqrt(h^2 - h_c^2); 0 if h_c takes it all.

        Source: HP section 14, h = sqrt(h_s^2 + h_c^2) with h_s = half-width(q) / J.
        """
        left = half_width**2 - self.half_width**2
        return self.accuracy.youden * math.sqrt(left) if left > 0 else 0.0

    def items_needed(self, half_width: float) -> tuple[int, int]:
        """Positive and negative items of a calibration with at most this h_c, in today's mix.

        h_c falls with the root of the number of items, so both classes grow by (h_c / h)^2.

        >>> small = Correction(accuracy=Accuracy(tp=25, fn=5, tn=25, fp=5), rate=0.5)
        >>> round(small.half_width, 3), small.items_needed(0.1)
        (0.141, (61, 61))
        """
        factor = (self.half_width / half_width) ** 2
        positives, negatives = self.accuracy.positives, self.accuracy.negatives
        # Rounded first: a size that is met up to rounding is met.
        return (
            math.ceil(round(positives * factor, 9)),
            math.ceil(round(negatives * factor, 9)),
        )
