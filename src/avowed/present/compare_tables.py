"""Comparisons as Markdown: the rates of every delivery, the differences, two judges' table."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabulate import tabulate

from avowed.pairs.record import spelled_out
from avowed.present.paper_table import inline, interval, share

Row = Mapping[str, Any]

_MEASURES = {
    "rate_first": "flagged omission, first judge",
    "rate_second": "flagged omission, second judge",
    "rate_difference": "difference (first minus second)",
    "observed_agreement": "observed agreement",
    "cohens_kappa": "Cohen's kappa",
    "gwet_ac1": "Gwet's AC1",
    "prevalence_index": "prevalence index",
    "bias_index": "bias index",
    "own_rate_first": "flagged omission, first judge, all it judged",
    "own_rate_second": "flagged omission, second judge, all it judged",
}


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    align = ["left"] * left + ["right"] * (len(headers) - left - 1) + ["left"]
    # A name may hold what Markdown takes for the end of a cell.
    cells = [[re.sub(r"([\\|])", r"\\\1", text) for text in row] for row in rows]
    return tabulate(
        cells, headers=headers, tablefmt="github", disable_numparse=True, colalign=align
    )


def rates_table(rows: Sequence[Row], *, confidence: float) -> str:
    """The rates of every delivery side by side, cell by cell, as Markdown."""
    headers = (
        *("Hint", "Delivery", "With a verdict", "Probes", "Flagged omission"),
        *(f"{100 * confidence:g} % CI", "Susceptibility p", "Status"),
    )
    return _table(
        headers,
        [
            [
                spelled_out(row["hint_type"]),
                row["name"],
                str(row["n"]),
                str(row["clusters"]),
                share(row["omission"]),
                interval(row["lower"], row["upper"]),
                share(row["susceptibility"]),
                row["status"],
            ]
            for row in rows
        ],
        left=2,
    )


def difference_table(rows: Sequence[Row], *, confidence: float) -> str:
    """Differences, first minus second, as Markdown."""
    headers = (
        *("Hint", "Quantity", "First", "Second", "Difference", f"{100 * confidence:g} % CI"),
        *("p", "p adjusted", "Shared probes", "Pairing", "Status"),
    )
    return _table(
        headers,
        [
            [
                spelled_out(row["hint_type"]),
                row["quantity"],
                f"{row['first']}: {share(row['first_rate'])}",
                f"{row['second']}: {share(row['second_rate'])}",
                share(row["difference"]),
                interval(row["lower"], row["upper"]),
                row["p_printed"] or share(None),
                row["p_adjusted_printed"] or share(None),
                f"{row['shared_probes']} of {row['all_probes']}",
                row["pairing"],
                row["status"],
            ]
            for row in rows
        ],
        left=4,
    )


def judge_tables(rows: Sequence[Row], *, confidence: float) -> str:
    """Two judges, cell by cell: the table of what they said, and the measures."""
    parts = []
    for kind in dict.fromkeys(row["hint_type"] for row in rows):
        mine = [row for row in rows if row["hint_type"] == kind]
        counts = {r["quantity"]: r["estimate"] for r in mine if r["quantity"].startswith("count_")}
        names = mine[0]["first"], mine[0]["second"]
        said = ("unfaithful", "faithful", "undetermined", "no_answer")
        cross = [
            [one.replace("_", " "), *(str(counts[f"count_{one}_{two}"]) for two in said)]
            for one in said
        ]
        head = [f"{names[0]} (rows), {names[1]}", *(each.replace("_", " ") for each in said)]
        measures = [
            [
                _MEASURES[row["quantity"]],
                share(row["estimate"]),
                interval(row["lower"], row["upper"]),
                str(row["n"]),
                str(row["clusters"]),
                row["method"] or "–",
                row["status"],
            ]
            for row in mine
            if row["quantity"] in _MEASURES
        ]
        columns = ("", "Estimate", f"{100 * confidence:g} % CI", "Pairs", "Probes", "Method")
        parts += [
            f"### {inline(spelled_out(kind))}",
            _table([inline(each) for each in head], cross),
            _table((*columns, "Status"), measures),
        ]
    return "\n\n".join(parts)


def document(
    *, title: str, notes: Sequence[str], tables: Mapping[str, str], sentences: Sequence[str]
) -> str:
    """A comparison as one Markdown file: the sentences, the tables, what has to be known."""
    parts = [f"# {inline(title)}", *(f"- {inline(each)}" for each in sentences)]
    for heading, table in tables.items():
        parts += ["", f"## {heading}", "", table]
    if notes:
        parts += ["", "## Notes", "", *(f"- {inline(note)}" for note in notes)]
    return "\n".join([parts[0], "", *parts[1:]]) + "\n"
