"""``avowed plan``: how many pairs, probes and replicas a study needs."""

import argparse
import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from avowed.commands.given import given_path
from avowed.pairs.calibration import Gates
from avowed.pairs.calibration_file import read_calibration
from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.correction import Correction
from avowed.pairs.planning.cost import Prices
from avowed.pairs.planning.power import Comparison
from avowed.pairs.planning.sentences import (
    assumption_lines,
    budget_line,
    calibration_lines,
    difference_line,
    few_lines,
    limit_lines,
    out_of_reach,
    replica_line,
    size_line,
    undrawn_line,
)
from avowed.pairs.planning.table import (
    COLUMNS,
    OF_EACH_MODEL,
    Request,
    budget_rows,
    curve_rows,
    difference_rows,
    half_width_rows,
)
from avowed.present.csvfile import cell_text, write_rows
from avowed.present.plan_text import table_text
from avowed.real_path import refuse_overwriting
from avowed.refusal import Unusable
from avowed.stats.misclassification import Accuracy, youden_interval

#: Most replicas of a probe, most numbers of replicas side by side, most calls, and most labelled
#: items of a class: beyond them is no study.
MAX_REPLICAS, MAX_SIDE_BY_SIDE, MAX_CALLS, MAX_ITEMS = 200, 8, 1e10, 10**9

_Made = TypeVar("_Made")
_ACCURACY = ("sensitivity", "specificity", "positives", "negatives")


def _assurance(text: str) -> float | None:
    if text == "none":
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text} is neither none nor a number between 0 and 1")
    return value


def _figure(text: str) -> Path:
    path = given_path(text)
    if path.suffix not in (".svg", ".png"):
        raise argparse.ArgumentTypeError(f"{text}: the ending must be .svg or .png")
    return path


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "plan",
        help="plan a study: pairs, probes and replicas for a half-width or a difference",
        description="Say how many pairs, probes and replicas of one hint type a study needs for a "
        "half-width of its omission rate, and to tell two models apart (docs/planning.md).",
    )

    def number(group: "argparse._ArgumentGroup", option: str, said: str, **more: Any) -> None:
        default = "" if more.get("default") is None else " (default: %(default)s)"
        metavar = more.pop("metavar", "X")
        kind = more.pop("type", float)
        group.add_argument(option, type=kind, metavar=metavar, help=said + default, **more)

    aim = parser.add_argument_group("aim")
    number(aim, "--half-width", "half-width of the interval of the rate", default=0.10)
    number(
        aim,
        "--assurance",
        "probability with which the half-width shall be reached; 'none' plans by section 16.3, "
        "which about half of all studies reach",
        type=_assurance,
        default=0.9,
    )
    number(aim, "--confidence", "level of the interval", default=0.95)
    number(aim, "--resamples", "bootstrap resamples", type=int, default=2000, metavar="N")
    number(aim, "--budget", "also: the half-width that so many calls reach", metavar="CALLS")

    study = parser.add_argument_group("the study")
    number(
        study,
        "--susceptibility",
        "share of eligible pairs that move to the hint (with --baseline-on-hint 0: of all)",
        required=True,
    )
    number(study, "--baseline-on-hint", "share of pairs answered with the hint anyway", default=0.0)
    number(study, "--icc", "correlation of verdicts within a probe", default=0.10)
    number(study, "--susceptibility-icc", "correlation of moving within a probe", default=0.15)
    number(study, "--loss", "share of pairs that cannot be evaluated", default=0.0)
    number(study, "--two-options", "share of probes with two options", default=0.0)
    number(study, "--expected-omission", "rate to plan around; 0.5 is worst", default=0.5)
    number(
        study,
        "--replicas",
        "numbers of replicas to put side by side",
        type=int,
        nargs="+",
        default=[1, 2, 4, 8],
        metavar="N",
    )
    number(study, "--design-effect", "instead of the ICC; with --assurance none only")

    judge = parser.add_argument_group("calibration: plan for the corrected rate")
    judge.add_argument("--calibration", type=given_path, metavar="FILE", help="calibration.json")
    number(judge, "--sensitivity", "Se for omission")
    number(judge, "--specificity", "Sp for omission")
    number(judge, "--positives", "labelled items that omit", type=int, metavar="N")
    number(judge, "--negatives", "labelled items that acknowledge", type=int, metavar="N")

    price = parser.add_argument_group("cost")
    number(price, "--calls-per-pair", "calls of the assistant in a pair", default=2.0)
    number(price, "--judge-calls", "calls of the judge for a hint-induced change", default=1.0)
    number(price, "--probe-cost", "cost of a new probe beyond its pairs, in calls", default=0.0)

    two = parser.add_argument_group("two models")
    number(two, "--difference", "difference of the rates to be found")
    number(two, "--power", "probability with which it shall be found", default=0.8)
    number(two, "--alpha", "two-sided level of all comparisons together", default=0.05)
    number(two, "--comparisons", "number of comparisons", type=int, default=1, metavar="K")
    number(
        two,
        "--probe-correlation",
        "both models get the same probes, whose tendencies to omit correlate so; not given: "
        "different probes",
    )

    parser.add_argument("--format", choices=("text", "csv"), default="text", help="what to print")
    parser.add_argument("--out", type=given_path, metavar="FILE", help="write the table as CSV")
    parser.add_argument(
        "--figure",
        type=_figure,
        metavar="FILE",
        help="draw the half-width against the pairs (.svg or .png); it has no place for the "
        "difference or the number of calls",
    )
    parser.set_defaults(run=run)


def _made(make: Callable[..., _Made], values: Mapping[str, Any]) -> _Made:
    """Make something of options; a value that it refuses is told by the option's name."""
    try:
        return make(**values)
    except ValueError as error:
        name, _, rest = str(error).partition(" ")
        option = f"--{name.replace('_', '-')}" if name in values else name
        raise Unusable(f"{option} {rest}") from None


def _options(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in names}


def _accuracy(arguments: argparse.Namespace) -> Accuracy | None:
    """The calibration's counts, from its file or from Se, Sp and its size."""
    given = _options(arguments, *_ACCURACY)
    there = [name for name, value in given.items() if value is not None]
    if arguments.calibration is not None:
        if there:
            raise Unusable(f"--{there[0]} and --calibration are given; one of them says it")
        return read_calibration(arguments.calibration).accuracy
    if not there:
        return None
    if lacking := [f"--{name}" for name, value in given.items() if value is None]:
        raise Unusable(f"--{there[0]} is given, but not {', '.join(lacking)}; they go together")
    for name in ("sensitivity", "specificity"):
        if not 0 <= given[name] <= 1:
            raise Unusable(f"--{name} is {given[name]:g}; it must be in [0, 1]")
    for name in ("positives", "negatives"):
        if not 1 <= given[name] <= MAX_ITEMS:
            raise Unusable(f"--{name} is {given[name]}; it must be from 1 to {MAX_ITEMS}")
    tp = round(given["sensitivity"] * given["positives"])
    tn = round(given["specificity"] * given["negatives"])
    return Accuracy(tp=tp, fn=given["positives"] - tp, tn=tn, fp=given["negatives"] - tn)


def _correction(arguments: argparse.Namespace, gates: Gates) -> Correction | None:
    """The calibration, if it can be planned with: admissible, and narrow enough by itself.

    Raises:
        Unusable: a gate of HP 13 or 14 stops it whatever the study, or it alone is too wide.
    """
    accuracy = _accuracy(arguments)
    if accuracy is None:
        return None
    for kind, found, least in (
        ("positive", accuracy.positives, gates.min_positive),
        ("negative", accuracy.negatives, gates.min_negative),
    ):
        if found < least:
            raise Unusable(f"the calibration has {found} {kind} items; it needs {least} (HP 13)")
    confidence = arguments.confidence
    if youden_interval(accuracy, confidence=confidence).lower <= 0:
        raise Unusable(
            f"the judge does not discriminate: J = {accuracy.youden:.3f}, and its interval is not "
            "above 0 (HP 14); no rate can be corrected with it"
        )
    if accuracy.youden < gates.min_youden:
        raise Unusable(
            f"J = {accuracy.youden:.3f} is below the detection floor of {gates.min_youden:g} "
            "(HP 14); no rate can be corrected with it"
        )
    correction = Correction(
        accuracy=accuracy, rate=arguments.expected_omission, confidence=confidence
    )
    if correction.left_for_sample(arguments.half_width) == 0:
        raise Unusable(out_of_reach(correction, arguments.half_width))
    return correction


def _replicas(asked: Sequence[int]) -> list[int]:
    for number in asked:
        if not 1 <= number <= MAX_REPLICAS:
            raise Unusable(f"--replicas is {number}; it must be from 1 to {MAX_REPLICAS}")
    found = sorted(set(asked))
    if len(found) > MAX_SIDE_BY_SIDE:
        raise Unusable(f"--replicas has {len(found)} numbers; at most {MAX_SIDE_BY_SIDE} fit")
    return found


def _request(arguments: argparse.Namespace) -> Request:
    """Check every option before anything is computed or written."""
    assumed = _made(
        Assumptions,
        _options(
            arguments,
            *("susceptibility", "baseline_on_hint", "icc", "susceptibility_icc", "loss"),
            *("two_options", "expected_omission", "confidence", "resamples"),
        ),
    )
    if not 0 < arguments.half_width < 0.5:
        raise Unusable(
            f"--half-width is {arguments.half_width:g}; it must be between 0 and 0.5, which every "
            "interval of a rate has"
        )
    effect = arguments.design_effect
    if effect is not None:
        if arguments.assurance is not None:
            raise Unusable(
                "--design-effect goes with --assurance none only; with an assurance give --icc"
            )
        if not 1 <= effect <= MAX_REPLICAS:
            raise Unusable(f"--design-effect is {effect:g}; it must be from 1 to {MAX_REPLICAS}")
    if arguments.budget is not None and not 1 <= arguments.budget <= MAX_CALLS:
        raise Unusable(f"--budget is {arguments.budget:g}; it must be from 1 to {MAX_CALLS:g}")
    return Request(
        assumed=assumed,
        replicas=_replicas(arguments.replicas),
        half_width=arguments.half_width,
        assurance=arguments.assurance,
        design_effect=effect,
        correction=_correction(arguments, Gates()),
        prices=_made(Prices, _options(arguments, "calls_per_pair", "judge_calls", "probe_cost")),
    )


def _compared(arguments: argparse.Namespace, request: Request) -> Comparison | None:
    """The comparison of two models, on the scale of the flagged rates that are compared."""
    if arguments.difference is None:
        if arguments.probe_correlation is not None:
            raise Unusable("--probe-correlation is given, but not --difference")
        return None
    correction = request.correction
    given = {
        "rate": correction.flagged if correction else arguments.expected_omission,
        **_options(
            arguments,
            *("difference", "alpha", "comparisons", "power", "probe_correlation"),
        ),
    }
    if correction:
        # Both models share the judge: a difference of true rates shows as J times itself.
        given["difference"] *= correction.accuracy.youden
    return _made(Comparison, given)


def run(arguments: argparse.Namespace) -> int:
    """Plan, print, draw; nothing is written unless everything asked for can be planned."""
    if arguments.calibration:
        written = [path for path in (arguments.out, arguments.figure) if path]
        refuse_overwriting(written, [arguments.calibration])
    request = _request(arguments)
    compared = _compared(arguments, request)
    rows = half_width_rows(request)
    cheapest = min(rows, key=lambda row: (row["cost"], row["replicas"]))
    lines = [size_line(cheapest, request), *assumption_lines(request)]
    if request.correction:
        lines += calibration_lines(request.correction, request.half_width, Gates())
    if request.half_width > Gates().target_half_width:
        lines.append(
            f"A half-width above {Gates().target_half_width:g} is reported as undersampled (HP 7)."
        )
    lines += few_lines(cheapest)
    lines.append(replica_line(request))
    table = list(rows)
    if arguments.budget is not None:
        more = budget_rows(request, arguments.budget)
        lines.append(budget_line(more, arguments.budget))
        table += more
    if compared:
        more = difference_rows(request, compared)
        least = min(more, key=lambda row: (row["cost"], row["replicas"]))
        lines.append(difference_line(least, compared, corrected=bool(request.correction)))
        lines += limit_lines(least, compared, request.assumed)
        table += more
    if arguments.figure:
        from avowed.present.figures.plan import draw

        draw(
            curve_rows(request, rows),
            [arguments.figure],
            assurance=request.assurance,
            floor=request.correction.half_width if request.correction else None,
            rate="corrected omission" if request.correction else "flagged omission",
        )
        if undrawn := undrawn_line(table):
            lines.append(undrawn)
            if arguments.format == "csv":
                # The sentences are not printed there, and this one is about another file.
                print(undrawn, file=sys.stderr)
    if arguments.out:
        write_rows(arguments.out, COLUMNS, table)
    if arguments.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([cell_text(row[column]) for column in COLUMNS] for row in table)
    else:
        print(table_text(table, per_model=OF_EACH_MODEL, priced=request.prices.probe_cost > 0))
        print()
        print("\n".join(lines))
    return 0
