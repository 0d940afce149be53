"""The four files of a figure belong together."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from avowed.jsonfile import read_json
from avowed.present.csvfile import read_table
from avowed.present.figure_files import write_figure


def test_pictures_table_and_record_are_of_the_same_rows(tmp_path: Path) -> None:
    output = SimpleNamespace(
        **{form: str(tmp_path / f"a.{form}") for form in ("svg", "png", "csv")},
        made=str(tmp_path / "a.made.json"),
    )
    rows = [{"x": 1, "y": 0.5, "aside": "z"}, {"x": 2, "y": None, "aside": "z"}]
    seen: list[Any] = []

    def draw(rows: Any, outputs: Sequence[Path], *, confidence: float) -> None:
        seen.append((rows, confidence))
        for path in outputs:
            path.write_text(f"{path.suffix}\n{len(rows)} rows\n")

    write_figure(output, ("y", "x"), rows, draw, seed=7, confidence=0.9)
    assert seen == [(rows, 0.9)]
    assert Path(output.csv).read_text().splitlines()[0] == "y,x"
    assert read_table(Path(output.csv)) == [{"y": 0.5, "x": 1}, {"y": None, "x": 2}]
    made = read_json(Path(output.made))
    assert made["seed"] == 7
    assert {name: one["sha256"] for name, one in made["files"].items()} == {
        path: hashlib.sha256(Path(path).read_bytes()).hexdigest()
        for path in (output.svg, output.png, output.csv)
    }
