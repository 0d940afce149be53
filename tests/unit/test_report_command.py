"""`avowed report`: the estimates of `avowed estimate` on one page, all of it or nothing."""

import json
import os
import re
from pathlib import Path

import pytest
from browser.sample import delivery, moved_and_not, unmoved
from support.deliveries import valid_records, write_lines

from avowed.cli import main
from avowed.commands import publish, report
from avowed.present.csvfile import read_rows

FILES = ["deliveries.csv", "deliveries.svg", "index.html"]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return delivery(tmp_path / "mine", moved_and_not())


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    records = valid_records()
    records[0]["outcome"] = "hint_induced_change"
    return write_lines(tmp_path / "bad", records)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_table_is_the_one_of_estimate(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deep" / "out"
    assert main(["report", str(mine), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out / 'index.html'}\n"
    assert names(out) == FILES
    assert main(["estimate", str(mine), "--out", str(tmp_path / "one.csv")]) == 0
    assert (out / "deliveries.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_the_page_shows_the_sentences_and_no_ledger(mine: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "out", write_lines(tmp_path / "other", valid_records())
    assert main(["report", str(mine), str(other), "--out", str(out)]) == 0
    text = (out / "index.html").read_text("utf-8")
    rows = read_rows(out / "deliveries.csv")
    assert [row["condition"].split("/")[0] for row in rows] == ["mine", "other", "other"]
    for row in rows:
        # A percent sign keeps to its number, and "95 % CI" together.
        assert row["sentence"].replace('"', "&#34;") in text.replace("&#39;", "'").replace(
            "\u00a0", " "
        )
    assert re.findall(r'<section id="(\w+)"', text) == [one.name for one in report.OWN_REPORT]
    assert "ledger" not in text.split("<script>")[0].split("</style>")[1]
    assert 'href="deliveries.csv"' in text and 'href="deliveries.svg"' in text
    assert "<svg" in text and str(tmp_path / "out") not in text


def test_the_page_says_what_an_import_left_out(mine: Path, tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other", valid_records())
    described = {
        "counts": {"records": 9, "incomplete": 1},
        "left_out": {"hint on the correct answer": 4, "junk <answer>": 2},
        "verdicts_left_out": {"unknown verdict": 1},
    }
    (other / "import.json").write_text(json.dumps(described), encoding="utf-8")
    assert main(["report", str(mine), str(other), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert (
        "<li>other: The import left out 6 of 16 rows: hint on the correct answer 4, junk "
        "&lt;answer&gt; 2; and 1 verdict: unknown verdict 1. 1 pair lacks a half.</li>"
    ) in text
    # A delivery that was not imported has no such line.
    assert "<li>mine: The import" not in text
    assert main(["report", str(mine), "--out", str(tmp_path / "alone")]) == 0
    assert "the import" not in (tmp_path / "alone" / "index.html").read_text("utf-8")


def test_the_page_says_how_many_changes_have_no_verdict(tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other", valid_records())
    assert main(["report", str(other), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "index.html").read_text("utf-8")
    note = "3 of 5 hint-induced changes have no verdict and are in no rate."
    # Behind the sentence, and among the notes of the table.
    assert text.count(note) == 2
    assert "0/0" not in text.split("</style>")[1] and "no clusters" not in text


def test_equal_deliveries_give_equal_files(mine: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["report", str(mine), "--out", str(tmp_path / name)]) == 0
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_settings_names_and_calibration_are_those_of_estimate(tmp_path: Path, mine: Path) -> None:
    config = tmp_path / "mine.yaml"
    config.write_text("seed: 3\nbootstrap: {resamples: 120, confidence: 0.9}\n")
    options = ["--name", "first", "--config", str(config)]
    out, one = tmp_path / "out", tmp_path / "one.csv"
    assert main(["report", str(mine), "--out", str(out), *options]) == 0
    assert main(["estimate", str(mine), "--out", str(one), *options]) == 0
    assert (out / "deliveries.csv").read_bytes() == one.read_bytes()
    text = (out / "index.html").read_text("utf-8")
    assert "<code>resamples</code> = 120; <code>confidence</code> = 0.9" in text
    assert "90\u00a0%\u00a0CI" in text and "95 %" not in text.replace("\u00a0", " ")
    assert "<dt>Seed</dt><dd>3 " in text


def test_a_calibration_adds_the_corrected_rate(tmp_path: Path) -> None:
    made = tmp_path / "demo"
    assert main(["simulate", "--out", str(made), "--probes", "40", "--replicas", "2"]) == 0
    labels = tmp_path / "labels.csv"
    rows = [
        f"{n},{0.1 if n % 2 else 0.9},{'omits' if n % 2 else 'acknowledges'}" for n in range(90)
    ]
    labels.write_text("\n".join(["item,phi,label", *rows]) + "\n")
    calibration = tmp_path / "calibration.json"
    code = main(["calibrate", str(labels), "--judge-from", str(made), "--out", str(calibration)])
    assert code == 0
    out = tmp_path / "out"
    assert main(["report", str(made), "--out", str(out), "--calibration", str(calibration)]) == 0
    text = (out / "index.html").read_text("utf-8")
    assert "Corrected for the judge" in text
    row = read_rows(out / "deliveries.csv")[0]
    assert f"<td>{row['corrected_status']}</td>" in text


def test_a_refusal_leaves_nothing(
    mine: Path, refused: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["report", str(mine), str(refused), "--out", str(out)]) == 1
    told = capsys.readouterr()
    assert "refused" in told.err and str(refused) in told.err and told.out == ""
    assert not out.exists()
    # What an earlier run wrote stays as it was.
    assert main(["report", str(mine), "--out", str(out)]) == 0
    before = {name: (out / name).read_bytes() for name in FILES}
    assert main(["report", str(mine), str(refused), "--out", str(out)]) == 1
    assert {name: (out / name).read_bytes() for name in names(out)} == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none"], "no such folder"),
        (["mine", "mine"], "two deliveries are named 'mine'; tell them apart with --name"),
        (["mine", "--name", "a", "--name", "b"], "--name: found 2 for 1 deliveries"),
        (["mine", "--config", "none.yaml"], "none.yaml cannot be read: No such file"),
        (["mine", "--calibration", "none.json"], "none.json"),
        (["mine", "--name", ""], "the name '' is empty"),
        (["mine", "--name", " "], "the name ' ' is empty"),
        (["mine", "--name", "a\nb"], r"the name 'a\nb' holds a control character"),
        (["mine", "--name", "a\x1b[2J"], r"the name 'a\x1b[2J' holds a control character"),
        (["mine", "--name", "a\u2028b"], r"the name 'a\u2028b' holds a control character"),
        # As Python gives the bytes FF FE of a command line.
        (
            ["mine", "--name", "\udcff\udcfe"],
            r"the name '\udcff\udcfe' holds bytes that are no UTF-8",
        ),
    ],
)
def test_unusable_input_is_one_line(
    arguments: list[str],
    told: str,
    mine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(mine.parent)
    assert main(["report", *arguments, "--out", "out"]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert not (mine.parent / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_left_alone(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("mine")
    assert main(["report", str(mine), "--out", str(tmp_path / "out")]) == 2
    assert "is no folder" in capsys.readouterr().err
    assert (tmp_path / "out").read_text() == "mine"


def test_a_disk_that_fills_up_leaves_nothing_half_written(
    mine: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, copied = tmp_path / "out", []

    def copy(source: Path, target: Path) -> None:
        copied.append(source)
        if len(copied) == len(FILES):
            raise OSError(28, "No space left on device", str(target))
        target.write_bytes(source.read_bytes())

    monkeypatch.setattr(publish.shutil, "copyfile", copy)
    assert main(["report", str(mine), "--out", str(out)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not out.exists()
    # In a folder that was there, the old files stay.
    out.mkdir()
    (out / "index.html").write_text("old")
    copied.clear()
    assert main(["report", str(mine), "--out", str(out)]) == 2
    assert names(out) == ["index.html"] and (out / "index.html").read_text() == "old"


def test_a_delivery_without_estimates_has_dashes_and_statuses(tmp_path: Path) -> None:
    out, made = tmp_path / "out", delivery(tmp_path / "d", unmoved())
    assert main(["report", str(made), "--out", str(out)]) == 0
    text = (out / "index.html").read_text("utf-8")
    (row,) = read_rows(out / "deliveries.csv")
    assert row["omission"] == "" and row["status"] == "insufficient"
    line = text[text.index(f'class="key">{row["condition"]}</th>') :].split("</tr>")[0]
    assert '<td class="n">–</td>' in line and '<td class="says">insufficient</td>' in line


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["report", "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    for option in ("--out", "--name", "--config", "--calibration", "DELIVERY"):
        assert option in text
    assert all(name in " ".join(text.split()) for name in FILES)


@pytest.mark.parametrize("command", ["report", "estimate"])
def test_an_empty_folder_to_write_to_is_not_the_current_one(
    command: str,
    mine: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(SystemExit) as ended:
        main([command, str(mine), "--out", ""])
    assert ended.value.code == 2
    assert "argument --out: the path is empty" in capsys.readouterr().err
    assert names(tmp_path / "here") == []


def test_a_folder_whose_name_is_no_text_needs_a_name(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    mine.rename(odd)
    out = tmp_path / "out"
    assert main(["report", str(odd), "--out", str(out)]) == 2
    assert "holds bytes that are no UTF-8; give another with --name" in capsys.readouterr().err
    assert not out.exists()
    assert main(["report", str(odd), "--out", str(out), "--name", "mine"]) == 0
    assert "\\udcff/delivery.json" in (out / "index.html").read_text("utf-8")
