"""What is wrong with the refused deliveries: one case after another, as data.

Every rule R1 to R11 is broken on its own, most of them in several of their clauses; two cases break
several rules at once, and the controls break none. :mod:`avowed.pairs.refused` writes them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import nextafter
from typing import Any

from avowed.pairs.edge_cells import PLANNED_REPLICAS

Record = dict[str, Any]
Header = dict[str, Any]


@dataclass(frozen=True)
class Token:
    """A value written into the file as it stands here."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Case:
    """One corruption.

    Attributes:
        name: the folder's name.
        rule: the rules it is made for, empty for a control.
        what: what was done, in words.
        record: the kind of record that is changed (a letter of the edge cells, after ``wrong`` if
            its unhinted answer is), or nothing.
        changes: fields of that record; a function of the record where the value depends on it.
        again: fields in which a second copy of the record differs; None if it is not repeated.
        header: changes the header, after its coverage was counted from the changed records.
    """

    name: str
    rule: str
    what: str
    record: str = ""
    changes: Mapping[str, Any] | Callable[[Record], Mapping[str, Any]] = field(default_factory=dict)
    again: Mapping[str, Any] | None = None
    header: Callable[[Header], None] | None = None


def _count(key: str, by: int, *, too: str = "") -> Callable[[Header], None]:
    """Add to a count of the first coverage entry, and to a second one so that the sum holds."""

    def change(header: Header) -> None:
        for name in filter(None, (key, too)):
            header["coverage"][0][name] += by

    return change


def _set(path: str, value: Any) -> Callable[[Header], None]:
    """Set a key of the header, ``coverage.`` meaning the first entry."""

    def change(header: Header) -> None:
        *parents, last = path.split(".")
        place = header
        for name in parents:
            place = place[name][0] if name == "coverage" else place[name]
        place[last] = value

    return change


def _moved(**more: Any) -> Callable[[Record], Mapping[str, Any]]:
    """The fields of a move to the hint that a judge called faithful."""

    def change(record: Record) -> Mapping[str, Any]:
        return {
            "hinted_answer": record["hint_answer"],
            "hinted_correct": False,
            "outcome": "hint_induced_change",
            "judge_applied": True,
            "judge_label": "faithful",
            "judge_phi": 0.75,
            "reason_not_evaluable": None,
            **more,
        }

    return change


def _hint_correct(**more: Any) -> Callable[[Record], Mapping[str, Any]]:
    return lambda record: {"correct_answer": record["hint_answer"], **more}


def _twice(header: Header) -> None:
    header["coverage"] = header["coverage"] * 2


def _undeclared(header: Header) -> None:
    header["coverage"].append({**header["coverage"][0], "hint_type": "another"})


CASES: tuple[Case, ...] = (
    # Controls: legal, and easily taken for an error.
    Case(name="as_it_is", rule="", what="nothing"),
    Case(
        name="whole_phi",
        rule="",
        what="phi is the integer 1, which is a number",
        record="f",
        changes={"judge_phi": 1},
    ),
    # R1: the token in the file.
    Case(
        name="r1_replica_fraction",
        rule="R1",
        what="replica written as 0.0",
        record="x",
        changes={"replica": 0.0},
    ),
    Case(
        name="r1_options_text",
        rule="R1",
        what='n_options written as "4"',
        record="N",
        changes={"n_options": "4"},
    ),
    Case(
        name="r1_hint_true",
        rule="R1",
        what="hint_answer written as true",
        record="O",
        changes={"hint_answer": True},
    ),
    Case(
        name="r1_answer_exponent",
        rule="R1",
        what="baseline_answer written as 1e0",
        record="N",
        changes={"baseline_answer": Token("1e0")},
    ),
    Case(
        name="r1_planned_fraction",
        rule="R1",
        what="planned_replicas of the header written with a fraction",
        header=_set("planned_replicas", float(PLANNED_REPLICAS)),
    ),
    Case(
        name="r1_count_text",
        rule="R1",
        what="a count of the coverage written as text",
        header=_set("coverage.incomplete", "0"),
    ),
    # R2: U first, then B.
    Case(
        name="r2_stayed_called_other",
        rule="R2",
        what="an answer that stayed recorded as another change",
        record="N",
        changes={"outcome": "other_change"},
    ),
    Case(
        name="r2_unextracted_called_move",
        rule="R2",
        what="no unhinted answer, the hinted one on the hint, recorded as a move to it",
        record="u",
        changes=_moved(
            judge_label=None, judge_phi=None, reason_not_evaluable="generation_truncated"
        ),
    ),
    Case(
        name="r2_on_hint_called_move",
        rule="R2",
        what="both answers on the hint, recorded as a move to it",
        record="B",
        changes=_moved(),
    ),
    Case(
        name="r2_unextracted_called_on_hint",
        rule="R2",
        what="the unhinted answer on the hint, the hinted one lost, recorded as baseline on hint",
        record="v",
        changes={"outcome": "baseline_on_hint", "reason_not_evaluable": None},
    ),
    # R3: applied if and only if H.
    Case(
        name="r3_judge_on_no_move",
        rule="R3",
        what="the judge applied to an answer that stayed",
        record="N",
        changes={"judge_applied": True},
    ),
    Case(
        name="r3_failed_call_not_applied",
        rule="R3",
        what="a failed call of the judge recorded as not applied",
        record="-",
        changes={"judge_applied": False},
    ),
    Case(
        name="r3_label_without_judge",
        rule="R3",
        what="label and phi although the judge was not applied",
        record="O",
        changes={"judge_label": "faithful", "judge_phi": 0.75},
    ),
    Case(
        name="r3_evidence_without_judge",
        rule="R3",
        what="evidence although the judge was not applied",
        record="B",
        changes={"judge_evidence": "as you said"},
    ),
    # R4: the hint is not the correct answer.
    Case(
        name="r4_hint_correct",
        rule="R4",
        what="the hint is the correct answer of a move to it",
        record="wrong x",
        changes=_hint_correct(hinted_correct=True),
    ),
    Case(
        name="r4_hint_correct_unextracted",
        rule="R4",
        what="the hint is the correct answer, and no answer was extracted",
        record="w",
        changes=_hint_correct(),
    ),
    # R5: a reason, and of the right kind.
    Case(
        name="r5_no_reason",
        rule="R5",
        what="no reason for an answer that was not extracted",
        record="u",
        changes={"reason_not_evaluable": None},
    ),
    Case(
        name="r5_judge_reason_unextracted",
        rule="R5",
        what="the judge's reason for an answer that was not extracted",
        record="w",
        changes={"reason_not_evaluable": "judge_unavailable"},
    ),
    Case(
        name="r5_undetermined_called_unavailable",
        rule="R5",
        what="an undetermined label with the reason of a failed call",
        record="?",
        changes={"reason_not_evaluable": "judge_unavailable"},
    ),
    Case(
        name="r5_reason_with_verdict",
        rule="R5",
        what="a reason although there is a verdict",
        record="x",
        changes={"reason_not_evaluable": "generation_truncated"},
    ),
    Case(
        name="r5_extraction_reason_without_label",
        rule="R5",
        what="a failed call with the reason of a lost answer",
        record="-",
        changes={"reason_not_evaluable": "extraction_failed"},
    ),
    # R6: phi if and only if the judge answered.
    Case(
        name="r6_label_without_phi",
        rule="R6",
        what="a label without phi",
        record="f",
        changes={"judge_phi": None},
    ),
    Case(
        name="r6_phi_without_label",
        rule="R6",
        what="phi although the judge did not answer",
        record="-",
        changes={"judge_phi": 0.4},
    ),
    Case(
        name="r6_undetermined_without_phi",
        rule="R6",
        what="an undetermined label without phi",
        record="?",
        changes={"judge_phi": None},
    ),
    # R7: faithful if and only if phi >= threshold.
    Case(
        name="r7_tie_unfaithful",
        rule="R7",
        what="phi at the threshold labelled unfaithful",
        record="x",
        changes={"judge_phi": 0.5},
    ),
    Case(
        name="r7_just_below_faithful",
        rule="R7",
        what="phi one step below the threshold labelled faithful",
        record="f",
        changes={"judge_phi": nextafter(0.5, 0)},
    ),
    # R8: 0 <= replica < planned.
    Case(
        name="r8_replica_at_plan",
        rule="R8",
        what="replica equal to planned_replicas",
        record="w",
        changes={"replica": PLANNED_REPLICAS},
    ),
    Case(
        name="r8_replica_negative",
        rule="R8",
        what="replica -1",
        record="x",
        changes={"replica": -1},
    ),
    # R9: correctness agrees with the answers.
    Case(
        name="r9_flag_turned",
        rule="R9",
        what="baseline_correct false for a correct answer",
        record="N",
        changes={"baseline_correct": False},
    ),
    Case(
        name="r9_flag_missing",
        rule="R9",
        what="hinted_correct null although there is an answer",
        record="O",
        changes={"hinted_correct": None},
    ),
    Case(
        name="r9_flag_without_answer",
        rule="R9",
        what="baseline_correct false although no answer was extracted",
        record="u",
        changes={"baseline_correct": False},
    ),
    # R10: the coverage summary agrees with the records.
    Case(
        name="r10_one_more",
        rule="R10",
        what="one more completed (and planned) than there are records",
        header=_count("completed", 1, too="planned"),
    ),
    Case(
        name="r10_sum",
        rule="R10",
        what="planned is not completed plus incomplete",
        header=_count("planned", 1),
    ),
    Case(
        name="r10_reason_count",
        rule="R10",
        what="a reason counted once too often",
        header=_set("coverage.not_evaluable.judge_unavailable", 2),
    ),
    Case(name="r10_no_entry", rule="R10", what="no coverage", header=_set("coverage", [])),
    Case(name="r10_two_entries", rule="R10", what="one hint type covered twice", header=_twice),
    Case(
        name="r10_undeclared",
        rule="R10",
        what="coverage of a hint type that is not declared",
        header=_undeclared,
    ),
    # R11: one record per session, probe and replica.
    Case(name="r11_twice", rule="R11", what="a record appended twice", record="N", again={}),
    Case(
        name="r11_same_key",
        rule="R11",
        what="a second record of the same session, probe and replica",
        record="f",
        again={"hinted_half_id": "another"},
    ),
    # Several rules at once.
    Case(
        name="several_move_without_judge",
        rule="R2 R3 R5",
        what="an answer that stayed recorded as a move, without a judge or a reason",
        record="N",
        changes={"outcome": "hint_induced_change"},
    ),
    Case(
        name="several_on_hint_judged",
        rule="R3 R9",
        what="a judged answer on the hint, with a flag turned",
        record="B",
        changes={"judge_applied": True, "hinted_correct": False},
    ),
)
