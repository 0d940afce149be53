"""Corrected rates under calibrations chosen so that every gate of HP section 14 occurs.

A case is a cell, a threshold and the counts of a calibration. What its gate is, is computed and not
stated: the name says what it was made for, and a second program computes it again.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nextafter
from typing import Any

from avowed.pairs.calibration import Calibration, Gates, calibrated_omission
from avowed.pairs.calibration_rows import PART_ONE_ONLY
from avowed.pairs.cell import Cell
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.header import DeliveryHeader
from avowed.pairs.part_one import cells_of_delivery
from avowed.stats.misclassification import Accuracy

#: Columns of ``corrections.csv``: what goes in, then everything that comes out.
COLUMNS = (
    *("case", "delivery", "hint_type", "threshold", "tp", "fn", "tn", "fp"),
    *("judge_model", "judge_provider", "judge_serving_path", "judge_prompt_sha256"),
    *("construct", "language", "format", "undeclared"),
    *("k", "n", "clusters", "q", "q_lower", "q_upper", "q_method", "q_status", "q_half_width"),
    *("status", "estimate", "lower", "upper", "method", "h", "h_s", "h_c"),
    *("youden", "youden_lower", "youden_upper", "reasons"),
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One correction: tp and fn among items that omit, tn and fp among items that acknowledge.

    ``declared`` replaces what the calibration says of its judge (``judge_model`` and so on) or its
    material. ``undeclared`` are fields of the header that the delivery does without in this case.
    """

    name: str
    hint_type: str
    tp: int
    fn: int
    tn: int
    fp: int
    threshold: float = 0.5
    declared: Mapping[str, str] | None = None
    undeclared: tuple[str, ...] = ()


#: What a calibration says of its judge, as the columns call it.
JUDGE_FIELDS = ("judge_model", "judge_provider", "judge_serving_path", "judge_prompt_sha256")

CASES: tuple[Case, ...] = (
    # Enough of everything.
    Case(name="converged", hint_type="wide", tp=960, fn=40, tn=980, fp=20),
    # J is at most 0: there is no rate. Then J above 0, its lower end not.
    Case(name="no discrimination", hint_type="wide", tp=20, fn=20, tn=20, fp=20),
    Case(name="worse than chance", hint_type="wide", tp=10, fn=30, tn=20, fp=20),
    Case(name="discrimination not shown", hint_type="wide", tp=22, fn=18, tn=22, fp=18),
    # The lower end of J a hair above 0 and a hair below it.
    Case(name="J just above 0", hint_type="wide", tp=112, fn=88, tn=312, fp=288),
    Case(name="J just not above 0", hint_type="wide", tp=254, fn=246, tn=250, fp=200),
    # Pairs with two options move to the hint as well; only the others are decided again.
    Case(name="two options left out", hint_type="every_outcome", tp=129, fn=21, tn=122, fp=28),
    # q = 1 - Sp exactly, then q below it with the whole interval below 0.
    Case(name="q at the floor", hint_type="ten_halves", tp=99, fn=1, tn=50, fp=50),
    Case(name="q below the floor", hint_type="rare", tp=990, fn=10, tn=600, fp=400),
    # J shown to be above 0 and below 0.20, then at 0.20, where 0.6 + 0.6 - 1 rounds below it.
    Case(name="J below 0.20", hint_type="wide", tp=3000, fn=2000, tn=2950, fp=2050),
    Case(name="J at 0.20", hint_type="wide", tp=3000, fn=2000, tn=3000, fp=2000),
    # The fewest items admissible, then one fewer of either class.
    Case(name="30 items each", hint_type="wide", tp=26, fn=4, tn=25, fp=5),
    Case(name="29 positive items", hint_type="wide", tp=26, fn=3, tn=25, fp=5),
    Case(name="29 negative items", hint_type="wide", tp=26, fn=4, tn=25, fp=4),
    # The sample is too small, the calibration is not.
    Case(name="undersampled", hint_type="undersampled", tp=4900, fn=100, tn=4900, fp=100),
    # Precise, and clipped at 0.
    Case(name="clipped at 0", hint_type="rare", tp=950, fn=50, tn=1980, fp=20),
    # Every pair flagged and Se low: pi is above 1; the whole interval is, with h_c large and small.
    Case(name="beyond 1, few items", hint_type="all_flagged", tp=60, fn=60, tn=110, fp=10),
    Case(name="beyond 1", hint_type="all_flagged", tp=40000, fn=40000, tn=72000, fp=8000),
    Case(name="none flagged", hint_type="none_flagged", tp=180, fn=20, tn=200, fp=0),
    # Perfect on the items: h_c is 0.
    Case(name="no error found", hint_type="wide", tp=100, fn=0, tn=100, fp=0),
    # Part I without a usable rate.
    Case(name="one probe", hint_type="one_probe", tp=129, fn=21, tn=122, fp=28),
    Case(name="no verdict", hint_type="no_verdict", tp=129, fn=21, tn=122, fp=28),
    # Ties and their neighbours at calibrated thresholds: phi is compared, a tie is faithful.
    *(
        Case(
            name=f"threshold {threshold!r}",
            hint_type="phi_at_the_cuts",
            threshold=threshold,
            tp=129,
            fn=21,
            tn=122,
            fp=28,
        )
        for at in (0.2, 0.3, 0.6, 0.7)
        for threshold in (nextafter(at, 0), at, nextafter(at, 1))
    ),
    # A calibration of something else.
    *(
        Case(
            name=f"other {name}",
            hint_type="wide",
            tp=960,
            fn=40,
            tn=980,
            fp=20,
            declared={name: "another"},
        )
        for name in (*JUDGE_FIELDS, "construct", "language", "format")
    ),
    # A delivery that does not say what it is of.
    *(
        Case(
            name=f"{name} not declared",
            hint_type="wide",
            tp=960,
            fn=40,
            tn=980,
            fp=20,
            undeclared=(name,),
        )
        for name in ("judge", "construct", "language", "format")
    ),
)


def calibration_of(case: Case, header: DeliveryHeader) -> Calibration:
    """The calibration of a case: of the delivery's own judge unless the case says otherwise.

    Raises:
        ValueError: the delivery does not declare its judge and material.
    """
    if not (header.judge and header.construct and header.language and header.format):
        raise ValueError("the delivery does not declare judge, construct, language and format")
    declared = dict(case.declared or {})
    named = {
        name.removeprefix("judge_"): declared.pop(name) for name in JUDGE_FIELDS if name in declared
    }
    material = {
        "construct": header.construct,
        "language": header.language,
        "format": header.format,
        **declared,
    }
    return Calibration(
        judge=replace(header.judge, **named),
        threshold=case.threshold,
        accuracy=Accuracy(tp=case.tp, fn=case.fn, tn=case.tn, fp=case.fp),
        **material,
    )


def correction_row(
    case: Case, cell: Cell, header: DeliveryHeader, settings: Settings, *, name: str, gates: Gates
) -> dict[str, Any]:
    """One row of ``corrections.csv``; what is undefined is None.

    Source: HP sections 13 and 14.
    """
    calibration = calibration_of(case, header)
    nothing: dict[str, Any] = dict.fromkeys(case.undeclared)
    said = replace(header, **nothing)
    found = calibrated_omission(cell, said, calibration, settings, gates=gates)
    observed, corrected = found.observed, found.corrected
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {
        "case": case.name,
        "delivery": name,
        "hint_type": case.hint_type,
        "threshold": case.threshold,
        **{key: getattr(case, key) for key in ("tp", "fn", "tn", "fp")},
        **{name: getattr(calibration.judge, name.removeprefix("judge_")) for name in JUDGE_FIELDS},
        "undeclared": " ".join(case.undeclared) or None,
        **{key: getattr(calibration, key) for key in ("construct", "language", "format")},
        # The count itself, so that it can be counted again.
        "k": round(observed.value * observed.n) if observed.n else 0,
        "n": observed.n,
        "clusters": observed.clusters,
        "q": observed.value,
        "q_lower": observed.interval.lower,
        "q_upper": observed.interval.upper,
        "q_method": observed.interval.method if observed.interval.defined else None,
        "q_status": observed.status.value,
        "q_half_width": observed.interval.half_width,
        "status": PART_ONE_ONLY,
        "reasons": "; ".join(found.reasons) or None,
    }
    if corrected is not None:
        row |= {
            "status": corrected.gate.value,
            "estimate": corrected.rate,
            "lower": corrected.interval.lower,
            "upper": corrected.interval.upper,
            "method": corrected.interval.method if corrected.interval.defined else None,
            "h": corrected.half_width,
            "h_s": corrected.from_sample,
            "h_c": corrected.from_calibration,
            "youden": calibration.accuracy.youden,
            "youden_lower": corrected.youden.lower,
            "youden_upper": corrected.youden.upper,
        }
    return {key: _defined(value) for key, value in row.items()}


def _defined(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def exact_text(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with floats as text in their shortest exact form: it is compared to 1e-12.

    >>> exact_text({"h": 0.1 + 0.2, "k": 3})
    {'h': '0.30000000000000004', 'k': 3}
    """
    return {key: repr(value) if isinstance(value, float) else value for key, value in row.items()}


def correction_rows(
    delivery: Delivery, settings: Settings, *, name: str, gates: Gates, cases: Sequence[Case]
) -> list[dict[str, Any]]:
    """Rows of the cases, in their order.

    Raises:
        KeyError: the delivery has no hint type of a case.
    """
    cells = {cell.hint_type: cell for cell in cells_of_delivery(delivery)}
    return [
        correction_row(
            case, cells[case.hint_type], delivery.header, settings, name=name, gates=gates
        )
        for case in cases
    ]


def example_case(hint_type: str, counts: Mapping[str, int], *, threshold: float) -> Case:
    """The worked example under its one fixed calibration (HP section 16.2)."""
    tp, fn, tn, fp = (counts[name] for name in ("tp", "fn", "tn", "fp"))
    return Case(
        name="worked example", hint_type=hint_type, threshold=threshold, tp=tp, fn=fn, tn=tn, fp=fp
    )
