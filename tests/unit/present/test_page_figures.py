"""Drawings inside a page: ids apart, nothing that could run or fetch, nothing lost."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import pytest
from unit.documents import REPOSITORY

from avowed.present.canvas import canvas
from avowed.present.figures_factors.empty import why_empty
from avowed.present.page import environment
from avowed.present.page_figures import captions_of, inline_svg, read_figures
from avowed.refusal import Unusable

OPENING = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(inside: str, attributes: str = ' viewBox="0 0 2 1"') -> str:
    return f"{OPENING}{attributes}>{inside}</svg>"


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A figure of Matplotlib's with markers, clipping and hatches."""
    path = tmp_path_factory.mktemp("figure") / "drawn.svg"
    with canvas([path]) as (_, (axis,)):
        axis.plot([0, 1], [0, 1], "o-")
        axis.bar([0], [1], hatch="//")
    return path


def test_every_id_and_every_reference_gets_the_name_in_front() -> None:
    found = inline_svg(
        svg(
            '<defs><clipPath id="c"><rect/></clipPath></defs>'
            '<g id="g" clip-path="url(#c)" style="fill: url( \'#c\' )"><use xlink:href="#g"/></g>'
        ),
        "a b",
        "x",
    )
    assert re.findall(r' id="([^"]+)"', found) == ["a-b-c", "a-b-g"]
    assert found.count("url(#a-b-c)") == 2 and 'xlink:href="#a-b-g"' in found


def test_a_real_figure_loses_nothing_that_is_drawn(drawing: Path) -> None:
    text = drawing.read_text("utf-8")
    found = inline_svg(text, "drawn", "A line.")
    paths = "{http://www.w3.org/2000/svg}path"
    before, after = ([e.get("d") for e in ET.fromstring(t).iter(paths)] for t in (text, found))
    assert before == after and len(after) > 10
    ids = re.findall(r'\sid="([^"]+)"', found)
    assert len(ids) == len(set(ids)) and all(name.startswith("drawn-") for name in ids)
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', found))
    assert used and {a or b for a, b in used} <= set(ids)
    for gone in ("<?xml", "<!DOCTYPE", "<!--", "<metadata", "<style", "Matplotlib v"):
        assert gone not in found
    assert 'aria-label="A line."' in found and " width=" not in found.split(">")[0]


def test_the_description_is_escaped() -> None:
    assert 'aria-label="a &lt;b&gt; &quot;c&quot;"' in inline_svg(svg(""), "f", 'a <b> "c"')


def test_a_drawing_without_a_view_box_gets_one_from_its_size() -> None:
    found = inline_svg(svg("", ' width="20pt" height="10.5"'), "f", "x")
    assert 'viewBox="0 0 20 10.5"' in found


@pytest.mark.parametrize(
    "text",
    [
        "no markup",
        "<html/>",
        svg("<script>alert(1)</script>"),
        svg("<foreignObject/>"),
        svg('<image xlink:href="#a"/>'),
        svg('<use xlink:href="http://elsewhere/#a"/>'),
        svg('<use href="other.svg#a"/>'),
        svg('<g onclick="alert(1)"/>'),
        svg('<g style="fill: url(http://elsewhere/)"/>'),
        svg('<g fill="url(other.svg#a)"/>'),
        svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>'),
    ],
)
def test_what_is_no_drawing_is_refused_by_name(text: str) -> None:
    with pytest.raises(Unusable, match="figure bad: "):
        inline_svg(text, "bad", "x")


def test_every_figure_of_the_workflow_has_a_caption() -> None:
    captions = captions_of((REPOSITORY / "figures" / "README.md").read_text("utf-8"))
    assert {"public_data", "coverage", "clustering"} <= set(captions)
    assert "figure" not in captions
    assert all(
        text[0].isupper() and text.endswith(".") and "`" not in text for text in captions.values()
    )


def test_figures_come_in_the_order_of_the_captions(drawing: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.svg" for name in ("a", "b", "c")]
    for path in files:
        path.write_bytes(drawing.read_bytes())
    found = read_figures(
        files, captions={"c": "C.", "a": "A."}, tables={"a": "t.csv"}, link_to={"t.csv": "../t.csv"}
    )
    assert [(one.name, one.caption, one.table_href) for one in found] == [
        ("c", "C.", ""),
        ("a", "A.", "../t.csv"),
        ("b", "", ""),
    ]
    with pytest.raises(Unusable, match=r"d\.svg cannot be read"):
        read_figures([tmp_path / "d.svg"], captions={}, tables={}, link_to={})


def test_a_figure_without_rows_is_empty_and_says_why(drawing: Path, tmp_path: Path) -> None:
    files, tables = [], {}
    for name, rows in (("mine_overlap", ""), ("mine_noise_floor", "1,2\n")):
        files.append(tmp_path / f"{name}.svg")
        files[-1].write_bytes(drawing.read_bytes())
        table = tmp_path / f"{name}.csv"
        table.write_text(f"a,b\n{rows}", encoding="utf-8")
        tables[name] = str(table)
    found = read_figures(files, captions={}, tables=tables, link_to={})
    assert {one.name: one.empty for one in found} == {
        "mine_noise_floor": "",
        "mine_overlap": why_empty("mine_overlap"),
    }
    text = environment().get_template("figures.html.j2")
    page = SimpleNamespace(figures=found)
    shown = text.render(page=page, svg=lambda figure: figure.name.upper())
    assert "MINE_NOISE_FLOOR" in shown and "MINE_OVERLAP" not in shown
    assert f"mine_overlap</span> ({why_empty('mine_overlap')})." in shown
