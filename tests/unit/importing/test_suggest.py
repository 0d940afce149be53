"""`--suggest`: what the data tell is filled in, what they cannot tell stays empty."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.import_tables import column, run, table

from avowed.importing.column_profile import coding_of
from avowed.importing.guess import guess
from avowed.importing.mapping_file import read_mapping
from avowed.importing.rows import rows_of
from avowed.importing.suggest import scalar, suggest
from avowed.importing.unfilled import CHOOSE
from avowed.refusal import Refused

EXAMPLES = Path(__file__).parents[3] / "examples" / "import"


def records(name: str) -> list[dict[str, Any]]:
    text = (EXAMPLES / name).read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def test_a_suggestion_lacks_only_what_a_person_must_say(tmp_path: Path) -> None:
    text = suggest([table(records("letters/model_a.jsonl"))])
    found = yaml.safe_load(text)
    path = tmp_path / "map.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused, match=r"n_options.*fill in.*judge.*fill in.*hint_channel"):
        read_mapping(path)
    known = yaml.safe_load((EXAMPLES / "letters" / "map.yaml").read_text("utf-8"))
    assert set(found["n_options"]["values"]) == set(known["n_options"]["values"])
    assert set(found["n_options"]["values"].values()) == {None}
    assert found["judge"]["faithful"] == found["judge"]["unfaithful"] == []
    assert found["header"]["hint_channel"] is None
    assert found["answers"] == {**known["answers"], "missing": [None, ""]}
    found["n_options"] = known["n_options"]
    found["judge"].update(faithful=[True], unfaithful=[False])
    found["header"]["hint_channel"] = "user_message"
    path.write_text(yaml.safe_dump(found), encoding="utf-8")
    assert (
        run(EXAMPLES / "letters" / "model_a.jsonl", "--mapping", path, "--out", tmp_path / "d") == 0
    )


def test_the_polarity_of_a_judge_is_never_filled_in(tmp_path: Path) -> None:
    rows = [{"id": 1, "gold": "A", "hint": "B", "baseline": "A", "hinted": "B", "faithful": True}]
    found = yaml.safe_load(suggest([table(rows)]))
    assert found["judge"] == {
        "column": "faithful", "faithful": [], "unfaithful": [], "missing": [None]
    }  # fmt: skip


def test_what_is_not_found_is_left_to_choose() -> None:
    found = yaml.safe_load(suggest([table([{"x": 1.5, "y": "text"}])]))
    assert found["probe"] == [CHOOSE]
    assert {found["answers"][role] for role in ("correct", "hint", "baseline", "hinted")} == {
        CHOOSE
    }
    assert "judge" not in found


def test_lists_of_options_and_differing_codings_are_seen() -> None:
    rows = [
        {"item": "i1", "choices": ("x", "y"), "gold": 0, "hint": 1, "baseline": "x", "hinted": "y"},
        {"item": "i2", "choices": ("p", "q"), "gold": 1, "hint": 0, "baseline": "q", "hinted": "p"},
    ]
    found = yaml.safe_load(suggest([table(rows)]))
    assert found["n_options"] == {"length": "choices"}
    assert found["answers"]["options"] == "choices"
    codings = {
        role: answer["coding"] if isinstance(answer, dict) else found["answers"]["coding"]
        for role, answer in found["answers"].items()
        if role in ("correct", "hint", "baseline", "hinted")
    }
    assert codings == {
        "correct": "indices",
        "hint": "indices",
        "baseline": "text",
        "hinted": "text",
    }


@pytest.mark.parametrize(
    ("values", "coding"),
    [
        (["A", "B", "AD", ""], "letters"), ([0, 1, 2, -1], "indices"), ([1, 2, 3], "numbers"),
        (["1", "2", "0"], "indices"), (["oak", "elm"], "text"), ([None], "letters"),
        ([1.0, 2.0, None], "numbers"),
    ],
)  # fmt: skip
def test_codings(values: list[Any], coding: str) -> None:
    assert coding_of(column(values)) == coding


def test_names_are_told_apart() -> None:
    row = {
        "example_id": "e1", "biased_ans": "A", "unbiased_ans": "B", "bias_target_letter": "A",
        "is_correct": True, "correct_ans": "B", "valid": True, "run": 0,
    }  # fmt: skip
    assert dict(guess(rows_of([table([row])], list(row))).columns) == {
        "correct": "correct_ans", "hint": "bias_target_letter", "baseline": "unbiased_ans",
        "hinted": "biased_ans", "probe": "example_id", "replica": "run",
    }  # fmt: skip


def test_without_rows_there_is_nothing_to_suggest() -> None:
    with pytest.raises(Refused, match="no rows"):
        suggest([table([{"a": 1}], "x"), table([{"b": 1}], "y")])


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()))
def test_a_scalar_reads_back_as_the_same_value(value: Any) -> None:
    back = yaml.safe_load(f"[{scalar(value)}]")[0]
    assert back == value and type(back) is type(value)


@given(st.dictionaries(st.text(min_size=1), st.text(), min_size=1, max_size=4))
def test_any_names_and_values_give_a_mapping_that_is_yaml(row: dict[str, str]) -> None:
    text = suggest([table([row, {name: f"{value}2" for name, value in row.items()}])])
    assert yaml.safe_load(text)["version"] == 1
    assert len(text.splitlines()) >= len(text.split("\n")) - 1


def suggested(*records_: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(suggest([table(records_)]))
    return found


def log(n: int, **changes: Any) -> dict[str, Any]:
    """A row of a log in which names alone mislead: three runs of an item, letters as answers."""
    return {
        "item": f"q{n // 3}", "run": n % 3 + 1, "options": ("x", "y", "z"), "gold": "ABC"[n % 3],
        "cue.kind": "authority", "cue.letter": "BCA"[n % 3], "answer_plain": "ABC"[n % 3],
        "answer_cued": "(B)" if n % 2 else "C", "judge_conf": None,
        "hides_hint": None if n % 2 else n % 4 == 0, "finish": "length" if n == 5 else "stop",
        **changes,
    }  # fmt: skip


def test_a_hint_is_written_in_the_alphabet_of_the_answers() -> None:
    found = suggested(*(log(n) for n in range(12)))
    assert found["answers"] == {
        "coding": "letters", "missing": [None], "correct": "gold", "hint": "cue.letter",
        "baseline": "answer_plain", "hinted": "answer_cued",
    }  # fmt: skip
    assert found["hint_type"] == {"column": "cue.kind"}
    numbers = [
        {"id": n, "target": n % 4, "hint.type": "hack", "hint.index": (n + 1) % 4,
         "plain.choice": n % 4, "hinted.choice": (n + 1) % 4}
        for n in range(8)
    ]  # fmt: skip
    answers = suggested(*numbers)["answers"]
    assert (answers["coding"], answers["hint"]) == ("indices", "hint.index")
    assert (answers["baseline"], answers["hinted"]) == ("plain.choice", "hinted.choice")


def test_a_judge_says_something() -> None:
    found = suggested(*(log(n) for n in range(12)))
    assert found["judge"]["column"] == "hides_hint"
    silent = suggested(*(log(n, hides_hint=None) for n in range(12)))
    assert "judge" not in silent


def test_a_question_is_told_by_its_values_where_no_name_tells() -> None:
    found = suggested(*(log(n) for n in range(12)))
    assert (found["probe"], found["replica"]) == (["item"], {"column": "run", "from": 1})


def test_kinds_of_hints_are_part_of_the_probe() -> None:
    rows = [
        {"question id": n // 2, "hint style": ["a rumour", "an expert"][n % 2], "key": "A",
         "suggested": "B", "reply": "B"}
        for n in range(8)
    ]  # fmt: skip
    found = suggested(*rows)
    assert found["probe"] == ["question id", "hint style"]
    assert found["hint_type"] == {"column": "hint style"}
    assert (found["answers"]["hint"], found["answers"]["hinted"]) == ("suggested", "reply")
    assert found["answers"]["baseline"] == CHOOSE


def test_a_task_is_part_of_the_probe_only_where_it_tells_questions_apart() -> None:
    apart = suggested(*({"qid": n, "subject": f"s{n % 2}", "gold": "A"} for n in range(6)))
    assert apart["probe"] == ["qid"]
    alike = suggested(*({"qid": n // 2, "subject": f"s{n % 2}", "gold": "A"} for n in range(6)))
    assert alike["probe"] == ["subject", "qid"]


def test_one_column_per_option_is_seen() -> None:
    rows = [
        {"qid": f"q{n}", "option 1": f"oak{n}", "option 2": f"elm{n}",
         "option 3": "" if n else "ash",
         "key": f"oak{n}", "suggested": f"elm{n}", "plain": f"oak{n}", "cued": f"elm{n}"}
        for n in range(6)
    ]  # fmt: skip
    found = suggested(*rows)
    names = ["option 1", "option 2", "option 3"]
    assert found["n_options"] == {"length": names}
    assert found["answers"] == {
        "coding": "text", "options": names, "missing": [""], "correct": "key", "hint": "suggested",
        "baseline": "plain", "hinted": "cued",
    }  # fmt: skip


def test_a_probability_and_cut_off_generations_are_offered() -> None:
    rows = [log(n, hides_hint=None) | {"scores.omission_p": n / 20} for n in range(12)]
    text = suggest([table(rows)])
    found = yaml.safe_load(text)
    assert found["judge"] == {
        "missing": [None],
        "phi": {"column": "scores.omission_p", "of": None, "source": None},
        "threshold": None,
    }
    assert found["truncated"] == {"column": "finish", "values": ["length"]}
    whole = [log(n, finish="stop") for n in range(12)]
    assert "truncated" not in suggested(*whole)


@pytest.mark.parametrize(
    ("answers", "missing"),
    [
        (["A", "B"], [None]), (["A", None], [None]), (["A", ""], [None, ""]),
        (["A", "N/A"], [None, "N/A"]),
    ],
)  # fmt: skip
def test_null_is_always_missing_and_a_word_where_it_was_seen(
    answers: list[Any], missing: list[Any]
) -> None:
    rows = [{"qid": n, "hinted": answer} for n, answer in enumerate(answers)]
    assert suggested(*rows)["answers"]["missing"] == missing


def test_a_file_of_texts_has_the_empty_text_for_null() -> None:
    rows = [{"qid": str(n), "hinted": "AB"[n % 2], "judge": ["", "no"][n % 2]} for n in range(6)]
    found = suggested(*rows)
    assert found["answers"]["missing"] == found["judge"]["missing"] == [""]


def test_whole_floats_are_seen() -> None:
    rows = [{"qid": n, "gold": 1, "hinted": value} for n, value in enumerate([1.0, 2.0, None])]
    found = suggested(*rows)
    assert found["answers"]["whole_floats"] is True
    assert "whole_floats" not in suggested({"qid": 1, "gold": 1, "hinted": 2})["answers"]
