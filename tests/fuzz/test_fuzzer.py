"""The fuzzer itself: it ends well where nothing fails, and keeps the input where something does."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fuzz import oracle
from fuzz.oracle import FILES, WrongTable

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "fuzz_readers.py"


def test_every_kind_is_tried(tmp_path: Path) -> None:
    command = [sys.executable, SCRIPT, "--engine", "own", "--inputs", "60", "--seed", "7"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    first, *kinds, last = run.stdout.splitlines()
    assert first == "engine: own, seed 7"
    assert [line.split(",")[0] for line in kinds] == [f"{kind}: 10 inputs" for kind in FILES]
    assert last.startswith("all kinds: 60 inputs in ") and last.endswith(" s, no failure")
    assert not list(tmp_path.iterdir())


def test_a_failure_ends_the_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    seen = []

    def check(kind: str, data: bytes, folder: Path) -> Any:
        seen.append(data)
        if len(seen) == 5:
            raise WrongTable("x: ['3'], not [3]")

    monkeypatch.setattr(oracle, "check", check)
    arguments = ["--worker", "csv", "--engine", "own", "--inputs", "9", "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["fuzz_readers.py", *arguments])
    with pytest.raises(SystemExit, match="1"):
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert len(seen) == 5
    assert "WrongTable: x: ['3'], not [3]" in capfd.readouterr().err


def test_the_input_that_failed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = runpy.run_path(str(SCRIPT))

    def run(command: list[str], *, cwd: Path, **_: Any) -> subprocess.CompletedProcess[bytes]:
        [kind] = [kind for kind in FILES if kind in command]
        (cwd / FILES[kind]).write_bytes(b"the input")
        return subprocess.CompletedProcess(command, 77 if kind == "json" else 0)

    monkeypatch.setattr(subprocess, "run", run)
    kept = tmp_path / "kept"
    monkeypatch.setattr(sys, "argv", ["fuzz_readers.py", "--crash", str(kept)])
    assert names["main"]() == 1
    assert kept.read_bytes() == b"the input"
