"""JSON lines as they come: kinds kept, lines numbered as in the file, slips refused by line."""

import gzip
import json
import random
from pathlib import Path

import pytest
from fuzz.oracle import tagged

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.read import read_input
from avowed.importing.readers import json_lines, limits, stream
from avowed.refusal import Refused, Unusable


def read(path: Path, content: str | bytes, columns: list[str] | None = None) -> RawTable:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    [table] = read_input(path, InputForm(), columns=columns)
    return table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.jsonl"


def test_every_value_keeps_its_kind(path: Path) -> None:
    values = [1, True, 1.0, "1", None, 0, False, 0.0, "", [1], [True], [1.0], ["1"], [], [None]]
    text = "".join(json.dumps({"x": value}) + "\n" for value in values)
    column = read(path, text, ["x"]).columns["x"]
    assert tagged(column.every()) == tagged(values)
    assert len(column.values) == len(values)


def test_minus_zero_is_zero_whichever_comes_first(path: Path) -> None:
    for text in ('{"x": -0.0}\n{"x": 0.0}\n', '{"x": 0.0}\n{"x": -0.0}\n'):
        assert [str(value) for value in read(path, text, ["x"]).columns["x"].values] == ["0.0"]


def test_integers_after_many_nulls_are_integers(path: Path) -> None:
    text = '{"x": null}\n' * 50_000 + '{"x": 3}\n{"x": 9007199254740993}\n'
    column = read(path, text, ["x"]).columns["x"]
    assert tagged(column.values) == tagged((None, 3, 2**53 + 1))
    assert column.codes.tolist()[-3:] == [0, 1, 2]


def test_lines_end_at_the_newline_byte_only(path: Path) -> None:
    text = '{"x": "a\u2028b\x85c"}\r\n\n  \n{"x": "d"}'
    table = read(path, text, ["x"])
    assert table.columns["x"].every() == ["a\u2028b\x85c", "d"]
    assert (table.rows.tolist(), table.row_word) == ([1, 4], "line")


def test_nested_keys_have_dotted_names_and_absence_is_known(path: Path) -> None:
    text = '{"id":1, "m": {"a":"A", "n": {"b": [1, "x"]}}}\n{"id": 2, "m": {"a": null}}\n{"id": 3}'
    table = read(path, text)
    assert list(table.columns) == ["id", "m.a", "m.n.b"]
    assert table.columns["m.a"].every() == ["A", None, None]
    assert table.columns["m.n.b"].every() == [(1, "x"), None, None]
    assert {name: lacking.tolist() for name, lacking in table.absent.items()} == {
        "m.a": [False, False, True],
        "m.n.b": [False, True, True],
    }
    again = read(path, text, ["m.n.b", "m.a"])
    assert list(again.columns) == ["m.n.b", "m.a"]
    assert again.columns["m.a"].every() == ["A", None, None]
    assert again.absent["m.a"].tolist() == [False, False, True]


def test_a_column_first_seen_late_is_absent_before(path: Path) -> None:
    rows = ['{"a": 1}'] * 30_000 + ['{"a": 1, "b": 2}']
    table = read(path, "\n".join(rows))
    assert table.absent["b"].sum() == 30_000
    assert table.columns["b"].at(30_000) == 2


def test_shuffled_rows_give_the_same_table_up_to_order(path: Path) -> None:
    rng = random.Random(4)
    kinds = [None, True, 1, 1.0, "1", 2.5, "x", ["a", 1]]
    lines = [json.dumps({"n": n, "x": rng.choice(kinds)}) for n in range(3000)]
    first = read(path, "\n".join(lines))
    rng.shuffle(lines)
    second = read(path, "\n".join(lines))

    def pairs(table: RawTable) -> dict[object, object]:
        return dict(
            zip(table.columns["n"].every(), map(tagged, table.columns["x"].every()), strict=True)
        )

    assert pairs(first) == pairs(second)
    assert {tagged(v) for v in first.columns["x"].values} == {
        tagged(v) for v in second.columns["x"].values
    }


def test_gzip_is_read_by_its_ending(tmp_path: Path) -> None:
    text = b'{"x": "A"}\n'
    assert read(tmp_path / "a.JSONL.GZ", gzip.compress(text)).columns["x"].every() == ["A"]
    with pytest.raises(Unusable, match=r"packed with gzip; let its name end in \.gz"):
        read(tmp_path / "a.jsonl", gzip.compress(text))
    with pytest.raises(Unusable, match="not a whole gzip file"):
        read(tmp_path / "b.jsonl.gz", gzip.compress(text * 1000)[:-9])
    with pytest.raises(Unusable, match="not a whole gzip file"):
        read(tmp_path / "b.jsonl.gz", text)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"x": 1, "x": 1}', 'the key "x" occurs twice'),
        (b'{"x": NaN}', "NaN is not JSON; write null"),
        (b'{"x": -Infinity}', "-Infinity is not JSON"),
        (b'{"x": 1', "broken JSON"),
        (b'{"x": 1}{"x": 2}', "broken JSON"),
        (b'{"x": 1},', "broken JSON"),
        (b"[1]", "not a JSON object; write one object per line"),
        (b'{"x": "\xff"}', "not UTF-8 at byte 8"),
        (b'{"x": "\xed\xa0\x80"}', "not UTF-8"),
        (b'{"x": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"x": ' + b"1" * 5000 + b"}", "too many digits"),
        (b"\x00", "broken JSON"),
    ],
)
def test_a_broken_line_is_named(path: Path, line: bytes, reason: str) -> None:
    content = b'{"x": 0}\n' * 40_000 + line + b"\n" + b'{"x": 0}\n' * 5
    with pytest.raises(Unusable, match=r"pairs\.jsonl, line 40001: .*" + reason):
        read(path, content, ["x"])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"x": "\\ud800"}', "half a surrogate pair"),
        ('{"x": ["a", "\\udc00"]}', "half a surrogate pair"),
        ('{"x": 1e999}', "no finite number of 64 bits"),
        ('{"x": {"y": 1}}', r"found an object; map one of its keys \(y\)"),
        ('{"x": [{"y": 1}]}', "found a list of objects"),
        ('{"x": ' + "[" * 40 + "]" * 40 + "}", "nested more than 32 levels"),
    ],
)
def test_a_value_that_no_table_holds_is_refused_where_it_is_mapped(
    path: Path, line: str, reason: str
) -> None:
    text = '{"x": "é", "z": 0}\n' * 3 + line[:-1] + ', "z": 0}\n'
    with pytest.raises(Refused, match=f"line 4, column x: .*{reason}"):
        read(path, text, ["x"])
    assert read(path, text, ["z"]).columns["z"].every() == [0] * 4


def test_objects_over_line_ends_are_not_taken_for_rows(path: Path) -> None:
    # Two lines hold one object and a third holds two: as many objects as lines.
    with pytest.raises(Unusable, match="line 1: broken JSON"):
        read(path, '{"a": [{"b": 1},\n{"c": 2}]}\n{"x": 1} {"y": 2}\n')
    with pytest.raises(Unusable, match="line 1: broken JSON"):
        read(path, '{"a": "x}\n{y"}\n{"x": 1},{"y": 2}\n')
    with pytest.raises(Unusable, match="line 2: broken JSON"):
        read(path, '{"a": 1}\n{"a":\n2}\n')


def test_an_unknown_column_names_the_three_nearest(path: Path) -> None:
    text = '{"answer": "A", "answers": 1, "id": 2, "m": {"biased": "B"}}\n'
    with pytest.raises(
        Refused, match=r"pairs\.jsonl: has no column anser; nearest: answer, answers, "
    ):
        read(path, text, ["anser"])
    with pytest.raises(Refused, match=r"has no column biased; nearest: m\.biased, "):
        read(path, text, ["biased"])


def test_a_dotted_name_with_two_meanings_is_refused(path: Path) -> None:
    text = '{"a.b": 1, "a": {"b": 2}}\n'
    for columns in (None, ["a.b"]):
        with pytest.raises(Refused, match=r"line 1: more than one column is named a\.b"):
            read(path, text, columns)
    assert read(path, '{"a.b": {"c": 1}}\n', ["a.b.c"]).columns["a.b.c"].every() == [1]


def test_nothing_in_it_is_refused(path: Path) -> None:
    for text in ("", "\n\n"):
        with pytest.raises(Refused, match="holds no rows"):
            read(path, text, ["x"])


def test_byte_order_marks(path: Path) -> None:
    assert read(path, '\ufeff{"x": 1}\n').columns["x"].every() == [1]
    with pytest.raises(Unusable, match="UTF-16"):
        read(path, '{"x": 1}\n'.encode("utf-16"))


def test_the_bounds_hold(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LINE", 1 << 19)
    with pytest.raises(Unusable, match="a line of more than 0 MiB"):
        read(path, b" " * (1 << 20))
    monkeypatch.setattr(limits, "MAX_COLUMNS", 3)
    with pytest.raises(Refused, match="its keys look like values"):
        read(path, '{"a": 1, "b": 1, "c": 1, "d": 1}\n')
    monkeypatch.setattr(limits, "MAX_CELLS", 5)
    with pytest.raises(Refused, match="6 rows of 1 columns are more than fits"):
        read(path, '{"a": 1}\n' * 6, ["a"])
    monkeypatch.setattr(limits, "MAX_ROWS", 4)
    monkeypatch.setattr(json_lines, "MAX_ROWS", 4)
    for text in ('{"a": 1}\n' * 5, "\n" * 5):
        with pytest.raises(Refused, match=r"claims \d rows or more; at most 4"):
            read(path, text, ["a"])


def test_a_bomb_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_UNPACKED", 1 << 20)
    with pytest.raises(Refused, match="unpacks to more than 0 GiB"):
        read(tmp_path / "a.jsonl.gz", gzip.compress(b'{"x": 1}\n' * 300_000), ["x"])
