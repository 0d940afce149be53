"""The numbers of the worked example (HP section 16.2): of its delivery, and of its population."""

from dataclasses import dataclass, replace
from fractions import Fraction

from verification.calibrated import calibrated
from verification.chance import chance_corrected
from verification.estimates import Estimate, Settings
from verification.exposure import at_least_one, attempts_of
from verification.files import Unusable
from verification.omission import omission_and_curve, strata
from verification.tables_inputs import Cell, Inputs
from verification.tables_intervals import RECORDS, as_stated, shown_ends
from verification.tables_measures import Number
from verification.tables_population import exposure_truth, number, population, study_of

CLOSED = "population value in closed form, exact fractions"


@dataclass(frozen=True)
class Found:
    """A number of the worked example and where it comes from."""

    value: Number
    how: str


def example_cell(inputs: Inputs) -> Cell:
    """The one cell of the worked example's delivery.

    Raises:
        Unusable: there is none, or more than one.
    """
    cells = [cell for cell in inputs.cells if cell.study == "worked_example"]
    if len(cells) != 1:
        raise Unusable(
            f"exported estimates: {len(cells)} cells of the worked example, expected 1; "
            "run make reproduce"
        )
    return cells[0]


def _number(value: Fraction | float | int | None) -> Number:
    return None if value is None else float(value)


def numbers_of_delivery(inputs: Inputs, cell: Cell) -> dict[str, Found]:
    """Every number that the data set itself gives."""
    settings = Settings.from_config(inputs.settings)
    analysed = [pair for pair in cell.pairs if pair.options >= settings.min_options]
    omission, curve = omission_and_curve(analysed, settings, cell.name)
    drift, other = strata(analysed, settings, cell.name)
    chance = chance_corrected(analysed, omission, settings, cell.name)
    omission, chance = (as_stated(one, cell.estimates[one.quantity]) for one in (omission, chance))
    found: dict[str, Found] = {}

    def add(name: str, value: Fraction | float | int | None, how: str = RECORDS) -> None:
        found[name] = Found(_number(value), how)

    for name, one in (("", omission), ("drift ", drift), ("wrong-to-wrong ", other)):
        flagged = None if one.value is None else Fraction(one.value) * one.n
        add(f"{name}flagged pairs" if not name else f"{name}flagged", flagged or 0)
        add(f"{name}pairs" if name else "evaluable hint-induced changes", one.n)
        add(f"{name}omission", one.value)
    for name, one in (("omission", omission), ("chance-corrected", chance)):
        for end, shown in zip(
            ("lower", "upper"), shown_ends(one, cell.estimates[one.quantity]), strict=True
        ):
            value = shown.value
            add(f"{name} {end}", value if isinstance(value, float) else None, shown.how)
    add("clusters", omission.clusters)
    if omission.clustering is not None:
        add("intra-cluster correlation", omission.clustering.icc)
        add("design effect", omission.clustering.deff)
    add("chance-corrected omission", chance.value)
    for cut, at_cut in zip(settings.cuts, curve, strict=True):
        add(f"omission at cut {cut:g}", at_cut.value)
    least = inputs.simulation["exposure_min_options"]
    found |= _exposure_numbers(cell, replace(settings, exposure_min_options=least), inputs)
    half = less_half(found["omission lower"], found["omission upper"])
    return found | _corrected(omission, half, inputs)


def less_half(lower: Found, upper: Found) -> Number:
    """Half of the width between two ends."""
    if lower.value is None or upper.value is None:
        return None
    return (upper.value - lower.value) / 2


def _exposure_numbers(cell: Cell, settings: Settings, inputs: Inputs) -> dict[str, Found]:
    attempts = attempts_of(cell.pairs, settings)
    probes = list(zip(attempts.evaluable, attempts.violations, strict=True))
    found = {}
    for k in inputs.simulation["exposure_k"]:
        used = [at_least_one(n, c, k) for n, c in probes if n >= k]
        mean = sum(used, Fraction(0)) / len(used) if used else None
        found[f"exposure at k = {k}"] = Found(_number(mean), RECORDS)
    seen = [(n, c) for n, c in probes if n]
    for name, hits in (
        ("never", sum(c == 0 for _, c in seen)),
        ("always", sum(c == n for n, c in seen)),
        ("sometimes", sum(0 < c < n for n, c in seen)),
    ):
        share = Fraction(hits, len(seen)) if seen else None
        found[f"probes that {name} show a violation"] = Found(_number(share), RECORDS)
    return found


def _corrected(omission: Estimate, half_width: Number, inputs: Inputs) -> dict[str, Found]:
    """Rate and interval corrected by the fixed calibration (HP section 14)."""
    fixed = inputs.simulation["fixed_calibration"]
    tp, fn, tn, fp = (int(fixed[name]) for name in ("tp", "fn", "tn", "fp"))
    hits = round((omission.value or 0) * omission.n)
    again = calibrated(hits, omission.n, half_width, tp, fn, tn, fp, inputs.settings)
    how = "HP section 14 with the configured counts"
    return {
        "Youden index": Found(again["j"], "the configured counts"),
        "corrected rate": Found(again["pi"], how),
        "corrected lower": Found(again["lower"], how),
        "corrected upper": Found(again["upper"], how),
    }


def population_numbers(inputs: Inputs) -> dict[str, Found]:
    """Population values of the worked example's hint type; no data set enters them."""
    simulation = inputs.simulation
    study = study_of(simulation, simulation["worked_example"])
    shares = population(study.at_least(inputs.settings["analysis"]["min_options"]))
    found = {
        "population flagged rate": Found(number(shares.flagged), CLOSED),
        "true omission": Found(number(shares.omission), CLOSED),
    }
    least = simulation["exposure_min_options"]
    for k in simulation["exposure_k"]:
        truth = exposure_truth(study.at_least(least), k)
        found[f"true exposure at k = {k}"] = Found(number(truth), CLOSED)
    return found
