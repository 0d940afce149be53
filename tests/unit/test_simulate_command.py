"""`avowed simulate`: what it writes, which config it reads, one line for what cannot be used."""

import json
import math
import re
from pathlib import Path

import pytest
import yaml

from avowed.cli import main
from avowed.commands import simulate as command
from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.rules import validate
from avowed.pairs.simulate import design_of
from avowed.pairs.simulated_delivery import simulated_delivery
from avowed.pairs.studies.cells import main_cells, perfect_judge_cells

REPOSITORY = Path(__file__).parents[2]
CONFIG = REPOSITORY / "config.yaml"
SMALL = ["--probes", "12", "--replicas", "2", "--config", str(CONFIG)]


def told(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" not in said.err
    (line,) = said.err.splitlines()
    return line.removeprefix("avowed: unusable: ")


@pytest.mark.parametrize("name", ["simulate", "calibrate"])
def test_every_option_is_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    for line in re.findall(r"^  (-\S.*|\w+.*)$(?!\n {10,})", capsys.readouterr().out, re.MULTILINE):
        assert re.search(r"\S {2,}\S", line), f"{line} has no explanation"


def test_it_writes_a_delivery_and_its_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "d"
    assert main(["simulate", "--out", str(out), *SMALL]) == 0
    assert capsys.readouterr().out == f"{out}: 72 pairs of type_1, type_2, type_3, and truth.json\n"
    assert validate(out).accepted
    truth = json.loads((out / "truth.json").read_text(encoding="utf-8"))["hint_types"]
    assert list(truth) == ["type_1", "type_2", "type_3"]
    assert truth["type_2"]["design"]["probes"] == 12
    assert truth["type_1"]["seed"]["root"] == 1
    assert main(["estimate", str(out), "--config", str(CONFIG)]) == 0


def test_the_defaults_are_those_of_the_config_of_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    config["seed"], config["simulation"]["probes"] = 7, 9
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--out", "d"]) == 0
    expected = simulated_delivery(main_cells(config["simulation"]), Settings(seed=7))
    assert read_delivery("d").records.equals(expected.delivery.records)
    assert json.loads(Path("d/truth.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(expected.truth)
    )


def test_the_hint_types_asked_for_in_either_format(tmp_path: Path) -> None:
    asked = ["--hint-type", "type_3", "--hint-type", "type_1", "--hint-type", "type_3"]
    for format in ("parquet", "jsonl"):
        out = str(tmp_path / format)
        assert main(["simulate", "--out", out, *SMALL, *asked, "--format", format]) == 0
        assert (tmp_path / format / f"records.{format}").is_file()
    one, two = (read_delivery(tmp_path / format) for format in ("parquet", "jsonl"))
    assert one.header == two.header and one.records.equals(two.records)
    assert one.header.hint_types == ("type_3", "type_1")


def test_seed_and_judge_change_the_data(tmp_path: Path) -> None:
    options: dict[str, list[str]] = {
        "plain": [],
        "again": ["--seed", "1"],
        "other": ["--seed", "4294967295"],
        "perfect": ["--perfect-judge"],
    }
    found = {}
    for name, more in options.items():
        assert main(["simulate", "--out", str(tmp_path / name), *SMALL, *more]) == 0
        found[name] = (tmp_path / name / "records.parquet").read_bytes()
    assert found["plain"] == found["again"] and len(set(found.values())) == 3
    perfect = read_delivery(tmp_path / "perfect")
    simulation = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["simulation"]
    study = perfect_judge_cells(simulation | {"probes": 12, "replicas": 2})
    expected = simulated_delivery(study, Settings())
    assert perfect.records.equals(expected.delivery.records)
    assert set(perfect.records.column("judge_phi").to_pylist()) == {0.0, 1.0, None}
    assert perfect.header.judge != read_delivery(tmp_path / "plain").header.judge


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--probes", "0"], "--probes is 0; it must be at least 1"),
        (["--replicas", "-2"], "--replicas is -2; it must be at least 1"),
        (["--seed", "-1"], "--seed is -1; it must be from 0 to 4294967295"),
        (["--seed", "4294967296"], "--seed is 4294967296; it must be from 0 to 4294967295"),
        (
            ["--hint-type", "typ_3"],
            "--hint-type typ_3: no such hint type; nearest: type_3, type_2, type_1",
        ),
        (["--probes", "1000000000"], "at most 10000000 go into one delivery"),
    ],
)
def test_values_that_cannot_be_used_are_one_line(
    tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--out", str(tmp_path / "d"), *SMALL, *options]) == 2
    assert message in told(capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [["--probes", "2.5"], ["--seed", "x"], ["--format", "csv"]])
def test_values_of_another_kind_are_exit_2(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["simulate", "--out", str(tmp_path / "d"), *options])
    assert stopped.value.code == 2
    assert f"argument {options[0]}: invalid" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no config.yaml in this folder; name a file with --config"),
        ("seed: 1", "config.yaml: has no key simulation; name another file with --config"),
        ("simulation: {}", "config.yaml: has no key simulation"),
        ("simulation: {repetitions: 5}", "config.yaml: simulation lacks the key hint_types"),
        (
            "simulation: {hint_types: {a: {susceptibility: [1, 1], acknowledgement: [1, 1]}}}",
            "config.yaml: simulation lacks the key judge",
        ),
        ("simulation: {probes: 1.5}", "config key simulation.probes: found 1.5; expected type"),
        ("simulation: [", "config.yaml is not a plain YAML file"),
    ],
)
def test_a_config_that_cannot_be_used_is_one_line(
    tmp_path: Path,
    text: str | None,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if text is not None:
        (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--out", "d"]) == 2
    assert message in told(capsys)
    assert not (tmp_path / "d").exists()


def test_a_config_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--out", str(tmp_path / "d"), "--config", str(tmp_path / "gone.yaml")]
    assert main(["simulate", *options]) == 2
    assert told(capsys).startswith(f"{tmp_path / 'gone.yaml'} cannot be read: No such file")


def test_a_folder_in_use_is_refused_before_anything_is_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    monkeypatch.setattr(command, "simulated_delivery", None)
    assert main(["simulate", "--out", str(tmp_path), *SMALL]) == 2
    assert told(capsys).startswith(f"{tmp_path}: holds mine.txt, not only a simulated delivery")
    assert main(["simulate", "--out", str(tmp_path / "mine.txt"), *SMALL]) == 2
    assert "not a folder" in told(capsys)
    assert main(["simulate", "--out", str(tmp_path / "mine.txt" / "d"), *SMALL]) == 2
    assert "not a folder" in told(capsys)


def test_the_command_simulates_what_the_studies_simulate(tmp_path: Path) -> None:
    out = tmp_path / "d"
    options = ["--hint-type", "type_1", "--config", str(CONFIG)]
    assert main(["simulate", "--out", str(out), *options]) == 0
    simulation = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["simulation"]
    cell = main_cells(simulation)[0]
    assert cell.design == design_of(simulation, "type_1")
    phi = read_delivery(out).records.column("judge_phi").to_pylist()
    expected = cell.pairs(Settings()).phi.ravel().tolist()
    assert phi == [None if math.isnan(value) else value for value in expected]
