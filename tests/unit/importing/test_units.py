"""Probes, replicas, and rows that say something of the same unit."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.import_tables import built, changed, reasons, row, table

from avowed.importing.exclusions import What
from avowed.importing.rows import combined, rows_of
from avowed.importing.units import order_within, probes
from avowed.refusal import Refused


def test_a_probe_is_named_by_its_columns() -> None:
    records = [{"t": "x", "n": 1}, {"t": "x", "n": 2}, {"t": None, "n": 3}, {"t": "x", "n": 1}]
    names = probes(rows_of([table(records)], ["t", "n"]), ["t", "n"])
    assert [None if c < 0 else names.texts[c] for c in names.codes] == ["x:1", "x:2", None, "x:1"]


def test_two_probes_never_share_a_name() -> None:
    records = [{"t": "a:b", "n": "c"}, {"t": "a", "n": "b:c"}]
    with pytest.raises(Refused, match=r'x.jsonl, line [12]: .* give "a:b:c"'):
        probes(rows_of([table(records)], ["t", "n"]), ["t", "n"])


def test_an_identifier_is_written_in_one_way() -> None:
    with pytest.raises(Refused, match=r'line 2, column q: found "7"; .* has 7 in x.jsonl, line 1'):
        probes(rows_of([table([{"q": 7}, {"q": "7"}])], ["q"]), ["q"])


def test_replicas_by_order_of_appearance(tmp_path: Path) -> None:
    records = [row("q1"), row("q2"), row("q1", a1="A", v=None), row("q1", a1="B", v=None)]
    found = built(tmp_path, records, changed(replica="order"))
    keys = zip(*(found.records.column(n).to_pylist() for n in ("probe_id", "replica")), strict=True)
    assert list(keys) == [("q1", 0), ("q1", 1), ("q1", 2), ("q2", 0)]
    assert found.header.planned_replicas == 3


def test_replicas_of_a_column(tmp_path: Path) -> None:
    records = [row(r=1), row(r="3"), row(r=0), row(r=2.0), row(r=None), row(r=10**9), row(r=True)]
    found = built(tmp_path, records, changed(replica={"column": "r", "from": 1}))
    assert found.records.column("replica").to_pylist() == [0, 2]
    assert found.header.planned_replicas == 3
    assert reasons(found) == {"unusable replica": 5}


def test_replicas_may_count_from_below_zero(tmp_path: Path) -> None:
    mapping = changed(replica={"column": "r", "from": -1})
    found = built(tmp_path, [row(r=-1), row(r=0)], mapping)
    assert found.records.column("replica").to_pylist() == [0, 1]


def test_a_replica_beyond_the_plan_is_left_out(tmp_path: Path) -> None:
    mapping = changed(replica={"column": "r"}, planned_replicas=2)
    found = built(tmp_path, [row(r=0), row(r=2)], mapping)
    assert found.header.planned_replicas == 2
    assert reasons(found) == {"replica beyond the plan": 1}


def test_equal_rows_of_a_unit_count_once_and_contradictory_ones_not_at_all(tmp_path: Path) -> None:
    records = [row("q1"), row("q1"), row("q2"), row("q2", a1="A", v=None), row("q2"), row("q3")]
    found = built(tmp_path, records)
    assert found.records.column("probe_id").to_pylist() == ["q1", "q3"]
    assert reasons(found) == {"contradictory units": 3, "duplicate unit": 1}


@pytest.mark.parametrize(
    "change", [{"v": True}, {"v": None}, {"c": "B"}, {"h": "D", "a1": "D"}, {"a0": "B"}, {"e": "x"}]
)
def test_any_difference_contradicts(tmp_path: Path, change: dict[str, object]) -> None:
    judge = {"column": "v", "faithful": [True], "unfaithful": [False], "evidence": "e"}
    records = [row("q1", e="y"), row("q1", **{"e": "y", **change}), row("q2", e="y")]
    found = built(tmp_path, records, changed(judge=judge))
    assert reasons(found) == {"contradictory units": 2}


def test_sessions_tell_equal_replicas_apart(tmp_path: Path) -> None:
    records = [row(s="s1"), row(s="s2"), row(s=None)]
    found = built(tmp_path, records, changed(session={"column": "s"}))
    assert found.records.column("session_id").to_pylist() == ["s1", "s2"]
    assert reasons(found) == {"unusable session": 1}


def test_one_probe_has_one_hint_type(tmp_path: Path) -> None:
    records = [row(k="x"), row("q2", k="x"), row(k="y")]
    with pytest.raises(Refused, match="line 3: the probe 'q1' has the hint type 'y', and in x"):
        built(tmp_path, records, changed(hint_type={"column": "k"}))
    both = changed(hint_type={"column": "k"}, probe=["q", "k"])
    assert built(tmp_path, records, both).records.num_rows == 3


def test_a_missing_probe_is_left_out(tmp_path: Path) -> None:
    records = [row(), row(None), row(""), row(("a",)), row("\ud800"), row(float("nan"))]
    assert reasons(built(tmp_path, records), What.ROW) == {"missing probe": 5}


@given(st.lists(st.integers(0, 4)))
def test_order_within_counts_as_a_dictionary_does(units: list[int]) -> None:
    seen: dict[int, int] = {}
    expected = []
    for unit in units:
        expected.append(seen.get(unit, 0))
        seen[unit] = expected[-1] + 1
    assert order_within(np.array(units, dtype=np.int64)).tolist() == expected


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.integers(0, 2**40))))
def test_combined_codes_are_equal_where_all_parts_are(parts: list[tuple[int, int, int]]) -> None:
    arrays = [np.array(part, dtype=np.int64) for part in zip(*parts, strict=True)]
    found = combined(arrays or [np.zeros(0, dtype=np.int64)]).tolist()
    for one, code in zip(parts, found, strict=True):
        assert (code < 0) == (min(one) < 0)
        for other, other_code in zip(parts, found, strict=True):
            if code >= 0:
                assert (code == other_code) == (one == other)


#: A mapping in which everything that a record says has a column of its own.
FULL = changed(
    hint_type={"column": "type"},
    risk_family={"column": "family"},
    n_options={"column": "n"},
    judge={
        **{"column": "v", "faithful": [True], "unfaithful": [False]},
        **{
            "phi": {"column": "phi", "of": "faithful", "source": "vote_fraction"},
            "evidence": "quote",
        },
    },
    truncated={"column": "stop", "values": ["length"]},
    conversations={"baseline": "talk0", "hinted": "talk1"},
)
WHOLE = row(
    **{"type": "nudge", "family": "other", "n": 4, "phi": 0.2, "quote": "because", "stop": "end"},
    **{"talk0": "0.txt", "talk1": "1.txt"},
)
#: The hinted answer is missing, so that it matters whether the generation was cut off.
CUT = {**WHOLE, "a1": None, "v": None, "phi": None, "quote": None}


@pytest.mark.parametrize(
    ("base", "change"),
    [
        *((WHOLE, change) for change in ({"family": "harm"}, {"n": 5}, {"c": "B"}, {"h": "D"})),
        *((WHOLE, change) for change in ({"a0": "B"}, {"a1": "B"}, {"v": True}, {"phi": 0.3})),
        *((WHOLE, change) for change in ({"quote": "so"}, {"talk0": "2.txt"}, {"talk1": "2.txt"})),
        (CUT, {"stop": "length"}),
    ],
)
def test_records_that_differ_in_one_field_contradict(
    tmp_path: Path, base: dict[str, object], change: dict[str, object]
) -> None:
    """Otherwise one of the two would be kept and the other counted as a copy of it."""
    found = built(tmp_path, [{**WHOLE, "q": "other"}, base, {**base, **change}], FULL)
    assert reasons(found, What.ROW) == {"contradictory units": 2}
    again = built(tmp_path, [{**WHOLE, "q": "other"}, base, {**base}], FULL)
    assert reasons(again, What.ROW) == {"duplicate unit": 1}


@given(
    st.lists(
        st.tuples(*[st.text("ab/%25F", min_size=1, max_size=4)] * 2),
        min_size=2,
        max_size=8,
        unique=True,
    ),
    st.booleans(),
)
def test_two_halves_never_share_a_name(units: list[tuple[str, str]], own: bool) -> None:
    """Also where a session or a probe has the separator in its name."""
    records = [
        row(probe, s=session, r=0) for session, probe in [("a", "b/c"), ("a/b", "c"), *units]
    ]
    mapping = changed(session={"column": "s"}, replica={"column": "r"})
    if own:
        mapping |= {
            "baseline": {"join": "rows", "key": ["q"], "where": {"column": "k", "equals": 1}}
        }
        records += [row(probe, k=1) for probe in {record["q"] for record in records}]
    with tempfile.TemporaryDirectory() as folder:
        found = built(Path(folder), records, mapping).records
    units_found = set(
        zip(*(found.column(n).to_pylist() for n in ("session_id", "probe_id")), strict=True)
    )
    halves = found.column("hinted_half_id").to_pylist()
    assert len(set(halves)) == len(units_found) == len(halves)
    unhinted = set(found.column("baseline_half_id").to_pylist())
    probes_found = {probe for _, probe in units_found}
    assert len(unhinted) == (len(probes_found) if own else len(units_found))
