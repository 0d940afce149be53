"""From a check to a verdict: what a number is computed from decides what can be said of it.

Printed numbers alone: the arithmetic holds or fails. Settings or facts of the code: a constant of
the design. Results of this run: matches, within Monte-Carlo error, differs, or recovered where our
copy of the paper has lost the number.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from verification.claims_basis import Basis, basis_of
from verification.claims_checks import Check, Computation
from verification.claims_context import AbsentError, Claim, Context
from verification.claims_expressions import CheckError
from verification.claims_numbers import Interval, UndefinedError
from verification.claims_scope import Scope, plain, shown


class Verdict(StrEnum):
    """What can be said of a printed statement."""

    MATCHES = "matches"
    WITHIN_ERROR = "within Monte-Carlo error"
    DIFFERS = "differs"
    HOLDS = "arithmetic holds"
    FAILS = "arithmetic fails"
    RECOVERED = "recovered"
    IN_CONFIG = "design constant in config"
    LIVE = "needs live models"
    NOT_APPLICABLE = "not applicable"


#: A difference of up to this many errors is put down to chance.
ERRORS = 2
#: Two computed numbers (a formula and our code) agree up to this.
FORMULA_TOLERANCE = Fraction(1, 10**9)
_ORDER = [Verdict.MATCHES, Verdict.WITHIN_ERROR, Verdict.DIFFERS]


@dataclass(frozen=True)
class Outcome:
    """A computed number beside the printed one.

    ``slacks``, for arithmetic only: how far each bound is from being missed; negative if it is.
    ``basis`` is what ours rests on.
    """

    verdict: Verdict
    ours: Fraction | str | None = None
    ours_lo: Fraction | None = None
    ours_hi: Fraction | None = None
    difference: Fraction | None = None
    tolerance: Fraction | None = None
    source: str = ""
    note: str = ""
    slacks: tuple[Fraction, ...] = ()
    basis: Basis = Basis.NOTHING


def compute(context: Context, check: Check, computation: Computation) -> Outcome:
    """Compute a number and hold it against the printed one of the check's claim."""
    claim = context.claims[check.claim]
    try:
        scope = Scope(context, check, computation)
        if computation.against:
            found = _against(scope, computation)
        elif computation.lo:
            found = _range(scope, claim, computation)
        else:
            found = _single(scope, claim, computation)
        return replace(found, basis=basis_of(scope))
    except AbsentError as error:
        return Outcome(Verdict.NOT_APPLICABLE, note=str(error))
    except UndefinedError as error:
        return Outcome(
            Verdict.FAILS,
            note=f"no result: {error}",
            source=_source(None, computation),
            basis=basis_of(scope),
        )


def _source(scope: Scope | None, computation: Computation) -> str:
    if computation.label:
        return computation.label
    texts = [t for t in (computation.value, computation.lo, computation.hi) if t]
    shown = ", ".join(plain(text) for text in texts)
    if computation.against:
        shown += f" against {plain(computation.against)}"
    places = "; ".join(
        f"{name}: {selector.described()}" for name, selector in computation.take.items()
    )
    defined = "; ".join(f"{name} = {plain(text)}" for name, text in computation.define.items())
    how = "corners of the box" if scope is not None and scope.corners else ""
    return "; ".join(each for each in (shown, defined, places, how) if each)


def _against(scope: Scope, computation: Computation) -> Outcome:
    ours, theirs = scope.range_of(computation.value), scope.range_of(computation.against)
    source = _source(scope, computation)
    if not isinstance(ours, Interval) or not isinstance(theirs, Interval):
        verdict = Verdict.IN_CONFIG if ours == theirs else Verdict.DIFFERS
        return Outcome(verdict, ours=str(ours), source=source)
    difference = ours.middle - theirs.middle
    same = abs(difference) <= FORMULA_TOLERANCE
    return Outcome(
        Verdict.IN_CONFIG if same else Verdict.DIFFERS,
        ours=ours.middle,
        difference=difference,
        tolerance=FORMULA_TOLERANCE,
        source=source,
    )


def _single(scope: Scope, claim: Claim, computation: Computation) -> Outcome:
    ours = scope.range_of(computation.value)
    source = _source(scope, computation)
    if not isinstance(ours, Interval):
        same = str(ours) == claim.row["published"]
        return Outcome(
            Verdict.IN_CONFIG if same else Verdict.DIFFERS, ours=str(ours), source=source
        )
    middle = scope.at_print(computation.value)
    target, basis = claim.target, scope.basis
    error = _error(scope, computation, "value")
    if target is None:
        note = f"Monte-Carlo error {shown(error)}" if error else ""
        if basis_of(scope) is Basis.DESIGN:
            # The figure itself came from laws that we do not have.
            note = f"ours, with nothing to compare with; {note}".removesuffix("; ")
        return Outcome(Verdict.RECOVERED, ours=_number(middle), source=source, note=note)
    half = (target.hi - target.lo) / 2 if "value" in claim.numbers else Fraction(0)
    verdict, slacks = _compare(ours, target, basis, error)
    # A square root is enclosed and not exact, but that is no freedom of the printed inputs.
    spread = ours.hi - ours.lo > FORMULA_TOLERANCE
    alone = ""
    if computation.repeated is not None:
        alone = (
            f"mean over the repetitions; the one data set of the worked example gives "
            f"{shown(scope.context.select(computation.repeated))}"
        )
    return Outcome(
        verdict,
        ours=_number(middle),
        ours_lo=ours.lo if spread else None,
        ours_hi=ours.hi if spread else None,
        difference=_number(middle) - target.middle if "value" in claim.numbers else None,
        tolerance=half + ERRORS * (error or 0) if "value" in claim.numbers else None,
        source=source,
        note=alone,
        slacks=slacks,
    )


def _compare(
    ours: Interval, target: Interval, basis: str, error: Fraction | None
) -> tuple[Verdict, tuple[Fraction, ...]]:
    slacks = (ours.hi - target.lo, target.hi - ours.lo)
    meets = min(slacks) >= 0
    if basis == "claims":
        return (Verdict.HOLDS if meets else Verdict.FAILS), slacks
    if basis in {"settings", "facts"}:
        return (Verdict.IN_CONFIG if meets else Verdict.DIFFERS), ()
    if meets:
        return Verdict.MATCHES, ()
    near = error is not None and -min(slacks) <= ERRORS * error
    return (Verdict.WITHIN_ERROR if near else Verdict.DIFFERS), ()


def _range(scope: Scope, claim: Claim, computation: Computation) -> Outcome:
    ends = {}
    for part, text in (("lo", computation.lo), ("hi", computation.hi)):
        found = scope.range_of(text)
        if not isinstance(found, Interval):
            raise CheckError(f"check of {claim.row['claim_id']}: {text} is not a number")
        ends[part] = found
    source, basis = _source(scope, computation), scope.basis
    low, high = (_number(scope.at_print(text)) for text in (computation.lo, computation.hi))
    if "value" in claim.numbers:
        # A threshold that the code shows only from both sides.
        inside = low <= claim.numbers["value"].value < high
        verdict = Verdict.IN_CONFIG if inside else Verdict.DIFFERS
        return Outcome(verdict, ours_lo=low, ours_hi=high, source=source)
    if "lo" not in claim.numbers:
        return Outcome(Verdict.RECOVERED, ours_lo=low, ours_hi=high, source=source)
    verdicts, sizes = [], []
    slacks: tuple[Fraction, ...] = ()
    for part, middle in (("lo", low), ("hi", high)):
        error = _error(scope, computation, part)
        target = claim.numbers[part].interval
        verdict, of_end = _compare(ends[part], target, basis, error)
        verdicts.append(verdict)
        slacks += of_end
        sizes.append((middle - target.middle, (target.hi - target.lo) / 2 + ERRORS * (error or 0)))
    worst = max(sizes, key=lambda size: abs(size[0]))
    return Outcome(
        _worst(verdicts),
        ours_lo=low,
        ours_hi=high,
        difference=worst[0],
        tolerance=worst[1],
        source=source,
        slacks=slacks,
    )


def _worst(verdicts: list[Verdict]) -> Verdict:
    bad = [v for v in verdicts if v in {Verdict.FAILS, Verdict.DIFFERS}]
    if bad:
        return bad[0]
    return max(verdicts, key=lambda v: _ORDER.index(v) if v in _ORDER else 0)


def _error(scope: Scope, computation: Computation, part: str) -> Fraction | None:
    text = computation.errors.get(part)
    if not text:
        return None
    found = scope.range_of(text)
    return found.middle if isinstance(found, Interval) else None


def _number(value: Fraction | str) -> Fraction:
    if isinstance(value, Fraction):
        return value
    raise UndefinedError(f"{value!r} is not a number")
