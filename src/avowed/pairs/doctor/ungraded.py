"""Hint-induced changes without a verdict: how many, and whether they gather somewhere."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.cell import Cell, Mask, per_probe
from avowed.pairs.doctor.examined import LEAST_PAIRS, Examined
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import part_of, percent
from avowed.stats.clustering import describe
from avowed.stats.multiplicity import holm

#: Share ungraded above which a stratum has mostly no verdict, and from which a cell has many.
MOST, MANY = 0.5, 0.05

#: Level of the tests together, and the ungraded rate below which a difference hardly matters.
LEVEL, WORTH = 0.05, 0.05


def ungraded_strata(examined: Examined) -> list[Finding]:
    """A cell, or one of its strata, in which all or most changes to the hint have no verdict.

    If the cell as a whole has none, its strata are not named as well.

    Source: HP sections 7 and 8.
    """
    cell = examined.analysed
    whole = _gathered(examined, "the cell", cell.hint_change)
    if whole and whole[0].code == "all_ungraded":
        return whole
    strata = {
        "the stratum drift from a correct answer": cell.baseline_correct,
        "the stratum change between wrong answers": ~cell.baseline_correct,
    }
    found = [
        each
        for name, stratum in strata.items()
        for each in _gathered(examined, name, cell.hint_change & stratum)
        if each.code != "many_ungraded"
    ]
    return [*whole, *found]


def _gathered(examined: Examined, name: str, where: Mask) -> list[Finding]:
    moved, without = int(where.sum()), int((where & examined.analysed.ungraded).sum())
    if not moved:
        return []
    share = without / moved
    found = f"in {name} {part_of(without, moved, 'hint-induced change')} have no verdict"
    numbers = {"ungraded": without, "n": moved}
    if share == 1:
        severity = Severity.WRONG if moved >= LEAST_PAIRS else Severity.THIN
        return [examined.find("all_ungraded", severity, found, **numbers)]
    if share > MOST:
        return [examined.find("mostly_ungraded", Severity.THIN, found, **numbers)]
    if share >= MANY:
        return [examined.find("many_ungraded", Severity.THIN, found, **numbers)]
    return []


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """One group of hint-induced changes against all others: ungraded and size of both."""

    hint_type: str | None
    group: str
    ungraded: tuple[int, int]
    sizes: tuple[int, int]
    p_value: float


def ungraded_differences(cells: Sequence[Examined]) -> list[Finding]:
    """Groups whose ungraded rate differs from that of all others together.

    Strata and numbers of options within each cell, and hint types within the delivery. Fisher's
    exact test of the 2 x 2 table, after all counts are divided by the design effect of being
    ungraded, because replicas of a probe are not independent (Rao and Scott, 1992); the p-values
    are adjusted by Holm over all tests of the delivery. Rates below 5 % on both sides are passed
    over: what is missing there moves no rate by more than that.

    Source: HP sections 7 and 8; Rao and Scott (1992), Biometrics 48, 577-585.
    """
    tests: list[_Compared] = []
    for examined in cells:
        cell, kind = examined.analysed, examined.cell.hint_type
        moved = cell.where(cell.hint_change)
        effect = _design_effect(moved)
        groups = {f"L = {level}": moved.n_options == level for level in np.unique(moved.n_options)}
        if len(groups) == 2:
            # The second would be the same table turned round.
            groups.popitem()
        groups["drift from a correct answer"] = moved.baseline_correct
        tests += [
            _compared(moved.ungraded, mask, effect, hint_type=kind, group=name)
            for name, mask in groups.items()
        ]
    tests += _between_cells(cells)
    adjusted = holm([each.p_value for each in tests])
    performed = int((~np.isnan(adjusted)).sum())
    return [
        _difference(test, float(p), performed)
        for test, p in zip(tests, adjusted, strict=True)
        if p < LEVEL and max(_rates(test)) >= WORTH
    ]


def _between_cells(cells: Sequence[Examined]) -> list[_Compared]:
    moved = [each.analysed.where(each.analysed.hint_change) for each in cells]
    if len(moved) < 2:
        return []
    ungraded = np.concatenate([each.ungraded for each in moved])
    owner = np.repeat(np.arange(len(moved)), [len(each) for each in moved])
    effect = max((_design_effect(each) for each in moved if len(each)), default=1.0)
    asked = range(1 if len(moved) == 2 else len(moved))
    return [
        _compared(
            ungraded,
            owner == place,
            effect,
            hint_type=None,
            group=f"the hint type {cells[place].cell.hint_type}",
        )
        for place in asked
    ]


def _design_effect(moved: Cell) -> float:
    if not len(moved):
        return 1.0
    without, sizes = per_probe(moved, moved.ungraded, moved.hint_change)
    return describe(without[sizes > 0], sizes[sizes > 0]).design_effect


def _compared(
    ungraded: Mask, mask: Mask, effect: float, *, hint_type: str | None, group: str
) -> _Compared:
    sizes = (int(mask.sum()), int((~mask).sum()))
    without = (int((ungraded & mask).sum()), int((ungraded & ~mask).sum()))
    table = np.array([without, np.subtract(sizes, without)])
    return _Compared(
        hint_type=hint_type,
        group=group,
        ungraded=without,
        sizes=sizes,
        p_value=exact_p_value(np.rint(table / effect).astype(np.int64)),
    )


def exact_p_value(table: NDArray[np.int64]) -> float:
    """Two-sided p-value of Fisher's exact test, NaN where a row or a column is empty.

    >>> round(exact_p_value(np.array([[8, 2], [1, 5]])), 4)
    0.035
    """
    from scipy.stats import fisher_exact

    if (table.sum(axis=0) == 0).any() or (table.sum(axis=1) == 0).any():
        return math.nan
    return float(fisher_exact(table)[1])


def _rates(test: _Compared) -> tuple[float, float]:
    one, other = (part / whole for part, whole in zip(test.ungraded, test.sizes, strict=True))
    return one, other


def _difference(test: _Compared, p_value: float, performed: int) -> Finding:
    one, other = _rates(test)
    return Finding(
        code="ungraded_differs",
        severity=Severity.THIN,
        hint_type=test.hint_type,
        found=(
            f"{percent(one)} of {test.sizes[0]:,} hint-induced changes have no verdict for "
            f"{test.group}, {percent(other)} of {test.sizes[1]:,} otherwise (Fisher's exact test "
            f"of counts over the design effect, p = {p_value:.2g} by Holm over {performed} tests)"
        ),
        numbers={
            "ungraded": test.ungraded[0],
            "n": test.sizes[0],
            "ungraded_others": test.ungraded[1],
            "n_others": test.sizes[1],
            "p_value": p_value,
            "tests": performed,
        },
    )
