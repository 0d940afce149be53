"""The command line: exit codes, one line for a user's mistake, nothing half-written."""

import csv
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from support.deliveries import (
    HINT_TYPE,
    OTHER_HINT_TYPE,
    change,
    header,
    judged,
    table,
    valid_records,
    write_header,
    write_lines,
    write_parquet,
)

from avowed import __version__
from avowed.cli import main
from avowed.commands import estimate as estimate_command
from avowed.pairs.estimate import Settings
from avowed.pairs.record import FIELD_NAMES
from avowed.present import csvfile
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS

REPOSITORY = Path(__file__).parents[2]
CONDITIONS = [f"mine/{OTHER_HINT_TYPE}", f"mine/{HINT_TYPE}"]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "mine", valid_records())


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def piped(*arguments: str | Path, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "avowed.cli", *map(str, arguments)]
    return subprocess.run(
        command, stderr=subprocess.PIPE, text=True, timeout=120, check=False, **options
    )


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"avowed {__version__}\n"


def test_help_names_the_commands_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "validate" in text and "estimate" in text
    assert "Exit codes: 0 fine, 1 the data were refused, 2 unusable input or environment." in text


@pytest.mark.parametrize("command", ["validate", "estimate"])
def test_every_option_of_a_command_is_explained(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    for line in re.findall(r"^  (-\S.*|\w+.*)$(?!\n {10,})", capsys.readouterr().out, re.MULTILINE):
        assert re.search(r"\S {2,}\S", line), f"{line} has no explanation"


@pytest.mark.parametrize("arguments", [[], ["conjure"], ["estimate"], ["validate", "a", "b"]])
def test_wrong_arguments_are_exit_2(
    arguments: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("usage: avowed")


def test_validate_passes_its_verdict_on(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(mine)]) == 0
    assert capsys.readouterr().out.startswith("accepted: 11 records\n")
    write_lines(mine, change(valid_records(), 0, hint_answer=0))
    assert main(["validate", str(mine)]) == 1
    assert "R4" in capsys.readouterr().out


def test_estimate_prints_the_columns_of_the_public_table(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["estimate", str(mine)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.split("\n", 1)[0] == ",".join((*COLUMNS, *FURTHER_COLUMNS))
    other, suggested = rows_of(said.out)
    assert [other["condition"], suggested["condition"]] == CONDITIONS
    # By hand: p1 N and O, p2 B, p3 U, then five H of which one is faithful and one is not.
    expected = {
        "n_pairs": "9",
        "n_two_option": "0",
        "n_analysed": "9",
        "n_hint_change": "5",
        "n_other_change": "1",
        "n_no_change": "1",
        "n_baseline_on_hint": "1",
        "n_not_evaluable": "1",
        "n_evaluable": "2",
        "n_flagged": "1",
        "omission": "0.5",
        "n_ungraded": "3",
        "n_ungraded_undetermined": "1",
        "n_ungraded_truncated": "1",
        "n_ungraded_unavailable": "1",
        "exposure_1": "0.2",
    }
    assert {name: suggested[name] for name in expected} == expected
    assert (other["n_flagged"], other["omission"], other["status"]) == ("0", "0", "insufficient")


def test_estimate_in_text_shows_the_papers_columns_and_sentences(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["estimate", str(mine), "--format", "text", "--name", "run 7"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("| Condition ")
    assert re.search(rf"^\| run 7/{HINT_TYPE} +\|  +9 \|", text, re.MULTILINE)
    assert re.search(rf'^run 7/{HINT_TYPE}: When a "suggested answer" hint', text, re.MULTILINE)


def test_estimate_out_writes_what_it_would_print(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["estimate", str(mine)])
    printed = capsys.readouterr().out
    out = tmp_path / "deep" / "table.csv"
    assert main(["estimate", str(mine), "--out", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert out.read_text(encoding="utf-8") == printed
    assert main(["estimate", str(mine), "--out", str(out), "--format", "text"]) == 0
    assert capsys.readouterr().out.startswith("| Condition ")
    assert out.read_text(encoding="utf-8") == printed


def test_the_name_defaults_to_the_folder_however_it_is_written(
    mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(mine)
    assert main(["estimate", "."]) == 0
    assert [row["condition"] for row in rows_of(capsys.readouterr().out)] == CONDITIONS


def test_the_order_of_parquet_columns_does_not_matter(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["estimate", str(mine)])
    from_lines = capsys.readouterr().out
    for number, names in enumerate((list(FIELD_NAMES), sorted(FIELD_NAMES, reverse=True))):
        folder = write_parquet(tmp_path / str(number) / "mine", table(valid_records()))
        pq.write_table(table(valid_records()).select(names), folder / "records.parquet")
        assert main(["estimate", str(folder)]) == 0
        assert capsys.readouterr().out == from_lines


def test_a_delivery_without_records_is_estimated_as_insufficient(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_lines(tmp_path / "none", [], header([]))
    assert main(["estimate", str(folder)]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert [row["status"] for row in rows] == ["insufficient", "insufficient"]
    assert {row["omission"] for row in rows} == {row["susceptibility"] for row in rows} == {""}
    assert main(["estimate", str(folder), "--format", "text"]) == 0


def test_settings_of_a_file_are_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [
        judged(f"p{number}", "unfaithful" if number % 3 else "faithful", float(number % 3 == 0))
        for number in range(30)
    ]
    declared = header(records)
    folder = write_lines(tmp_path / "mine", records, declared)
    config = tmp_path / "mine.yaml"

    def suggested(text: str) -> dict[str, str]:
        config.write_text(text, encoding="utf-8")
        assert main(["estimate", str(folder), "--config", str(config)]) == 0
        return rows_of(capsys.readouterr().out)[1]

    plain = suggested("{}")
    narrow = suggested("bootstrap: {confidence: 0.5}")
    assert plain["omission"] == narrow["omission"]
    assert float(plain["omission_lower"]) < float(narrow["omission_lower"])
    assert "50 % CI" in narrow["sentence"]
    assert (plain["n_analysed"], suggested("analysis: {min_options: 5}")["n_analysed"]) == (
        "30",
        "0",
    )
    assert plain["status"] == "undersampled"
    assert suggested("analysis: {target_half_width: 0.4}")["status"] == "converged"
    assert suggested((REPOSITORY / "config.yaml").read_text(encoding="utf-8")) == plain


def test_the_defaults_are_those_of_the_config() -> None:
    config = yaml.safe_load((REPOSITORY / "config.yaml").read_text(encoding="utf-8"))
    assert Settings.from_config(config) == Settings()
    assert Settings.from_config({}) == Settings()
    # Every field but the repetition of a study is read from the config, none equal to it by chance.
    changed = {
        "seed": 7,
        "bootstrap": {"resamples": 111, "confidence": 0.8},
        "analysis": {"min_options": 4, "target_half_width": 0.2},
        "exposure": {"min_options": 2},
        "sensitivity": {"cuts": [0.3]},
        "chance": {"max_undefined_share": 0.5},
    }
    ours, theirs = vars(Settings.from_config(changed)), vars(Settings())
    assert [name for name in ours if ours[name] == theirs[name]] == ["replicate"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed: x", "config key seed: found 'x'; expected type integer"),
        ("seed: 2.0", "config key seed: found 2.0; expected type integer"),
        ("seed: true", "config key seed: found True; expected type integer"),
        ("sed: 1", "unknown key sed; known keys are analysis, bootstrap"),
        ("bootstrap: {resample: 3}", "unknown key resample; known keys are confidence, resamples"),
        ("bootstrap: {resamples: '500'}", "found '500'; expected type integer (a number has no"),
        ("chance:", "config key chance: found None; expected type object"),
        ("- seed", "expected keys and values at the top level; see config.yaml"),
        ("seed: [", "is not a plain YAML file: line 1, "),
        ("seed: 1\nseed: 2", "line 2, field seed: found the key again"),
        ("bootstrap: {confidence: .nan}", "bootstrap.confidence: found nan; expected a finite"),
        ("bootstrap: {confidence: 1" + "0" * 400 + "}", "found a number beyond 64 bits"),
        (None, "cannot be read: No such file"),
    ],
)
def test_settings_that_cannot_be_used_are_one_line(
    mine: Path, tmp_path: Path, text: str | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.yaml"
    if text is not None:
        config.write_text(text, encoding="utf-8")
    assert main(["estimate", str(mine), "--config", str(config)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith(f"avowed: unusable: {config}") and told in line


def test_a_refused_delivery_is_not_estimated(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines(mine, change(valid_records(), 0, hint_answer=0))
    out = tmp_path / "table.csv"
    assert main(["estimate", str(mine), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.out == "" and not out.exists()
    lines = said.err.splitlines()
    assert any("row 1" in line and "hint_answer is 0" in line for line in lines)
    assert lines[-1].startswith(f"avowed: refused: {mine}: the delivery breaks the rules above")
    assert "Traceback" not in said.err


def test_unusable_input_is_one_line(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truncated = write_parquet(tmp_path / "truncated", valid_records())
    content = (truncated / "records.parquet").read_bytes()
    (truncated / "records.parquet").write_bytes(content[: len(content) // 2])
    both = write_parquet(write_lines(tmp_path / "both", valid_records()), valid_records())
    write_header(tmp_path / "headless", None)
    for folder in (tmp_path / "gone", truncated, both, tmp_path / "headless"):
        assert main(["estimate", str(folder)]) == 2
        said = capsys.readouterr()
        (line,) = said.err.splitlines()
        assert said.out == "" and line.startswith(f"avowed: unusable: {folder}")


@pytest.mark.parametrize(
    ("name", "told"), [("file/table.csv", "cannot be written"), ("", "is not a regular file")]
)
def test_a_table_that_cannot_be_written_is_one_line(
    mine: Path, tmp_path: Path, name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["estimate", str(mine), "--out", str(tmp_path / name)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"avowed: unusable: {tmp_path / name} ") and told in line


def test_an_interrupted_write_leaves_the_old_table(
    mine: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "table.csv").write_text("old\n")
    written: list[object] = []

    def stop_in_the_second_row(value: csvfile.Value) -> str:
        written.append(value)
        if len(written) > len(COLUMNS) + len(FURTHER_COLUMNS):
            raise KeyboardInterrupt
        return ""

    monkeypatch.setattr(csvfile, "cell_text", stop_in_the_second_row)
    assert main(["estimate", str(mine), "--out", str(folder / "table.csv")]) == 2
    said = capsys.readouterr().err
    assert said == "avowed: interrupted; nothing half-written was left\n"
    assert [path.name for path in folder.iterdir()] == ["table.csv"]
    assert (folder / "table.csv").read_text() == "old\n"


def test_a_defect_of_the_program_shows_its_traceback(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(estimate_command, "estimate_delivery", fail)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["estimate", str(mine)])


@pytest.mark.parametrize("command", [["estimate"], ["estimate", "--format=text"], ["validate"]])
def test_a_reader_that_is_gone_is_no_error(mine: Path, command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = piped(*command, mine, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_first_line_can_be_taken_through_a_pipe(mine: Path) -> None:
    command = shlex.join([sys.executable, "-m", "avowed.cli", "estimate", str(mine)])
    done = subprocess.run(
        f"{command} | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.startswith("condition,n_items,")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_process_ends_with_the_exit_code_and_one_line(tmp_path: Path) -> None:
    done = piped("estimate", tmp_path / "gone", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"avowed: unusable: {tmp_path / 'gone'}: no such folder\n"


def test_threads_are_limited_before_numpy_is_imported() -> None:
    code = (
        "import avowed.cli, os, sys; print(os.environ['OMP_NUM_THREADS'], 'numpy' in sys.modules)"
    )
    environment = {n: v for n, v in os.environ.items() if not n.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1 False\n"
