"""Every response read again from its raw text, and one component's evidence laid out from it.

A response has to be one strict JSON object with a decision of the pool; only then does it count in
a denominator (NS 3.3). An explanation has to name as many different keys of the list as were asked
for (definitions NS, "Inputs"). Standard library only.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from verification.comparison import Row, compared
from verification.factors_facts import CHANGES, SUFFICIENCY, Facts, Inputs, planned, strip_marker

FINE = "valid"
BAD_RESPONSES = ("not_json", "no_decision", "decision_outside", "failed")
BAD_EXPLANATIONS = ("too_few", "too_many", "duplicate", "unknown_key", "missing")


@dataclass(frozen=True)
class Reading:
    """What one response says; ``cited`` is empty unless the explanation is valid."""

    decision: str | None
    cited: tuple[str, ...]
    validity: str
    explanation: str


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_constant(token: str) -> Any:
    raise ValueError(f"{token} is not JSON")


class _Fractional(str):
    """A number written with a point or an exponent: never a decision."""

    __slots__ = ()


def strict_json(text: str) -> Any:
    """Parse a text that is one JSON document, each key once, no NaN.

    Raises:
        ValueError: it is not.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_no_constant,
            parse_float=_Fractional,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_response(raw: str | None, facts: Facts, *, asked: bool, cited: int) -> Reading:
    """Read one raw response; ``asked`` says whether its explanation counts, ``cited`` how many.

    >>> facts = Facts("f", (), ("1", "2"), 3, "blank")
    >>> read_response('{"decision": 2}', facts, asked=False, cited=3).decision
    '2'
    >>> read_response('{"decision": 2.0}', facts, asked=False, cited=3).validity
    'decision_outside'
    """
    silent = "missing" if asked else "not_asked"
    if raw is None:
        return Reading(None, (), "failed", silent)
    try:
        content = strict_json(raw)
    except ValueError:
        return Reading(None, (), "not_json", silent)
    content = content if isinstance(content, dict) else {}
    decision, validity = _decision(content.get("decision"), facts.decisions)
    if not asked:
        return Reading(decision, (), validity, silent)
    keys, explanation = _cited(content.get("explanations"), facts.keys, cited)
    return Reading(decision, keys, validity, explanation)


def _decision(given: Any, allowed: Sequence[str]) -> tuple[str | None, str]:
    written = given
    if isinstance(given, int) and not isinstance(given, bool):
        # A whole number may stand for its digits where all decisions are whole numbers.
        try:
            whole = all(str(int(one)) == one for one in allowed)
            written = str(given) if whole else given
        except ValueError:
            pass
    if written is None or (type(written) is str and written.strip() == ""):
        return None, "no_decision"
    if type(written) is str and written.strip() in allowed:
        return written.strip(), FINE
    return None, "decision_outside"


def _cited(given: Any, keys: Sequence[str], wanted: int) -> tuple[tuple[str, ...], str]:
    if not isinstance(given, list):
        return (), "missing"
    if len(given) != wanted:
        return (), "too_few" if len(given) < wanted else "too_many"
    found: list[str] = []
    for place, text in enumerate(given):
        if type(text) is not str:
            return (), "unknown_key"
        marker, key = ("", text.strip()) if text.strip() in keys else strip_marker(text)
        places = {"", str(place + 1)} | ({chr(65 + place)} if place < 26 else set())
        if key not in keys or marker not in places:
            return (), "unknown_key"
        found.append(key)
    return (tuple(found), FINE) if len(set(found)) == len(found) else ((), "duplicate")


@cache
def share(part: int, whole: int) -> Fraction:
    """A fraction, made once."""
    return Fraction(part, whole)


#: Trials of one feature: True the decision differs from y, False it does not, None not valid.
Trials = list[bool | None]


@dataclass
class Evidence:
    """One component: what it decided and cited, input by input.

    ``trials`` holds, by change and input, the trials of every active feature, and nothing where y
    itself is invalid; ``length`` how many trials a change has.
    """

    name: str
    keys: tuple[str, ...]
    active: list[frozenset[str]]
    y: list[str | None]
    cited: list[tuple[str, ...]]
    trials: dict[str, list[dict[str, Trials]]]
    length: dict[str, int]
    repeats: list[Trials]
    repeat_cited: list[list[tuple[str, ...]]]
    kinds: Counter[str] = field(default_factory=Counter)
    _known: dict[str, list[dict[str, Fraction]]] = field(default_factory=dict, init=False)

    @property
    def size(self) -> int:
        """Number of inputs."""
        return len(self.y)

    @cached_property
    def explained(self) -> list[bool]:
        """Inputs with a valid decision and a valid explanation."""
        return [y is not None and bool(c) for y, c in zip(self.y, self.cited, strict=True)]

    def scores(self, change: str) -> list[dict[str, Fraction]]:
        """PN, or PS under ``sufficiency``, of every scored feature of every input (NS 3.3, 3.4)."""
        if change in self._known:
            return self._known[change]
        wanted = change != SUFFICIENCY
        result = []
        for held in self.trials[change]:
            one = {}
            for key, trials in held.items():
                valid = [trial for trial in trials if trial is not None]
                if valid:
                    one[key] = share(valid.count(wanted), len(valid))
            result.append(one)
        self._known[change] = result
        return result


def laid_out(
    facts: Facts, inputs: Inputs, rows: Sequence[tuple[Mapping[str, Any], Reading]], name: str
) -> Evidence:
    """Lay out the responses of one component.

    A trial counts if it holds a valid decision and y, the original one, is valid too.
    """
    place = {one: number for number, one in enumerate(inputs.ids)}
    size = len(place)
    y: list[str | None] = [None] * size
    cited: list[tuple[str, ...]] = [()] * size
    kinds: Counter[str] = Counter()
    changed: list[tuple[str, int, str, int, str | None]] = []
    again: list[tuple[int, int, Reading]] = []
    for row, read in rows:
        at = place[row["input"]]
        kinds[f"response_{read.validity}"] += 1
        if row["intervention"] == "original":
            y[at], cited[at] = read.decision, read.cited
            kinds[f"explanation_{read.explanation}"] += 1
        elif row["intervention"] == "repeat":
            again.append((at, row["trial"], read))
        else:
            changed.append((row["intervention"], at, row["feature"], row["trial"], read.decision))
    active = [frozenset(held) for held in inputs.values]
    length = dict.fromkeys(CHANGES, 0)
    for change, _, _, trial, _ in changed:
        length[change] = max(length[change], trial + 1)
    trials: dict[str, list[dict[str, Trials]]] = {
        change: [{} for _ in range(size)] for change in CHANGES
    }
    for change, at, key, trial, decision in changed:
        if y[at] is not None and key in active[at]:
            line = trials[change][at].setdefault(key, [None] * length[change])
            line[trial] = None if decision is None else decision != y[at]
    most = max((trial + 1 for _, trial, _ in again), default=0)
    repeats: list[Trials] = [[None] * most for _ in range(size)]
    repeat_cited: list[list[tuple[str, ...]]] = [[()] * most for _ in range(size)]
    for at, trial, read in again:
        repeat_cited[at][trial] = read.cited
        if y[at] is not None and read.decision is not None:
            repeats[at][trial] = read.decision != y[at]
    return Evidence(
        name=name,
        keys=facts.keys,
        active=active,
        y=y,
        cited=cited,
        trials=trials,
        length=length,
        repeats=repeats,
        repeat_cited=repeat_cited,
        kinds=kinds,
    )


def read_again(
    rows: Iterable[Mapping[str, Any]], facts: Facts, cited: int
) -> dict[str, list[tuple[Mapping[str, Any], Reading]]]:
    """Every row with its reading, by component in the order of the file; a text is read once.

    Recorded responses may come without their texts; what was read out of them is then all there is.
    """
    known: dict[tuple[str | None, bool], Reading] = {}
    found: dict[str, list[tuple[Mapping[str, Any], Reading]]] = {}
    for row in rows:
        key = (row["raw"], row["intervention"] in ("original", "repeat"))
        if row["raw"] is None and row["validity"] != "failed":
            keys = tuple(row["citations"] or ())
            read = Reading(row["decision"], keys, row["validity"], row["explanation"])
        else:
            if key not in known:
                known[key] = read_response(row["raw"], facts, asked=key[1], cited=cited)
            read = known[key]
        found.setdefault(row["component"], []).append((row, read))
    return found


def compare_readings(
    source: str, found: Mapping[str, Sequence[tuple[Mapping[str, Any], Reading]]]
) -> list[Row]:
    """Stored columns against the readings: the number of responses of each kind, and differences.

    Two files can hold as many of a kind and still differ, so that rows are compared one by one
    as well; their number that differ has to be 0.
    """
    rows: list[Row] = []
    for component, pairs in found.items():
        place = (source, "responses", component, None)
        for column in ("validity", "explanation"):
            stored = Counter(row[column] for row, _ in pairs)
            ours = Counter(getattr(read, column) for _, read in pairs)
            for kind in sorted(stored.keys() | ours.keys()):
                rows.append(compared(*place, f"{column} {kind}", stored[kind], ours[kind]))
        for column in ("decision", "citations", "validity", "explanation"):
            other = sum(row[column] != _column(read, column) for row, read in pairs)
            rows.append(
                compared(*place, f"{column} read otherwise", other, 0, basis="equal, row by row")
            )
    return rows


def _column(read: Reading, column: str) -> Any:
    if column == "citations":
        return list(read.cited) if read.explanation == FINE else None
    return getattr(read, column)


def compare_plan(
    source: str,
    facts: Facts,
    inputs: Inputs,
    plan: Mapping[str, Any],
    found: Mapping[str, Sequence[tuple[Mapping[str, Any], Reading]]],
) -> list[Row]:
    """The plan and the rows against the calls that the use case and the inputs allow."""
    messages, left_out = planned(facts, inputs, plan)
    asked = {"original": 1, "repeat": plan["repeats"]}
    due = {
        (place, key, change, trial)
        for place, key, change in messages
        for trial in range(asked.get(change, plan["trials"]))
    }
    counts = Counter(change for _, _, change, _ in due)
    rows = [
        compared(
            source, "plan", "", None, "components", ", ".join(plan["components"]), ", ".join(found)
        )
    ]
    rows.append(compared(source, "plan", "", None, "calls", plan["calls_per_component"], len(due)))
    for change in sorted(counts.keys() | plan["calls"].keys()):
        told = plan["calls"].get(change, 0)
        rows.append(compared(source, "plan", "", None, f"calls {change}", told, counts[change]))
    for change, reasons in left_out.items():
        told = plan["not_constructible"].get(change, {})
        for why in sorted(reasons.keys() | told.keys()):
            field_name = f"{change}: {why}"
            pair = told.get(why, 0), reasons[why]
            rows.append(compared(source, "not constructible", "", None, field_name, *pair))
    place_of = {name: place for place, name in enumerate(inputs.ids)}
    for component, pairs in found.items():
        there = Counter(
            (place_of.get(row["input"], -1), row["feature"], row["intervention"], row["trial"])
            for row, _ in pairs
        )
        for name, number in (
            ("calls without a response", len(due - there.keys())),
            ("responses without a call", len(there.keys() - due)),
            ("responses given twice", sum(there.values()) - len(there)),
        ):
            rows.append(compared(source, "responses", component, None, name, number, 0))
    return rows
