"""What a column might be, from its name and its values; a guess that a person looks over.

The name alone misleads: `cue.kind` is no hint where `cue.letter` is written in the answers' own
alphabet. So the values decide which columns may have a role, and the name which of them has it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from avowed.importing.column_profile import (
    MISSING_WORDS,
    Alphabet,
    alphabet_of,
    coding_of,
    has_few_values,
    is_labels,
    is_list,
    is_number,
    is_probability,
    told_values,
    used_values,
)
from avowed.importing.kinds import key_of
from avowed.importing.mapping import Coding
from avowed.importing.options import option_texts
from avowed.importing.raw_table import Column, Value
from avowed.importing.rows import Rows, combined

#: Words in the names of columns, for each role, the surest first.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "correct": ("correct", "gold", "answer_key", "truth", "reference", "target", "label", "key"),
    "hint": ("bias_target", "hint", "suggest", "cue", "nudge", "push", "random_ans", "bias"),
    "baseline": (
        *("baseline", "unhinted", "unbiased", "uncued", "no_hint", "without", "control", "plain"),
        *("original", "before", "a0"),
    ),
    "hinted": ("hinted", "biased", "cued", "nudged", "pressed", "with_hint", "after", "a1"),
    "probe": ("question_id", "probe", "item_id", "qid", "example_id", "id", "idx", "question"),
    "task": ("task", "subset", "subject", "category", "dataset"),
    "hint_type": ("hint_type", "bias_type", "cue_type", "hint", "bias", "cue", "nudge"),
    "judge": (
        *("verbal", "acknowledg", "faithful", "mention", "avow", "hides", "hidden", "omit"),
        *("conceal", "disclos", "admit", "judge", "verdict", "says"),
    ),
    "phi": ("omission", "omit", "hidden", "faithful", "verbal", "judge", "prob", "conf", "score"),
    "replica": ("replica", "repeat", "run", "sample", "trial", "epoch"),
    "options": ("choices", "options", "targets"),
    "n_options": ("n_options", "num_options", "n_choices", "num_choices"),
    "truncated": ("stop_reason", "finish", "truncated", "cut_off"),
}

#: Names that hold a role's word and mean something else.
_NOT: Mapping[str, tuple[str, ...]] = {
    "correct": ("is_correct", "was_correct", "bias", "hint", "cue"),
    "hint": (
        "hinted",
        "biased",
        "cued",
        "nudged",
        "pressed",
        "followed",
        "unbiased",
        "hint_type",
        "bias_type",
    ),
    "hinted": ("unhinted", "unbiased", "uncued", "followed"),
    "probe": ("model_id", "session_id", "run_id"),
    "judge": ("response", "model", "prompt", "reason"),
    "hint_type": ("hinted", "biased", "followed", "mention"),
    "truncated": ("baseline", "plain", "unhinted", "unbiased"),
}

#: What a service calls a generation that it cut off.
_CUT_OFF = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS", True)

ANSWER_ROLES = ("correct", "hint", "baseline", "hinted")
_AN_ANSWER = re.compile(r"ans|reply|response|choice|predict|output|pick")
_OPTION = re.compile(r"(?P<stem>.*(?:option|choice|alternative).*?)(?P<place>[0-9]{1,2}|[a-zA-Z])")


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A guess at the role of each column.

    Attributes:
        columns: the column of each role for which one was found.
        options: the columns with the texts of the options: one list, or one column per option.
        coding: how each answer that was found is coded.
        missing: the values in the answers that look like no answer.
        cut_off: the values that say that a generation was cut off.
    """

    columns: Mapping[str, str]
    options: tuple[str, ...]
    coding: Mapping[str, Coding]
    missing: Sequence[Value]
    cut_off: Sequence[Value]


def guess(rows: Rows) -> Guess:
    """Guess the roles of the columns of a table.

    >>> column = Column(values=["A", ""], codes=np.array([0, 1], dtype=np.int32))
    >>> table = {"gold": column, "qid": column}
    >>> rows = Rows(columns=table, absent={}, files=("x",), numbers=np.arange(2),
    ...             file=np.zeros(2, dtype=np.int32), row_words=("row",))
    >>> guess(rows).columns["correct"], guess(rows).coding["correct"], guess(rows).missing
    ('gold', 'letters', [''])
    """
    found: dict[str, str] = {}
    options = _options(rows)
    taken = set(options)
    found |= _answers(rows, option_texts(rows, options) if options else None, taken)
    taken |= set(found.values())
    for role, fits in _FITS.items():
        name = _named(rows, role, fits, taken)
        if name is not None:
            found[role] = name
            taken.add(name)
    if "probe" not in found:
        name = _identifier(rows, found.get("replica"), taken)
        if name is not None:
            found["probe"] = name
    answers = [found[role] for role in ANSWER_ROLES if role in found]
    seen = {key_of(v): v for name in answers for v in used_values(rows.columns[name])}
    cut = used_values(rows.columns[found["truncated"]]) if "truncated" in found else []
    return Guess(
        columns=found,
        options=options,
        coding={
            role: coding_of(rows.columns[found[role]]) for role in ANSWER_ROLES if role in found
        },
        missing=[value for value in MISSING_WORDS if key_of(value) in seen],
        cut_off=[value for value in _CUT_OFF if key_of(value) in {key_of(each) for each in cut}],
    )


def _options(rows: Rows) -> tuple[str, ...]:
    """A list column, or columns whose names differ in the number or letter at their end."""
    listed = _named(rows, "options", is_list, set())
    if listed is not None:
        return (listed,)
    families: dict[str, list[str]] = {}
    for name, column in rows.columns.items():
        match = _OPTION.fullmatch(name.lower())
        if match and not is_number(column):
            families.setdefault(match["stem"], []).append(name)
    most = max(families.values(), key=len, default=[])
    return tuple(most) if len(most) > 1 else ()


def _answers(rows: Rows, options: Column | None, taken: Collection[str]) -> dict[str, str]:
    """The four answers: those written in the alphabet that most of them share come first."""
    alphabets = {
        name: alphabet
        for name, column in rows.columns.items()
        if name not in taken and (alphabet := alphabet_of(column, options)) is not None
    }
    shared = _shared(alphabets)
    groups = [[name for name in alphabets if alphabets[name] == shared], list(alphabets)]
    if options is None and shared is None:
        # Without options a text cannot be told from an answer, so that the name has to do.
        groups.append([name for name, column in rows.columns.items() if _is_scalar(column)])
    found: dict[str, str] = {}
    for role in ANSWER_ROLES:
        for group in groups:
            name = _best(role, [each for each in group if each not in {*taken, *found.values()}])
            if name is not None:
                found[role] = name
                break
    return found | _left_over(alphabets, shared, {*taken, *found.values()}, found)


def _shared(alphabets: Mapping[str, Alphabet]) -> Alphabet | None:
    """The alphabet of most columns that some answer's word names; letters before numbers."""
    counts: Counter[Alphabet] = Counter()
    for name, alphabet in alphabets.items():
        if _AN_ANSWER.search(name.lower()) or any(_rank(role, name) for role in ANSWER_ROLES):
            counts[alphabet] += 1
    if not counts:
        return None
    order: tuple[Alphabet, ...] = ("letters", "text", "numbers")
    return max(order, key=lambda one: counts[one])


def _left_over(
    alphabets: Mapping[str, Alphabet],
    shared: Alphabet | None,
    taken: Collection[str],
    found: Mapping[str, str],
) -> dict[str, str]:
    """The one answer that is left, for the half that is not there; the hinted one if both lack."""
    left = [
        name
        for name, alphabet in alphabets.items()
        if alphabet == shared and name not in taken and _AN_ANSWER.search(name.lower())
    ]
    lacking = [role for role in ("hinted", "baseline") if role not in found]
    return {lacking[0]: left[0]} if lacking and len(left) == 1 else {}


def _identifier(rows: Rows, replica: str | None, taken: Collection[str]) -> str | None:
    """The first column that tells the questions apart: one value for each set of replicas."""
    size = 1 if replica is None else max(1, len(told_values(rows.columns[replica])))
    for name, column in rows.columns.items():
        values = told_values(column)
        if name in taken or not all(
            isinstance(value, str | int) and not isinstance(value, bool) for value in values
        ):
            continue
        distinct = len(np.unique(column.codes))
        if distinct > 1 and 0.8 <= distinct * size / rows.size <= 1.2:
            return name
    return None


def splits(rows: Rows, name: str, by: str) -> bool:
    """Whether some value of a column occurs with several values of another one."""
    one, other = rows.columns[name].codes, rows.columns[by].codes
    return len(np.unique(combined([one, other]))) > len(np.unique(one))


def _is_scalar(column: Column) -> bool:
    return not any(isinstance(value, bool | tuple) for value in told_values(column))


def _is_cut_off(column: Column) -> bool:
    keys = {key_of(value) for value in _CUT_OFF}
    return any(key_of(value) in keys for value in told_values(column))


def _repeats(column: Column) -> bool:
    return len(np.unique(column.codes)) <= max(1, len(column) // 2)


def _is_kind(column: Column) -> bool:
    values = told_values(column)
    return has_few_values(column) and all(isinstance(value, str) for value in values)


#: What the values of a role have to look like; the answers have rules of their own.
_FITS: Mapping[str, Callable[[Column], bool]] = {
    "replica": lambda column: is_number(column) and _repeats(column),
    "n_options": is_number,
    "hint_type": _is_kind,
    "judge": is_labels,
    "phi": is_probability,
    "truncated": _is_cut_off,
    "probe": lambda _column: True,
    "task": has_few_values,
}


def _named(
    rows: Rows, role: str, fits: Callable[[Column], bool], taken: Collection[str]
) -> str | None:
    """The column whose name has the surest word of a role and whose values fit."""
    return _best(
        role,
        [
            name
            for name, column in rows.columns.items()
            if name not in taken and _rank(role, name) and fits(column)
        ],
    )


def _best(role: str, names: Sequence[str]) -> str | None:
    """The first of the names that have the surest word of a role."""
    ranked = [(rank, place) for place, name in enumerate(names) if (rank := _rank(role, name))]
    return names[min(ranked)[1]] if ranked else None


def _rank(role: str, name: str) -> int:
    """The place of the role's surest word in a name, from 1; 0 if it has none."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower())
    if any(other in plain for other in _NOT.get(role, ())):
        return 0
    for place, word in enumerate(_WORDS[role], start=1):
        # A short word must stand alone: "id" is not in "valid".
        pattern = rf"(?<![a-z]){word}(?![a-z])" if len(word) <= 3 else word
        if re.search(pattern, plain):
            return place
    return 0
