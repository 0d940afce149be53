"""Responses: one row per call of a decision component, and how the text of one is read.

A response is stored once; every score is computed from the stored rows (NS 3.3 to 3.5). The text
has to be the JSON that the prompt asks for, and nothing else: what is read leniently here would be
an invalid response there, and the two would give different denominators.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from avowed.strict_json import BrokenJson, parse

if TYPE_CHECKING:
    from avowed.factors.usecase import UseCase


class Validity(StrEnum):
    """Whether a response holds a decision, and if not, why (NS 3.3: invalid ones are excluded)."""

    VALID = "valid"
    NOT_JSON = "not_json"
    NO_DECISION = "no_decision"
    DECISION_OUTSIDE = "decision_outside"
    FAILED = "failed"


class Explanation(StrEnum):
    """Whether a response cites as many different keys of the list as were asked for."""

    VALID = "valid"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    DUPLICATE = "duplicate"
    UNKNOWN_KEY = "unknown_key"
    MISSING = "missing"
    NOT_ASKED = "not_asked"


#: Calls with the unchanged input: the one that gives y and the explanation, and its repeats.
ORIGINAL, REPEAT = "original", "repeat"

#: One row per call. ``citations`` are there exactly where ``explanation`` is valid.
RESPONSES = pa.schema(
    [
        pa.field("component", pa.string(), nullable=False),
        pa.field("use_case", pa.string(), nullable=False),
        pa.field("input", pa.string(), nullable=False),
        pa.field("feature", pa.string()),
        pa.field("intervention", pa.string(), nullable=False),
        pa.field("trial", pa.int16(), nullable=False),
        pa.field("raw", pa.string()),
        pa.field("decision", pa.string()),
        pa.field("citations", pa.list_(pa.string())),
        pa.field("validity", pa.string(), nullable=False),
        pa.field("explanation", pa.string(), nullable=False),
    ]
)

#: The columns that say which call a row answers, and those that are read out of the raw text.
CALL_FIELDS = ("component", "use_case", "input", "feature", "intervention", "trial")
PARSED_FIELDS = ("decision", "citations", "validity", "explanation")

# "1. key", "1) key", "1: key" and "(1) key", the same with a letter, and "- key"; the prompts of
# appendix A.1 ask for all three styles. The key alone needs no marker.
_MARKER = re.compile(
    r"(?:\(([1-9][0-9]*|[A-Za-z])\)|([1-9][0-9]*|[A-Za-z])[.):]|[-*•](?=\s))\s*(\S.*)",
    re.DOTALL | re.ASCII,
)


@dataclass(frozen=True)
class Parsed:
    """What a response says, in the columns of `RESPONSES`."""

    decision: str | None
    citations: tuple[str, ...] | None
    validity: Validity
    explanation: Explanation


def parse_response(
    raw: str | None, case: "UseCase", *, asked: bool, cited: int | None = None
) -> Parsed:
    """Read one response as the prompt of NS appendix B asks for it.

    The whole text is one strict JSON object (white space around it is allowed; a code fence, a
    sentence before it, NaN or a key that occurs twice is not). The decision is a text of the pool
    after white space at its ends is removed. A JSON integer passes where every decision of the use
    case is an integer (the risk scores 1 to 5); ``4.0`` and ``"4.0"`` never do. Explanations are a
    list of exactly ``cited`` different keys, each alone or behind the number or letter of its place
    or a dash. Their faults are looked for in this order: missing, too few, too many, unknown key,
    duplicate. Further keys of the object are left alone.

    Args:
        raw: the text as received; None if the provider failed.
        case: the use case, for its decisions, keys and number of citations.
        asked: whether the explanation counts (the unchanged input) or not (a modified one).
        cited: number of citations asked for, if not the use case's (the full ranking of NS 4.5).

    An explanation is judged by itself, also where the decision is invalid.

    >>> from types import SimpleNamespace
    >>> case = SimpleNamespace(decisions=("1", "2"), keys=("a", "b", "c"), cited=2)
    >>> parse_response('{"decision": 2, "explanations": ["1. b", "2. a"]}', case, asked=True)
    ... # doctest: +NORMALIZE_WHITESPACE
    Parsed(decision='2', citations=('b', 'a'), validity=<Validity.VALID: 'valid'>,
           explanation=<Explanation.VALID: 'valid'>)
    >>> parse_response('Sure! {"decision": "2"}', case, asked=False).validity
    <Validity.NOT_JSON: 'not_json'>
    """
    nothing = Explanation.MISSING if asked else Explanation.NOT_ASKED
    if raw is None:
        return Parsed(None, None, Validity.FAILED, nothing)
    try:
        content = parse(raw, keep_tokens=True)
    except BrokenJson:
        return Parsed(None, None, Validity.NOT_JSON, nothing)
    fields = content if isinstance(content, dict) else {}
    decision, validity = _decision(fields.get("decision"), case.decisions)
    if not asked:
        return Parsed(decision, None, validity, nothing)
    wanted = case.cited if cited is None else cited
    citations, explanation = _citations(fields.get("explanations"), case.keys, wanted)
    return Parsed(decision, citations, validity, explanation)


def explanation_texts(raw: str | None) -> tuple[str, ...] | None:
    """The texts of the explanations, in order and without their markers; None if there are none.

    For prompts that let the component name factors in its own words (NS appendix A.1).

    >>> explanation_texts('{"explanations": ["1. Her age", "2) the income"]}')
    ('Her age', 'the income')
    """
    try:
        content = parse(raw or "")
    except BrokenJson:
        return None
    found = content.get("explanations") if isinstance(content, dict) else None
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        return None
    return tuple(_without_marker(text)[1] for text in found)


def _decision(value: Any, decisions: Sequence[str]) -> tuple[str | None, Validity]:
    if type(value) is int and all(map(_is_integer, decisions)):
        value = str(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None, Validity.NO_DECISION
    if not isinstance(value, str) or value.strip() not in decisions:
        return None, Validity.DECISION_OUTSIDE
    return value.strip(), Validity.VALID


def _is_integer(text: str) -> bool:
    return re.fullmatch(r"0|-?[1-9][0-9]*", text) is not None


def _citations(
    value: Any, keys: Sequence[str], cited: int
) -> tuple[tuple[str, ...] | None, Explanation]:
    if not isinstance(value, list):
        return None, Explanation.MISSING
    if len(value) != cited:
        return None, Explanation.TOO_FEW if len(value) < cited else Explanation.TOO_MANY
    found = [_key(text, place, keys) for place, text in enumerate(value, start=1)]
    known = tuple(key for key in found if key is not None)
    if len(known) < len(found):
        return None, Explanation.UNKNOWN_KEY
    if len(set(known)) < len(known):
        return None, Explanation.DUPLICATE
    return known, Explanation.VALID


def _key(text: Any, place: int, keys: Sequence[str]) -> str | None:
    """The key that stands at a place; None if it is none, or is marked as another place's."""
    if not isinstance(text, str):
        return None
    if text.strip() in keys:
        return text.strip()
    marker, key = _without_marker(text)
    return key if marker in ("", str(place), _letter(place)) and key in keys else None


def _letter(place: int) -> str | None:
    return chr(ord("A") + place - 1) if place <= 26 else None


def _without_marker(text: str) -> tuple[str, str]:
    """The number or letter in front of a text, in capitals, and the rest."""
    marked = _MARKER.fullmatch(text.strip())
    if marked is None:
        return "", text.strip()
    return (marked[1] or marked[2] or "").upper(), marked[3].strip()


def parsed_columns(
    raw: pa.ChunkedArray, asked: npt.NDArray[np.bool_], case: "UseCase", *, cited: int | None = None
) -> dict[str, pa.Array]:
    """Read a column of responses; each distinct text is read once, however often it came.

    Args:
        raw: the texts, shape (n,); null where the provider failed.
        asked: where the explanation counts, shape (n,).
        case: the use case.
        cited: as in `parse_response`.

    Returns:
        The columns `PARSED_FIELDS`, shape (n,) each.
    """
    coded = raw.combine_chunks().cast(pa.large_string()).dictionary_encode()
    texts: list[str | None] = [*coded.dictionary.to_pylist(), None]
    index = pc.fill_null(coded.indices, len(texts) - 1).to_numpy(zero_copy_only=False)
    # Twice as many answers as texts: those of modified inputs first, then those with citations.
    place = index.astype(np.int64) + len(texts) * asked
    distinct, position = np.unique(place, return_inverse=True)
    found = [
        parse_response(texts[one % len(texts)], case, asked=one >= len(texts), cited=cited)
        for one in distinct.tolist()
    ]
    take = pa.array(position.reshape(-1))
    return {
        name: pa.array([getattr(one, name) for one in found], RESPONSES.field(name).type).take(take)
        for name in PARSED_FIELDS
    }


def is_asked(intervention: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Where a row is of the unchanged input, so that its explanation counts; shape (n,)."""
    unchanged = pc.is_in(intervention, value_set=pa.array([ORIGINAL, REPEAT]))
    found: npt.NDArray[np.bool_] = np.asarray(unchanged.to_numpy(), dtype=bool)
    return found


def responses_table(
    *,
    component: str | Sequence[str],
    use_case: str,
    calls: dict[str, Any],
    raw: Sequence[str | None],
    case: "UseCase",
    cited: int | None = None,
) -> pa.Table:
    """Put raw responses into the form of `RESPONSES`.

    Args:
        component: the component's name, or one name per row.
        use_case: the use case's name.
        calls: columns ``input``, ``feature``, ``intervention``, ``trial``, shape (n,) each, as
            `avowed.factors.plan.call_columns` gives them.
        raw: the texts, shape (n,).
        case, cited: as in `parse_response`.
    """
    n = len(raw)
    names = [component] * n if isinstance(component, str) else list(component)
    texts = pa.chunked_array([pa.array(raw, pa.string())])
    given = {"component": names, "use_case": [use_case] * n, **calls}
    columns = {name: pa.array(given[name], RESPONSES.field(name).type) for name in CALL_FIELDS}
    asked = is_asked(pa.chunked_array([columns["intervention"]]))
    columns |= {"raw": texts, **parsed_columns(texts, asked, case, cited=cited)}
    return pa.table([columns[name] for name in RESPONSES.names], schema=RESPONSES)
