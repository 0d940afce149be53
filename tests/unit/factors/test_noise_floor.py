"""PN of "nothing changed", and PN beside it."""

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.noise_floor import above_floor, floor_counts, noise_floor
from avowed.factors.scores import necessity

ONE = component_of(
    pn=[[1, 2 / 3], [1 / 3, None], [1, 1], [1, 1]],
    cited=["ab"] * 4,
    repeats=[[1, 0, 0], [0, -1, 0], [-1, -1, -1], [1, 1, 1]],
    unusable=[3],
)


def test_the_floor_is_the_share_of_valid_repeats_that_differ() -> None:
    changed, valid = floor_counts(ONE)
    assert changed.tolist() == [1, 0, 0, 0] and valid.tolist() == [3, 2, 0, 0]
    assert noise_floor(ONE)[:2].tolist() == [1 / 3, 0.0]
    assert np.isnan(noise_floor(ONE)[2:]).all()


def test_necessity_above_the_floor_is_paired_by_input() -> None:
    gap = above_floor(ONE, necessity(ONE, "blank"))
    assert gap[0].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert gap[1, 0] == pytest.approx(1 / 3) and np.isnan(gap[1, 1])
    assert np.isnan(gap[2:]).all()
