"""The planning table: one row per purpose and number of replicas; and the curves of the figure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design
from avowed.pairs.planning.correction import Correction
from avowed.pairs.planning.cost import Prices
from avowed.pairs.planning.power import Comparison, power_of, size_to_tell_apart
from avowed.pairs.planning.size import Planner, Size

COLUMNS = (
    "purpose",
    "replicas",
    "probes",
    "analysed_probes",
    "pairs",
    "expected_useful",
    "expected_clusters",
    "half_width",
    "assurance",
    "probability",
    "expected_probability",
    "formula_pairs",
    "formula_probability",
    "difference",
    "level",
    "power",
    "design_effect",
    "calls",
    "cost",
    "status",
)

HALF_WIDTH, BUDGET = "half-width", "number of calls"
OTHER_PROBES, SHARED_PROBES = "difference, other probes", "difference, shared probes"
#: Purposes whose sizes, calls and cost are those of one of the two models.
OF_EACH_MODEL = (OTHER_PROBES, SHARED_PROBES)
PLANNED, UNREACHED = "planned", "not reached"

#: Points of one curve.
_POINTS = 48


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked: the assumptions, the numbers of replicas to choose from, and the aim."""

    assumed: Assumptions
    replicas: Sequence[int]
    half_width: float
    assurance: float | None = 0.9
    design_effect: float | None = None
    correction: Correction | None = None
    prices: Prices = field(default_factory=Prices)

    def planners(self) -> list[Planner]:
        """One planner per number of replicas."""
        planners = []
        for replicas in self.replicas:
            design = Design(assumed=self.assumed, replicas=replicas, correction=self.correction)
            planners.append(
                Planner(
                    design=design,
                    law=design.law(),
                    assurance=self.assurance,
                    design_effect=self.design_effect,
                )
            )
        return planners


def _row(
    request: Request, purpose: str, size: Size, *, present: float, **more: Any
) -> dict[str, Any]:
    assumed, prices = request.assumed, request.prices
    return {
        **dict.fromkeys(COLUMNS),
        "purpose": purpose,
        "replicas": size.replicas,
        "probes": size.probes,
        "analysed_probes": size.analysed,
        "pairs": size.pairs,
        "expected_useful": size.analysed * size.replicas * assumed.useful,
        "expected_clusters": size.analysed * present,
        "design_effect": request.design_effect or assumed.design_effect(size.replicas),
        "calls": prices.calls(assumed, size),
        "cost": prices.cost(assumed, size),
        "status": PLANNED,
        **more,
    }


def half_width_rows(request: Request) -> list[dict[str, Any]]:
    """The smallest study for the half-width, per number of replicas.

    ``probability`` is that of reaching it, with the margins of planning where an assurance is asked
    for, and ``expected_probability`` the one without them; ``formula_pairs`` is the size that
    section 16.3 plans, in whole probes and with the share of two-option probes on top, and
    ``formula_probability`` how often that many reach it.

    Raises:
        Unusable: no study of a size that can be made is enough.

    >>> request = Request(
    ...     assumed=Assumptions(susceptibility=0.5), replicas=[1], half_width=0.1, assurance=None)
    >>> [(row["pairs"], row["formula_pairs"]) for row in half_width_rows(request)]
    [(193, 193)]
    """
    rows = []
    for planner in request.planners():
        size = planner.size_for(request.half_width)
        by_formula = replace(planner, assurance=None).size_for(request.half_width)
        rows.append(
            _row(
                request,
                HALF_WIDTH,
                size,
                present=planner.law.present,
                half_width=request.half_width,
                assurance=request.assurance,
                probability=planner.reached_with(
                    size.analysed, request.half_width, cautious=request.assurance is not None
                ),
                expected_probability=planner.reached_with(
                    size.analysed, request.half_width, cautious=False
                ),
                formula_pairs=by_formula.pairs,
                formula_probability=planner.reached_with(
                    by_formula.analysed, request.half_width, cautious=False
                ),
            )
        )
    return rows


def budget_rows(request: Request, calls: float) -> list[dict[str, Any]]:
    """The half-width that the same number of calls reaches, per number of replicas.

    A number of calls that reaches no half-width below 0.5 has none, and says so in ``status``.
    """
    rows = []
    for planner in request.planners():
        replicas = planner.design.replicas
        per_pair = request.prices.per_pair(request.assumed)
        probes = math.floor(round(calls / (per_pair * replicas), 6))
        analysed = probes - math.ceil(round(request.assumed.two_options * probes, 6))
        reached = planner.half_width_of(probes)
        size = Size(probes=probes, analysed=max(0, analysed), replicas=replicas)
        rows.append(
            _row(
                request,
                BUDGET,
                size,
                present=planner.law.present,
                half_width=reached,
                assurance=request.assurance,
                status=PLANNED if reached is not None else UNREACHED,
            )
        )
    return rows


def difference_rows(request: Request, compared: Comparison) -> list[dict[str, Any]]:
    """The smallest study of each model that tells two apart, per number of replicas.

    Pairs, calls and cost are those of one model; both together take twice as many.

    Raises:
        Unusable: no study of a size that can be made is enough.
    """
    purpose = OTHER_PROBES if compared.probe_correlation is None else SHARED_PROBES
    rows = []
    for planner in request.planners():
        replicas = planner.design.replicas
        size = size_to_tell_apart(compared, request.assumed, replicas=replicas)
        rows.append(
            _row(
                request,
                purpose,
                size,
                present=planner.law.present,
                difference=compared.difference,
                level=compared.level,
                power=power_of(
                    compared, request.assumed, analysed=size.analysed, replicas=replicas
                ),
            )
        )
    return rows


CURVE_COLUMNS = ("shown", "replicas", "pairs", "half_width")
CURVE, PLAN = "curve", "planned size"


def curve_rows(request: Request, planned: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Half-width against planned pairs, one curve per number of replicas, and the planned sizes.

    The curves run from a quarter of the smallest planned size to four times the largest.
    """
    sizes = [row["pairs"] for row in planned]
    grid = np.geomspace(min(sizes) / 4, max(sizes) * 4, _POINTS)
    rows: list[dict[str, Any]] = []
    for planner in request.planners():
        replicas = planner.design.replicas
        for probes in sorted({max(1, round(float(pairs) / replicas)) for pairs in grid}):
            rows.append(
                {
                    "shown": CURVE,
                    "replicas": replicas,
                    "pairs": probes * replicas,
                    "half_width": planner.half_width_of(probes),
                }
            )
    rows += [
        {"shown": PLAN, **{name: row[name] for name in ("replicas", "pairs", "half_width")}}
        for row in planned
    ]
    return rows
