"""The chance correction against worked tables in exact fractions and the paper's worked example.

Where the numbers come from: the tables are made up and corrected with pencil and paper, each step
in a comment; every number is a fraction, so nothing is lost to rounding. The last test takes from
section 16.2 of the paper what it prints for its worked example: omission 482/746 with interval
[0.609, 0.684], corrected 0.611 with interval [0.570, 0.654].
"""

from fractions import Fraction

import numpy as np
import pytest
from support.cells import cell_of, probes

from avowed.pairs.chance import OptionCounts, chance_corrected_omission, corrected_omission
from avowed.pairs.estimate import Settings


def test_two_numbers_of_options_by_hand() -> None:
    # L = 3: N_H = 12 (3 faithful, 6 flagged, 3 ungraded), N_O = 4, N_N = 8, so N_E = 24,
    #   p = 1/2, q = 1/6, F = 1/3, F* = (1/3) / (1 - (1/6) / (1 * 1/2)) = (1/3) / (2/3) = 1/2.
    # L = 5: N_H = 6 (1 faithful, 4 flagged, 1 ungraded), N_O = 9, N_N = 5, so N_E = 20,
    #   p = 3/10, q = 9/20, F = 1/5, F* = (1/5) / (1 - (9/20) / (3 * 3/10)) = (1/5) / (1/2) = 2/5.
    # Combined with weights 12 and 6: F* = (12 * 1/2 + 6 * 2/5) / 18 = 7/15; omission 8/15.
    three = probes(*("fff" + "xxxxxx" + "?-t" + "OOOO" + "N" * 8), options=3)
    five = probes(*("f" + "xxxx" + "?" + "O" * 9 + "N" * 5), options=5, start=50)
    found = chance_corrected_omission(cell_of([*three, *five]), Settings(resamples=100))
    assert found.value == pytest.approx(float(Fraction(8, 15)), abs=1e-15)
    assert found.n == 14


def test_a_level_that_clips_by_hand() -> None:
    # L = 3: N_H = 4 (3 faithful, 1 flagged), N_O = 2: F = 3/4, ratio 1/2, F* = 3/2 -> 1.
    # L = 4: N_H = 8 (2 faithful, 6 flagged), N_O = 4: F = 1/4, ratio 1 - 4/(2*8) = 3/4, F* = 1/3.
    # Combined: (4 * 1 + 8 * 1/3) / 12 = 5/9; omission 4/9. (Clipped afterwards: 7/18.)
    three = probes(*"fffx", *"OO", options=3)
    four = probes(*"ffxxxxxx", *"OOOO", start=50)
    found = chance_corrected_omission(cell_of([*three, *four]), Settings(resamples=100))
    assert found.value == pytest.approx(float(Fraction(4, 9)), abs=1e-15)


def test_an_interval_mapped_through_the_fixed_ratio_as_in_the_worked_example() -> None:
    # 1 - F/ratio = 0.611 for F = 264/746 gives the ratio, which carries the printed interval of q
    # to [0.570, 0.653]; the paper's own is a bootstrap and reads [0.570, 0.654].
    ratio = (264 / 746) / (1 - 0.611)
    other = (1 - ratio) * 2 * 746
    numbers = (np.array([float(x)]) for x in (746, other, 746, 482))
    counts = OptionCounts(np.array([4]), *numbers)
    assert float(corrected_omission(counts)) == pytest.approx(0.611, abs=1e-12)
    ends = [float(corrected_omission(counts, faithful_share=1 - end)) for end in (0.609, 0.684)]
    # Three printed numbers, each rounded by up to .0005: the end of q counts 1/ratio = 1.1 times,
    # 0.611 counts .316/.354 = 0.9 times, the printed end itself once.
    assert ends == pytest.approx([0.570, 0.654], abs=0.0015)
