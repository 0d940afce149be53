"""What a plan adds to be on the safe side: nothing to the variance with one replica."""

import pytest

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design
from avowed.pairs.planning.correction import Correction
from avowed.pairs.planning.size import Planner
from avowed.stats.misclassification import Accuracy

ACCURACY = Accuracy(tp=129, fn=21, tn=122, fp=28)


@pytest.mark.parametrize("rate", [0.5, 0.8])
@pytest.mark.parametrize("calibrated", [False, True])
def test_one_replica_has_no_margin_on_the_variance(rate: float, calibrated: bool) -> None:
    """A probe of one pair cannot omit less for moving more often; one of two can."""
    for replicas in (1, 2):
        design = Design(
            assumed=Assumptions(susceptibility=0.3, expected_omission=rate),
            replicas=replicas,
            correction=Correction(accuracy=ACCURACY, rate=rate) if calibrated else None,
        )
        planner = Planner(design=design, law=design.law())
        probes = planner.size_for(0.12).analysed
        assert planner.reached_with(probes, 0.12) >= 0.9
        assert planner.reached_with(probes - 1, 0.12) < 0.9
        by_law = planner.reached_with(probes, 0.12, cautious=False)
        assert (by_law > 0.925) == (replicas > 1)
