"""A folder is held by one process at a time."""

import subprocess
import sys
from pathlib import Path

import pytest

from avowed.held import held
from avowed.refusal import Unusable


def test_nobody_else_gets_it_until_it_is_let_go(tmp_path: Path) -> None:
    with (
        held(tmp_path),
        pytest.raises(Unusable, match="another run is writing here"),
        held(tmp_path),
    ):
        pass
    with held(tmp_path):
        pass


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom avowed.held import held\n"
        "with held(Path(sys.argv[1])):\n    os.kill(os.getpid(), 9)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        check=False,
    )
    assert process.returncode == -9
    with held(tmp_path):
        pass


def test_a_folder_made_in_vain_is_removed_and_another_one_stays(tmp_path: Path) -> None:
    for folder in (tmp_path / "deep" / "new", tmp_path):
        with pytest.raises(KeyError), held(folder):
            raise KeyError
    assert tmp_path.is_dir() and not (tmp_path / "deep" / "new").exists()
    with pytest.raises(KeyError), held(tmp_path / "new"):
        (tmp_path / "new" / "kept").touch()
        raise KeyError
    assert (tmp_path / "new" / "kept").exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="is no folder"), held(tmp_path / "file"):
        pass


def test_a_folder_that_its_maker_removed_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    folder, lock = tmp_path / "new", fcntl.flock

    def late(descriptor: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        folder.rmdir()
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with held(folder):
        assert folder.is_dir()
