"""Whole runs in copies of the repository; a finished run serves as many tests as it can."""

import os
import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
def both(
    pristine: Copy, raw_files: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Copy, Copy]:
    """Two complete runs side by side, because either alone leaves a processor idle for a while.

    One is from the coded answers, on one core. The other is from the raw files, on two; without
    them it is one that asks for no source, and finds the coded answers.
    """
    one, two = (
        pristine.again(tmp_path_factory.mktemp(name) / "copy") for name in ("completed", "second")
    )
    other = {"AVOWED_MIRROR": "no/such/folder"}
    if raw_files is not None:
        other = {"AVOWED_MIRROR": str(raw_files), "AVOWED_SOURCE": "mirror"}
    with ThreadPoolExecutor() as pool:
        runs = [
            pool.submit(one.snakemake, cores=1, AVOWED_SOURCE="coded"),
            pool.submit(two.snakemake, cores=2, **other),
        ]
    for run in runs:
        assert run.result().code == 0, run.result().said
    return one, two


@pytest.fixture(scope="session")
def completed(both: tuple[Copy, Copy]) -> Copy:
    """A complete run from the coded answers on one core; tests read it and change nothing."""
    return both[0]


@pytest.fixture(scope="session")
def second(both: tuple[Copy, Copy]) -> Copy:
    """Another complete run, on two cores and from the raw files where they are at hand."""
    return both[1]


@pytest.fixture
def working(completed: Copy, tmp_path: Path) -> Iterator[Copy]:
    """A complete run of the test's own, to be changed at will."""
    yield completed.again(tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy")


@pytest.fixture(scope="session")
def raw_files() -> Path | None:
    """The upstream files, where they are at hand: AVOWED_MIRROR, or beside the repository."""
    folder = Path(os.environ.get("AVOWED_MIRROR") or REPOSITORY.parent / "shared" / "turpin")
    return folder.resolve() if (folder / "data" / "bbh").is_dir() else None
