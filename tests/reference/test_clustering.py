"""Intra-cluster correlation and design effect against an analysis of variance and by hand.

Where the numbers come from: mean squares from ``statsmodels`` (``anova_lm`` of an ordinary least
squares fit of the pair's flag on its probe, on long data), turned into variance components; and one
table worked out with pencil and paper in fractions, step by step in the test. Section 16.2 of the
paper prints rho = 0.084 and deff = 1.152 for 746 pairs in 265 clusters, which fixes the reading of
the design effect.
"""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from avowed.stats.clustering import describe


def clusters_of(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Successes and sizes of beta-binomial clusters of one to eight pairs."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, size=count)
    return rng.binomial(sizes, rng.beta(2, 1, size=count)), sizes


def anova_icc(successes: np.ndarray, sizes: np.ndarray) -> float:
    flags = [bit for k, m in zip(successes, sizes, strict=True) for bit in [1] * k + [0] * (m - k)]
    long = pd.DataFrame({"y": flags, "probe": np.repeat(np.arange(len(sizes)), sizes)})
    table = anova_lm(ols("y ~ C(probe)", data=long).fit())
    within = table.loc["Residual", "mean_sq"]
    n, c = sizes.sum(), len(sizes)
    m0 = (n - (sizes**2).sum() / n) / (c - 1)
    between = (table.loc["C(probe)", "mean_sq"] - within) / m0
    return float(between / (between + within))


@pytest.mark.parametrize("seed", range(4))
def test_against_an_analysis_of_variance_on_long_data(seed: int) -> None:
    successes, sizes = clusters_of(seed, 30)
    found = describe(successes, sizes)
    # The fit solves a least-squares problem with 30 columns: a few digits above rounding.
    assert found.icc == pytest.approx(anova_icc(successes, sizes), abs=1e-10)


def test_a_negative_correlation_against_the_analysis_of_variance() -> None:
    successes, sizes = np.array([1, 1, 2, 1, 2]), np.array([2, 3, 4, 2, 3])
    found = describe(successes, sizes)
    assert found.icc < 0
    assert found.icc == pytest.approx(anova_icc(successes, sizes), abs=1e-10)
    assert found.design_effect == 1.0


def test_by_hand() -> None:
    # Three probes: 3 of 4, 0 of 2, 1 of 2.  N = 8, k = 4, mean 1/2, C = 3.
    # Between: 4 (1/4)^2 + 2 (1/2)^2 + 2 * 0 = 1/4 + 1/2 = 3/4;  MSB = 3/8.
    # Within: 3 (1/4)^2 + 1 (3/4)^2 = 3/4;  0;  2 (1/2)^2 = 1/2;  sum 5/4;  MSW = 5/4 / 5 = 1/4.
    # m0 = (8 - (16 + 4 + 4)/8) / 2 = 5/2.
    # rho = (3/8 - 1/4) / (3/8 + 3/2 * 1/4) = (1/8) / (3/4) = 1/6.
    # deff = 1 + (8/3 - 1)/6 = 23/18;  effective n = 8 * 18/23 = 144/23.
    found = describe([3, 0, 1], [4, 2, 2])
    assert found.icc == pytest.approx(float(Fraction(1, 6)), abs=1e-15)
    assert found.design_effect == pytest.approx(float(Fraction(23, 18)), abs=1e-15)
    assert found.effective_n == pytest.approx(float(Fraction(144, 23)), abs=1e-14)


def test_the_paper_s_design_effect_uses_the_mean_number_of_pairs() -> None:
    # 1 + (746/265 - 1) * 0.084 = 1.1525 prints 1.152 or 1.153 for rho printed as 0.084.
    for rho in (0.0835, 0.0845):
        assert 1 + (746 / 265 - 1) * rho == pytest.approx(1.152, abs=0.0015)
    # Ours, on data with that many clusters and pairs: the same relation of rho to deff.
    rng = np.random.default_rng(5)
    sizes = rng.permutation([3] * 216 + [2] * 49)
    successes = rng.binomial(sizes, rng.beta(7, 4, size=265))
    found = describe(successes, sizes)
    assert (found.n, found.clusters) == (746, 265)
    assert found.icc > 0
    assert found.design_effect == pytest.approx(1 + (746 / 265 - 1) * found.icc, abs=1e-12)
