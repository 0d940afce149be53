"""Rules that look at one record: R1 to R9 and ``schema`` (HP section 5).

Each check is a rule, a field, a predicate over the columns of a batch and a sentence that says what
was expected in a given record. A value that is itself invalid (wrong type, outside its vocabulary
or range, null where nothing may be null) is named once and enters no other rule of that record;
every independent violation is named.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from avowed.pairs.columns import Batch, Mask, Values, as_mask, kind_in_words, words_in
from avowed.pairs.evidence import Conversations
from avowed.pairs.outcome import OUTCOME_CODE, outcome_codes, outcome_of
from avowed.pairs.record import FIELD, FIELDS, Label, Outcome, Reason

#: Reasons that R5 allows for each kind of record; everything else must have none.
REASONS_WITHOUT_ANSWER = (Reason.EXTRACTION_FAILED, Reason.GENERATION_TRUNCATED)
REASONS_WITHOUT_LABEL = (Reason.JUDGE_UNAVAILABLE, Reason.GENERATION_TRUNCATED)
REASONS_UNDETERMINED = (Reason.JUDGE_UNDETERMINED,)

_H = OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
_U = OUTCOME_CODE[Outcome.NOT_EVALUABLE]
_LABELS = tuple(Label)
_REASONS = tuple(Reason)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What the header says that a record is measured against; None where it cannot be used.

    Attributes:
        planned_replicas: replica indices run from 0 to this minus 1 (R8).
        hint_types: the declared hint types.
        threshold: the label threshold where labels are thresholded (R7), else None.
        conversations: the recorded conversations that lie in the delivery folder.
    """

    planned_replicas: int | None = None
    hint_types: tuple[str, ...] | None = None
    threshold: float | None = None
    conversations: Conversations = field(default_factory=Conversations)


class Facts:
    """The columns of one batch and which of their values may enter a rule."""

    def __init__(self, batch: Batch, plan: Plan) -> None:
        """Nothing is computed before it is asked for."""
        self.batch = batch
        self.plan = plan
        self._outside: dict[str, Mask] = {}

    def values(self, name: str) -> Values:
        """Values of a field, see `Column`."""
        return self.batch.columns[name].values

    def null(self, name: str) -> Mask:
        """Where a field is null."""
        return self.batch.columns[name].null

    def outside(self, name: str) -> Mask:
        """Where a value has the field's type but is outside its vocabulary or range."""
        if name not in self._outside:
            column = self.batch.columns[name]
            self._outside[name] = (column.typed & self._not_in_domain(name)) | column.beyond
        return self._outside[name]

    def valid(self, name: str) -> Mask:
        """Where there is a value and it is one the field may hold."""
        return self.batch.columns[name].typed & ~self.outside(name)

    def usable(self, name: str) -> Mask:
        """Where the field holds a valid value or a null that may stand there."""
        return self.valid(name) | self.null(name)

    def answer(self, name: str) -> Values:
        """Answers with -1 for an answer that could not be extracted."""
        return np.where(self.null(name), -1, self.values(name))

    @cached_property
    def is_hint_change(self) -> Mask:
        """Where the declared outcome is H."""
        return as_mask(self.valid("outcome") & (self.values("outcome") == _H))

    def _not_in_domain(self, name: str) -> Mask:
        values, field = self.values(name), FIELD[name]
        # Replicas have a rule of their own (R8); all booleans and all other strings will do.
        outside: Any = np.zeros(self.batch.size, dtype=bool)
        if field.vocabulary:
            outside = values < 0
        elif name == "n_options":
            outside = values < 2
        elif name in _OPTION_FIELDS:
            too_large = self.valid("n_options") & (values >= self.values("n_options"))
            outside = (values < 0) | too_large
        elif name == "judge_phi":
            # Written so that NaN is outside.
            outside = ~((values >= 0) & (values <= 1))
        elif name == "hint_type" and self.plan.hint_types is not None:
            outside = words_in(self.batch.columns[name], self.plan.hint_types) < 0
        elif field.kind == "string" and not field.nullable:
            outside = values
        return as_mask(outside)


_OPTION_FIELDS = ("correct_answer", "hint_answer", "baseline_answer", "hinted_answer")

Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that can be wrong with a record.

    Attributes:
        rule: the rule that names it.
        field: the field it is reported at.
        failing: where it is wrong in a batch.
        expected: what should have been there, given the record's values.
    """

    rule: str
    field: str
    failing: Callable[[Facts], Mask]
    expected: Callable[[Record, Plan], str]


def _type_check(name: str) -> Check:
    def failing(facts: Facts) -> Mask:
        reported = name in facts.batch.columns_reported
        wrong = facts.batch.columns[name].wrong
        return np.zeros_like(wrong) if reported else wrong

    rule = "R1" if FIELD[name].kind == "integer" else "schema"
    return Check(
        rule=rule, field=name, failing=failing, expected=lambda _record, _plan: kind_in_words(name)
    )


def _null_check(name: str) -> Check:
    return Check(
        rule="schema",
        field=name,
        failing=lambda facts: facts.null(name),
        expected=lambda _record, _plan: f"{kind_in_words(name)}, because the field is required",
    )


def _domain_check(name: str) -> Check:
    return Check(
        rule="schema",
        field=name,
        failing=lambda facts: facts.outside(name),
        expected=lambda record, plan: _domain_in_words(name, record, plan),
    )


def _domain_in_words(name: str, record: Record, plan: Plan) -> str:
    if FIELD[name].vocabulary:
        return "one of " + ", ".join(FIELD[name].vocabulary)
    if name == "n_options":
        return "an integer from 2 to 2^63 - 1"
    if name in _OPTION_FIELDS:
        n_options = record["n_options"]
        known = type(n_options) is int and n_options >= 2
        return f"an option index from 0 to {n_options - 1}" if known else "an option index from 0"
    if name == "judge_phi":
        return "a finite number from 0 to 1"
    if name == "hint_type" and record[name]:
        return "a hint type that the header declares: " + ", ".join(plan.hint_types or ())
    return "a string that is not empty"


def _wrong_outcome(facts: Facts) -> Mask:
    implied = outcome_codes(
        facts.answer("baseline_answer"), facts.answer("hinted_answer"), facts.values("hint_answer")
    )
    known = facts.valid("outcome") & facts.valid("hint_answer")
    answers = facts.usable("baseline_answer") & facts.usable("hinted_answer")
    return as_mask(known & answers & (implied != facts.values("outcome")))


def _implied_outcome(record: Record, _plan: Plan) -> str:
    a0, a1, h = (record[name] for name in ("baseline_answer", "hinted_answer", "hint_answer"))
    shown = ", ".join(
        f"{name} {'null' if value is None else value}"
        for name, value in (("a0", a0), ("a1", a1), ("h", h))
    )
    return f"{outcome_of(a0, a1, h)} ({shown})"


def _wrongly_applied(facts: Facts) -> Mask:
    known = facts.valid("outcome") & facts.valid("judge_applied")
    return as_mask(known & (facts.values("judge_applied") != facts.is_hint_change))


def _given_without_judge(name: str) -> Check:
    return Check(
        rule="R3",
        field=name,
        failing=lambda facts: (
            facts.valid("judge_applied") & ~facts.values("judge_applied") & facts.valid(name)
        ),
        expected=lambda _record, _plan: "null, because the judge was not applied",
    )


def _hint_is_correct(facts: Facts) -> Mask:
    both = facts.valid("hint_answer") & facts.valid("correct_answer")
    return as_mask(both & (facts.values("hint_answer") == facts.values("correct_answer")))


def _wrong_reason(facts: Facts) -> Mask:
    outcome, label = facts.values("outcome"), facts.values("judge_label")
    reason = np.where(facts.null("reason_not_evaluable"), -1, facts.values("reason_not_evaluable"))
    without_label = facts.null("judge_label")
    undetermined = facts.valid("judge_label") & (label == _LABELS.index(Label.UNDETERMINED))
    is_h = facts.is_hint_change
    right = np.select(
        [outcome == _U, is_h & without_label, is_h & undetermined],
        [
            np.isin(reason, [_REASONS.index(allowed) for allowed in group])
            for group in (REASONS_WITHOUT_ANSWER, REASONS_WITHOUT_LABEL, REASONS_UNDETERMINED)
        ],
        default=reason < 0,
    )
    known = facts.valid("outcome") & facts.usable("reason_not_evaluable")
    return as_mask(known & (~is_h | facts.usable("judge_label")) & ~right.astype(bool))


def reasons_allowed(outcome: str, label: str | None) -> tuple[Reason, ...]:
    """The reasons R5 allows for a record; empty means that the reason must be null.

    >>> [str(r) for r in reasons_allowed("hint_induced_change", "undetermined")]
    ['judge_undetermined']
    """
    if outcome == Outcome.NOT_EVALUABLE:
        return REASONS_WITHOUT_ANSWER
    if outcome == Outcome.HINT_INDUCED_CHANGE and label is None:
        return REASONS_WITHOUT_LABEL
    if outcome == Outcome.HINT_INDUCED_CHANGE and label == Label.UNDETERMINED:
        return REASONS_UNDETERMINED
    return ()


def _reason_in_words(record: Record, _plan: Plan) -> str:
    allowed = reasons_allowed(record["outcome"], record["judge_label"])
    return " or ".join(allowed) if allowed else "null, because the record can be evaluated"


def _phi_without_label(facts: Facts) -> Mask:
    known = facts.usable("judge_label") & facts.usable("judge_phi")
    return as_mask(known & (facts.null("judge_label") != facts.null("judge_phi")))


def _phi_in_words(record: Record, _plan: Plan) -> str:
    if record["judge_label"] is None:
        return "null, because there is no label"
    return "a number from 0 to 1, because there is a label"


def _label_against_threshold(facts: Facts) -> Mask:
    if facts.plan.threshold is None:
        return np.zeros(facts.batch.size, dtype=bool)
    label = facts.values("judge_label")
    faithful = label == _LABELS.index(Label.FAITHFUL)
    decided = faithful | (label == _LABELS.index(Label.UNFAITHFUL))
    known = facts.valid("judge_label") & decided & facts.valid("judge_phi")
    # phi itself is compared: 1 - phi would lose a tie to rounding.
    return as_mask(known & (faithful != (facts.values("judge_phi") >= facts.plan.threshold)))


def _label_in_words(record: Record, plan: Plan) -> str:
    # The check above found the label to be the wrong one of the two.
    if record["judge_label"] == Label.UNFAITHFUL:
        return f"faithful, because phi {record['judge_phi']} is at least {plan.threshold}"
    return f"unfaithful, because phi {record['judge_phi']} is below {plan.threshold}"


def _replica_outside_plan(facts: Facts) -> Mask:
    column = facts.batch.columns["replica"]
    outside = column.values < 0
    if facts.plan.planned_replicas is not None:
        outside = outside | (column.values >= facts.plan.planned_replicas)
    return as_mask((column.typed & outside) | column.beyond)


def _replica_in_words(_record: Record, plan: Plan) -> str:
    if plan.planned_replicas is None:
        return "a replica index from 0"
    return f"a replica index from 0 to {plan.planned_replicas - 1}"


def _flag_check(flag: str, answer: str) -> Check:
    def failing(facts: Facts) -> Mask:
        known = facts.usable(flag) & facts.usable(answer)
        one_is_null = facts.null(flag) != facts.null(answer)
        correct = facts.values(answer) == facts.values("correct_answer")
        comparable = facts.valid(flag) & facts.valid(answer) & facts.valid("correct_answer")
        return as_mask((known & one_is_null) | (comparable & (facts.values(flag) != correct)))

    def expected(record: Record, _plan: Plan) -> str:
        given, correct = record[answer], record["correct_answer"]
        if given is None:
            return f"null, because {answer} is null"
        if type(correct) is not int:
            return f"true or false, because {answer} is not null"
        return f"{str(given == correct).lower()} ({answer} {given}, correct_answer {correct})"

    return Check(rule="R9", field=flag, failing=failing, expected=expected)


def _evidence_not_in_conversation(facts: Facts) -> Mask:
    columns = facts.batch.columns
    where = facts.valid("judge_evidence") & facts.valid("hinted_conversation")
    return facts.plan.conversations.lacking(
        columns["hinted_conversation"].text, columns["judge_evidence"].text, where
    )


#: Every check of a record. Fields with a rule for their range (the replica) have no domain check.
CHECKS: tuple[Check, ...] = (
    *(_type_check(field.name) for field in FIELDS),
    *(_null_check(field.name) for field in FIELDS if not field.nullable),
    *(_domain_check(field.name) for field in FIELDS if field.name != "replica"),
    Check(
        rule="schema",
        field="judge_evidence",
        failing=_evidence_not_in_conversation,
        expected=lambda record, _plan: (
            f"a span that occurs in the hinted conversation {record['hinted_conversation']}"
        ),
    ),
    Check(rule="R2", field="outcome", failing=_wrong_outcome, expected=_implied_outcome),
    Check(
        rule="R3",
        field="judge_applied",
        failing=_wrongly_applied,
        expected=lambda record, _plan: (
            f"{str(record['outcome'] == Outcome.HINT_INDUCED_CHANGE).lower()}, because the "
            f"outcome is {record['outcome']}"
        ),
    ),
    *(_given_without_judge(name) for name in ("judge_label", "judge_phi", "judge_evidence")),
    Check(
        rule="R4",
        field="hint_answer",
        failing=_hint_is_correct,
        expected=lambda record, _plan: (
            f"an option other than the correct answer {record['correct_answer']}"
        ),
    ),
    Check(
        rule="R5", field="reason_not_evaluable", failing=_wrong_reason, expected=_reason_in_words
    ),
    Check(rule="R6", field="judge_phi", failing=_phi_without_label, expected=_phi_in_words),
    Check(
        rule="R7", field="judge_label", failing=_label_against_threshold, expected=_label_in_words
    ),
    Check(rule="R8", field="replica", failing=_replica_outside_plan, expected=_replica_in_words),
    _flag_check("baseline_correct", "baseline_answer"),
    _flag_check("hinted_correct", "hinted_answer"),
)
