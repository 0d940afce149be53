"""The planning table as text: one row per purpose and number of replicas."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tabulate import tabulate

HEADERS = (
    "For",
    "Replicas",
    "Probes",
    "Pairs",
    "Useful pairs",
    "Half-width",
    "Calls",
    "Cost",
    "Pairs by 16.3",
)


def table_text(
    rows: Sequence[Mapping[str, Any]], *, per_model: Collection[str] = (), priced: bool = False
) -> str:
    """Lay out a planning table; a dash where a purpose has no such number.

    Rows of the purposes in ``per_model`` have the numbers of one of two models, and say so.
    ``priced`` adds the cost, which is the calls where nothing else has a price.

    >>> row = dict.fromkeys(("half_width", "formula_pairs"))
    >>> row |= {"purpose": "half-width", "replicas": 1, "probes": 1200, "pairs": 1200}
    >>> row |= {"expected_useful": 96.2, "calls": 2400.0, "cost": 4800.0}
    >>> print(table_text([row], priced=True).splitlines()[-1].replace("  ", ""))
    | half-width |1 |1,200 | 1,200 | 96 |– | 2,400 |4,800 | – |
    """
    headers = [name for name in HEADERS if priced or name != "Cost"]
    return tabulate(
        [
            (
                f"{row['purpose']}{', per model' if row['purpose'] in per_model else ''}",
                row["replicas"],
                _whole(row["probes"]),
                _whole(row["pairs"]),
                _whole(row["expected_useful"]),
                "–" if row["half_width"] is None else f"{row['half_width']:.3f}",
                _whole(row["calls"]),
                *((_whole(row["cost"]),) if priced else ()),
                _whole(row["formula_pairs"]),
            )
            for row in rows
        ],
        headers=headers,
        tablefmt="github",
        disable_numparse=True,
        colalign=("left", *["right"] * (len(headers) - 1)),
    )


def _whole(number: float | None) -> str:
    return "–" if number is None else f"{number:,.0f}"
