"""Data sets of a hub: explicit features, the local cache, and no network."""

from pathlib import Path
from typing import Any

import datasets
import pytest
from fuzz.oracle import tagged

from avowed.importing.input_form import InputForm
from avowed.importing.read import read_input
from avowed.importing.readers import hub
from avowed.refusal import Refused, Unusable

ROWS: dict[str, list[Any]] = {
    "id": ["q1", "q2"],
    "x": [None, 3],
    "choices": [["A", "B"], None],
    "meta": [{"ok": True}, None],
}


class Hub:
    """Stands where the loader of the package does and remembers how it was called."""

    def __init__(self, *splits: str) -> None:
        data = datasets.Dataset.from_dict(ROWS)
        self.loaded = datasets.DatasetDict(dict.fromkeys(splits, data))
        self.calls: list[tuple[Any, ...]] = []
        self.options: dict[str, Any] = {}

    def __call__(self, *name: Any, **options: Any) -> datasets.DatasetDict:
        self.calls.append(name)
        self.options = options
        return self.loaded


def test_values_keep_their_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = Hub("test")
    monkeypatch.setattr(datasets, "load_dataset", loader)
    how = InputForm(features={"id": "string", "x": "int64", "choices": "[string]"})
    [table] = read_input("hf://ours/study:small@v1", how, columns=None)
    assert table.file == "hf://ours/study:small@v1"
    assert {name: tagged(column.every()) for name, column in table.columns.items()} == {
        "id": tagged(["q1", "q2"]),
        "x": tagged([None, 3]),
        "choices": tagged([["A", "B"], None]),
        "meta.ok": tagged([True, None]),
    }
    assert loader.calls == [("ours/study", "small")]
    assert loader.options["revision"] == "v1" and loader.options["streaming"] is False
    assert loader.options["features"] == datasets.Features(
        {
            "id": datasets.Value("string"),
            "x": datasets.Value("int64"),
            "choices": datasets.List(datasets.Value("string")),
        }
    )
    # A path swallows a slash.
    [again] = read_input(Path("hf://ours/study"), how, columns=["x"])
    assert (again.file, again.columns["x"].every()) == ("hf://ours/study", [None, 3])


def test_the_split_is_named_where_there_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "load_dataset", Hub("train", "test"))
    with pytest.raises(Refused, match=r"the split is not named; say input\.split, one of train, t"):
        read_input("hf://ours/study", InputForm(), columns=["x"])
    with pytest.raises(Refused, match="the split dev is not there"):
        read_input("hf://ours/study", InputForm(split="dev"), columns=["x"])
    [table] = read_input("hf://ours/study", InputForm(split="test"), columns=["x"])
    assert len(table) == 2
    with pytest.raises(Refused, match="hf://ours/study: has no column y; nearest: x"):
        read_input("hf://ours/study", InputForm(split="test"), columns=["y"])


def test_a_data_set_out_of_reach_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_within_reach", lambda: False)
    with pytest.raises(Unusable, match=r"hf://nobody/nothing: is not in the local cache") as told:
        read_input("hf://nobody/nothing", InputForm(), columns=["x"])
    assert "name its files instead" in str(told.value)
    before = [datasets.config.HF_HUB_OFFLINE]
    with hub._offline():
        assert datasets.config.HF_HUB_OFFLINE is True
    assert before == [datasets.config.HF_HUB_OFFLINE]


def test_nothing_is_asked_of_a_hub_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://localhost:1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "getproxies", dict)
    assert not hub._within_reach()
    monkeypatch.setattr(hub, "getproxies", lambda: {"https": "proxy"})
    assert hub._within_reach()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert not hub._within_reach()


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b/c", "/etc", "a b", "a/../b", "-x"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(Unusable, match="not the name of a data set"):
        hub.read_hub(f"hf://{name}", InputForm(), columns=None)


def test_files_here_are_never_taken_for_a_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "study").mkdir()
    with pytest.raises(Unusable, match="a file or folder study stands here"):
        read_input("hf://study", InputForm(), columns=None)
    for loader in ("csv", "parquet", "json", "text"):
        with pytest.raises(Unusable, match="is the name of a loader and of no data set"):
            read_input(f"hf://{loader}", InputForm(), columns=None)


def test_a_feature_of_no_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "load_dataset", Hub("test"))
    with pytest.raises(Unusable, match=r"input\.features\.x: found 'integer'; say string, bool"):
        read_input("hf://ours/study", InputForm(features={"x": "integer"}), columns=None)
