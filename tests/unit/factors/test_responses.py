"""Responses: the strict parser, and response files in both formats."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import responses as toy
from support.responses import CASE, text

from avowed.factors.responses import (
    PARSED_FIELDS,
    RESPONSES,
    Explanation,
    Validity,
    explanation_texts,
    parse_response,
    parsed_columns,
)
from avowed.factors.responses_file import read_responses, write_responses
from avowed.factors.usecase import UseCase
from avowed.refusal import Refused, Unusable

ADVISORS = UseCase(
    **{**vars(CASE), "decisions": ("Ada Quill", "7"), "name": "advisors"},
)


def validity(raw: str | None, case: UseCase = CASE) -> str:
    return parse_response(raw, case, asked=False).validity


def explanation(explanations: Any) -> str:
    return parse_response(text("4", explanations), CASE, asked=True).explanation


def test_a_response_as_the_prompt_asks_for_it() -> None:
    parsed = parse_response(text(), CASE, asked=True)
    assert parsed.decision == "4" and parsed.citations == ("amount", "owner", "region")
    assert parsed.validity is Validity.VALID and parsed.explanation is Explanation.VALID


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "4",
        "4 ",
        "null",
        "[]",
        '"4"',
        "{}",
        '{"decision": null}',
        '{"decision": ""}',
        '{"decision": "  "}',
        '{"Decision": "4"}',
    ],
)
def test_a_text_without_a_decision(raw: str) -> None:
    assert validity(raw) == ("not_json" if raw == "" else "no_decision")


@pytest.mark.parametrize(
    "raw",
    [
        "I would say 4",
        f"```json\n{text()}\n```",
        f"Sure: {text()}",
        f"{text()} Hope this helps.",
        f"{text()}{text()}",
        text()[:-1],
        '{"decision": 4, "why": NaN}',
        '{"decision": "4", "decision": "4"}',
        "{'decision': '4'}",
        f"\ufeff{text()}",
        "[" * 100_000,
        '{"decision": ' + "9" * 5000 + "}",
    ],
)
def test_a_text_that_is_not_json_alone(raw: str) -> None:
    assert validity(raw) == "not_json"


@pytest.mark.parametrize("value", ["4", " 4\n", 4])
def test_a_score_as_text_or_as_an_integer(value: Any) -> None:
    assert parse_response(text(value), CASE, asked=False).decision == "4"


@pytest.mark.parametrize(
    "token",
    ["0", "6", "4.0", '"4.0"', "4e0", '"04"', '"+4"', "true", '"four"', "[4]", '{"a": 4}', '"４"'],
)
def test_a_decision_outside_the_pool(token: str) -> None:
    assert validity(f'{{"decision": {token}}}') == "decision_outside"


def test_a_number_is_no_advisor_even_where_a_name_looks_like_one() -> None:
    assert validity(text("Ada Quill"), ADVISORS) == "valid"
    assert validity(text("7"), ADVISORS) == "valid"
    assert validity(text(7), ADVISORS) == "decision_outside"
    assert validity(text("ada quill"), ADVISORS) == "decision_outside"


@pytest.mark.parametrize(
    "first",
    [
        "1. amount",
        "1) amount",
        "1: amount",
        "(1) amount",
        "amount",
        "1.amount",
        " amount ",
        "A. amount",
        "(a) amount",
        "- amount",
        "* amount",
    ],
)
def test_markers_that_are_tolerated(first: str) -> None:
    parsed = parse_response(text("4", [first, "2. owner", "region"]), CASE, asked=True)
    assert parsed.citations == ("amount", "owner", "region")


@pytest.mark.parametrize(
    ("explanations", "expected"),
    [
        (None, "missing"),
        ("amount, owner, region", "missing"),
        ([], "too_few"),
        (["amount", "owner"], "too_few"),
        (["amount", "owner", "region", "purpose"], "too_many"),
        (["amount", "owner", "amount"], "duplicate"),
        (["1. amount", "2. owner", "3. amount"], "duplicate"),
        (["amount", "owner", "income"], "unknown_key"),
        (["Amount", "owner", "region"], "unknown_key"),
        (["amount", "owner", None], "unknown_key"),
        (["amount", "owner", 3], "unknown_key"),
        (["amount", "owner", "3."], "unknown_key"),
        (["2. amount", "1. owner", "3. region"], "unknown_key"),
        (["A. amount", "C. owner", "B. region"], "unknown_key"),
        (["-amount", "owner", "region"], "unknown_key"),
        (["amount", "owner", "3. the region"], "unknown_key"),
        (["amount", "owner", "9" * 5000 + ". region"], "unknown_key"),
        (["amount", "amount", "income"], "unknown_key"),
    ],
)
def test_what_is_wrong_with_an_explanation(explanations: Any, expected: str) -> None:
    assert explanation(explanations) == expected


def test_an_explanation_is_judged_by_itself() -> None:
    parsed = parse_response(text("9"), CASE, asked=True)
    assert parsed.validity == "decision_outside" and parsed.explanation == "valid"
    assert parse_response('{"decision": "4"}', CASE, asked=True).explanation == "missing"
    assert parse_response("no", CASE, asked=True).explanation == "missing"
    assert parse_response(None, CASE, asked=True).explanation == "missing"


def test_explanations_of_modified_inputs_are_left_alone() -> None:
    parsed = parse_response(text(), CASE, asked=False)
    assert parsed.citations is None and parsed.explanation == "not_asked"


def test_a_full_ranking_asks_for_more() -> None:
    ranking = text("4", ["1. amount", "2. owner", "3. region", "4. purpose"])
    assert parse_response(ranking, CASE, asked=True).explanation == "too_many"
    found = parse_response(ranking, CASE, asked=True, cited=4)
    assert found.citations == ("amount", "owner", "region", "purpose")


def test_texts_in_a_free_vocabulary() -> None:
    assert explanation_texts(text("4", ["1. Her loan", " (2) it "])) == ("Her loan", "it")
    styles = text("4", ["A. Her loan", "- Her loan", "Her loan"])
    assert explanation_texts(styles) == ("Her loan",) * 3
    for raw in (None, "", "[]", "{}", text("4", [1]), text("4", "a")):
        assert explanation_texts(raw) is None


@given(st.text())
def test_no_text_breaks_the_parser(raw: str) -> None:
    parsed = parse_response(raw, CASE, asked=True)
    assert (parsed.decision is not None) == (parsed.validity == "valid")
    assert (parsed.citations is not None) == (parsed.explanation == "valid")


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "", text(), text(9), text("4", []), "{}", text("2")]),
            st.booleans(),
        ),
        max_size=30,
    )
)
def test_a_column_is_read_as_its_texts_one_by_one(rows: list[tuple[str | None, bool]]) -> None:
    raw = pa.chunked_array([pa.array([text for text, _ in rows], pa.string())])
    found = parsed_columns(raw, np.array([asked for _, asked in rows], dtype=bool), CASE)
    for row, (one, asked) in enumerate(rows):
        parsed = parse_response(one, CASE, asked=asked)
        listed = None if parsed.citations is None else list(parsed.citations)
        values = [found[name][row].as_py() for name in PARSED_FIELDS]
        assert values == [parsed.decision, listed, parsed.validity, parsed.explanation]


# Files


@pytest.fixture
def table() -> pa.Table:
    return toy.answers(toy.plan(), lambda call: None if call["trial"] else text())


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_a_file_comes_back_as_it_was_and_byte_for_byte(
    suffix: str, table: pa.Table, tmp_path: Path
) -> None:
    one, two = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    write_responses(one, table)
    write_responses(two, pa.concat_tables([table.slice(0, 3), table.slice(3)]))
    assert read_responses(one).equals(table) and read_responses(one, CASE).equals(table)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_raw_texts_alone_are_parsed(suffix: str, table: pa.Table, tmp_path: Path) -> None:
    path = write(tmp_path / f"raw.{suffix}", table.drop_columns(list(PARSED_FIELDS)))
    assert read_responses(path, CASE).equals(table)
    with pytest.raises(Refused, match=r"field decision: missing"):
        read_responses(path)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_parsed_columns_alone_are_taken_as_they_are(
    suffix: str, table: pa.Table, tmp_path: Path
) -> None:
    path = write(tmp_path / f"p.{suffix}", table.drop_columns(["raw", "validity", "explanation"]))
    found = read_responses(path, CASE)
    assert found.column("raw").null_count == found.num_rows
    assert found.drop_columns(["raw"]).equals(table.drop_columns(["raw"]))


def test_decisions_without_citations(table: pa.Table, tmp_path: Path) -> None:
    kept = ["raw", "citations", "validity", "explanation"]
    path = write(tmp_path / "p.parquet", table.drop_columns(kept))
    found = set(read_responses(path, CASE).column("explanation").to_pylist())
    assert found == {"missing", "not_asked"}


def write(path: Path, table: pa.Table) -> Path:
    """Write any columns; `write_responses` writes all of them only."""
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        lines = [json.dumps(row) + "\n" for row in table.to_pylist()]
        path.write_text("".join(lines), encoding="utf-8")
    return path


def test_other_string_types_and_widths_are_read(table: pa.Table, tmp_path: Path) -> None:
    columns = {name: table.column(name) for name in table.column_names}
    columns["input"] = columns["input"].cast(pa.large_string()).dictionary_encode()
    columns["trial"] = columns["trial"].cast(pa.uint64())
    columns["citations"] = columns["citations"].cast(pa.large_list(pa.large_string()))
    columns["raw"] = pa.chunked_array([pa.nulls(table.num_rows)])
    path = write(tmp_path / "other.parquet", pa.table(columns))
    assert read_responses(path, CASE).drop_columns(["raw"]).equals(table.drop_columns(["raw"]))


LINE = {
    "component": "rule",
    "use_case": "toy",
    "input": "toy-1",
    "feature": None,
    "intervention": "original",
    "trial": 0,
    "raw": text(),
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('"replica": 1', "row 2, field replica: unknown field; remove it"),
        ('"trial": 1.0', "row 2, field trial: found 1.0; expected the 0-based index of a trial"),
        ('"trial": "1"', 'row 2, field trial: found "1"; expected'),
        ('"trial": true', "row 2, field trial: found true; expected"),
        ('"trial": 40000', "row 2, field trial: found 40000; expected"),
        ('"trial": null', "row 2, field trial: found null; expected"),
        ('"input": 7', "row 2, field input: found 7; expected a string"),
        ('"raw": {"decision": 4}', 'row 2, field raw: found {"decision": 4}; expected a string'),
        ('"citations": "amount"', 'row 2, field citations: found "amount"; expected a list'),
        ('"citations": [null]', "row 2, field citations: found [null]; expected a list"),
        ('"raw": "\\ud800"', "row 2, field raw: half of a surrogate pair"),
    ],
)
def test_a_line_that_is_refused(change: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    name = change.split('"')[1]
    other = json.dumps({key: value for key, value in LINE.items() if key != name})
    path.write_text(f"{json.dumps(LINE)}\n{other[:-1]}, {change}}}\n", encoding="utf-8")
    with pytest.raises(Refused) as stopped:
        read_responses(path, CASE)
    assert str(stopped.value).startswith(f"{path}, {message}")


@pytest.mark.parametrize("name", ["component", "use_case", "input", "intervention", "trial"])
def test_a_call_is_named_in_every_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({k: v for k, v in LINE.items() if k != name}) + "\n")
    with pytest.raises(Refused, match=f"row 1, field {name}: missing"):
        read_responses(path, CASE)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "line 2: broken JSON"),
        (b"[1]", "line 2: not a JSON object"),
        (b'{"a": 1, "a": 2}', 'line 2: broken JSON: the key "a" occurs twice'),
        (b'{"a": "\xff"}', "line 2: not UTF-8"),
        (b'{"raw": ', "line 2: broken JSON"),
    ],
)
def test_a_line_that_cannot_be_read(line: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(json.dumps(LINE).encode() + b"\n" + line + b"\n")
    with pytest.raises(Unusable) as stopped:
        read_responses(path, CASE)
    assert str(stopped.value).startswith(f"{path}, {message}")


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    lines = json.dumps({**LINE, "raw": "a\u2028b\u0085c"}, ensure_ascii=False)
    path.write_text(f"{lines}\n", encoding="utf-8")
    assert read_responses(path, CASE).column("raw").to_pylist() == ["a\u2028b\u0085c"]


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("trial", pa.array([0.0]), "field trial: found a column of double; expected"),
        ("trial", pa.array([70_000]), "field trial: found 70000; expected"),
        ("trial", pa.array([None], pa.int8()), "field trial: found null; expected"),
        ("input", pa.array([3]), "field input: found a column of int64; expected a string"),
        ("citations", pa.array(["amount"]), "field citations: found a column of string"),
        ("extra", pa.array(["x"]), "field extra: unknown field"),
    ],
)
def test_a_parquet_file_that_is_refused(
    column: str, values: pa.Array, message: str, tmp_path: Path
) -> None:
    columns = {name: pa.array([value]) for name, value in LINE.items()} | {column: values}
    path = write(tmp_path / "mine.parquet", pa.table(columns))
    with pytest.raises(Refused) as stopped:
        read_responses(path, CASE)
    assert str(stopped.value).startswith(f"{path}, row 1, {message}")


def test_a_column_that_stands_twice(tmp_path: Path) -> None:
    columns = {name: pa.array([value]) for name, value in LINE.items()}
    twice = pa.table([*columns.values(), columns["raw"]], names=[*columns, "raw"])
    path = write(tmp_path / "mine.parquet", twice)
    with pytest.raises(Refused, match=r"field raw: found twice"):
        read_responses(path, CASE)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and no more")
    for path in (tmp_path / "none.jsonl", tmp_path / "none.parquet", broken, tmp_path / "x.csv"):
        with pytest.raises(Unusable, match=str(path)):
            read_responses(path, CASE)
    with pytest.raises(Unusable, match=r"\.parquet or \.jsonl"):
        write_responses(tmp_path / "x.csv", RESPONSES.empty_table())
    assert not (tmp_path / "x.csv").exists()


def test_neither_raw_text_nor_decisions(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({k: v for k, v in LINE.items() if k != "raw"}) + "\n")
    with pytest.raises(Refused, match=r"row 1, field raw: missing; give the responses"):
        read_responses(path, CASE)


def test_a_file_without_rows(tmp_path: Path) -> None:
    for suffix in ("parquet", "jsonl"):
        path = tmp_path / f"empty.{suffix}"
        write_responses(path, RESPONSES.empty_table())
        assert read_responses(path, CASE).equals(RESPONSES.empty_table())
