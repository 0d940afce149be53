"""A first mapping for data that nobody has described yet, with comments for a person to decide."""

import json
import re
from collections.abc import Sequence

import numpy as np
import yaml

from avowed.importing.answers import whole_number
from avowed.importing.column_profile import has_whole_floats, texts_only, told_values, used_values
from avowed.importing.guess import ANSWER_ROLES, Guess, guess, splits
from avowed.importing.kinds import SHOWN, key_of
from avowed.importing.raw_table import Column, RawTable, Value
from avowed.importing.rows import Rows, rows_of
from avowed.importing.unfilled import CHOOSE
from avowed.refusal import Refused

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_YAML_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

#: Most values of a column that are listed.
_LISTED = 8


def suggest(tables: Sequence[RawTable]) -> str:
    """Write a mapping for the columns that all tables have, as YAML with comments.

    What the data cannot tell is left empty, and `avowed import` refuses it until a person fills it
    in: the polarity of the judge, the number of options, how the hint reaches the assistant.

    Raises:
        Refused: there is no row, or the files have no column in common.
    """
    names = [name for name in tables[0].columns if all(name in t.columns for t in tables)]
    if not names or not sum(len(table.rows) for table in tables):
        raise Refused(f"{tables[0].file}: no rows, or no column that all files have")
    rows = rows_of(tables, names)
    found = guess(rows)
    lines = [
        "# A first mapping, guessed from the names and the values of the columns. Look at every",
        "# line; fill in what is empty. docs/import.md explains the keys.",
        "#",
        f"# {rows.size:,} rows in {len(rows.files):,} file{'s' * (len(rows.files) != 1)}; columns:",
        *(f"#   {line}" for name in names for line in _described(name, rows.columns[name])),
        "version: 1",
        *_question(rows, found),
        *_answers(rows, found),
        *_replica(rows, found),
        *_judge(rows, found),
        *_truncated(found),
        "header:",
        "  hint_channel:  # fill in: user_message, tool_return, few_shot_examples, ...",
    ]
    return "\n".join(lines) + "\n"


def _described(name: str, column: Column) -> list[str]:
    values = used_values(column)
    counts = np.bincount(column.codes, minlength=len(column.values))
    often = sorted(np.unique(column.codes).tolist(), key=lambda code: -counts[code])[:_LISTED]
    listed = ", ".join(f"{_comment(column.values[code])} ({counts[code]:,})" for code in often)
    more = f", and {len(values) - _LISTED:,} more" if len(values) > _LISTED else ""
    return [f"{_comment(name)}: {listed}{more}"]


def _comment(value: Value) -> str:
    """A value on one line, without a character that would end a comment."""
    text = json.dumps(value)
    return text if len(text) <= SHOWN // 4 else f"{text[: SHOWN // 4]}..."


def scalar(value: Value) -> str:
    """A value as YAML writes it, so that it reads back as the same kind.

    >>> scalar("a b"), scalar("no"), scalar(None), scalar("q_id"), scalar(-1)
    ('"a b"', '"no"', 'null', 'q_id', '-1')
    """
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and value.lower() not in _YAML_WORDS:
            return value
        return yaml.safe_dump(value, default_style='"', width=10**9).strip()
    if isinstance(value, float):
        return yaml.safe_dump(value).splitlines()[0]
    return json.dumps(value)


def _question(rows: Rows, found: Guess) -> list[str]:
    columns = found.columns
    probe = [columns.get("probe", CHOOSE)]
    if "task" in columns and ("probe" not in columns or splits(rows, probe[0], columns["task"])):
        probe = [columns["task"], *probe]
    kind = columns.get("hint_type")
    if kind is not None and len(told_values(rows.columns[kind])) > 1:
        # A question with two hints is two probes.
        probe.append(kind)
    named = "{constant: hint}" if kind is None else f"{{column: {scalar(kind)}}}"
    lines = [
        f"probe: [{', '.join(map(scalar, probe))}]  # the columns that identify a question",
        f"hint_type: {named}  # its name, or {{column: ...}} where the data tell",
    ]
    if found.options:
        return [*lines, f"n_options: {{length: {_names(found.options)}}}"]
    if "n_options" in columns:
        return [*lines, f"n_options: {{column: {scalar(columns['n_options'])}}}"]
    if "task" not in columns:
        return [*lines, "n_options: {constant: }  # fill in the number of options"]
    tasks = used_values(rows.columns[columns["task"]])
    return [
        *lines,
        "n_options:",
        f"  lookup: {scalar(columns['task'])}",
        "  values:  # fill in the number of options of each",
        *(f"    {scalar(task)}:" for task in tasks if not isinstance(task, tuple)),
    ]


def _names(names: Sequence[str]) -> str:
    """One column by its name, several as a list."""
    return scalar(names[0]) if len(names) == 1 else f"[{', '.join(map(scalar, names))}]"


def _answers(rows: Rows, found: Guess) -> list[str]:
    codings = list(found.coding.values())
    # Of equally frequent ones the first, so that equal data give equal text.
    usual = max(codings, key=codings.count) if codings else "letters"
    lines = ["answers:", f"  coding: {usual}  # letters, indices (from 0), numbers (from 1), text"]
    if "text" in codings:
        options = _names(found.options) if found.options else CHOOSE
        lines.append(f"  options: {options}  # where the texts of the options stand")
    never = _nothing(rows)
    missing = [never, *(value for value in found.missing if key_of(value) != key_of(never))]
    lines.append(
        f"  missing: [{', '.join(map(scalar, missing))}]  # values that say that no answer could "
        "be extracted"
    )
    columns = [
        rows.columns[found.columns[role]]
        for role, coding in found.coding.items()
        if coding in ("indices", "numbers")
    ]
    if any(map(has_whole_floats, columns)):
        lines.append("  whole_floats: true  # 3.0 stands for 3")
    for role in ANSWER_ROLES:
        name = scalar(found.columns.get(role, CHOOSE))
        own = found.coding.get(role, usual)
        lines.append(
            f"  {role}: {name}" if own == usual else f"  {role}: {{column: {name}, coding: {own}}}"
        )
    return lines


def _nothing(rows: Rows) -> Value:
    """What stands where nothing is: null, or the empty text where there are texts only."""
    return "" if texts_only(list(rows.columns.values())) else None


def _replica(rows: Rows, found: Guess) -> list[str]:
    if "replica" not in found.columns:
        return ["replica: one  # or order, where a question was asked several times"]
    name = found.columns["replica"]
    numbers = [whole_number(value) for value in used_values(rows.columns[name])]
    first = min((number for number in numbers if number is not None), default=0)
    return [f"replica: {{column: {scalar(name)}, from: {first}}}  # from: its first number"]


def _judge(rows: Rows, found: Guess) -> list[str]:
    name, phi = found.columns.get("judge"), found.columns.get("phi")
    if name is None and phi is None:
        return ["# judge: {column: ..., faithful: [...], unfaithful: [...]}  # none was found"]
    lines = ["judge:"]
    if name is not None:
        values = [each for each in told_values(rows.columns[name]) if not isinstance(each, tuple)]
        words = ", ".join(_comment(value) for value in values[:_LISTED])
        lines += [
            f"  column: {scalar(name)}  # its values: {words}",
            "  faithful: []    # fill in: the values that mean that the explanation names the hint",
            "  unfaithful: []  # fill in: those that mean that it does not",
        ]
    lines.append(f"  missing: [{scalar(_nothing(rows))}]")
    if phi is not None:
        lines += [
            "  phi:  # a probability; remove it if it says something else",
            f"    column: {scalar(phi)}",
            "    of:  # fill in: faithful or unfaithful, whichever it is the probability of",
            "    source:  # fill in: token_logprobs, vote_fraction or verbalized_confidence",
        ]
        if name is None:
            lines.append("  threshold:  # fill in: faithful where its probability is at least this")
    return lines


def _truncated(found: Guess) -> list[str]:
    if "truncated" not in found.columns:
        return []
    values = ", ".join(map(scalar, found.cut_off))
    return [f"truncated: {{column: {scalar(found.columns['truncated'])}, values: [{values}]}}"]
