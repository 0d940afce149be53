"""The hinted-pair record: fields, closed vocabularies and the Arrow schema (HP section 5).

One record is one probe in one replica. Answers are 0-based option indices, replicas count from
0, and an empty field is null. The names are a contract: anybody may write deliveries with them.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import pyarrow as pa


class Outcome(StrEnum):
    """The five mutually exclusive outcomes of a pair (HP section 3)."""

    HINT_INDUCED_CHANGE = "hint_induced_change"
    OTHER_CHANGE = "other_change"
    NO_CHANGE = "no_change"
    BASELINE_ON_HINT = "baseline_on_hint"
    NOT_EVALUABLE = "not_evaluable"


class Label(StrEnum):
    """What the judge said of the explanation behind a hint-induced change."""

    FAITHFUL = "faithful"
    UNFAITHFUL = "unfaithful"
    UNDETERMINED = "undetermined"


class Reason(StrEnum):
    """Why a record cannot be evaluated."""

    EXTRACTION_FAILED = "extraction_failed"
    JUDGE_UNAVAILABLE = "judge_unavailable"
    JUDGE_UNDETERMINED = "judge_undetermined"
    GENERATION_TRUNCATED = "generation_truncated"


class PhiSource(StrEnum):
    """How the judge's probability phi is produced."""

    TOKEN_LOGPROBS = "token_logprobs"
    VOTE_FRACTION = "vote_fraction"
    VERBALIZED_CONFIDENCE = "verbalized_confidence"


class LabelSource(StrEnum):
    """Whether a label is the judge's own decision or a threshold on phi."""

    JUDGE_DECISION = "judge_decision"
    THRESHOLD = "threshold"


Kind = Literal["string", "integer", "boolean", "number"]


@dataclass(frozen=True, kw_only=True)
class Field:
    """One field of the record: its name, JSON kind, whether it may be null, its vocabulary."""

    name: str
    kind: Kind
    nullable: bool = False
    vocabulary: tuple[str, ...] = ()
    description: str


FIELDS: tuple[Field, ...] = (
    Field(name="session_id", kind="string", description="the session that conducted the pair"),
    Field(name="probe_id", kind="string", description="the probe: question and hint; the cluster"),
    Field(name="replica", kind="integer", description="0-based replica index within the plan"),
    Field(name="baseline_half_id", kind="string", description="identifies the unhinted half"),
    Field(name="hinted_half_id", kind="string", description="identifies the hinted half"),
    Field(
        name="baseline_conversation",
        kind="string",
        nullable=True,
        description="reference to the recorded unhinted conversation; null if none was stored",
    ),
    Field(
        name="hinted_conversation",
        kind="string",
        nullable=True,
        description="reference to the recorded hinted conversation; null if none was stored",
    ),
    Field(name="hint_type", kind="string", description="the kind of hint; one cell per kind"),
    Field(name="risk_family", kind="string", description="the family of risk the probe belongs to"),
    Field(name="n_options", kind="integer", description="number of options L, at least 2"),
    Field(name="correct_answer", kind="integer", description="correct option c"),
    Field(name="hint_answer", kind="integer", description="option the hint points to, h != c"),
    Field(
        name="baseline_answer",
        kind="integer",
        nullable=True,
        description="unhinted answer a0; null if it could not be extracted",
    ),
    Field(
        name="hinted_answer",
        kind="integer",
        nullable=True,
        description="hinted answer a1; null if it could not be extracted",
    ),
    Field(
        name="outcome",
        kind="string",
        vocabulary=tuple(Outcome),
        description="the outcome that the answers imply",
    ),
    Field(
        name="baseline_correct",
        kind="boolean",
        nullable=True,
        description="whether a0 = c; null if and only if a0 is",
    ),
    Field(
        name="hinted_correct",
        kind="boolean",
        nullable=True,
        description="whether a1 = c; null if and only if a1 is",
    ),
    Field(
        name="judge_applied",
        kind="boolean",
        description="whether the judge was called; true if and only if outcome H",
    ),
    Field(
        name="judge_label",
        kind="string",
        nullable=True,
        vocabulary=tuple(Label),
        description="the judge's label; null if it did not answer",
    ),
    Field(
        name="judge_phi",
        kind="number",
        nullable=True,
        description="probability in [0, 1] that the explanation is faithful",
    ),
    Field(
        name="judge_evidence",
        kind="string",
        nullable=True,
        description="span quoted from the hinted explanation; null if nothing to quote",
    ),
    Field(
        name="fresh_session", kind="boolean", description="whether the replica ran in a new session"
    ),
    Field(
        name="reason_not_evaluable",
        kind="string",
        nullable=True,
        vocabulary=tuple(Reason),
        description="why the record cannot be evaluated; null if it can",
    ),
)

FIELD: dict[str, Field] = {field.name: field for field in FIELDS}
FIELD_NAMES: tuple[str, ...] = tuple(FIELD)

_ARROW = {
    "string": pa.string(),
    "integer": pa.int64(),
    "boolean": pa.bool_(),
    "number": pa.float64(),
}

#: The schema of ``records.parquet`` as this package writes it: nullable integers, no floats for
#: counts, and nulls only where the record allows them.
ARROW_SCHEMA: pa.Schema = pa.schema(
    [pa.field(field.name, _ARROW[field.kind], nullable=field.nullable) for field in FIELDS]
)


def spelled_out(hint_type: str) -> str:
    """A hint type as a phrase. A lone letter at its end names an option, which is a capital.

    >>> spelled_out("answer_is_always_a"), spelled_out("suggested_answer")
    ('answer is always A', 'suggested answer')
    """
    words = hint_type.replace("_", " ")
    return words[:-1] + words[-1].upper() if words[-2:-1] == " " else words
