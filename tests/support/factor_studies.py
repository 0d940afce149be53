"""Commands on small studies of the example use case, and what they say."""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from avowed.cli import main
from avowed.factors.responses import PARSED_FIELDS

REPOSITORY = Path(__file__).parents[2]
USE_CASE = REPOSITORY / "data" / "usecases" / "loan.yaml"
SMALL = ["--trials", "2", "--repeats", "1"]


def run(out: Path, *arguments: str, case: Path = USE_CASE) -> int:
    return main(["factors", "run", "--usecase", str(case), "--out", str(out), *SMALL, *arguments])


def score(*responses: Path, case: Path = USE_CASE, out: Path | None = None) -> int:
    paths = [str(path) for path in responses]
    given = [] if out is None else ["--out", str(out)]
    return main(["factors", "score", "--usecase", str(case), "--responses", *paths, *given])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def told(capsys: pytest.CaptureFixture[str], verdict: str) -> str:
    """The one line that says what is wrong."""
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    line = said.err.splitlines()[-1]
    assert line.startswith(f"avowed: {verdict}: ")
    return line.removeprefix(f"avowed: {verdict}: ")


def write_small_case(root: Path) -> Path:
    """The example with five inputs, in folders as the repository has them."""
    for folder in ("usecases", "components"):
        content = (REPOSITORY / "data" / folder / "loan.yaml").read_text(encoding="utf-8")
        if folder == "usecases":
            content = re.sub(r"(?m)^samples: .*$", "samples: 5", content)
        (root / folder).mkdir()
        (root / folder / "loan.yaml").write_text(content, encoding="utf-8")
    return root / "usecases" / "loan.yaml"


def copy_as_lines(study: Path, folder: Path) -> Path:
    """A copy of a study with its responses as JSON lines, raw texts only."""
    folder.mkdir()
    for name in ("inputs.jsonl", "plan.json"):
        (folder / name).write_bytes((study / name).read_bytes())
    table = pq.read_table(study / "responses.parquet").drop_columns(list(PARSED_FIELDS))
    write(folder / "responses.jsonl", table.to_pylist())
    return folder


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
