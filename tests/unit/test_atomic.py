"""A target is written whole or stays as it was."""

from pathlib import Path

import pytest

from avowed.atomic import atomic_path
from avowed.refusal import Unusable


def test_target_appears_only_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "new" / "table.csv"
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
        assert temporary.parent == target.parent
        assert temporary.suffix == ".csv"
        assert temporary.name.startswith(".")
    assert target.read_text() == "whole"
    assert list(target.parent.iterdir()) == [target]


def test_existing_target_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    target.write_text("old")
    with atomic_path(target) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError("bad row"), KeyboardInterrupt()])
def test_failure_keeps_the_old_file_and_leaves_nothing(
    tmp_path: Path, error: BaseException
) -> None:
    target = tmp_path / "table.csv"
    target.write_text("old")
    with pytest.raises(type(error)), atomic_path(target) as temporary:
        temporary.write_text("half")
        raise error
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_failure_before_anything_was_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="early"), atomic_path(tmp_path / "a.csv"):
        raise ValueError("early")
    assert list(tmp_path.iterdir()) == []


def test_writing_nothing_is_an_error_and_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    target.write_text("old")
    nothing = pytest.raises(FileNotFoundError, match=r"table\.csv: nothing was written")
    with nothing, atomic_path(target):
        pass
    assert target.read_text() == "old"


def test_two_writers_of_one_target_do_not_share_a_temporary_file(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    with atomic_path(target) as first, atomic_path(target) as second:
        assert first != second
        first.write_text("first")
        second.write_text("second")
    assert target.read_text() == "first"


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "table.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    with atomic_path(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink() and target.read_text() == "new"
    assert list(target.parent.iterdir()) == [target]


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    for target in (folder, tmp_path / "link", Path("/dev/null")):
        with pytest.raises(Unusable, match="is not a regular file"), atomic_path(target):
            raise AssertionError("the block was entered")
    assert list(folder.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link"]
