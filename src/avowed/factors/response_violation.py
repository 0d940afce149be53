"""What a broken rule of a response file looks like: where, what stands there, what to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from avowed.strict_json import token_of

#: What each rule asks for.
RULES: dict[str, str] = {
    "F1": "the use case is the one that is scored",
    "F2": "the component is one of the plan",
    "F3": "the input is one of the study",
    "F4": "the intervention is one of the plan",
    "F5": "the feature is a key of the list, and null for a call of the unchanged input",
    "F6": "the trial index is within the plan",
    "F7": "an intervention that cannot be constructed has no response",
    "F8": "there is one response per component, input, feature, intervention and trial",
    "F9": "every input has its original response",
    "F10": "the counts add up: every call of the plan has its row",
    "F11": "there is a decision, one of the pool, if and only if the response is valid",
    "F12": "there are citations if and only if the explanation is valid and was asked for",
    "F13": "citations are as many different keys of the list as were asked for",
    "F14": "what was parsed agrees with the raw response",
    "F15": "the plan was made for this use case and these inputs",
}

_LONGEST = 80


@dataclass(frozen=True, kw_only=True)
class Violation:
    """A broken rule at one place.

    Attributes:
        rule: ``F1`` to ``F15``.
        field: the offending field.
        row: row of the file from 1 (in JSON lines the line); None where a row is missing.
        call: which call it is, in words.
        found: the value as JSON writes it.
        expected: what should stand there.
        todo: what to do about it.
    """

    rule: str
    field: str
    row: int | None
    call: str
    found: str
    expected: str
    todo: str

    def __str__(self) -> str:
        """File-independent part of the message, on one line."""
        where = "" if self.row is None else f"row {self.row}, "
        return (
            f"{where}field {self.field} ({self.call}): found {self.found}; expected "
            f"{self.expected} ({self.rule}: {RULES[self.rule]}); {self.todo}"
        )


def short(value: Any) -> str:
    """A value as JSON writes it, cut where it is long, without characters that a terminal obeys.

    >>> short("é"), short(None)
    ('"é"', 'null')
    """
    token = token_of(value)
    # A text of the file must neither break the line nor reach the terminal as a command.
    token = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in token)
    return token if len(token) <= _LONGEST else f"{token[: _LONGEST - 3]}..."


def among(words: Sequence[str], most: int = 20) -> str:
    """Words to choose from, the first few of them.

    >>> among(["a", "b", "c"], 2)
    'a, b, ... (3 in all)'
    """
    shown = ", ".join(words[:most])
    return f"{shown}, ... ({len(words)} in all)" if len(words) > most else shown
