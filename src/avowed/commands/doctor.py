"""``avowed doctor DELIVERY [DELIVERY ...]``: what is wrong or thin in a delivery, what to do."""

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from avowed.commands.deliveries import add_deliveries, names_of
from avowed.commands.given import read_config
from avowed.importing.exclusions import Reason
from avowed.importing.left_out import read_left_out
from avowed.pairs.delivery import read_delivery
from avowed.pairs.doctor.diagnosis import diagnose
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.imported import LeftOut
from avowed.pairs.doctor.refusals import Refusal, refusals
from avowed.pairs.doctor.words import counted
from avowed.pairs.estimate import Settings
from avowed.pairs.rules import validate
from avowed.present.csvfile import cell_text
from avowed.present.validation import text_lines
from avowed.sheet_cell import sheet_cell

ACCEPTED, REJECTED = 0, 1
COLUMNS = ("delivery", "cell", "severity", "code", "found", "section", "why", "do", "numbers")

#: Severity of a broken rule in the table; no finding has it.
REFUSED = "refused"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "doctor",
        help="say what is wrong or thin in a delivery and what to do",
        description="Validate deliveries, then look for what the rules cannot see: miscoded "
        "answers, copied replicas, a saturated judge, too few probes. docs/doctor.md lists every "
        "finding. Exit code 1: a delivery breaks a rule, or, with --strict, something is wrong.",
    )
    add_deliveries(parser)
    parser.add_argument(
        "--strict", action="store_true", help="exit code 1 if there is a finding 'wrong'"
    )
    parser.add_argument(
        "--format",
        choices=("text", "csv", "json"),
        default="text",
        help="sentences for people, a table, or JSON for programs (default: %(default)s)",
    )
    parser.set_defaults(run=run)


@dataclass(frozen=True, kw_only=True)
class _Examination:
    """What is said of one delivery: broken rules with the words of `avowed validate`, or findings.

    ``cells`` names the cell of each hint type as `avowed estimate` does.
    """

    name: str
    records: int
    cells: Mapping[str, str]
    findings: Sequence[Finding]
    refusals: Sequence[Refusal]
    verdict: Sequence[str]

    @property
    def counts(self) -> dict[str, int]:
        """Findings by severity, the worst first."""
        found = Counter(each.severity for each in self.findings)
        return {each.value: found[each] for each in Severity}

    def cell_of(self, finding: Finding) -> str:
        """The cell of a finding; nothing if it is about the delivery."""
        return "" if finding.hint_type is None else self.cells[finding.hint_type]


def run(arguments: argparse.Namespace) -> int:
    """Examine every delivery, print, and return 0 or 1.

    Raises:
        Unusable: a delivery, the configuration or the record of an import cannot be read.
    """
    names = names_of(arguments.paths, arguments.name)
    config = {} if arguments.config is None else read_config(arguments.config)
    settings = Settings.from_config(config)
    found = [
        _examine(path, name, settings) for path, name in zip(arguments.paths, names, strict=True)
    ]
    if arguments.format == "json":
        print(json.dumps({"deliveries": [_described(each) for each in found]}, indent=2))
    elif arguments.format == "csv":
        _print_table(found)
    else:
        for number, each in enumerate(found):
            print(*([""] if number else []), *_lines(each), sep="\n")
    sys.stdout.flush()
    refused = any(each.refusals for each in found)
    wrong = any(each.counts[Severity.WRONG] for each in found)
    return REJECTED if refused or (arguments.strict and wrong) else ACCEPTED


def _examine(path: Path, name: str, settings: Settings) -> _Examination:
    report = validate(path)
    if not report.accepted:
        return _Examination(
            name=name,
            records=report.records,
            cells={},
            findings=(),
            refusals=refusals(report),
            verdict=list(text_lines(report)),
        )
    delivery = read_delivery(path)
    kinds = delivery.header.hint_types
    return _Examination(
        name=name,
        records=report.records,
        cells={kind: name if len(kinds) == 1 else f"{name}/{kind}" for kind in kinds},
        findings=diagnose(delivery, settings, left_out=left_out_of(path, report.records)),
        refusals=(),
        verdict=(),
    )


def left_out_of(folder: Path, records: int) -> LeftOut | None:
    """What the import of a delivery left out, as the checks want it; None if not imported.

    Raises:
        Unusable: the record of the import is not what an import writes.
    """
    found = read_left_out(folder)
    if found is None:
        return None
    pairs = records if found.records is None else found.records
    return LeftOut(
        records=found.records,
        rows=pairs + found.incomplete + sum(found.rows.values()),
        hint_on_correct=found.rows.get(Reason.HINT_IS_CORRECT, 0),
        reasons={each: n for each, n in found.rows.items() if each != Reason.HINT_IS_CORRECT},
        verdicts={
            each: n for each, n in found.verdicts.items() if each == Reason.VERDICT_ELSEWHERE
        },
        unusable={
            each: n
            for each, n in found.verdicts.items()
            if each not in (Reason.VERDICT_ELSEWHERE, Reason.UNKNOWN_VERDICT)
        },
        unknown=found.verdicts.get(Reason.UNKNOWN_VERDICT, 0),
        words=found.words,
    )


def _lines(each: _Examination) -> Iterator[str]:
    if each.refusals:
        yield f"{each.name}: refused, {counted(len(each.refusals), 'rule')} broken"
        for refusal in each.refusals:
            yield f"  {refusal.rule}, {counted(refusal.count, 'violation')}: {refusal.found}"
            yield f"    {refusal.cause}"
        yield from each.verdict
        return
    counts = ", ".join(f"{count} {severity}" for severity, count in each.counts.items())
    cells = counted(len(each.cells), "hint type")
    yield f"{each.name}: accepted, {counted(each.records, 'pair')} of {cells}; findings: {counts}"
    for severity in Severity:
        codes: dict[str, list[Finding]] = {}
        for finding in each.findings:
            if finding.severity is severity:
                codes.setdefault(finding.code, []).append(finding)
        if codes:
            yield f"{severity.value}:"
        for code, same in codes.items():
            yield f"  {code} ({same[0].section})"
            for finding in same:
                cell = each.cell_of(finding)
                yield f"    {f'{cell}: ' if cell else ''}{_sentence(finding.found)}"
            # What several cells share is explained once.
            yield f"    Why: {same[0].why}"
            yield f"    Do: {same[0].advice}"


def _sentence(text: str) -> str:
    # Only the first letter: a hint type or a field name keeps its own.
    return f"{text[:1].upper()}{text[1:]}."


def _described(each: _Examination) -> dict[str, Any]:
    return {
        "delivery": each.name,
        "accepted": not each.refusals,
        "records": each.records,
        "counts": each.counts,
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity.value,
                "cell": each.cell_of(finding) or None,
                "hint_type": finding.hint_type,
                "found": finding.found,
                "section": finding.section,
                "why": finding.why,
                "do": finding.advice,
                "numbers": {key: _ten_digits(value) for key, value in finding.numbers.items()},
            }
            for finding in each.findings
        ],
        "refusals": [
            {
                "rule": refusal.rule,
                "violations": refusal.count,
                "first": asdict(refusal.first),
                "cause": refusal.cause,
            }
            for refusal in each.refusals
        ],
        "verdict": list(each.verdict),
    }


def _ten_digits(value: int | float) -> int | float:
    """Floats as in every table, at ten digits, which hides the last bits of a processor."""
    return float(f"{value:.10g}") if isinstance(value, float) else value


def _print_table(found: Sequence[_Examination]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found:
        for line in each.verdict:
            print(line, file=sys.stderr)
        for refusal in each.refusals:
            row = (each.name, "", REFUSED, refusal.rule, refusal.found, "HP 5", "", refusal.cause)
            writer.writerow([*map(sheet_cell, row), f"violations={refusal.count}"])
        for finding in each.findings:
            numbers = "; ".join(f"{key}={cell_text(n)}" for key, n in finding.numbers.items())
            row = (
                each.name,
                each.cell_of(finding),
                finding.severity.value,
                finding.code,
                finding.found,
                finding.section,
                finding.why,
                finding.advice,
            )
            writer.writerow([*map(sheet_cell, row), numbers])
