"""Strict JSON lines: what is refused, with its line, and what is kept as it was written."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.deliveries import header, lines, raw_line, record, valid_records, write_header

from avowed.pairs.jsonlines import JsonLinesFile
from avowed.pairs.record import FIELD_NAMES
from avowed.pairs.rules import validate
from avowed.pairs.unusable import UnusableDelivery

RECORDS = valid_records()
LINES = lines(RECORDS).split(b"\n")[:-1]


def file_of(folder: Path, raw: bytes) -> Path:
    path = folder / "records.jsonl"
    path.write_bytes(raw)
    return path


def read(path: Path, **options: Any) -> list[dict[str, Any]]:
    return [
        dict(zip(FIELD_NAMES, row, strict=True))
        for chunk in JsonLinesFile(path, **options).chunks()
        for row in zip(*chunk.columns, strict=True)
    ]


@pytest.mark.parametrize("block_bytes", [1, 7, 100, 600, 1000, 1 << 20])
@pytest.mark.parametrize("chunk_blocks", [1, 3, 100])
@pytest.mark.parametrize("ending", [b"\n", b""])
def test_blocks_and_chunks_do_not_show(
    tmp_path: Path, block_bytes: int, chunk_blocks: int, ending: bytes
) -> None:
    path = file_of(tmp_path, b"\n".join(LINES) + ending)
    options = {"block_bytes": block_bytes, "chunk_blocks": chunk_blocks}
    assert read(path, **options) == RECORDS
    file = JsonLinesFile(path, **options)
    first_rows = [(chunk.first_row, chunk.size) for chunk in file.chunks()]
    assert sum(size for _, size in first_rows) == len(RECORDS)
    assert [row for row, _ in first_rows] == [
        1 + sum(size for _, size in first_rows[:i]) for i in range(len(first_rows))
    ]
    again = list(file.records([1, 2, 6, 11]))
    assert [raw.values for raw in again] == [RECORDS[i] for i in (0, 1, 5, 10)]


def test_spaces_key_order_and_line_ends_of_another_system(tmp_path: Path) -> None:
    shuffled = [dict(sorted(row.items())) for row in RECORDS]
    raw = b"".join(b" \t" + json.dumps(row, indent=None).encode() + b" \r\n" for row in shuffled)
    assert read(file_of(tmp_path, raw)) == RECORDS


@pytest.mark.parametrize("text", ["a\u2028b", "a\u2029b", "a\x85b", "a\x0cb", "\u20ac\U0001f600"])
def test_only_the_newline_byte_ends_a_line(tmp_path: Path, text: str) -> None:
    row = record(judge_evidence=text, risk_family=text)
    raw = json.dumps(row, ensure_ascii=False).encode()
    assert read(file_of(tmp_path, raw + b"\n" + raw)) == [row, row]


def broken(second: bytes) -> bytes:
    return b"\n".join([LINES[0], second, LINES[2]]) + b"\n"


TOO_LONG = raw_line(RECORDS[1], replica="9" * 5000).strip()
UNUSABLE = [
    (b"", "blank line"),
    (b"  \r", "blank line"),
    (b"{", "broken JSON"),
    (LINES[1] + b",", "broken JSON"),
    (LINES[1] + LINES[1], "broken JSON"),
    (LINES[1] + b" " + LINES[1], "broken JSON"),
    (LINES[1][:-1] + b",}", "broken JSON"),
    (LINES[1].replace(b"p1", b"p\t1"), "broken JSON: Invalid control character"),
    (b"3", "not a JSON object"),
    (b"[" + LINES[1] + b"]", "not a JSON object"),
    (b"null", "not a JSON object"),
    (raw_line(RECORDS[1], judge_phi="NaN").strip(), "broken JSON: NaN"),
    (raw_line(RECORDS[1], judge_phi="-Infinity").strip(), "broken JSON: -Infinity"),
    (raw_line(RECORDS[1], replica="01").strip(), "broken JSON"),
    (raw_line(RECORDS[1], replica="0x1").strip(), "broken JSON"),
    (TOO_LONG, "broken JSON: an integer has too many digits"),
    (b"[" * 200_000, "broken JSON: nested too deeply"),
    (b'{"a":' * 200_000, "broken JSON: nested too deeply"),
    (LINES[1][:-1] + b', "replica": 1}', 'broken JSON: the key "replica" occurs twice'),
    (LINES[1][:-1] + b', "replic\\u0061": 1}', 'broken JSON: the key "replica" occurs twice'),
    (LINES[1].replace(b"p1", b"p\xff"), "not UTF-8 at byte"),
    (LINES[1].replace(b"p1", b"p\xed\xa0\x80"), "not UTF-8 at byte"),
    (LINES[1].replace(b'"replica"', b'"run"'), "missing field replica; unknown field run"),
    (LINES[1][:-1] + b', "run": 1}', "unknown field run"),
    (b"{}", "missing fields session_id, probe_id"),
]


@pytest.mark.parametrize(
    ("line", "reason"), UNUSABLE, ids=[f"{r[:30]}-{i}" for i, (_, r) in enumerate(UNUSABLE)]
)
def test_a_broken_line_is_unusable_and_named(tmp_path: Path, line: bytes, reason: str) -> None:
    path = file_of(tmp_path, broken(line))
    write_header(tmp_path, header(RECORDS))
    with pytest.raises(UnusableDelivery) as caught:
        validate(tmp_path)
    assert str(caught.value).startswith(f"{path}, line 2: {reason}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Joined with a comma, each of these pairs is one list of two objects.
        (LINES[0] + b"," + LINES[1][:-20], LINES[1][-19:]),
        (LINES[0] + b',{"a":[{}', b"{}]}"),
        (LINES[0][:-1] + b',"a":{}', LINES[1]),
        (LINES[0][:-1] + b',"a":[{}', b"{}]}"),
        (LINES[0][: LINES[0].index(b", ")], LINES[0][LINES[0].index(b", ") + 1 :]),
    ],
)
def test_no_record_reaches_over_the_end_of_a_line(
    tmp_path: Path, first: bytes, second: bytes
) -> None:
    with pytest.raises(UnusableDelivery, match=r"line 1: broken JSON"):
        read(file_of(tmp_path, first + b"\n" + second + b"\n"))


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_a_byte_order_mark_is_unusable(tmp_path: Path, mark: bytes) -> None:
    with pytest.raises(UnusableDelivery, match="line 1: starts with a byte order mark"):
        read(file_of(tmp_path, mark + b"\n".join(LINES)))


def test_a_blank_line_at_the_end_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableDelivery, match=f"line {len(LINES) + 1}: blank line"):
        read(file_of(tmp_path, b"\n".join(LINES) + b"\n\n"))


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("judge_phi", "0.70"),
        ("judge_phi", "1E-2"),
        ("judge_phi", "1e999"),
        ("replica", "3.0"),
        ("risk_family", '"\\u00fc"'),
        ("n_options", "-0"),
        ("n_options", "1" + "0" * 400),
        ("hint_answer", "-99999999999999999999"),
        ("fresh_session", '"true"'),
        ("outcome", '"no \\"change\\""'),
        ("session_id", '[1,  {"a": 2.50}]'),
    ],
)
def test_found_is_the_raw_token(tmp_path: Path, name: str, token: str) -> None:
    write_header(tmp_path, header(RECORDS))
    row = {**RECORDS[0], "risk_family": 3} if name == "risk_family" else RECORDS[0]
    file_of(tmp_path, raw_line(row, **{name: token}) + b"\n".join(LINES[1:]))
    found = [v for v in validate(tmp_path).violations if v.field == name]
    if name == "risk_family":  # an escaped letter is a fine string
        assert not found
        return
    assert {v.found for v in found} == {token}


def test_half_a_surrogate_pair_is_json_but_not_text(tmp_path: Path) -> None:
    write_header(tmp_path, header(RECORDS))
    file_of(tmp_path, raw_line(RECORDS[0], session_id='"\\ud800"') + b"\n".join(LINES[1:]))
    found = list(validate(tmp_path).violations)
    assert [(v.rule, v.field, v.found) for v in found] == [("schema", "session_id", '"\\ud800"')]


@pytest.mark.parametrize("name", ["n_options", "baseline_answer", "hint_answer", "replica"])
@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**400])
def test_an_integer_beyond_64_bits_is_out_of_range(tmp_path: Path, name: str, value: int) -> None:
    write_header(tmp_path, header(RECORDS))
    file_of(tmp_path, raw_line(RECORDS[0], **{name: str(value)}) + b"\n".join(LINES[1:]))
    found = [(v.rule, v.field, v.found) for v in validate(tmp_path).violations]
    assert found == [("R8" if name == "replica" else "schema", name, str(value))]
