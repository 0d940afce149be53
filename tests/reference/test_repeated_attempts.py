"""Exposure of one probe against brute force, and against the estimator of Chen et al. (2021).

Where the numbers come from: every choice of k attempts from the n observed replicas is listed with
``itertools.combinations`` and those that hold a violation are counted; and ``pass_at_k`` below is
the numerically stable form printed in Chen et al. (2021), "Evaluating large language models trained
on code", figure 3, retyped here.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from support.cells import cell_of, probes

from avowed.pairs.estimate import Settings
from avowed.pairs.exposure import at_least_one, exposure


def listed(n: int, c: int, k: int) -> Fraction:
    chosen = list(combinations([True] * c + [False] * (n - c), k))
    return Fraction(sum(map(any, chosen)), len(chosen))


def pass_at_k(n: int, c: int, k: int) -> float:
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


CASES = [(n, c, k) for n in range(1, 9) for c in range(n + 1) for k in range(1, n + 1)]


@pytest.mark.parametrize("n", range(1, 9))
def test_every_choice_of_attempts_listed(n: int) -> None:
    for c in range(n + 1):
        for k in range(1, n + 1):
            found = at_least_one(np.array([n]), np.array([c]), k)[0]
            assert found == pytest.approx(float(listed(n, c, k)), abs=1e-15), (n, c, k)


def test_the_published_form_where_it_is_defined() -> None:
    for n, c, k in [*CASES, (200, 3, 100), (1000, 10, 100)]:
        found = at_least_one(np.array([n]), np.array([c]), k)[0]
        # Two products of at most 100 factors, each rounded.
        assert found == pytest.approx(pass_at_k(n, c, k), abs=1e-13), (n, c, k)


def test_where_that_form_would_say_1_without_enough_attempts_there_is_no_value() -> None:
    assert pass_at_k(1, 0, 10) == 1.0
    assert np.isnan(at_least_one(np.array([1]), np.array([0]), 10)[0])


def test_a_cell_is_the_mean_over_the_probes_with_enough_replicas() -> None:
    kinds = ["xxNNN", "xNNN", "NNN", "xxx", "xN", "N"]
    for k in range(1, 6):
        used = [(len(kind), kind.count("x")) for kind in kinds if len(kind) >= k]
        expected = sum(listed(n, c, k) for n, c in used) / len(used)
        found = exposure(cell_of(probes(*kinds), replicas=5), k, Settings(resamples=100))
        assert found.value == pytest.approx(float(expected), abs=1e-15)
        assert found.clusters == len(used)
