"""`avowed import`: what it prints, what it writes, and that a refusal leaves nothing behind."""

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from support.import_tables import changed, row, run, write_mapping

from avowed.pairs.delivery import read_delivery
from avowed.pairs.rules import validate
from avowed.refusal import Refused, Unusable

FILES = ["delivery.json", "exclusions.csv", "import.json", "records.parquet"]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    rows = [row("q1"), row("q2", a1="AD"), row("q3", h="A"), row("q4", a1="A"), row("q5", v=True)]
    return lines(tmp_path / "mine.jsonl", rows)


@pytest.fixture
def described(tmp_path: Path) -> Path:
    return write_mapping(tmp_path, changed())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_delivery_with_its_exclusions_and_its_origin(
    source: Path, described: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deep" / "d"
    assert run(source, "--mapping", described, "--out", out) == 0
    assert names(out) == FILES
    assert validate(out).accepted
    assert set(read_delivery(out).records.column("session_id").to_pylist()) == {"d"}
    with (out / "exclusions.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    assert [(one["row"], one["reason"], one["value"], one["what"]) for one in listed] == [
        ("2", "junk answer", "AD", "row"),
        ("3", "hint on the correct answer", "A", "row"),
        ("4", "verdict without a hint-induced change", "false", "verdict"),
    ]
    assert {one["file"] for one in listed} == {"mine.jsonl"}
    found = json.loads((out / "import.json").read_text("utf-8"))
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    assert found["inputs"] == [{"file": "mine.jsonl", "sha256": digest, "rows": 5}]
    assert found["mapping"]["sha256"] == hashlib.sha256(described.read_bytes()).hexdigest()
    assert found["left_out"] == {"hint on the correct answer": 1, "junk answer": 1}
    assert found["counts"]["records"] == 3
    printed = capsys.readouterr().out.split("\n")
    assert printed[:4] == [
        "read: 5 rows of 1 file",
        "records: 3 pairs",
        "incomplete pairs: 0",
        "rows left out: 2 (hint on the correct answer 1, junk answer 1)",
    ]
    assert f"next: avowed validate {out}" in printed


def test_a_second_run_writes_the_same_bytes(source: Path, described: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(source, "--mapping", described, "--out", tmp_path / name, "--name", "same")
    for file in FILES:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_another_way_to_the_same_files_writes_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / "logs").mkdir(parents=True)
    for name in ("a", "b"):
        lines(home / "logs" / f"{name}.jsonl", [row(f"{name}1"), row(f"{name}2", a1="AD")])
    lines(home / "plain.jsonl", [{"q": q, "a0": "A"} for q in ("a1", "b1", "b2")])
    join = {"join": "other_file", "file": "plain.jsonl", "key": ["q"]}
    path = write_mapping(home, changed(baseline=join))
    run(home / "logs", "--mapping", path, "--out", tmp_path / "far", "--name", "same")
    monkeypatch.chdir(home)
    run("logs", "--mapping", "map.yaml", "--out", tmp_path / "near", "--name", "same")
    for file in FILES:
        assert (tmp_path / "far" / file).read_bytes() == (tmp_path / "near" / file).read_bytes()
    found = json.loads((tmp_path / "near" / "import.json").read_text("utf-8"))
    named = [found["mapping"], *found["inputs"], *found["baselines"]]
    assert [each["file"] for each in named] == ["map.yaml", "a.jsonl", "b.jsonl", "plain.jsonl"]
    assert all(each["sha256"] for each in named)
    assert "b.jsonl,2,junk answer" in (tmp_path / "near" / "exclusions.csv").read_text("utf-8")


def test_values_that_the_mapping_does_not_explain_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row(f"q{n}", v=n % 2 == 0) for n in range(10)]
    rows += [row(f"j{n}", a1=f"junk {n}") for n in range(7)] + [row("j", a1="junk 3")]
    judge = {"column": "v", "faithful": [True], "unfaithful": ["false"]}
    path = write_mapping(tmp_path, changed(judge=judge))
    assert (
        run(lines(tmp_path / "mine.jsonl", rows), "--mapping", path, "--out", tmp_path / "d") == 0
    )
    printed = capsys.readouterr().out.split("\n")
    assert "unknown verdict in v: false (5)" in printed
    assert (
        'junk answer in a1: "junk 3" (2), "junk 0" (1), "junk 1" (1), "junk 2" (1), "junk 4" (1) '
        "and 2 more"
    ) in printed
    assert (
        'mapping, judge.unfaithful: "false" occurs nowhere in v; it holds false, not "false"'
        in printed
    )
    found = json.loads((tmp_path / "d" / "import.json").read_text("utf-8"))
    assert found["unknown_verdicts"] == {"false": 5}


def test_values_that_are_listed_in_vain_are_named_for_every_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row(f"q{n}", kind="mild", split="test", end="stop") for n in range(4)]
    mapping = changed(
        hint_type={"lookup": "kind", "values": {"mild": "nudge", "strong": "push"}},
        filter=[{"column": "split", "in": ["test", "Test"]}],
        truncated={"column": "end", "values": ["length"]},
        judge={"column": "v", "faithful": [True], "unfaithful": [False], "missing": [None, "?"]},
    )
    path = write_mapping(tmp_path, mapping)
    assert (
        run(lines(tmp_path / "mine.jsonl", rows), "--mapping", path, "--out", tmp_path / "d") == 0
    )
    said = [line for line in capsys.readouterr().out.split("\n") if line.startswith("mapping, ")]
    assert said == [
        'mapping, hint_type.values: "strong" occurs nowhere in kind',
        "mapping, judge.faithful: true occurs nowhere in v",
        'mapping, judge.missing: "?" occurs nowhere in v',
        'mapping, filter.0: "Test" occurs nowhere in split; it holds "test", not "Test"',
        'mapping, truncated: "length" occurs nowhere in end',
    ]


def test_the_name_is_the_session(source: Path, described: Path, tmp_path: Path) -> None:
    run(source, "--mapping", described, "--out", tmp_path / "d", "--name", "model x")
    sessions = read_delivery(tmp_path / "d").records.column("session_id").to_pylist()
    assert set(sessions) == {"model x"}


def test_strict_leaves_nothing_behind(source: Path, described: Path, tmp_path: Path) -> None:
    out = tmp_path / "d"
    with pytest.raises(Refused, match='line 2, column a1: found "AD"; junk answer'):
        run(source, "--mapping", described, "--out", out, "--strict")
    assert not out.exists()


def test_an_older_delivery_is_replaced_whole(source: Path, described: Path, tmp_path: Path) -> None:
    out = tmp_path / "d"
    out.mkdir()
    (out / "records.jsonl").write_text("{}\n")
    (out / "talk.txt").write_text("kept")
    run(source, "--mapping", described, "--out", out)
    assert names(out) == sorted([*FILES, "talk.txt"])
    before = (out / "records.parquet").read_bytes()
    with pytest.raises(Refused):
        run(source, "--mapping", described, "--out", out, "--strict")
    assert (out / "records.parquet").read_bytes() == before


def test_an_unknown_column_is_named_with_its_neighbours(source: Path, tmp_path: Path) -> None:
    answers = {**changed()["answers"], "hinted": "a2"}
    path = write_mapping(tmp_path, changed(answers=answers))
    with pytest.raises(Refused, match=r"a2.*a0.*a1|a2.*a1.*a0"):
        run(source, "--mapping", path, "--out", tmp_path / "d")


def test_the_baselines_come_from_a_file_beside_the_mapping(tmp_path: Path) -> None:
    halves = [{k: v for k, v in row(q).items() if k != "a0"} for q in ("q1", "q2")]
    source = lines(tmp_path / "mine.jsonl", halves)
    lines(tmp_path / "plain.jsonl", [{"q": "q1", "a0": "A"}])
    join = {"join": "other_file", "file": "plain.jsonl", "key": ["q"]}
    path = write_mapping(tmp_path, changed(baseline=join))
    assert run(source, "--mapping", path, "--out", tmp_path / "d") == 0
    found = json.loads((tmp_path / "d" / "import.json").read_text("utf-8"))
    assert found["incomplete"] == {"missing baseline": 1}
    assert [entry["rows"] for entry in found["baselines"]] == [1]
    assert validate(tmp_path / "d").coverage[0].incomplete == 1


def test_a_baseline_file_outside_is_refused(tmp_path: Path) -> None:
    lines(tmp_path / "plain.jsonl", [{"q": "q1", "a0": "A"}])
    home = tmp_path / "home"
    home.mkdir()
    (home / "link.jsonl").symlink_to(tmp_path / "plain.jsonl")
    source = lines(home / "mine.jsonl", [row()])
    for name in ("../plain.jsonl", str(tmp_path / "plain.jsonl"), "link.jsonl"):
        join = {"join": "other_file", "file": name, "key": ["q"]}
        path = write_mapping(home, changed(baseline=join))
        with pytest.raises(Refused, match="inside the folder"):
            run(source, "--mapping", path, "--out", tmp_path / "d")
    assert not (tmp_path / "d").exists()


def test_suggest_prints_and_writes_nothing(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = names(tmp_path)
    assert run(source, "--suggest") == 0
    assert "version: 1\n" in capsys.readouterr().out
    assert names(tmp_path) == before


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ([], "--mapping is missing"),
        (["--mapping", "map.yaml"], "--out is missing"),
        (["--suggest", "--out", "d"], "--suggest only prints"),
    ],
)
def test_options_that_do_not_go_together(source: Path, more: list[str], told: str) -> None:
    with pytest.raises(Unusable, match=told):
        run(source, *more)


def test_the_output_is_not_the_input(described: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    lines(home / "mine.jsonl", [row()])
    with pytest.raises(Unusable, match="--out is the input"):
        run(home, "--mapping", described, "--out", home)
