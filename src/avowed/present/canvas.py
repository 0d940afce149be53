"""What all figures share: the style, byte-stable files, and a wide margin for the message."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.atomic import atomic_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that differ in lightness too, for greyscale and colour-blind readers; with markers.
COLOURS = ("#6b1d1d", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")


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
    """Put the figure's message above it."""
    figure.suptitle(text, fontsize=11, fontweight="bold")


def grid(axis: "Axes", which: str) -> None:
    """Draw a light grid behind the data, along ``x`` or ``y``."""
    axis.grid(axis=which, color="#dddddd", linewidth=0.6)  # type: ignore[arg-type]
    axis.set_axisbelow(True)
