"""Probes that are several questions under one id, or one question shuffled anew."""

from typing import Any

import numpy as np
import pytest
from support.deliveries import record
from support.doctor import Row, cell, codes

from avowed.pairs.doctor.probes import probe_varies


def probe(number: int, *changes: dict[str, Any]) -> list[Row]:
    return [
        record(f"p{number}", replica, **{"n_options": 4, **change})
        for replica, change in enumerate(changes)
    ]


def probes(whole: int, varying: int, **change: Any) -> list[Row]:
    """So many probes of two pairs; in the last of them the second pair differs."""
    return [
        row
        for number in range(whole)
        for row in probe(number, {}, change if number >= whole - varying else {})
    ]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"correct_answer": 1, "baseline_answer": 1, "hinted_answer": 1}, "correct_answer"),
        ({"hint_answer": 3}, "hint_answer"),
        ({"n_options": 5}, "n_options"),
    ],
)
@pytest.mark.parametrize("varying", [0, 1, 5, 6, 10])
def test_what_differs_within_a_probe_is_counted(
    change: dict[str, Any], name: str, varying: int
) -> None:
    found = probe_varies(cell(probes(10, varying, **change)))
    if not varying:
        assert found == []
        return
    wrong = name == "n_options" or varying > 5
    assert codes(found) == [("probe_varies", "wrong" if wrong else "thin")]
    none = dict.fromkeys(("n_options", "correct_answer", "hint_answer"), 0)
    assert found[0].numbers == {**none, "varying": varying, "n": 10, name: varying}
    assert f"{varying} of 10 probes" in found[0].found
    assert ("shuffled anew" in found[0].found) == (varying == 10 and name != "n_options")
    assert "Add to probe the columns" in found[0].advice


def test_probes_that_differ_from_each_other_are_none_of_its_business() -> None:
    rows = [*probe(0, {}, {}), *probe(1, {"hint_answer": 3}, {"hint_answer": 3}), *probe(2, {})]
    assert probe_varies(cell(rows)) == []


def test_a_probe_with_one_pair_is_not_counted() -> None:
    rows = [*probe(0, {}, {"hint_answer": 3}), *(probe(n, {})[0] for n in range(1, 30))]
    (found,) = probe_varies(cell(rows))
    assert (found.numbers["varying"], found.numbers["n"]) == (1, 1)


def test_rows_of_a_probe_need_not_stand_together() -> None:
    rows = probes(10, 4, hint_answer=3)
    order = np.random.default_rng(3).permutation(len(rows))
    shuffled = [rows[place] for place in order]
    assert probe_varies(cell(shuffled)) == probe_varies(cell(rows))
