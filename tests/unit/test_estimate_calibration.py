"""`avowed estimate --calibration`: the corrected rate beside the others, or why there is none."""

import csv
import io
import json
from pathlib import Path

import pytest

from avowed.cli import main
from avowed.pairs.calibration import Calibration, Gates, calibrated_omission
from avowed.pairs.calibration_file import write_calibration
from avowed.pairs.calibration_rows import CORRECTED_COLUMNS, corrected_columns
from avowed.pairs.cell import cells_of
from avowed.pairs.delivery import Delivery, read_delivery
from avowed.pairs.estimate import Settings
from avowed.present.csvfile import cell_text
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS
from avowed.stats.misclassification import Accuracy

CONFIG = Path(__file__).parents[2] / "config.yaml"
PAPER = Accuracy(tp=129, fn=21, tn=122, fp=28)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("simulated") / "d"
    options = ["--config", str(CONFIG), "--hint-type", "type_2", "--hint-type", "type_1"]
    assert main(["simulate", "--out", str(out), "--probes", "120", *options]) == 0
    return out


def calibration_of(
    delivery: Delivery, *, accuracy: Accuracy = PAPER, threshold: float = 0.5, **changes: str
) -> Calibration:
    header = delivery.header
    assert header.judge is not None
    use = {name: getattr(header, name) for name in ("construct", "language", "format")} | changes
    return Calibration(judge=header.judge, threshold=threshold, accuracy=accuracy, **use)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def estimated(
    delivery: Path,
    calibration: Calibration,
    capsys: pytest.CaptureFixture[str],
    *more: str,
) -> str:
    path = delivery.parent / "calibration.json"
    write_calibration(path, calibration)
    capsys.readouterr()
    assert main(["estimate", str(delivery), "--calibration", str(path), *more]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


@pytest.mark.parametrize("threshold", [0.5, 0.3])
def test_the_corrected_columns_follow_the_others(
    simulated: Path, threshold: float, capsys: pytest.CaptureFixture[str]
) -> None:
    delivery = read_delivery(simulated)
    calibration = calibration_of(delivery, threshold=threshold)
    found = estimated(simulated, calibration, capsys)
    columns = (*COLUMNS, *FURTHER_COLUMNS, *CORRECTED_COLUMNS)
    assert found.split("\n", 1)[0] == ",".join(columns)
    assert main(["estimate", str(simulated)]) == 0
    plain = rows_of(capsys.readouterr().out)
    rows = rows_of(found)
    assert [row["condition"] for row in rows] == ["d/type_1", "d/type_2"]
    assert [{k: v for k, v in row.items() if k in plain[0]} for row in rows] == plain
    for row, cell in zip(
        rows,
        cells_of(
            delivery.records,
            hint_types=delivery.header.hint_types,
            hint_channel=delivery.header.hint_channel,
            planned_replicas=delivery.header.planned_replicas,
        ),
        strict=True,
    ):
        made = calibrated_omission(cell, delivery.header, calibration, Settings(), gates=Gates())
        expected = corrected_columns(made, calibration)
        assert {n: row[n] for n in expected} == {n: cell_text(v) for n, v in expected.items()}
        assert row["corrected_rate"] != ""


def test_at_the_labels_threshold_it_corrects_the_printed_rate(
    simulated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for row in rows_of(estimated(simulated, calibration_of(read_delivery(simulated)), capsys)):
        by_hand = (float(row["omission"]) + 122 / 150 - 1) / (129 / 150 + 122 / 150 - 1)
        assert float(row["corrected_rate"]) == pytest.approx(by_hand, rel=1e-8)
        assert float(row["corrected_j"]) == pytest.approx(0.67333333, rel=1e-7)


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        (
            {"language": "de"},
            "language: the delivery says 'en', the calibration 'de'",
        ),
        ({"accuracy": Accuracy(tp=29, fn=0, tn=30, fp=0)}, "29 positive items, at least 30 are"),
    ],
)
def test_an_inadmissible_calibration_leaves_the_cell_in_part_one(
    simulated: Path,
    changes: dict[str, str],
    note: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calibration = calibration_of(read_delivery(simulated), **changes)
    for row in rows_of(estimated(simulated, calibration, capsys)):
        assert row["corrected_status"] == "part I only"
        assert row["corrected_note"].startswith(note)
        assert {row[name] for name in CORRECTED_COLUMNS[:3]} == {""}
        assert row["omission"] != ""


def test_a_judge_without_discrimination_gives_no_number(
    simulated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accuracy = Accuracy(tp=50, fn=50, tn=40, fp=60)
    calibration = calibration_of(read_delivery(simulated), accuracy=accuracy)
    for row in rows_of(estimated(simulated, calibration, capsys)):
        assert row["corrected_status"] == "non-discriminative"
        assert row["corrected_rate"] == row["corrected_h_c"] == ""


def test_the_numbers_of_a_config_are_used(
    simulated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.yaml"
    calibration = calibration_of(read_delivery(simulated))

    def statuses(text: str) -> set[str]:
        config.write_text(text, encoding="utf-8")
        found = estimated(simulated, calibration, capsys, "--config", str(config))
        return {row["corrected_status"] for row in rows_of(found)}

    assert statuses("calibration: {min_youden: 0.9}") == {"below the detection floor"}
    assert statuses("calibration: {min_positive: 151}") == {"part I only"}
    assert statuses("analysis: {target_half_width: 0.02}") == {"limited by the calibration"}
    assert statuses("analysis: {target_half_width: 0.4}") == {"converged"}


def test_as_text_and_as_a_file(
    simulated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration = calibration_of(read_delivery(simulated))
    printed = estimated(simulated, calibration, capsys)
    out = tmp_path / "table.csv"
    text = estimated(simulated, calibration, capsys, "--format", "text", "--out", str(out))
    assert out.read_text(encoding="utf-8") == printed
    lines = [line for line in text.splitlines() if line.startswith("d/type_1: ")]
    (corrected,) = [line for line in lines if line.startswith("d/type_1: corrected omission ")]
    assert "% (95 % CI: [" in corrected and "; h_c 0." in corrected


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "broken JSON"),
        ("counts", "counts.tp is 3.0, expected an integer as written, rule R1"),
        ("threshold", "threshold is 1.5, expected at most 1, rule schema"),
    ],
)
def test_a_calibration_that_is_none_is_one_line(
    simulated: Path,
    tmp_path: Path,
    content: str | None,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "calibration.json"
    write_calibration(path, calibration_of(read_delivery(simulated)))
    document = json.loads(path.read_text(encoding="utf-8"))
    if content is None:
        path.unlink()
    elif content == "counts":
        document["counts"]["tp"] = 3.0
    elif content == "threshold":
        document["threshold"] = 1.5
    if content is not None:
        path.write_text(content if content == "{" else json.dumps(document), encoding="utf-8")
    capsys.readouterr()
    # Read and not accepted is 1, not even readable is 2.
    code = 1 if content in ("counts", "threshold") else 2
    assert main(["estimate", str(simulated), "--calibration", str(path)]) == code
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert said.out == "" and f"{path}: {told}" in line
