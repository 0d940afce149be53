"""Figure: the worked example's flagged omission at each cut, beside its population values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import INK, Point, canvas, draw_points, grid, legend_below, look, message
from avowed.present.figures.table import Rows, pick

COLUMNS = ("cut", "omission", "lower", "upper", "method", "status", "n", "clusters", "truth")


def drawn(threshold_curve: Rows) -> list[dict[str, Any]]:
    """All rows."""
    return pick(threshold_curve, COLUMNS)


def title_of(rows: Rows) -> str:
    """State how the omission moves from the first defined cut to the last."""
    there = [row for row in rows if row["omission"] is not None]
    if not there:
        return "The flagged omission is undefined at every cut"
    first, last = there[0], there[-1]
    start, end = f"{first['omission']:.3f}", f"{last['omission']:.3f}"
    if first is last or start == end:
        return f"The flagged omission is {start} at the cut {first['cut']:g}" + (
            "" if first is last else f", and the same at {last['cut']:g}"
        )
    how = "falls" if last["omission"] < first["omission"] else "rises"
    between = f"between the cuts {first['cut']:g} and {last['cut']:g}"
    return f"The flagged omission {how} from {start} to {end} {between}"


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """Estimates with their intervals, and the population's values."""
    with canvas(outputs, size=(7.4, 4.4)) as (figure, (axis,)):
        colour, marker = look(0)
        axis.plot(
            [row["cut"] for row in rows],
            [float("nan") if row["truth"] is None else row["truth"] for row in rows],
            "s--",
            color=INK,
            markerfacecolor="white",
            label="population",
        )
        draw_points(
            axis,
            [Point(row["cut"], row["omission"], row["lower"], row["upper"]) for row in rows],
            colour=colour,
            marker=marker,
            label=f"worked example, {100 * confidence:g} % interval",
        )
        for row in rows:
            if row["omission"] is None:
                continue
            notes = [f"{row['omission']:.3f}"]
            notes += ["no interval"] if row["lower"] is None else []
            notes += [row["status"]] if row["status"] != "converged" else []
            axis.annotate(
                "\n".join(notes),
                (row["cut"], row["omission"]),
                xytext=(8, 0),
                textcoords="offset points",
                va="bottom",
                fontsize=8,
            )
        cuts = [row["cut"] for row in rows]
        axis.set_xticks(cuts, [f"{cut:g}" for cut in cuts])
        room = 0.12 * (max(cuts) - min(cuts) or 1) if cuts else 0
        axis.set_xlim(min(cuts, default=0) - room, max(cuts, default=1) + room)
        axis.set_ylim(0, 1)
        axis.set_xlabel("cut of the violation score 1 - phi")
        axis.set_ylabel("flagged omission")
        grid(axis, "y")
        message(figure, title_of(rows))
        legend_below(figure, [axis])
