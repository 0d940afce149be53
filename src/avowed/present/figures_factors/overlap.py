"""Figure: how far two components cite the same features in the same order (NS figure 13)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import broken, canvas, message
from avowed.present.factors_csv import SEPARATOR
from avowed.present.figures.table import Rows, pick
from avowed.present.figures_factors.cells import ALL, LONG, estimate, find, said, titled
from avowed.present.figures_factors.empty import write_why

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = LONG
_JACCARD, _COEFFICIENT, _ORDER = "overlap_jaccard", "overlap_coefficient", "ordering_agreement"
_NOTHING = "–"

Matrix = dict[tuple[int, int], float | None]


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Overlap and ordering of every pair of components, and their means over pairs."""
    wanted = [
        row
        for row in estimates
        if row["quantity"] in (_JACCARD, _COEFFICIENT, _ORDER)
        and (row["cell"] == ALL or SEPARATOR in str(row["cell"]))
    ]
    return pick(wanted, LONG)


def title_of(rows: Rows) -> str:
    """State the mean overlap and the mean agreement in order over pairs."""
    shared, order = (said(estimate(find(rows, ALL, name))) for name in (_JACCARD, _ORDER))
    return titled(
        rows,
        f"over pairs of components the mean feature overlap is {shared} (Jaccard), the mean "
        f"agreement in the order of shared features {order}",
    )


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """Two matrices of pairs: feature overlap, and order with the number of inputs behind it."""
    if not rows:
        write_why(outputs, "overlap")
        return
    names = _names(rows)
    overlap, order = _matrix(rows, names, _JACCARD), _matrix(rows, names, _ORDER)
    coefficient = _matrix(rows, names, _COEFFICIENT)
    overlap |= {(column, row): value for (row, column), value in coefficient.items()}
    counts = {
        (names.index(pair[0]), names.index(pair[1])): row["n"]
        for row in rows
        if row["quantity"] == _ORDER and len(pair := str(row["cell"]).split(SEPARATOR)) == 2
    }
    side = max(3.6, 0.52 * len(names))
    with canvas(outputs, columns=2, size=(2 * side + 2.4, side + 2.9)) as (figure, axes):
        for axis, values, title in (
            (
                axes[0],
                overlap,
                "feature overlap, 0 to 1: Jaccard index\n"
                "below the diagonal, overlap coefficient above",
            ),
            (
                axes[1],
                order,
                "order of shared features: share of pairs in the same\norder below the diagonal, "
                "inputs compared above",
            ),
        ):
            _draw_matrix(axis, names, values)
            axis.set_title(title, fontsize=9)
        for (row, column), count in counts.items():
            axes[1].text(
                column,
                row,
                f"{count:,}",
                ha="center",
                va="center",
                fontsize=7,
                color="#555555",
                style="italic",
            )
        axes[1].set_yticklabels([])
        if None in order.values():
            axes[1].set_xlabel(f"{_NOTHING}: undefined, no input with two shared features or more")
        message(figure, title_of(rows))


def _names(rows: Rows) -> list[str]:
    """The components that occur in pairs, in the order of the table."""
    pairs = [str(row["cell"]).split(SEPARATOR) for row in rows]
    return list(dict.fromkeys(name for pair in pairs if len(pair) == 2 for name in pair))


def _matrix(rows: Rows, names: Sequence[str], quantity: str) -> Matrix:
    """(line, column) of the later and the earlier component of a pair -> its value."""
    found: Matrix = {}
    for row in rows:
        pair = str(row["cell"]).split(SEPARATOR)
        if row["quantity"] == quantity and len(pair) == 2:
            found[names.index(pair[1]), names.index(pair[0])] = row["estimate"]
    return found


def _draw_matrix(axis: "Axes", names: Sequence[str], values: Matrix) -> None:
    """Squares whose lightness is the value, with the value in them."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    shades = colormaps["Blues"]
    for (row, column), value in values.items():
        face = "white" if value is None else shades(0.9 * value)
        axis.add_patch(
            Rectangle(
                (column - 0.5, row - 0.5), 1, 1, facecolor=face, edgecolor="white", linewidth=1
            )
        )
        axis.text(
            column,
            row,
            _NOTHING if value is None else f"{value:.2f}",
            ha="center",
            va="center",
            fontsize=7.5,
            color="white" if value is not None and value > 0.65 else "#111111",
        )
    for place in range(len(names)):
        axis.add_patch(
            Rectangle((place - 0.5, place - 0.5), 1, 1, facecolor="#dddddd", edgecolor="white")
        )
    labels = [broken(name, width=20, lines=2) for name in names]
    axis.set_xticks(range(len(names)), labels, rotation=90, fontsize=8)
    axis.set_yticks(range(len(names)), labels, fontsize=8)
    axis.tick_params(length=0)
    axis.set(xlim=(-0.5, max(1, len(names)) - 0.5), ylim=(max(1, len(names)) - 0.5, -0.5))
