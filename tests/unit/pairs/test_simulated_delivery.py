"""A simulated delivery keeps every rule, reads back as the simulated cell, and knows its truth."""

import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pytest
import yaml

from avowed.pairs import simulated_delivery as module
from avowed.pairs.cell import Cell, cells_of
from avowed.pairs.delivery import Delivery, RecordFormat, read_delivery, write_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.omission import conditional_omission
from avowed.pairs.rules import validate
from avowed.pairs.simulate import (
    BetaLaw,
    Design,
    cell_of_simulated,
    design_of,
    realised_omission,
    simulate,
)
from avowed.pairs.simulated_delivery import (
    OWN_FILES,
    check_folder,
    delivery_of_simulated,
    exposure_attempts,
    joined,
    label_threshold,
    simulated_delivery,
    simulated_judge,
    truth_of,
    write_simulated,
)
from avowed.pairs.studies.cells import StudyCell
from avowed.pairs.truth import exposure_truth, judging, population
from avowed.refusal import Unusable
from avowed.stats.seeds import generator

REPOSITORY = Path(__file__).parents[3]
CONFIG = yaml.safe_load((REPOSITORY / "config.yaml").read_text(encoding="utf-8"))["simulation"]
DESIGN = replace(design_of(CONFIG, "type_1"), probes=60, replicas=3)
# Many failures, so that every kind of record is there.
HARD = replace(
    DESIGN,
    options=5,
    two_option_share=0.5,
    judge=replace(DESIGN.judge, failed=0.3, undetermined=0.3),
)
DESIGNS = {
    "type_1": DESIGN,
    "hard": HARD,
    "perfect": HARD.with_perfect_judge(),
    "another cut": replace(DESIGN, judge=replace(DESIGN.judge, cut=0.7)),
    "one probe": DESIGN.with_probes(1),
    "two options": replace(DESIGN, two_option_share=1.0),
}


def made(design: Design, seed: int = 1) -> tuple[Delivery, Cell]:
    pairs = simulate(design, np.random.default_rng(seed))
    delivery = delivery_of_simulated(
        pairs, design, hint_type="mine", rng=np.random.default_rng(seed + 1)
    )
    return delivery, cell_of_simulated(pairs, hint_type="mine")


def cells_by_type(delivery: Delivery) -> dict[str, Cell]:
    found = cells_of(
        delivery.records,
        hint_types=delivery.header.hint_types,
        hint_channel=delivery.header.hint_channel,
        planned_replicas=delivery.header.planned_replicas,
    )
    return {cell.hint_type: cell for cell in found}


def assert_same(ours: Cell, theirs: Cell) -> None:
    for field in fields(Cell):
        one, other = getattr(ours, field.name), getattr(theirs, field.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype, field.name
            np.testing.assert_array_equal(one, other, err_msg=field.name)
        else:
            assert one == other, field.name


def two_cells() -> list[StudyCell]:
    return [StudyCell(name, design_of(CONFIG, name).with_probes(20)) for name in ("b", "a")]


@pytest.fixture(autouse=True)
def _two_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint types of `two_cells`, in an order that is not that of the alphabet."""
    types = CONFIG["hint_types"]
    monkeypatch.setitem(types, "b", types["type_1"])
    monkeypatch.setitem(types, "a", types["type_2"])


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_it_is_accepted_and_reads_back_as_the_simulated_cell(
    tmp_path: Path, name: str, format: RecordFormat
) -> None:
    delivery, cell = made(DESIGNS[name])
    write_delivery(tmp_path / "d", delivery.header, delivery.records, format=format)
    report = validate(tmp_path / "d")
    assert report.accepted and list(report.violations) == [] and report.warnings == ()
    assert report.records == DESIGNS[name].probes * DESIGNS[name].replicas
    read = read_delivery(tmp_path / "d")
    assert read.header == delivery.header
    assert_same(cells_by_type(read)["mine"], cell)


def test_every_kind_of_record_is_there() -> None:
    records = made(HARD)[0].records
    for name, count in (("outcome", 4), ("judge_label", 4), ("reason_not_evaluable", 3)):
        assert len(records.column(name).unique()) == count, name
    undetermined = records.filter(pc.equal(records.column("judge_label"), "undetermined"))
    assert undetermined.column("judge_phi").null_count == 0
    assert records.column("judge_evidence").null_count == len(records)
    assert set(records.column("fresh_session").to_pylist()) == {True}
    assert len(records.column("session_id").unique()) == len(records)


def test_options_are_numbered_anew_in_every_probe() -> None:
    rows = made(HARD)[0].records.to_pylist()
    by_probe: dict[str, set[tuple[int, int]]] = {}
    for row in rows:
        key = (row["correct_answer"], row["hint_answer"])
        by_probe.setdefault(row["probe_id"], set()).add(key)
        assert all(0 <= answer < row["n_options"] for answer in key)
    assert all(len(keys) == 1 for keys in by_probe.values())
    assert len(set().union(*by_probe.values())) > 10


def test_each_numbering_is_as_likely_as_the_others() -> None:
    design = replace(DESIGN, probes=6000, replicas=1, two_option_share=0.0, options=3)
    records = made(design)[0].records
    keys = zip(
        records.column("correct_answer").to_pylist(),
        records.column("hint_answer").to_pylist(),
        strict=True,
    )
    _, counts = np.unique([3 * c + h for c, h in keys], return_counts=True)
    # Six ordered pairs, 1000 each; chi-square of 5 degrees above 25 has probability 1.4e-4.
    assert counts.size == 6 and ((counts - 1000.0) ** 2 / 1000).sum() < 25


def test_a_phi_at_the_cut_that_the_threshold_reads_otherwise_is_refused() -> None:
    pairs = simulate(DESIGN, np.random.default_rng(1))
    (probe, replica), *_ = np.argwhere(pairs.flagged)
    pairs.phi[probe, replica] = 0.75
    with pytest.raises(ValueError, match=r"a label by phi >= 0\.5 is not the judge's verdict"):
        delivery_of_simulated(pairs, DESIGN, hint_type="x", rng=np.random.default_rng(1))


def test_the_header_declares_what_a_calibration_has_to_match() -> None:
    header = made(DESIGN)[0].header
    assert header.judge == simulated_judge(DESIGN)
    assert None not in (header.construct, header.language, header.format)
    assert (header.label_source, header.label_threshold) == ("threshold", label_threshold(DESIGN))
    assert header.phi_source == "token_logprobs"
    assert simulated_judge(DESIGN.with_perfect_judge()) != simulated_judge(DESIGN)


def test_hint_types_are_joined_in_the_order_given() -> None:
    simulated = simulated_delivery(two_cells(), Settings())
    header = simulated.delivery.header
    assert header.hint_types == ("b", "a")
    assert [entry.hint_type for entry in header.coverage] == ["b", "a"]
    found = cells_by_type(simulated.delivery)
    for cell in two_cells():
        again = cell_of_simulated(cell.pairs(Settings()), hint_type=cell.hint_type)
        assert_same(found[cell.hint_type], again)


def test_each_hint_type_has_a_numbering_of_its_own() -> None:
    records = simulated_delivery(two_cells(), Settings()).delivery.records
    of_type = {
        name: records.filter(pc.equal(records.column("hint_type"), name)).column("correct_answer")
        for name in ("a", "b")
    }
    assert of_type["a"].to_pylist() != of_type["b"].to_pylist()


def test_deliveries_that_cannot_be_one() -> None:
    delivery = made(DESIGN)[0]
    other = replace(delivery, header=replace(delivery.header, hint_types=("x",), language="de"))
    with pytest.raises(ValueError, match="differ in more than"):
        joined([delivery, other])
    with pytest.raises(ValueError, match="a hint type occurs twice: mine, mine"):
        joined([delivery, delivery])
    with pytest.raises(ValueError, match="no delivery"):
        joined([])


def test_the_data_of_a_cell_do_not_depend_on_the_others() -> None:
    both, one = two_cells(), two_cells()[1:]
    together, alone = simulated_delivery(both, Settings()), simulated_delivery(one, Settings())
    assert_same(cells_by_type(together.delivery)["a"], cells_by_type(alone.delivery)["a"])
    assert together.truth["hint_types"]["a"] == alone.truth["hint_types"]["a"]
    other = simulated_delivery(one, Settings(seed=2))
    assert other.truth != alone.truth


def test_the_truth_is_the_exact_one() -> None:
    pairs = simulate(DESIGN, np.random.default_rng(1))
    truth = truth_of(DESIGN, pairs, settings=Settings())
    for name, value in asdict(population(DESIGN)).items():
        assert truth["population"][name] == pytest.approx(value, rel=1e-9), name
    assert truth["realised_omission"] == pytest.approx(realised_omission(pairs), rel=1e-9)
    assert truth["judge"] == {
        "sensitivity": pytest.approx(judging(DESIGN).flag_if_omitted),
        "specificity": pytest.approx(1 - judging(DESIGN).flag_if_acknowledged),
    }
    assert [(row["min_options"], row["k"]) for row in truth["exposure"]] == [
        (least, k) for least in (2, 3) for k in (1, 2, 3)
    ]
    for row in truth["exposure"]:
        for name, through in (("drop_out_free", False), ("through_drop_out", True)):
            exact = exposure_truth(
                DESIGN, row["k"], min_options=row["min_options"], through_drop_out=through
            )
            assert row[name] == pytest.approx(exact, rel=1e-9)
    assert truth["design"]["accuracy"] == {"a": 7, "b": 3}


def test_a_perfect_judge_finds_the_realised_omission() -> None:
    design = HARD.with_perfect_judge()
    pairs = simulate(design, np.random.default_rng(3))
    delivery = delivery_of_simulated(pairs, design, hint_type="a", rng=np.random.default_rng(4))
    truth = truth_of(design, pairs, settings=Settings())
    found = conditional_omission(cells_by_type(delivery)["a"], Settings(resamples=100))
    assert found.value == pytest.approx(truth["realised_omission"], rel=1e-9)
    assert truth["population"]["flagged"] == truth["population"]["omission"]
    assert truth["judge"] == {"sensitivity": 1.0, "specificity": 1.0}


def test_the_truth_names_the_streams_of_the_data() -> None:
    (cell, _), settings = two_cells(), Settings(seed=5)
    seed = simulated_delivery([cell], settings).truth["hint_types"]["b"]["seed"]
    ids = (seed["root"], seed["study_pairs"], seed["condition"], seed["replicate"])
    again = simulate(cell.design, generator(*ids))
    np.testing.assert_array_equal(again.phi, cell.pairs(settings).phi)
    assert seed["condition_name"] == cell.name


@pytest.mark.parametrize(
    "design",
    [
        DESIGNS["two options"],
        replace(DESIGN, judge=replace(DESIGN.judge, failed=1.0)),
        replace(DESIGN, susceptibility=BetaLaw(1e-3, 1e3), chance_move=0.0),
    ],
)
def test_what_does_not_exist_is_null_and_never_a_division_by_zero(design: Design) -> None:
    pairs = simulate(design, np.random.default_rng(1))
    truth = truth_of(design, pairs, settings=Settings())
    assert truth["realised_omission"] is None
    json.dumps(truth, allow_nan=False)


def test_attempts_grow_by_doubling_beyond_eight() -> None:
    assert exposure_attempts(1) == [1]
    assert exposure_attempts(16)[-2:] == [8, 16]
    assert len(exposure_attempts(1000)) == 8 + 6 + 1


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_writing_twice_gives_the_same_bytes(tmp_path: Path, format: RecordFormat) -> None:
    for name in ("one", "two"):
        simulated = simulated_delivery(two_cells(), Settings())
        write_simulated(tmp_path / name, simulated, format=format)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two and set(one) < OWN_FILES
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]
    assert json.loads(one["truth.json"])["hint_types"].keys() == {"b", "a"}


def test_an_earlier_simulation_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "d"
    small, large = (simulated_delivery(two_cells()[:n], Settings()) for n in (1, 2))
    write_simulated(folder, large, format="jsonl")
    write_simulated(folder, small)
    assert {path.name for path in folder.iterdir()} == OWN_FILES - {"records.jsonl"}
    assert read_delivery(folder).header.hint_types == ("b",)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["notes.txt"], "holds notes.txt, not only a simulated delivery"),
        (["truth.json", "conversation.txt"], "holds conversation.txt"),
        (["delivery.json", "records.jsonl"], "holds a delivery without truth.json"),
    ],
)
def test_a_folder_with_anything_else_is_left_alone(
    tmp_path: Path, names: list[str], told: str
) -> None:
    for name in names:
        (tmp_path / name).write_text("mine")
    with pytest.raises(Unusable, match=told):
        write_simulated(tmp_path, simulated_delivery(two_cells(), Settings()))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        names, "mine"
    )


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Unusable, match="not a folder"):
        check_folder(tmp_path / "file")
    with pytest.raises(Unusable, match=r"not a folder|cannot be written"):
        write_simulated(tmp_path / "file" / "d", simulated_delivery(two_cells(), Settings()))


def test_an_interrupted_write_leaves_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "d"
    simulated = simulated_delivery(two_cells(), Settings())
    write_simulated(folder, simulated)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "atomic_path", stop)
    with pytest.raises(KeyboardInterrupt):
        write_simulated(folder, simulated_delivery(two_cells()[:1], Settings()))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["d"]
