"""Figure: susceptibility of the public data by task and condition."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import (
    Point,
    broken,
    canvas,
    draw_points,
    grid,
    legend_below,
    look,
    message,
)
from avowed.present.figures.table import Row, Rows, defined, distinct, pick, span, where

COLUMNS = (
    "condition",
    "task",
    "n_pairs",
    "n_two_option",
    "n_analysed",
    "susceptibility",
    "omission",
    "status",
)


def drawn(public_data_by_task: Rows) -> list[dict[str, Any]]:
    """All rows, tasks with analysed pairs first."""
    rows = pick(public_data_by_task, COLUMNS)
    analysed = {row["task"] for row in rows if row["n_analysed"]}
    return sorted(rows, key=lambda row: row["task"] not in analysed)


def title_of(rows: Rows) -> str:
    """State where the least and the greatest share moved, and the omission."""
    there = [row for row in rows if row["susceptibility"] is not None]
    if not there:
        return "No task has a susceptibility"
    least, greatest = (end(there, key=lambda row: row["susceptibility"]) for end in (min, max))
    text = f"Susceptibility runs from {_said(least)} to {_said(greatest)}"
    omissions = span((row["omission"] for row in rows), "{:.3f}".format)
    if not defined(row["omission"] for row in rows):
        return f"{text}; no task has an omission rate"
    return f"{text}; flagged omission {omissions}"


def _said(row: Row) -> str:
    where_ = broken(f"{row['task']}, {row['condition']}", width=200)
    return f"{row['susceptibility']:.2f} ({where_})"


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A line per task, a point per condition; tasks without analysed pairs say so."""
    tasks, conditions = distinct(rows, "task"), distinct(rows, "condition")
    step = 0.7 / max(1, len(conditions))
    height = 1.6 + max(0.34, 0.1 * len(conditions)) * len(tasks)
    with canvas(outputs, size=(9.6, height)) as (figure, (axis,)):
        for index, condition in enumerate(conditions):
            colour, marker = look(index)
            points = [
                Point(
                    tasks.index(row["task"]) + step * (index - (len(conditions) - 1) / 2),
                    row["susceptibility"],
                )
                for row in where(rows, condition=condition)
                if row["n_analysed"]
            ]
            draw_points(
                axis,
                points,
                colour=colour,
                marker=marker,
                label=broken(condition, width=30, lines=2),
                across=True,
                size=5.5,
            )
        for place, task in enumerate(tasks):
            if not any(row["n_analysed"] for row in where(rows, task=task)):
                axis.text(
                    0.01,
                    place,
                    "no pair with enough options: not analysed",
                    va="center",
                    fontsize=8,
                    style="italic",
                )
            if place:
                axis.axhline(place - 0.5, color="#eeeeee", linewidth=0.6)
        axis.set_yticks(range(len(tasks)), [_label(rows, task) for task in tasks])
        axis.tick_params(axis="y", length=0)
        axis.set_ylim(max(len(tasks), 1) - 0.5, -0.5)
        axis.set_xlim(-0.02, 1.02)
        axis.set_xlabel("susceptibility: share of eligible pairs that moved to the hint")
        grid(axis, "x")
        message(figure, title_of(rows))
        legend_below(figure, [axis], columns=2)


def _label(rows: Rows, task: str) -> str:
    counts = [row["n_analysed"] for row in where(rows, task=task)]
    return f"{broken(task, width=44, lines=2)} ({span(counts, '{:,}'.format)} pairs)"
