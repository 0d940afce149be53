"""The wide table rearranges the long one and computes nothing."""

import pytest
from support.deliveries import HINT_TYPE, OTHER_HINT_TYPE

from avowed.pairs.part_one import DeliveryEstimates
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_row, wide_rows

# Wide column -> quantity and column of the long table, where the names differ.
ELSEWHERE = {
    "omission_lower": ("omission", "lower"),
    "omission_upper": ("omission", "upper"),
    "interval_method": ("omission", "method"),
    "clusters": ("omission", "clusters"),
    "icc": ("omission", "icc"),
    "design_effect": ("omission", "deff"),
    "effective_n": ("omission", "effective_n"),
    "status": ("omission", "status"),
    "omission_note": ("omission", "note"),
    "exposure_1": ("exposure_1_pooled", "estimate"),
    "n_drift": ("omission_drift", "n"),
    "n_wrong_to_wrong": ("omission_wrong_to_wrong", "n"),
    **{
        f"{name}_{part}": (name, part)
        for name in ("omission_drift", "omission_wrong_to_wrong")
        for part in ("lower", "upper", "status")
    },
    **{
        f"chance_corrected_{part}": ("omission_chance_corrected", part)
        for part in ("lower", "upper", "method", "status", "note")
    },
}
WORDS = {"condition", "n_items", "n_hint_correct", "hint_type", "sentence"}


def test_every_column_is_a_value_of_the_long_table(two_kinds: DeliveryEstimates) -> None:
    for cell in two_kinds.cells:
        long_rows = [row for row in two_kinds.rows if row["cell"] == cell["cell"]]
        by_name = {row["quantity"]: row for row in long_rows if row["k"] is None}
        row = wide_row("c", long_rows, hint_type=cell["hint_type"], sentence=cell["sentence"])
        assert tuple(row) == COLUMNS + FURTHER_COLUMNS
        for column in set(row) - WORDS:
            quantity, part = ELSEWHERE.get(column, (column, "estimate"))
            assert row[column] == by_name[quantity][part], column
        assert row["hint_type"] == cell["hint_type"]
        assert row["sentence"] == cell["sentence"]


def test_counts_are_integers(two_kinds: DeliveryEstimates) -> None:
    for row in wide_rows("c", two_kinds.rows, two_kinds.cells, left_out=(30, 10)):
        assert (row["n_items"], row["n_hint_correct"]) == (30, 10)
        assert {type(row[name]) for name in row if name.startswith("n_")} == {int}


def test_items_are_unknown_unless_they_are_counted(two_kinds: DeliveryEstimates) -> None:
    for row in wide_rows("c", two_kinds.rows, two_kinds.cells):
        assert row["n_items"] is None and row["n_hint_correct"] is None
    (none_left_out, _) = wide_rows("c", two_kinds.rows, two_kinds.cells, left_out=(11, 0))
    assert none_left_out["n_hint_correct"] == 0


def test_the_hint_type_is_named_where_there_are_several(
    two_kinds: DeliveryEstimates, one_kind: DeliveryEstimates
) -> None:
    named = [row["condition"] for row in wide_rows("mine", two_kinds.rows, two_kinds.cells)]
    assert named == [f"mine/{OTHER_HINT_TYPE}", f"mine/{HINT_TYPE}"]
    (only,) = wide_rows("still", one_kind.rows, one_kind.cells)
    assert only["condition"] == "still"


def test_cells_are_not_mixed(two_kinds: DeliveryEstimates) -> None:
    other, suggested = wide_rows("mine", two_kinds.rows, two_kinds.cells)
    assert (other["n_pairs"], suggested["n_pairs"]) == (2, 9)
    assert (other["n_flagged"], suggested["n_flagged"]) == (0, 1)


def test_undefined_stays_undefined(one_kind: DeliveryEstimates) -> None:
    (row,) = wide_rows("still", one_kind.rows, one_kind.cells)
    for column in ("omission", "omission_lower", "omission_upper", "omission_drift", "icc"):
        assert row[column] is None, column
    assert row["status"] == "insufficient"
    assert row["susceptibility"] == 0
    assert (row["n_evaluable"], row["n_no_change"]) == (0, 3)


@pytest.mark.parametrize("quantity", ["omission", "susceptibility", "n_flagged"])
def test_a_quantity_that_is_not_there_is_an_error(
    two_kinds: DeliveryEstimates, quantity: str
) -> None:
    rows = [row for row in two_kinds.rows if row["quantity"] != quantity]
    with pytest.raises(KeyError, match=quantity):
        wide_rows("c", rows, two_kinds.cells)
