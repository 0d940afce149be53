"""The ledger, the recomputation and the planted faults, arranged for reading."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from avowed.present.page_text import NOISE, as_number, count_of, in_order, number, tone

Row = Mapping[str, str]
Rows = Sequence[Row]

LARGEST_SHOWN = 12
#: Between several relations of a claim, in ``relation`` and ``relation_verdict`` alike.
SEPARATOR = " | "
#: The row of the planted faults in which nothing is planted, and a summary's rows of sums.
NO_FAULT, ALL_KINDS = "no fault", "all"
NO_RELATION = "no relation"


@dataclass(frozen=True)
class Pivot:
    """Counts by two keys; a pair that does not occur counts 0."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], int]

    def at(self, row: str, column: str) -> int:
        """The count of one pair."""
        return self.cells.get((row, column), 0)

    def total(self, *, row: str | None = None, column: str | None = None) -> int:
        """The count of a row, of a column, or of everything."""
        return sum(
            n for (r, c), n in self.cells.items() if row in (None, r) and column in (None, c)
        )


def section_key(section: str) -> tuple[int, list[tuple[int, str]]]:
    """Sort key: the abstract, then 1, 2, 10, 10.1, then A, A.1.

    >>> sorted(["B", "10", "abstract", "2.1", "2"], key=section_key)
    ['abstract', '2', '2.1', '10', 'B']
    """
    group = 1 if section[:1].isdigit() else 2 if re.fullmatch(r"[A-Z](\..*)?", section) else 0
    parts = re.split(r"\.", section)
    return group, [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def fails(row: Row) -> bool:
    """Whether a row of the ledger or of the diff is bad news, its relation included."""
    return "bad" in (tone(row.get("verdict", "")), tone(row.get("relation_verdict", "")))


def relations(row: Row) -> list[tuple[str, str]]:
    """The arithmetic relations of a claim with other claims, each with its verdict.

    >>> relations({"relation": "a = b | a < c", "relation_verdict": "holds | fails"})
    [('a = b', 'holds'), ('a < c', 'fails')]
    """
    texts, verdicts = row.get("relation", ""), row.get("relation_verdict", "")
    if not texts and not verdicts:
        return []
    return list(zip_longest(texts.split(SEPARATOR), verdicts.split(SEPARATOR), fillvalue=""))


def _relations_say(row: Row) -> str:
    """One verdict for all relations of a claim: the bad news if there is any."""
    verdicts = [verdict for _, verdict in relations(row) if verdict]
    return next((v for v in verdicts if tone(v) == "bad"), verdicts[0] if verdicts else NO_RELATION)


@dataclass(frozen=True)
class Ledger:
    """The claims in their order, and what can be chosen from."""

    rows: Rows
    papers: tuple[str, ...]
    sections: Mapping[str, tuple[str, ...]]
    verdicts: tuple[str, ...]
    by_paper: Pivot
    live_by_section: Pivot
    failing: Rows

    @property
    def readings(self) -> Rows:
        """The claims that were read in one of several senses."""
        return [row for row in self.rows if row.get("reading")]


def ledger(rows: Rows) -> Ledger:
    """Arrange the rows of claims.csv."""
    papers = tuple(dict.fromkeys(row["paper"] for row in rows))
    sections = {
        paper: tuple(
            sorted({row["section"] for row in rows if row["paper"] == paper}, key=section_key)
        )
        for paper in papers
    }
    verdicts = tuple(in_order(row["verdict"] for row in rows))
    live = Counter(
        (f"{row['paper']} {row['section']}", _relations_say(row))
        for row in rows
        if row["verdict"] == "needs live models"
    )
    places = [f"{paper} {section}" for paper in papers for section in sections[paper]]
    named = {place for place, _ in live}
    return Ledger(
        rows=rows,
        papers=papers,
        sections=sections,
        verdicts=verdicts,
        by_paper=Pivot(verdicts, papers, Counter((row["verdict"], row["paper"]) for row in rows)),
        live_by_section=Pivot(
            tuple(place for place in places if place in named),
            tuple(in_order(relation for _, relation in live)),
            live,
        ),
        failing=[row for row in rows if fails(row)],
    )


def counted(rows: Rows) -> int:
    """How many claims a summary speaks of; its rows of sums are not counted again."""
    return sum(int(row["n"]) for row in rows if row["kind"] != ALL_KINDS)


@dataclass(frozen=True)
class Comparison:
    """The diff: counts by source and verdict, what fails, and what comes nearest to failing.

    ``by_kind`` counts by kind of source, and apart what is undefined on both sides.
    """

    n: int
    by_kind: Pivot
    by_source: Pivot
    failing: Rows
    largest: Sequence[tuple[float, Row]]


#: How a source of the diff is called to which no other kind applies, and what is compared there.
DELIVERIES, TABLES = "estimates of deliveries", "cells of the other tables"
ALGEBRA = "algebra on drawn calibrations"
_KINDS = {
    "edge": "estimates of the delivery made for the recomputation",
    "corrected rates": "corrected rates of made-up calibrations",
    "refused deliveries": "deliveries that have to be refused",
    "calibration_shifts.csv": ALGEBRA,
}
DEFINED, UNDEFINED = "compared", "undefined on both sides"


def kind_of(source: str) -> str:
    """What kind of comparison a source of the diff holds.

    >>> kind_of("calibration_shifts.csv"), kind_of("coverage.csv"), kind_of("my_delivery")
    ('algebra on drawn calibrations', 'cells of the other tables', 'estimates of deliveries')
    """
    return _KINDS.get(source, TABLES if source.endswith(".csv") else DELIVERIES)


def _by_kind(rows: Rows) -> Pivot:
    cells = Counter(
        (kind_of(row["source"]), DEFINED if row["main"] or row["independent"] else UNDEFINED)
        for row in rows
    )
    there = {kind for kind, _ in cells}
    kinds = (DELIVERIES, *_KINDS.values(), TABLES)
    return Pivot(tuple(one for one in kinds if one in there), (DEFINED, UNDEFINED), cells)


def comparison(rows: Rows) -> Comparison:
    """Arrange the rows of diff.csv.

    The largest differences are those that use up most of their tolerance; a difference of nothing
    uses nothing, whatever the tolerance.
    """
    cells = Counter((row["source"], row["verdict"]) for row in rows)
    ratios = []
    for row in rows:
        difference, tolerance = as_number(row["difference"]), as_number(row["tolerance"])
        if difference and tolerance and abs(difference) >= NOISE and not fails(row):
            ratios.append((abs(difference) / tolerance, row))
    ratios.sort(key=lambda pair: -pair[0])
    return Comparison(
        n=len(rows),
        by_kind=_by_kind(rows),
        by_source=Pivot(
            tuple(dict.fromkeys(row["source"] for row in rows)),
            tuple(in_order(row["verdict"] for row in rows)),
            cells,
        ),
        failing=[row for row in rows if fails(row)],
        largest=ratios[:LARGEST_SHOWN],
    )


@dataclass(frozen=True)
class Faults:
    """The planted faults and how many the diff catches; None where the table does not say.

    ``controls`` are the rows with nothing planted, ``false_alarms`` how many of them failed.
    """

    rows: Rows
    controls: Rows
    caught: int | None
    false_alarms: int

    @property
    def missed(self) -> int:
        """How many were not caught."""
        return 0 if self.caught is None else len(self.rows) - self.caught


def _caught(rows: Rows) -> int:
    return sum(row.get("caught", "").strip().lower() == "yes" for row in rows)


def faults(rows: Rows) -> Faults:
    """Count a fault as caught where the column ``caught`` says yes, and nowhere else."""
    planted = [row for row in rows if row.get("fault") != NO_FAULT]
    controls = [row for row in rows if row.get("fault") == NO_FAULT]
    told = all("caught" in row for row in rows)
    return Faults(planted, controls, _caught(planted) if told else None, _caught(controls))


def first_failure(row: Row) -> str:
    """Where a fault showed first: quantity, cell, field and both numbers.

    >>> first_failure({"quantity": "exposure", "cell": "a", "k": "3", "field": "estimate",
    ...     "main": "0.5", "independent": "0.25"})
    'exposure, a, k = 3, estimate: 0.5 against 0.25'
    """
    if row.get("first_failure"):
        return row["first_failure"]
    k = f"k = {row['k']}" if row.get("k") else ""
    where = ", ".join(
        part for part in (row.get("quantity"), row.get("cell"), k, row.get("field")) if part
    )
    numbers = f"{number(row.get('main'))} against {number(row.get('independent'))}"
    return f"{where}: {numbers}" if where else ""


@dataclass(frozen=True)
class Alarm:
    """One line at the top of the page, and the section that has the rows.

    ``of_the_papers`` is a finding about what the papers print; anything else is a fault of ours.
    """

    text: str
    anchor: str
    of_the_papers: bool = False


def alarms(
    claims: Ledger | None, compared: Comparison | None, planted: Faults | None, summed: int | None
) -> list[Alarm]:
    """What has to be said before anything else; empty where all is well.

    ``summed`` is how many claims the ledger's summary speaks of, None without a summary.
    """
    found = []
    if compared and compared.failing:
        found.append(
            Alarm(
                count_of(
                    len(compared.failing),
                    "comparison with the independent recomputation fails",
                    "comparisons with the independent recomputation fail",
                ),
                "recomputation",
            )
        )
    if planted and planted.missed:
        found.append(
            Alarm(
                count_of(
                    planted.missed,
                    "planted fault was not caught",
                    "planted faults were not caught",
                ),
                "faults",
            )
        )
    if planted and planted.false_alarms:
        found.append(
            Alarm("The recomputation fails where nothing was planted: a false alarm", "faults")
        )
    if claims and summed is not None and summed != len(claims.rows):
        found.append(
            Alarm(
                f"The ledger has {count_of(len(claims.rows), 'claim')}, its summary speaks of "
                f"{summed:,}",
                "ledger",
            )
        )
    return found
