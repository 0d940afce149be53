"""`avowed factors`: one clear message for every mistake, exit 1 or 2, and nothing half-written."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from support.factor_studies import (
    USE_CASE,
    copy_as_lines,
    names,
    read,
    run,
    score,
    told,
    write,
    write_small_case,
)

from avowed.cli import main
from avowed.commands import publish
from avowed.factors.response_violation import RULES


@pytest.fixture(scope="module")
def small_case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_case(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def study(small_case: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("studies") / "two"
    assert run(out, "--component", "single", "--component", "graded", case=small_case) == 0
    return out


@pytest.fixture
def mine(study: Path, tmp_path: Path) -> Path:
    return copy_as_lines(study, tmp_path / "mine")


# Mistakes: one line, exit 1 for refused data, and nothing half-written


def use_case(change: Callable[[dict[str, Any]], None], folder: Path) -> Path:
    content = yaml.safe_load(USE_CASE.read_text(encoding="utf-8"))
    change(content)
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda c: c.update(colour="red"), "colour"),
        (lambda c: c.pop("primary"), r"primary|\(top level\)"),
        (lambda c: c.update(samples="many"), "samples"),
        (lambda c: c["features"][0].update(values=[]), r"features\[0\].values"),
        (lambda c: c["features"][1].update(key=c["features"][0]["key"]), r"features\[1\].key"),
    ],
    ids=["unknown field", "missing field", "malformed", "empty pool", "duplicate key"],
)
@pytest.mark.parametrize("part", ["run", "score", "report"])
def test_a_use_case_that_is_refused(
    *,
    part: str,
    change: Callable[[dict[str, Any]], None],
    field: str,
    tmp_path: Path,
    study: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, out = use_case(change, tmp_path), tmp_path / "out"
    if part == "run":
        code = run(out, "--component", "single", case=path)
    else:
        given = ["--usecase", str(path), "--responses", str(study / "responses.parquet")]
        code = main(["factors", part, *given, "--out", str(out)])
    assert code == 1 and not out.exists()
    assert re.match(
        rf"{re.escape(str(path))}, line \d+, field (?:{field})", told(capsys, "refused")
    )


#: What is done to row 1 (an original call), and what the message says.
REFUSED = [
    ({"input": "application-999"}, "row 1, field input", '"application-999"', "F3"),
    ({"component": "nobody"}, "row 1, field component", '"nobody"', "F2"),
    ({"use_case": "advisor"}, "row 1, field use_case", '"advisor"', "F1"),
    ({"intervention": "removal"}, "row 1, field intervention", '"removal"', "F4"),
    ({"feature": "purpose"}, "row 1, field feature", '"purpose"', "F5"),
    ({"trial": 1}, "row 1, field trial", "found 1", "F6"),
]


@pytest.mark.parametrize(("change", "place", "found", "rule"), REFUSED)
@pytest.mark.parametrize("part", ["score", "report"])
def test_responses_that_are_refused(
    *,
    part: str,
    change: dict[str, Any],
    place: str,
    found: str,
    rule: str,
    mine: Path,
    small_case: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, out = mine / "responses.jsonl", mine / "out"
    first, *rest = read(path)
    write(path, [first | change, *rest])
    given = ["--usecase", str(small_case), "--responses", str(path), "--out", str(out)]
    assert main(["factors", part, *given]) == 1
    assert not out.exists()
    told_first = told(capsys, "refused")
    assert told_first.startswith(f"{path}, {place}") and found in told_first
    assert f"({rule}: {RULES[rule]})" in told_first


@pytest.mark.parametrize(
    ("change", "field", "rule"),
    [
        (
            {"citations": ["purpose", "monthly_income", "missed_payments", "plan_clarity"]},
            "citations",
            "F13",
        ),
        ({"citations": ["purpose", "purpose", "plan_clarity"]}, "citations", "F13"),
        ({"citations": ["purpose", "income", "plan_clarity"]}, "citations", "F13"),
        ({"decision": "maybe"}, "decision", "F11"),
    ],
)
def test_parsed_columns_that_claim_to_be_valid(
    *,
    change: dict[str, Any],
    field: str,
    rule: str,
    study: Path,
    mine: Path,
    small_case: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = pq.read_table(study / "responses.parquet")
    rows = table.drop_columns(["raw", "validity", "explanation"]).to_pylist()
    write(mine / "responses.jsonl", [rows[0] | change, *rows[1:]])
    assert score(mine / "responses.jsonl", case=small_case, out=mine / "out") == 1
    message = told(capsys, "refused")
    assert message.startswith(f"{mine / 'responses.jsonl'}, row 1, field {field} (")
    assert f"({rule}: " in message and not (mine / "out").exists()


def test_the_same_in_the_raw_text_is_counted(
    mine: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mine / "responses.jsonl"
    rows = read(path)
    four = ["purpose", "monthly_income", "missed_payments", "plan_clarity"]
    originals = [row for row in rows if row["intervention"] == "original"]
    originals[0]["raw"] = json.dumps({"decision": "decline", "explanations": four})
    originals[1]["raw"] = json.dumps({"decision": "maybe", "explanations": four[:3]})
    write(path, rows)
    assert score(path, case=small_case) == 0
    printed = csv.DictReader(io.StringIO(capsys.readouterr().out))
    found = {row["quantity"]: row["estimate"] for row in printed if row["cell"] == "single"}
    assert found["explanation_too_many"] == "1" and found["response_decision_outside"] == "1"
    assert found["n_usable"] == "4" and found["n_explained"] == "3"


def test_an_unknown_field_and_a_missing_row(
    mine: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mine / "responses.jsonl"
    rows = read(path)
    write(path, [rows[0], rows[1] | {"colour": "red"}, *rows[2:]])
    assert score(path, case=small_case) == 1
    assert told(capsys, "refused").startswith(f"{path}, row 2, field colour: unknown field")
    write(path, rows[1:])
    assert score(path, case=small_case) == 1
    assert "found no row" in told(capsys, "refused")


def test_many_violations_are_listed_and_summed_up(
    mine: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mine / "responses.jsonl"
    write(path, [row | {"use_case": "x"} for row in read(path)])
    assert score(path, case=small_case) == 1
    lines = capsys.readouterr().err.splitlines()
    total = len(read(path))
    assert lines[0] == f"F1 ({RULES['F1']}): {total} found" and len(lines) == 22
    assert lines[-1].endswith(f"({total - 1} more above; nothing estimated)")


def test_a_plan_or_inputs_of_another_study(
    mine: Path, small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mine / "responses.jsonl"
    assert run(tmp_path / "other", "--plan-only", "--seed", "9", case=small_case) == 0
    for option, name, field in (("--inputs", "inputs.jsonl", "inputs_sha256"),):
        given = ["--usecase", str(small_case), "--responses", str(path)]
        assert main(["factors", "score", *given, option, str(tmp_path / "other" / name)]) == 1
        assert f"field {field}: found" in told(capsys, "refused")
    assert score(path) == 1
    assert "plan.json, field use_case_sha256" in told(capsys, "refused")


def test_files_that_are_not_there(
    mine: Path, small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(tmp_path / "none.parquet", case=small_case) == 2
    assert "none.parquet: no such file" in told(capsys, "unusable")
    assert score(mine, case=small_case) == 2
    assert f"{mine}: is a folder and no file; name the file of" in told(capsys, "unusable")
    (mine / "plan.json").unlink()
    assert score(mine / "responses.jsonl", case=small_case) == 2
    assert "plan.json: no such file; name it with --plan" in told(capsys, "unusable")
    several = ["--responses", "a", "b", "--plan", "c"]
    assert main(["factors", "score", "--usecase", str(small_case), *several]) == 2
    assert "--inputs and --plan belong to one file" in told(capsys, "unusable")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--component", "singel"], "no such component in .* did you mean single\\?"),
        (["--component", "single", "--components", "none.yaml"], "none.yaml: no such file"),
        (["--component", "single", "--seed", "-1"], "--seed is -1"),
        (["--component", "single", "--trials", "0"], "trials is 0"),
        (["--component", "single", "--repeats", "-1"], "repeats is -1"),
        (["--component", "single", "--key-variable", "X"], "--key-variable says nothing here"),
        (["--plan-only", "--components", "x"], "--components says nothing here"),
        (["--plan-only", "--parallel", "0"], "--parallel is 0"),
        (["--url", "http://127.0.0.1:9/v1"], "--model is missing"),
        (["--url", "nowhere", "--model", "m"], "expected an address"),
        (["--plan-only", "--model", "a\udcff"], "holds bytes that are no UTF-8; .* --model"),
        (["--plan-only", "--model", "a\nb"], "holds a control character; .* --model"),
        (["--plan-only", "--call-limit", "9"], "--call-limit says nothing here"),
        (
            ["--url", "http://127.0.0.1:9/v1", "--model", "m", "--call-limit", "nan"],
            "--call-limit is nan; it must be above 0",
        ),
        (["--component", "single", "--components", "."], "is a folder and no file; name the comp"),
        (["--recorded", "none.parquet"], "none.parquet: cannot be read"),
        (["--plan-only", "--inputs", "none.jsonl"], "none.jsonl"),
        (["--plan-only", "--config", "none.yaml"], "none.yaml"),
    ],
)
def test_arguments_that_cannot_be_used(
    arguments: list[str],
    message: str,
    small_case: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(tmp_path / "out", *arguments, case=small_case) == 2
    assert re.search(message, told(capsys, "unusable"))
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_else_in_it(
    small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "responses.parquet").write_text("mine")
    assert run(tmp_path, "--component", "single", case=small_case) == 2
    assert "is there without its plan.json" in told(capsys, "unusable")
    assert run(tmp_path / "responses.parquet", "--component", "single", case=small_case) == 2
    assert "is no folder" in told(capsys, "unusable")
    assert names(tmp_path) == ["responses.parquet"]


def test_a_disk_that_fills_up_leaves_nothing_half_written(
    small_case: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(_source: Path, target: Path) -> None:
        if "plan" in target.name:
            raise OSError(28, "No space left on device", str(target))
        target.write_bytes(b"part")

    monkeypatch.setattr(publish.shutil, "copyfile", full)
    assert run(tmp_path / "out", "--component", "single", case=small_case) == 2
    assert "No space left on device" in told(capsys, "unusable")
    assert not (tmp_path / "out").exists()


def test_a_full_ranking_is_refused_before_anything_is_written(
    small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    rule, policy = "{kind: single, feature: purpose}", "{kind: full, by: necessity}"
    path.write_text(
        f"use_case: loan\ncomponents:\n  - {{name: x, says: s, rule: {rule}, policy: {policy}}}\n"
    )
    given = ["--component", "x", "--components", str(path)]
    assert run(tmp_path / "out", *given, case=small_case) == 1
    assert told(capsys, "refused").startswith(f"{path}, component x, field policy.kind: found")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("part", ["run", "score", "report"])
def test_every_option_is_explained(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["factors", part, "--help"])
    assert stopped.value.code == 0
    options = re.findall(r"^  (-\S.*|\w+.*)$(?!\n {10,})", capsys.readouterr().out, re.MULTILINE)
    for line in options:
        assert re.search(r"\S {2,}\S", line), f"{line} has no explanation"
