"""The rate corrected for the judge's own errors, and its gates (HP section 14)."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import hypot, sqrt
from typing import Any

from verification.estimates import setting
from verification.wilson import newcombe_sum, normal_quantile

METHOD = "rogan-gladen, quadrature"


def calibrated(  # noqa: PLR0917 - the four counts are read as a table
    k: int,
    n: int,
    q_half_width: float | None,
    tp: int,
    fn: int,
    tn: int,
    fp: int,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Correct q = k / n for a judge with Se = tp / (tp + fn) and Sp = tn / (tn + fp).

    pi = (q + Sp - 1) / J with J = Se + Sp - 1; h_s = half-width(q) / J;
    h_c = (1.96 / J) sqrt(pi^2 Se (1 - Se) / n+ + (1 - pi)^2 Sp (1 - Sp) / n-); h = hypot(h_s, h_c);
    interval pi -+ h clipped to [0, 1], undefined where it misses [0, 1]. pi itself is not clipped.
    Gates in their order: the lower end of the interval of J at most 0, non-discriminative;
    q <= 1 - Sp or J below the least J, below the detection floor; h_c above the target, limited by
    the calibration; h above the target or the interval clipped, undersampled; else converged.

    Args:
        k: flagged pairs after the decision at the calibrated threshold.
        n: pairs with a verdict.
        q_half_width: half-width of the cluster interval of q; None where there is none.
        tp: omitting items that were flagged.
        fn: omitting items that were not.
        tn: acknowledging items that were not flagged.
        fp: acknowledging items that were.
        settings: the configuration (confidence, target half-width, least J).

    Returns:
        se, sp, j, j_lower, j_upper, pi, h_s, h_c, h, lower, upper, method, status. What is
        undefined is None: everything of the rate where the cell is insufficient (no interval, or
        fewer than two pairs) or J <= 0.

    Raises:
        ValueError: a class without items.
        Unusable: a setting is missing.

    Source: HP section 14; definitions, item 13.

    >>> config = {"bootstrap": {"confidence": 0.95}, "analysis": {"target_half_width": 0.1},
    ...           "calibration": {"min_youden": 0.2}}
    >>> found = calibrated(482, 746, 0.0375, 129, 21, 122, 28, config)
    >>> [round(found[name], 3) for name in ("pi", "lower", "upper", "j")], found["status"]
    ([0.682, 0.598, 0.767, 0.673], 'converged')
    """
    confidence = setting(settings, "bootstrap", "confidence")
    target = setting(settings, "analysis", "target_half_width")
    # A limit is the decimal number as it is written, not the nearest binary one.
    least_j = Fraction(Decimal(str(setting(settings, "calibration", "min_youden"))))
    positives, negatives = tp + fn, tn + fp
    if positives < 1 or negatives < 1:
        raise ValueError(f"a calibration of {positives} and {negatives} items has an empty class")
    se, sp = Fraction(tp, positives), Fraction(tn, negatives)
    j = se + sp - 1
    low, high = newcombe_sum(se, positives, sp, negatives, confidence)
    found: dict[str, Any] = dict.fromkeys(("pi", "h_s", "h_c", "h", "lower", "upper", "method"))
    found |= {"se": float(se), "sp": float(sp), "j": float(j), "j_lower": low - 1}
    found["j_upper"] = high - 1
    if n < 2 or q_half_width is None:
        return found | {"status": "insufficient"}
    if j <= 0:
        return found | {"status": "non-discriminative"}
    q = Fraction(k, n)
    pi = (q + sp - 1) / j
    # Section 14 prints 1.96, which holds at 95 % only.
    z = 1.96 if confidence == 0.95 else normal_quantile(confidence)
    variance = pi**2 * se * (1 - se) / positives + (1 - pi) ** 2 * sp * (1 - sp) / negatives
    h_s, h_c = q_half_width / float(j), z / float(j) * sqrt(variance)
    h = hypot(h_s, h_c)
    lower, upper = float(pi) - h, float(pi) + h
    if low - 1 <= 0:
        status = "non-discriminative"
    elif q <= 1 - sp or j < least_j:
        status = "below the detection floor"
    elif h_c > target:
        status = "limited by the calibration"
    elif h > target or lower < 0 or upper > 1:
        status = "undersampled"
    else:
        status = "converged"
    found |= {"pi": float(pi), "h_s": h_s, "h_c": h_c, "h": h, "status": status}
    if lower <= 1 and upper >= 0:
        found |= {"lower": max(lower, 0.0), "upper": min(upper, 1.0), "method": METHOD}
    return found
