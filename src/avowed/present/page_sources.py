"""What the report is made from: each results file, where it stands and which command makes it."""

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from avowed.present.csvfile import read_rows
from avowed.refusal import Unusable

#: Table of the report -> its place in the workflow, and the columns that the page needs.
PLACES: dict[str, tuple[str, tuple[str, ...]]] = {
    "public_data": (
        "results/tables/public_data.csv",
        ("condition", "n_analysed", "n_evaluable", "n_flagged", "omission", "sentence"),
    ),
    "always_a": (
        "results/tables/always_a.csv",
        ("condition", "n_analysed", "n_evaluable", "n_flagged", "omission", "sentence"),
    ),
    "deliveries": (
        "results/tables/deliveries.csv",
        ("condition", "n_analysed", "n_evaluable", "n_flagged", "omission", "sentence"),
    ),
    "properties": (
        "results/tables/estimator_properties.csv",
        (
            "property",
            "k",
            "end",
            "truth_kind",
            "published",
            "ours",
            "mc_error",
            "repetitions",
            "noticed_from",
            "verdict",
        ),
    ),
    "worked_example": (
        "results/tables/worked_example.csv",
        (
            "quantity",
            "published",
            "ours",
            "spread",
            "mean_over_repetitions",
            "difference_in_spreads",
            "verdict",
        ),
    ),
    "calibration": (
        "results/tables/calibration.csv",
        ("hint_type", "calibration", "items_per_class", "interval", "truth_kind", "coverage"),
    ),
    "claims": (
        "results/verification/claims.csv",
        ("claim_id", "paper", "section", "quantity", "published", "ours", "verdict", "rests_on"),
    ),
    "claims_summary": (
        "results/verification/claims_summary.csv",
        ("paper", "kind", "verdict", "n"),
    ),
    "diff": (
        "results/verification/diff.csv",
        ("source", "quantity", "main", "independent", "difference", "tolerance", "verdict"),
    ),
    "planted_faults": ("results/verification/planted_faults.csv", ()),
}


@dataclass(frozen=True)
class Table:
    """A table of the report: its rows as text, or None where the file was not made.

    ``path`` is what the reader is told, ``href`` leads there from the page, and ``command`` makes
    the file.
    """

    name: str
    path: str
    href: str
    command: str
    rows: Sequence[Mapping[str, str]] | None

    @property
    def columns(self) -> list[str]:
        """The columns in the order of the file; none where there are no rows."""
        return list(self.rows[0]) if self.rows else []


def read_table(name: str, path: Path, needed: Iterable[str] = ()) -> list[dict[str, str]]:
    """Read a table and insist on the columns that the page needs.

    Raises:
        Unusable: the file is not a CSV table, or a column is not there.
    """
    try:
        rows = read_rows(path)
    except (OSError, ValueError, csv.Error) as error:
        raise Unusable(
            f"{path} cannot be read as a table ({error}); remove it and run again"
        ) from None
    for number, row in enumerate(rows, start=2):
        missing = [column for column in needed if column not in row]
        if missing or None in row or None in row.values():
            what = f"column {missing[0]} is not there" if missing else "cells and columns differ"
            raise Unusable(
                f"{path}, row {number}: {what}, and the report shows it as {name}; remove the file "
                "and run again"
            )
    return rows


def load(
    files: Mapping[str, Path], page: Path, *, shown: Mapping[str, str] | None = None
) -> dict[str, Table]:
    """Read the tables that there are; the others are told to be missing.

    Args:
        files: Table -> file. Names that `PLACES` does not know are read too, as they are.
        page: The page to be written, from which the links lead.
        shown: Table -> what the reader is told instead of the file's path.

    Raises:
        Unusable: a file that is there cannot be used.
    """
    tables = {}
    for name in [*PLACES, *(name for name in files if name not in PLACES)]:
        path = files.get(name)
        place, needed = PLACES.get(name, (str(path), ()))
        there = path is not None and path.is_file()
        tables[name] = Table(
            name=name,
            path=(shown or {}).get(name, place if path is None else str(path)),
            href=link(path, page) if path is not None and there else "",
            command=f"snakemake --cores 2 {place}",
            rows=read_table(name, path, needed) if path is not None and there else None,
        )
    return tables


def link(path: Path, page: Path) -> str:
    """The way from the page to a file, with forward slashes.

    >>> link(Path("results/tables/a.csv"), Path("results/report/index.html"))
    '../tables/a.csv'
    """
    return Path(os.path.relpath(path, page.parent)).as_posix()
