"""What figures of cited factors say of few components, few responses and nothing at all."""

from pathlib import Path
from typing import Any

import pytest
from support import figure_factors_rows as made
from support.figure_checks import texts

from avowed.present.canvas import canvas, message
from avowed.present.figures_factors import (
    cells,
    cited_sets,
    control,
    criteria_agreement,
    empty,
    full_ranking,
    overlap,
    scores_by_rank,
)

Table = list[dict[str, Any]]


def changed(rows: Table, cell: str, **values: Any) -> Table:
    return [row | values if row["cell"] == cell else row for row in rows]


def test_a_title_names_the_components_that_a_mean_rests_on() -> None:
    rows = changed(
        criteria_agreement.drawn(made.estimates()), cells.ALL, note="mean over 1 of 2 components"
    )
    assert "mean rho of 0.25 (1 of 2 components)" in criteria_agreement.title_of(rows)
    sets = changed(
        cited_sets.drawn(made.estimates()), cells.ALL, note="mean over 1 of 2 components"
    )
    assert "+0.10 (k = 2, 1 of 2 components)" in cited_sets.title_of(sets)


@pytest.mark.parametrize("few", [{"n": 9}, {"status": "insufficient"}])
def test_few_responses_do_not_set_the_range(few: dict[str, Any]) -> None:
    three = made.estimates(("first", "second", "third"))
    rows = criteria_agreement.drawn(three)
    assert "; components run from 0.05 to 0.32" in criteria_agreement.title_of(rows)
    fewer = changed(rows, "first", **few)
    words = "; components with n of 10 or more run from 0.18 to 0.32"
    assert words in criteria_agreement.title_of(fewer)
    # What is left of two components is no range.
    two = changed(criteria_agreement.drawn(made.estimates()), "first", **few)
    assert "run from" not in criteria_agreement.title_of(two)


def test_one_component_is_drawn_once(tmp_path: Path) -> None:
    rows = made.estimates(("only",))
    criteria_agreement.draw(criteria_agreement.drawn(rows), [tmp_path / "a.svg"], confidence=0.9)
    assert "only" in texts(tmp_path / "a.svg")
    assert not any(cells.ALL in text for text in texts(tmp_path / "a.svg"))
    for figure in (scores_by_rank, cited_sets):
        figure.draw(figure.drawn(rows), [tmp_path / "b.svg"], confidence=0.9)
        found = texts(tmp_path / "b.svg")
        assert "only, 90 % interval" in found and "single component" not in found


def test_an_estimate_without_an_interval_says_so(tmp_path: Path) -> None:
    rows = changed(
        criteria_agreement.drawn(made.estimates()),
        "first",
        status="undefined",
        lower=None,
        upper=None,
    )
    rows = changed(rows, "second", status="insufficient", estimate=None, lower=None, upper=None)
    criteria_agreement.draw(rows, [tmp_path / "a.svg"], confidence=0.9)
    found = texts(tmp_path / "a.svg")
    assert "no interval" in found and "insufficient" in found and "undefined" not in found


@pytest.mark.parametrize(
    ("gaps", "words"),
    [
        ((-0.1, -0.2, 0.3), "more often than blank removal at rank 3, less often at ranks 1 and 2"),
        ((-0.1, -0.2, -0.3), "less often than blank removal at every cited rank"),
        ((0.0, 0.2, 0.0), "more often than blank removal at rank 2, as often at ranks 1 and 3"),
    ],
)
def test_both_sides_of_a_control_are_told(gaps: tuple[float, ...], words: str) -> None:
    rows = control.drawn(made.estimates(), other="blank")
    told = [
        row | {"estimate": gaps[row["k"] - 1]} if "difference" in row["quantity"] else row
        for row in rows
    ]
    assert f"contrast changes the decision {words} (difference" in control.title_of(
        told, other="blank"
    )


def test_a_figure_without_rows_says_why(tmp_path: Path) -> None:
    overlap.draw([], [tmp_path / "a.svg"])
    assert empty.why_empty("mine_overlap") in " ".join(texts(tmp_path / "a.svg"))
    for other in ("blank", "similar"):
        control.draw([], [tmp_path / "a.svg"], other=other, confidence=0.9)
        assert empty.why_empty(f"mine_control_{other}") in " ".join(texts(tmp_path / "a.svg"))


def test_ranks_without_a_score_are_told_once(tmp_path: Path) -> None:
    rows = [
        row | {"estimate": None, "n": 0} if (row["k"] or 0) > 2 else row
        for row in full_ranking.drawn(made.estimates())
    ]
    full_ranking.draw(rows, [tmp_path / "a.svg"])
    found = texts(tmp_path / "a.svg")
    assert "no response has a feature with a score at ranks 3 to 4" in found
    assert "undefined" not in found


def test_a_title_says_that_ranks_rest_on_different_responses() -> None:
    rows = full_ranking.drawn(made.estimates())
    rows = [row | {"n": 102} if row["quantity"] == "pilot_necessity_cited" else row for row in rows]
    fewer = [
        row | {"n": 22} if (row["quantity"], row["k"]) == ("pilot_necessity_by_rank", 3) else row
        for row in rows
    ]
    assert (
        "from 0.30 at rank 3 (n = 22) and, over other responses, to 0.10 at rank 4 (n = 40)"
        in full_ranking.title_of(fewer)
    )


@pytest.mark.parametrize(("share", "text"), [(0.325, "33 %"), (0.285, "29 %"), (0.3249, "32 %")])
def test_a_half_is_rounded_up(share: float, text: str) -> None:
    assert cells.percent(share) == text


def test_a_title_is_not_broken_within_a_name(tmp_path: Path) -> None:
    name = "counterfactual-self-simulation"
    with canvas([tmp_path / "a.svg"], size=(4, 3)) as (figure, _):
        message(figure, f"under this prompt or that one {name}")
    assert name in texts(tmp_path / "a.svg")


def test_titles_name_the_study() -> None:
    rows = cells.of_study(criteria_agreement.drawn(made.estimates()), "my_tickets")
    assert criteria_agreement.title_of(rows).startswith("My tickets: ")
