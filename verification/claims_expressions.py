"""The small language of the checks: numbers, references in braces, a few functions, nothing else.

``mean({NS-D.1-01..08})`` or ``{HP-16.2-20} / {HP-16.2-21} == {self}`` are parsed with `ast`, held
against a whitelist and evaluated here. Nothing is ever handed to Python's own evaluation.

An expression in which every rounded number occurs once is exact in interval arithmetic. Where one
occurs more often, that number is set to both its ends in turn (the corners of the box) and the
results are joined; that is exact for an expression that is monotone in each of these numbers, and
midpoints are tried as well, so that one that is not is refused.
"""

import ast
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce

from verification import claims_numbers as numbers
from verification.claims_numbers import Interval, UndefinedError
from verification.files import Unusable

Value = Interval | str | tuple["Value", ...]


class CheckError(Unusable):
    """A check or its input cannot be used; the message says which and what to do."""


_REFERENCE = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"((?:HP|NS)-[\w.]+?-)(\d+)\.\.(\d+)")
_CLAIM = re.compile(r"((?:HP|NS)-[\w.]+-\d+)(?:\.(lo|hi|a|b))?")
#: A reference to the claim itself, or to one some rows on.
SELF = re.compile(r"self([+-]\d+)?(?:\.(lo|hi|a|b))?")
_PLACE = re.compile(r"(settings|facts) ([A-Za-z0-9_.]+)")


@dataclass(frozen=True)
class Reference:
    """What a name stands for: a printed number, a place in the settings or facts, a named value."""

    kind: str
    name: str
    part: str = ""


@dataclass(frozen=True)
class Expression:
    """A checked expression: its text as written, its tree, and what its names refer to."""

    text: str
    tree: ast.expr
    references: Mapping[str, Reference]

    @cached_property
    def occurrences(self) -> Counter[str]:
        """How often each name occurs."""
        return Counter(
            node.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Name) and node.id in self.references
        )


def _sum(values: list[Interval]) -> Interval:
    return reduce(numbers.add, values, numbers.point(0))


def _mean(values: list[Interval]) -> Interval:
    return numbers.divide(_sum(values), numbers.point(len(values)))


def _smallest(values: list[Interval]) -> Interval:
    return Interval(min(v.lo for v in values), min(v.hi for v in values))


def _largest(values: list[Interval]) -> Interval:
    return Interval(max(v.lo for v in values), max(v.hi for v in values))


def _magnitude(a: Interval) -> Interval:
    ends = (abs(a.lo), abs(a.hi))
    return Interval(Fraction(0) if a.lo < 0 < a.hi else min(ends), max(ends))


def _positives(values: list[Interval]) -> Interval:
    return Interval(
        Fraction(sum(v.lo > 0 for v in values)), Fraction(sum(v.hi > 0 for v in values))
    )


#: Functions over any number of numbers, and functions with a fixed number of arguments.
_MANY: dict[str, Callable[[list[Interval]], Interval]] = {
    "mean": _mean,
    "min": _smallest,
    "max": _largest,
    "total": _sum,
    "positives": _positives,
    "hypot": lambda v: numbers.root(_sum([numbers.power(x, numbers.point(2)) for x in v])),
}
_FIXED: dict[str, tuple[int, Callable[..., Interval]]] = {
    "sqrt": (1, numbers.root),
    "abs": (1, _magnitude),
    "count": (2, numbers.counts),
    "round_to": (2, numbers.round_to),
    "beta_tail": (3, numbers.beta_tail),
}
#: Functions over texts and lists.
_TEXTS = frozenset({"size", "length", "matching", "joined", "beta_law"})
_OPERATORS: dict[type[ast.operator], Callable[[Interval, Interval], Interval]] = {
    ast.Add: numbers.add,
    ast.Sub: lambda a, b: numbers.add(a, numbers.negate(b)),
    ast.Mult: numbers.multiply,
    ast.Div: numbers.divide,
    ast.Pow: numbers.power,
}


def parse(
    text: str, *, own: str, names: frozenset[str] = frozenset(), allow: frozenset[str] = frozenset()
) -> Expression:
    """Parse and check an expression.

    Args:
        text: the expression; references stand in braces.
        own: id of the claim that ``{self}`` stands for; ``{self-16}`` is 16 rows above it.
        names: plain names that may be used, such as the results a check takes.
        allow: further functions, which the caller evaluates itself.

    Raises:
        CheckError: it is no expression of this language.

    >>> parse("__import__('os')", own="HP-3-01")
    Traceback (most recent call last):
    verification.claims_expressions.CheckError: "__import__('os')": function __import__ is unknown
    """
    if taken := names & {*_MANY, *_FIXED, *_TEXTS, *allow}:
        raise CheckError(f'"{text}": the name {min(taken)} is that of a function')
    references: dict[str, Reference] = {name: Reference("named", name) for name in names}

    def named(match: re.Match[str]) -> str:
        parts = []
        for part in _expanded(match.group(1)):
            name = f"ref_{len(references)}"
            reference = reference_to(part, own, text)
            known = [n for n, r in references.items() if r == reference and n.startswith("ref_")]
            references[known[0] if known else name] = reference
            parts.append(known[0] if known else name)
        return ", ".join(parts)

    prepared = _REFERENCE.sub(named, text)
    try:
        tree = ast.parse(prepared, mode="eval").body
    except (SyntaxError, ValueError):
        raise CheckError(f'"{text}": not an expression') from None
    expression = Expression(text, tree, references)
    _inspect(tree, text, references, allow)
    return expression


def _expanded(text: str) -> list[str]:
    found = _RANGE.fullmatch(text)
    if not found:
        return [text]
    stem, first, last = found.groups()
    return [f"{stem}{i:0{len(first)}d}" for i in range(int(first), int(last) + 1)]


def reference_to(text: str, own: str, whole: str) -> Reference:
    """Read what stands in braces; ``own`` is the claim that self stands for.

    Raises:
        CheckError: it refers to nothing.
    """
    if found := _CLAIM.fullmatch(text):
        return Reference("claim", found.group(1), found.group(2) or "")
    if found := SELF.fullmatch(text):
        stem, digits = own.rsplit("-", 1)
        place = int(digits) + int(found.group(1) or 0)
        return Reference("claim", f"{stem}-{place:0{len(digits)}d}", found.group(2) or "")
    if found := _PLACE.fullmatch(text):
        return Reference(found.group(1), found.group(2))
    raise CheckError(
        f'"{whole}": {{{text}}} refers to nothing; give a claim id, self, settings or facts'
    )


def _inspect(
    node: ast.expr, text: str, names: Mapping[str, Reference], allow: frozenset[str]
) -> None:
    """Refuse everything that is not on the whitelist."""
    if fault := _fault(node, names, allow):
        raise CheckError(f'"{text}": {fault}')
    # A comparison stands at the top or nowhere.
    inner = allow - {"compare"}
    match node:
        case ast.UnaryOp(operand=operand):
            parts = [operand]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.Compare(left=left, comparators=others):
            parts, inner = [left, *others], frozenset()
        case ast.Call(args=arguments):
            parts = arguments
        case _:
            parts = []
    for part in parts:
        _inspect(part, text, names, inner)


def _fault(node: ast.expr, names: Mapping[str, Reference], allow: frozenset[str]) -> str:
    """What is wrong with one node, apart from what it holds; nothing if it is allowed."""
    fault = f"{type(node).__name__} is not allowed"
    match node:
        case ast.Constant(value=value):
            known = isinstance(value, int | float | str) and not isinstance(value, bool)
            known = known and (not isinstance(value, float) or math.isfinite(value))
            fault = "" if known else f"{value!r} is neither a number nor a text"
        case ast.Name(id=name):
            fault = "" if name in names else f"the name {name} is unknown"
        case ast.UnaryOp(op=ast.USub()):
            fault = ""
        case ast.BinOp(op=op):
            fault = "" if type(op) in _OPERATORS else f"{type(op).__name__} is not allowed"
        case ast.Compare(ops=ops):
            orders = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
            known = "compare" in allow and all(isinstance(op, orders) for op in ops)
            fault = "" if known else "a comparison is no value"
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            fault = (
                "" if name in {*_MANY, *_FIXED, *_TEXTS, *allow} else f"function {name} is unknown"
            )
            if name in _FIXED and len(arguments) != _FIXED[name][0]:
                fault = f"{name} takes {_FIXED[name][0]} arguments"
    return fault


def evaluate(tree: ast.expr, values: Mapping[str, Value]) -> Value:
    """Evaluate a checked tree by interval arithmetic.

    Raises:
        UndefinedError: the operation has no result for these values.
    """
    found: Value
    match tree:
        case ast.Constant(value=str() as text):
            found = text
        case ast.Constant(value=value):
            # repr gives back the digits as they are written: 0.1 is one tenth.
            found = numbers.point(Fraction(repr(value)))
        case ast.Name(id=name):
            found = values[name]
        case ast.UnaryOp(operand=operand):
            found = numbers.negate(_numeric(evaluate(operand, values)))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = (_numeric(evaluate(side, values)) for side in (left, right))
            found = _OPERATORS[type(op)](a, b)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            found = _call(name, [evaluate(argument, values) for argument in arguments])
        case _:
            raise UndefinedError(f"{type(tree).__name__} has no value")
    return found


def _call(name: str, arguments: list[Value]) -> Value:
    if name in _FIXED:
        return _FIXED[name][1](*map(_numeric, arguments))
    items = _flat(arguments)
    if name in _MANY:
        return _MANY[name]([_numeric(item) for item in items])
    return _of_texts(name, arguments, items)


def _of_texts(name: str, arguments: list[Value], items: list[Value]) -> Value:
    if name == "size" and len(arguments) == 1 and isinstance(arguments[0], Interval):
        return arguments[0]
    if name in {"size", "length"}:
        return numbers.point(len(items))
    if name == "matching":
        wanted, *others = map(str, items)
        return numbers.point(sum(wanted in other for other in others))
    if name == "beta_law":
        return f"Beta({', '.join(f'{float(_numeric(v).middle):g}' for v in items)})"
    return " / ".join(map(str, items))


def _flat(values: list[Value]) -> list[Value]:
    return list(itertools.chain.from_iterable(v if isinstance(v, tuple) else (v,) for v in values))


def _numeric(value: Value) -> Interval:
    if isinstance(value, Interval):
        return value
    raise UndefinedError(f"{value!r} is not a number")


def repeated(expression: Expression, values: Mapping[str, Value]) -> list[str]:
    """The names that occur more than once and stand for more than one number."""
    return [
        name
        for name, times in expression.occurrences.items()
        if times > 1 and isinstance(values.get(name), Interval) and not values[name].exact  # type: ignore[union-attr]
    ]


def attainable(expression: Expression, values: Mapping[str, Value]) -> Value:
    """The values that an expression can take, over every choice of its rounded numbers.

    Raises:
        UndefinedError: it has no result.
        CheckError: a number that occurs more than once does not act in one direction.

    >>> share = parse("x / (x + y)", own="HP-3-01", names=frozenset({"x", "y"}))
    >>> box = {name: Interval(Fraction(1), Fraction(3)) for name in "xy"}
    >>> attainable(share, box)
    Interval(lo=Fraction(1, 4), hi=Fraction(3, 4))
    """
    names = repeated(expression, values)
    if not names:
        return evaluate(expression.tree, values)

    def at(choice: tuple[Fraction, ...]) -> Interval:
        fixed = {name: numbers.point(v) for name, v in zip(names, choice, strict=True)}
        return _numeric(evaluate(expression.tree, {**values, **fixed}))

    box = [_numeric(values[name]) for name in names]
    found = numbers.hull(
        *(at(corner) for corner in itertools.product(*((b.lo, b.hi) for b in box)))
    )
    centre = tuple(b.middle for b in box)
    faces = [
        (*centre[:i], end, *centre[i + 1 :]) for i, b in enumerate(box) for end in (b.lo, b.hi)
    ]
    if not all(at(middle).within(found) for middle in (centre, *faces)):
        raise CheckError(
            f'"{expression.text}": not monotone in a number that occurs twice; rewrite it'
        )
    return found
