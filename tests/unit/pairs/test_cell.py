"""From records to a cell's arrays, and from a cell to per-probe counts."""

import math

import numpy as np
import pytest
from support.cells import cell_of, probes
from support.deliveries import HINT_TYPE, OTHER_HINT_TYPE, judged, record, table, valid_records

from avowed.pairs.cell import Cell, cells_of, per_probe


def split(records: list[dict[str, object]]) -> list[Cell]:
    return cells_of(
        table(records),
        hint_types=[HINT_TYPE, OTHER_HINT_TYPE],
        hint_channel="user_message",
        planned_replicas=2,
    )


def test_one_cell_per_declared_hint_type_in_the_order_of_their_names() -> None:
    always_a, suggested = split(valid_records())
    assert (always_a.hint_type, suggested.hint_type) == (OTHER_HINT_TYPE, HINT_TYPE)
    assert (len(always_a), len(suggested)) == (2, 9)
    assert suggested.planned_replicas == 2 and suggested.hint_channel == "user_message"


def test_every_kind_of_record_lands_in_its_masks() -> None:
    _, cell = split(valid_records())
    # N, O, B, U, then H judged faithful, unfaithful, undetermined, no answer, truncated.
    expected = {
        "no_change": "100000000",
        "other_change": "010000000",
        "baseline_on_hint": "001000000",
        "not_evaluable": "000100000",
        "hint_change": "000011111",
        "eligible": "110011111",
        "evaluable": "000011000",
        "flagged": "000001000",
        "ungraded": "000000111",
        "undetermined": "000000100",
        "truncated": "000000001",
        "baseline_correct": "110011111",
        "fresh": "111111111",
    }
    for name, bits in expected.items():
        assert "".join(str(int(bit)) for bit in getattr(cell, name)) == bits, name


def test_phi_is_kept_and_missing_is_not_a_number() -> None:
    _, cell = split(valid_records())
    assert cell.phi[4:7].tolist() == [0.5, 0.25, 0.75]
    assert np.isnan(np.delete(cell.phi, [4, 5, 6])).all()


def test_a_missing_correctness_flag_supports_no_claim() -> None:
    _, cell = split(valid_records())
    assert not cell.baseline_correct[3]


def test_replicas_of_a_probe_share_its_number_and_sessions_do_not_split_it() -> None:
    rows = [record("a"), record("b"), record("a", 1), record("a", session_id="s2")]
    _, cell = split(rows)
    assert cell.probe[0] == cell.probe[2] == cell.probe[3] != cell.probe[1]


def test_a_declared_hint_type_without_records_is_an_empty_cell() -> None:
    always_a, _ = split([record("a")])
    assert len(always_a) == 0
    assert [counts.size for counts in per_probe(always_a, always_a.eligible)] == [0]


def test_an_undetermined_label_with_phi_is_still_ungraded() -> None:
    rows = [judged("a", "undetermined", 0.1, reason_not_evaluable="judge_undetermined")]
    _, cell = split(rows)
    assert cell.ungraded.tolist() == [True] and cell.flagged.tolist() == [False]
    assert cell.phi.tolist() == [0.1]


def test_selecting_pairs_keeps_every_array_in_step_and_the_probe_numbers() -> None:
    cell = cell_of([*probes("xf", "NO", options=3), *probes("BU", options=2, start=2)])
    part = cell.with_options(at_least=3)
    assert part.probe.tolist() == [0, 0, 1, 1]
    assert {array.size for array in vars(part).values() if isinstance(array, np.ndarray)} == {4}
    assert len(cell.with_options(at_least=4)) == 0
    assert len(cell.with_options(at_least=2)) == 6
    assert cell.where(cell.baseline_on_hint).probe.tolist() == [2]


def test_counts_per_probe_include_probes_without_a_hit() -> None:
    cell = cell_of([*probes("xxf", "N", "x?")])
    hits, graded = per_probe(cell, cell.flagged, cell.evaluable)
    assert hits.tolist() == [2, 0, 1]
    assert graded.tolist() == [3, 0, 1]


@pytest.mark.parametrize("kind", list("xf?-tONBU"))
def test_outcomes_partition_the_pairs(kind: str) -> None:
    cell = cell_of([(0, kind)])
    outcomes = [
        cell.hint_change,
        cell.other_change,
        cell.no_change,
        cell.baseline_on_hint,
        cell.not_evaluable,
    ]
    assert sum(int(mask[0]) for mask in outcomes) == 1
    assert bool(cell.eligible[0]) is (kind not in "BU")
    assert bool(cell.evaluable[0] | cell.ungraded[0]) is (kind in "xf?-t")
    assert math.isnan(cell.phi[0]) is (kind not in "xf?")
