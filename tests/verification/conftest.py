"""What several tests of the verification start from."""

from pathlib import Path

import pytest
from support.finished import write_results


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run in small, in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write_results()
