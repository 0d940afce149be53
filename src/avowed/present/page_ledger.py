"""What the ledger finds, and how it is tied to the other tables of the report."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from avowed.present.page_checks import Alarm, Ledger, relations
from avowed.present.page_text import RESTS_ON, as_number, count_of, number

Row = Mapping[str, str]
Rows = Sequence[Row]

FAILS = "arithmetic fails"
DESIGN, TRUTH = "inferred design", "choice of truth"
_EXAMPLE = re.compile(r"tables/worked_example\.csv: [^;|]*?quantity = ([^;|()]+)")


def with_ends(row: Row, column: str, digits: int = 6) -> str:
    """A number of the ledger, or the two ends of its range; a dash where there is neither.

    >>> with_ends({"published": "", "published_lo": "-0.05", "published_hi": "0.10"}, "published")
    '[−0.05, 0.10]'
    >>> with_ends({"published": "0.10", "published_lo": "", "published_hi": ""}, "published")
    '0.10'
    """
    value, lower, upper = (row.get(f"{column}{end}", "") for end in ("", "_lo", "_hi"))
    if not value and lower and upper:
        return f"[{_end(column, lower, digits)}, {_end(column, upper, digits)}]"
    return _end(column, value, digits)


def _end(column: str, value: str, digits: int) -> str:
    """What is printed keeps its digits, such as a zero at the end."""
    if column != "published" or as_number(value) is None:
        return number(value, digits)
    return value.replace("-", "\u2212")


def by_arithmetic(claims: Ledger) -> Rows:
    """Statements that do not follow from what the paper prints, in the verdict or a relation."""
    return [
        row
        for row in claims.failing
        if FAILS in (row["verdict"], *(verdict for _, verdict in relations(row)))
    ]


def differing(claims: Ledger) -> Rows:
    """Statements that differ from ours, and fail by no arithmetic of the paper."""
    own = by_arithmetic(claims)
    return [row for row in claims.failing if row not in own]


def findings(claims: Ledger | None) -> list[Alarm]:
    """What the ledger has against the papers, told apart by what it rests on."""
    if claims is None:
        return []
    found = []
    own, other = by_arithmetic(claims), differing(claims)
    if own:
        told = sum(row["verdict"] == FAILS for row in own)
        parts = [f"{told:,} as read here"] if told else []
        if len(own) > told:
            parts.append(f"{len(own) - told:,} in another reading or with further printed numbers")
        text = count_of(len(own), "fails", "fail")
        found.append(f"{text} by the papers’ own arithmetic: {', '.join(parts)}")
    if other:
        rests = Counter(row["rests_on"] for row in other)
        words = {DESIGN: "under laws that we inferred", TRUTH: "under one of two truths only"}
        parts = [f"{rests[basis]:,} {text}" for basis, text in words.items() if rests[basis]]
        parts += [f"{n:,} by {basis}" for basis, n in sorted(rests.items()) if basis not in words]
        text = count_of(len(other), "differs", "differ")
        found.append(
            f"{text} from ours, which need not be an error of the papers: {', '.join(parts)}"
        )
    return [Alarm(text, "ledger", of_the_papers=True) for text in found]


def bases(claims: Ledger) -> list[str]:
    """What the verdicts rest on, the known ones in the order of their explanation."""
    there = {row["rests_on"] for row in claims.rows}
    return [*(each for each in RESTS_ON if each in there), *sorted(there - set(RESTS_ON) - {""})]


def about_the_example(rows: Rows) -> dict[str, list[Row]]:
    """Quantity of the worked example -> the claims that ours of it is held against."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        text = f"{row.get('source', '')} | {row.get('relation', '')}"
        named = [name for match in _EXAMPLE.findall(text) for name in match.split(" and ")]
        for name in dict.fromkeys(one.strip() for one in named):
            found.setdefault(name, []).append(row)
    return found


def hardest_to_notice(rows: Rows) -> Row | None:
    """The printed property of which only the largest difference would be called one."""
    compared = [row for row in rows if as_number(row.get("noticed_from")) is not None]
    return max(compared, key=lambda row: as_number(row["noticed_from"]) or 0, default=None)


def shared_notes(rows: Rows, column: str, key: str) -> list[tuple[str, str]]:
    """The notes of a table, each once with the rows that it holds for.

    >>> rows = [{"c": "a", "n": "few; x"}, {"c": "b", "n": "few"}]
    >>> shared_notes(rows, "n", "c")
    [('all', 'few'), ('a', 'x')]
    """
    holders: dict[str, list[str]] = {}
    for row in rows:
        for note in filter(None, row.get(column, "").split("; ")):
            holders.setdefault(note, []).append(row[key])
    everyone = len(rows) if len(rows) > 1 else 0
    told = [
        ("all" if len(names) == everyone else ", ".join(names), note)
        for note, names in holders.items()
    ]
    return sorted(told, key=lambda pair: pair[0] != "all")
