"""Figure: a forest of differences, or of two judges' agreement, one line each."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import (
    INK,
    Point,
    broken,
    canvas,
    draw_points,
    grid,
    legend_below,
    look,
    message,
)
from avowed.present.figures.table import Row, Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Measures of two judges that are drawn, in their order from top to bottom.
_MEASURES = {
    "rate_difference": "difference of the rates",
    "observed_agreement": "observed agreement",
    "cohens_kappa": "Cohen's kappa",
    "gwet_ac1": "Gwet's AC1",
    "prevalence_index": "prevalence index",
}

#: Most letters of a delivery's name.
_LETTERS = 34

_DIFFERS, _NOT_SHOWN = "differs", "no difference shown"
_NEARLY = "no difference shown, although the interval leaves out 0"
_KINDS = (_DIFFERS, _NEARLY, _NOT_SHOWN)

#: Number of a kind's look; what is insufficient has another marker, in the colour of the text.
_LOOKS = {_DIFFERS: 0, _NEARLY: 2, _NOT_SHOWN: 1, "estimate": 0}

#: What a panel of differences is of.
_WHAT = {"omission": "flagged omission", "susceptibility": "susceptibility"}


def drawn(rows: Rows, *, confidence: float) -> list[dict[str, Any]]:
    """Differences as the lines that are drawn: what they are of, the numbers, what they show."""
    return [
        {
            "hint_type": row["hint_type"],
            "quantity": row["quantity"],
            "label": f"{_name(row['first'])}\nminus {_name(row['second'])}",
            "value": row["difference"],
            "lower": row["lower"],
            "upper": row["upper"],
            "shows": _shows(row, confidence),
            "tests": row["tests"],
            "status": row["status"],
        }
        for row in rows
    ]


def _name(name: str) -> str:
    """A name of a delivery, cut where it would leave no room for the intervals."""
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 4]} ..."


def _shows(row: Row, confidence: float) -> str:
    p = row["p_adjusted"]
    if p is None:
        return str(row["status"])
    if p <= 1 - confidence + 1e-12:
        return _DIFFERS
    return _NEARLY if row["lower"] > 0 or row["upper"] < 0 else _NOT_SHOWN


def drawn_judges(rows: Rows) -> list[dict[str, Any]]:
    """Measures of two judges as the lines that are drawn."""
    return [
        {
            "hint_type": row["hint_type"],
            "quantity": "agreement",
            "label": _MEASURES[row["quantity"]],
            "value": row["estimate"],
            "lower": row["lower"],
            "upper": row["upper"],
            "shows": "estimate",
            "n": row["n"],
            "status": row["status"],
        }
        for row in rows
        if row["quantity"] in _MEASURES
    ]


def title_of(lines: Rows) -> str:
    """State the message of the figure, from the numbers drawn; of every panel, not of one alone.

    >>> title_of([{"quantity": "omission", "shows": "differs"}])
    'The flagged omission differs in 1 of 1 comparison'
    """
    if lines and lines[0]["quantity"] == "agreement":
        return _title_of_judges(lines)
    panels = list(dict.fromkeys(row["quantity"] for row in lines))
    found = "; ".join(_found(panel, lines) for panel in panels)
    return found[:1].upper() + found[1:]


def _found(panel: str, lines: Rows) -> str:
    """What one panel shows, and how many of its comparisons could not be tested."""
    what = f"the {_WHAT[panel]}"
    rows = [row for row in lines if row["quantity"] == panel]
    tested = [row for row in rows if row["shows"] in _KINDS]
    if not tested:
        return f"no difference of {what} could be tested"
    count = sum(row["shows"] == _DIFFERS for row in tested)
    comparisons = f"{len(tested)} comparison{'' if len(tested) == 1 else 's'}"
    left = len(rows) - len(tested)
    untested = f" ({left} could not be tested)" if left else ""
    if not count:
        return f"no difference of {what} is shown in {comparisons}{untested}"
    return f"{what} differs in {count} of {comparisons}{untested}"


def _title_of_judges(lines: Rows) -> str:
    found = [
        row
        for row in lines
        if row["label"] == _MEASURES["observed_agreement"] and row["value"] is not None
    ]
    if not found:
        return "No explanation was judged by both judges"
    least = f"{100 * min(row['value'] for row in found):.1f} %"
    if len(found) == 1:
        return f"The judges agree on {least} of the {found[0]['n']:,} explanations that both judged"
    return (
        f"Of the explanations that both judged, the judges agree on {least} or more in each of "
        f"{len(found)} hint types"
    )


def draw(lines: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """Draw one line per comparison and quantity to every output (SVG or PNG), panels by quantity.

    A line without a value says why; what differs is filled, what does not is hollow, and an
    interval that leaves out 0 without a difference being shown has a look of its own.
    """
    panels = list(dict.fromkeys(row["quantity"] for row in lines))
    by_panel = [[row for row in lines if row["quantity"] == panel] for panel in panels]
    longest = max(len(rows) for rows in by_panel)
    there = {row["shows"] for row in lines if row["value"] is not None}
    # No entry in the legend for what is nowhere drawn; the others in one order in every panel.
    kinds = [kind for kind in (*_KINDS, *sorted(there - set(_KINDS))) if kind in there]
    size = (4.6 + 3.6 * len(panels), 2.2 + 0.52 * longest)
    with canvas(outputs, columns=len(panels), size=size, sharey=True) as (figure, axes):
        for axis, panel, rows in zip(axes, panels, by_panel, strict=True):
            _panel(axis, rows, kinds)
            axis.set_xlabel(_axis_name(panel, rows, confidence))
            axis.set_xlim(*_limits(rows))
        axes[0].set_yticks(
            range(longest),
            [f"{broken(row['hint_type'])}:\n{row['label']}" for row in by_panel[0]],
        )
        axes[0].set_ylim(longest - 0.4, -0.6)
        message(figure, title_of(lines))
        legend_below(figure, axes)


def _axis_name(panel: str, rows: Rows, confidence: float) -> str:
    """What the axis has, its intervals, and how the p-values behind "differs" are adjusted."""
    if panel == "agreement":
        return f"estimate, {100 * confidence:g} % interval"
    name = f"difference of the {_WHAT[panel]}, {100 * confidence:g} % interval each"
    tests = sorted({row["tests"] for row in rows if row["tests"] > 1})
    if not tests:
        return name
    over = " or ".join(map(str, tests))
    return f"{name}\n(differs: p adjusted by Holm's method over {over} comparisons)"


def _panel(axis: "Axes", rows: Rows, kinds: Sequence[str]) -> None:
    axis.axvline(0, color="#888888", linewidth=0.8)
    for kind in kinds:
        colour, marker = look(_LOOKS.get(kind, 3))
        points = [
            Point(place, row["value"], row["lower"], row["upper"])
            for place, row in enumerate(rows)
            if row["shows"] == kind and row["value"] is not None
        ]
        draw_points(
            axis,
            points,
            colour=colour if kind in _LOOKS else INK,
            marker=marker,
            label=None if kind == "estimate" else kind,
            hollow=kind not in (_DIFFERS, "estimate"),
            across=True,
            size=6,
        )
    for place, row in enumerate(rows):
        if row["value"] is None:
            _say_why(axis, place, row["status"])
    axis.tick_params(axis="y", length=0)
    grid(axis, "x")


def _say_why(axis: "Axes", place: int, why: str) -> None:
    """Write a status where there is no value: beside the line at 0, no line behind it."""
    axis.annotate(
        why,
        (0, place),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        style="italic",
        color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
    )


def _limits(lines: Rows) -> tuple[float, float]:
    """Ends of a panel's axis: its own, because a saturated rate hardly differs anywhere."""
    columns = ("lower", "upper", "value")
    ends = [row[end] for row in lines for end in columns if row[end] is not None]
    if lines and lines[0]["quantity"] == "agreement":
        # Room beyond the outermost end, so that no interval seems to go on behind the axis.
        low = min([0.0, *ends])
        return low - 0.06 * (1 - low), 1.05
    # The same room on both sides, whatever the numbers.
    reach = 1.1 * max([0.02, *(abs(end) for end in ends)])
    return -reach, reach
