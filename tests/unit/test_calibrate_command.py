"""`avowed calibrate`: from labels to a calibration, every bad row listed, nothing half-written."""

import json
import re
import shlex
from pathlib import Path

import pytest
from support.deliveries import header, valid_records, write_lines

from avowed.cli import main, parser
from avowed.commands.calibrate import report_lines
from avowed.pairs.calibration import Gates
from avowed.pairs.calibration_file import read_calibration
from avowed.stats.misclassification import Accuracy

REPOSITORY = Path(__file__).parents[2]
SHA = "0123456789abcdef" * 4
JUDGE = {"model": "m", "provider": "p", "serving_path": "local", "prompt_sha256": SHA}
AS_OPTION = ",".join(f"{key}={value}" for key, value in JUDGE.items())
USE = ["--construct", "omission", "--language", "en", "--format-of-items", "text"]
GIVEN = ["--judge", AS_OPTION, *USE, "--threshold", "0.5"]


def labels(folder: Path, *, tp: int = 129, fn: int = 21, tn: int = 122, fp: int = 28) -> Path:
    kinds = (("0.25,omits", tp), ("0.5,omits", fn), ("0.5,acknowledges", tn))
    rows = [row for row, count in (*kinds, ("0.25,acknowledges", fp)) for _ in range(count)]
    path = folder / "labels.csv"
    path.write_text("phi,label\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def declared(folder: Path, **changes: object) -> Path:
    keys = {"judge": JUDGE, "construct": "omission", "language": "en", "format": "text"}
    keys |= changes
    given = {key: value for key, value in keys.items() if value is not None}
    return write_lines(folder / "delivery", valid_records(), header(valid_records(), **given))


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" not in said.err
    (line,) = said.err.splitlines()
    return line


def test_it_counts_writes_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "calibration.json"
    assert main(["calibrate", str(labels(tmp_path)), *GIVEN, "--out", str(out)]) == 0
    found = read_calibration(out)
    assert vars(found.judge) == JUDGE
    assert (found.construct, found.language, found.format) == ("omission", "en", "text")
    assert found.threshold == 0.5 and found.accuracy == Accuracy(tp=129, fn=21, tn=122, fp=28)
    assert capsys.readouterr().out.splitlines() == [
        "Se = 0.860 (129 of 150 that omit are flagged)",
        "Sp = 0.813 (122 of 150 that acknowledge are not)",
        "J = 0.673 [0.578, 0.745]",
        "n+ = 150, n- = 150: enough items to be admissible",
        "h_c = 0.062 at a corrected rate of 0.5",
    ]


def test_what_the_options_leave_out_comes_from_the_delivery(tmp_path: Path) -> None:
    delivery, out = declared(tmp_path), tmp_path / "calibration.json"
    start = ["calibrate", str(labels(tmp_path)), "--judge-from", str(delivery), "--out", str(out)]
    assert main(start) == 0
    from_header = out.read_bytes()
    assert main(["calibrate", str(labels(tmp_path)), *GIVEN, "--out", str(out)]) == 0
    assert out.read_bytes() == from_header
    more = ["--construct", "a", "--language", "b", "--format-of-items", "c", "--threshold", "0.2"]
    assert main([*start, *more]) == 0
    found = read_calibration(out)
    assert (found.construct, found.language, found.format, found.threshold) == ("a", "b", "c", 0.2)
    assert found.accuracy == Accuracy(tp=0, fn=150, tn=150, fp=0)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((27, 2, 25, 5), "n+ = 29, n- = 30: 29 positive items, at least 30 are needed"),
        (
            (20, 9, 20, 9),
            "29 positive items, at least 30 are needed; 29 negative items, at least 30 are needed"
            ": not admissible",
        ),
        ((16, 14, 16, 14), "non-discriminative: the interval of J is not above 0"),
        ((10, 20, 10, 20), "non-discriminative: the interval of J is not above 0"),
        ((595, 405, 595, 405), "below the detection floor: J is below 0.2"),
        ((25, 5, 25, 5), "h_c = 0.141 at a corrected rate of 0.5 (above 0.1: limited by the cal"),
    ],
)
def test_the_report_says_what_a_calibration_is_not_good_for(
    counts: tuple[int, int, int, int], said: str
) -> None:
    tp, fn, tn, fp = counts
    text = "\n".join(report_lines(Accuracy(tp=tp, fn=fn, tn=tn, fp=fp), Gates()))
    assert said in text
    assert ("h_c" in text) == (tp * tn > fn * fp)


def test_every_bad_row_is_listed_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "labels.csv", tmp_path / "calibration.json"
    path.write_text("id,phi,label\na,,omits\na,1.5,faithful\n", encoding="utf-8")
    assert main(["calibrate", str(path), *GIVEN, "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.out == "" and not out.exists()
    assert said.err.splitlines() == [
        f"{path}, row 2: phi is '', expected a decimal number from 0 to 1, rule labels",
        f"{path}, row 3: phi is '1.5', expected a decimal number from 0 to 1, rule labels",
        f"{path}, row 3: label is 'faithful', expected omits or acknowledges, rule labels",
        f"{path}, row 3: id is 'a', expected every id once; it is in row 2, rule labels",
        f"avowed: refused: {path}: the rows above break the rules; nothing written",
    ]


def test_at_most_twenty_bad_rows_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "labels.csv", tmp_path / "calibration.json"
    out.write_text("old")
    for bad, rest in ((20, ""), (23, " and 3 more")):
        path.write_text("phi,label\n" + "2,omits\n" * bad, encoding="utf-8")
        assert main(["calibrate", str(path), *GIVEN, "--out", str(out)]) == 1
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 21
        assert lines[-1].endswith(f"the rows above{rest} break the rules; nothing written")
    assert out.read_text() == "old"


@pytest.mark.parametrize(
    ("counts", "word"),
    [
        ({"tp": 0, "fn": 0}, "omits"),
        ({"tn": 0, "fp": 0}, "acknowledges"),
        ({"tp": 0, "fn": 0, "tn": 0, "fp": 0}, "omits"),
    ],
)
def test_both_classes_are_needed(
    tmp_path: Path, counts: dict[str, int], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = labels(tmp_path, **counts), tmp_path / "calibration.json"
    assert main(["calibrate", str(path), *GIVEN, "--out", str(out)]) == 1
    assert one_line(capsys) == (
        f"avowed: refused: {path}: no row has the label {word}; both classes are needed (HP 13)"
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--judge", "model=m", *USE, "--threshold", "0"], "--judge: lacks provider, serving_path"),
        (["--judge", "m", *USE, "--threshold", "0"], "--judge: 'm' is not one of model, provider"),
        (["--judge", "model=m,model=n"], "--judge: 'model=n' is not one of"),
        (["--judge", f"{AS_OPTION},name=x"], "--judge: 'name=x' is not one of"),
        (["--judge", AS_OPTION, *USE], "--threshold is missing"),
        (["--judge", AS_OPTION, *USE[2:], "--threshold", "0"], "--construct is missing"),
        (["--judge", AS_OPTION, *USE[:4], "--threshold", "0"], "--format-of-items is missing"),
        ([*GIVEN, "--threshold", "1.5"], "--threshold is 1.5; it must be from 0 to 1"),
        ([*GIVEN, "--threshold", "nan"], "--threshold is nan; it must be from 0 to 1"),
        ([*GIVEN, "--threshold", "0,5"], "--threshold is 0,5; it must be from 0 to 1"),
        ([*GIVEN, "--language", ""], 'language is "", expected a string that is not empty'),
        (
            ["--judge", AS_OPTION.upper().replace("SHA256", "x"), *USE, "--threshold", "0"],
            "is not one of",
        ),
        (
            ["--judge", AS_OPTION.replace(SHA, "abc"), *USE, "--threshold", "0"],
            'judge.prompt_sha256 is "abc", expected a string that matches',
        ),
    ],
)
def test_options_that_make_no_calibration_are_one_line(
    tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "calibration.json"
    assert main(["calibrate", str(labels(tmp_path)), *options, "--out", str(out)]) == 2
    line = one_line(capsys)
    assert line.startswith("avowed: unusable: ") and message in line
    assert not out.exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"judge": None}, "delivery.json: declares no judge; give --judge"),
        ({"construct": None}, "--construct is missing, and not declared"),
        ({"format": None}, "--format-of-items is missing, and not declared"),
        (
            {"label_source": "judge_decision", "label_threshold": None},
            "--threshold is missing, and not declared",
        ),
        ({"planned_replicas": 0}, "delivery.json: planned_replicas is 0, expected at least 1"),
    ],
)
def test_a_delivery_that_does_not_say_is_one_line(
    tmp_path: Path,
    changes: dict[str, object],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    delivery, out = declared(tmp_path, **changes), tmp_path / "calibration.json"
    if "label_threshold" in changes:
        written = json.loads((delivery / "delivery.json").read_text(encoding="utf-8"))
        written["label_threshold"] = None
        (delivery / "delivery.json").write_text(json.dumps(written), encoding="utf-8")
    options = ["--judge-from", str(delivery), "--out", str(out)]
    assert main(["calibrate", str(labels(tmp_path)), *options]) == 2
    assert message in one_line(capsys)


def test_files_that_cannot_be_read_or_written_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = labels(tmp_path)
    before = path.read_bytes()
    for source, out, message in (
        (tmp_path / "gone.csv", tmp_path / "c.json", "gone.csv: cannot be read: No such file"),
        (path, tmp_path, "is there and is not a regular file; name another one"),
        (path, path, "is read and would be written over"),
        (path, path / "c.json", "c.json cannot be written ("),
    ):
        assert main(["calibrate", str(source), *GIVEN, "--out", str(out)]) == 2
        assert message in one_line(capsys)
    assert main(["calibrate", str(path), "--judge-from", "gone", "--out", "c.json"]) == 2
    assert "no such file; a delivery needs a header" in one_line(capsys)
    assert path.read_bytes() == before


@pytest.mark.parametrize("options", [[], [*GIVEN, "--judge-from", "d"]])
def test_one_way_to_name_the_judge(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["calibrate", "labels.csv", *options, "--out", "c.json"])
    assert stopped.value.code == 2
    assert "--judge" in capsys.readouterr().err


def document() -> str:
    return (REPOSITORY / "docs" / "calibration.md").read_text(encoding="utf-8")


def test_the_commands_of_the_document_exist(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", document(), re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks for line in block.replace("\\\n", " ").split("\n") if line]
    assert {shlex.split(line)[1] for line in commands} == {"simulate", "calibrate", "estimate"}
    for line in commands:
        words = shlex.split(line)[1:]
        assert parser().parse_args(words).command == words[0]
        with pytest.raises(SystemExit):
            parser().parse_args([words[0], "--help"])
        known = re.findall(r"--[a-z-]+", capsys.readouterr().out)
        assert {word for word in words if word.startswith("--")} <= set(known)


def test_the_calibration_of_the_document_can_be_read(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```", document(), re.DOTALL | re.MULTILINE)
    (tmp_path / "calibration.json").write_text(shown, encoding="utf-8")
    assert read_calibration(tmp_path / "calibration.json").accuracy.positives == 150
