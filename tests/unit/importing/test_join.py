"""How a pair finds its unhinted half."""

from pathlib import Path
from typing import Any

import pytest
from support.import_tables import built, changed, reasons, row, table

from avowed.importing.baseline_file import find_inside
from avowed.importing.exclusions import What
from avowed.importing.join import join_baselines
from avowed.importing.mapping import Baseline, Condition, Replicas
from avowed.importing.rows import rows_of
from avowed.refusal import Refused, Unusable

OTHER = {"join": "other_file", "file": "b.jsonl", "key": ["q"]}


def hinted(q: Any, **changes: Any) -> dict[str, Any]:
    return {name: value for name, value in row(q, **changes).items() if name != "a0"}


def test_one_baseline_serves_all_replicas(tmp_path: Path) -> None:
    records = [hinted("q1"), hinted("q1", a1="A", v=None), hinted("q2")]
    others = [{"q": "q1", "a0": "A"}, {"q": "q2", "a0": "C"}]
    found = built(tmp_path, records, changed(baseline=OTHER, replica="order"), others=others)
    assert found.records.column("baseline_answer").to_pylist() == [0, 0, 2]
    assert found.records.column("baseline_half_id").to_pylist() == [
        "q1/baseline", "q1/baseline", "q2/baseline"
    ]  # fmt: skip
    assert len(set(found.records.column("hinted_half_id").to_pylist())) == 3


def test_a_missing_baseline_is_an_incomplete_pair(tmp_path: Path) -> None:
    records = [hinted("q1"), hinted("q2"), hinted("q3")]
    others = [{"q": "q1", "a0": "A"}, {"q": "q9", "a0": "A"}]
    found = built(tmp_path, records, changed(baseline=OTHER), others=others)
    [coverage] = found.header.coverage
    assert (coverage.planned, coverage.completed, coverage.incomplete) == (3, 1, 2)
    assert reasons(found, What.HALF) == {"missing baseline": 2}
    assert (found.counts.incomplete, found.counts.unused) == (2, 1)


def test_several_baselines_are_not_chosen_among_also_where_they_agree(tmp_path: Path) -> None:
    records = [hinted("q1"), hinted("q2")]
    others = [{"q": "q1", "a0": "A"}, {"q": "q1", "a0": "A"}, {"q": "q2", "a0": "A"}]
    found = built(tmp_path, records, changed(baseline=OTHER), others=others)
    assert found.records.column("probe_id").to_pylist() == ["q2"]
    assert reasons(found) == {"several baselines": 1}


def test_each_replica_may_have_its_own_baseline(tmp_path: Path) -> None:
    join = {**OTHER, "replica": {"column": "r", "from": 1}}
    records = [hinted("q1", n=0), hinted("q1", n=1), hinted("q1", n=2)]
    others = [{"q": "q1", "r": 2, "a0": "B"}, {"q": "q1", "r": 1, "a0": "A"}]
    mapping = changed(baseline=join, replica={"column": "n"})
    found = built(tmp_path, records, mapping, others=others)
    assert found.records.column("baseline_answer").to_pylist() == [0, 1]
    assert found.records.column("baseline_half_id").to_pylist() == [
        "s/q1/0/baseline", "s/q1/1/baseline"
    ]  # fmt: skip
    assert reasons(found) == {"missing baseline": 1}


def test_baselines_in_other_rows_of_the_file(tmp_path: Path) -> None:
    where = {"column": "k", "equals": "control"}
    mapping = changed(
        baseline={"join": "rows", "where": where, "key": ["q"]},
        answers={**changed()["answers"], "baseline": "a", "hinted": "a"},
        filter=[{"column": "split", "not_in": ["dev"]}],
    )
    records = [
        {**hinted("q1"), "k": "nudged", "a": "C", "split": "test"},
        {**hinted("q1"), "k": "control", "a": "A", "split": "test"},
        {**hinted("q2"), "k": "nudged", "a": "C", "split": "test"},
        {**hinted("q2"), "k": "control", "a": "A", "split": "dev"},
    ]
    found = built(tmp_path, records, mapping)
    assert found.records.column("probe_id").to_pylist() == ["q1"]
    counts = found.counts
    assert (counts.read, counts.passed_over, counts.unhinted, counts.incomplete) == (4, 1, 1, 1)


def test_an_absent_key_is_an_absent_half_and_a_null_is_an_answer(tmp_path: Path) -> None:
    lacks_a1 = {name: value for name, value in row("q3").items() if name != "a1"}
    records = [row("q1", a0=None, v=None), hinted("q2"), lacks_a1, row("q4")]
    found = built(tmp_path, records)
    assert found.records.column("probe_id").to_pylist() == ["q1", "q4"]
    assert reasons(found) == {"missing baseline": 1, "missing hinted half": 1}
    [coverage] = found.header.coverage
    assert dict(coverage.not_evaluable) == {"extraction_failed": 1}


def test_an_incomplete_pair_is_counted_once_and_not_beside_a_complete_one(tmp_path: Path) -> None:
    records = [row("q1"), hinted("q1"), hinted("q2"), hinted("q2")]
    found = built(tmp_path, records)
    assert reasons(found, What.HALF) == {"missing baseline": 1}
    assert reasons(found, What.ROW) == {"duplicate unit": 2}
    assert found.header.coverage[0].planned == 2


def test_identifiers_of_two_files_meet_as_texts() -> None:
    pairs = rows_of([table([{"q": 1}, {"q": 2}, {"q": None}])], ["q"])
    baselines = rows_of([table([{"q": "2"}, {"q": "1"}, {"q": None}])], ["q"])
    how = Baseline(join="other_file", key=("q",))
    joined = join_baselines(pairs, baselines, how, pairs.numbers)
    assert joined.position.tolist() == [1, 0, -1]
    assert joined.unused == 1


def test_an_empty_file_of_baselines_joins_nothing() -> None:
    pairs = rows_of([table([{"q": 1}])], ["q"])
    where = Condition(column="q", values=frozenset())
    how = Baseline(join="rows", key=("q",), where=where, replicas=Replicas(by="order"))
    nothing = rows_of([table([{"q": 1}])], ["q"]).take(pairs.numbers[:0])
    assert join_baselines(pairs, nothing, how, pairs.numbers - 1).position.tolist() == [-1]


@pytest.mark.parametrize("name", ["../b.jsonl", "a/../../b.jsonl", "/etc/hosts", "a/../b.jsonl"])
def test_the_other_file_is_named_inside_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "b.jsonl").write_text("{}\n")
    (tmp_path / "in").mkdir()
    with pytest.raises(Refused, match="expected a file inside the folder"):
        find_inside(name, [tmp_path / "in", tmp_path / "in"])


def test_a_link_does_not_lead_out(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text("{}\n")
    home = tmp_path / "in"
    home.mkdir()
    (home / "b.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (home / "sub").symlink_to(tmp_path)
    (home / "loop").symlink_to(home / "loop")
    for name in ("b.jsonl", "sub/secret.jsonl"):
        with pytest.raises(Refused, match="expected a file inside the folder"):
            find_inside(name, [home])
    with pytest.raises((Refused, Unusable)):
        find_inside("loop", [home])


def test_the_mappings_folder_comes_first(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x").write_text(folder)
    folders = [tmp_path / "a", tmp_path / "b"]
    assert find_inside("x", folders).read_text() == "a"
    (tmp_path / "a" / "x").unlink()
    assert find_inside("x", folders).read_text() == "b"
    with pytest.raises(Unusable, match=r"no file y in .*a or .*b"):
        find_inside("y", folders)
