"""The verdict of `avowed validate` as text for people and as a JSON stream for programs."""

import json
from collections.abc import Iterator

from avowed.pairs.violation import RULES, ValidationReport, Violation

#: Violations of each rule that the text shows; the JSON answer has all of them.
SHOWN_PER_RULE = 20

_LONGEST_VALUE = 80


def text_lines(report: ValidationReport) -> Iterator[str]:
    """The verdict in lines, without line ends: counts, then the first violations of each rule.

    >>> report = ValidationReport(
    ...     accepted=True, records=0, violations=(), warnings=(), coverage=())
    >>> list(text_lines(report))
    ['accepted: 0 records']
    """
    yield from map(_printable, _lines(report))


def _lines(report: ValidationReport) -> Iterator[str]:
    if report.accepted:
        yield f"accepted: {_number(report.records, 'record')}"
        for entry in report.coverage:
            reasons = ", ".join(f"{reason} {n}" for reason, n in entry.not_evaluable.items())
            yield (
                f"  {entry.hint_type}: planned {entry.planned}, completed {entry.completed}, "
                f"incomplete {entry.incomplete}; not evaluable: {reasons or 'none'}"
            )
    else:
        yield (
            f"rejected: {_number(len(report.violations), 'violation')} in "
            f"{_number(report.records, 'record')}"
        )
        yield from _violation_lines(report)
    for warning in report.warnings:
        yield f"warning: {warning}"


def json_pieces(report: ValidationReport) -> Iterator[str]:
    """The verdict as one JSON object, in pieces, one violation per line.

    >>> report = ValidationReport(
    ...     accepted=True, records=0, violations=(), warnings=(), coverage=())
    >>> "".join(json_pieces(report))
    '{"accepted": true, "records": 0, "warnings": [], "violations": []}\\n'
    """
    accepted, warnings = json.dumps(report.accepted), json.dumps(list(report.warnings))
    yield (
        f'{{"accepted": {accepted}, "records": {report.records}, '
        f'"warnings": {warnings}, "violations": ['
    )
    separator = "\n"
    for violation in report.violations:
        # A dataclass without nesting: its own dictionary has the keys in the contract's order.
        yield separator + json.dumps(vars(violation))
        separator = ",\n"
    yield "]}\n" if separator == "\n" else "\n]}\n"


def _violation_lines(report: ValidationReport) -> Iterator[str]:
    totals = report.violations.by_rule()
    rule = ""
    for violation in report.violations.first(SHOWN_PER_RULE):
        if violation.rule != rule:
            rule = violation.rule
            total = totals[rule]
            cut = f", the first {SHOWN_PER_RULE}" if total > SHOWN_PER_RULE else ""
            yield f"{rule} ({RULES[rule]}): {_number(total, 'violation')}{cut}"
        yield f"  {_where(violation)}: {violation.field} is {_short(violation.found)}, " + (
            f"expected {violation.expected}"
        )


def _where(violation: Violation) -> str:
    if violation.row is None:
        return "delivery"
    key = {
        "session": violation.session_id,
        "probe": violation.probe_id,
        "replica": violation.replica,
    }
    shown = (f"{n} {_short(json.dumps(v, ensure_ascii=False))}" for n, v in key.items())
    return f"row {violation.row} ({', '.join(shown)})"


def _printable(line: str) -> str:
    """The line with line ends, control characters and halves of surrogate pairs escaped.

    Identifiers and file names come from the delivery; they must neither break a line nor reach
    the terminal as a command.
    """
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _short(token: str) -> str:
    return token if len(token) <= _LONGEST_VALUE else f"{token[: _LONGEST_VALUE - 3]}..."


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
