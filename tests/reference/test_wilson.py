"""Wilson intervals against statsmodels and SciPy.

Where the numbers come from: computed while the test runs by
``statsmodels.stats.proportion.proportion_confint(method="wilson")`` and
``scipy.stats.binomtest(...).proportion_ci(method="wilson")``, two implementations that share no
code with this one. Both take whole counts; the effective sample size of section 7 need not be
whole, and there the closed form in exact fractions stands in. One interval is the hinted-pair
paper's own: section 16.2 prints [0.609, 0.684] for its worked example.
"""

from fractions import Fraction

import pytest
from scipy.stats import binomtest, norm
from statsmodels.stats.proportion import proportion_confint

from avowed.stats.intervals import wilson

COUNTS = [(0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (40, 40), (618, 618), (482, 746), (1, 10**6)]
LEVELS = [0.8, 0.95, 0.99]

# Both sides evaluate the same formula in double precision, in another order.
ROUNDING = 1e-12


@pytest.mark.parametrize(("k", "n"), COUNTS)
@pytest.mark.parametrize("level", LEVELS)
def test_statsmodels(k: int, n: int, level: float) -> None:
    lower, upper = proportion_confint(k, n, alpha=1 - level, method="wilson")
    interval = wilson(k / n, n, confidence=level)
    assert interval.lower == pytest.approx(lower, abs=ROUNDING)
    assert interval.upper == pytest.approx(upper, abs=ROUNDING)


@pytest.mark.parametrize(("k", "n"), COUNTS)
@pytest.mark.parametrize("level", LEVELS)
def test_scipy(k: int, n: int, level: float) -> None:
    theirs = binomtest(k, n).proportion_ci(level, method="wilson")
    interval = wilson(k / n, n, confidence=level)
    assert interval.lower == pytest.approx(theirs.low, abs=ROUNDING)
    assert interval.upper == pytest.approx(theirs.high, abs=ROUNDING)


@pytest.mark.parametrize(("rate", "n"), [(Fraction(1, 3), Fraction(41, 7)), (Fraction(1), 10)])
def test_sample_sizes_that_are_not_whole(rate: Fraction, n: Fraction) -> None:
    # The two bounds are the roots of (rate - p)^2 = z^2 p (1 - p) / n.
    z2 = Fraction(norm.ppf(0.975)) ** 2
    interval = wilson(float(rate), float(n))
    total, product = interval.lower + interval.upper, interval.lower * interval.upper
    assert total == pytest.approx(float((2 * rate + z2 / n) / (1 + z2 / n)), abs=ROUNDING)
    assert product == pytest.approx(float(rate**2 / (1 + z2 / n)), abs=ROUNDING)


def test_the_paper_s_worked_example_at_its_effective_sample_size() -> None:
    # Printed: 482/746, deff 1.152, cluster bootstrap [0.609, 0.684]. Wilson at the effective size
    # is another method: it agrees to the skewness of the bootstrap, which is below 0.003 here.
    interval = wilson(482 / 746, 746 / 1.152)
    assert interval.lower == pytest.approx(0.609, abs=0.003)
    assert interval.upper == pytest.approx(0.684, abs=0.003)
