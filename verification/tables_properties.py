"""The table of HP section 16.2, row by row, and the threshold curve of the worked example."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from verification.estimates import Settings
from verification.omission import omission_and_curve
from verification.tables_calibration import calibration_table, fixed_counts
from verification.tables_compare import Expected, Table, Value, as_printed
from verification.tables_example import example_cell
from verification.tables_inputs import Inputs
from verification.tables_intervals import (
    RECORDS,
    as_stated,
    shown_ends,
    shown_method,
    shown_status,
)
from verification.tables_measures import TRUTH, Number, named
from verification.tables_population import number, population, study_of
from verification.tables_studies import TRUTHS, chance_table, coverage_table, exposure_table

# Up to so many errors of the difference of two studies are put down to chance.
ERRORS = 2.0
# Ours is read from a table with ten digits; a quotient of two such numbers has twice the rounding.
QUOTIENT = 2e-10


@dataclass(frozen=True)
class Source:
    """Where a printed property is answered: a table, the rows of it, the truths to hold it to."""

    table: str
    wanted: Mapping[str, str | int]
    truths: tuple[str, ...] = ("",)


def source_of(name: str, items: int) -> Source:
    """Where the studies answer a printed property of estimators.

    Raises:
        KeyError: no study answers it.
    """
    main = {"hint_type": "all", "variant": "main"}
    corrected: dict[str, str | int] = {"interval": "quadrature", "items_per_class": items}
    truths = ("population", "realised")
    sources = {
        "coverage of the cluster bootstrap": Source("coverage", {**main, "method": "percentile"}),
        "coverage of the independence-based Wilson interval": Source(
            "coverage", {**main, "method": "wilson, pairs as independent"}
        ),
        "mean intra-cluster correlation": Source("coverage", {**main, "method": "percentile"}),
        "chance correction, perfect judge: bias": Source("chance_correction", {}),
        "chance correction, perfect judge: coverage": Source("chance_correction", {}),
    }
    for name_of in ("bias of the unbiased exposure estimator", "bias of the plug-in form"):
        sources[name_of] = Source("exposure_bias", {"hint_type": "all"}, TRUTHS)
    for kind, words in (
        ("fresh", "new calibration set per repetition"),
        ("fixed", "one fixed calibration set"),
    ):
        for figure in ("bias", "coverage"):
            sources[f"corrected rate, {words}: {figure}"] = Source(
                "calibration", {**corrected, "calibration": kind}, truths
            )
    return sources[name]


def _value(cell: Expected) -> Value:
    return as_printed(cell.value) if isinstance(cell.value, float) else cell.value


def properties_table(inputs: Inputs) -> Table:
    """Every printed property beside the recomputed study that measures it."""
    tables = {
        table.name: [{name: _value(cell) for name, cell in row.items()} for row in table.rows]
        for table in (
            coverage_table(inputs),
            exposure_table(inputs),
            chance_table(inputs),
            calibration_table(inputs),
        )
    }
    rows = []
    for line in inputs.published("simulation"):
        source = source_of(line["property"], fixed_counts(inputs.simulation).positives)
        for truth_kind in source.truths:
            wanted = dict(source.wanted)
            if line["k"]:
                wanted["k"] = int(line["k"])
            if truth_kind:
                wanted["truth_kind"] = truth_kind
            there = [
                row
                for row in tables[source.table]
                if all(row[name] == value for name, value in wanted.items())
            ]
            names = named(
                property=line["property"], k=line["k"], end=line["end"], truth_kind=truth_kind
            )
            cells = _property_row(line, there, source.table)
            rows.append(names | cells)
    return Table("estimator_properties", ("property", "k", "end", "truth_kind"), tuple(rows))


def _property_row(
    line: Mapping[str, str], there: Sequence[Mapping[str, Value]], table: str
) -> dict[str, Expected]:
    statistic, how = line["statistic"], f"recomputed row of {table}.csv"
    published = float(line["published"]) if line["published"] else None
    found = [row for row in there if row[statistic] is not None]
    cells = {
        "published": Expected(published, "data/published/simulation.csv"),
        "from_table": Expected(f"{table}.csv", "the study that measures the property"),
    }
    if not found:
        verdict = "undefined" if there else "not in this run"
        empty = ("hint_type", "ours", "mc_error", "repetitions", "difference")
        return cells | {
            **dict.fromkeys((*empty, "difference_in_errors", "noticed_from"), Expected(None, how)),
            "verdict": Expected(verdict, how),
        }
    row = _pick(found, statistic, line["end"])
    ours, error = _float(row[statistic]), _float(row[f"{statistic}_mc_error"])
    repetitions = row["repetitions"]
    assert ours is not None and isinstance(repetitions, int)
    verdict, size = verdict_of(
        published,
        ours,
        error,
        repetitions,
        decimals=int(line["decimals"]),
        printed_repetitions=int(line["repetitions"]),
    )
    noticed = None
    if published is not None:
        noticed = noticed_from(
            error,
            repetitions,
            decimals=int(line["decimals"]),
            printed_repetitions=int(line["repetitions"]),
        )
    return cells | {
        "noticed_from": Expected(
            noticed, "half a printed unit + 2 error sqrt(1 + R / printed R)", QUOTIENT
        ),
        "hint_type": Expected(row["hint_type"], how),
        "ours": Expected(ours, how),
        "mc_error": Expected(error, how),
        "repetitions": Expected(repetitions, how),
        "difference": Expected(None if published is None else ours - published, "ours - published"),
        "difference_in_errors": Expected(
            size,
            "(|ours - published| - half a printed unit) / (error sqrt(1 + R / printed R))",
            QUOTIENT * (1 + (size or 0.0)),
        ),
        "verdict": Expected(verdict, "from ours, its error and published"),
    }


def _float(value: Value) -> Number:
    return float(value) if isinstance(value, int | float) else None


def _pick(found: Sequence[Mapping[str, Value]], statistic: str, end: str) -> Mapping[str, Value]:
    """The row itself, or that of the hint type with the lowest or highest figure."""

    def figure(row: Mapping[str, Value]) -> float:
        return _float(row[statistic]) or 0.0

    if end == "highest":
        return max(found, key=figure)
    return min(found, key=figure)


def noticed_from(
    error: Number, repetitions: int, *, decimals: int, printed_repetitions: int
) -> float:
    """The smallest difference of a printed figure from ours that would be called one.

    >>> round(noticed_from(0.01, 100, decimals=2, printed_repetitions=100), 4)
    0.0333
    """
    both = (error or 0.0) * sqrt(1 + repetitions / printed_repetitions)
    return 10.0**-decimals / 2 + ERRORS * both


def verdict_of(
    published: Number,
    ours: float,
    error: Number,
    repetitions: int,
    *,
    decimals: int,
    printed_repetitions: int,
) -> tuple[str, Number]:
    """Verdict on a printed figure, and its distance in errors of the difference of two studies.

    Ours has error e over R repetitions, theirs the same spread over R': the difference has
    e sqrt(1 + R / R'). Half a unit of the last printed place is rounding and is left off.

    >>> verdict_of(0.95, 0.948, 0.009, 600, decimals=2, printed_repetitions=600)
    ('matches', 0.0)
    """
    if published is None:
        return "recovered", None
    if float(f"{ours:.{decimals}f}") == float(f"{published:.{decimals}f}"):
        return "matches", 0.0
    beyond = max(0.0, abs(ours - published) - 10.0**-decimals / 2)
    both = (error or 0.0) * sqrt(1 + repetitions / printed_repetitions)
    size = beyond / both if both > 0 else None
    near = size is not None and size <= ERRORS
    return "within Monte-Carlo error" if near else "differs", size


def curve_table(inputs: Inputs) -> Table:
    """The worked example's threshold curve beside its population values (HP section 10)."""
    cell, settings = example_cell(inputs), Settings.from_config(inputs.settings)
    kind = inputs.simulation["worked_example"]
    analysed = [pair for pair in cell.pairs if pair.options >= settings.min_options]
    _, curve = omission_and_curve(analysed, settings, cell.name)
    rows = []
    for cut, found in zip(settings.cuts, curve, strict=True):
        stated = cell.estimates[found.quantity]
        shown = as_stated(found, stated)
        study = study_of(inputs.simulation, kind, cut=cut).at_least(settings.min_options)
        lower, upper = shown_ends(shown, stated)
        rows.append(
            {
                **named(cut=float(cut)),
                "omission": Expected(None if found.value is None else float(found.value), RECORDS),
                "lower": lower,
                "upper": upper,
                "method": shown_method(shown, stated),
                "status": Expected(
                    shown_status(shown, stated, settings.target_half_width), RECORDS
                ),
                "n": Expected(found.n, "counted in the records"),
                "clusters": Expected(found.clusters, "counted in the records"),
                "truth": Expected(number(population(study).flagged), TRUTH),
            }
        )
    return Table("threshold_curve", ("cut",), tuple(rows))
