"""Part II: admissibility field by field, the correction, and its gates in order."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.cells import cell_of, probes

from avowed.pairs.calibration import (
    CalibratedOmission,
    Calibration,
    Corrected,
    Gate,
    Gates,
    calibrated_omission,
    correct,
    redecided_omission,
    why_inadmissible,
)
from avowed.pairs.calibration_rows import (
    CORRECTED_COLUMNS,
    corrected_columns,
    corrected_line,
)
from avowed.pairs.estimate import Settings
from avowed.pairs.header import Coverage, DeliveryHeader, Judge
from avowed.pairs.omission import conditional_omission
from avowed.pairs.record import LabelSource, PhiSource
from avowed.stats.misclassification import Accuracy
from avowed.stats.status import Status

JUDGE = Judge(model="m", provider="p", serving_path="local", prompt_sha256="a" * 64)
PAPER = Accuracy(tp=129, fn=21, tn=122, fp=28)
CALIBRATION = Calibration(
    judge=JUDGE,
    construct="omission",
    language="en",
    format="text",
    threshold=0.5,
    accuracy=PAPER,
)
HEADER = DeliveryHeader(
    planned_replicas=8,
    hint_types=("metadata",),
    hint_channel="user_message",
    phi_source=PhiSource.TOKEN_LOGPROBS,
    label_source=LabelSource.THRESHOLD,
    label_threshold=0.5,
    coverage=(Coverage(hint_type="metadata", planned=0, completed=0),),
    judge=JUDGE,
    construct="omission",
    language="en",
    format="text",
)
MIXED = cell_of(probes(*["xxf", "xfx", "xx", "fx"] * 10))
SETTINGS = Settings(resamples=200)


def found(rate: float, half_width: float, accuracy: Accuracy, **gates: Any) -> Corrected:
    return correct(rate, half_width, accuracy, gates=Gates(**gates))


def of(tp: int, fn: int, tn: int, fp: int) -> Accuracy:
    return Accuracy(tp=tp, fn=fn, tn=tn, fp=fp)


def corrected_of(made: CalibratedOmission) -> Corrected:
    assert made.corrected is not None
    return made.corrected


def test_the_worked_example_from_the_printed_inputs() -> None:
    result = found(482 / 746, (0.684 - 0.609) / 2, PAPER)
    assert round(result.rate, 3) == 0.682
    # The paper prints .597; its printed inputs give .598, within their rounding.
    assert round(result.interval.lower, 3) in (0.597, 0.598)
    assert round(result.interval.upper, 3) == 0.767
    assert round(PAPER.youden, 3) == 0.673
    assert result.gate is Gate.CONVERGED
    assert result.half_width == math.hypot(result.from_sample, result.from_calibration)
    assert result.from_sample == pytest.approx(0.0375 / PAPER.youden)


def test_an_admissible_calibration_has_no_reasons() -> None:
    assert why_inadmissible(CALIBRATION, HEADER, Gates()) == []


@pytest.mark.parametrize("name", ["model", "provider", "serving_path", "prompt_sha256"])
def test_another_judge_is_told_by_the_field_that_differs(name: str) -> None:
    other = replace(HEADER, judge=replace(JUDGE, **{name: "other"}))
    (reason,) = why_inadmissible(CALIBRATION, other, Gates())
    ours = getattr(JUDGE, name)
    assert reason == f"judge.{name}: the delivery says 'other', the calibration {ours!r}"


@pytest.mark.parametrize("name", ["construct", "language", "format"])
def test_another_use_is_told_by_the_field_that_differs(name: str) -> None:
    changed: dict[str, Any] = {name: "other"}
    (reason,) = why_inadmissible(CALIBRATION, replace(HEADER, **changed), Gates())
    assert reason.startswith(f"{name}: the delivery says 'other', the calibration ")
    (reason,) = why_inadmissible(CALIBRATION, replace(HEADER, **{name: None}), Gates())
    assert reason == f"{name}: not declared by the delivery"


def test_an_undeclared_judge_is_four_reasons() -> None:
    reasons = why_inadmissible(CALIBRATION, replace(HEADER, judge=None), Gates())
    assert [reason.partition(":")[0] for reason in reasons] == [
        "judge.model",
        "judge.provider",
        "judge.serving_path",
        "judge.prompt_sha256",
    ]
    assert all(reason.endswith("not declared by the delivery") for reason in reasons)


@pytest.mark.parametrize(
    ("accuracy", "reasons"),
    [
        (of(27, 3, 28, 2), []),
        (of(27, 2, 28, 2), ["29 positive items, at least 30 are needed"]),
        (of(27, 3, 28, 1), ["29 negative items, at least 30 are needed"]),
        (
            of(1, 0, 2, 0),
            [
                "1 positive items, at least 30 are needed",
                "2 negative items, at least 30 are needed",
            ],
        ),
    ],
)
def test_thirty_items_of_each_class(accuracy: Accuracy, reasons: list[str]) -> None:
    calibration = replace(CALIBRATION, accuracy=accuracy)
    assert why_inadmissible(calibration, HEADER, Gates()) == reasons
    made = calibrated_omission(MIXED, HEADER, calibration, SETTINGS, gates=Gates())
    assert (made.corrected is None) == bool(reasons) and list(made.reasons) == reasons


@pytest.mark.parametrize(
    ("rate", "half_width", "accuracy", "gate"),
    [
        # J = 2/30 > 0, but its interval reaches below 0.
        (0.9, 0.01, of(16, 14, 16, 14), Gate.NON_DISCRIMINATIVE),
        (0.9, 0.01, of(5050, 4950, 5050, 4950), Gate.NON_DISCRIMINATIVE),
        # Non-discriminative goes before the floor: q <= 1 - Sp here as well.
        (0.1, 0.01, of(16, 14, 16, 14), Gate.NON_DISCRIMINATIVE),
        # Se + Sp = 1, and below.
        (0.5, 0.01, of(15, 15, 15, 15), Gate.NON_DISCRIMINATIVE),
        (0.5, 0.01, of(10, 20, 10, 20), Gate.NON_DISCRIMINATIVE),
        # q below 1 - Sp = .25, and at it; the floor goes before the calibration's limit.
        (0.2, 0.01, of(3000, 1000, 3000, 1000), Gate.BELOW_DETECTION_FLOOR),
        (0.25, 0.01, of(3000, 1000, 3000, 1000), Gate.BELOW_DETECTION_FLOOR),
        (0.25, 0.01, of(24, 8, 24, 8), Gate.BELOW_DETECTION_FLOOR),
        # J = .19 of many items: its interval is above 0.
        (0.5, 0.01, of(59500, 40500, 59500, 40500), Gate.BELOW_DETECTION_FLOOR),
        (0.5, 0.001, of(60500, 39500, 60500, 39500), Gate.CONVERGED),
        # h_c > .10 with few items goes before a wide sample.
        (0.5, 0.3, of(24, 8, 24, 8), Gate.LIMITED_BY_CALIBRATION),
        # h_s alone is too wide; the two together are; the interval is clipped.
        (0.5, 0.08, of(3000, 1000, 3000, 1000), Gate.UNDERSAMPLED),
        (0.646, 0.06, PAPER, Gate.UNDERSAMPLED),
        (0.74, 0.02, of(3000, 1000, 3000, 1000), Gate.UNDERSAMPLED),
        (0.26, 0.02, of(3000, 1000, 3000, 1000), Gate.UNDERSAMPLED),
        (0.5, 0.02, of(3000, 1000, 3000, 1000), Gate.CONVERGED),
    ],
)
def test_the_gates_in_order(rate: float, half_width: float, accuracy: Accuracy, gate: Gate) -> None:
    assert found(rate, half_width, accuracy).gate is gate


def test_the_gates_are_strict_where_the_paper_is() -> None:
    # Numbers that are exact in binary: J = .25 is not below .25.
    accuracy = of(6250, 3750, 6250, 3750)
    assert found(0.5, 0.001, accuracy, min_youden=0.25).gate is not Gate.BELOW_DETECTION_FLOOR
    assert found(0.5, 0.001, accuracy, min_youden=0.251).gate is Gate.BELOW_DETECTION_FLOOR
    # A perfect calibration: h = h_s, and h_c = 0. At the target it has converged.
    perfect = of(1000, 0, 1000, 0)
    assert found(0.5, 0.125, perfect, target_half_width=0.125).gate is Gate.CONVERGED
    assert found(0.5, 0.1251, perfect, target_half_width=0.125).gate is Gate.UNDERSAMPLED
    # An interval that ends at 1 exactly is not clipped.
    assert found(0.9375, 0.0625, perfect).gate is Gate.CONVERGED
    width = found(0.5, 0.0, of(24, 8, 24, 8)).from_calibration
    at = found(0.5, 0.0, of(24, 8, 24, 8), target_half_width=width)
    assert at.gate is Gate.CONVERGED


def test_without_discrimination_there_is_no_number() -> None:
    for accuracy in (of(15, 15, 15, 15), of(10, 20, 10, 20)):
        result = found(0.5, 0.03, accuracy)
        assert result.gate is Gate.NON_DISCRIMINATIVE
        numbers = (result.rate, result.half_width, result.from_sample, result.from_calibration)
        assert all(math.isnan(number) for number in numbers)
        assert not result.interval.defined and result.youden.defined


def test_a_rate_above_the_sensitivity_is_printed_raw() -> None:
    result = found(0.9, 0.05, PAPER)
    assert result.rate > 1
    assert result.interval.upper == 1 and result.interval.lower < 1
    assert result.gate is Gate.UNDERSAMPLED


def test_an_interval_beyond_0_and_1_is_undefined_and_undersampled() -> None:
    accuracy = of(3000, 1000, 3000, 1000)
    above = found(0.9, 0.001, accuracy)
    assert above.rate - above.half_width > 1
    assert not above.interval.defined and above.gate is Gate.UNDERSAMPLED
    below = found(0.1, 0.001, accuracy)
    assert below.rate + below.half_width < 0
    assert not below.interval.defined and below.gate is Gate.BELOW_DETECTION_FLOOR


def test_the_rate_is_decided_again_at_the_calibrated_threshold() -> None:
    cell = cell_of([(p, "x" if p < 5 else "f", 4, True, True, p / 10) for p in range(10)])
    # A tie is faithful, and phi is compared itself: 0.7 against 0.7 and 0.3 against 0.3.
    assert [redecided_omission(cell, t, SETTINGS).value for t in (0.5, 0.7, 0.3, 0.31, 0, 1)] == [
        0.5,
        0.7,
        0.3,
        0.4,
        0.0,
        1.0,
    ]
    # One step below the threshold is flagged; 1 - phi would not tell the two apart.
    cell = cell_of([(p, "f", 4, True, True, math.nextafter(0.3, p)) for p in (0, 1)])
    assert redecided_omission(cell, 0.3, SETTINGS).value == 0.5
    plain, again = conditional_omission(MIXED, SETTINGS), redecided_omission(MIXED, 0.5, SETTINGS)
    assert (again.value, again.interval) == (plain.value, plain.interval)


def test_ungraded_and_two_option_pairs_are_not_decided_again() -> None:
    cell = cell_of([*probes("xf?-t", "xN"), *probes("xx", options=2, start=2)])
    again = redecided_omission(cell, 0.9, SETTINGS)
    assert (again.value, again.n, again.clusters) == (1.0, 3, 2)


@pytest.mark.parametrize("letters", [["xf"], ["x"], ["N", "O"], []])
def test_an_insufficient_cell_stays_insufficient(letters: list[str]) -> None:
    cell = cell_of(probes(*letters))
    made = calibrated_omission(cell, HEADER, CALIBRATION, SETTINGS, gates=Gates())
    assert made.observed.status is Status.INSUFFICIENT and made.corrected is None
    n = sum(map(len, letters)) if letters != ["N", "O"] else 0
    assert made.reasons == (f"the cell is insufficient ({n} pairs, {min(n, 1)} probes)",)
    row = corrected_columns(made, CALIBRATION)
    assert row["corrected_status"] == "part I only"


def test_a_cell_is_corrected_from_its_own_rate_and_interval() -> None:
    made = calibrated_omission(MIXED, HEADER, CALIBRATION, SETTINGS, gates=Gates())
    observed = made.observed
    again = found(observed.value, observed.interval.half_width, PAPER)
    assert made.reasons == () and made.corrected == again
    assert observed.value == np.mean([letter == "x" for letter in "xxfxfxxxfx"])


def test_the_columns_of_a_corrected_rate() -> None:
    made = calibrated_omission(MIXED, HEADER, CALIBRATION, SETTINGS, gates=Gates())
    corrected, row = corrected_of(made), corrected_columns(made, CALIBRATION)
    assert tuple(row) == CORRECTED_COLUMNS
    assert row == {
        "corrected_rate": corrected.rate,
        "corrected_lower": corrected.interval.lower,
        "corrected_upper": corrected.interval.upper,
        "corrected_status": corrected.gate.value,
        "corrected_h_c": corrected.from_calibration,
        "corrected_j": PAPER.youden,
        "corrected_note": None,
    }


def columns_at(rate: float, accuracy: Accuracy) -> dict[str, Any]:
    observed = redecided_omission(MIXED, 0.5, SETTINGS)
    made = CalibratedOmission(observed=observed, corrected=found(rate, 0.001, accuracy), reasons=())
    return dict(corrected_columns(made, replace(CALIBRATION, accuracy=accuracy)))


def test_the_columns_never_hold_a_number_without_its_status() -> None:
    none = columns_at(0.5, of(10, 20, 10, 20))
    assert none["corrected_status"] == "non-discriminative"
    assert {name for name in CORRECTED_COLUMNS if none[name] is not None} == {
        "corrected_status",
        "corrected_j",
        "corrected_note",
    }
    assert "lower end -0." in none["corrected_note"]
    beyond = columns_at(0.9, of(3000, 1000, 3000, 1000))
    assert beyond["corrected_rate"] > 1
    assert beyond["corrected_lower"] is beyond["corrected_upper"] is None
    assert "outside [0, 1]" in beyond["corrected_note"]
    assert beyond["corrected_note"].endswith("no interval")


def test_the_columns_of_part_one_only_hold_the_reasons() -> None:
    other = replace(HEADER, language="de", format=None)
    made = calibrated_omission(MIXED, other, CALIBRATION, SETTINGS, gates=Gates())
    row = corrected_columns(made, CALIBRATION)
    assert {name for name in row if row[name] is not None} == {
        "corrected_status",
        "corrected_note",
    }
    assert row["corrected_note"] == (
        "language: the delivery says 'de', the calibration 'en'; "
        "format: not declared by the delivery"
    )
    assert corrected_line(row, confidence=0.95) == (
        f"no corrected omission; part I only; {row['corrected_note']}"
    )


def test_a_line_of_text_says_what_the_columns_say() -> None:
    beyond = corrected_line(columns_at(0.9, of(3000, 1000, 3000, 1000)), confidence=0.95)
    assert beyond.startswith("corrected omission 130.0 %; undersampled; h_c 0.")
    assert "CI" not in beyond and beyond.endswith("no interval")
    plain = corrected_line(columns_at(0.5, of(3000, 1000, 3000, 1000)), confidence=0.5)
    assert plain.startswith("corrected omission 50.0 % (50 % CI: [")
