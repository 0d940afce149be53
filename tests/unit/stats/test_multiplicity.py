"""Holm's adjustment against statsmodels, and what was not tested."""

import math

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from avowed.stats.multiplicity import holm


@pytest.mark.parametrize("seed", range(20))
def test_holm_against_statsmodels(seed: int) -> None:
    rng = np.random.default_rng([20, seed, 0, 0])
    p = np.round(rng.random(int(rng.integers(1, 19))) ** 3, 2)  # rounded, so that ties occur
    assert holm(p).tolist() == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-15)


def test_holm_leaves_out_what_was_not_tested() -> None:
    adjusted = holm([0.01, math.nan, 0.04])
    assert adjusted[[0, 2]].tolist() == holm([0.01, 0.04]).tolist()
    assert math.isnan(adjusted[1])
    assert np.isnan(holm([math.nan])).all() and holm([]).size == 0
