"""Missing, unequal and stale replicas, sessions, and the length of the exposure curve."""

import pytest
from support.deliveries import record
from support.doctor import Row, cell, codes

from avowed.pairs.doctor import coverage


def planned(probes: int, count: int, **more: object) -> list[Row]:
    return [record(f"p{n}", replica, **more) for n in range(probes) for replica in range(count)]


def test_missing_replicas() -> None:
    rows = planned(10, 4)
    assert coverage.missing_replicas(cell(rows)) == []
    found = coverage.missing_replicas(cell(rows[:-2]))
    assert codes(found) == [("missing_replicas", "note")]
    assert found[0].numbers == {"missing": 2, "n": 40, "probes": 10}
    assert codes(coverage.missing_replicas(cell(rows[:-3]))) == [("missing_replicas", "thin")]


def test_a_replica_in_two_sessions_is_not_two_of_the_plan() -> None:
    rows = planned(10, 2)
    again = [row | {"session_id": "s2"} for row in rows[:3]]
    found = coverage.two_sessions(cell([*rows, *again]))
    assert codes(found) == [("two_sessions", "thin")]
    assert found[0].numbers == {"repeated": 3, "n": 20}
    assert coverage.two_sessions(cell(rows)) == []
    assert coverage.missing_replicas(cell([*rows, *again])) == []


def test_incomplete_pairs() -> None:
    assert coverage.incomplete_pairs(cell(planned(19, 1))) == []
    found = coverage.incomplete_pairs(cell(planned(19, 1), incomplete=1))
    assert codes(found) == [("incomplete_pairs", "note")]
    assert found[0].numbers == {"incomplete": 1, "n": 20}
    assert codes(coverage.incomplete_pairs(cell(planned(18, 1), incomplete=1))) == [
        ("incomplete_pairs", "thin")
    ]


def test_unbalanced_replicas() -> None:
    rows = planned(5, 4)
    assert coverage.unbalanced_replicas(cell(rows[:-1])) == []
    found = coverage.unbalanced_replicas(cell(rows[:-2]))
    assert codes(found) == [("unbalanced_replicas", "note")]
    assert found[0].numbers == {"least": 2, "most": 4, "probes": 5}


def test_replicas_that_were_not_fresh() -> None:
    rows = planned(5, 4)
    assert coverage.not_fresh(cell(rows)) == []
    rows[0]["fresh_session"] = rows[1]["fresh_session"] = rows[7]["fresh_session"] = False
    found = coverage.not_fresh(cell(rows))
    assert codes(found) == [("not_fresh", "thin")]
    assert found[0].numbers == {"stale": 3, "n": 20, "probes_left_out": 2}


@pytest.mark.parametrize(("replicas", "short"), [(1, True), (3, True), (4, False)])
def test_a_curve_of_one_attempt(replicas: int, short: bool) -> None:
    found = coverage.exposure_length(cell(planned(45, replicas)))
    assert codes(found) == ([("exposure_short", "note")] if short else [])


def test_a_curve_on_few_probes() -> None:
    found = coverage.exposure_length(cell(planned(39, 4)))
    assert codes(found) == [("exposure_few_probes", "thin")]
    assert found[0].numbers == {"k": 2, "usable": 39, "n": 39}
    # 40 probes have two replicas, and another 41 have one.
    few = [*planned(40, 4), *(record(f"q{n}") for n in range(41))]
    assert codes(coverage.exposure_length(cell(few))) == [("exposure_few_probes", "thin")]
    assert coverage.exposure_length(cell(few[:-1])) == []
    assert coverage.exposure_length(cell(planned(9, 4, n_options=2, hint_answer=1))) == []
