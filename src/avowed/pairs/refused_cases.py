"""What is wrong with the refused deliveries: one case after another, as data.

Every rule R1 to R11 and the schema are broken on their own, most of them in several of their
clauses; some cases break several rules at once, and the controls break none.
:mod:`avowed.pairs.refused` writes them.
"""

from math import nextafter

from avowed.pairs.edge_cells import PLANNED_REPLICAS
from avowed.pairs.refused_case import (
    Case,
    Token,
    counted_more,
    covered_twice,
    header_with,
    hint_correct,
    moved,
    undeclared_covered,
)

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
        header=header_with("planned_replicas", float(PLANNED_REPLICAS)),
    ),
    Case(
        name="r1_count_text",
        rule="R1",
        what="a count of the coverage written as text",
        header=header_with("coverage.incomplete", "0"),
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
        changes=moved(
            judge_label=None, judge_phi=None, reason_not_evaluable="generation_truncated"
        ),
    ),
    Case(
        name="r2_on_hint_called_move",
        rule="R2",
        what="both answers on the hint, recorded as a move to it",
        record="B",
        changes=moved(),
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
    # Not applied, and only one of the two: the pair of label and phi is then broken as well.
    Case(
        name="r3_label_alone_without_judge",
        rule="R3 R6",
        what="a label, without phi, although the judge was not applied",
        record="O",
        changes={"judge_label": "faithful"},
    ),
    Case(
        name="r3_phi_alone_without_judge",
        rule="R3 R6",
        what="phi, without a label, although the judge was not applied",
        record="N",
        changes={"judge_phi": 0.75},
    ),
    # R4: the hint is not the correct answer.
    Case(
        name="r4_hint_correct",
        rule="R4",
        what="the hint is the correct answer of a move to it",
        record="wrong x",
        changes=hint_correct(hinted_correct=True),
    ),
    Case(
        name="r4_hint_correct_unextracted",
        rule="R4",
        what="the hint is the correct answer, and no answer was extracted",
        record="w",
        changes=hint_correct(),
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
        header=counted_more("completed", 1, too="planned"),
    ),
    Case(
        name="r10_sum",
        rule="R10",
        what="planned is not completed plus incomplete",
        header=counted_more("planned", 1),
    ),
    Case(
        name="r10_reason_count",
        rule="R10",
        what="a reason counted once too often",
        header=header_with("coverage.not_evaluable.judge_unavailable", 2),
    ),
    Case(name="r10_no_entry", rule="R10", what="no coverage", header=header_with("coverage", [])),
    Case(
        name="r10_two_entries", rule="R10", what="one hint type covered twice", header=covered_twice
    ),
    Case(
        name="r10_undeclared",
        rule="R10",
        what="coverage of a hint type that is not declared",
        header=undeclared_covered,
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
    # schema: ranges and vocabularies.
    Case(
        name="schema_one_option",
        rule="schema R4",
        what="a question with one option, which is the correct one and the hint",
        record="w",
        changes={"n_options": 1, "correct_answer": 0, "hint_answer": 0},
    ),
    Case(
        name="schema_answer_beyond",
        rule="schema",
        what="an answer that is the number of options",
        record="N",
        changes=lambda record: {"hinted_answer": record["n_options"]},
    ),
    Case(
        name="schema_hint_beyond",
        rule="schema",
        what="a hint that is the number of options",
        record="w",
        changes=lambda record: {"hint_answer": record["n_options"]},
    ),
    Case(
        name="schema_phi_above_1",
        rule="schema",
        what="phi one step above 1",
        record="f",
        changes={"judge_phi": nextafter(1, 2)},
    ),
    Case(
        name="schema_phi_below_0",
        rule="schema",
        what="phi one step below 0",
        record="x",
        changes={"judge_phi": nextafter(0, -1)},
    ),
    Case(
        name="schema_hint_type",
        rule="schema",
        what="a hint type that the header does not declare",
        record="x",
        changes={"hint_type": "another"},
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
