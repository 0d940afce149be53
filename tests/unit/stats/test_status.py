"""When an estimate is sufficient, and when it is precise enough."""

import math

import pytest

from avowed.stats.intervals import UNDEFINED, Interval
from avowed.stats.status import Status, status_of

WIDE = Interval(0.2, 0.6, "percentile")
NARROW = Interval(0.4, 0.5, "percentile")


@pytest.mark.parametrize(
    ("interval", "n", "clusters", "status"),
    [
        (NARROW, 1, 1, Status.INSUFFICIENT),
        (NARROW, 50, 1, Status.INSUFFICIENT),
        (WIDE, 50, 1, Status.INSUFFICIENT),
        (UNDEFINED, 0, 0, Status.INSUFFICIENT),
        (NARROW, 2, 2, Status.CONVERGED),
        (WIDE, 2, 2, Status.UNDERSAMPLED),
        (UNDEFINED, 2, 2, Status.UNDEFINED),
    ],
)
def test_insufficient_comes_before_the_width(
    interval: Interval, n: int, clusters: int, status: Status
) -> None:
    assert status_of(interval, n=n, clusters=clusters, target_half_width=0.1) is status


def test_a_half_width_equal_to_the_target_does_not_exceed_it() -> None:
    # Quarters are exact in binary: (0.75 - 0.25) / 2 is 0.25.
    exact = Interval(0.25, 0.75, "percentile")
    above = Interval(0.25, math.nextafter(0.75, 1), "percentile")
    assert status_of(exact, n=9, clusters=9, target_half_width=0.25) is Status.CONVERGED
    assert status_of(above, n=9, clusters=9, target_half_width=0.25) is Status.UNDERSAMPLED
