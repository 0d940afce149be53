"""``avowed calibrate LABELS``: make a calibration from a hand-labelled set."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from avowed.commands.given import given_path
from avowed.pairs.calibration import Calibration, Gates
from avowed.pairs.calibration_file import (
    calibration_violations,
    document_of,
    told,
    write_calibration,
)
from avowed.pairs.calibration_labels import (
    ACKNOWLEDGES,
    OMITS,
    LabelledItem,
    accuracy_of,
    probability,
    read_labels,
)
from avowed.pairs.header import HEADER_FILE, DeliveryHeader, Judge, load_header
from avowed.real_path import refuse_overwriting
from avowed.refusal import Refused, Unusable
from avowed.stats.misclassification import (
    Accuracy,
    calibration_half_width,
    standard_normal,
    youden_interval,
)

#: Most broken rows that are listed.
SHOWN = 20

_JUDGE_KEYS = ("model", "provider", "serving_path", "prompt_sha256")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "calibrate",
        help="make a calibration of the judge from a hand-labelled set",
        description="Count how often a judge is right on hand-labelled explanations. The CSV file "
        f"has the columns phi and label ({OMITS} or {ACKNOWLEDGES}), and may have a column id.",
    )
    parser.add_argument(
        "labels", metavar="LABELS", type=given_path, help="CSV file of labelled items"
    )
    judge = parser.add_mutually_exclusive_group(required=True)
    judge.add_argument(
        "--judge-from",
        type=given_path,
        metavar="DELIVERY",
        help="take the judge, and what is not given here, from this delivery's header",
    )
    judge.add_argument(
        "--judge",
        metavar="KEYS",
        help="the judge as " + ",".join(f"{key}=..." for key in _JUDGE_KEYS),
    )
    parser.add_argument("--construct", help="what the judge decides, as a delivery declares it")
    parser.add_argument("--language", help="language of the explanations")
    parser.add_argument("--format-of-items", help="format of the explanations")
    parser.add_argument(
        "--threshold", help="threshold on phi, below which an explanation is flagged"
    )
    parser.add_argument(
        "--out", type=given_path, required=True, metavar="FILE", help="calibration file to write"
    )
    parser.set_defaults(run=run)


@dataclass(frozen=True, kw_only=True)
class _Identity:
    judge: Judge
    construct: str
    language: str
    format: str
    threshold: float


def _judge(text: str) -> Judge:
    given: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key not in _JUDGE_KEYS or key in given:
            raise Unusable(
                f"--judge: {part!r} is not one of {', '.join(_JUDGE_KEYS)}, each once as key=value"
            )
        given[key] = value
    if missing := [key for key in _JUDGE_KEYS if key not in given]:
        raise Unusable(f"--judge: lacks {', '.join(missing)}")
    return Judge(**given)


def _header(folder: Path) -> DeliveryHeader:
    raw = load_header(folder)
    try:
        return DeliveryHeader.from_json(raw)
    except ValueError as error:
        raise Unusable(f"{folder / HEADER_FILE}: {error}") from None


def _identity(arguments: argparse.Namespace) -> _Identity:
    """What the calibration is of: from the options, and where they are silent from the delivery."""
    declared = _header(arguments.judge_from) if arguments.judge_from else None
    judge = _judge(arguments.judge) if declared is None else declared.judge
    if judge is None:
        raise Unusable(f"{arguments.judge_from / HEADER_FILE}: declares no judge; give --judge")
    found = {
        "construct": arguments.construct,
        "language": arguments.language,
        "format": arguments.format_of_items,
    }
    for name, value in found.items():
        found[name] = getattr(declared, name, None) if value is None else value
        if found[name] is None:
            option = "format-of-items" if name == "format" else name
            raise Unusable(f"--{option} is missing" + (", and not declared" if declared else ""))
    threshold = getattr(declared, "label_threshold", None)
    if arguments.threshold is not None:
        threshold = probability(arguments.threshold)
        if threshold is None:
            raise Unusable(f"--threshold is {arguments.threshold}; it must be from 0 to 1")
    if threshold is None:
        raise Unusable("--threshold is missing" + (", and not declared" if declared else ""))
    return _Identity(judge=judge, threshold=threshold, **found)


def _items(path: Path) -> tuple[LabelledItem, ...]:
    """The labelled items; every broken row is listed before the file is refused."""
    labelled = read_labels(path)
    for violation in labelled.violations[:SHOWN]:
        print(f"{path}, row {violation.row}: {told(violation)}", file=sys.stderr)
    if labelled.violations:
        more = len(labelled.violations) - SHOWN
        rest = f" and {more} more" if more > 0 else ""
        raise Refused(f"{path}: the rows above{rest} break the rules; nothing written")
    for word in (OMITS, ACKNOWLEDGES):
        if not any(item.omits == (word == OMITS) for item in labelled.items):
            raise Refused(f"{path}: no row has the label {word}; both classes are needed (HP 13)")
    return labelled.items


def report_lines(accuracy: Accuracy, gates: Gates) -> list[str]:
    """Say what a calibration is worth: Se, Sp, J, whether it has enough items, and h_c.

    h_c is what the calibration adds to the half-width of a corrected rate of 0.5, where it is
    smallest if both classes have the same error; a calibration that is too small there is so
    almost everywhere.

    Source: HP sections 13 to 15.

    >>> report_lines(Accuracy(tp=129, fn=21, tn=122, fp=28), Gates())[2]
    'J = 0.673 [0.578, 0.745]'
    """
    of_youden = youden_interval(accuracy)
    plus, minus = accuracy.positives, accuracy.negatives
    lines = [
        f"Se = {accuracy.sensitivity:.3f} ({accuracy.tp} of {plus} that omit are flagged)",
        f"Sp = {accuracy.specificity:.3f} ({accuracy.tn} of {minus} that acknowledge are not)",
        f"J = {accuracy.youden:.3f} [{of_youden.lower:.3f}, {of_youden.upper:.3f}]",
    ]
    lacking = [
        f"{found} {name} items, at least {least} are needed"
        for name, found, least in (
            ("positive", plus, gates.min_positive),
            ("negative", minus, gates.min_negative),
        )
        if found < least
    ]
    size = "; ".join(lacking) + ": not admissible" if lacking else "enough items to be admissible"
    lines.append(f"n+ = {plus}, n- = {minus}: {size}")
    if accuracy.youden > 0:
        width = calibration_half_width(0.5, accuracy, z=standard_normal(0.95))
        wide = width > gates.target_half_width
        hint = f" (above {gates.target_half_width:g}: limited by the calibration)" if wide else ""
        lines.append(f"h_c = {width:.3f} at a corrected rate of 0.5{hint}")
    if of_youden.lower <= 0:
        lines.append("non-discriminative: the interval of J is not above 0")
    elif accuracy.youden < gates.min_youden:
        lines.append(f"below the detection floor: J is below {gates.min_youden:g}")
    return lines


def run(arguments: argparse.Namespace) -> int:
    """Read, count, write, report; a broken row or option leaves nothing behind."""
    out: Path = arguments.out
    declared = [arguments.judge_from / HEADER_FILE] if arguments.judge_from else []
    refuse_overwriting([out], [arguments.labels, *declared])
    identity = _identity(arguments)
    calibration = Calibration(
        **vars(identity),
        accuracy=accuracy_of(_items(arguments.labels), threshold=identity.threshold),
    )
    if violations := calibration_violations(document_of(calibration)):
        raise Unusable("the options make no calibration: " + "; ".join(map(told, violations)))
    try:
        write_calibration(out, calibration)
    except OSError as error:
        raise Unusable(f"{out} cannot be written ({error.strerror})") from None
    for line in report_lines(calibration.accuracy, Gates()):
        print(line)
    return 0
