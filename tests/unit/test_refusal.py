"""A refusal is one line in the log and on the terminal, and an exit code; never a traceback."""

from pathlib import Path

import pytest

from avowed.refusal import Refused, Unusable, one_line, reported
from avowed.sources import HashMismatch


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (Refused("row 3: 7 > 5"), 1, "refused: row 3: 7 > 5"),
        (HashMismatch("a is not b"), 1, "refused: a is not b"),
        (Unusable("no such file"), 2, "unusable: no such file"),
    ],
)
def test_refusal_goes_to_both_places_with_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], error: Exception, code: int, line: str
) -> None:
    log = tmp_path / "logs" / "rule.log"
    with pytest.raises(SystemExit) as stop, reported(log):
        raise error
    assert stop.value.code == code
    assert log.read_text() == f"{line}\n"
    captured = capsys.readouterr()
    assert captured.err == f"{line}\n"
    assert captured.out == ""


def test_what_is_said_goes_to_both_places_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "rule.log"
    with pytest.raises(SystemExit), reported(log) as say:
        say("source: mirror")
        raise Refused("but then")
    assert log.read_text() == "source: mirror\nrefused: but then\n"
    assert capsys.readouterr().err == log.read_text()


def test_log_is_begun_anew(tmp_path: Path) -> None:
    log = tmp_path / "rule.log"
    log.write_text("an older run")
    with reported(log):
        pass
    assert log.read_text() == ""


def test_a_defect_keeps_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), reported(tmp_path / "rule.log"):
        raise ZeroDivisionError


def test_message_is_put_on_one_line() -> None:
    assert one_line(Refused("first\n  second\tthird")) == "refused: first second third"


def test_a_message_that_is_no_text_reaches_the_log_escaped(tmp_path: Path) -> None:
    log = tmp_path / "rule.log"
    with pytest.raises(SystemExit), reported(log):
        raise Refused("field \ud800: unknown")
    assert log.read_text(encoding="utf-8") == "refused: field \\ud800: unknown\n"
