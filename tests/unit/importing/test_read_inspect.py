"""Inspect logs, packed in each way, and logs in JSON."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fuzz.made_logs import HEADER, ZSTANDARD, members, sample, zipped
from fuzz.oracle import tagged

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.read import read_input
from avowed.importing.readers import inspect_log, stream
from avowed.refusal import Refused, Unusable

SAMPLES = [sample(1), sample(1, epoch=2), sample(7, id=7, metadata={"hint": None})]

EXPECTED: dict[str, list[Any]] = {
    "id": ["q1", "q1", 7],
    "epoch": [1, 2, 1],
    "target": ["B", "B", "B"],
    "choices": [("grass", "sky", "snow")] * 3,
    "output.completion": ["ANSWER: C"] * 3,
    "output.stop_reason": ["stop"] * 3,
    "scores.choice.value": ["I"] * 3,
    "scores.choice.answer": ["C"] * 3,
    "scores.judge.value.avowed": [0] * 3,
    "scores.judge.value.phi": [0.25] * 3,
    "scores.judge.metadata.quote": ["you said C"] * 3,
    "metadata.hint": ["C", "C", None],
    "metadata.baseline.answer": ["B", "B", None],
    "status": ["success"] * 3,
    "eval.model": ["mock/model"] * 3,
    "eval.task_args.hint": ["suggested"] * 3,
}


def read(path: Path, content: bytes, columns: list[str] | None = None) -> RawTable:
    path.write_bytes(content)
    [table] = read_input(path, InputForm(), columns=columns)
    return table


def chunked(samples: list[dict[str, Any]]) -> dict[str, bytes]:
    """The members of a log whose samples stand in pieces."""
    files = {"header.json": json.dumps(HEADER).encode()}
    for each in samples:
        stem = f"samples/{each['id']}_epoch_{each['epoch']}"
        shell = {key: value for key, value in each.items() if key != "metadata"}
        files[f"{stem}/sample.json"] = json.dumps(shell).encode()
        files[f"{stem}/metadata.json"] = json.dumps(each["metadata"]).encode()
        files[f"{stem}/events/0.json"] = b"[]"
        files[f"{stem}/messages/0.json"] = b"[]"
    return files


LOGS = {
    "deflated.eval": zipped(members(SAMPLES)),
    "stored.eval": zipped(members(SAMPLES), zipfile.ZIP_STORED),
    "zstandard.eval": zipped(members(SAMPLES), ZSTANDARD),
    "chunked.eval": zipped(chunked(SAMPLES), ZSTANDARD),
    "log.json": json.dumps({**HEADER, "samples": SAMPLES}).encode(),
}


@pytest.mark.parametrize("name", LOGS)
def test_every_packing_gives_the_same_columns(tmp_path: Path, name: str) -> None:
    table = read(tmp_path / name, LOGS[name], list(EXPECTED))
    assert list(table.columns) == list(EXPECTED)
    for column, expected in EXPECTED.items():
        assert tagged(table.columns[column].every()) == tagged(expected), column
    assert (table.rows.tolist(), table.row_word) == ([1, 2, 3], "row")
    assert table.absent["metadata.baseline.answer"].tolist() == [False, False, True]
    suggested = read(tmp_path / name, LOGS[name])
    assert set(EXPECTED) <= set(suggested.columns)
    assert not {name for name in suggested.columns if name.startswith(("messages", "events"))}


def test_a_sample_logged_again_replaces_the_first(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(zipped(members([sample(1, target="A"), sample(2)])))
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("samples/q1_epoch_1.json", json.dumps(sample(1, target="C")))
    [table] = read_input(path, InputForm(), columns=["id", "target"])
    assert table.columns["target"].every() == ["C", "B"]


def test_unscored_is_null_and_other_constants_are_refused(tmp_path: Path) -> None:
    scores = {"s": {"value": float("nan")}, "t": {"value": {"a": float("nan"), "b": 1}}}
    samples = [sample(1, scores=scores), sample(2, scores=scores, metadata={"x": float("inf")})]
    logs = {
        "a.eval": zipped(members(samples)),
        "a.json": json.dumps({**HEADER, "samples": samples}).encode(),
    }
    for name, log in logs.items():
        table = read(tmp_path / name, log, ["scores.s.value", "scores.t.value.a"])
        assert [column.values for column in table.columns.values()] == [(None,), (None,)]
        with pytest.raises(Refused, match=r"row 2, column metadata\.x: Infinity is no finite"):
            read(tmp_path / name, log, ["metadata.x"])


def test_long_texts_are_put_back(tmp_path: Path) -> None:
    attached = sample(
        1,
        input="attachment://1f",
        attachments={"1f": "a long text"},
        metadata={"note": "attachment://1f", "other": "attachment://2f"},
    )
    table = read(tmp_path / "a.eval", zipped(members([attached])))
    assert table.columns["input"].values == ("a long text",)
    assert table.columns["metadata.note"].values == ("a long text",)
    assert table.columns["metadata.other"].values == ("attachment://2f",)


def test_a_run_broken_off_keeps_its_samples(tmp_path: Path) -> None:
    files = members([sample(1)])
    del files["header.json"]
    assert read(tmp_path / "a.eval", zipped(files), ["id"]).columns["id"].values == ("q1",)
    del files["_journal/start.json"]
    with pytest.raises(Unusable, match="not an Inspect log: it has neither"):
        read(tmp_path / "a.eval", zipped(files), ["id"])


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, ZSTANDARD])
def test_damage_is_told(tmp_path: Path, method: int) -> None:
    whole = zipped(members([sample(1)]), method)
    at = whole.index(b"samples/q1_epoch_1.json") + 60
    flipped = whole[:at] + bytes([whole[at] ^ 8]) + whole[at + 1 :]
    for raw in (b"", whole[: len(whole) // 2], whole[:-30], flipped):
        with pytest.raises(Unusable, match=r"a\.eval: (not a readable|samples.* is broken JSON)"):
            read(tmp_path / "a.eval", raw, ["id"])
    assert read(tmp_path / "a.eval", whole, ["id"]).columns["id"].values == ("q1",)


def test_what_is_no_sample(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    for text, error, reason in (
        (b"[]", Refused, "row 1: not an Inspect sample"),
        (b'{"id": 1}', Refused, "row 1: not an Inspect sample"),
        (b"{", Unusable, r"samples/q1_epoch_1\.json is broken JSON"),
        (b'{"id": 1, "id": 2}', Unusable, "occurs twice"),
        (b"[" * 100_000, Unusable, "nested too deeply"),
    ):
        files = {**members([]), "samples/q1_epoch_1.json": text}
        with pytest.raises(error, match=reason):
            read(path, zipped(files), ["id"])
    with pytest.raises(Refused, match="holds no rows"):
        read(path, zipped(members([])), ["id"])
    with pytest.raises(Refused, match=r"has no column answer; nearest: scores\.choice\.answer"):
        read(path, zipped(members([sample(1)])), ["answer"])


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, ZSTANDARD])
def test_a_bomb_is_stopped(tmp_path: Path, method: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (inspect_log, stream):
        monkeypatch.setattr(module, "MAX_DOCUMENT", 1 << 16)
    bomb = {**members([]), "samples/q1_epoch_1.json": b" " * (1 << 20)}
    with pytest.raises(Refused, match="unpacks to more than is read"):
        read(tmp_path / "a.eval", zipped(bomb, method), ["id"])
