"""Paths that lead in circles, to nothing or to what is no file: one line, no traceback, no wait."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from support.deliveries import valid_records, write_parquet
from support.import_tables import changed

from avowed.cli import main
from avowed.real_path import real_path, refuse_no_folder, refuse_overwriting
from avowed.refusal import Unusable
from avowed.regular_file import read_regular


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


STANDS_THERE = [loop, pipe, device]


@pytest.fixture
def delivery(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "d", valid_records())


@pytest.fixture
def described(tmp_path: Path) -> Path:
    path = tmp_path / "m.yaml"
    path.write_text(yaml.safe_dump(changed()), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _no_wait() -> Iterator[None]:
    """A command that waits for a pipe or reads a device without end fails instead."""

    def late(number: int, frame: object) -> None:
        raise AssertionError("the command does not end")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(100)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command says that ends with code 2."""

    def call(*arguments: str | Path) -> str:
        assert main([str(part) for part in arguments]) == 2
        return capsys.readouterr().err

    return call


@pytest.mark.parametrize("make", STANDS_THERE)
@pytest.mark.parametrize("name", ["delivery.json", "records.parquet"])
def test_a_file_of_a_delivery(
    make: Callable[[Path], None], name: str, delivery: Path, refused: Callable[..., str]
) -> None:
    (delivery / name).unlink()
    make(delivery / name)
    for command in (["validate"], ["doctor"], ["estimate"]):
        assert str(delivery) in refused(*command, delivery)


@pytest.mark.parametrize("make", STANDS_THERE)
def test_records_as_json_lines(
    make: Callable[[Path], None], delivery: Path, refused: Callable[..., str]
) -> None:
    (delivery / "records.parquet").unlink()
    make(delivery / "records.jsonl")
    for command in ("doctor", "estimate", "validate"):
        assert str(delivery) in refused(command, delivery)


@pytest.mark.parametrize("make", STANDS_THERE)
def test_a_file_named_by_an_option(
    make: Callable[[Path], None],
    delivery: Path,
    described: Path,
    tmp_path: Path,
    refused: Callable[..., str],
) -> None:
    bad, other, rows = tmp_path / "bad", tmp_path / "e", tmp_path / "rows.jsonl"
    make(bad)
    shutil.copytree(delivery, other)
    rows.write_text('{"q": "q1", "c": "A", "h": "C", "a0": "A", "a1": "C", "v": false}\n')
    out, new = ("--out", tmp_path / "new"), tmp_path / "new"
    given = ("--construct", "c", "--language", "en", "--format-of-items", "f", "--threshold", "0.5")
    for command in (
        ("import", rows, "--mapping", bad, *out),
        ("import", bad, "--mapping", described, *out),
        ("import", bad, "--suggest"),
        ("estimate", delivery, "--config", bad),
        ("estimate", delivery, "--calibration", bad),
        ("doctor", delivery, "--config", bad),
        ("compare", delivery, other, "--config", bad),
        ("report", delivery, "--config", bad, *out),
        ("plan", "--susceptibility", "0.5", "--calibration", bad),
        ("calibrate", bad, "--judge", "model=m", *given, *out),
    ):
        assert "avowed: unusable: " in refused(*command)
        assert not new.exists()


def test_a_circle_of_links_as_a_folder(
    delivery: Path, described: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, rows = tmp_path / "bad", tmp_path / "rows.jsonl"
    loop(bad)
    rows.write_text('{"q": "q1", "c": "A", "h": "C", "a0": "A", "a1": "C", "v": false}\n')
    for command in (
        ("import", rows, "--mapping", described, "--out", bad),
        ("validate", bad),
        ("doctor", bad),
        ("estimate", bad),
        ("report", bad, "--out", tmp_path / "new"),
        ("report", delivery, "--out", bad),
        ("compare", delivery, bad),
        ("simulate", "--out", bad),
        ("calibrate", rows, "--judge-from", bad, "--out", tmp_path / "new"),
        ("calibrate", rows, "--judge-from", delivery, "--out", bad),
        ("factors", "score", "--usecase", bad, "--responses", bad),
        ("factors", "run", "--usecase", bad, "--component", "x", "--out", bad),
    ):
        assert main([str(part) for part in command]) == 2
        assert capsys.readouterr().err.startswith("avowed: unusable: ")
    assert not (tmp_path / "new").exists()


def test_a_link_to_nothing_as_a_folder_to_write_to(
    delivery: Path, described: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad").symlink_to("nowhere")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"q": "q1", "c": "A", "h": "C", "a0": "A", "a1": "C", "v": false}\n')
    for command in (
        ("import", rows, "--mapping", described, "--out", tmp_path / "bad"),
        ("report", delivery, "--out", tmp_path / "bad"),
    ):
        assert main([str(part) for part in command]) == 2
        assert "a symbolic link to nothing" in capsys.readouterr().err
    with pytest.raises(Unusable, match="is no folder"):
        refuse_no_folder(rows)


def test_the_output_of_a_command_is_not_its_input(
    delivery: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "again").symlink_to(delivery)
    before = (delivery / "records.parquet").read_bytes()
    for path in (delivery, tmp_path / "again"):
        given = ["estimate", str(delivery), "--out", str(path / "records.parquet")]
        assert main(given) == 2
        capsys.readouterr()
    assert (delivery / "records.parquet").read_bytes() == before
    other, out = write_parquet(tmp_path / "e", valid_records()[:3]), tmp_path / "out"
    out.mkdir()
    for command, options, name in (
        (["estimate", delivery], ["--config"], "mine.yaml"),
        (["estimate", delivery], ["--calibration"], "mine.json"),
        (["report", delivery], ["--config"], "index.html"),
        (["report", delivery], ["--calibration"], "index.html"),
        (["compare", delivery, other], ["--config"], "compare.csv"),
        (["plan", "--susceptibility", "0.5"], ["--calibration"], "mine.json"),
    ):
        given = out / name
        given.write_text("{}", encoding="utf-8")
        target = out if command[0] in ("report", "compare") else given
        words = [*command, *options, given, "--out", target]
        assert main([str(word) for word in words]) == 2
        assert "is read and would be written over" in capsys.readouterr().err
        assert given.read_text(encoding="utf-8") == "{}"
        given.unlink()


def test_where_a_path_leads(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    for path in (tmp_path / "one", tmp_path / "one" / "below"):
        with pytest.raises(Unusable, match="go in a circle"):
            real_path(path)
    (tmp_path / "link").symlink_to("file")
    assert real_path(tmp_path / "link") == tmp_path.resolve() / "file"
    (tmp_path / "file").touch()
    (tmp_path / "hard").hardlink_to(tmp_path / "file")
    for other in ("link", "hard", "../" + tmp_path.name + "/file"):
        with pytest.raises(Unusable, match="would be written over"):
            refuse_overwriting([tmp_path / other], [tmp_path / "file"])
    refuse_overwriting([tmp_path / "third"], [tmp_path / "file"])


def test_only_a_file_is_read(tmp_path: Path) -> None:
    for make in STANDS_THERE:
        make(tmp_path / make.__name__)
        with pytest.raises(OSError, match=r"regular|symbolic"):
            read_regular(tmp_path / make.__name__)
    for missing in (tmp_path, tmp_path / "no"):
        with pytest.raises((IsADirectoryError, FileNotFoundError)):
            read_regular(missing)
