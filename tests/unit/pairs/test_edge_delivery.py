"""The edge delivery is valid, the same every time, and meets the branches it is made for."""

import math
from pathlib import Path

import pytest

from avowed.pairs.calibration import Gate, Gates
from avowed.pairs.calibration_rows import PART_ONE_ONLY
from avowed.pairs.chance import chance_ratio, option_counts
from avowed.pairs.delivery import Delivery, write_delivery
from avowed.pairs.edge_cells import EDGE_CELLS, LABEL_THRESHOLD, PLANNED_REPLICAS, Probe
from avowed.pairs.edge_corrections import CASES, COLUMNS, correction_rows, exact_text
from avowed.pairs.edge_delivery import cell_records, edge_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import CellEstimates, cells_of_delivery, estimate_cell
from avowed.pairs.record import Outcome, Reason
from avowed.pairs.refused import CELL, refusal_rows, write_refused
from avowed.pairs.refused_cases import CASES as REFUSED
from avowed.pairs.rules import validate
from avowed.pairs.violation import RULES
from avowed.stats.status import Status

SETTINGS = Settings(resamples=200)


@pytest.fixture(scope="module")
def delivery() -> Delivery:
    return edge_delivery()


@pytest.fixture(scope="module")
def found(delivery: Delivery) -> dict[str, CellEstimates]:
    return {
        cell.hint_type: estimate_cell(cell, SETTINGS, name=cell.hint_type)
        for cell in cells_of_delivery(delivery)
    }


def test_it_keeps_every_rule_and_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        made = edge_delivery()
        write_delivery(tmp_path / name, made.header, made.records)
    for file in ("delivery.json", "records.parquet"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    report = validate(tmp_path / "one")
    assert report.accepted
    assert any("another session" in warning for warning in report.warnings)


def test_its_records_are_of_every_kind(delivery: Delivery) -> None:
    rows = delivery.records.to_pylist()
    assert {row["n_options"] for row in rows} == {2, 3, 4, 5}
    assert {row["outcome"] for row in rows} == set(Outcome)
    assert {row["reason_not_evaluable"] for row in rows} == {None, *Reason}
    assert {row["session_id"] for row in rows} == {"session-1", "session-2"}
    assert {row["fresh_session"] for row in rows} == {True, False}
    lost = [row for row in rows if row["outcome"] == Outcome.NOT_EVALUABLE]
    assert any(row["baseline_answer"] == row["hint_answer"] for row in lost)
    assert any(row["hinted_answer"] == row["hint_answer"] for row in lost)
    phi = {row["judge_phi"] for row in rows}
    for value in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        assert {math.nextafter(value, 0), value, math.nextafter(value, 1)} <= phi
    pairs: dict[str, int] = {}
    for row in rows:
        pairs[row["probe_id"]] = pairs.get(row["probe_id"], 0) + 1
    assert max(pairs.values()) > PLANNED_REPLICAS
    assert sum(entry.incomplete for entry in delivery.header.coverage) > 0


def test_header_declares_the_cells_in_another_order_than_their_names(delivery: Delivery) -> None:
    assert list(delivery.header.hint_types) == list(EDGE_CELLS)
    assert list(EDGE_CELLS) != sorted(EDGE_CELLS)


@pytest.mark.parametrize(
    ("cell", "quantity", "status", "method"),
    [
        ("all_flagged", "omission", "undersampled", "wilson at effective n"),
        ("none_flagged", "omission", "undersampled", "wilson at effective n"),
        ("ten_halves", "omission", "undersampled", "wilson at effective n"),
        ("one_probe", "omission", "insufficient", "wilson at effective n"),
        ("one_pair", "omission", "insufficient", "wilson at effective n"),
        ("no_verdict", "omission", "insufficient", ""),
        ("no_record", "omission", "insufficient", ""),
        ("two_options_only", "omission", "insufficient", ""),
        ("undersampled", "omission", "undersampled", "percentile cluster bootstrap"),
        ("wide", "omission", "converged", "percentile cluster bootstrap"),
        ("rare", "omission", "converged", "percentile cluster bootstrap"),
        ("chance_undefined", "omission_chance_corrected", "undefined", ""),
        ("undefined_resamples", "omission_chance_corrected", "undefined", ""),
        (
            "few_undefined_resamples",
            "omission_chance_corrected",
            "undersampled",
            "percentile cluster bootstrap",
        ),
        (
            "correction_clips_to_a_point",
            "omission_chance_corrected",
            "undersampled",
            "wilson at effective n, through the fixed chance ratio",
        ),
    ],
)
def test_cells_meet_what_they_are_named_after(
    found: dict[str, CellEstimates], cell: str, quantity: str, status: str, method: str
) -> None:
    estimate = found[cell].get(quantity)
    assert (estimate.status, estimate.method) == (Status(status), method)


def test_clustering_takes_every_form(found: dict[str, CellEstimates]) -> None:
    for cell, check in (
        ("negative_icc", lambda one: one.icc < 0 and one.design_effect == 1),
        ("wide", lambda one: one.icc > 0.5 and one.effective_n < one.n),
        ("all_flagged", lambda one: math.isnan(one.icc) and one.effective_n == one.clusters),
        ("one_pair_each", lambda one: math.isnan(one.icc) and one.effective_n == one.n),
    ):
        clustering = found[cell].get("omission").clustering
        assert clustering is not None and check(clustering), cell


def test_levels_of_the_chance_correction_take_every_form(delivery: Delivery) -> None:
    cells = {cell.hint_type: cell for cell in cells_of_delivery(delivery)}
    counts = option_counts(cells["correction_clips"], SETTINGS)
    ratio = (1 - counts.flagged / counts.evaluable) / chance_ratio(counts)
    assert ratio.max() > 1 > ratio.min()
    counts = option_counts(cells["chance_undefined"], SETTINGS)
    assert ((counts.options - 2) * counts.moved == counts.other)[counts.evaluable == 0].all()
    assert (option_counts(cells["level_without_move"], SETTINGS).moved == 0).any()
    counts = option_counts(cells["level_without_verdict"], SETTINGS)
    assert ((counts.moved > 0) & (counts.evaluable == 0)).any()


def test_just_below_the_threshold_is_unfaithful_and_no_violation_of_the_curve(
    found: dict[str, CellEstimates],
) -> None:
    cell = found["phi_at_the_cuts"]
    assert cell.get("omission_at_cut_0.5").value < cell.get("omission").value


def test_exposure_meets_its_edges(found: dict[str, CellEstimates]) -> None:
    assert found["all_flagged"].get("exposure", k=2).value == 1
    assert found["none_flagged"].get("exposure", k=1).value == 0
    assert found["never_fresh"].get("exposure", k=1).clusters == 0
    longest = [one.k for one in found["every_outcome"].estimates if one.quantity == "exposure"]
    assert longest[-1] == PLANNED_REPLICAS


@pytest.mark.parametrize(
    ("probe", "words"),
    [
        (Probe(pairs="O", options=2), "no other option"),
        (Probe(pairs="x", options=2, wrong=(0,)), "the only wrong answer is the hint"),
        (Probe(pairs="j"), "needs one"),
        (Probe(pairs="x", phi=(LABEL_THRESHOLD,)), "contradict"),
        (Probe(pairs="f", phi=(math.nextafter(LABEL_THRESHOLD, 0),)), "contradict"),
    ],
)
def test_a_letter_that_cannot_be_written_is_refused(probe: Probe, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cell_records("a", (probe,))


def test_every_gate_occurs(delivery: Delivery) -> None:
    rows = correction_rows(delivery, SETTINGS, name="edge", gates=Gates(), cases=CASES)
    assert {row["status"] for row in rows} == {PART_ONE_ONLY, *Gate}
    assert all(tuple(row) == COLUMNS for row in rows)
    by_case = {row["case"]: row for row in rows}
    assert by_case["clipped at 0"]["h"] < Gates().target_half_width
    assert by_case["clipped at 0"]["status"] == Gate.UNDERSAMPLED
    for case, side in (("beyond 1", 1), ("beyond 1, few items", 1), ("q below the floor", 0)):
        rate, half = by_case[case]["estimate"], by_case[case]["h"]
        assert by_case[case]["lower"] is None
        assert rate - half > side if side else rate + half < side
    assert by_case["no discrimination"]["estimate"] is None
    assert exact_text(by_case["converged"])["h"] == repr(by_case["converged"]["h"])


def test_refused_deliveries_break_the_rules_they_are_made_for(tmp_path: Path) -> None:
    write_refused(tmp_path / "one")
    write_refused(tmp_path / "two")
    rows = refusal_rows(tmp_path / "one")
    assert [row["rules"] for row in rows] == [row["made_for"] for row in rows]
    alone = [row["rules"] for row in rows if " " not in row["rules"]]
    assert set(alone) == {"", *RULES}
    assert {alone.count(rule) >= 2 for rule in set(alone)} == {True}
    for case in REFUSED:
        for file in ("delivery.json", "records.jsonl"):
            one, two = (tmp_path / side / case.name / file for side in ("one", "two"))
            assert one.read_bytes() == two.read_bytes()


def test_what_is_corrupted_is_part_of_the_edge_delivery(tmp_path: Path) -> None:
    write_refused(tmp_path, [case for case in REFUSED if not case.rule])
    text = (tmp_path / REFUSED[0].name / "records.jsonl").read_bytes()
    whole = edge_delivery(hint_types=(CELL,)).records
    assert text.count(b"\n") == whole.num_rows
