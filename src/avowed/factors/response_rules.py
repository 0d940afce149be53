"""Rules F1 to F15: what a file of responses has to keep to before anything is scored from it.

A file is accepted or refused as a whole, as a delivery of the first paper is. Invalid responses are
no violation: they are data, counted by kind (NS 3.3). A row that claims to be valid and is not, is.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from avowed.factors.inputs import Inputs
from avowed.factors.plan import CALLS, NO_FEATURE, Plan, digest
from avowed.factors.response_violation import RULES, Violation, among, short
from avowed.factors.responses import (
    ORIGINAL,
    PARSED_FIELDS,
    REPEAT,
    Explanation,
    Validity,
    is_asked,
    parsed_columns,
)
from avowed.factors.usecase import UseCase

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def check_responses(
    case: UseCase, inputs: Inputs, plan: Plan, responses: pa.Table
) -> list[Violation]:
    """Check a table of `RESPONSES` against F1 to F15.

    Args:
        case, inputs, plan: the study that the responses belong to.
        responses: what `avowed.factors.responses_file.read_responses` returned.

    Returns:
        Every violation, in the order of the rules and then of the rows; empty if it is accepted.
    """
    facts = _Facts(case, plan, responses)
    found = list(_plan_violations(case, inputs, plan))
    for check in (_calls, _values, _agreement, _complete):
        found += check(facts)
    order = {rule: place for place, rule in enumerate(RULES)}
    return sorted(found, key=lambda one: (order[one.rule], one.row or 0))


class _Facts:
    """The columns as codes: -1 stands for a text that is not of the vocabulary, or for null."""

    def __init__(self, case: UseCase, plan: Plan, responses: pa.Table) -> None:
        self.case, self.plan, self.table = case, plan, responses
        self.input = self._codes("input", plan.ids)
        self.component = self._codes("component", plan.components)
        self.call = self._codes("intervention", CALLS)
        self.feature = self._codes("feature", case.keys)
        self.feature_null = self.null("feature")
        self.trial = responses.column("trial").to_numpy().astype(np.int64)
        self.unchanged = is_asked(responses.column("intervention"))
        self.validity = self._codes("validity", list(map(str, Validity)))
        self.explanation = self._codes("explanation", list(map(str, Explanation)))
        planned = [ORIGINAL, *[REPEAT] * (plan.design.repeats > 0), *plan.design.interventions]
        self.planned = tuple(planned)
        self.in_plan = np.isin(self.call, [CALLS.index(name) for name in planned])
        self.wrong_feature = np.where(self.unchanged, ~self.feature_null, self.feature < 0)
        limits = np.full(len(CALLS) + 1, plan.design.trials)
        limits[CALLS.index(ORIGINAL)], limits[CALLS.index(REPEAT)] = 1, plan.design.repeats
        self.trials = limits[self.call]
        self.beyond = (self.trial < 0) | (self.trial >= self.trials)
        # Rows whose call can be looked up in the plan; the others are told of by F1 to F6.
        self.sound = self.in_plan & ~self.wrong_feature & ~self.beyond & (self.input >= 0)
        self.key = np.where(
            self.sound, self.number(self.input, self.feature, self.call, self.trial), -1
        )

    def _codes(self, name: str, words: Sequence[str]) -> Rows:
        index = pc.index_in(self.table.column(name), value_set=pa.array(words, pa.string()))
        return pc.fill_null(index, -1).to_numpy().astype(np.int64)  # type: ignore[no-any-return]

    def null(self, name: str) -> Mask:
        """Where a column is null."""
        found: Mask = pc.is_null(self.table.column(name)).to_numpy().astype(bool)
        return found

    def number(self, input_: Any, feature: Any, call: Any, trial: Any) -> Rows:
        """One number per call of the plan; distinct calls get distinct numbers."""
        trials = max(self.plan.design.trials, self.plan.design.repeats, 1)
        features = len(self.case.keys) + 1
        number = np.asarray(input_, np.int64) * features + np.asarray(feature, np.int64) + 1
        return (number * len(CALLS) + call) * trials + trial  # type: ignore[no-any-return]

    def call_in_words(self, row: int) -> str:
        """Which call a row answers."""
        one = self.table.slice(row, 1).to_pylist()[0]
        change = f", feature {short(one['feature'])}" if one["feature"] is not None else ""
        return (
            f"component {short(one['component'])}, input {short(one['input'])}{change}, "
            f"{short(one['intervention'])}, trial {one['trial']}"
        )

    def violations(
        self, rule: str, field: str, mask: Mask, expected: str | Callable[[int], str], todo: str
    ) -> Iterator[Violation]:
        """One violation per row of the mask."""
        column = self.table.column(field)
        for row in np.flatnonzero(mask).tolist():
            yield Violation(
                rule=rule,
                field=field,
                row=row + 1,
                call=self.call_in_words(row),
                found=short(column[row].as_py()),
                expected=expected if isinstance(expected, str) else expected(row),
                todo=todo,
            )


def _plan_violations(case: UseCase, inputs: Inputs, plan: Plan) -> Iterator[Violation]:
    for field, found, expected in (
        ("use_case", plan.use_case, case.name),
        ("keys", ", ".join(plan.keys), ", ".join(case.keys)),
        ("inputs_sha256", plan.inputs_sha256, digest(inputs)),
    ):
        if found != expected:
            yield Violation(
                rule="F15",
                field=field,
                row=None,
                call="the plan",
                found=found,
                expected=expected,
                todo="name the files that belong together, or plan anew",
            )


def _calls(facts: _Facts) -> Iterator[Violation]:
    """F1 to F8: which call is it, and is it one of the plan?"""
    plan, case = facts.plan, facts.case
    other = pc.not_equal(facts.table.column("use_case"), case.name).to_numpy().astype(bool)
    yield from facts.violations(
        "F1", "use_case", other, case.name, "score it with its own use case"
    )
    yield from facts.violations(
        "F2",
        "component",
        facts.component < 0,
        among(plan.components),
        "name it in the plan, or remove the row",
    )
    yield from facts.violations(
        "F3",
        "input",
        facts.input < 0,
        f"an id of the inputs, as {among(plan.ids, 2)}",
        "remove the row, or name the inputs that were asked",
    )
    yield from facts.violations(
        "F4", "intervention", ~facts.in_plan, among(facts.planned), "correct it, or remove the row"
    )
    # A row whose intervention is unknown is told of once, not once more under every rule below.
    yield from facts.violations(
        "F5",
        "feature",
        facts.in_plan & facts.wrong_feature,
        lambda row: "null" if facts.unchanged[row] else f"one of {among(case.keys)}",
        "correct it, or remove the row",
    )
    yield from facts.violations(
        "F6",
        "trial",
        facts.in_plan & facts.beyond,
        lambda row: "0" if facts.trials[row] == 1 else f"0 to {facts.trials[row] - 1}",
        "count trials from 0, and plan as many as there are",
    )
    made = np.isin(facts.key, _planned(facts))
    yield from facts.violations(
        "F7",
        "intervention",
        facts.sound & ~made,
        "no response: the feature is not active in the input, or has no such value",
        "remove the row",
    )
    yield from _duplicates(facts)


def _planned(facts: _Facts) -> Rows:
    plan = facts.plan
    return facts.number(plan.input, plan.feature, plan.intervention, plan.trial)


def _duplicates(facts: _Facts) -> Iterator[Violation]:
    rows = np.flatnonzero(facts.sound & (facts.component >= 0))
    full = facts.key[rows] * (len(facts.plan.components) + 1) + facts.component[rows]
    _, first, inverse = np.unique(full, return_index=True, return_inverse=True)
    earlier = rows[first[inverse.reshape(-1)]]
    again = np.zeros(len(facts.key), dtype=bool)
    again[rows] = earlier != rows
    origin = dict(zip(rows.tolist(), earlier.tolist(), strict=True))
    yield from facts.violations(
        "F8",
        "trial",
        again,
        lambda row: f"no second row for this call; the first is row {origin[row] + 1}",
        "keep one of them",
    )


def _values(facts: _Facts) -> Iterator[Violation]:
    """F11 to F13: the parsed fields by themselves."""
    case = facts.case
    known = facts.validity >= 0
    yield from facts.violations(
        "F11", "validity", ~known, among(list(map(str, Validity))), "correct it"
    )
    valid = facts.validity == list(Validity).index(Validity.VALID)
    pool = pa.array(case.decisions, pa.string())
    column = facts.table.column("decision")
    inside = pc.fill_null(pc.is_in(column, value_set=pool), False).to_numpy().astype(bool)
    yield from facts.violations(
        "F11",
        "decision",
        known & np.where(valid, ~inside, ~facts.null("decision")),
        lambda row: f"one of {among(case.decisions)}" if valid[row] else "null",
        "correct it, or say in validity why the response is invalid",
    )
    not_asked = facts.explanation == list(Explanation).index(Explanation.NOT_ASKED)
    fits = (facts.explanation >= 0) & (not_asked != facts.unchanged)
    words = [str(word) for word in Explanation if word is not Explanation.NOT_ASKED]
    yield from facts.violations(
        "F12",
        "explanation",
        ~fits,
        lambda row: f"one of {among(words)}" if facts.unchanged[row] else Explanation.NOT_ASKED,
        "explanations count for the unchanged input only",
    )
    explained = facts.explanation == list(Explanation).index(Explanation.VALID)
    none = facts.null("citations")
    yield from facts.violations(
        "F12",
        "citations",
        fits & (explained == none),
        lambda row: "the keys cited, in order" if explained[row] else "null",
        "correct it, or say in explanation why there are none",
    )
    yield from _citations(facts, fits & explained & ~none)


def _citations(facts: _Facts, rows: Mask) -> Iterator[Violation]:
    """F13, for all lists at once: lengths, unknown keys, equal neighbours after sorting."""
    cited, keys = facts.plan.design.cited, facts.case.keys
    column = facts.table.column("citations").combine_chunks()
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy().astype(np.int64)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    index = pc.index_in(pc.list_flatten(column), value_set=pa.array(keys, pa.string()))
    codes = pc.fill_null(index, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    wrong = lengths != cited
    wrong[owner[codes < 0]] = True
    order = np.lexsort((codes, owner))
    same = (np.diff(codes[order]) == 0) & (np.diff(owner[order]) == 0)
    wrong[owner[order][1:][same]] = True
    yield from facts.violations(
        "F13",
        "citations",
        rows & wrong,
        f"{cited} different keys of {among(keys)}",
        "correct it, or say in explanation why it is invalid",
    )


def _agreement(facts: _Facts) -> Iterator[Violation]:
    """F14; a file without any raw text has nothing to compare."""
    raw = facts.table.column("raw")
    if raw.null_count == len(raw):
        return
    read = parsed_columns(raw, facts.unchanged, facts.case, cited=facts.plan.design.cited)
    # Where a rule above already speaks of the row's kind of call, the parser was asked wrongly.
    known = facts.call >= 0
    for name in PARSED_FIELDS:
        column = facts.table.column(name).combine_chunks()
        other = known & _differ(column, read[name])
        values = read[name]
        yield from facts.violations(
            "F14",
            name,
            other,
            lambda row, values=values: f"{short(values[row].as_py())}, as in raw",  # type: ignore[misc]
            "leave the parsed columns out, and they are filled from raw",
        )


def _differ(one: pa.Array, other: pa.Array) -> Mask:
    if pa.types.is_list(one.type):
        # Keys hold no unit separator, and a text that does cannot equal one that was parsed.
        one, other = (pc.binary_join(each, "\x1f") for each in (one, other))
    equal = pc.fill_null(pc.equal(one, other), False).to_numpy(zero_copy_only=False)
    both = pc.and_(pc.is_null(one), pc.is_null(other)).to_numpy(zero_copy_only=False)
    found: Mask = ~(equal.astype(bool) | both.astype(bool))
    return found


def _complete(facts: _Facts) -> Iterator[Violation]:
    """F9 and F10: what is missing, per component; of F10 the first call and the number."""
    plan = facts.plan
    planned = _planned(facts)
    for place, component in enumerate(plan.components):
        missing = ~np.isin(planned, facts.key[facts.component == place])
        original = plan.intervention == CALLS.index(ORIGINAL)
        for call in np.flatnonzero(missing & original).tolist():
            yield _missing(plan, component, call, "F9", 1)
        for code, name in enumerate(CALLS):
            calls = np.flatnonzero(missing & ~original & (plan.intervention == code))
            if len(calls) and name != ORIGINAL:
                yield _missing(plan, component, int(calls[0]), "F10", len(calls))


def _missing(plan: Plan, component: str, call: int, rule: str, count: int) -> Violation:
    feature = int(plan.feature[call])
    change = "" if feature == NO_FEATURE else f", feature {plan.keys[feature]}"
    name = CALLS[plan.intervention[call]]
    total = plan.counts()[name]
    return Violation(
        rule=rule,
        field="intervention",
        row=None,
        call=f"component {component}, input {plan.ids[plan.input[call]]}{change}, {name}, "
        f"trial {plan.trial[call]}",
        found="no row" if count == 1 else f"no row for this and {count - 1} more",
        expected=f"{total} rows of {name}",
        todo="add what is missing; a call that failed has a row as well, with raw null",
    )
