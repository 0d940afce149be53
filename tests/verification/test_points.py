"""Where one of two bootstraps may collapse to a point, either interval will do; only there."""

import math
from dataclasses import replace
from typing import Any

import pytest
from verification.bootstrap import percentile
from verification.comparison import AGREES, compare, counterpart
from verification.estimates import NEAR_POINT
from verification.estimates import Settings as Recomputed
from verification.recompute import recompute_delivery
from verification.records import cells_of
from verification.tables_intervals import as_printed, as_stated
from verification.tables_public import recomputed

from avowed.pairs.edge_delivery import edge_delivery
from avowed.pairs.edge_results import paper_config
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import cells_of_delivery, estimate_cell, long_rows

CONFIG = paper_config(resamples=200) | {"bootstrap": {"resamples": 200, "confidence": 0.5}}
#: Cells so small that half of the resamples may lie on one value.
CELLS = ("one_of_each", "undersampled", "undefined_resamples", "ten_halves")
MADE = edge_delivery(hint_types=CELLS)
HEADER, RECORDS = MADE.header.to_json(), MADE.records.to_pylist()


def pipeline(seed: int) -> list[dict[str, Any]]:
    settings = replace(Settings.from_config(CONFIG), seed=seed)
    rows = [
        row
        for cell in cells_of_delivery(MADE)
        for row in long_rows(
            estimate_cell(cell, settings, name=f"edge/{cell.hint_type}"), study="s"
        )
    ]
    return [
        {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in row.items()
        }
        for row in rows
    ]


def test_no_false_alarm_whichever_of_two_bootstraps_collapses() -> None:
    ours = recompute_delivery("edge", HEADER, RECORDS, CONFIG, study="s")
    methods: dict[str, set[str]] = {}
    for seed in range(1, 41):
        main = pipeline(seed)
        rows = compare(main, ours, source="edge")
        assert [row for row in rows if row["verdict"] != AGREES] == []
        for row in main:
            if row["cell"] == "edge/one_of_each" and row["quantity"] == "omission":
                methods.setdefault("omission", set()).add(row["method"])
    # Both outcomes occurred, so that agreement was not for want of a case.
    assert len(methods["omission"]) == 2


def test_where_no_other_value_is_near_there_is_no_alternative() -> None:
    ours = recompute_delivery("edge", HEADER, RECORDS, CONFIG, study="s")
    by_key = {(row["cell"], row["quantity"], row["k"]): row for row in ours}
    assert by_key["edge/ten_halves", "omission", None]["alternative"] is None
    assert by_key["edge/one_of_each", "omission", None]["alternative"]["near"] == NEAR_POINT


@pytest.mark.parametrize(
    ("values", "collapsed", "either"),
    [
        ([0.5] * 100, True, False),
        ([0.0] * 24 + [0.5] * 52 + [1.0] * 24, True, True),
        ([0.0] * 26 + [0.5] * 48 + [1.0] * 26, False, True),
        ([0.0] * 50 + [1.0] * 50, False, False),
        ([i / 100 for i in range(100)], False, False),
    ],
)
def test_which_bootstraps_are_near_a_point(
    values: list[float], collapsed: bool, either: bool
) -> None:
    ends = percentile(values * 20, 0.5)
    assert (ends.collapsed, ends.may_differ_in_that) == (collapsed, either)


def test_a_chain_of_alternatives_is_walked_through() -> None:
    last = {"method": "c", "near": "third", "alternative": None}
    row = {"method": "a", "alternative": {"method": "b", "near": "second", "alternative": last}}
    assert counterpart("c", row) == (last, "third")
    assert counterpart("a", row) == (row, None)
    assert counterpart("d", row) == (row, None)


def test_a_table_s_own_ends_say_which_interval_stands_there() -> None:
    pairs = cells_of("edge", HEADER, RECORDS)["one_of_each"]
    found = recomputed(pairs, Recomputed.from_config(CONFIG), name="edge/one_of_each")["omission"]
    other = found.alternative
    assert other is not None
    for one in (found, other):
        assert one.interval is not None
        ends = f"{one.interval.lower:.10g}", f"{one.interval.upper:.10g}"
        chosen = as_printed(found, *ends)
        assert (chosen.interval, chosen.status) == (one.interval, one.status)
        stated = as_stated(found, {"method": one.interval.method})
        assert stated.interval == one.interval
    assert as_printed(found, "", "") is found
    assert as_stated(found, None) is found
