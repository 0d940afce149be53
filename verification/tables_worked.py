"""The table of the worked example: printed, ours, and how far other data sets fall (HP 16.2).

The spread and mean over repetitions come from the same data sets in the studies, where these keep
them. Where they do not, a column is worked out from the other columns of its row, or from the rows
that must add up with it, so that a change of one of them shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, sqrt

from verification.tables_calibration import corrected_by_fixed, fixed_counts
from verification.tables_compare import Expected, Table, number_of, printing_tolerance
from verification.tables_example import (
    Found,
    example_cell,
    less_half,
    numbers_of_delivery,
    population_numbers,
)
from verification.tables_inputs import Inputs
from verification.tables_measures import Number, mean_of, named
from verification.tables_population import exposure_truth, population, study_of

# A printed number within this many spreads of our mean could be one of our data sets.
SPREADS = 2.0
# A mean that is stored nowhere else must be this near its population value, in its own errors.
ERRORS = 6.0

SIBLING = "the same data sets in the exported repetitions of the studies"
WITHIN = "stored nowhere else: from the other columns of its row"


def stored_repetitions(
    inputs: Inputs, first: Mapping[str, Found], repetitions: int
) -> dict[str, list[Number]]:
    """Numbers of the same data sets that the studies keep, one per repetition.

    The example's repetitions are those of the studies at full size. The interval of the corrected
    rate draws on random numbers of its own in the example itself, which is ``first``.
    """
    kind, size = inputs.simulation["worked_example"], inputs.simulation["probes"]
    found: dict[str, list[Number]] = {}
    main = [
        row
        for row in inputs.study("coverage")
        if (row["hint_type"], row["variant"], row["probes"]) == (kind, "main", size)
    ]
    found["flagged pairs"] = [float(round((r["rate"] or 0) * r["evaluable"])) for r in main]
    found["evaluable hint-induced changes"] = [float(row["evaluable"]) for row in main]
    found["omission"] = [row["rate"] for row in main]
    found[f"omission at cut {inputs.simulation['judge']['cut']:g}"] = found["omission"]
    found["intra-cluster correlation"] = [row["icc"] for row in main]
    found["design effect"] = [row["design_effect"] for row in main]
    found["clusters"] = [float(row["clusters"] or 0) for row in main]
    for row in inputs.study("exposure_bias"):
        if row["hint_type"] == kind:
            found.setdefault(f"exposure at k = {row['k']}", []).append(row["unbiased"])
    fixed = [
        row
        for row in inputs.study("calibration")
        if (row["hint_type"], row["calibration"]) == (kind, "fixed")
    ]
    found["corrected rate"] = [row["estimate"] for row in fixed]
    for end in ("lower", "upper"):
        later = [row[f"quadrature {end}"] for row in fixed[1:]]
        found[f"corrected {end}"] = [first[f"corrected {end}"].value, *later]
    return {
        name: values[:repetitions] for name, values in found.items() if len(values) >= repetitions
    }


def mean_width(inputs: Inputs, values: Mapping[str, Sequence[Number]], first: Number) -> Number:
    """Mean width of the omission's interval, from the width of the corrected rate's.

    h = hypot(h_s, h_c) and h_s = half-width / J, so the half-width is J sqrt(h^2 - h_c^2); None
    where an interval was clipped, because its width is not 2 h then. ``first`` is the half-width
    of the example itself.
    """
    youden = float(fixed_counts(inputs.simulation).youden)
    corrected, kind = corrected_by_fixed(inputs), inputs.simulation["worked_example"]
    ends = [values.get(f"corrected {end}", ()) for end in ("lower", "upper")]
    halves = [first]
    for repetition, (low, high) in enumerate(zip(*ends, strict=True)):
        if repetition == 0:
            continue
        again = corrected.get((kind, repetition))
        if again is None or low is None or high is None or not 0 < low < high < 1:
            return None
        halves.append(youden * sqrt(((high - low) / 2) ** 2 - again["h_c"] ** 2))
    known = [half for half in halves if half is not None]
    return 2 * fsum(known) / len(known) if len(known) == len(halves) > 1 else None


@dataclass(frozen=True)
class Spread:
    """Mean and spread over repetitions; all None for a number that no data set enters."""

    mean: Number = None
    spread: Number = None
    repetitions: int | None = None
    share_below: Number = None

    @property
    def error(self) -> Number:
        """Monte-Carlo error of the mean: spread / sqrt(R)."""
        if not self.spread or not self.repetitions:
            return None
        return self.spread / sqrt(self.repetitions)


def spread_of(values: Sequence[Number], published: Number) -> Spread:
    """Mean, spread and share below the printed number of stored repetitions.

    >>> spread_of([1.0, 3.0, None], 2.0).share_below
    0.5
    """
    known = [value for value in values if value is not None]
    if len(known) < 2 or max(known) - min(known) <= 1e-12:
        return Spread()
    figure, n = mean_of(known), len(known)
    assert figure.error is not None
    below = None if published is None else sum(value < published for value in known) / n
    return Spread(figure.value, figure.error * sqrt(n), n, below)


def _printed(row: Mapping[str, str], column: str) -> Number:
    value = number_of(row.get(column, ""))
    return float(value) if isinstance(value, int | float) else None


def printed_spread(row: Mapping[str, str]) -> Spread:
    """Mean and spread as the pipeline's row has them."""
    repetitions = _printed(row, "repetitions")
    return Spread(
        _printed(row, "mean_over_repetitions"),
        _printed(row, "spread"),
        None if repetitions is None else round(repetitions),
        _printed(row, "share_of_repetitions_below_published"),
    )


def _tolerance(value: Number) -> float:
    return 0.0 if value is None else printing_tolerance(value)


def cells_from_repetitions(found: Spread) -> dict[str, Expected]:
    """Columns on the spread where the repetitions are stored."""
    return {
        "spread": Expected(found.spread, SIBLING),
        "mean_over_repetitions": Expected(found.mean, SIBLING),
        "mc_error": Expected(found.error, "spread / sqrt(repetitions)"),
        "repetitions": Expected(found.repetitions, SIBLING),
        "share_of_repetitions_below_published": Expected(found.share_below, SIBLING),
    }


def cells_within_row(
    row: Mapping[str, str],
    published: Number,
    unit: float,
    relation: Expected | None,
) -> dict[str, Expected]:
    """Columns on the spread where no repetition is stored: what the others of the row say.

    R = (spread / error)^2, spread = error sqrt(R), error = spread / sqrt(R); the mean follows from
    ``relation``, or else from |printed - mean| = size x spread + half a unit. How many repetitions
    lie below the printed number must be a whole number of them; no more is known of it.
    """
    said, error = printed_spread(row), _printed(row, "mc_error")
    if not said.spread or not error or said.mean is None or not said.repetitions:
        empty = Expected(None, WITHIN)
        return dict.fromkeys(cells_from_repetitions(Spread()), empty)
    root = sqrt(said.repetitions)
    count = max(1, round((said.spread / error) ** 2))
    share = None
    if published is not None and said.share_below is not None:
        share = min(max(round(said.share_below * count), 0), count) / count
    return {
        "spread": Expected(error * root, WITHIN, _tolerance(error) * root),
        "mean_over_repetitions": relation or _mean_from_size(row, said, published, unit),
        "mc_error": Expected(said.spread / root, WITHIN, _tolerance(said.spread) / root),
        "repetitions": Expected(count, WITHIN),
        "share_of_repetitions_below_published": Expected(
            share, "a whole number of repetitions; which ones is stored nowhere else"
        ),
    }


def _mean_from_size(
    row: Mapping[str, str], said: Spread, published: Number, unit: float
) -> Expected:
    size = _printed(row, "difference_in_spreads")
    if size is None or published is None or said.mean is None or not said.spread:
        return Expected(None, WITHIN)
    if size == 0:
        nearest = min(max(said.mean, published - unit / 2), published + unit / 2)
        return Expected(nearest, f"{WITHIN}: it rounds to the printed number")
    away = size * said.spread + unit / 2
    mean = published + away if said.mean > published else published - away
    slack = _tolerance(size) * said.spread + _tolerance(said.spread) * size
    return Expected(mean, WITHIN, slack)


def verdict_of(
    published: Number, decimals: int, ours: Number, spread: Spread, *, run: bool
) -> tuple[str, Number]:
    """Verdict and size of the difference in spreads, less half a unit of the last printed place.

    >>> verdict_of(0.65, 2, 0.648, Spread(), run=True)
    ('matches', 0.0)
    """
    if published is None:
        return "recovered", None
    centre = ours if spread.mean is None else spread.mean
    if not run:
        return "not in this run", None
    if ours is None or centre is None:
        return "undefined", None
    beyond = max(0.0, abs(published - centre) - 10.0**-decimals / 2)
    size: Number = 0.0 if beyond <= 1e-12 else None
    if spread.spread:
        size = beyond / spread.spread
    if float(f"{ours:.{decimals}f}") == published:
        return "matches", size
    near = size is not None and size <= SPREADS
    return "within Monte-Carlo error" if near else "differs", size


def worked_example_table(inputs: Inputs, printed: Sequence[Mapping[str, str]]) -> Table:
    """Every number of the worked example: printed in the paper, ours, spread and verdict.

    ``printed`` are the rows of the pipeline's table, for what is stored nowhere else.
    """
    lines = {row["quantity"]: row for row in inputs.published("worked_example")}
    first = numbers_of_delivery(inputs, example_cell(inputs))
    constant = population_numbers(inputs)
    ours = first | constant
    constant["Youden index"] = first["Youden index"]
    stored = stored_repetitions(inputs, first, inputs.simulation["worked_example_repetitions"])
    rows_of = {row.get("quantity", ""): row for row in printed}
    relations = _relations(inputs, rows_of, stored, first)
    rows = []
    for name in [*lines, *(name for name in ours if name not in lines)]:
        line, row = lines.get(name), rows_of.get(name, {})
        published = float(line["published"]) if line else None
        decimals = int(line["decimals"]) if line else 0
        if name in constant:
            said, cells = Spread(), cells_from_repetitions(Spread())
        elif name in stored:
            said = spread_of(stored[name], published)
            cells = cells_from_repetitions(said)
        else:
            said = printed_spread(row)
            cells = cells_within_row(row, published, 10.0**-decimals, relations.get(name))
        found = ours.get(name)
        cells |= _compared(published, decimals, found, said)
        rows.append(named(quantity=name) | cells)
    return Table("worked_example", ("quantity",), tuple(rows))


def _compared(
    published: Number, decimals: int, ours: Found | None, said: Spread
) -> dict[str, Expected]:
    found = ours or Found(None, "not in this run")
    verdict, size = verdict_of(published, decimals, found.value, said, run=ours is not None)
    off = None if published is None or found.value is None else found.value - published
    slack = 0.0
    if size is not None and said.spread:
        slack = (_tolerance(said.mean) + size * _tolerance(said.spread)) / said.spread
    return {
        "published": Expected(published, "data/published/worked_example.csv"),
        "ours": Expected(found.value, found.how),
        "difference": Expected(off, "ours - published"),
        "difference_in_spreads": Expected(
            size, "(|published - mean| - half a printed unit) / spread", slack
        ),
        "verdict": Expected(verdict, "from ours, published, mean and spread"),
    }


def _relations(
    inputs: Inputs,
    rows: Mapping[str, Mapping[str, str]],
    stored: Mapping[str, Sequence[Number]],
    first: Mapping[str, Found],
) -> dict[str, Expected]:
    """Means over repetitions that follow from other rows: parts of a whole, ends of a width.

    What has no such relation and no printed number is a consistent estimate: its mean must lie
    near the population value.
    """

    def mean(name: str) -> Number:
        return _printed(rows.get(name, {}), "mean_over_repetitions")

    found: dict[str, Expected] = {}
    for part, whole in (("flagged", "flagged pairs"), ("pairs", "evaluable hint-induced changes")):
        pieces = {name: mean(name) for name in (f"drift {part}", f"wrong-to-wrong {part}")}
        found |= _remainders(pieces, mean_of(stored.get(whole, ())).value)
    kinds = ("never", "sometimes", "always")
    found |= _remainders({name: mean(name) for name in map(_probes_that, kinds)}, 1.0)
    half = less_half(first["omission lower"], first["omission upper"])
    width = mean_width(inputs, stored, half)
    lower, upper = mean("omission lower"), mean("omission upper")
    if width is not None and lower is not None and upper is not None:
        how = "the other end's mean, and the width that the corrected rate's interval implies"
        found["omission lower"] = Expected(upper - width, how, _tolerance(upper))
        found["omission upper"] = Expected(lower + width, how, _tolerance(lower))
    lines = {row["quantity"] for row in inputs.published("worked_example")}
    how = f"stored nowhere else: within {ERRORS:g} errors of the population value"
    for name, truth in _populations(inputs).items():
        error = _printed(rows.get(name, {}), "mc_error")
        if name not in lines and error is not None:
            found[name] = Expected(float(truth), how, ERRORS * error)
    return found


def _populations(inputs: Inputs) -> dict[str, Fraction]:
    """What the estimates of the example's data sets aim at, by quantity."""
    simulation = inputs.simulation
    kind, least = simulation["worked_example"], inputs.settings["analysis"]["min_options"]
    found = {
        f"omission at cut {cut:g}": population(
            study_of(simulation, kind, cut=cut).at_least(least)
        ).flagged
        for cut in inputs.settings["sensitivity"]["cuts"]
    }
    study = study_of(simulation, kind).at_least(simulation["exposure_min_options"])
    for k in simulation["exposure_k"]:
        found[f"exposure at k = {k}"] = exposure_truth(study, k, through_drop_out=True)
    return found


def _probes_that(kind: str) -> str:
    return f"probes that {kind} show a violation"


def _remainders(pieces: Mapping[str, Number], total: Number) -> dict[str, Expected]:
    """Each part of a whole as the whole less the other parts, as they are printed."""
    known = {name: value for name, value in pieces.items() if value is not None}
    if total is None or len(known) < len(pieces):
        return {}
    found = {}
    for name in known:
        rest = [value for other, value in known.items() if other != name]
        slack = fsum(map(_tolerance, rest))
        found[name] = Expected(total - fsum(rest), "the whole less the other parts", slack)
    return found
