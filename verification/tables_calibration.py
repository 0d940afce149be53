"""The tables of fixed against fresh calibration (HP sections 15 and 16.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verification.calibrated import calibrated
from verification.tables_compare import Expected, Table, number_of
from verification.tables_inputs import Inputs, Row
from verification.tables_measures import (
    COUNT,
    MEAN,
    MEAN_ERROR,
    SHARE,
    SHARE_ERROR,
    TRUTH,
    Number,
    bias_of,
    both,
    coverage_of,
    less,
    mean_of,
    named,
)
from verification.tables_population import Study, number, population, study_of

INTERVALS = ("quadrature", "joint bootstrap")
TRUTHS = ("population", "realised")
SHIFT = "(pi Se + (1 - pi)(1 - Sp) + sp - 1) / j - pi with exact fractions"
CORRECTED = "(q + sp - 1) / j from the rate of the same repetition in the coverage study"


@dataclass(frozen=True)
class Counts:
    """A calibration as counts: flagged among ``positives``, not flagged among ``negatives``."""

    tp: int
    positives: int
    tn: int
    negatives: int

    @property
    def sensitivity(self) -> Fraction:
        """Share of omissions that are flagged."""
        return Fraction(self.tp, self.positives)

    @property
    def specificity(self) -> Fraction:
        """Share of acknowledgements that are not flagged."""
        return Fraction(self.tn, self.negatives)

    @property
    def youden(self) -> Fraction:
        """J = Se + Sp - 1."""
        return self.sensitivity + self.specificity - 1

    def corrected(self, rate: Fraction) -> Fraction:
        """(q + Sp - 1) / J, not clipped (HP section 14)."""
        return (rate + self.specificity - 1) / self.youden


def fixed_counts(simulation: Mapping[str, Any]) -> Counts:
    """The paper's fixed calibration from the configured counts."""
    fixed = simulation["fixed_calibration"]
    return Counts(fixed["tp"], fixed["tp"] + fixed["fn"], fixed["tn"], fixed["tn"] + fixed["fp"])


def shift_of(study: Study, counts: Counts) -> Number:
    """Shift that one calibration gives every corrected estimate; no sampling error is in it.

    None where the study has no analysed pair, so that there is no rate to shift.

    Source: HP section 15.
    """
    pi = population(study).omission
    if pi is None:
        return None
    flagged = pi * study.flag_omitted + (1 - pi) * study.flag_acknowledged
    return float(counts.corrected(flagged) - pi)


@lru_cache(maxsize=2)
def corrected_by_fixed(inputs: Inputs) -> dict[tuple[str, int], Mapping[str, Any]]:
    """What the fixed calibration makes of every data set at full size, by type and repetition.

    The calibration study corrects the data sets of the coverage study, whose rates are exported.
    The half-width of a rate is not, so everything that rests on it is left out.
    """
    fixed = inputs.simulation["fixed_calibration"]
    tp, fn, tn, fp = (int(fixed[name]) for name in ("tp", "fn", "tn", "fp"))
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    for row in inputs.study("coverage"):
        if row["variant"] == "main" and row["rate"] is not None:
            hits, n = round(row["rate"] * row["evaluable"]), row["evaluable"]
            corrected = calibrated(hits, n, 0.0, tp, fn, tn, fp, inputs.settings)
            if corrected["pi"] is not None:
                found[row["hint_type"], row["repetition"]] = corrected
    return found


def _studies(inputs: Inputs) -> dict[str, Study]:
    least = inputs.settings["analysis"]["min_options"]
    return {kind: study_of(inputs.simulation, kind).at_least(least) for kind in inputs.hint_types}


def with_fixed_recomputed(inputs: Inputs) -> list[Row]:
    """Repetitions of the study; under the fixed calibration estimate and h_c are formed again.

    The calibration study corrects the data sets of the coverage study, so the fixed calibration's
    estimate follows from that study's rate. What the coverage study did not run stays as it is.
    """
    corrected = corrected_by_fixed(inputs)
    rows: list[Row] = []
    for row in inputs.study("calibration"):
        again = corrected.get((row["hint_type"], row["repetition"]))
        if row["calibration"] == "fixed" and again is not None:
            rows.append({**row, "estimate": again["pi"], "h_c": again["h_c"]})
        else:
            rows.append(row)
    return rows


@lru_cache(maxsize=2)
def calibration_table(inputs: Inputs) -> Table:
    """Corrected rates by hint type, calibration, size, interval and truth."""
    studies, counts = _studies(inputs), fixed_counts(inputs.simulation)
    groups: dict[tuple[str, str, int], list[Row]] = {}
    for row in with_fixed_recomputed(inputs):
        key = (row["hint_type"], row["calibration"], row["items_per_class"])
        groups.setdefault(key, []).append(row)
    rows = []
    for (kind, calibration, items), group in sorted(groups.items()):
        pi = number(population(studies[kind]).omission)
        fixed = calibration == "fixed" and counts.youden > 0
        shift = shift_of(studies[kind], counts) if fixed else None
        for interval in INTERVALS:
            for truth_kind in TRUTHS:
                cells = named(
                    hint_type=kind,
                    calibration=calibration,
                    items_per_class=items,
                    interval=interval,
                    truth_kind=truth_kind,
                )
                figures = _calibration_row(group, interval, truth_kind, pi)
                rows.append(cells | figures | {"exact_shift": Expected(shift, SHIFT)})
    keys = ("hint_type", "calibration", "items_per_class", "interval", "truth_kind")
    return Table("calibration", keys, tuple(rows))


def _calibration_row(
    group: Sequence[Row], interval: str, truth_kind: str, pi: Number
) -> dict[str, Expected]:
    """Figures against the population omission ``pi``, or against each repetition's own."""
    own = truth_kind == "realised"

    def truth(row: Row) -> Number:
        return row["realised"] if own else pi

    lower, upper = f"{interval} lower", f"{interval} upper"
    off = bias_of(group, "estimate", truth)
    held = coverage_of((row[lower], row[upper], truth(row)) for row in group)
    width = mean_of(less(row[upper], row[lower]) for row in group)
    return {
        "truth": Expected(mean_of(map(truth, group)).value, MEAN if own else TRUTH),
        "mean_estimate": Expected(mean_of(row["estimate"] for row in group).value, MEAN),
        **both("bias", off, f"{MEAN}, less the truth", MEAN_ERROR),
        **both("coverage", held, SHARE, SHARE_ERROR),
        **both("mean_width", width, MEAN, MEAN_ERROR),
        **both("mean_h_c", mean_of(row["h_c"] for row in group), MEAN, MEAN_ERROR),
        "repetitions": Expected(off.repetitions, COUNT),
        "n_undefined": Expected(sum(row[lower] is None for row in group), COUNT),
    }


def estimates_table(inputs: Inputs) -> Table:
    """Corrected estimates of every data set: the fixed set, and new sets of the same size."""
    studies, counts = _studies(inputs), fixed_counts(inputs.simulation)
    how = {"fixed": CORRECTED, "fresh": "the exported repetition of the calibration study"}
    rows = [
        {
            **named(
                hint_type=row["hint_type"],
                repetition=row["repetition"],
                calibration=row["calibration"],
            ),
            "estimate": Expected(row["estimate"], how[row["calibration"]]),
            "truth": Expected(number(population(studies[row["hint_type"]]).omission), TRUTH),
        }
        for row in with_fixed_recomputed(inputs)
        if row["items_per_class"] == counts.positives
    ]
    return Table("calibration_estimates", ("hint_type", "repetition", "calibration"), tuple(rows))


def shifts_table(inputs: Inputs, printed: Sequence[Mapping[str, str]]) -> Table:
    """Exact shift of many fixed calibrations, from the counts that the printed rates stand for.

    The drawn counts stand nowhere but in the table itself. Each rate is recomputed from the other
    and Youden's index as a whole number of items, so that a change of one of the three shows; the
    shift follows from the counts.
    """
    items = fixed_counts(inputs.simulation).positives
    by_key = {(row.get("hint_type"), row.get("set")): row for row in printed}
    rows = []
    for kind, study in _studies(inputs).items():
        pi = number(population(study).omission)
        for place in range(inputs.simulation["fixed_sets"]):
            row = by_key.get((kind, str(place)), {})
            found = [_rate(row.get(name)) for name in ("sensitivity", "specificity", "youden")]
            rows.append(
                {
                    **named(hint_type=kind, set=place),
                    **_shift_cells(found, study, items),
                    "truth": Expected(pi, TRUTH),
                }
            )
    return Table("calibration_shifts", ("hint_type", "set"), tuple(rows))


def _rate(text: str | None) -> Number:
    value = number_of(text or "")
    return float(value) if isinstance(value, int | float) else None


def _shift_cells(found: Sequence[Number], study: Study, items: int) -> dict[str, Expected]:
    se, sp, youden = found
    cells: dict[str, Expected] = {}
    wanted = {
        "sensitivity": (None if youden is None or sp is None else youden - sp + 1, "J - Sp + 1"),
        "specificity": (None if youden is None or se is None else youden - se + 1, "J - Se + 1"),
    }
    for name, (rate, formula) in wanted.items():
        whole = None if rate is None else round(rate * items) / items
        cells[name] = Expected(whole, f"{formula} of the row, as a whole number of {items} items")
    counts = None
    if se is not None and sp is not None:
        counts = Counts(round(se * items), items, round(sp * items), items)
    defined = counts is not None and counts.youden > 0
    cells["youden"] = Expected(
        None if counts is None else float(counts.youden), "Se + Sp - 1 of the row's counts"
    )
    cells["shift"] = Expected(
        shift_of(study, counts) if counts is not None and defined else None, SHIFT
    )
    return cells
