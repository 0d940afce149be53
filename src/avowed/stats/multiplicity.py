"""Adjusting p-values where several tests are read together."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Holm-adjusted p-values, NaN where there was no test (which then counts for nothing).

    With p_(1) <= ... <= p_(m): adjusted_(i) = max over j <= i of min((m - j + 1) p_(j), 1). Calling
    those at or below alpha significant keeps the chance of any false one at alpha or below,
    however the tests depend on each other.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
    Journal of Statistics 6, 65-70.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    raw = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(raw.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(raw))
    order = tested[np.argsort(raw[tested], kind="stable")]
    steps = raw[order] * np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if order.size else steps
    return adjusted
