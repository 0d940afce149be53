"""The floor that a noise model implies."""

from fractions import Fraction

import pytest

from avowed.factors.expected_floor import expected_floor


@pytest.mark.parametrize("decisions", [2, 5, 13])
@pytest.mark.parametrize("noise", [0.0, 0.05, 0.3, 1.0])
def test_two_calls_listed_one_by_one(noise: float, decisions: int) -> None:
    d = Fraction(noise)
    law = [1 - d] + [d / (decisions - 1)] * (decisions - 1)
    differ = sum(a * b for i, a in enumerate(law) for j, b in enumerate(law) if i != j)
    assert expected_floor(noise, decisions) == pytest.approx(float(differ), abs=1e-12)


@pytest.mark.parametrize(("noise", "decisions"), [(-0.1, 5), (1.1, 5), (float("nan"), 5), (0.1, 1)])
def test_refuses_what_is_no_noise_model(noise: float, decisions: int) -> None:
    with pytest.raises(ValueError, match=r"it must be in|at least two"):
        expected_floor(noise, decisions)
