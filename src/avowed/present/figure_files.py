"""The files of a figure: two pictures, the table of what they show, and the record of making."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from avowed.made import record_making
from avowed.present.csvfile import write_rows
from avowed.present.figures.table import Rows


class FigureOutput(Protocol):
    """Where the files of a figure go, as a rule of the workflow names them."""

    svg: str
    png: str
    csv: str
    made: str


def write_figure(
    output: FigureOutput,
    columns: Sequence[str],
    rows: Rows,
    draw: Callable[..., None],
    *,
    seed: int | None,
    **options: Any,
) -> None:
    """Draw rows, write them as the table beside the pictures, and record how all of it was made.

    Args:
        output: the files.
        columns: the columns of the table.
        rows: what is drawn.
        draw: the drawing function of the figure; it gets the rows, the pictures and the options.
        seed: of the configuration; None where nothing in the files depends on it.
        options: what the drawing function wants to know besides.
    """
    pictures = [Path(output.svg), Path(output.png)]
    draw(rows, pictures, **options)
    table = Path(output.csv)
    write_rows(table, columns, rows)
    record_making(Path(output.made), [*pictures, table], seed=seed)
