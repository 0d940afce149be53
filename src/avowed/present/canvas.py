"""What all figures share: the style, byte-stable files, points with their intervals."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from avowed.atomic import atomic_path
from avowed.pairs.record import spelled_out

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that differ in lightness too, for greyscale and colour-blind readers; with markers.
COLOURS = ("#6b1d1d", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p")
INK = "#333333"

#: Letters of the bold message that fit into an inch of the figure's width.
_LETTERS_PER_INCH = 10.5
#: Letters of a legend that fit into an inch, and inches that its handle and its gaps take.
_LEGEND_LETTERS, _LEGEND_HANDLE = 13.0, 0.75


@contextmanager
def canvas(
    outputs: Sequence[Path],
    *,
    rows: int = 1,
    columns: int = 1,
    size: tuple[float, float] = (8, 4.5),
    **layout: Any,
) -> Iterator[tuple["Figure", list["Axes"]]]:
    """Yield a figure and its axes; write it to every output (SVG or PNG) when the block ends well.

    Equal drawings give equal bytes: no date, a fixed salt for identifiers, text as paths. Further
    keywords go to ``pyplot.subplots``.
    """
    import matplotlib as mpl

    mpl.use("agg")
    mpl.rcParams.update(
        {
            "svg.hashsalt": "avowed",
            "svg.fonttype": "path",
            "font.size": 9,
            "hatch.linewidth": 0.6,
            "text.parse_math": False,  # a hint type may hold a dollar sign
        }
    )
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False, **layout
    )
    try:
        yield figure, list(axes.ravel())
        for axis in axes.ravel():
            axis.spines[["top", "right"]].set_visible(False)
        for output in outputs:
            with atomic_path(output) as temporary:
                if output.suffix == ".svg":
                    figure.savefig(temporary, metadata={"Date": None})
                else:
                    figure.savefig(temporary, dpi=160)
    finally:
        plt.close(figure)


def message(figure: "Figure", text: str) -> None:
    """Put the figure's message above it, broken where the figure ends."""
    letters = int(_LETTERS_PER_INCH * figure.get_figwidth())
    # A name with hyphens stays whole.
    lines = wrap(text, letters, break_on_hyphens=False)
    figure.suptitle("\n".join(lines), fontsize=11, fontweight="bold")


def grid(axis: "Axes", which: str) -> None:
    """Draw a light grid behind the data, along ``x`` or ``y``."""
    axis.grid(axis=which, color="#dddddd", linewidth=0.6)  # type: ignore[arg-type]
    axis.set_axisbelow(True)


def look(number: int) -> tuple[str, str]:
    """Colour and marker of the n-th series; no two of the first sixty are alike.

    >>> look(0), len({look(number) for number in range(60)})
    (('#6b1d1d', 'o'), 60)
    """
    return COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]


def broken(name: object, *, width: int = 18, lines: int = 3) -> str:
    """A name as a label: underscores as blanks, broken into lines that fit.

    >>> broken("type_1")
    'type 1'
    """
    words = spelled_out(str(name))
    return "\n".join(wrap(words, width=width, max_lines=lines, placeholder=" ..."))


def legend_below(figure: "Figure", axes: "Iterable[Axes]", *, columns: int = 3) -> None:
    """One legend for several panels, below them, each label once.

    It takes up to so many columns as the figure's width has room for.
    """
    found: dict[str, Artist] = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            found.setdefault(str(label), handle)
    if found:
        longest = max(len(line) for label in found for line in label.split("\n"))
        room = figure.get_figwidth() / (longest / _LEGEND_LETTERS + _LEGEND_HANDLE)
        figure.legend(
            list(found.values()),
            list(found),
            loc="outside lower center",
            ncols=max(1, min(columns, int(room))),
            frameon=False,
        )


def panel_grid(panels: int, *, columns: int = 3) -> tuple[int, int]:
    """Rows and columns that hold a number of panels; one empty panel where there is none.

    >>> panel_grid(2), panel_grid(5), panel_grid(0)
    ((1, 2), (2, 3), (1, 1))
    """
    across = max(1, min(panels, columns))
    return max(1, -(-panels // across)), across


@dataclass(frozen=True)
class Point:
    """A value at a place of the axis, with the ends of its bar; None is undefined, a word."""

    at: float
    value: float | None
    lower: float | None = None
    upper: float | None = None
    word: str = "undefined"


def two_errors(
    at: float,
    value: float | None,
    error: float | None,
    *,
    low: float = float("-inf"),
    high: float = float("inf"),
) -> Point:
    """A value with a bar of two Monte-Carlo errors each way, which ends where the value must.

    >>> two_errors(0, 0.99, 0.01, low=0, high=1)
    Point(at=0, value=0.99, lower=0.97, upper=1, word='undefined')
    """
    if value is None or error is None:
        return Point(at, value)
    return Point(at, value, max(low, value - 2 * error), min(high, value + 2 * error))


def draw_points(
    axis: "Axes",
    points: Sequence[Point],
    *,
    colour: str,
    marker: str,
    label: str | None = None,
    hollow: bool = False,
    across: bool = False,
    line: str = "none",
    size: float = 4.5,
) -> None:
    """Draw points with their bars; an undefined value is written as a word at its place.

    ``across`` puts values on the horizontal axis, places on the vertical one.
    """
    style: dict[str, Any] = {
        "marker": marker,
        "color": colour,
        "markersize": size,
        "markerfacecolor": "white" if hollow else colour,
        "linestyle": line,
        "linewidth": 1,
        "label": label,
    }
    # An undefined value breaks a line and leaves no marker, and the series keeps its legend.
    values = [float("nan") if point.value is None else point.value for point in points]
    places = [point.at for point in points]
    for point in points:
        if point.value is None:
            _write_word(axis, point, colour, across=across)
        elif point.lower is not None and point.upper is not None:
            ends, place = [point.lower, point.upper], [point.at, point.at]
            axis.plot(*((ends, place) if across else (place, ends)), color=colour, linewidth=1)
    axis.plot(*((values, places) if across else (places, values)), **style)


def _write_word(axis: "Axes", point: Point, colour: str, *, across: bool) -> None:
    if across:
        axis.text(
            0.01,
            point.at,
            point.word,
            transform=axis.get_yaxis_transform(),
            va="center",
            color=colour,
            fontsize=7,
            style="italic",
        )
    else:
        axis.text(
            point.at,
            0.02,
            point.word,
            transform=axis.get_xaxis_transform(),
            ha="center",
            va="bottom",
            rotation=90,
            color=colour,
            fontsize=7,
            style="italic",
        )


def count_undefined(axis: "Axes", place: float, count: int) -> None:
    """Write at the foot of a place how many of its values are undefined."""
    axis.text(
        place,
        0.01,
        f"{count:,} undefined",
        transform=axis.get_xaxis_transform(),
        ha="center",
        fontsize=7,
        style="italic",
    )


def rate_axis(axis: "Axes", values: Iterable[float | None], name: str, *, which: str) -> None:
    """Show a rate from below the least value up to 1, or from 0 where that is near; say which.

    ``which`` is ``x`` or ``y``. The label says so when the axis does not begin at 0.
    """
    least = min((value for value in values if value is not None), default=0.0)
    start = max(0.0, int(20 * least) / 20) if least > 0.5 else 0.0
    room = 0.04 * (1 - start)
    axis.set(**{f"{which}lim": (start - room, 1 + room)})
    from_here = f"\n(axis from {start:g} to 1)" if start else ""
    axis.set(**{f"{which}label": f"{name}{from_here}"})
