"""Two bootstraps of one statistic agree within the error that one of them states."""

from random import Random

import pytest
from verification.bootstrap import percentile, tolerance


@pytest.mark.parametrize("resamples", [100, 400, 2000])
def test_two_bootstraps_of_the_same_statistic_agree(resamples: int) -> None:
    """Skewed and discrete statistics alike; fewer resamples widen the tolerance."""
    random = Random(3)
    apart = 0
    for trial in range(300 if resamples < 2000 else 60):
        ours, theirs = (
            percentile(
                [
                    random.gammavariate(3, 1) if trial % 2 else random.choice(range(50, 60)) / 60
                    for _ in range(resamples)
                ],
                0.95,
            )
            for _ in range(2)
        )
        for end in ("lower", "upper"):
            allowed = tolerance(getattr(ours, f"{end}_error"), getattr(ours, f"{end}_step"))
            apart += abs(getattr(ours, end) - getattr(theirs, end)) > allowed
    assert apart == 0
