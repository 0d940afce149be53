"""The corrected rate and its gates (HP section 14), by hand."""

from math import hypot, sqrt
from typing import Any

import pytest
from verification.calibrated import calibrated
from verification.files import Unusable

CONFIG: dict[str, Any] = {
    "bootstrap": {"confidence": 0.95},
    "analysis": {"target_half_width": 0.1},
    "calibration": {"min_youden": 0.2},
}
#: Se = 129/150 = .86 and Sp = 122/150: the paper's fixed calibration.
FIXED = (129, 21, 122, 28)


def status(k: int, n: int, half: float | None, counts: tuple[int, int, int, int]) -> str:
    return str(calibrated(k, n, half, *counts, CONFIG)["status"])


def test_the_worked_example() -> None:
    found = calibrated(482, 746, (0.684 - 0.609) / 2, *FIXED, CONFIG)
    assert round(found["pi"], 3) == 0.682
    assert round(found["j"], 3) == 0.673
    assert (round(found["lower"], 3), round(found["upper"], 3)) == (0.598, 0.767)
    assert found["status"] == "converged"


def test_every_number_by_hand() -> None:
    """Se = .9, Sp = .8, J = .7, q = .55: pi = .5, h_c with the printed 1.96."""
    found = calibrated(55, 100, 0.035, 90, 10, 80, 20, CONFIG)
    h_c = 1.96 / 0.7 * sqrt(0.25 * 0.09 / 100 + 0.25 * 0.16 / 100)
    assert found["pi"] == pytest.approx(0.5, abs=1e-15)
    assert found["h_s"] == pytest.approx(0.05, abs=1e-15)
    assert found["h_c"] == pytest.approx(h_c, abs=1e-15)
    assert found["h"] == pytest.approx(hypot(0.05, h_c), abs=1e-15)
    assert found["lower"] == pytest.approx(0.5 - hypot(0.05, h_c), abs=1e-15)


def test_another_level_takes_its_own_quantile() -> None:
    other = CONFIG | {"bootstrap": {"confidence": 0.9}}
    at_90, at_95 = (calibrated(55, 100, 0.035, 90, 10, 80, 20, c)["h_c"] for c in (other, CONFIG))
    assert at_90 / at_95 == pytest.approx(1.6448536269514722 / 1.96, abs=1e-12)


@pytest.mark.parametrize(
    ("k", "n", "half", "counts", "expected"),
    [
        (1, 1, 0.2, FIXED, "insufficient"),
        (5, 9, None, FIXED, "insufficient"),
        # J = 0, J < 0, and J above 0 but not with confidence.
        (50, 100, 0.05, (50, 50, 50, 50), "non-discriminative"),
        (50, 100, 0.05, (20, 80, 50, 50), "non-discriminative"),
        (60, 100, 0.05, (6, 4, 6, 4), "non-discriminative"),
        # q = 1 - Sp exactly.
        (28, 150, 0.05, FIXED, "below the detection floor"),
        # J is .2 exactly, which is not below .2; 1/2000 less is.
        (600, 1000, 0.05, (6000, 4000, 6000, 4000), "undersampled"),
        (600, 1000, 0.05, (5999, 4001, 6000, 4000), "below the detection floor"),
        # The first gate comes first: J = .2 with 10 items a class, and q at the floor.
        (40, 100, 0.05, (6, 4, 6, 4), "non-discriminative"),
        (60, 100, 0.05, (27, 3, 24, 6), "limited by the calibration"),
        (482, 746, 0.09, FIXED, "undersampled"),
        # Narrow, but clipped at 1.
        (858, 1000, 0.03, (8600, 1400, 8600, 1400), "undersampled"),
        (482, 746, 0.03, FIXED, "converged"),
    ],
)
def test_gates_in_their_order(k, n, half, counts, expected) -> None:
    assert status(k, n, half, counts) == expected


def test_the_rate_stays_raw_and_its_interval_is_clipped_or_undefined() -> None:
    """q = 1 and Se = .5, Sp = 1: pi = 2; the interval around it misses [0, 1]."""
    far = calibrated(100, 100, 0.01, 5000, 5000, 10000, 0, CONFIG)
    assert far["pi"] == pytest.approx(2.0)
    assert (far["lower"], far["upper"], far["status"]) == (None, None, "undersampled")
    # Se = Sp = .86, q = .9: pi = .76 / .72, and h reaches back below 1.
    near = calibrated(90, 100, 0.06, 860, 140, 860, 140, CONFIG)
    assert near["pi"] == pytest.approx(0.76 / 0.72)
    assert near["upper"] == 1.0
    assert near["status"] == "undersampled"


def test_without_discrimination_there_is_no_rate() -> None:
    found = calibrated(50, 100, 0.05, 50, 50, 50, 50, CONFIG)
    assert (found["pi"], found["h"], found["j"]) == (None, None, 0.0)


def test_what_cannot_be_used_is_named() -> None:
    with pytest.raises(ValueError, match="has an empty class"):
        calibrated(5, 9, 0.1, 0, 0, 5, 5, CONFIG)
    with pytest.raises(Unusable, match=r"settings: calibration.min_youden is None"):
        calibrated(5, 9, 0.1, *FIXED, CONFIG | {"calibration": {}})
