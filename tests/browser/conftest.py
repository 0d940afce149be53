"""A headless Chromium from the system, and the pages that it opens."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser.sample import sample_page, write_sample

from avowed.present.page import render

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REPOSITORY = Path(__file__).parents[2]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


@dataclass
class Opened:
    """A page in the browser and everything that it complained of or asked for."""

    path: Path
    page: "Page"
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def program() -> str:
    """The browser's executable; without one these tests cannot say anything, so they fail."""
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    raise FileNotFoundError(f"none of {', '.join(PROGRAMS)} is on the PATH; install Chromium")


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report over made-up tables, rendered where the workflow would put it."""
    root = tmp_path_factory.mktemp("sample")
    write_sample(root)
    path = root / "results/report/index.html"
    path.parent.mkdir(parents=True)
    path.write_text(render(sample_page(root)), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def finished() -> Path:
    """The report of a finished run: ``AVOWED_REPORT``, or the one of this checkout."""
    named = os.environ.get("AVOWED_REPORT")
    return Path(named) if named else REPOSITORY / "results/report/index.html"


@pytest.fixture(params=["sample", "finished"])
def report(request: pytest.FixtureRequest) -> Path:
    path: Path = request.getfixturevalue(request.param)
    assert path.is_file(), f"{path} is not there; make it with: snakemake --cores 2 {path}"
    return path.resolve()


@pytest.fixture
def open_page(chromium: "Browser") -> Iterator[Any]:
    """Open a page from its file, with the options of a browser context."""
    contexts = []

    def opened(path: Path, **options: Any) -> Opened:
        options = {"viewport": {"width": 1200, "height": 900}, "color_scheme": "light"} | options
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        found = Opened(path, page)
        page.on(
            "console",
            lambda said: (
                found.errors.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: found.errors.append(str(error)))
        page.on("request", lambda asked: found.requests.append(asked.url))
        page.goto(path.as_uri())
        return found

    yield opened
    for context in contexts:
        context.close()
