"""Deliveries written and read: byte-stable, never converted, and unusable with a reason."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.deliveries import (
    change,
    header,
    lines,
    raw_line,
    table,
    valid_records,
    write_header,
    write_lines,
    write_parquet,
)

from avowed.pairs.delivery import RecordFormat, read_delivery, write_delivery
from avowed.pairs.header import DeliveryHeader
from avowed.pairs.record import ARROW_SCHEMA, FIELD_NAMES
from avowed.pairs.rules import validate
from avowed.pairs.unusable import UnusableDelivery

RECORDS = valid_records()
HEADER = DeliveryHeader.from_json(header(RECORDS))
TABLE = table(RECORDS).select(FIELD_NAMES).cast(ARROW_SCHEMA)
FORMATS: list[RecordFormat] = ["parquet", "jsonl"]


@pytest.mark.parametrize("record_format", FORMATS)
def test_written_and_read_again(tmp_path: Path, record_format: RecordFormat) -> None:
    write_delivery(tmp_path / "new" / "folder", HEADER, TABLE, format=record_format)
    delivery = read_delivery(tmp_path / "new" / "folder")
    assert delivery.header == HEADER
    assert delivery.records.schema == ARROW_SCHEMA
    assert delivery.records.equals(TABLE)
    assert validate(tmp_path / "new" / "folder").accepted
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        "delivery.json",
        f"records.{record_format}",
    ]


@pytest.mark.parametrize("record_format", FORMATS)
def test_a_path_need_not_be_text(tmp_path: Path, record_format: RecordFormat) -> None:
    folder = tmp_path / "a\udcff"
    write_delivery(folder, HEADER, TABLE, format=record_format)
    assert read_delivery(folder).records.equals(TABLE)
    assert validate(folder).accepted


@pytest.mark.parametrize("record_format", FORMATS)
def test_equal_tables_give_equal_bytes(tmp_path: Path, record_format: RecordFormat) -> None:
    chunked = pa.concat_tables([TABLE.slice(0, 3), TABLE.slice(3)]).select(
        sorted(TABLE.column_names)
    )
    encoded = TABLE.set_column(0, "session_id", TABLE["session_id"].dictionary_encode())
    with_pandas = TABLE.replace_schema_metadata({"pandas": "{}"})
    for name, records in {"a": TABLE, "b": chunked, "c": encoded, "d": with_pandas}.items():
        write_delivery(tmp_path / name, HEADER, records, format=record_format)
    for file in ("delivery.json", f"records.{record_format}"):
        assert len({(tmp_path / name / file).read_bytes() for name in "abcd"}) == 1


def test_parquet_carries_no_pandas_metadata(tmp_path: Path) -> None:
    write_delivery(tmp_path, HEADER, TABLE.replace_schema_metadata({"pandas": "{}"}))
    assert pq.read_schema(tmp_path / "records.parquet").metadata is None


def test_json_lines_are_plain_utf8(tmp_path: Path) -> None:
    records = table(change(RECORDS, 5, judge_evidence="Sie schlugen C vor:\u2028\n„ü“"))
    write_delivery(tmp_path, HEADER, records, format="jsonl")
    raw = (tmp_path / "records.jsonl").read_bytes()
    assert raw.count(b"\n") == len(RECORDS)
    assert "„ü“".encode() in raw
    assert read_delivery(tmp_path).records.equals(records.select(FIELD_NAMES).cast(ARROW_SCHEMA))


def test_the_other_format_is_replaced_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "p1.txt").write_text("a conversation", encoding="utf-8")
    write_delivery(tmp_path, HEADER, TABLE, format="jsonl")
    write_delivery(tmp_path, HEADER, TABLE)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "delivery.json",
        "p1.txt",
        "records.parquet",
    ]


def with_column(name: str, column: Any) -> pa.Table:
    return TABLE.set_column(TABLE.column_names.index(name), name, column)


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        (TABLE.drop_columns(["replica"]), "missing field replica"),
        (TABLE.append_column("run", TABLE["replica"]), "unknown field run"),
        (
            with_column("replica", TABLE["replica"].cast(pa.float64())),
            "replica is a column of double",
        ),
        (with_column("outcome", pa.nulls(len(RECORDS), pa.string())), "outcome is null in 11"),
        (
            with_column("replica", pa.array([2**64 - 1] * 11, pa.uint64())),
            "replica: .*not in range",
        ),
    ],
)
def test_a_table_that_is_no_record_table_is_not_written(
    tmp_path: Path, records: pa.Table, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        write_delivery(tmp_path / "new", HEADER, records)
    assert not (tmp_path / "new").exists()


def test_a_broken_header_is_not_written(tmp_path: Path) -> None:
    broken = DeliveryHeader.from_json(header(RECORDS))
    object.__setattr__(broken, "planned_replicas", 2.0)
    with pytest.raises(ValueError, match=r"planned_replicas is 2\.0, expected an integer"):
        write_delivery(tmp_path / "new", broken, TABLE)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("name", "token", "reason"),
    [
        ("replica", "3.0", r"line 1: replica is 3\.0, expected integer"),
        ("judge_applied", "0", "line 1: judge_applied is 0, expected boolean"),
        ("replica", "null", "replica is null in 1 records"),
        ("replica", str(2**63), "lines 1 to 11: replica"),
        ("session_id", '"\\ud800"', "lines 1 to 11: session_id"),
    ],
)
def test_reading_refuses_what_it_would_have_to_convert(
    tmp_path: Path, name: str, token: str, reason: str
) -> None:
    write_header(tmp_path, header(RECORDS))
    raw = raw_line(RECORDS[0], **{name: token}) + lines(RECORDS[1:])
    (tmp_path / "records.jsonl").write_bytes(raw)
    with pytest.raises(UnusableDelivery, match=reason):
        read_delivery(tmp_path)


def test_a_probability_may_be_written_as_an_integer(tmp_path: Path) -> None:
    folder = write_lines(tmp_path, change(RECORDS, 5, judge_phi=1))
    assert validate(folder).accepted
    assert read_delivery(folder).records["judge_phi"].to_pylist()[5] == 1.0


def test_reading_refuses_a_broken_header(tmp_path: Path) -> None:
    folder = write_lines(tmp_path, RECORDS, header(RECORDS, planned_replicas=0))
    with pytest.raises(UnusableDelivery, match=r"delivery\.json: planned_replicas is 0, expected"):
        read_delivery(folder)


def test_a_delivery_without_records_is_valid(tmp_path: Path) -> None:
    for write in (write_lines, write_parquet):
        folder = write(tmp_path / write.__name__, [], header([]))
        report = validate(folder)
        assert (report.accepted, report.records) == (True, 0)
        assert [entry.completed for entry in report.coverage] == [0, 0]
        assert read_delivery(folder).records.equals(ARROW_SCHEMA.empty_table())


def no_folder(folder: Path) -> Path:
    return folder / "missing"


def a_file(folder: Path) -> Path:
    return write_lines(folder, RECORDS) / "records.jsonl"


def no_records(folder: Path) -> Path:
    write_header(folder, header(RECORDS))
    return folder


def both_formats(folder: Path) -> Path:
    write_lines(folder, RECORDS)
    return write_parquet(folder, RECORDS)


def no_header(folder: Path) -> Path:
    (write_lines(folder, RECORDS) / "delivery.json").unlink()
    return folder


def broken_header(folder: Path) -> Path:
    (write_lines(folder, RECORDS) / "delivery.json").write_text("{", encoding="utf-8")
    return folder


def truncated(folder: Path) -> Path:
    path = write_parquet(folder, RECORDS) / "records.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    return folder


def empty_parquet(folder: Path) -> Path:
    (write_parquet(folder, RECORDS) / "records.parquet").write_bytes(b"")
    return folder


def damaged_page(folder: Path) -> Path:
    path = write_parquet(folder, RECORDS) / "records.parquet"
    raw = bytearray(path.read_bytes())
    raw[4:60] = b"\xff" * 56
    path.write_bytes(raw)
    return folder


def json_named_parquet(folder: Path) -> Path:
    (write_parquet(folder, RECORDS) / "records.parquet").write_bytes(lines(RECORDS))
    return folder


def a_folder_named_parquet(folder: Path) -> Path:
    write_header(folder, header(RECORDS))
    (folder / "records.parquet").mkdir()
    return folder


def a_folder_named_jsonl(folder: Path) -> Path:
    write_header(folder, header(RECORDS))
    (folder / "records.jsonl").mkdir()
    return folder


def missing_column(folder: Path) -> Path:
    return write_parquet(folder, table(RECORDS).drop_columns(["outcome", "replica"]))


def unknown_column(folder: Path) -> Path:
    return write_parquet(folder, table(RECORDS).append_column("run", pa.nulls(len(RECORDS))))


def column_there_twice(folder: Path) -> Path:
    columns = table(RECORDS)
    return write_parquet(folder, columns.append_column("replica", columns["replica"]))


def not_utf8(folder: Path) -> Path:
    binary = pa.array([b"\xff\xfe"] * len(RECORDS), pa.binary())
    text = pa.StringArray.from_buffers(len(RECORDS), *binary.buffers()[1:])
    columns = table(RECORDS)
    position = columns.column_names.index("probe_id")
    return write_parquet(folder, columns.set_column(position, "probe_id", text))


UNUSABLE = [
    (no_folder, "missing: no such folder"),
    (a_file, "not a folder"),
    (no_records, "holds neither"),
    (both_formats, "holds both"),
    (no_header, r"delivery\.json: no such file"),
    (broken_header, r"delivery\.json: broken JSON"),
    (truncated, r"records\.parquet: not a readable Parquet file"),
    (empty_parquet, r"records\.parquet: not a readable Parquet file"),
    (damaged_page, r"records\.parquet: cannot be read"),
    (json_named_parquet, r"records\.parquet: not a readable Parquet file"),
    (a_folder_named_parquet, r"records\.parquet: not a readable Parquet file"),
    (a_folder_named_jsonl, r"records\.jsonl: cannot be read"),
    (missing_column, r"records\.parquet: missing fields replica, outcome"),
    (unknown_column, r"records\.parquet: unknown field run"),
    (column_there_twice, r"records\.parquet: more than one column is named replica"),
    (not_utf8, r"records\.parquet: cannot be read"),
]


@pytest.mark.parametrize("use", [validate, read_delivery])
@pytest.mark.parametrize(("make", "reason"), UNUSABLE, ids=[m.__name__ for m, _ in UNUSABLE])
def test_unusable_input_names_file_and_reason(
    tmp_path: Path, make: Any, reason: str, use: Any
) -> None:
    with pytest.raises(UnusableDelivery, match=reason) as caught:
        use(make(tmp_path / "delivery"))
    assert str(tmp_path) in str(caught.value)


def as_arrow(name: str, arrow_type: pa.DataType) -> pa.Table:
    columns = table(RECORDS)
    position = columns.column_names.index(name)
    return columns.set_column(position, name, columns[name].cast(arrow_type))


@pytest.mark.parametrize(
    ("name", "arrow_type"),
    [
        *(("replica", t) for t in (pa.uint8(), pa.int8(), pa.uint16(), pa.int32(), pa.uint64())),
        ("hinted_answer", pa.uint8()),
        ("baseline_answer", pa.uint64()),
        *(
            (name, t)
            for name in ("session_id", "hint_type", "outcome", "judge_label", "judge_evidence")
            for t in (
                pa.large_string(),
                pa.string_view(),
                pa.dictionary(pa.int8(), pa.string()),
                pa.dictionary(pa.int32(), pa.large_string()),
            )
        ),
        ("judge_phi", pa.float32()),
        ("judge_phi", pa.float16()),
    ],
    ids=str,
)
def test_other_widths_and_encodings_pass(
    tmp_path: Path, name: str, arrow_type: pa.DataType
) -> None:
    folder = write_parquet(tmp_path, as_arrow(name, arrow_type))
    assert list(validate(folder).violations) == []
    assert read_delivery(folder).records.equals(TABLE)


@pytest.mark.parametrize("name", ["judge_evidence", "baseline_conversation"])
def test_an_all_null_column_passes_where_nulls_may_stand(tmp_path: Path, name: str) -> None:
    columns = table(RECORDS)
    position = columns.column_names.index(name)
    folder = write_parquet(tmp_path, columns.set_column(position, name, pa.nulls(len(RECORDS))))
    assert validate(folder).accepted
    assert read_delivery(folder).records[name].null_count == len(RECORDS)


@pytest.mark.parametrize(
    "name", ["n_options", "session_id", "outcome", "fresh_session", "hint_type"]
)
def test_an_all_null_column_fails_where_none_may_stand(tmp_path: Path, name: str) -> None:
    columns = table(RECORDS)
    position = columns.column_names.index(name)
    folder = write_parquet(tmp_path, columns.set_column(position, name, pa.nulls(len(RECORDS))))
    found = [(v.rule, v.field, v.row, v.found) for v in validate(folder).violations]
    assert found == [("schema", name, row, "null") for row in range(1, len(RECORDS) + 1)]


def test_an_unsigned_integer_beyond_64_bits_is_out_of_range(tmp_path: Path) -> None:
    huge = [2**64 - 1, *([4] * (len(RECORDS) - 1))]
    columns = table(
        [{**r, "n_options": n} for r, n in zip(RECORDS, huge, strict=True)], n_options=pa.uint64()
    )
    found = list(validate(write_parquet(tmp_path, columns)).violations)
    assert [(v.rule, v.field, v.found) for v in found] == [("schema", "n_options", str(2**64 - 1))]


def test_a_probability_column_of_integers(tmp_path: Path) -> None:
    values = {5: 1, 6: 0, 7: 2**60}
    rows = [{**r, "judge_phi": values.get(i)} for i, r in enumerate(RECORDS)]
    rows[10]["judge_phi"] = 1
    found = list(validate(write_parquet(tmp_path, table(rows, judge_phi=pa.int64()))).violations)
    assert [(v.rule, v.field, v.row, v.found) for v in found] == [
        ("schema", "judge_phi", 8, str(2**60))
    ]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_probability_in_parquet_must_be_finite(tmp_path: Path, value: float) -> None:
    folder = write_parquet(tmp_path, change(RECORDS, 5, judge_phi=value))
    found = list(validate(folder).violations)
    assert [(v.rule, v.field, v.row) for v in found] == [("schema", "judge_phi", 6)]
    assert found[0].found == repr(value)


def test_rows_are_found_again_across_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("avowed.parquet_batches.BATCH_ROWS", 4)
    records = RECORDS
    for index in (0, 3, 4, 10):
        records = change(records, index, fresh_session=None)
    found = list(validate(write_parquet(tmp_path, records)).violations)
    assert [(v.row, v.probe_id) for v in found] == [
        (index + 1, RECORDS[index]["probe_id"]) for index in (0, 3, 4, 10)
    ]


def test_the_header_is_written_for_reading(tmp_path: Path) -> None:
    write_delivery(tmp_path, HEADER, TABLE)
    text = (tmp_path / "delivery.json").read_text(encoding="utf-8")
    assert text == json.dumps(header(RECORDS), indent=2) + "\n"
