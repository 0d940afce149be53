"""Paths and names of the command line: usable, or one message that says why not."""

import argparse
from pathlib import Path

import pytest
from support.deliveries import valid_records, write_lines

from avowed.cli import main
from avowed.commands.given import condition_name, given_path
from avowed.refusal import Unusable


def test_a_path_is_taken_as_it_was_typed_and_an_empty_one_is_none() -> None:
    assert given_path(".") == Path()
    assert given_path("a b/\udcff") == Path("a b/\udcff")
    with pytest.raises(argparse.ArgumentTypeError, match="the path is empty"):
        given_path("")


@pytest.mark.parametrize(
    "name", ["mine", "gpt-4 (zero shot)", "ähnlich/日本", "\u3000a", "👩\u200d🔬", "--"]
)
def test_whatever_is_text_is_a_name(name: str, tmp_path: Path) -> None:
    assert condition_name(name, tmp_path) == name
    assert condition_name(None, tmp_path / "x" / ".." / "y") == "y"


@pytest.mark.parametrize(
    "name", ["", " ", "\n", "a\nb", "a\x00", "\x7f", "\x9b", "\u2029", "\udc80"]
)
def test_what_cannot_stand_in_a_table_is_no_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="; give another with --name") as raised:
        condition_name(name, tmp_path)
    assert str(raised.value).isprintable()


def test_the_root_folder_has_no_name() -> None:
    with pytest.raises(Unusable, match="the name '' is empty"):
        condition_name(None, Path("/"))


@pytest.mark.parametrize("name", ["", "a\nb", "\udcff"])
def test_estimate_refuses_such_a_name_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.csv"
    mine = str(write_lines(tmp_path / "mine", valid_records()))
    assert main(["estimate", mine, "--name", name, "--out", str(out)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("avowed: unusable: the name ") and not out.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["validate", ""],
        ["estimate", ""],
        ["estimate", "mine", "--config", ""],
        ["report", "", "--out", "out"],
        ["simulate", "--out", ""],
        ["calibrate", "labels.csv", "--judge-from", "mine", "--out", ""],
    ],
)
def test_no_command_takes_an_empty_path_for_the_current_folder(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "the path is empty" in capsys.readouterr().err
