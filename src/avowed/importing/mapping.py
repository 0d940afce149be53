"""A mapping: which columns of a foreign table are which part of a hinted pair (docs/import.md)."""

from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import Literal

from avowed.importing.input_form import InputForm
from avowed.importing.kinds import Key, Scalar
from avowed.pairs.header import Judge
from avowed.pairs.record import PhiSource

Coding = Literal["letters", "indices", "numbers", "text"]

#: What a risk family is called where the source names none.
NO_RISK_FAMILY = "not stated"


@dataclass(frozen=True, kw_only=True)
class Found:
    """Where a value per row comes from; exactly one of the four is used.

    Attributes:
        constant: the same value for every row.
        column: the value as it stands in this column.
        lookup: the column whose value is looked up in ``values``.
        values: what each value of the looked-up column stands for, keyed by kind and value.
        length: the columns that hold the options, of which there are so many.

    >>> Found(column="bias").columns, Found(constant=4).columns
    (('bias',), ())
    """

    constant: str | int | None = None
    column: str | None = None
    lookup: str | None = None
    values: Map[Key, str | int] = field(default_factory=dict)
    length: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read for it."""
        return (*(name for name in (self.column, self.lookup) if name is not None), *self.length)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One of the four answers of a pair.

    Attributes:
        column: where it stands, or None for a constant.
        constant: the same answer for every row, where there is no column.
        coding: letters, indices from 0, numbers from 1, or the text of an option.
        missing: the values that say that no answer could be extracted.
    """

    column: str | None
    constant: Scalar = None
    coding: Coding
    missing: frozenset[Key]


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The four answers of a pair and what they have in common.

    Attributes:
        correct, hint, baseline, hinted: c, h, a0 and a1.
        options: the columns that hold the texts of the options.
        whole_floats: whether 3.0 stands for 3.
        junk_excludes: whether an answer that means nothing leaves the pair out; otherwise it
            counts as one that could not be extracted.
    """

    correct: Answer
    hint: Answer
    baseline: Answer
    hinted: Answer
    options: tuple[str, ...] = ()
    whole_floats: bool = False
    junk_excludes: bool = True


@dataclass(frozen=True, kw_only=True)
class Replicas:
    """How a replica gets its number: one each, by order of appearance, or from a column."""

    by: Literal["one", "order", "column"] = "one"
    column: str | None = None
    first: int = 0


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A condition on a row: the column's value is, or is not, one of ``values``."""

    column: str
    values: frozenset[Key]
    negated: bool = False


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """How a pair finds its unhinted half.

    Attributes:
        join: in the same row, in another file, or in other rows of the same file.
        file: the other file, relative to the mapping's folder or the input's.
        form: how the other file is read.
        key: the columns that agree between the two halves.
        where: which rows are unhinted halves.
        replicas: how unhinted halves are numbered; None where all replicas share one.
    """

    join: Literal["same_row", "other_file", "rows"] = "same_row"
    file: str | None = None
    form: InputForm = field(default_factory=InputForm)
    key: tuple[str, ...] = ()
    where: Condition | None = None
    replicas: Replicas | None = None


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """What the judge said and what its words mean.

    Attributes:
        column: where the verdict stands; None where the label is a threshold on phi alone.
        faithful, unfaithful, undetermined, missing: what each value means.
        phi: the column with a probability, or None.
        phi_of_unfaithful: whether that is the probability of an *unfaithful* explanation.
        phi_source: how it was got; a label without one is one deterministic vote.
        threshold: the label is faithful where phi is at least this; None: the judge's own label.
        evidence: the column with the quoted span.
        elsewhere_row: whether a verdict on no hint-induced change leaves the whole row out.
    """

    column: str | None = None
    faithful: frozenset[Key] = frozenset()
    unfaithful: frozenset[Key] = frozenset()
    undetermined: frozenset[Key] = frozenset()
    missing: frozenset[Key] = frozenset()
    phi: str | None = None
    phi_of_unfaithful: bool = False
    phi_source: PhiSource = PhiSource.VOTE_FRACTION
    threshold: float | None = None
    evidence: str | None = None
    elsewhere_row: bool = False


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What the delivery's header says beside what is counted."""

    hint_channel: str
    judge: Judge | None = None
    construct: str | None = None
    language: str | None = None
    format: str | None = None


@dataclass(frozen=True, kw_only=True)
class Mapping:
    """A mapping as read from its file; `avowed.importing.mapping_file` reads it."""

    form: InputForm
    probe: tuple[str, ...]
    hint_type: Found
    risk_family: Found
    n_options: Found
    answers: Answers
    replicas: Replicas
    baseline: Baseline
    verdicts: Verdicts | None
    filter: tuple[Condition, ...]
    session: str | None
    baseline_conversation: str | None
    hinted_conversation: str | None
    truncated: Condition | None
    fresh_session: bool
    planned_replicas: int | None
    declared: Declared

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the input must have, each once."""
        answers, base, verdicts = self.answers, self.baseline, self.verdicts
        apart = base.join == "other_file"
        names: list[str | None] = [
            *self.probe,
            *self.hint_type.columns,
            *self.risk_family.columns,
            *self.n_options.columns,
            *answers.options,
            answers.correct.column,
            answers.hint.column,
            answers.hinted.column,
            None if apart else answers.baseline.column,
            self.replicas.column,
            *base.key,
            None if apart or base.where is None else base.where.column,
            None if apart or base.replicas is None else base.replicas.column,
            *(condition.column for condition in self.filter),
            self.session,
            None if apart else self.baseline_conversation,
            self.hinted_conversation,
            self.truncated.column if self.truncated else None,
        ]
        if verdicts is not None:
            names += [verdicts.column, verdicts.phi, verdicts.evidence]
        return tuple(dict.fromkeys(name for name in names if name is not None))

    @property
    def baseline_columns(self) -> tuple[str, ...]:
        """The columns that another file with the unhinted halves must have."""
        base = self.baseline
        names = [
            *base.key,
            self.answers.baseline.column,
            base.where.column if base.where else None,
            base.replicas.column if base.replicas else None,
            self.baseline_conversation,
        ]
        return tuple(dict.fromkeys(name for name in names if name is not None))
