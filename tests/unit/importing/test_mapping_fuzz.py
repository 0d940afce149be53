"""A mapping with anything at any place: read, or refused in one clean line."""

import copy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from support.import_tables import changed, row, table

from avowed.importing.build import build
from avowed.importing.mapping_file import read_mapping
from avowed.importing.raw_table import RawTable
from avowed.importing.rows import rows_of
from avowed.pairs.delivery import write_delivery
from avowed.pairs.rules import validate
from avowed.refusal import Refused, Unusable

#: A mapping in which every key occurs that can stand beside the others.
WHOLE = changed(
    input={"kind": "jsonl", "form": "rows", "at": "a.b", "id_as": "id", "delimiter": ";"},
    risk_family={"lookup": "k", "values": {"x": "one", 2: "two"}},
    replica={"column": "r", "from": 0},
    baseline={
        "join": "rows",
        "where": {"column": "k", "equals": "control"},
        "key": ["q"],
        "replica": {"column": "r"},
    },
    judge={
        "column": "v",
        "faithful": [True],
        "unfaithful": [False],
        "undetermined": ["?"],
        "missing": [None],
        "phi": {"column": "p", "of": "faithful", "source": "vote_fraction"},
        "threshold": 0.5,
        "evidence": "e",
        "elsewhere": "row",
    },
    filter=[{"column": "k", "in": ["x", "control"]}, {"column": "k", "not_in": ["y"]}],
    session={"column": "q"},
    conversations={"baseline": "e", "hinted": "e"},
    truncated={"column": "k", "values": ["cut"]},
    fresh_session=True,
    planned_replicas=3,
    header={
        "hint_channel": "user_message",
        "judge": {
            "model": "m",
            "provider": "p",
            "serving_path": "s",
            "prompt_sha256": "0" * 64,
        },
        "construct": "c",
        "language": "en",
        "format": "f",
    },
)

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["q", "c", "v", "one", "order", "shared", "rows", "other_file", 10**400]),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(SCALARS, st.sampled_from(["column", "values", "lookup", "constant"])),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)

COLUMNS: dict[str, Any] = {"r": 0, "k": "x", "p": 0.3, "e": "span", "n": 4}


def places(node: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in inner:
        yield (*place, key)
        if isinstance(value, dict | list):
            yield from places(value, (*place, key))


PLACES = sorted(places(WHOLE), key=str)


def one_table() -> RawTable:
    halves = [row(f"q{number}", **COLUMNS) for number in range(5)]
    controls = [{**half, "k": "control"} for half in halves]
    return table([*halves, *controls])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PLACES), ANYTHING, st.booleans()), min_size=1, max_size=2)
)
def test_a_mapping_is_read_or_refused(
    changes: list[tuple[tuple[Any, ...], Any, bool]],
) -> None:
    mapping = copy.deepcopy(WHOLE)
    for (*above, last), value, drop in changes:
        node: Any = mapping
        try:
            for key in above:
                node = node[key]
            if drop:
                del node[last]
            else:
                node[last] = value
        except (KeyError, IndexError, TypeError):
            # An earlier change took the place away.
            continue
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "map.yaml"
        path.write_text(yaml.safe_dump(mapping), encoding="utf-8")
        try:
            read = read_mapping(path)
            whole = one_table()
            if not set(read.columns) <= set(whole.columns) or read.baseline.file:
                return
            found = build(rows_of([whole], read.columns), read, session="s")
        except (Refused, Unusable) as refusal:
            assert str(refusal)
            return
        write_delivery(Path(name) / "d", found.header, found.records)
        assert validate(Path(name) / "d").accepted


def test_the_whole_mapping_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(yaml.safe_dump(WHOLE), encoding="utf-8")
    mapping = read_mapping(path)
    assert mapping.replicas.column == "r" and mapping.form.delimiter == ";"
    found = build(rows_of([one_table()], mapping.columns), mapping, session="s")
    assert (found.records.num_rows, found.counts.unhinted) == (5, 5)


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), -0.1])
def test_a_threshold_is_a_probability(tmp_path: Path, threshold: float) -> None:
    mapping = {**WHOLE, "judge": {**WHOLE["judge"], "threshold": threshold}}
    path = tmp_path / "map.yaml"
    path.write_text(yaml.safe_dump(mapping), encoding="utf-8")
    with pytest.raises(Refused, match=r"field judge.threshold"):
        read_mapping(path)
