"""Tables of cited factors are rearrangements of the long table."""

from typing import Any

import pytest

from avowed.factors.rows import SEPARATOR as CELLS
from avowed.present.factors_csv import SEPARATOR, SHAPES, paper_rows


def row(cell: str, quantity: str, estimate: float | None, k: int | None = None) -> dict[str, Any]:
    ends = {"lower": None, "upper": None, "status": "undefined"}
    if estimate is not None:
        ends = {"lower": estimate - 1, "upper": estimate + 1, "status": "converged"}
    return {"cell": cell, "quantity": quantity, "k": k, "estimate": estimate, "n": 7, **ends}


def test_cells_are_taken_apart_where_they_were_put_together() -> None:
    assert SEPARATOR == CELLS


def test_one_row_per_component_with_interval_status_and_exclusions() -> None:
    rows = [
        row("a", "rank_agreement_necessity_constant", 3),
        row("a", "rank_agreement_necessity", 0.5),
        row("b", "rank_agreement_necessity", None),
        # Neither a feature's row nor one at a rank is about the component.
        row(f"a{SEPARATOR}age", "rank_agreement_necessity", 9),
        row("a", "rank_agreement_necessity", 9, k=1),
    ]
    first, second = paper_rows(SHAPES["rank_agreement"], rows)
    assert list(first) == list(SHAPES["rank_agreement"].columns)
    assert first["rho_necessity"] == 0.5
    assert (first["rho_necessity_lower"], first["rho_necessity_upper"]) == (-0.5, 1.5)
    assert (first["rho_necessity_constant"], first["rho_necessity_n"]) == (3, 7)
    assert second["component"] == "b" and second["rho_necessity"] is None
    assert second["rho_necessity_status"] == "undefined"
    assert second["rho_necessity_constant"] is None


def test_criteria_and_sizes_are_rows_of_their_own() -> None:
    rows = [
        row(cell, f"set_cited_{criterion}", value, k=k)
        for criterion, value in (("sufficiency", 0.2), ("necessity", 0.1))
        for k in (3, 2)
        for cell in ("b", "a")
    ]
    found = paper_rows(SHAPES["sets"], rows)
    keys = [(one["component"], one["criterion"], one["k"], one["cited"]) for one in found]
    assert keys == [
        (cell, criterion, k, value)
        for cell in ("b", "a")
        for criterion, value in (("necessity", 0.1), ("sufficiency", 0.2))
        for k in (2, 3)
    ]


def test_ranks_become_columns_where_a_row_has_all() -> None:
    rows = [row("a", "necessity_by_rank", k / 10, k=k) for k in (1, 2, 3)]
    (found,) = paper_rows(SHAPES["ranks"], rows)
    assert [found[f"rank_{k}"] for k in (1, 2, 3)] == [0.1, 0.2, 0.3]


def test_features_partners_and_groups() -> None:
    rows = [row("a", "necessity", 9.0), row(f"a{SEPARATOR}age", "necessity", 0.4)]
    (found,) = paper_rows(SHAPES["features"], rows)
    assert (found["component"], found["feature"], found["necessity"]) == ("a", "age", 0.4)
    rows = [row("all", "overlap_jaccard", 0.3), row(f"a{SEPARATOR}b", "overlap_jaccard", 0.2)]
    found_pairs = paper_rows(SHAPES["overlap"], rows)
    assert [(one["component"], one["other"]) for one in found_pairs] == [("all", ""), ("a", "b")]
    name = "citation_necessity_correlation"
    rows = [row("a", name, 0.5), row("all", f"pooled_{name}", 0.6)]
    assert [one[name] for one in paper_rows(SHAPES["correlations"], rows)] == [0.5, 0.6]


def test_a_difference_of_prompts_stands_beside_the_second() -> None:
    rows = [
        row(f"a{SEPARATOR}free", "positional_instability", 0.9),
        row(f"a{SEPARATOR}fixed", "positional_instability", 0.2),
        row(f"a{SEPARATOR}free minus fixed", "positional_instability_difference", 0.7),
    ]
    free, fixed = paper_rows(SHAPES["instability"], rows)
    assert (free["prompt"], free["difference"]) == ("free", None)
    assert (fixed["prompt"], fixed["instability"], fixed["difference"]) == ("fixed", 0.2, 0.7)


@pytest.mark.parametrize("name", SHAPES)
def test_no_column_stands_twice(name: str) -> None:
    columns = SHAPES[name].columns
    assert len(columns) == len(set(columns)) > 1
    assert paper_rows(SHAPES[name], []) == []
