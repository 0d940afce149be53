"""The folder of a study: one run at a time, killed anywhere, and nothing of the user's lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.factor_studies import names, run, score, told, write_small_case

from avowed.held import held

STUDY = ["inputs.jsonl", "plan.json", "responses.parquet"]


@pytest.fixture(scope="module")
def small_case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_case(tmp_path_factory.mktemp("data"))


@pytest.fixture
def out(small_case: Path, tmp_path: Path) -> Path:
    """A finished study."""
    assert run(tmp_path / "out", "--component", "single", case=small_case) == 0
    return tmp_path / "out"


ASKED = [
    ["--component", "single"],
    ["--plan-only"],
    ["--url", "http://127.0.0.1:9/v1", "--model", "m"],
]


@pytest.mark.parametrize("arguments", ASKED)
def test_a_run_beside_another_one_writes_nothing(
    arguments: list[str], small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with held(tmp_path / "out"):
        assert run(tmp_path / "out", *arguments, case=small_case) == 2
        assert names(tmp_path / "out") == []
    assert "another run is writing here; wait for it to end" in told(capsys, "unusable")


STUDIES = [("single", "1"), ("conjunction", "2")]


def test_two_studies_started_at_once_never_share_a_folder(small_case: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "avowed.cli", "factors", "run", "--usecase", str(small_case)]
    runs = [
        subprocess.Popen(
            [*command, "--out", str(out), "--component", component, "--seed", seed],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for component, seed in STUDIES
    ]
    said = [process.communicate()[1] for process in runs]
    assert sorted(process.returncode for process in runs) == [0, 2], said
    winner = [process.returncode for process in runs].index(0)
    assert json.loads((out / "plan.json").read_text())["components"] == [STUDIES[winner][0]]
    assert score(out / "responses.parquet", case=small_case) == 0


KILLED = """
import os, pathlib, sys
rename, left = pathlib.Path.replace, [int(sys.argv[1])]

def replace(self, target):
    if left[0] == 0:
        os.kill(os.getpid(), 9)
    left[0] -= 1
    return rename(self, target)

pathlib.Path.replace = replace
from avowed.cli import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize(
    ("arguments", "renames"),
    [
        # After the two scratch files come inputs, plan and responses.
        (["--component", "single"], 3),
        (["--component", "single"], 4),
        # After three scratch files come inputs, prompts and plan.
        (["--plan-only"], 4),
        (["--plan-only"], 5),
    ],
)
def test_a_run_that_is_killed_between_two_files_is_gone_on_with(
    arguments: list[str], renames: int, small_case: Path, tmp_path: Path
) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    given = ["--usecase", str(small_case), "--trials", "2", "--repeats", "1", *arguments]
    subprocess.run(
        [sys.executable, "-c", KILLED, str(renames), "factors", "run", *given, "--out", str(out)],
        env=environment,
        check=False,
    )
    there = [name for name in names(out) if not name.startswith(".")]
    assert there and there != names(out)
    assert "plan.json" not in there or "inputs.jsonl" in there
    for folder in (out, whole):
        assert run(folder, *arguments, case=small_case) == 0
    assert names(out) == names(whole)
    for name in names(whole):
        assert (out / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.parametrize("damage", [None, "garbage", ""])
@pytest.mark.parametrize("complete", [True, False])
def test_inputs_that_were_lost_are_written_again(
    damage: str | None, complete: bool, out: Path, small_case: Path
) -> None:
    before = (out / "inputs.jsonl").read_bytes()
    (out / "inputs.jsonl").unlink()
    if damage is not None:
        (out / "inputs.jsonl").write_text(damage)
    if not complete:
        (out / "responses.parquet").unlink()
    assert run(out, "--component", "single", case=small_case) == 0
    assert (out / "inputs.jsonl").read_bytes() == before and names(out) == STUDY
    assert score(out / "responses.parquet", case=small_case) == 0


def test_other_inputs_are_never_written_over(
    out: Path, small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (out / "inputs.jsonl").read_text().splitlines()
    own = "\n".join(lines[:3])
    for folder, content in ((out, own), (tmp_path / "a", own), (tmp_path / "b", "my notes")):
        folder.mkdir(exist_ok=True)
        (folder / "inputs.jsonl").write_text(content)
        assert run(folder, "--component", "single", case=small_case) == 2
        assert "inputs.jsonl is there and does not hold the inputs" in told(capsys, "unusable")
        assert (folder / "inputs.jsonl").read_text() == content
    assert names(tmp_path / "a") == ["inputs.jsonl"]
    # The user's own, in the user's words, are left as they are.
    given = ["--component", "single", "--inputs", str(tmp_path / "a" / "inputs.jsonl")]
    assert run(tmp_path / "a", *given, case=small_case) == 0
    assert (tmp_path / "a" / "inputs.jsonl").read_text() == own and names(tmp_path / "a") == STUDY
    assert score(tmp_path / "a" / "responses.parquet", case=small_case) == 0


def test_other_prompts_are_never_written_over(
    small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "prompts.jsonl").write_text("mine")
    assert run(tmp_path, "--plan-only", case=small_case) == 2
    assert "prompts.jsonl is there and does not hold the prompts" in told(capsys, "unusable")
    assert names(tmp_path) == ["prompts.jsonl"]
    assert (tmp_path / "prompts.jsonl").read_text() == "mine"
    (tmp_path / "prompts.jsonl").unlink()
    for _ in range(2):
        assert run(tmp_path, "--plan-only", case=small_case) == 0
        assert names(tmp_path) == ["inputs.jsonl", "plan.json", "prompts.jsonl"]
        (tmp_path / "prompts.jsonl").unlink()


@pytest.mark.parametrize("content", [b"", b"PAR1", None])
def test_what_only_has_the_name_of_responses_is_no_complete_study(
    content: bytes | None, out: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = out / "responses.parquet"
    path.unlink()
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    assert run(out, "--component", "single", case=small_case) == 2
    message = told(capsys, "unusable")
    assert message.startswith(f"{path}") and "remove it and run the same command" in message


def test_responses_that_break_a_rule_are_no_complete_study(
    out: Path, small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "other", "--component", "graded", case=small_case) == 0
    (tmp_path / "other" / "responses.parquet").replace(out / "responses.parquet")
    assert run(out, "--component", "single", case=small_case) == 1
    assert "(F2: " in told(capsys, "refused")


def test_what_a_killed_run_left_is_removed_and_nothing_else(out: Path, small_case: Path) -> None:
    strays = [".plan.0123abcd.json", ".inputs.0123abcd.jsonl", ".responses.partial.0123abcd.jsonl"]
    kept = [".plan.json", ".mine.0123abcd.json", "plan.0123abcd.json"]
    for name in [*strays, *kept]:
        (out / name).touch()
    assert run(out, "--component", "single", case=small_case) == 0
    assert names(out) == sorted([*STUDY, *kept])
