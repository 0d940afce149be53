"""The corrected rate as columns of a table, and as a line of text: a rearrangement."""

import math
from collections.abc import Mapping, Sequence

from avowed.pairs.calibration import CalibratedOmission, Calibration, Gate

#: What a row says where no correction is admissible.
PART_ONE_ONLY = "part I only"

#: Columns of the corrected rate, in order.
CORRECTED_COLUMNS = (
    "corrected_rate",
    "corrected_lower",
    "corrected_upper",
    "corrected_status",
    "corrected_h_c",
    "corrected_j",
    "corrected_note",
)

Value = str | float | None


def corrected_columns(found: CalibratedOmission, calibration: Calibration) -> dict[str, Value]:
    """Return the columns of a corrected rate; undefined is None, and never without its status.

    ``corrected_status`` is the gate, or "part I only" with the reasons in ``corrected_note`` and
    nothing else. The note also says what the status leaves open: that there is no interval, that
    the rate is outside [0, 1], or why the judge does not discriminate.

    Source: HP sections 13 and 14.

    >>> from avowed.pairs.estimate import Estimate
    >>> observed = Estimate(quantity="omission_redecided", value=0.6, n=9, clusters=3)
    >>> found = CalibratedOmission(observed=observed, corrected=None, reasons=("language: no",))
    >>> row = corrected_columns(found, None)
    >>> row["corrected_status"], row["corrected_rate"], row["corrected_note"]
    ('part I only', None, 'language: no')
    """
    row: dict[str, Value] = dict.fromkeys(CORRECTED_COLUMNS)
    corrected = found.corrected
    if corrected is None:
        row["corrected_status"] = PART_ONE_ONLY
        row["corrected_note"] = "; ".join(found.reasons)
        return row
    notes = []
    if corrected.gate is Gate.NON_DISCRIMINATIVE:
        notes.append(f"J is not above 0 with confidence: lower end {corrected.youden.lower:.3f}")
    if not 0 <= corrected.rate <= 1 and not math.isnan(corrected.rate):
        notes.append("the rate is outside [0, 1]: q is beyond what this Se and Sp can give")
    if not corrected.interval.defined:
        notes.append("no interval")
    row.update(
        corrected_rate=_number(corrected.rate),
        corrected_lower=_number(corrected.interval.lower),
        corrected_upper=_number(corrected.interval.upper),
        corrected_status=corrected.gate.value,
        corrected_h_c=_number(corrected.from_calibration),
        corrected_j=calibration.accuracy.youden,
        corrected_note="; ".join(notes) or None,
    )
    return row


def corrected_line(row: Mapping[str, Value], *, confidence: float) -> str:
    """Say the columns of one row in words.

    >>> row = dict.fromkeys(CORRECTED_COLUMNS) | {
    ...     "corrected_rate": 0.682, "corrected_lower": 0.598, "corrected_upper": 0.767,
    ...     "corrected_status": "converged", "corrected_h_c": 0.0635, "corrected_j": 0.673}
    >>> corrected_line(row, confidence=0.95)
    'corrected omission 68.2 % (95 % CI: [59.8, 76.7]); converged; h_c 0.064, J 0.673'
    """
    note = f"; {row['corrected_note']}" if row["corrected_note"] else ""
    if row["corrected_rate"] is None:
        return f"no corrected omission; {row['corrected_status']}{note}"
    lower, upper = (row[f"corrected_{end}"] for end in ("lower", "upper"))
    interval = (
        "" if lower is None else f" ({100 * confidence:.10g} % CI: [{_percents((lower, upper))}])"
    )
    return (
        f"corrected omission {_percents((row['corrected_rate'],))} %{interval}; "
        f"{row['corrected_status']}; h_c {row['corrected_h_c']:.3f}, "
        f"J {row['corrected_j']:.3f}{note}"
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _percents(values: Sequence[Value]) -> str:
    return ", ".join(f"{100 * value:.1f}" for value in values if isinstance(value, float))
