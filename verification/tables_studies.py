"""The tables of the simulation studies, from what every repetition gave (HP section 16.2).

A figure is recomputed from the exported repetitions; a truth in closed form. What a repetition
itself can be held against is used: intervals that are Wilson's are formed again from the rate and
the (effective) number of pairs, and a rate under the fixed calibration from the observed rate.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verification.tables_compare import Expected, Table
from verification.tables_inputs import Inputs, Row
from verification.tables_measures import (
    COUNT,
    MEAN,
    MEAN_ERROR,
    SHARE,
    SHARE_ERROR,
    TRUTH,
    Figure,
    Number,
    bias_of,
    both,
    coverage_of,
    less,
    mean_of,
    mean_of_figures,
    named,
)
from verification.tables_population import (
    exposure_truth,
    extreme_study,
    number,
    population,
    study_of,
)
from verification.wilson import wilson

# Coverage of the intervals of the omission rate.


def coverage_truth(simulation: Mapping[str, Any], row: Row, *, least: int) -> Number:
    """Population flagged rate of the cell that a repetition of the coverage study belongs to."""
    variant, probes = row["variant"], row["probes"]
    if variant in ("main", "smaller"):
        study = study_of(simulation, row["hint_type"], probes=probes)
    else:
        study = extreme_study(simulation, variant, probes=probes)
    return number(population(study.at_least(least)).flagged)


def design_effect(n: int, clusters: int, icc: Number) -> float:
    """1 + (n / C - 1) max(icc, 0); an undefined icc counts as 1 (HP section 7).

    >>> design_effect(40, 10, None)
    4.0
    """
    return 1 + (n / clusters - 1) * (1.0 if icc is None else max(icc, 0.0))


def interval_of(row: Row, method: str, confidence: float) -> tuple[Number, Number]:
    """Ends of a repetition's interval: Wilson's in closed form, others as they were exported."""
    n = row["evaluable"]
    rate = Fraction(round(row["rate"] * n), n)
    if row[f"{method} fallback"] or method == "wilson at effective n":
        deff = design_effect(n, row["clusters"], row["icc"])
        return wilson(rate, Fraction(n / deff), confidence)
    if method == "wilson, pairs as independent":
        return wilson(rate, n, confidence)
    return row[f"{method} lower"], row[f"{method} upper"]


@lru_cache(maxsize=2)
def coverage_table(inputs: Inputs) -> Table:
    """Coverage, width and bias of six intervals, by cell and taken together for the main cells."""
    groups: dict[tuple[str, int, str], list[Row]] = {}
    least = inputs.settings["analysis"]["min_options"]
    truths: dict[tuple[str, int, str], Number] = {}
    for row in inputs.study("coverage"):
        key = (row["hint_type"], row["probes"], row["variant"])
        if key not in truths:
            truths[key] = coverage_truth(inputs.simulation, row, least=least)
        groups.setdefault(key, []).append(row)
        if row["variant"] == "main":
            groups.setdefault(("all", row["probes"], "main"), []).append(row)

    def truth(row: Row) -> Number:
        return truths[row["hint_type"], row["probes"], row["variant"]]

    methods = sorted(
        {
            name.removesuffix(" lower")
            for row in inputs.study("coverage")
            for name in row
            if name.endswith(" lower")
        }
    )
    rows = [
        {
            **named(hint_type=key[0], probes=key[1], variant=key[2], method=method),
            **_coverage_row(group, method, truth, inputs.confidence),
        }
        for key, group in groups.items()
        for method in methods
    ]
    return Table("coverage", ("hint_type", "probes", "variant", "method"), tuple(rows))


def _coverage_row(
    group: Sequence[Row], method: str, truth: Callable[[Row], Number], confidence: float
) -> dict[str, Expected]:
    full = [row for row in group if row["rate"] is not None]
    ends = [(*interval_of(row, method, confidence), truth(row)) for row in full]
    own = [one for one, row in zip(ends, full, strict=True) if not row[f"{method} fallback"]]
    held, off = coverage_of(ends), bias_of(full, "rate", truth)
    return {
        "truth": Expected(mean_of(map(truth, full)).value, TRUTH),
        **both("coverage", held, SHARE, SHARE_ERROR),
        **both("coverage_without_fallback", coverage_of(own), SHARE, SHARE_ERROR),
        "repetitions": Expected(held.repetitions, COUNT),
        "n_empty": Expected(len(group) - len(full), COUNT),
        "n_fallback": Expected(sum(row[f"{method} fallback"] for row in full), COUNT),
        "n_clipped": Expected(sum(row[f"{method} clipped"] for row in full), COUNT),
        **both("mean_width", mean_of(less(high, low) for low, high, _ in ends), MEAN, MEAN_ERROR),
        **both("bias", off, f"{MEAN}, less the closed-form truth", MEAN_ERROR),
        **both("mean_icc", mean_of(row["icc"] for row in full), MEAN, MEAN_ERROR),
        "mean_evaluable": Expected(mean_of(float(row["evaluable"]) for row in group).value, MEAN),
    }


def clustering_table(inputs: Inputs) -> Table:
    """Correlation and design effect of every data set at full size."""
    how = "the exported repetition of the coverage study"
    rows = [
        {
            **named(hint_type=row["hint_type"], repetition=row["repetition"]),
            "n": Expected(row["evaluable"], how),
            "clusters": Expected(row["clusters"], how),
            "icc": Expected(row["icc"], how),
            "design_effect": Expected(
                None
                if row["rate"] is None
                else design_effect(row["evaluable"], row["clusters"], row["icc"]),
                "1 + (n / clusters - 1) max(icc, 0) of the exported repetition",
            ),
        }
        for row in inputs.study("coverage")
        if row["variant"] == "main"
    ]
    return Table("clustering", ("hint_type", "repetition"), tuple(rows))


# Exposure.

TRUTHS = ("drop-out-free", "through drop-out")


@lru_cache(maxsize=2)
def exposure_table(inputs: Inputs) -> Table:
    """Bias of the exposure curve and its plug-in form, by hint type and their mean."""
    least = inputs.simulation["exposure_min_options"]
    studies = {
        kind: study_of(inputs.simulation, kind).at_least(least) for kind in inputs.hint_types
    }
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in inputs.study("exposure_bias"):
        groups.setdefault((row["hint_type"], row["k"]), []).append(row)
    rows = []
    for k in sorted({k for _, k in groups}):
        for kind_of_truth in TRUTHS:
            each = {
                kind: _exposure_figures(
                    groups[kind, k],
                    number(exposure_truth(study, k, through_drop_out=kind_of_truth == TRUTHS[1])),
                )
                for kind, study in studies.items()
            }
            for kind, figures in [*each.items(), ("all", mean_of_figures(list(each.values())))]:
                cells = named(hint_type=kind, k=k, truth_kind=kind_of_truth)
                rows.append(cells | _exposure_row(figures))
    return Table("exposure_bias", ("hint_type", "k", "truth_kind"), tuple(rows))


def _exposure_figures(group: Sequence[Row], truth: Number) -> dict[str, Figure]:
    return {
        "truth": Figure(truth, 0.0, len(group)),
        "mean_unbiased": mean_of(row["unbiased"] for row in group),
        "mean_plug_in": mean_of(row["plug_in"] for row in group),
        "bias_unbiased": bias_of(group, "unbiased", lambda _: truth),
        "bias_plug_in": bias_of(group, "plug_in", lambda _: truth),
        "plug_in_minus_unbiased": bias_of(group, "plug_in", lambda row: row["unbiased"]),
        "coverage": coverage_of((row["lower"], row["upper"], truth) for row in group),
        "mean_width": mean_of(less(row["upper"], row["lower"]) for row in group),
    }


def _exposure_row(figures: Mapping[str, Figure]) -> dict[str, Expected]:
    row: dict[str, Expected] = {}
    for name, figure in figures.items():
        how, error_how = (SHARE, SHARE_ERROR) if name == "coverage" else (MEAN, MEAN_ERROR)
        row |= both(name, figure, TRUTH if name == "truth" else how, error_how)
    for name in ("truth", "mean_unbiased", "mean_plug_in"):
        del row[f"{name}_mc_error"]
    row["repetitions"] = Expected(figures["bias_unbiased"].repetitions, COUNT)
    return row


# The chance correction under a perfect judge.


@lru_cache(maxsize=2)
def chance_table(inputs: Inputs) -> Table:
    """Bias and coverage of the chance correction, and the counting error of HP section 9."""
    least = inputs.settings["analysis"]["min_options"]
    groups: dict[str, list[Row]] = {}
    for row in inputs.study("chance_correction"):
        groups.setdefault(row["hint_type"], []).append(row)
    rows = []
    for kind, group in sorted(groups.items()):
        study = study_of(inputs.simulation, kind).without_judge_error().at_least(least)
        truth = number(population(study).hint_driven_omission)
        rows.append(named(hint_type=kind) | _chance_row(group, truth))
    return Table("chance_correction", ("hint_type",), tuple(rows))


def _chance_row(group: Sequence[Row], truth: Number) -> dict[str, Expected]:
    off = bias_of(group, "estimate", lambda _: truth)
    held = coverage_of((row["lower"], row["upper"], truth) for row in group)
    less_truth = f"{MEAN}, less the closed-form truth"
    found = {
        "truth": Expected(truth, TRUTH),
        "mean_estimate": Expected(mean_of(row["estimate"] for row in group).value, MEAN),
        **both("bias", off, less_truth, MEAN_ERROR),
        **both("coverage", held, SHARE, SHARE_ERROR),
        **both(
            "mean_width",
            mean_of(less(row["upper"], row["lower"]) for row in group),
            MEAN,
            MEAN_ERROR,
        ),
        **both(
            "bias_uncorrected",
            bias_of(group, "uncorrected", lambda _: truth),
            less_truth,
            MEAN_ERROR,
        ),
    }
    for name in ("counting_error", "counting_error_imperfect"):
        figure = mean_of(row[name] for row in group)
        known = [row[name] for row in group if row[name] is not None]
        found[f"{name}_mean"] = Expected(figure.value, MEAN)
        found[f"{name}_mc_error"] = Expected(figure.error, MEAN_ERROR)
        found[f"{name}_max"] = Expected(
            max(known, default=None), "largest of the exported repetitions"
        )
    found["repetitions"] = Expected(off.repetitions, COUNT)
    found["n_undefined"] = Expected(sum(row["estimate"] is None for row in group), COUNT)
    return found
