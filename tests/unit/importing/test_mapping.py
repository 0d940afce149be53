"""The mapping file: what is refused, and where the message points."""

from pathlib import Path
from typing import Any

import pytest
from support.import_tables import MAPPING, changed, write_mapping

from avowed.importing.kinds import key_of
from avowed.importing.mapping_file import read_mapping
from avowed.refusal import Refused, Unusable


def refused(folder: Path, mapping: dict[str, Any]) -> str:
    with pytest.raises(Refused) as caught:
        read_mapping(write_mapping(folder, mapping))
    return str(caught.value)


def answers(**changes: Any) -> dict[str, Any]:
    return changed(answers={**MAPPING["answers"], **changes})


def judge(**changes: Any) -> dict[str, Any]:
    return changed(judge={**MAPPING["judge"], **changes})


def test_a_mapping_names_its_columns_once(tmp_path: Path) -> None:
    mapping = read_mapping(write_mapping(tmp_path, MAPPING))
    assert mapping.columns == ("q", "c", "h", "a1", "a0", "v")
    assert mapping.baseline_columns == ("a0",)


def test_columns_of_another_file_are_not_asked_of_the_input(tmp_path: Path) -> None:
    join = {"join": "other_file", "file": "b.jsonl", "key": ["k"]}
    mapping = read_mapping(write_mapping(tmp_path, changed(baseline=join)))
    assert mapping.columns == ("q", "c", "h", "a1", "k", "v")
    assert mapping.baseline_columns == ("k", "a0")


def test_kinds_of_values_are_kept(tmp_path: Path) -> None:
    mapping = read_mapping(write_mapping(tmp_path, judge(faithful=[1], unfaithful=["1", 1.0])))
    assert mapping.verdicts is not None
    assert mapping.verdicts.faithful == {key_of(1)}
    assert mapping.verdicts.unfaithful == {key_of("1"), key_of(1.0)}
    assert key_of(True) not in mapping.verdicts.faithful


@pytest.mark.parametrize("key", ["version", "probe", "hint_type", "n_options", "answers", "header"])
def test_a_required_key_is_asked_for(tmp_path: Path, key: str) -> None:
    assert f"field {key}: found nothing" in refused(tmp_path, changed(**{key: None}))


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        (changed(probes=["q"]), "field probes: found a field that is not known"),
        (answers(hinted_by="x"), "field answers.hinted_by: found a field that is not known"),
        (changed(version=2), "field version: found 2"),
        (changed(version=1.0), "field version: found 1.0"),
        (changed(probe="q"), "field probe: found 'q'"),
        (changed(probe=[]), "field probe: found []"),
        (changed(n_options={"constant": 1}), "field n_options.constant: found 1"),
        (changed(n_options={"constant": 4.0}), "field n_options.constant: found 4.0"),
        (changed(n_options={"constant": 4, "column": "n"}), "exactly one of constant"),
        (changed(n_options={"lookup": "t"}), "values beside lookup"),
        (changed(n_options={"column": "t", "values": {"a": 2}}), "values beside lookup"),
        (changed(hint_type={"constant": "a\nb"}), "none of them a control character"),
        (changed(hint_type={"length": "x"}), "field hint_type.length: found a field"),
        (answers(coding="roman"), "letters, indices (from 0)"),
        (answers(coding=None), "line 3, field answers.coding: fill in a value;"),
        (answers(coding="text"), "field answers.options: found nothing"),
        (answers(hint={"coding": "letters"}), "field answers.hint: found neither"),
        (answers(hint={"column": "h", "constant": "A"}), "field answers.hint: found both"),
        (answers(baseline={"constant": "A"}), "no answer is always the same"),
        (answers(junk="drop"), "field answers.junk: found 'drop'"),
        (changed(replica="all"), "field replica: found 'all'"),
        (changed(replica={"column": "r", "from": "1"}), "field replica.from: found '1'"),
        (changed(baseline={"join": "left"}), "same_row, other_file or rows"),
        (changed(baseline={"join": "other_file", "key": ["q"]}), "baseline.file: found nothing"),
        (changed(baseline={"join": "rows", "key": ["q"]}), "baseline.where: found nothing"),
        (changed(baseline={"join": "same_row", "key": ["q"]}), "baseline.key: found this key"),
        (
            changed(
                baseline={
                    "join": "other_file", "file": "b", "key": ["q"], "replica": {"column": "r"}
                }
            ),
            "pairs have no replicas",
        ),
        (judge(unfaithful=[True]), "field judge.unfaithful[0]: found true, which is in faithful"),
        (judge(missing=["?"]), "field judge.missing[0]: found \"?\", which is in undetermined"),
        (judge(undetermined=[None]), "null, which is in undetermined"),
        (judge(faithful=[], unfaithful=[]), "field judge.unfaithful: fill in the values;"),
        (judge(threshold=0.5), "field judge.threshold: found no phi"),
        (judge(threshold=1.5), "field judge.threshold: found 1.5"),
        (judge(phi={"column": "p", "of": "faithful"}), "field judge.phi.source: found nothing"),
        (changed(judge={"evidence": "e"}), "field judge.column: found nothing"),
        (changed(filter=[{"column": "x"}]), "field filter[0]"),
        (changed(filter=[{"column": "x", "in": []}]), "field filter[0].in: found []"),
        (changed(filter=[{"column": "x", "equals": [1]}]), "field filter[0].equals"),
        (changed(header={"hint_channel": ""}), "field header.hint_channel: found ''"),
        (changed(header={"hint_channel": None}), "field header.hint_channel: fill in a value;"),
        (changed(planned_replicas=0), "field planned_replicas: found 0"),
        (changed(planned_replicas=True), "field planned_replicas: found True"),
        (changed(input={"kind": "xls"}), "field input.kind: found 'xls'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_key(
    tmp_path: Path, mapping: dict[str, Any], told: str
) -> None:
    message = refused(tmp_path, mapping)
    assert told in message
    assert message.startswith(f"{tmp_path / 'map.yaml'}, line ")


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("version: 1\nprobe: [a]\nprobe: [b]\n")
    with pytest.raises(Refused, match="line 3, field probe: found the key again"):
        read_mapping(path)


def test_yaml_is_read_with_safe_types_only(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("version: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(Unusable, match="not a plain YAML file"):
        read_mapping(path)


def test_no_file_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot be read"):
        read_mapping(tmp_path / "none.yaml")


def test_what_a_suggestion_leaves_open_is_named_all_at_once(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(
        "version: 1\n"
        "probe: [task, CHOOSE]\n"
        "hint_type: {constant: nudge}\n"
        "n_options:\n"
        "  lookup: task\n"
        "  values:\n"
        "    easy:\n"
        "    hard: 4\n"
        "answers: {coding: letters, correct: c, hint: CHOOSE, baseline: a0, hinted: a1}\n"
        "judge: {column: v, faithful: [], unfaithful: [], missing: [null, CHOOSE]}\n"
        "filter: [{column: x, equals: null}]\n"
        "header:\n"
        "  hint_channel:\n",
        encoding="utf-8",
    )
    with pytest.raises(Refused) as error:
        read_mapping(path)
    assert str(error.value) == (
        f"{path}, line 2, field probe[1]: fill in CHOOSE; "
        "line 7, field n_options.values.easy: fill in a value; "
        "line 9, field answers.hint: fill in CHOOSE; "
        "line 10, field judge.faithful: fill in the values; "
        "line 10, field judge.unfaithful: fill in the values; "
        "line 13, field header.hint_channel: fill in a value; docs/import.md explains the keys"
    )


def test_a_judge_of_one_label_is_filled_in(tmp_path: Path) -> None:
    mapping = changed(judge={"column": "v", "faithful": [], "unfaithful": ["no"]})
    assert read_mapping(write_mapping(tmp_path, mapping)).verdicts is not None
