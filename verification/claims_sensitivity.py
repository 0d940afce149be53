"""How much of the ledger's arithmetic would notice a misprint?

Every printed number that an arithmetic verdict or relation rests on is changed by five units of its
last place, up and down, and every verdict that depends on it is computed again. A change that moves
none is listed with how much it takes of the slack that each dependent result has.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verification.claims_checks import Check
from verification.claims_context import Context
from verification.claims_entries import Entry, judge
from verification.claims_relations import references_of
from verification.claims_scope import shown

#: Units of the last printed place by which a number is changed.
UNITS = (5, -5)
COLUMNS = (
    "claim_id",
    "kind",
    "part",
    "published",
    "change",
    "changed_to",
    "moved",
    "verdicts_moved",
    "why",
)
SUMMARY_COLUMNS = ("kind", "changes", "moving_elsewhere", "share_elsewhere", "moving", "share")


@dataclass(frozen=True)
class Change:
    """One number changed: where, from what to what, and the claims whose verdicts moved."""

    claim: str
    kind: str
    part: str
    units: int
    before: Fraction
    after: Fraction
    moved: tuple[str, ...]
    why: str

    def row(self) -> dict[str, str]:
        """The row of the table."""
        return {
            "claim_id": self.claim,
            "kind": self.kind,
            "part": self.part,
            "published": shown(self.before),
            "change": f"{self.units:+d}",
            "changed_to": shown(self.after),
            "moved": "yes" if self.moved else "no",
            "verdicts_moved": " ".join(self.moved) or "none",
            "why": self.why,
        }


def dependents(context: Context, checks: Mapping[str, Check]) -> dict[tuple[str, str], list[str]]:
    """For every printed number that arithmetic rests on, the claims whose arithmetic uses it.

    A claim's own number belongs to its arithmetic, whether an expression names it or not; and the
    claim of a number always stands in the list, because its own verdict depends on it.
    """
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for claim, check in checks.items():
        used = {
            (reference.name, reference.part)
            for reference in references_of(check)
            if reference.kind == "claim"
        }
        if used:
            used.add((claim, ""))
        for name, part in sorted(used):
            for each in context.claims[name].numbers if not part else (part,):
                if claim not in found[name, each]:
                    found[name, each].append(claim)
    for (claim, _), users in found.items():
        if claim not in users:
            users.append(claim)
    return dict(found)


def sensitivity(
    context: Context,
    checks: Mapping[str, Check],
    entries: Mapping[str, Entry],
    *,
    judged: Callable[[Context, Check], Entry] = judge,
) -> Iterator[Change]:
    """Change every number in turn and judge what depends on it again."""
    users = dependents(context, checks)
    for claim, of_claim in context.claims.items():
        for part, number in of_claim.numbers.items():
            if (claim, part) not in users:
                continue
            for units in UNITS:
                after = number.value + units * number.step
                changed = context.with_number(claim, part, after)
                again = {user: judged(changed, checks[user]) for user in users[claim, part]}
                moved = tuple(u for u, new in again.items() if new.verdicts != entries[u].verdicts)
                why = "" if moved else _why([(entries[user], new) for user, new in again.items()])
                yield Change(
                    claim, of_claim.row["kind"], part, units, number.value, after, moved, why
                )


def _why(pairs: list[tuple[Entry, Entry]]) -> str:
    """The effects on all dependent entries, those of the same effect together."""
    claims: dict[str, list[str]] = defaultdict(list)
    for old, new in pairs:
        claims[_effect(old, new)].append(old.claim)
    return "; ".join(f"{', '.join(names)}: {effect}" for effect, names in claims.items())


def _effect(old: Entry, new: Entry) -> str:
    """What the change does to one entry: how much it takes of the slack that each result has."""
    parts = []
    if old.outcome.slacks:
        parts.append(_taken(old.outcome.slacks, new.outcome.slacks))
    for before, after in zip(old.relations, new.relations, strict=True):
        if before.slacks:
            parts.append(_taken(before.slacks, after.slacks))
        elif before.text != after.text:
            parts.append(f"still {after.text.rsplit(': ', 1)[-1]}")
    told = [part for part in dict.fromkeys(parts) if part]
    return " and ".join(told) or "no result moves"


def _taken(before: tuple[Fraction, ...], after: tuple[Fraction, ...]) -> str:
    if before == after:
        return ""
    if min(before) < 0:
        return "fails before and after"
    shrunk = [(b, b - a) for b, a in zip(before, after, strict=True) if a < b]
    if not shrunk:
        return "moves away from the limit"
    slack, step = min(shrunk, key=lambda pair: pair[0] - pair[1])
    return f"takes {shown(step)} of a slack of {shown(slack)}"


def summarised(changes: list[Change]) -> list[dict[str, str]]:
    """Changes and the share that moves a verdict, by kind of claim and over all.

    A number that is held against a setting or a result moves its own verdict whatever else rests on
    it, so the changes that move the verdict of another claim are counted apart (``elsewhere``).
    """
    rows = []
    for kind in (*sorted({change.kind for change in changes}), "all"):
        some = [change for change in changes if kind in {change.kind, "all"}]
        row = {"kind": kind, "changes": str(len(some))}
        moving = sum(bool(change.moved) for change in some)
        elsewhere = sum(any(name != change.claim for name in change.moved) for change in some)
        for end, count in (("", moving), ("_elsewhere", elsewhere)):
            row[f"moving{end}"] = str(count)
            row[f"share{end}"] = shown(Fraction(count, len(some))) if some else ""
        rows.append(row)
    return rows
