"""What is looked for in a drawn figure: its texts, cut-off texts, overlapping labels."""

import re
from html import unescape
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import pytest

from avowed.present.csvfile import read_table, write_rows


def texts(svg: Path) -> list[str]:
    """Every line of text of an SVG, which keeps it as a comment."""
    found = re.findall(r"<!-- (.*?) -->", svg.read_text(encoding="utf-8"), re.DOTALL)
    return [unescape(text) for text in found]


def tick_labels(figure: Any) -> list[list[tuple[str, Any]]]:
    """Per axis the labels of the ticks in view, with the boxes they take."""
    return [
        [
            (tick.label1.get_text(), tick.label1.get_window_extent())
            for tick in axis.get_major_ticks()
            if tick.label1.get_text().strip() and low <= tick.get_loc() <= high
        ]
        for axes in figure.axes
        if axes.get_visible()
        for axis in (axes.xaxis, axes.yaxis)
        for low, high in [sorted(axis.get_view_interval())]
        if axis.get_tick_params()["labelbottom" if axis is axes.xaxis else "labelleft"]
    ]


def over_the_edge(figure: Any) -> list[str]:
    """Texts that are cut off at the edge of the figure."""
    from matplotlib.text import Text

    ticks = {
        id(tick.label1)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
    }
    boxes = [
        (text.get_text(), text.get_window_extent())
        for text in figure.findobj(Text)
        if id(text) not in ticks and text.get_visible() and text.get_text().strip()
        if text.axes is None or text.axes.get_visible()
    ]
    edge = figure.bbox
    return [
        f"over the edge: {text!r}"
        for text, box in (*boxes, *(label for labels in tick_labels(figure) for label in labels))
        if min(box.x0, box.y0, edge.x1 - box.x1, edge.y1 - box.y1) < -1
    ]


def overlapping(figure: Any) -> list[str]:
    """Neighbouring labels of an axis that run into each other."""
    return [
        f"overlap: {one!r} and {other!r}"
        for labels in tick_labels(figure)
        for (one, box), (other, next_box) in combinations(labels, 2)
        if box.overlaps(next_box)
    ]


def watch(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Look at every figure that is written from now on; the faults found are added to the list."""
    from matplotlib.figure import Figure

    faults: list[str] = []
    save = Figure.savefig

    def checked(figure: Figure, *args: Any, **kwargs: Any) -> None:
        save(figure, *args, **kwargs)
        figure.draw_without_rendering()
        faults.extend(over_the_edge(figure))
        faults.extend(overlapping(figure))

    monkeypatch.setattr(Figure, "savefig", checked)
    return faults


class Case(Protocol):
    """A figure as its tests know it: the module, rows that it draws, and how it draws them."""

    @property
    def module(self) -> ModuleType: ...

    def drawn(self) -> Any: ...

    def draw(self, rows: Any, *outputs: Path) -> None: ...


def assert_drawn_again_from_its_table(case: Case, folder: Path) -> None:
    """The CSV beside a picture gives the picture again, to the byte."""
    rows = case.drawn()
    write_rows(folder / "a.csv", case.module.COLUMNS, rows)
    case.draw(rows, folder / "a.svg", folder / "a.png")
    case.draw(read_table(folder / "a.csv"), folder / "b.svg", folder / "b.png")
    for form in ("svg", "png"):
        assert (folder / f"a.{form}").read_bytes() == (folder / f"b.{form}").read_bytes()


def assert_table_has_the_columns_drawn(case: Case) -> None:
    """Every row has the columns that the module names, in their order."""
    rows = case.drawn()
    assert rows and all(list(row) == list(case.module.COLUMNS) for row in rows)
