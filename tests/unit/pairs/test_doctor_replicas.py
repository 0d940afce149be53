"""Copied replicas, shared baselines, reused halves: what triggers a check and what does not."""

from typing import Any

import numpy as np
import pytest
from support.deliveries import OTHER_HINT_TYPE
from support.doctor import Row, answered, cell, cells, codes, delivery_of

from avowed.pairs.doctor import halves, replicas
from avowed.pairs.doctor.examined import constant_within, joined


def drawn(probes: int, count: int, *, seed: int = 5) -> list[Row]:
    """Replicas whose hinted answer and phi are drawn anew; the unhinted answer now and then."""
    rng = np.random.default_rng(seed)
    return [
        answered(
            f"p{n}",
            int(rng.random() < 0.3),
            2 if rng.random() < 0.6 else 0,
            replica=replica,
            judge_phi=round(float(rng.random()) / 2.1, 6),
        )
        for n in range(probes)
        for replica in range(count)
    ]


def copied(rows: list[Row], *, onto: set[int], probes: set[str] | None = None) -> list[Row]:
    """The same records with replica 0 of a probe in the place of others."""
    first = {row["probe_id"]: row for row in rows if row["replica"] == 0}
    own = ("replica", "baseline_half_id", "hinted_half_id", "hinted_conversation")
    return [
        {**first[row["probe_id"]], **{name: row[name] for name in own}}
        if row["replica"] in onto and (probes is None or row["probe_id"] in probes)
        else row
        for row in rows
    ]


def test_replicas_drawn_anew_are_no_copies() -> None:
    found = cell(drawn(40, 4))
    assert replicas.replica_copies(found) == []
    assert replicas.replicas_repeat(found) == []
    assert replicas.shared_baseline(found) == []


def test_all_replicas_alike() -> None:
    found = replicas.replica_copies(cell(copied(drawn(40, 3), onto={1, 2})))
    assert codes(found) == [("replica_copies", "wrong")]
    assert found[0].numbers == {"probes": 40}
    assert replicas.replica_copies(cell(copied(drawn(9, 3), onto={1, 2}))) == []


def test_all_replicas_alike_without_a_move_is_thin() -> None:
    rows = [answered(f"p{n}", n % 2, n % 2, replica=r) for n in range(20) for r in range(2)]
    assert codes(replicas.replica_copies(cell(rows))) == [("replica_copies", "thin")]


def test_one_replica_that_is_a_copy_is_named() -> None:
    found = replicas.replica_copies(cell(copied(drawn(40, 4), onto={3})))
    assert codes(found) == [("replica_copies", "wrong")]
    assert found[0].found.startswith("replicas 0 and 3 agree")
    assert found[0].numbers["copied"] == 1


def test_agreement_that_chance_allows_is_no_copy() -> None:
    # Nothing moves and answers hardly vary: ten probes agree by chance between two of three.
    rows = [
        answered(f"p{n}", 0, int(r == 2 and n == 0), replica=r) for n in range(10) for r in range(3)
    ]
    compared = replicas.agreements(cell(rows))
    assert [(each.first, each.second, each.agree) for each in compared] == [
        (0, 1, 10),
        (0, 2, 9),
        (1, 2, 9),
    ]
    assert replicas.UNLIKELY < 0.9**10
    assert replicas.replica_copies(cell(rows)) == []


def test_more_than_twelve_replicas_are_compared_with_neighbours_and_the_first() -> None:
    compared = replicas.agreements(cell(drawn(10, 14)))
    assert len(compared) == 13 + 12
    found = replicas.replica_copies(cell(copied(drawn(20, 14), onto={9})))
    assert codes(found) == [("replica_copies", "wrong")]


def test_probes_that_were_copied_show_in_repeated_verdicts() -> None:
    rows = drawn(40, 4)
    some = {f"p{n}" for n in range(12)}
    found = replicas.replicas_repeat(cell(copied(rows, onto={1, 2, 3}, probes=some)))
    assert codes(found) == [("replicas_repeat", "thin")]
    # The pairs of verdicts within a probe, counted one by one.
    judged = [row for row in copied(rows, onto={1, 2, 3}, probes=some) if row["judge_label"]]
    pairs = [
        (one["judge_phi"] == two["judge_phi"])
        for place, one in enumerate(judged)
        for two in judged[place + 1 :]
        if one["probe_id"] == two["probe_id"]
    ]
    assert found[0].numbers["n"] == len(pairs) and found[0].numbers["repeated"] == sum(pairs)
    most = {f"p{n}" for n in range(30)}
    assert codes(replicas.replicas_repeat(cell(copied(rows, onto={1, 2, 3}, probes=most)))) == [
        ("replicas_repeat", "wrong")
    ]


def test_a_coarse_phi_tells_no_repetition() -> None:
    rows = [row | {"judge_phi": 0.25} if row["judge_label"] else row for row in drawn(40, 4)]
    assert replicas.replicas_repeat(cell(rows)) == []


@pytest.mark.parametrize("name", ["baseline_half_id", "baseline_conversation"])
def test_a_shared_baseline_is_told_by_its_id(name: str) -> None:
    rows = [row | {name: row["probe_id"]} for row in drawn(12, 3)]
    found = replicas.shared_baseline(cell(rows))
    assert codes(found) == [("shared_baseline", "thin")]
    assert found[0].numbers == {"shared": 12, "n": 12} and name in found[0].found


def test_a_shared_baseline_is_told_by_answers_that_never_differ() -> None:
    rows = drawn(30, 3)
    same = [
        answered(row["probe_id"], 0, row["hinted_answer"], replica=row["replica"]) for row in rows
    ]
    found = replicas.shared_baseline(cell(same))
    assert codes(found) == [("shared_baseline", "thin")]
    share = found[0].numbers["hinted_stable"]
    assert 0 < share < 1 and share**30 < replicas.UNLIKELY
    assert replicas.shared_baseline(cell(rows)) == []


def test_a_hinted_half_in_several_replicas() -> None:
    rows = drawn(6, 3)
    assert halves.reused_halves(delivery_of(rows).records) == []
    rows[1] = rows[1] | {"hinted_half_id": rows[0]["hinted_half_id"]}
    found = halves.reused_halves(delivery_of(rows).records)
    assert codes(found) == [("hinted_half_reused", "wrong")]
    assert found[0].numbers == {"reused": 1, "records": 2}
    assert '"p0/0/hinted" in row 1' in found[0].found


def test_one_conversation_under_two_probe_ids() -> None:
    rows = drawn(6, 3)
    rows[5] = rows[5] | {"hinted_conversation": rows[0]["hinted_conversation"]}
    found = halves.reused_halves(delivery_of(rows).records)
    assert codes(found) == [("duplicate_probes", "wrong")]
    assert "of several probe ids share hinted_conversation" in found[0].found


def test_a_file_of_all_conversations_tells_nothing() -> None:
    rows = [row | {"hinted_conversation": "all.log"} for row in drawn(6, 3)]
    assert codes(halves.reused_halves(delivery_of(rows).records)) == [
        ("reference_not_specific", "note")
    ]


def test_one_unhinted_half_for_several_probes() -> None:
    rows = drawn(10, 1)
    assert halves.baseline_across_probes(cell(rows)) == []
    rows[3] = rows[3] | {"baseline_half_id": rows[4]["baseline_half_id"]}
    found = halves.baseline_across_probes(cell(rows))
    assert codes(found) == [("baseline_across_probes", "thin")]
    assert found[0].numbers == {"shared": 1, "pairs": 2}
    # Another hint about the same question is another cell, and may share it.
    rows[3] = rows[3] | {"hint_type": OTHER_HINT_TYPE}
    assert [halves.baseline_across_probes(each) for each in cells(rows)] == [[], []]


def test_rows_are_joined_as_tuples_are() -> None:
    rng = np.random.default_rng(3)
    columns = [rng.integers(-1, 4, 200) for _ in range(3)]
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    found = joined(columns).tolist()
    pairs: dict[Any, int] = {}
    for row, code in zip(rows, found, strict=True):
        assert pairs.setdefault(row, code) == code
    assert len(set(found)) == len(pairs) == len(set(pairs.values()))


def test_constant_within_counts_groups() -> None:
    same, size = constant_within(np.array([0, 1, 1, 2]), np.array([-1, 3, 3, 0]))
    assert same.tolist() == [True, True, True] and size.tolist() == [1, 2, 1]
