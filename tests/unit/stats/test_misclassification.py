"""Se, Sp and J with their interval, Rogan and Gladen's correction, and h_c."""

import math
from fractions import Fraction

import pytest
from statsmodels.stats.proportion import proportion_confint

from avowed.stats.intervals import normal_quantile
from avowed.stats.misclassification import (
    Accuracy,
    calibration_half_width,
    corrected_rate,
    standard_normal,
    youden_interval,
)

COUNTS = [
    (129, 21, 122, 28),
    (30, 0, 30, 0),
    (0, 30, 17, 13),
    (1, 2, 3, 4),
    (600, 1, 5, 44),
    (15, 15, 15, 15),
]


def of(tp: int, fn: int, tn: int, fp: int) -> Accuracy:
    return Accuracy(tp=tp, fn=fn, tn=tn, fp=fp)


@pytest.mark.parametrize("counts", COUNTS)
def test_shares_are_those_of_each_class(counts: tuple[int, int, int, int]) -> None:
    tp, fn, tn, fp = counts
    found = of(*counts)
    assert (found.positives, found.negatives) == (tp + fn, tn + fp)
    se, sp = Fraction(tp, tp + fn), Fraction(tn, tn + fp)
    assert found.sensitivity == float(se) and found.specificity == float(sp)
    assert found.youden == pytest.approx(float(se + sp - 1), abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((-1, 31, 30, 0), "tp is -1; a count cannot be negative"),
        ((30, 0, 30, -2), "fp is -2; a count cannot be negative"),
        ((0, 0, 30, 0), "both classes need at least one item"),
        ((30, 0, 0, 0), "both classes need at least one item"),
    ],
)
def test_counts_that_describe_no_classifier(counts: tuple[int, int, int, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        of(*counts)


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_interval_of_j_is_newcombes(
    counts: tuple[int, int, int, int], confidence: float
) -> None:
    tp, fn, tn, fp = counts
    se, sp = tp / (tp + fn), tn / (tn + fp)
    alpha = 1 - confidence
    l1, u1 = proportion_confint(tp, tp + fn, alpha=alpha, method="wilson")
    l2, u2 = proportion_confint(tn, tn + fp, alpha=alpha, method="wilson")
    found = youden_interval(of(*counts), confidence=confidence)
    # Newcombe's interval of a difference Se - (1 - Sp), written out.
    assert found.lower == pytest.approx(se + sp - 1 - math.sqrt((se - l1) ** 2 + (sp - l2) ** 2))
    assert found.upper == pytest.approx(se + sp - 1 + math.sqrt((u1 - se) ** 2 + (u2 - sp) ** 2))
    assert found.method == "newcombe"
    assert -1 <= found.lower <= found.upper <= 1


@pytest.mark.parametrize("counts", [c for c in COUNTS if of(*c).youden > 0])
@pytest.mark.parametrize("q", [Fraction(0), Fraction(1, 7), Fraction(482, 746), Fraction(1)])
def test_the_correction_against_exact_fractions(
    counts: tuple[int, int, int, int], q: Fraction
) -> None:
    tp, fn, tn, fp = counts
    se, sp = Fraction(tp, tp + fn), Fraction(tn, tn + fp)
    exact = (q + sp - 1) / (se + sp - 1)
    assert corrected_rate(float(q), of(*counts)) == pytest.approx(float(exact), rel=1e-12)


def test_the_correction_undoes_the_errors_and_is_not_clipped() -> None:
    accuracy = of(129, 21, 122, 28)
    se, sp = accuracy.sensitivity, accuracy.specificity
    for prevalence in (0.0, 0.3, 0.682, 1.0):
        seen = prevalence * se + (1 - prevalence) * (1 - sp)
        assert corrected_rate(seen, accuracy) == pytest.approx(prevalence, abs=1e-14)
    assert corrected_rate(se + 0.05, accuracy) > 1
    assert corrected_rate(1 - sp - 0.05, accuracy) < 0


@pytest.mark.parametrize("counts", [(15, 15, 15, 15), (10, 20, 10, 20), (0, 30, 17, 13)])
def test_without_discrimination_there_is_no_rate(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="does not discriminate"):
        corrected_rate(0.5, of(*counts))
    with pytest.raises(ValueError, match="does not discriminate"):
        calibration_half_width(0.5, of(*counts), z=1.96)


@pytest.mark.parametrize("counts", [(129, 21, 122, 28), (27, 3, 20, 12), (590, 10, 300, 300)])
@pytest.mark.parametrize("q", [0.3, 0.646, 0.9])
def test_h_c_is_the_delta_method(counts: tuple[int, int, int, int], q: float) -> None:
    accuracy = of(*counts)
    se, sp = accuracy.sensitivity, accuracy.specificity

    def rate(sensitivity: float, specificity: float) -> float:
        return (q + specificity - 1) / (sensitivity + specificity - 1)

    step = 1e-6
    by_se = (rate(se + step, sp) - rate(se - step, sp)) / (2 * step)
    by_sp = (rate(se, sp + step) - rate(se, sp - step)) / (2 * step)
    variance = (
        by_se**2 * se * (1 - se) / accuracy.positives
        + by_sp**2 * sp * (1 - sp) / accuracy.negatives
    )
    found = calibration_half_width(rate(se, sp), accuracy, z=1.96)
    assert found == pytest.approx(1.96 * math.sqrt(variance), rel=1e-7)


def test_h_c_shrinks_with_the_root_of_the_items() -> None:
    small, large = of(24, 6, 24, 6), of(480, 120, 480, 120)
    ratio = calibration_half_width(0.6, small, z=1.96) / calibration_half_width(0.6, large, z=1.96)
    assert ratio == pytest.approx(math.sqrt(20))
    assert calibration_half_width(0.6, of(30, 0, 30, 0), z=1.96) == 0


def test_the_printed_factor_is_used_at_95_percent_only() -> None:
    assert standard_normal(0.95) == 1.96
    assert standard_normal(0.9) == normal_quantile(0.9)
