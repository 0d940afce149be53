"""Whole runs in copies of the repository; a finished run serves as many tests as it can."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from workflow.pipeline import REPOSITORY, Copy, copy_repository


@pytest.fixture(scope="session")
def closed_port() -> Iterator[str]:
    """A loopback address that refuses: bound for as long as it is needed, never listening."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory, closed_port: str) -> Copy:
    """A clean copy in which nothing has run; tests leave it so."""
    root = tmp_path_factory.mktemp("pristine")
    copy_repository(root)
    return Copy(root, closed_port)


@pytest.fixture(scope="session")
def completed(pristine: Copy, tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A complete run from the coded answers on one core; tests read it and change nothing."""
    copy = pristine.again(tmp_path_factory.mktemp("completed") / "copy")
    finished = copy.snakemake(cores=1, AVOWED_SOURCE="coded")
    assert finished.code == 0, finished.said
    return copy


@pytest.fixture(scope="session")
def second(pristine: Copy, tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Another complete run: two cores, and a source that is found, not asked for."""
    copy = pristine.again(tmp_path_factory.mktemp("second") / "copy")
    finished = copy.snakemake(cores=2, AVOWED_MIRROR="no/such/folder")
    assert finished.code == 0, finished.said
    told = finished.line_with("source: coded, ")
    assert "mirror did not serve: there is no folder no/such/folder" in told
    assert "download did not serve: " in told
    return copy


@pytest.fixture
def working(completed: Copy, tmp_path: Path) -> Copy:
    """A complete run of the test's own, to be changed at will."""
    return completed.again(tmp_path / "copy")


@pytest.fixture(scope="session")
def raw_files() -> Path | None:
    """The upstream files, where they are at hand: AVOWED_MIRROR, or beside the repository."""
    folder = Path(os.environ.get("AVOWED_MIRROR") or REPOSITORY.parent / "shared" / "turpin")
    return folder.resolve() if (folder / "data" / "bbh").is_dir() else None
