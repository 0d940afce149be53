"""JSON files of the pipeline: whole or not at all, and one line when damaged."""

from pathlib import Path

import pytest

from avowed.jsonfile import read_json, write_json
from avowed.refusal import Unusable


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.json"
    write_json(path, {"ä": [1, None]})
    assert read_json(path) == {"ä": [1, None]}
    assert path.read_text(encoding="utf-8").endswith("}\n")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b'{"a": NaN}',
        b'{"a": 1, "a": 2}',
        b'{"a": "\\ud800"}',
        b'{"\\udc00": 1}',
        b"[" * 100_000,
        b"[" * 100 + b"]" * 100,
        b"9" * 5000,
    ],
)
def test_a_damaged_file_is_unusable_and_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(Unusable, match=r"a\.json is damaged .*remove it and run again"):
        read_json(path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, 1)
    with pytest.raises(TypeError):
        write_json(path, object())
    assert read_json(path) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
