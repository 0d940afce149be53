"""Agreement of two raters with two categories, from the four counts of their table.

All functions take counts on the last axis, in the order (both, only first, only second, neither)
for one of the two categories, shape (..., 4), so that resampled tables go in at once. They return
shape (...), NaN where the measure does not exist.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

#: Size of the prevalence index above which kappa says little; a convention of this package.
SATURATED = 0.8


def _table(counts: ArrayLike) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    table = np.asarray(counts, dtype=np.float64)
    if table.shape[-1] != 4 or (table < 0).any():
        raise ValueError("a table of two raters has four counts, none of them negative")
    a, b, c, d = (table[..., place] for place in range(4))
    return a, b, c, d, a + b + c + d


def _ratio(part: Floats, whole: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan))


def observed_agreement(counts: ArrayLike) -> Floats:
    """Share of items that both raters put into the same category, (a + d) / n.

    >>> float(observed_agreement([40, 9, 6, 45]))
    0.85
    """
    a, _, _, d, n = _table(counts)
    return _ratio(a + d, n)


def cohens_kappa(counts: ArrayLike) -> Floats:
    """Cohen's kappa, (p_o - p_e) / (1 - p_e), with p_e from each rater's own shares.

    With p_e = ((a + b)(a + c) + (c + d)(b + d)) / n^2, in whole numbers
    kappa = 2 (ad - bc) / ((a + b)(b + d) + (a + c)(c + d)). Undefined where p_e is 1: both raters
    put every item into the same one category, and there is no agreement beyond chance to speak of.

    Source: Cohen (1960), Educational and Psychological Measurement 20, 37-46.

    >>> cohens_kappa([40, 9, 6, 45]).round(4).item(), cohens_kappa([10, 0, 0, 0]).item()
    (0.6995, nan)
    """
    a, b, c, d, _ = _table(counts)
    return _ratio(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))


def expected_agreement(counts: ArrayLike) -> Floats:
    """Agreement by chance as Cohen's kappa has it: p_e from each rater's own shares.

    >>> float(expected_agreement([25, 25, 25, 25]))
    0.5
    """
    a, b, c, d, n = _table(counts)
    return _ratio((a + b) * (a + c) + (c + d) * (b + d), n * n)


def gwet_ac1(counts: ArrayLike) -> Floats:
    """Gwet's AC1, (p_o - p_e) / (1 - p_e) with p_e = 2 pi (1 - pi).

    pi is the mean of both raters' shares of a category. p_e is at most 1/2, so that AC1 exists for
    every table that is not empty, and does not fall where one category is rare.

    Source: Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48.

    >>> gwet_ac1([118, 5, 2, 0]).round(4).item(), cohens_kappa([118, 5, 2, 0]).round(4).item()
    (0.9408, -0.0234)
    """
    observed, chance = observed_agreement(counts), gwet_expected(counts)
    return np.asarray((observed - chance) / (1 - chance))


def gwet_expected(counts: ArrayLike) -> Floats:
    """Agreement by chance as AC1 has it: 2 pi (1 - pi).

    >>> float(gwet_expected([25, 25, 25, 25]))
    0.5
    """
    a, b, c, _, n = _table(counts)
    share = _ratio(2 * a + b + c, 2 * n)
    return np.asarray(2 * share * (1 - share))


def prevalence_index(counts: ArrayLike) -> Floats:
    """(a - d) / n: from -1 to 1, far from 0 where both raters use one category only.

    Source: Byrt, Bishop and Carlin (1993), Journal of Clinical Epidemiology 46, 423-429.

    >>> float(prevalence_index([80, 5, 5, 10]))
    0.7
    """
    a, _, _, d, n = _table(counts)
    return _ratio(a - d, n)


def bias_index(counts: ArrayLike) -> Floats:
    """(b - c) / n: the difference of the raters' shares of the category, first minus second.

    Source: Byrt, Bishop and Carlin (1993).

    >>> float(bias_index([80, 8, 3, 9]))
    0.05
    """
    _, b, c, _, n = _table(counts)
    return _ratio(b - c, n)
