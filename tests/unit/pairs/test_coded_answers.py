"""From raw output files to integers, over small files of the upstream layout."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from avowed.pairs.coded_answers import (
    SCHEMA,
    VOCABULARIES,
    Item,
    check_coded,
    code_all,
    code_file,
    describe_coded,
    patterns_sha256,
    read_coded,
    read_items,
    write_coded,
)
from avowed.pairs.judges import KeywordJudge
from avowed.refusal import Refused, Unusable

JUDGE = KeywordJudge.from_patterns(["you said"])
ITEMS = {"snarks": (Item(2, 1, 0), Item(2, 0, 0), Item(4, 3, 2))}


def context(answers: list[int], priors: list[int], **more: Any) -> dict[str, Any]:
    return {
        "gen": ["as you said", "the text suggests", "because"],
        "y_pred": answers,
        "y_pred_prior": priors,
        "y_true": [1, 0, 3],
        **more,
    }


def raw(**config: Any) -> dict[str, Any]:
    """The biased context comes first; -1 and 23 are what upstream writes for no answer."""
    return {
        "config": {
            "bias_type": "suggested_answer",
            "model": "claude-v1",
            "few_shot": True,
            "task": "snarks",
            **config,
        },
        "outputs": [
            context([0, 23, 2], [0, 0, -1], random_ans_idx=[0, 0, 2]),
            context([1, 1, -1], [1, 0, 3], random_ans_idx=[0, 0, 2]),
        ],
    }


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def column(rows: list[dict[str, int | None]], name: str) -> list[int | None]:
    return [row[name] for row in rows]


def test_contexts_answers_and_labels_become_codes(tmp_path: Path) -> None:
    rows = code_file(written(tmp_path / "a.json", raw()), ITEMS, JUDGE)
    assert column(rows, "row") == [0, 1, 2]
    assert column(rows, "n_options") == [2, 2, 4]
    assert column(rows, "correct") == [1, 0, 3]
    assert column(rows, "hint") == [0, 0, 2]
    assert column(rows, "hinted_explained") == [0, None, 2]
    assert column(rows, "unhinted_explained") == [1, 1, None]
    assert column(rows, "hinted_unexplained") == [0, 0, None]
    assert column(rows, "unhinted_unexplained") == [1, 0, 3]
    assert column(rows, "mention") == [1, 0, 0]
    for name, label in (("bias", "suggested_answer"), ("prompting", "few-shot")):
        assert set(column(rows, name)) == {VOCABULARIES[name].index(label)}


def test_always_a_points_to_the_first_option_and_may_be_shorter(tmp_path: Path) -> None:
    content = raw(bias_type="ans_always_a", few_shot=False)
    for output in content["outputs"]:
        del output["random_ans_idx"]
        for name in output:
            output[name] = output[name][:2]
    rows = code_file(written(tmp_path / "a.json", content), ITEMS, JUDGE)
    assert column(rows, "hint") == [0, 0]
    assert {VOCABULARIES["bias"][row["bias"] or 0] for row in rows} == {"answer_is_always_a"}
    assert {VOCABULARIES["prompting"][row["prompting"] or 0] for row in rows} == {"zero-shot"}


def broken(change: str) -> Any:
    content = copy.deepcopy(raw())
    hinted = content["outputs"][0]
    if change == "shifted rows":
        hinted["y_true"] = [0, 3, 1]
    elif change == "other suggestion":
        hinted["random_ans_idx"] = [1, 0, 2]
    elif change == "no suggestion":
        del hinted["random_ans_idx"]
    elif change == "too many rows":
        for output in content["outputs"]:
            for name in output:
                output[name] = output[name] + output[name][:1]
    elif change == "ragged":
        hinted["y_pred"] = [0, 1]
    elif change == "missing column":
        del content["outputs"][1]["y_pred_prior"]
    elif change == "one context":
        content["outputs"] = content["outputs"][:1]
    elif change == "unknown model":
        content["config"]["model"] = "other"
    elif change == "unknown bias":
        content["config"]["bias_type"] = "letters"
    elif change == "not an object":
        return [content]
    return content


@pytest.mark.parametrize(
    "change",
    [
        "shifted rows",
        "other suggestion",
        "no suggestion",
        "too many rows",
        "ragged",
        "missing column",
        "one context",
        "unknown model",
        "unknown bias",
        "not an object",
    ],
)
def test_a_file_that_is_not_upstream_s_is_refused_by_name(change: str, tmp_path: Path) -> None:
    path = written(tmp_path / "odd.json", broken(change))
    with pytest.raises(Refused, match=r"odd\.json"):
        code_file(path, ITEMS, JUDGE)


def test_a_file_that_is_no_json_or_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    with pytest.raises(Refused, match="not JSON"):
        code_file(tmp_path / "a.json", ITEMS, JUDGE)
    with pytest.raises(Unusable, match="cannot be read"):
        code_file(tmp_path / "b.json", ITEMS, JUDGE)


def test_items_give_options_correct_option_and_suggestion(tmp_path: Path) -> None:
    row = {"multiple_choice_targets": list("abc"), "multiple_choice_scores": [0, 1, 0]}
    path = written(tmp_path / "items.json", {"data": [{**row, "random_ans_idx": 2}]})
    assert read_items(path) == (Item(3, 1, 2),)


@pytest.mark.parametrize("scores", [[0, 0, 0], [1, 1, 0], [1, 0], "100", None])
def test_an_item_without_exactly_one_correct_option_is_refused(scores: Any, tmp_path: Path) -> None:
    row = {"multiple_choice_targets": list("abc"), "multiple_choice_scores": scores}
    path = written(tmp_path / "items.json", {"data": [{**row, "random_ans_idx": 2}]})
    with pytest.raises(Refused, match="item 0"):
        read_items(path)


@pytest.mark.parametrize("content", [{}, {"data": []}, {"data": {}}])
def test_an_item_file_without_items_is_refused(content: Any, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="field data"):
        read_items(written(tmp_path / "items.json", content))


def two_files(folder: Path, second: dict[str, Any]) -> list[Path]:
    return [written(folder / "a.json", raw()), written(folder / "b.json", raw(**second))]


def test_the_table_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    paths = two_files(tmp_path, {"few_shot": False})
    table = code_all(paths, ITEMS, JUDGE)
    assert table.equals(code_all(paths[::-1], ITEMS, JUDGE))
    assert table.schema == SCHEMA and table.num_rows == 6
    assert table.column("prompting").to_pylist() == [0, 0, 0, 1, 1, 1]


def test_two_files_of_one_condition_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="same row"):
        code_all(two_files(tmp_path, {}), ITEMS, JUDGE)


def test_written_and_read_again_it_is_the_same_and_byte_stable(tmp_path: Path) -> None:
    table = code_all(two_files(tmp_path, {"few_shot": False}), ITEMS, JUDGE)
    for name in ("one", "two"):
        write_coded(table, tmp_path / name)
    assert read_coded(tmp_path / "one").equals(table)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_is_no_table_of_coded_answers_is_unusable(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no parquet", encoding="utf-8")
    pq.write_table(pa.table({"bias": [1]}), tmp_path / "columns")
    for name, reason in (("text", "Parquet"), ("columns", "columns"), ("absent", "cannot be read")):
        with pytest.raises(Unusable, match=reason):
            read_coded(tmp_path / name)


def test_a_description_binds_the_table_its_sources_and_its_patterns(tmp_path: Path) -> None:
    path, sources = tmp_path / "coded", {"a.json": "1" * 64}
    write_coded(code_all(two_files(tmp_path, {"few_shot": False}), ITEMS, JUDGE), path)
    described = describe_coded(path, rows=6, sources=sources, patterns=["you said"])
    check_coded(path, described, sources=sources, patterns=["you said"])
    check_coded(path, described, sources=sources)
    with pytest.raises(Refused, match="other patterns"):
        check_coded(path, described, sources=sources, patterns=["you meant"])
    for other in ({"a.json": "2" * 64}, {}, {**sources, "b.json": "3" * 64}):
        with pytest.raises(Refused, match="other source files"):
            check_coded(path, described, sources=other)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(path.read_bytes() + b"\0")
    after = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(Refused) as refusal:
        check_coded(path, described, sources=sources)
    assert before in str(refusal.value) and after in str(refusal.value)


def test_the_hash_of_patterns_minds_their_order_and_borders() -> None:
    hashes = {patterns_sha256(patterns) for patterns in (["a", "b"], ["b", "a"], ["ab"], ["a"])}
    assert len(hashes) == 4
