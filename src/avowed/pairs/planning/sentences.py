"""What a plan says in words."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from avowed.pairs.calibration import Gates
from avowed.pairs.omission import FEW_PROBES
from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design
from avowed.pairs.planning.correction import Correction
from avowed.pairs.planning.cost import optimal_replicas
from avowed.pairs.planning.power import (
    LEAST_PROBES,
    LEAST_VERDICTS,
    Comparison,
    attainable,
    power_of,
)
from avowed.pairs.planning.table import HALF_WIDTH, UNREACHED, Request

Rows = Sequence[Mapping[str, Any]]


def of_replicas(number: int) -> str:
    """A number of replicas in words.

    >>> of_replicas(1), of_replicas(4)
    ('1 replica', '4 replicas')
    """
    return f"{number} replica{'' if number == 1 else 's'}"


def assumption_lines(request: Request) -> list[str]:
    """Say what is assumed, and which of it counts for nothing."""
    assumed = request.assumed
    lines = [
        f"Assumed: {100 * assumed.moved:.3g} % of completed pairs move to the hint, "
        f"{100 * assumed.loss:.3g} % are lost without a verdict, "
        f"{100 * assumed.two_options:.3g} % of probes have two options and are not analysed; "
        f"{1000 * assumed.useful * (1 - assumed.two_options):.0f} useful pairs from 1,000 planned."
    ]
    if request.assurance is None and request.design_effect is not None:
        lines.append(f"Design effect {request.design_effect:g}, as given.")
    elif max(request.replicas) == 1:
        lines.append("With one replica per probe the ICC makes no difference.")
    else:
        lines.append(
            f"ICC of verdicts {assumed.icc:g}, of moving {assumed.susceptibility_icc:g}."
            + _below_0(assumed)
        )
    return lines


def _below_0(assumed: Assumptions) -> str:
    return (
        " An ICC below 0 counts as 0, as in the design effect (HP 7)."
        if min(assumed.icc, assumed.susceptibility_icc) < 0
        else ""
    )


def size_line(row: Mapping[str, Any], request: Request) -> str:
    """Say what the cheapest of the planned sizes is, and how surely it reaches the half-width."""
    what = "corrected" if request.correction else "flagged"
    rate = request.assumed.expected_omission
    aim = (
        f"a half-width of {request.half_width:g} ({100 * request.assumed.confidence:g} % interval) "
        f"around {'an' if rate == 0.8 else 'a'} {what} omission rate of {rate:g}"
    )
    size = (
        f"{row['probes']:,} probes with {of_replicas(row['replicas'])} each ({row['pairs']:,} "
        f"pairs, about {row['expected_useful']:,.0f} useful ones, {_calls(row, request)})"
    )
    if request.assurance is None:
        sure = (
            f"Planned by section 16.3, whose formula holds on average only: {_percent(row)} of "
            "studies of this size reach it."
        )
    else:
        sure = (
            f"It is reached with probability {request.assurance:g} at least "
            f"({row['expected_probability']:.2f} without the margin: "
            f"{_margins(request, row['replicas'])}). Section 16.3's formula says "
            f"{row['formula_pairs']:,} pairs, with which {_percent(row)} of studies reach it."
        )
    return f"For {aim}: {size}. {sure}"


def _margins(request: Request, replicas: int) -> str:
    """What keeps a planned size on the safe side, as :func:`.assurance.chance` has it."""
    design = Design(assumed=request.assumed, replicas=replicas, correction=request.correction)
    margins = []
    if design.margin > 1:
        margins.append(f"{100 * (design.margin - 1):.0f} % are added to the variance")
    if design.law().equal_sizes:
        margins.append("the steps in which the rate moves are taken at their worst")
    return " and ".join(margins)


def _calls(row: Mapping[str, Any], request: Request) -> str:
    """The calls of a size, and its cost where probes have a price."""
    calls = f"{row['calls']:,.0f} calls"
    if not request.prices.probe_cost:
        return calls
    return f"{calls}, cost {row['cost']:,.0f} with the probes"


def _percent(row: Mapping[str, Any]) -> str:
    return f"{100 * row['formula_probability']:.0f} %"


def few_lines(row: Mapping[str, Any]) -> list[str]:
    """Warn of a study whose interval will rest on few probes."""
    if row["expected_clusters"] >= FEW_PROBES:
        return []
    return [
        f"Only about {math.floor(row['expected_clusters'])} probes will have a useful pair: below "
        f"{FEW_PROBES} the percentile interval is likely too narrow, so plan for a smaller "
        "half-width."
    ]


def replica_line(request: Request) -> str:
    """Say whether more replicas or more probes are worth their calls."""
    assumed, prices = request.assumed, request.prices
    pair = prices.per_pair(assumed)
    icc = assumed.again * assumed.verdict_icc
    best = optimal_replicas(icc=icc, probe_cost=prices.probe_cost, pair_cost=pair)
    if prices.probe_cost == 0:
        return (
            f"A pair takes {pair:.3g} calls and a new probe costs nothing more: new probes are "
            "worth more than replicas, and one replica per probe is enough for this rate. An "
            "exposure of k attempts needs k replicas or more (HP 11)."
        )
    ratio = f"A pair takes {pair:.3g} calls, a new probe {prices.probe_cost:g} more"
    if math.isinf(best):
        return f"{ratio}: verdicts do not correlate, so replicas are worth as much as new probes."
    least, most = min(request.replicas), max(request.replicas)
    text = (
        f"{ratio}: the rate varies least for its cost with {best:.1f} replicas per probe, because "
        f"pairs of one probe have {100 * icc:.3g} % of their variance in common, which more "
        "replicas of it do not reduce."
    )
    if best > most:
        text += (
            f" The table ends at {of_replicas(most)}; ask for more with --replicas to see whether "
            "they cost less."
        )
    elif best < least:
        text += f" The table begins at {of_replicas(least)}; ask for fewer with --replicas."
    return text


def calibration_lines(correction: Correction, half_width: float, gates: Gates) -> list[str]:
    """Say what the calibration leaves of the half-width.

    Source: HP section 14.
    """
    counts, left = correction.accuracy, correction.left_for_sample(half_width)
    lines = [
        f"Calibration: Se {counts.sensitivity:.3f} ({counts.tp} of {counts.positives}), Sp "
        f"{counts.specificity:.3f} ({counts.tn} of {counts.negatives}), J {counts.youden:.3f}. It "
        f"adds h_c = {correction.half_width:.3f}; h = sqrt(h_s^2 + h_c^2) leaves the flagged rate, "
        f"expected at {correction.flagged:.3f}, a half-width of {left:.3f}."
    ]
    if correction.half_width > gates.target_half_width:
        lines.append(
            f"h_c is above {gates.target_half_width:g}: the rate will be reported as limited by "
            "the calibration (HP 14)."
        )
    if not half_width <= correction.rate <= 1 - half_width:
        lines.append(
            f"An interval of {correction.rate:g} -+ {half_width:g} leaves [0, 1]: the rate may be "
            "clipped and reported as undersampled (HP 14)."
        )
    return lines


def out_of_reach(correction: Correction, half_width: float) -> str:
    """Say that the calibration alone is too wide, and which size would do."""
    bare = correction.items_needed(half_width)
    good = correction.items_needed(half_width / math.sqrt(2))
    return (
        f"a half-width of {half_width:g} is out of reach however many pairs there are: the "
        f"calibration alone gives {correction.half_width:.3f} at a corrected rate of "
        f"{correction.rate:g}. It takes more than {bare[0]:,} positive and {bare[1]:,} negative "
        f"items to get below that; {good[0]:,} and {good[1]:,} leave half of the variance to the "
        "pairs"
    )


def budget_line(rows: Rows, calls: float) -> str:
    """Say which number of replicas makes the most of a number of calls."""
    there = [row for row in rows if row["status"] != UNREACHED]
    if not there:
        return f"{calls:,.0f} calls reach no half-width below 0.5."
    best = min(there, key=lambda row: (row["half_width"], row["replicas"]))
    told = "; ".join(f"{row['half_width']:.3f} with {row['replicas']}" for row in there)
    return (
        f"{calls:,.0f} calls reach, by replicas per probe, a half-width of {told}: best "
        f"{of_replicas(best['replicas'])} and {best['probes']:,} probes."
    )


def difference_line(row: Mapping[str, Any], compared: Comparison, *, corrected: bool) -> str:
    """Say what it takes to tell two models apart, by their flagged rates.

    With a calibration these lie J times as far apart as the corrected ones.
    """
    level = f"level {compared.level:.3g}"
    if compared.comparisons > 1:
        level += (
            f" = {compared.alpha:g} / {compared.comparisons} (Bonferroni; Holm's procedure finds "
            "at least as much)"
        )
    further = " (J times the difference of the corrected rates)" if corrected else ""
    probes = (
        "on probes of its own"
        if compared.probe_correlation is None
        else f"on the same probes (correlation {compared.probe_correlation:g} between models)"
    )
    return (
        f"To tell a flagged rate of {compared.rate:.3g} from {compared.other:.3g}{further} "
        f"with power {compared.power:g} at "
        f"{level}: {row['probes']:,} probes with {of_replicas(row['replicas'])} each "
        f"({row['pairs']:,} pairs, {row['calls']:,.0f} calls) per model, {probes}; both take "
        f"{2 * row['calls']:,.0f} calls."
    )


def limit_lines(row: Mapping[str, Any], compared: Comparison, assumed: Assumptions) -> list[str]:
    """Say where a comparison is not planned by the power and the correlation asked for alone."""
    lines = []
    asked, used = compared.probe_correlation, attainable(compared, assumed)
    if asked is not None and used is not None and asked != used:
        most = "at most" if asked > used else "at least"
        lines.append(
            f"Rates of {compared.rate:.3g} and {compared.other:.3g} with an ICC of "
            f"{assumed.verdict_icc:g} leave room for a correlation of {used:.3f} {most}; planned "
            "with that."
        )
    size = {"analysed": row["analysed_probes"] - 1, "replicas": row["replicas"]}
    if size["analysed"] and power_of(compared, assumed, **size) >= compared.power:
        lines.append(
            "Fewer pairs would have the power by the normal approximation, which does not hold for "
            f"them: of each model at least {LEAST_VERDICTS} verdicts of either kind (over the "
            f"design effect) and {LEAST_PROBES} probes with a verdict are to be expected."
        )
    return lines


def undrawn_line(rows: Rows) -> str | None:
    """Say which rows of the table a figure of half-width against pairs has no place for.

    >>> undrawn_line([{"purpose": "half-width"}, {"purpose": "number of calls"}])
    'The figure shows the half-width; the rows for number of calls are in the table only.'
    """
    others = list(dict.fromkeys(row["purpose"] for row in rows if row["purpose"] != HALF_WIDTH))
    if not others:
        return None
    return (
        f"The figure shows the half-width; the rows for {' and '.join(others)} are in the table "
        "only."
    )
