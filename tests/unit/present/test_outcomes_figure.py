"""The figure: states its message, draws undefined as a word, gives the same bytes every time."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.deliveries import HINT_TYPE, OTHER_HINT_TYPE
from support.figure_checks import watch

from avowed.pairs.part_one import DeliveryEstimates
from avowed.present.csvfile import read_rows, write_rows
from avowed.present.outcomes_figure import COLUMNS, draw, drawn, spread, title_of

Wide = Callable[[DeliveryEstimates, str], list[dict[str, str]]]
SEGMENTS = {
    "n_flagged": "moved to the hint, omission flagged",
    "n_ungraded": "moved to the hint, no verdict",
    "n_other_change": "changed to another option",
    "n_no_change": "no change",
    "n_baseline_on_hint": "already on the hint",
    "n_not_evaluable": "answer not extracted",
}
ACKNOWLEDGED = "moved to the hint, acknowledged"
UNDEFINED = {"omission": "", "omission_lower": "", "omission_upper": "", "status": "insufficient"}


def row(condition: str = "c", **changes: str) -> dict[str, str]:
    return {
        "condition": condition,
        "n_analysed": "110",
        "n_flagged": "50",
        "n_evaluable": "51",
        "n_ungraded": "11",
        "n_other_change": "12",
        "n_no_change": "13",
        "n_baseline_on_hint": "14",
        "n_not_evaluable": "9",
        "omission": "0.98",
        "omission_lower": "0.9",
        "omission_upper": "0.995",
        "interval_method": "percentile cluster bootstrap",
        "status": "converged",
        **changes,
    }


def texts(folder: Path, rows: list[dict[str, str]], confidence: float = 0.95) -> list[str]:
    """Draw the rows as SVG and PNG; every text of the SVG, which keeps it as a comment."""
    outputs = [folder / "figure.svg", folder / "figure.png"]
    draw(rows, outputs, confidence=confidence)
    assert outputs[1].read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in folder.iterdir()) == ["figure.png", "figure.svg"]
    found = re.findall(r"<!-- (.*?) -->", outputs[0].read_text(encoding="utf-8"), re.DOTALL)
    return [unescape(text) for text in found]


def line_below(line: str, found: list[str]) -> str:
    """The line that stands below another one of the same label: the SVG has them in order."""
    assert found.count(line) == 1
    return found[found.index(line) + 1]


@pytest.mark.parametrize(
    ("flagged", "evaluable", "title"),
    [
        ("7", "7", "The judge finds no avowal in 7 explanations that followed the hint"),
        ("6", "7", "The judge finds 1 avowal in 7 explanations that followed the hint"),
        ("0", "7", "The judge finds 7 avowals in 7 explanations that followed the hint"),
        (
            "1000",
            "3258",
            "The judge finds 2,258 avowals in 3,258 explanations that followed the hint",
        ),
        ("0", "0", "No answer moved to the hint with a verdict on its explanation"),
    ],
)
def test_the_title_is_counted_from_the_rows(flagged: str, evaluable: str, title: str) -> None:
    assert title_of([row(n_flagged=flagged, n_evaluable=evaluable)]) == title


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([(3, 5), (1, 4)], "an avowal in 40.0 % to 75.0 % of the explanations"),
        ([(3, 5), (3, 5)], "an avowal in 40.0 % of the explanations"),
        ([(5, 5), (1, 4), (0, 0)], "an avowal in 0.0 % to 75.0 % of the explanations"),
        ([(5, 5), (2, 2)], "no avowal in 7 explanations"),
        ([(3, 5), (0, 0)], "2 avowals in 5 explanations"),
    ],
)
def test_the_title_pools_no_cells(counts: list[tuple[int, int]], said: str) -> None:
    rows = [row(n_flagged=str(flagged), n_evaluable=str(n)) for flagged, n in counts]
    assert title_of(rows) == f"The judge finds {said} that followed the hint"


def test_a_narrow_segment_has_its_number_too(tmp_path: Path) -> None:
    thin = row(
        n_analysed="2000", n_flagged="1", n_evaluable="3", n_ungraded="4", n_other_change="5",
        n_no_change="1980", n_baseline_on_hint="6", n_not_evaluable="7",
    )  # fmt: skip
    found = texts(tmp_path, [thin])
    assert {"1", "2", "4", "5", "1,980", "6", "7"} <= set(found)
    without = texts(tmp_path, [{**thin, "n_ungraded": "0"}])
    assert without.count("0") == found.count("0")


@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=7).map(sorted),
    st.floats(0.01, 10),
)
def test_numbers_above_a_bar_lie_apart(places: list[float], gap: float) -> None:
    found = spread(places, gap=gap, end=100)
    assert all(two - one >= gap - 1e-9 for one, two in pairwise(found))
    assert found[-1] <= 100
    # With room to spare nothing is moved.
    if all(two - one >= gap for one, two in pairwise(places)):
        assert found == places


def test_title_axes_and_segments_are_written(tmp_path: Path) -> None:
    found = texts(tmp_path, [row()], confidence=0.9)
    assert title_of([row()]) in found
    assert "analysed pairs" in found and "flagged omission, 90 % interval" in found
    assert {*SEGMENTS.values(), ACKNOWLEDGED} <= set(found)
    assert {row()[column] for column in SEGMENTS if column != "n_flagged"} <= set(found)
    assert "0.980 [0.900, 0.995]" in found


@pytest.mark.parametrize("column", SEGMENTS)
def test_a_segment_that_is_nowhere_has_no_legend(tmp_path: Path, column: str) -> None:
    found = texts(tmp_path, [row(**{column: "0"})])
    assert SEGMENTS[column] not in found
    assert {name for key, name in SEGMENTS.items() if key != column} <= set(found)


def test_no_explanation_avows_where_all_are_flagged(tmp_path: Path) -> None:
    assert ACKNOWLEDGED not in texts(tmp_path, [row(n_evaluable="50")])


def test_an_undefined_omission_is_drawn_as_its_status(tmp_path: Path) -> None:
    found = texts(tmp_path, [row("a"), row("b", **UNDEFINED)])
    assert found.count("insufficient") == 1
    assert len([text for text in found if text.startswith("0.980 [")]) == 1


def test_a_status_short_of_converged_is_said(tmp_path: Path) -> None:
    found = texts(tmp_path, [row(status="undersampled")])
    assert line_below("0.980 [0.900, 0.995]", found) == "undersampled"


def test_converged_is_not_said(tmp_path: Path) -> None:
    assert "converged" not in texts(tmp_path, [row()])


def test_an_estimate_without_interval_says_so(tmp_path: Path) -> None:
    bare = row(omission_lower="", omission_upper="", status="undefined")
    assert line_below("0.980, no interval", texts(tmp_path, [bare])) == "undefined"


def test_no_analysed_pair_is_still_a_figure(tmp_path: Path) -> None:
    empty = row("nothing", **{name: "0" for name in row() if name.startswith("n_")}, **UNDEFINED)
    found = texts(tmp_path, [empty])
    assert {"nothing", "insufficient", title_of([empty])} <= set(found)


def test_no_rows_are_still_a_figure(tmp_path: Path) -> None:
    assert "analysed pairs" in texts(tmp_path, [])


def test_real_rows_with_several_hint_types(
    tmp_path: Path, two_kinds: DeliveryEstimates, one_kind: DeliveryEstimates, as_text: Wide
) -> None:
    found = texts(tmp_path, as_text(two_kinds, "mine") + as_text(one_kind, "still"))
    assert {f"mine/{HINT_TYPE}", f"mine/{OTHER_HINT_TYPE}", "still"} <= set(found)
    assert any(text.startswith("The judge finds an avowal in ") for text in found)
    # Once for the row without any verdict, and once below the share of a single verdict.
    assert found.count("insufficient") == 2
    (single,) = [text for text in found if text.startswith("0.000 [")]
    assert line_below(single, found) == "insufficient"


@pytest.mark.parametrize("name", ["x" * 300, "a delivery of many words " * 8, "a" * 60 + "/hint"])
def test_a_long_name_leaves_room_for_the_bars(tmp_path: Path, name: str) -> None:
    found = texts(tmp_path, [row(name), row("short")])
    assert {"short", "11", "14"} <= set(found)
    lines = [text for text in found if text.removesuffix("...").strip() in name and len(text) > 3]
    assert 1 <= len(lines) <= 3 and max(map(len, lines)) <= 34


@pytest.mark.parametrize("name", ["cost $5 or $6", r"a_b^c \alpha", "$\\frac$", "<a> & 'b'"])
def test_signs_in_a_name_are_drawn_as_they_are(tmp_path: Path, name: str) -> None:
    assert name in texts(tmp_path, [row(name)])


def test_many_rows_make_a_taller_figure(tmp_path: Path) -> None:
    def height(count: int) -> float:
        draw([row(f"c{n}") for n in range(count)], [tmp_path / "f.svg"], confidence=0.95)
        (found,) = re.findall(
            r'<svg .*?height="([\d.]+)pt"', (tmp_path / "f.svg").read_text(), re.S
        )
        return float(found)

    assert height(20) > 3 * height(2)


def test_the_table_beside_the_picture_gives_the_same_picture(tmp_path: Path) -> None:
    rows = [row("a"), row("b", **UNDEFINED), row("c", status="undersampled")]
    write_rows(tmp_path / "a.csv", COLUMNS, drawn(rows))
    again = read_rows(tmp_path / "a.csv")
    assert again == drawn(rows) and set(again[0]) == set(COLUMNS)
    for name, each in (("a", rows), ("b", again)):
        draw(each, [tmp_path / f"{name}.svg"], confidence=0.95)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("count", [1, 12])
def test_nothing_is_cut_off(count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = watch(monkeypatch)
    rows = [
        row(f"delivery {n} {'with a long name ' * n}", status="undersampled") for n in range(count)
    ]
    texts(tmp_path, [*rows, row("last", **UNDEFINED)])
    assert faults == []


def test_the_bytes_are_the_same_in_another_process(tmp_path: Path) -> None:
    rows = [row("a"), row("b", **UNDEFINED), row("c", status="undersampled")]
    for number in (1, 2):
        outputs = [str(tmp_path / f"{number}.{suffix}") for suffix in ("svg", "png")]
        code = (
            "import json, sys\n"
            "from pathlib import Path\n"
            "from avowed.present.outcomes_figure import draw\n"
            "rows, outputs = json.loads(sys.argv[1])\n"
            "draw(rows, [Path(each) for each in outputs], confidence=0.95)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, json.dumps([rows, outputs])],
            env={**os.environ, "PYTHONHASHSEED": str(number), "TZ": f"UTC{number}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
    for suffix in ("svg", "png"):
        first, second = ((tmp_path / f"{number}.{suffix}").read_bytes() for number in (1, 2))
        assert first == second
    assert b"dc:date" not in (tmp_path / "1.svg").read_bytes()


def test_an_interrupted_drawing_leaves_the_old_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    def half_way(_: Figure, path: Path, **__: object) -> None:
        path.write_text("<svg")
        raise KeyboardInterrupt

    (tmp_path / "figure.svg").write_text("old")
    monkeypatch.setattr(Figure, "savefig", half_way)
    with pytest.raises(KeyboardInterrupt):
        draw([row()], [tmp_path / "figure.svg"], confidence=0.95)
    assert [path.name for path in tmp_path.iterdir()] == ["figure.svg"]
    assert (tmp_path / "figure.svg").read_text() == "old"
