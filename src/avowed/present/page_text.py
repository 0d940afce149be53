"""Words and numbers of the report: formats, dashes, and what a verdict means."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Literal

from avowed.pairs.record import spelled_out
from avowed.present.csvfile import NAMES

Tone = Literal["bad", "open", "good"]

#: What a verdict of the ledger means, in the order in which they are listed.
MEANINGS = {
    "matches": "our number rounds to the printed one",
    "within Monte-Carlo error": "our number differs by no more than the simulation's own error",
    "arithmetic holds": "it follows from other printed numbers, within their rounding",
    "recovered": "lost in our copy; ours from the public data, or, for a simulation, ours with "
    "nothing to compare with",
    "design constant in config": "a choice of the design; the configuration that ran has it",
    "differs": "our number is farther away than its error allows",
    "arithmetic fails": "it does not follow from the printed numbers that it rests on",
    "needs live models": "it can only be had by asking the models of the paper again",
    "not applicable": "nothing in this run to hold it against; the note says why",
    "not printed": "the paper has no such number",
}

#: What the ledger counts, for a reader who has not seen it.
PRINTED_STATEMENT = (
    "A printed statement is a number that one of the two papers states about its own work"
)

#: What it means that a verdict of the ledger rests on something.
RESTS_ON = {
    "printed numbers only": "nothing but what the paper itself prints",
    "public data": "computed from the public data",
    "configuration or code": "read from the configuration that ran, or from what the code does",
    "inferred design": "simulated under laws that we inferred, as the paper does not print them; a "
    "difference need not be an error of the paper",
    "choice of truth": "simulated as well; under another truth that the paper may have meant "
    "the verdict is another",
    "nothing computed": "the note says why",
}

#: A judge that reads keywords errs in one direction, which a lower bound does not show.
KEYWORD_CAVEAT = (
    "The judge is a keyword detector. It takes a mention in other words for an omission, so its "
    "errors push these rates upward, and nothing here measures by how much. “Lower bound” refers "
    "to the channel of the hint alone, not to the judge."
)

#: Below this a difference of two shares or counts is the rounding of the computer.
NOISE = 1e-15

# Words by which a verdict of whatever table is known to be bad news.
_BAD = ("fail", "differ", "no counterpart", "missed", "false alarm")
_OPEN = (
    "needs live models",
    "not applicable",
    "undefined",
    "not checked",
    "no relation",
    "not printed",
)


def tone(verdict: str) -> Tone:
    """Whether a verdict is bad news, an open matter, or fine.

    >>> [tone(v) for v in ("arithmetic fails", "needs live models", "matches", "")]
    ['bad', 'open', 'good', 'open']
    """
    words = verdict.lower()
    if any(word in words for word in _BAD):
        return "bad"
    if not words or any(word in words for word in _OPEN):
        return "open"
    return "good"


def in_order(verdicts: Iterable[str]) -> list[str]:
    """Verdicts without repetition: the known ones in the order of `MEANINGS`, then the others."""
    known = list(MEANINGS)
    rank = {verdict: place for place, verdict in enumerate(known)}
    return sorted(set(verdicts), key=lambda one: (rank.get(one, len(known)), one))


def as_number(text: str | float | None) -> float | None:
    """The number that a cell holds, or None.

    >>> as_number("0.5"), as_number(""), as_number("1 to 5")
    (0.5, None, None)
    """
    try:
        number = float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return None if math.isnan(number) else number


def number(value: str | float | None, digits: int = 6) -> str:
    """A cell's text: numbers at so many significant digits, a dash where there is nothing.

    >>> number("0.9483333333", 4), number("-17"), number(""), number("1 to 5"), number("1391")
    ('0.9483', '−17', '–', '1 to 5', '1391')
    >>> number("1e-12"), number("-3.934e-05", 3)
    ('1e−12', '−3.93e−5')
    >>> number("-4.4e-17")
    '0'
    """
    if value is None or value == "":
        return "–"
    found = as_number(value)
    if found is None:
        return str(value)
    if abs(found) < NOISE:
        text = "0"
    elif found.is_integer() and abs(found) < 1e12:
        text = str(int(found))
    else:
        text = f"{found:.{digits}g}"
    return re.sub(r"e([-+])0*", lambda sign: f"e{sign[1].strip('+')}", text).replace("-", "−")


def fixed(value: str | float | None, digits: int = 3) -> str:
    """A number at so many decimals, a dash where it is undefined.

    >>> fixed("0.99382"), fixed("-0.05118756", 4), fixed("")
    ('0.994', '−0.0512', '–')
    """
    found = as_number(value)
    return "–" if found is None else f"{found:.{digits}f}".replace("-", "−")


def kept(text: str) -> str:
    """A text in which no line may end before a percent sign or between it and CI.

    >>> kept("95 % CI of 5 %").split(" ")
    ['95\xa0%\xa0CI', 'of', '5\xa0%']
    """
    return re.sub(r" %( CI\b)?", lambda found: found[0].replace(" ", "\u00a0"), text)


def thousands(value: str | int | float) -> str:
    """A count with its thousands set apart.

    >>> thousands("13196")
    '13,196'
    """
    return f"{int(value):,}"


def count_of(n: int, singular: str, plural: str = "") -> str:
    """A count with its noun.

    >>> count_of(1, "row"), count_of(1200, "row"), count_of(0, "entry", "entries")
    ('1 row', '1,200 rows', '0 entries')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


def label(column: str) -> str:
    """The name of a column or a hint type in words.

    >>> label("failing_rows"), label("answer_is_always_a")
    ('failing rows', 'answer is always A')
    """
    return spelled_out(column)


def is_numeric(rows: Iterable[Mapping[str, str]], column: str) -> bool:
    """Whether a column holds numbers, so that it is set flush right; a name is none.

    >>> is_numeric([{"k": "1"}, {"k": ""}], "k"), is_numeric([{"hint_type": "007"}], "hint_type")
    (True, False)
    """
    if column in NAMES:
        return False
    filled = [row[column] for row in rows if row.get(column, "") != ""]
    return bool(filled) and all(as_number(text) is not None for text in filled)
