"""Relations between printed numbers: chains of comparisons, searches, further numbers of ours.

A comparison holds if values within the printed rounding make it true: an equality needs a common
value, an order needs one pair in that order, an inequality needs disjoint intervals. Where that
says something else than the printed numbers themselves do, the text shows what each side can be.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verification import claims_numbers as numbers
from verification.claims_checks import Check, Relation
from verification.claims_context import AbsentError, Context
from verification.claims_expressions import (
    CheckError,
    Expression,
    Reference,
    Value,
    attainable,
    evaluate,
)
from verification.claims_feasibility import SEARCHES
from verification.claims_numbers import Interval, UndefinedError
from verification.claims_scope import Scope, parsed, plain, shown
from verification.claims_verdicts import Verdict, compute


@dataclass(frozen=True)
class RelationOutcome:
    """A relation, its numbers in words, and whether it holds."""

    text: str
    verdict: Verdict
    slacks: tuple[Fraction, ...] = ()


_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_ORDERS: Mapping[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_SEARCHING = frozenset({*SEARCHES, "compare"})


def relate(context: Context, check: Check, relation: Relation) -> RelationOutcome:
    """Try a relation: a chain of comparisons, a search, or a further number of ours."""
    if relation.ours is not None:
        found = compute(context, check, relation.ours)
        words = f"{relation.words}: " if relation.words else ""
        value = found.ours if isinstance(found.ours, str) else shown(found.ours)
        ends = " to ".join(shown(end) for end in (found.ours_lo, found.ours_hi) if end is not None)
        text = f"{words}ours {value or ends or found.note} ({found.source})"
        return RelationOutcome(text, found.verdict)
    scope = Scope(context, check, check.computation)
    words = f"{relation.words}: " if relation.words else ""
    expression = scope.expression(relation.test, allow=_SEARCHING)
    try:
        tree = expression.tree
        if isinstance(tree, ast.Compare):
            return _compared(scope, expression, tree, words)
        if isinstance(tree, ast.Call):
            results = search(scope, expression, tree)
            text = f"{words}{plain(relation.test, check.claim)}: {', '.join(results) or 'none'}"
            return RelationOutcome(text, _verdict(scope, bool(results)))
    except UndefinedError as error:
        text = f"{words}{plain(relation.test, check.claim)}: no result ({error})"
        return RelationOutcome(text, Verdict.FAILS)
    except AbsentError as error:
        return RelationOutcome(f"{words}{error}", Verdict.NOT_APPLICABLE)
    raise CheckError(f"check of {check.claim}: {relation.test!r} is no comparison and no search")


def search(scope: Scope, expression: Expression, tree: ast.Call) -> list[str]:
    """Call a search of :mod:`verification.claims_feasibility`."""
    name = tree.func.id if isinstance(tree.func, ast.Name) else ""
    if name not in SEARCHES:
        raise CheckError(f"check of {scope.check.claim}: {expression.text!r} is no search")
    least, function = SEARCHES[name]
    if len(tree.args) < least:
        raise CheckError(f"check of {scope.check.claim}: {name} needs {least} arguments")
    values = scope.values(expression)
    arguments = [evaluate(argument, values) for argument in tree.args]
    numeric = [a for a in arguments if isinstance(a, Interval)]
    if len(numeric) != len(arguments):
        raise UndefinedError("a search is over numbers")
    return list(function(*numeric))


def _compared(
    scope: Scope, expression: Expression, tree: ast.Compare, words: str
) -> RelationOutcome:
    operands = [tree.left, *tree.comparators]
    values = scope.values(expression)
    text = f"{words}{plain(expression.text, scope.check.claim)}"
    single: list[Value] = [_at_middle(operand, values) for operand in operands]
    if not all(isinstance(value, Interval) for value in single):
        same = len({str(value) for value in single}) == 1
        return RelationOutcome(text, _verdict(scope, same))
    holds = True
    slacks: tuple[Fraction, ...] = ()
    for left, op, right in zip(operands, tree.ops, operands[1:], strict=False):
        gap = Expression(expression.text, ast.BinOp(left, ast.Sub(), right), expression.references)
        found = attainable(gap, values)
        assert isinstance(found, Interval)
        of_pair = _slacks(found, op)
        strict = isinstance(op, ast.Lt | ast.Gt | ast.NotEq)
        holds = holds and all(slack > 0 if strict else slack >= 0 for slack in of_pair)
        slacks += of_pair
    marks = [_COMPARISONS[type(op)] for op in tree.ops]
    middles = [v.middle for v in single if isinstance(v, Interval)]
    pairs = zip(middles, tree.ops, middles[1:], strict=False)
    if holds == all(_ORDERS[type(op)](a, b) for a, op, b in pairs):
        shown_values = [shown(middle) for middle in middles]
    else:
        ranges = (Expression(expression.text, o, expression.references) for o in operands)
        shown_values = [_span(attainable(each, values)) for each in ranges]
    line = shown_values[0] + "".join(
        f" {mark} {value}" for mark, value in zip(marks, shown_values[1:], strict=True)
    )
    return RelationOutcome(f"{text}: {line}", _verdict(scope, holds), slacks=slacks)


def _span(value: Value) -> str:
    """What one side of a comparison can be: a number, or the ends of an interval."""
    assert isinstance(value, Interval)
    if value.exact:
        return shown(value.lo)
    return f"[{shown(value.lo)}, {shown(value.hi)}]"


def _verdict(scope: Scope, true: bool) -> Verdict:
    """What a relation that is true or not says, by what it rests on."""
    basis = scope.basis
    if basis == "claims":
        return Verdict.HOLDS if true else Verdict.FAILS
    if not true:
        return Verdict.DIFFERS
    return Verdict.MATCHES if basis == "results" else Verdict.IN_CONFIG


def _at_middle(operand: ast.expr, values: Mapping[str, Value]) -> Value:
    middles = {
        name: numbers.point(v.middle) if isinstance(v, Interval) else v
        for name, v in values.items()
    }
    return evaluate(operand, middles)


def _slacks(gap: Interval, op: ast.cmpop) -> tuple[Fraction, ...]:
    """How far left - right is from missing what the comparison asks; negative if it misses it."""
    if isinstance(op, ast.Eq):
        return gap.hi, -gap.lo
    if isinstance(op, ast.NotEq):
        return (max(gap.lo, -gap.hi),)
    return (-gap.lo,) if isinstance(op, ast.Lt | ast.LtE) else (gap.hi,)


_COMPUTED = re.compile(r"<<(.+?)>>")


def noted(context: Context, check: Check) -> str:
    """The note of a check with its computed parts filled in."""

    def filled(match: re.Match[str]) -> str:
        scope = Scope(context, check, check.computation)
        text = match.group(1).strip()
        expression = scope.expression(text, allow=frozenset(SEARCHES))
        tree = expression.tree
        is_search = (
            isinstance(tree, ast.Call)
            and isinstance(tree.func, ast.Name)
            and tree.func.id in SEARCHES
        )
        try:
            if is_search and isinstance(tree, ast.Call):
                return ", ".join(search(scope, expression, tree)) or "none"
            value = scope.at_print(text)
        except UndefinedError as error:
            return f"no result ({error})"
        return value if isinstance(value, str) else shown(value)

    try:
        return _COMPUTED.sub(filled, check.note)
    except AbsentError as error:
        return str(error)


def references_of(check: Check) -> set[Reference]:
    """Every reference of a check's arithmetic: its expressions and comparisons, not its errors."""
    computation = check.computation
    names = frozenset({*computation.take, *computation.define})
    texts = [computation.value, computation.lo, computation.hi, computation.against]
    texts += computation.define.values()
    found: set[Reference] = set()
    for text in filter(None, texts):
        expression = parsed(text, check.claim, names, frozenset())
        found |= {expression.references[name] for name in expression.occurrences}
    for relation in check.relations:
        if relation.test:
            expression = parsed(relation.test, check.claim, names, _SEARCHING)
            found |= {expression.references[name] for name in expression.occurrences}
    return found
