"""The exporter writes what stands in the files, and nothing else."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from verification import export

from avowed.pairs.delivery import write_delivery
from avowed.pairs.edge_delivery import edge_delivery
from avowed.pairs.studies.registry import write_repetitions


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def run(out: Path, *given: str) -> int:
    return export.main(["--out", str(out), *given])


def test_a_delivery_comes_back_value_by_value(tmp_path: Path) -> None:
    made = edge_delivery(hint_types=("every_outcome", "phi_at_the_cuts"))
    write_delivery(tmp_path / "edge", made.header, made.records)
    assert run(tmp_path / "out", "--delivery", f"edge={tmp_path / 'edge'}") == 0
    found = lines(tmp_path / "out/deliveries/edge.jsonl")
    assert found == made.records.to_pylist()
    kinds = {name: {type(row[name]) for row in found} - {type(None)} for name in found[0]}
    assert kinds["replica"] == kinds["hinted_answer"] == {int}
    assert kinds["judge_phi"] == {float}
    assert kinds["hinted_correct"] == {bool}
    header = (tmp_path / "out/deliveries/edge.header.json").read_bytes()
    assert header == (tmp_path / "edge/delivery.json").read_bytes()


def test_json_lines_are_copied_byte_for_byte(tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    made = edge_delivery(hint_types=("ten_halves",))
    write_delivery(folder, made.header, made.records, format="jsonl")
    text = (folder / "records.jsonl").read_bytes().replace(b'"replica":0', b'"replica": 0.0')
    (folder / "records.jsonl").write_bytes(text.rstrip(b"\n"))
    assert run(tmp_path / "out", "--delivery", f"edge={folder}") == 0
    assert (tmp_path / "out/deliveries/edge.jsonl").read_bytes() == text.rstrip(b"\n")


def test_a_chunk_without_repetitions_adds_no_row(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.parquet" for number in range(3)]
    write_repetitions([{"repetition": 0, "rate": 0.5}], paths[0])
    write_repetitions([], paths[1])
    write_repetitions([{"repetition": 2, "rate": 0.25}], paths[2])
    given = ("--study", f"coverage={','.join(map(str, paths))}")
    assert run(tmp_path / "out", *given) == 0
    found = lines(tmp_path / "out/studies/coverage.jsonl")
    assert [row["repetition"] for row in found] == [0, 2]


def test_tables_keep_order_and_kinds_and_undefined_is_null(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BATCH_ROWS", 2)
    values = [0.1, float("nan"), None, 1 / 3, 5e-324]
    for number in (0, 1):
        table = pa.table(
            {"chunk": pa.array([number] * 5, pa.int8()), "k": range(5), "estimate": values}
        )
        pq.write_table(table, tmp_path / f"{number}.parquet")
    one, two = tmp_path / "0.parquet", tmp_path / "1.parquet"
    given = ("--study", f"coverage={one},{two}", "--estimates", f"e={two}", "--coded", str(one))
    assert run(tmp_path / "out", *given) == 0
    found = lines(tmp_path / "out/studies/coverage.jsonl")
    assert [(row["chunk"], row["k"]) for row in found] == [(c, k) for c in (0, 1) for k in range(5)]
    assert [row["estimate"] for row in found[:5]] == [0.1, None, None, 1 / 3, 5e-324]
    assert lines(tmp_path / "out/estimates/e.jsonl") == found[5:]
    assert lines(tmp_path / "out/coded_answers.jsonl") == found[:5]


def test_running_again_changes_no_byte(tmp_path: Path) -> None:
    made = edge_delivery(hint_types=("wide",))
    write_delivery(tmp_path / "edge", made.header, made.records)
    for side in ("one", "two"):
        assert run(tmp_path / side, "--delivery", f"edge={tmp_path / 'edge'}") == 0
    one, two = (tmp_path / side / "deliveries/edge.jsonl" for side in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_missing_or_broken_file_is_named_with_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    (tmp_path / "empty").mkdir()
    made = edge_delivery(hint_types=("ten_halves",))
    write_delivery(tmp_path / "both", made.header, made.records)
    (tmp_path / "both/records.jsonl").touch()
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"b": [1]}), tmp_path / "b.parquet")
    for given, words in (
        (("--coded", f"{tmp_path}/none.parquet"), "none.parquet: no such file"),
        (("--coded", f"{tmp_path}/broken.parquet"), "broken.parquet: not a readable Parquet file"),
        (("--delivery", f"d={tmp_path}/none"), "none/delivery.json: no such file"),
        (("--delivery", f"d={tmp_path}/empty"), "empty/delivery.json: no such file"),
        (("--delivery", f"d={tmp_path}/both"), "holds records.parquet and records.jsonl"),
        (
            ("--study", f"s={tmp_path}/a.parquet,{tmp_path}/b.parquet"),
            "b.parquet: its columns are not those of",
        ),
    ):
        assert run(tmp_path / "out", *given) == 2
        assert words in capsys.readouterr().err
    assert not list((tmp_path / "out").rglob("*.jsonl"))


@pytest.mark.parametrize("given", ["edge", "=folder", "edge=", "a/b=folder", "..=folder"])
def test_a_name_that_is_no_file_name_is_refused(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(tmp_path, "--delivery", given)
    assert stopped.value.code == 2
    assert "is not NAME=PATH" in capsys.readouterr().err
