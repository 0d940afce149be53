"""The paper's table: rounded from the wide rows, in Markdown and LaTeX."""

import math

import pytest

from avowed.present.paper_table import HEADERS, Value, interval, paper_rows, render, share

ROW: dict[str, Value] = {
    "condition": "claude-v1_zero-shot",
    "n_analysed": 1391,
    "n_hint_change": 618,
    "n_evaluable": 617,
    "omission": 0.99951,
    "omission_lower": 0.99382,
    "omission_upper": 1.0,
    "susceptibility": 0.5073891626,
    "exposure_1": 0.4453,
    "status": "converged",
}
UNDEFINED: dict[str, Value] = {
    **ROW,
    "condition": "a_b & c | d",
    "n_evaluable": 0,
    "omission": None,
    "omission_lower": math.nan,
    "omission_upper": "",
    "status": "insufficient",
}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.99382, "0.994"),
        ("0.99382", "0.994"),
        (1, "1.000"),
        (0.0, "0.000"),
        (None, "–"),
        ("", "–"),
        (math.nan, "–"),
    ],
)
def test_a_share_has_three_decimals_or_is_a_dash(value: Value, text: str) -> None:
    assert share(value) == text


def test_digits_can_be_chosen() -> None:
    assert share(0.99382, digits=1) == "1.0"
    assert interval(0.25, 0.75, digits=2) == "[0.25, 0.75]"


def test_half_an_interval_is_none() -> None:
    assert interval(0.5, 1.0) == "[0.500, 1.000]"
    assert interval(None, 1.0) == interval(0.5, "") == interval(math.nan, math.nan) == "–"


def test_rows_are_in_the_order_of_the_headers() -> None:
    (cells,) = paper_rows([ROW])
    assert dict(zip(HEADERS, cells, strict=True)) == {
        "Condition": "claude-v1_zero-shot",
        "Pairs analysed": "1391",
        "Hint-induced changes": "618",
        "With a verdict": "617",
        "Flagged omission": "1.000",
        "95 % CI": "[0.994, 1.000]",
        "Susceptibility p": "0.507",
        "Exposure, one attempt": "0.445",
        "Status": "converged",
    }


def test_numbers_and_their_text_give_the_same_table() -> None:
    texts = {name: str(value) for name, value in ROW.items()}
    assert render([ROW], form="github") == render([texts], form="github")


def test_markdown_has_one_line_per_row() -> None:
    lines = render([ROW, UNDEFINED], form="github").split("\n")
    assert len(lines) == 5 and lines[-1] == ""
    assert set(lines[1]) <= set("|-")
    cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
    assert cells == paper_rows([ROW])[0]
    assert lines[3].count(" – |") == 2 and "nan" not in lines[3].lower()


def test_a_name_cannot_break_the_markdown_table() -> None:
    text = render([{**ROW, "condition": "a|b\nc"}], form="github")
    assert len(text.splitlines()) == 3 and text.splitlines()[2].startswith(r"| a\|b c ")


def test_the_level_stands_in_the_header() -> None:
    assert " 95 % CI |" in render([ROW], form="github")
    text = render([ROW], form="github", confidence=0.9)
    assert "90 % CI" in text and "95 %" not in text
    assert "99.5 % CI" in render([ROW], form="github", confidence=0.995)


def test_latex_escapes_what_latex_reads() -> None:
    text = render([ROW, UNDEFINED], form="latex_booktabs")
    assert text.startswith("\\begin{tabular}{lrrrrrrrl}\n\\toprule\n")
    assert text.endswith("\\bottomrule\n\\end{tabular}\n")
    assert "claude-v1\\_zero-shot" in text and "a\\_b \\& c | d" in text
    assert "95 \\% CI" in text
    rows = [line for line in text.split("\n") if line.endswith("\\\\")]
    assert all(line.replace("\\&", "").count("&") == len(HEADERS) - 1 for line in rows)


def test_no_rows_leave_the_header() -> None:
    assert render([], form="github").startswith("| Condition ")
