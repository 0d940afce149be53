"""What a run used is told truly, or not at all."""

import hashlib
import json
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from avowed import __version__
from avowed.provenance import commit_of, describe_run


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the caller's repository nor one around the temporary folder is seen."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "file").write_text("first\n")
    git(folder, "add", "file")
    git(folder, "commit", "--quiet", "-m", "first")
    return folder


def test_the_commit_of_a_clean_checkout(checkout: Path) -> None:
    assert commit_of(checkout) == git(checkout, "rev-parse", "HEAD")


def test_changes_are_told(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    (checkout / "file").write_text("second\n")
    assert commit_of(checkout) == f"{head}+changes"
    git(checkout, "add", "file")
    assert commit_of(checkout) == f"{head}+changes"


def test_results_and_other_new_files_are_no_changes(checkout: Path) -> None:
    (checkout / "results").write_text("new")
    assert commit_of(checkout) == git(checkout, "rev-parse", "HEAD")


def test_outside_a_checkout_it_is_unknown(tmp_path: Path) -> None:
    assert commit_of(tmp_path) == "unknown"
    assert commit_of(tmp_path / "gone") == "unknown"


def test_a_checkout_without_a_commit_is_unknown(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    assert commit_of(tmp_path) == "unknown"


def test_an_archive_within_another_project_does_not_take_its_commit(checkout: Path) -> None:
    (checkout / "unpacked").mkdir()
    assert commit_of(checkout / "unpacked") == "unknown"


def test_without_git_it_is_unknown(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert commit_of(checkout) == "unknown"


def test_a_run_is_described(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    (checkout / "table.csv").write_bytes(b"a\n1\n")
    source = {"kind": "coded", "tried": ()}
    record = describe_run(
        root=checkout,
        source=source,
        settings={"seed": 1},
        inputs=[Path("file")],
        tables=[Path("table.csv")],
    )
    assert record["avowed"] == __version__
    assert record["commit"] == commit_of(checkout)
    assert record["python"] == platform.python_version()
    assert record["source"] == source and record["settings"] == {"seed": 1}
    assert record["inputs"] == {"file": hashlib.sha256(b"first\n").hexdigest()}
    assert record["tables"] == {"table.csv": hashlib.sha256(b"a\n1\n").hexdigest()}
    for package in ("numpy", "scipy", "pyarrow", "matplotlib", "snakemake"):
        assert record["packages"][package] == version(package)
    assert json.loads(json.dumps(record))["source"]["tried"] == []


def test_a_package_that_is_not_installed_is_null(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("avowed.provenance._PACKAGES", ("no-such-package-of-ours",))
    record = describe_run(root=checkout, source={}, settings={}, inputs=[], tables=[])
    assert record["packages"] == {"no-such-package-of-ours": None}


def test_an_input_that_is_not_there_is_an_error(checkout: Path) -> None:
    with pytest.raises(FileNotFoundError):
        describe_run(root=checkout, source={}, settings={}, inputs=[checkout / "gone"], tables=[])
