"""An entry of the ledger: a claim's verdict and relations, and the row they make."""

from dataclasses import dataclass, replace

from verification.claims_basis import Basis
from verification.claims_checks import Check
from verification.claims_context import Claim, Context
from verification.claims_expressions import CheckError
from verification.claims_relations import RelationOutcome, noted, relate
from verification.claims_scope import shown
from verification.claims_verdicts import Outcome, Verdict, compute

COLUMNS = (
    "claim_id",
    "paper",
    "section",
    "quantity",
    "kind",
    "unit",
    "published",
    "published_lo",
    "published_hi",
    "ours",
    "ours_lo",
    "ours_hi",
    "difference",
    "tolerance",
    "verdict",
    "rests_on",
    "relation",
    "relation_verdict",
    "source",
    "reading",
    "note",
)
#: Between several relations of a claim, in both columns and in the same order.
SEPARATOR = " | "


@dataclass(frozen=True)
class Entry:
    """What the ledger says of one claim."""

    claim: str
    outcome: Outcome
    relations: tuple[RelationOutcome, ...]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict, and one for each relation."""
        return (self.outcome.verdict, *(relation.verdict for relation in self.relations))


def judge(context: Context, check: Check) -> Entry:
    """Compute everything that a check asks for.

    Raises:
        CheckError: the check does not fit the kind of its claim, or cannot be computed.
    """
    claim = context.claims[check.claim]
    _fits(check, claim)
    if check.reason:
        outcome = Outcome(Verdict.NOT_APPLICABLE, note=check.reason)
    elif check.computation.given:
        outcome = compute(context, check, check.computation)
    else:
        outcome = Outcome(Verdict.LIVE, basis=Basis.PRINTED)
    relations = tuple(relate(context, check, relation) for relation in check.relations)
    if _turns_with_the_truth(check, outcome, relations):
        outcome = replace(outcome, basis=Basis.TRUTH)
    return Entry(check.claim, outcome, relations)


def _turns_with_the_truth(
    check: Check, outcome: Outcome, relations: tuple[RelationOutcome, ...]
) -> bool:
    """Whether ours differs from print under one of several truths, and not under another."""
    if not check.computation.truth:
        return False
    others = [
        found.verdict
        for asked, found in zip(check.relations, relations, strict=True)
        if asked.ours is not None and asked.ours.truth not in {"", check.computation.truth}
    ]
    return len({verdict is Verdict.DIFFERS for verdict in (outcome.verdict, *others)}) > 1


def _fits(check: Check, claim: Claim) -> None:
    kind, given = claim.row["kind"], check.computation.given
    if kind == "live_models" and (given or check.reason):
        raise CheckError(f"check of {check.claim}: a live_models claim has relations only")
    if kind != "live_models" and not given and not check.reason:
        raise CheckError(f"check of {check.claim}: its kind is {kind}; give a value or a reason")
    if given and kind not in {"lost", "design"} and not claim.numbers:
        raise CheckError(
            f"claim {check.claim}, published: found {claim.row['published']!r}; a claim of kind "
            f"{kind} needs a number or a range; restore the file"
        )
    if kind == "arithmetic" and check.computation.take:
        raise CheckError(f"check of {check.claim}: arithmetic rests on printed numbers alone")
    if kind == "lost" and not check.computation.take:
        raise CheckError(f"check of {check.claim}: a lost number comes from the results")


def row_of(context: Context, check: Check, entry: Entry) -> dict[str, str]:
    """The row of the ledger."""
    claim, outcome = context.claims[check.claim], entry.outcome
    ours = outcome.ours if isinstance(outcome.ours, str) else shown(outcome.ours)
    notes = (outcome.note, noted(context, check))
    row = {name: claim.row[name] for name in COLUMNS if name in claim.row}
    row.update(
        ours=ours,
        ours_lo=shown(outcome.ours_lo),
        ours_hi=shown(outcome.ours_hi),
        difference=shown(outcome.difference),
        tolerance=shown(outcome.tolerance),
        verdict=outcome.verdict.value,
        rests_on=outcome.basis.value,
        relation=SEPARATOR.join(relation.text for relation in entry.relations),
        relation_verdict=SEPARATOR.join(relation.verdict.value for relation in entry.relations),
        source=outcome.source,
        reading=check.reading,
        note="; ".join(note for note in notes if note),
    )
    return row
