"""What usually causes a broken rule, and what to do about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from avowed.pairs.violation import ValidationReport, Violation

#: Rule -> what usually causes it and what to do, one sentence or two.
CAUSES: Mapping[str, str] = {
    "schema": "Usually a missing value written as an empty text, NaN or 0 where null should "
    "stand, options counted from 1, or a word outside the vocabulary of docs/delivery.md. "
    "Correct the program that writes the records.",
    "R1": "Usually a loader that turned an integer column with missing values into decimal "
    "numbers. Keep integers as integers (in pandas the type Int64) and write the file again.",
    "R2": "Usually an outcome computed in another order, or answers recoded after it. Compute it "
    "from the answers: U first, then B, H, N, O.",
    "R3": "Usually a judge that was run on all pairs, or a failed call written as not applied. Set "
    "judge_applied to true for outcome H and to false otherwise, and leave out other verdicts.",
    "R4": "Usually hints drawn among all options. Leave out these probes, count them, and draw "
    "hints among the wrong options only.",
    "R5": "Usually a reason left in place after the answer or the verdict changed, or a failed "
    "call of the judge without its reason. Derive the reason from answers and label.",
    "R6": "Usually a default phi for a judge that did not answer, or a label stored without phi. "
    "Write null for both, or the judge's phi beside its label, undetermined ones included.",
    "R7": "Usually phi of the other label, a threshold other than the one declared, or phi stored "
    "in 32 bits. Give the probability that the explanation is faithful, in 64 bits.",
    "R8": "Usually replicas counted from 1, or planned_replicas smaller than what was run. Count "
    "from 0 and declare the plan.",
    "R9": "Usually a missing answer turned into true by a conversion to booleans, or answers and "
    "correct options coded in two ways. Compute both flags from the answers.",
    "R10": "Usually rows removed or added after the summary was written. Count the coverage from "
    "the records again.",
    "R11": "Usually a resumed run that appended records twice, or ids that repeat within a data "
    "set. Remove the repetition, or add the task to the probe id.",
}


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A broken rule: how often, its first violation, and what usually causes it."""

    rule: str
    count: int
    first: Violation
    cause: str

    @property
    def found(self) -> str:
        """Where the first violation is and what stands there, in words."""
        where = (
            "in the header or a whole column"
            if self.first.row is None
            else (f"in row {self.first.row}")
        )
        return f"{self.first.field} is {self.first.found} {where}, expected {self.first.expected}"


def refusals(report: ValidationReport) -> Sequence[Refusal]:
    """One entry per broken rule, in the order of the rules; none if the delivery is accepted."""
    counts = report.violations.by_rule()
    return [
        Refusal(rule=each.rule, count=counts[each.rule], first=each, cause=CAUSES[each.rule])
        for each in report.violations.first(1)
    ]
