"""The table of the worked example: printed, ours, and how far other data sets fall (HP 16.2).

The spread and mean over repetitions come from the same data sets in the studies, where these keep
them, so that two programs' ways to a number meet; else from the repetitions of the example itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from verification.files import Unusable
from verification.tables_compare import Expected, Table
from verification.tables_example import (
    Found,
    example_cell,
    numbers_of_delivery,
    population_numbers,
)
from verification.tables_inputs import Inputs
from verification.tables_measures import Number, mean_of, named

# A printed number within this many spreads of our mean could be one of our data sets.
SPREADS = 2.0

SIBLING = "the same data sets in the exported repetitions of the studies"
STORED = "the exported repetitions of the worked example"
ALONE = "no data set of this run gives it"


@dataclass(frozen=True)
class Repeated:
    """A number in every repetition, and where the values come from."""

    values: Sequence[Number]
    how: str


def same_data_sets(inputs: Inputs, first: Mapping[str, Found]) -> dict[str, list[Number]]:
    """Numbers of the same data sets that the studies keep as well, one per repetition.

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
    return found


def repetitions_of(inputs: Inputs, first: Mapping[str, Found]) -> dict[str, Repeated]:
    """Every number of the worked example in every repetition.

    Repetition 0 is recomputed from the delivery (``first``). The others come from the studies,
    where these ran as many; else from the exported repetitions of the example itself.

    Raises:
        Unusable: the exported repetitions are not the configured ones.
    """
    wanted = inputs.simulation["worked_example_repetitions"]
    stored, elsewhere = inputs.study("worked_example"), same_data_sets(inputs, first)
    if [row["repetition"] for row in stored] != list(range(wanted)):
        raise Unusable(
            f"exported repetitions of the worked example: found {len(stored)}, expected 0 to "
            f"{wanted - 1}, each once; run make reproduce"
        )
    found = {}
    for name, number in first.items():
        if len(elsewhere.get(name, ())) >= wanted:
            found[name] = Repeated(elsewhere[name][:wanted], SIBLING)
        else:
            found[name] = Repeated([number.value, *(row[name] for row in stored[1:])], STORED)
    return found


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


def spread_cells(found: Spread, how: str) -> dict[str, Expected]:
    """Columns on the spread over repetitions."""
    return {
        "spread": Expected(found.spread, how),
        "mean_over_repetitions": Expected(found.mean, how),
        "mc_error": Expected(found.error, "spread / sqrt(repetitions)"),
        "repetitions": Expected(found.repetitions, how),
        "share_of_repetitions_below_published": Expected(found.share_below, how),
    }


def verdict_of(
    published: Number, decimals: int, ours: Number, spread: Spread, *, run: bool
) -> tuple[str, Number]:
    """Verdict and size of the difference in spreads, less half a unit of the last printed place.

    A number of a data set is held against the mean of ours, a population value against ours.

    >>> verdict_of(0.65, 2, 0.648, Spread(), run=True)
    ('matches', 0.0)
    """
    if published is None:
        return "not printed", None
    centre = ours if spread.mean is None else spread.mean
    if not run:
        return "not in this run", None
    if ours is None or centre is None:
        return "undefined", None
    beyond = max(0.0, abs(published - centre) - 10.0**-decimals / 2)
    size: Number = 0.0 if beyond <= 1e-12 else None
    if spread.spread:
        size = beyond / spread.spread
    if float(f"{centre:.{decimals}f}") == published:
        return "matches", size
    near = size is not None and size <= SPREADS
    return "within Monte-Carlo error" if near else "differs", size


def worked_example_table(inputs: Inputs) -> Table:
    """Every number of the worked example: printed in the paper, ours, spread and verdict."""
    lines = {row["quantity"]: row for row in inputs.published("worked_example")}
    first = numbers_of_delivery(inputs, example_cell(inputs))
    ours = first | population_numbers(inputs)
    repeated = repetitions_of(inputs, first)
    rows = []
    for name in [*lines, *(name for name in ours if name not in lines)]:
        line = lines.get(name)
        published = float(line["published"]) if line else None
        decimals = int(line["decimals"]) if line else 0
        each = repeated.get(name, Repeated((), ALONE))
        said = spread_of(each.values, published)
        cells = spread_cells(said, each.how) | _compared(published, decimals, ours.get(name), said)
        rows.append(named(quantity=name) | cells)
    return Table("worked_example", ("quantity",), tuple(rows))


def _compared(
    published: Number, decimals: int, ours: Found | None, said: Spread
) -> dict[str, Expected]:
    found = ours or Found(None, "not in this run")
    verdict, size = verdict_of(published, decimals, found.value, said, run=ours is not None)
    centre = found.value if said.mean is None else said.mean
    off = None if published is None or centre is None else centre - published
    return {
        "published": Expected(published, "data/published/worked_example.csv"),
        "ours": Expected(found.value, found.how),
        "difference": Expected(off, "the mean, or a population value, - published"),
        "difference_in_spreads": Expected(
            size, "(|published - mean| - half a printed unit) / spread"
        ),
        "verdict": Expected(verdict, "from ours, published, mean and spread"),
    }
