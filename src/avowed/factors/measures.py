"""Every measure of the paper for one component and for a use case, as rows of the long table."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from avowed.factors.across import across_components
from avowed.factors.bootstrap import draw_weights
from avowed.factors.component import Measured, measured
from avowed.factors.rows import Row, plain_row, row_of
from avowed.factors.scored import Scored
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase


def measure_component(case: UseCase, scored: Scored, settings: FactorSettings) -> list[Row]:
    """Every measure of one component with its bootstrap interval over inputs.

    Counts of what was left out come first. Necessity is the use case's primary intervention.
    docs/estimators.md lists the quantities.

    Source: NS 3.3 to 3.6, 4, appendices A, C and D.
    """
    weights = draw_weights(case.name, scored.inputs, settings)
    return _component_rows(case, scored, measured(case, scored, settings, weights), settings)


def measure_use_case(
    case: UseCase,
    scored: Mapping[str, Scored],
    settings: FactorSettings,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> list[Row]:
    """What takes several components: headline means, differences, overlap and ordering.

    Means are unweighted over components, ``all components`` and those of every group (the
    reasoning settings of one model, say), for every quantity and feature. The feature-level
    correlation of a group (``pooled_``) is that of the features' mean frequencies and scores.
    All components share one draw of inputs, so differences between them are paired.

    Raises:
        ValueError: there is no component, or the components have different inputs.

    Source: NS 3.5, 4.3, D.3, D.4.
    """
    found, weights = _measure_each(case, scored, settings)
    across = across_components(case, scored, found, settings, weights=weights, groups=groups or {})
    return [row_of(one, use_case=case.name, settings=settings) for one in across]


def measure_all(
    case: UseCase,
    scored: Mapping[str, Scored],
    settings: FactorSettings,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> list[Row]:
    """The rows of `measure_component` for every component, then those of `measure_use_case`."""
    found, weights = _measure_each(case, scored, settings)
    rows = [
        row
        for name, one in scored.items()
        for row in _component_rows(case, one, found[name], settings)
    ]
    across = across_components(case, scored, found, settings, weights=weights, groups=groups or {})
    return rows + [row_of(one, use_case=case.name, settings=settings) for one in across]


def _measure_each(
    case: UseCase, scored: Mapping[str, Scored], settings: FactorSettings
) -> tuple[dict[str, Measured], NDArray[np.float64]]:
    sizes = {one.inputs for one in scored.values()}
    if len(sizes) != 1:
        raise ValueError(f"components need the same inputs; found {sorted(sizes)} inputs")
    for name, one in scored.items():
        if one.component != name:
            raise ValueError(f"component {one.component!r} stands under the name {name!r}")
    weights = draw_weights(case.name, sizes.pop(), settings)
    return {name: measured(case, one, settings, weights) for name, one in scored.items()}, weights


def _component_rows(
    case: UseCase, scored: Scored, one: Measured, settings: FactorSettings
) -> list[Row]:
    rows = [
        plain_row(
            quantity,
            count,
            use_case=case.name,
            component=scored.component,
            k=k,
            n=one.inputs,
            clusters=one.inputs,
        )
        for quantity, count, k in one.counts
    ]
    return rows + [row_of(each, use_case=case.name, settings=settings) for each in one.statistics]
