"""The names of one check and the values they stand for."""

import re
from fractions import Fraction

from verification import claims_numbers as numbers
from verification.claims_checks import Check, Computation
from verification.claims_context import Context
from verification.claims_expressions import (
    SELF,
    CheckError,
    Expression,
    Value,
    attainable,
    evaluate,
    parse,
    reference_to,
    repeated,
)
from verification.claims_numbers import Interval, UndefinedError


class Scope:
    """The values that the names of one computation stand for.

    ``used`` collects the kinds of references, which decide the verdict.
    """

    def __init__(self, context: Context, check: Check, computation: Computation) -> None:
        """Names are resolved when they are used, so that an unused one cannot fail."""
        self.context, self.check, self.computation = context, check, computation
        self.names = frozenset({*computation.take, *computation.define})
        self.used: set[str] = set()
        self.corners = False
        self._named: dict[str, Value] = {}
        self._open: set[str] = set()

    @property
    def basis(self) -> str:
        """What the values used so far rest on: results, settings, facts, or claims alone."""
        return next(
            (kind for kind in ("results", "settings", "facts") if kind in self.used), "claims"
        )

    def expression(self, text: str, *, allow: frozenset[str] = frozenset()) -> Expression:
        """Parse in this scope; the message of a failure names the claim."""
        try:
            return parsed(text, self.check.claim, self.names, allow)
        except CheckError as error:
            raise CheckError(f"check of {self.check.claim}: {error}") from None

    def values(self, expression: Expression) -> dict[str, Value]:
        """The value of every name that occurs."""
        found: dict[str, Value] = {}
        for name in expression.occurrences:
            reference = expression.references[name]
            if reference.kind == "named":
                found[name] = self._value(name)
            else:
                self.used.add(reference.kind)
                try:
                    found[name] = self.context.value(reference)
                except CheckError as error:
                    raise CheckError(f"check of {self.check.claim}: {error}") from None
        return found

    def _value(self, name: str) -> Value:
        if name in self._open:
            raise CheckError(f"check of {self.check.claim}: {name} is defined by itself")
        if name in self.computation.take:
            self.used.add("results")
        if name not in self._named:
            self._open.add(name)
            try:
                if name in self.computation.take:
                    self._named[name] = numbers.point(
                        self.context.select(self.computation.take[name])
                    )
                else:
                    self._named[name] = self.range_of(self.computation.define[name])
            finally:
                self._open.remove(name)
        return self._named[name]

    def range_of(self, text: str) -> Value:
        """Everything that an expression can be."""
        expression = self.expression(text)
        values = self.values(expression)
        self.corners = self.corners or bool(repeated(expression, values))
        try:
            return attainable(expression, values)
        except CheckError as error:
            raise CheckError(f"check of {self.check.claim}: {error}") from None

    def at_print(self, text: str) -> Fraction | str:
        """An expression at the printed numbers themselves; the middle of what it can be else."""
        expression = self.expression(text)
        values = {
            name: numbers.point(value.middle) if isinstance(value, Interval) else value
            for name, value in self.values(expression).items()
        }
        try:
            found = evaluate(expression.tree, values)
        except UndefinedError:
            found = self.range_of(text)
        return found.middle if isinstance(found, Interval) else str(found)


_parsed: dict[tuple[str, str, frozenset[str], frozenset[str]], Expression] = {}


def parsed(text: str, own: str, names: frozenset[str], allow: frozenset[str]) -> Expression:
    """Parse once."""
    key = (text, own if "self" in text else "", names, allow)
    if key not in _parsed:
        _parsed[key] = parse(text, own=own, names=names, allow=allow)
    return _parsed[key]


def plain(text: str, own: str = "") -> str:
    """An expression without its braces, and with ids in place of ``self``.

    >>> plain("{self} < {self+1.lo}", "NS-3.6-07")
    'NS-3.6-07 < NS-3.6-08.lo'
    """

    def named(match: re.Match[str]) -> str:
        if own and SELF.fullmatch(match.group(1)):
            reference = reference_to(match.group(1), own, text)
            return f"{reference.name}.{reference.part}" if reference.part else reference.name
        return match.group(1)

    return re.sub(r"\{([^{}]+)\}", named, text)


def shown(value: Fraction | None) -> str:
    """A number with ten significant digits; nothing stays nothing."""
    return "" if value is None else f"{float(value):.10g}"
