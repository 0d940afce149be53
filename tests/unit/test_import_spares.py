"""`avowed import` never writes over what it reads, and leaves no half of a delivery."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from support.import_tables import changed, row, run

from avowed.cli import main
from avowed.commands import publish as publishing
from avowed.held import held
from avowed.importing.imported import FILES, REMOVED
from avowed.refusal import Unusable

JOIN = {"join": "other_file", "key": ["q"]}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Rows as the file's ending asks; what has no known ending is JSON lines all the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return path


def mapping(path: Path, **changes: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(changed(**changes)), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", [*FILES, *REMOVED])
@pytest.mark.parametrize("role", ["input", "file of the input folder", "baseline", "mapping"])
@pytest.mark.parametrize("linked", [False, True])
def test_a_file_that_is_read_is_not_written_over(
    name: str, role: str, linked: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "d"
    out.mkdir()
    kinds = {".parquet": "parquet", ".jsonl": "jsonl", ".json": "json", ".csv": "csv"}
    kind = kinds[Path(name).suffix]
    rows, at = [row("q1"), row("q2")], out / name
    if role == "input":
        source, described = write(at, rows), mapping(tmp_path / "m.yaml", input={"kind": kind})
    elif role == "file of the input folder":
        source = write(tmp_path / "in" / name, rows).parent
        # The folder is another one, but what lies in it is a file of --out.
        shutil.move(source / name, at)
        (source / name).symlink_to(at)
        described = mapping(tmp_path / "m.yaml", input={"kind": kind})
    elif role == "baseline":
        write(at, [{"q": "q1", "a0": "A"}])
        source = write(tmp_path / "mine.jsonl", rows)
        join = {**JOIN, "file": f"d/{name}", "input": {"kind": kind}}
        described = mapping(tmp_path / "m.yaml", baseline=join)
    else:
        source, described = write(tmp_path / "mine.jsonl", rows), mapping(at)
    target = out
    if linked:
        target = tmp_path / "link"
        target.symlink_to(out)
    before = contents(tmp_path)
    given = ["import", str(source), "--mapping", str(described), "--out", str(target)]
    assert main(given) == 2
    assert "is read and would be written over or removed" in capsys.readouterr().err
    assert contents(tmp_path) == before


@pytest.mark.parametrize("deeper", ["", "new", "new/deep"])
def test_out_does_not_lie_in_the_input(deeper: str, tmp_path: Path) -> None:
    home = tmp_path / "in"
    write(home / "mine.jsonl", [row()])
    (tmp_path / "link").symlink_to(home)
    for source, out in ((home, tmp_path / "link" / deeper), (tmp_path / "link", home / deeper)):
        before = contents(tmp_path)
        with pytest.raises(Unusable, match=r"--out (is|lies inside) the input"):
            run(source, "--mapping", mapping(tmp_path / "m.yaml"), "--out", out)
        assert {**contents(tmp_path), "m.yaml": b""} == {**before, "m.yaml": b""}
        assert not (home / "new").exists()


def test_what_lies_beside_is_no_reason_to_refuse(tmp_path: Path) -> None:
    source = write(tmp_path / "d" / "mine.jsonl", [row()])
    described = mapping(tmp_path / "d" / "m.yaml")
    before = contents(tmp_path)
    for _ in range(2):
        assert run(source, "--mapping", described, "--out", tmp_path / "d") == 0
    assert before.items() <= contents(tmp_path).items()


@pytest.mark.parametrize("name", [*FILES, *REMOVED])
def test_a_folder_with_the_name_of_a_file_stops_everything(name: str, tmp_path: Path) -> None:
    source, described = write(tmp_path / "mine.jsonl", [row()]), mapping(tmp_path / "m.yaml")
    (tmp_path / "d" / name).mkdir(parents=True)
    with pytest.raises(Unusable, match=f"{name} is a folder"):
        run(source, "--mapping", described, "--out", tmp_path / "d")
    assert [path.name for path in (tmp_path / "d").iterdir()] == [name]


KILLED = """\
import os, pathlib, sys

left, rename = [int(sys.argv[1])], pathlib.Path.replace

def replace(self, target):
    if pathlib.Path(target).parent == pathlib.Path(sys.argv[-1]):
        if left[0] == 0:
            os.kill(os.getpid(), 9)
        left[0] -= 1
    return rename(self, target)

pathlib.Path.replace = replace
from avowed.cli import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize("renames", range(len(FILES)))
@pytest.mark.parametrize("older", ["none", "parquet", "jsonl"])
def test_a_killed_import_leaves_no_delivery_of_two_halves(
    renames: int, older: str, tmp_path: Path
) -> None:
    source, described = write(tmp_path / "mine.jsonl", [row()]), mapping(tmp_path / "m.yaml")
    out, whole = tmp_path / "d", tmp_path / "whole"
    if older != "none":
        more = write(tmp_path / "older.jsonl", [row("q1"), row("q2"), row("q3")])
        run(more, "--mapping", described, "--out", out)
    if older == "jsonl":
        (out / "records.parquet").unlink()
        (out / "records.jsonl").write_text("{}\n")
    given = [str(source), "--mapping", str(described), "--name", "n", "--out", str(out)]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(renames), "import", *given],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
        capture_output=True,
    )
    assert killed.returncode == -9
    assert main(["validate", str(out)]) == 2
    # The next run tidies up.
    run(source, "--mapping", described, "--name", "n", "--out", out)
    run(source, "--mapping", described, "--name", "n", "--out", whole)
    assert contents(out) == contents(whole)


def test_a_folder_that_another_run_writes_to_is_left_alone(tmp_path: Path) -> None:
    source, described = write(tmp_path / "mine.jsonl", [row()]), mapping(tmp_path / "m.yaml")
    out = tmp_path / "d"
    with held(out):
        (out / "theirs").touch()
        with pytest.raises(Unusable, match="another run is writing here"):
            run(source, "--mapping", described, "--out", out)
        assert [path.name for path in out.iterdir()] == ["theirs"]


def test_a_failure_removes_nothing_that_another_run_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other run ends between our look at the folder and our failure."""
    source, described = write(tmp_path / "mine.jsonl", [row()]), mapping(tmp_path / "m.yaml")
    out, copy = tmp_path / "d", shutil.copyfile

    def full(one: Path, two: Path) -> None:
        raise OSError(28, "No space left on device", str(two))

    def theirs_first(staged: Path) -> None:
        run(source, "--mapping", described, "--out", out)
        monkeypatch.setattr(publishing.shutil, "copyfile", full)
        (staged / "a").touch()

    with pytest.raises(OSError, match="No space"):
        publishing.publish(out, ["a"], theirs_first)
    monkeypatch.setattr(publishing.shutil, "copyfile", copy)
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)
    assert main(["validate", str(out)]) == 0
