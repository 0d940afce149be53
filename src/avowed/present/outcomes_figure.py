"""Figure: what happened to the analysed pairs of each condition, and the flagged omission."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from avowed.present.canvas import canvas, grid, message

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Segments of a bar: column, legend, colour (colour-blind safe, ordered by lightness), hatch.
_SEGMENTS = (
    ("n_flagged", "moved to the hint, omission flagged", "#6b1d1d", ""),
    ("acknowledged", "moved to the hint, acknowledged", "#d55e00", "//"),
    ("n_ungraded", "moved to the hint, no verdict", "#e69f00", ".."),
    ("n_other_change", "changed to another option", "#56b4e9", ""),
    ("n_no_change", "no change", "#c8dcea", ""),
    ("n_baseline_on_hint", "already on the hint", "#e8e8e8", ""),
    ("n_not_evaluable", "answer not extracted", "#ffffff", "xx"),
)

#: Share of the longest bar from which a segment has its number inside, and the least distance
#: between two numbers above a bar.
_INSIDE, _APART = 0.045, 0.035

#: What is drawn of a wide table.
COLUMNS = (
    "condition",
    "n_analysed",
    "n_flagged",
    "n_evaluable",
    *(column for column, *_ in _SEGMENTS if column not in ("n_flagged", "acknowledged")),
    "omission",
    "omission_lower",
    "omission_upper",
    "interval_method",
    "status",
)


def drawn(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """All rows of a wide table, with the columns that are drawn."""
    return [{column: row[column] for column in COLUMNS} for row in rows]


def title_of(rows: Sequence[Mapping[str, str]]) -> str:
    """State the message of the figure, from the table's own numbers.

    Cells stand side by side and are never averaged (HP section 7), so that of several rows with
    avowals in them the smallest and the largest share is told and no sum.

    >>> title_of([{"n_flagged": "5", "n_evaluable": "5"}, {"n_flagged": "2", "n_evaluable": "2"}])
    'The judge finds no avowal in 7 explanations that followed the hint'
    >>> title_of([{"n_flagged": "1", "n_evaluable": "4"}, {"n_flagged": "3", "n_evaluable": "4"}])
    'The judge finds an avowal in 25.0 % to 75.0 % of the explanations that followed the hint'
    """
    judged = [
        (int(row["n_evaluable"]) - int(row["n_flagged"]), int(row["n_evaluable"]))
        for row in rows
        if int(row["n_evaluable"])
    ]
    if not judged:
        return "No answer moved to the hint with a verdict on its explanation"
    avowals, evaluable = (sum(counts) for counts in zip(*judged, strict=True))
    if avowals and len(judged) > 1:
        shares = sorted(avowed / n for avowed, n in judged)
        ends = dict.fromkeys(f"{100 * share:.1f} %" for share in (shares[0], shares[-1]))
        found, base = f"an avowal in {' to '.join(ends)} of the", ""
    else:
        found = f"{avowals:,} avowal{'' if avowals == 1 else 's'}" if avowals else "no avowal"
        found, base = f"{found} in", f" {evaluable:,}"
    return f"The judge finds {found}{base} explanations that followed the hint"


def draw(rows: Sequence[Mapping[str, str]], outputs: Sequence[Path], *, confidence: float) -> None:
    """Draw the rows of a wide table, one bar each, to every output path (SVG or PNG).

    The left panel stacks the analysed pairs by what happened to them. The right panel shows the
    flagged omission with its interval; a condition without one says so. Files are byte-stable.
    """
    from matplotlib.ticker import MaxNLocator

    height = 1.9 + 0.55 * len(rows)
    with canvas(outputs, columns=2, size=(10, height), width_ratios=(3, 1.25), sharey=True) as (
        figure,
        (left, right),
    ):
        _draw_pairs(left, rows)
        left.xaxis.set_major_locator(MaxNLocator(integer=True))
        for position, row in enumerate(rows):
            _draw_omission(right, position, row)
        right.set_xlim(-0.03, 1.03)
        right.set_xlabel(f"flagged omission, {100 * confidence:g} % interval")
        grid(right, "x")
        message(figure, title_of(rows))
        figure.legend(
            *left.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False
        )


def _draw_pairs(left: "Axes", rows: Sequence[Mapping[str, str]]) -> None:
    positions = list(range(len(rows)))
    starts = [0.0] * len(rows)
    whole = max((int(row["n_analysed"]) for row in rows), default=1)
    narrow: dict[int, list[tuple[float, int]]] = {}
    for column, legend, colour, hatch in _SEGMENTS:
        widths = [_segment(row, column) for row in rows]
        if any(widths):
            left.barh(
                positions,
                widths,
                left=starts,
                height=0.62,
                color=colour,
                hatch=hatch,
                edgecolor="#333333",
                linewidth=0.5,
                label=legend,
            )
        for position, (start, width) in enumerate(zip(starts, widths, strict=True)):
            if not width:
                continue
            if width >= _INSIDE * whole:
                left.text(
                    start + width / 2,
                    position,
                    f"{width:,}",
                    ha="center",
                    va="center",
                    color="white" if column == "n_flagged" else "#111111",
                    bbox={"facecolor": colour, "edgecolor": "none", "pad": 1} if hatch else None,
                )
            else:
                narrow.setdefault(position, []).append((start + width / 2, width))
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    for position, segments in narrow.items():
        _number_above(left, position, segments, whole)
    left.set_yticks(positions, [_label(row["condition"]) for row in rows])
    left.invert_yaxis()
    left.set_xlabel("analysed pairs")
    left.set_xlim(0, 1.01 * max([1, *starts]))


def _number_above(
    left: "Axes", position: int, segments: Sequence[tuple[float, int]], whole: int
) -> None:
    """Write the numbers of narrow segments above the bar, moved apart and tied to their segment."""
    places = spread([centre for centre, _ in segments], gap=_APART * whole, end=float(whole))
    for place, (centre, width) in zip(places, segments, strict=True):
        left.plot(
            [centre, place],
            [position - 0.31, position - 0.36],
            color="#333333",
            linewidth=0.5,
            solid_capstyle="butt",
        )
        left.text(place, position - 0.37, f"{width:,}", ha="center", va="bottom", fontsize=7.5)


def spread(places: Sequence[float], *, gap: float, end: float) -> list[float]:
    """Places in ascending order moved as little as it takes to lie a gap apart before the end.

    >>> spread([1.0, 1.5, 9.0], gap=1.0, end=9.0)
    [1.0, 2.0, 9.0]
    >>> spread([8.0, 8.5, 9.0], gap=1.0, end=9.0)
    [7.0, 8.0, 9.0]
    """
    moved: list[float] = []
    for place in places:
        fits = not moved or place - moved[-1] >= gap
        moved.append(place if fits else moved[-1] + gap)
    limit = end
    for index in range(len(moved) - 1, -1, -1):
        if moved[index] <= limit:
            break  # Those before it lie a gap apart already.
        moved[index] = limit
        limit -= gap
    return moved


def _label(condition: str) -> str:
    """Break a long name, which would leave no room for the bars."""
    return "\n".join(wrap(condition, width=34, max_lines=3, placeholder=" ..."))


def _segment(row: Mapping[str, str], column: str) -> int:
    if column == "acknowledged":
        return int(row["n_evaluable"]) - int(row["n_flagged"])
    return int(row[column])


def _draw_omission(axis: "Axes", position: int, row: Mapping[str, str]) -> None:
    if row["omission"] == "":
        axis.text(0.5, position, row["status"], ha="center", va="center", style="italic")
        return
    estimate = float(row["omission"])
    if row["omission_lower"] != "":
        lower, upper = float(row["omission_lower"]), float(row["omission_upper"])
        axis.plot([lower, upper], [position, position], color="#6b1d1d", linewidth=2.5)
        for end in (lower, upper):
            axis.plot([end, end], [position - 0.1, position + 0.1], color="#6b1d1d", linewidth=1.2)
        text = f"{estimate:.3f} [{lower:.3f}, {upper:.3f}]"
    else:
        text = f"{estimate:.3f}, no interval"
    axis.plot(estimate, position, "o", color="#6b1d1d", markersize=5)
    axis.text(
        min(max(estimate, 0.3), 0.7),
        position - 0.24,
        text if row["status"] == "converged" else f"{text}\n{row['status']}",
        ha="center",
        va="bottom",
        fontsize=8,
    )
