"""Figures of several prompts: a line per component, a point per prompt (NS figures 6 and 7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from avowed.present.canvas import broken, look
from avowed.present.figures.table import Row, Rows, where
from avowed.present.figures_factors.cells import components, is_mean, parts, singles, split
from avowed.present.figures_factors.forest import Series


def prompt_series(rows: Rows) -> list[Series]:
    """One series per prompt; the first, which the others are set against, is filled."""
    found = []
    for number, prompt in enumerate(parts(rows)):
        colour, marker = look(number)
        own = {split(row["cell"])[0]: row for row in rows if split(row["cell"])[1] == prompt}
        label = broken(prompt, width=40, lines=2)
        found.append(Series(label, own, colour, marker, hollow=number > 0))
    return found


def lines(rows: Rows) -> tuple[Sequence[str], int]:
    """The names of the lines, and how many of them are means over several components."""
    names = components(rows)
    means = {split(row["cell"])[0] for row in rows if is_mean(row)}
    return names, len(means & set(names))


@dataclass(frozen=True)
class Wins:
    """Which prompt is the best one.

    Attributes:
        count: prompt -> components in which it has the highest value alone.
        compared: components in which at least two prompts have a value.
        apart: of these, components in which the interval of the highest lies above all others.
    """

    count: dict[str, int]
    compared: int
    apart: int


def wins(rows: Rows) -> Wins:
    """Compare the prompts within every component."""
    count, compared, apart = dict.fromkeys(parts(rows), 0), 0, 0
    for name in singles(rows):
        there = [row for row in _of(rows, name) if row["estimate"] is not None]
        if len(there) < 2:
            continue
        compared += 1
        top = max(row["estimate"] for row in there)
        best = where(there, estimate=top)
        if len(best) == 1:
            count[split(best[0]["cell"])[1]] += 1
            apart += all(_below(row, best[0]) for row in there if row is not best[0])
    return Wins(count, compared, apart)


def _below(row: Row, best: Row) -> bool:
    ends = row["upper"], best["lower"]
    return None not in ends and ends[0] < ends[1]


def _of(rows: Rows, component: str) -> Rows:
    return [row for row in rows if split(row["cell"])[0] == component]
