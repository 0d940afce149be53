"""What the paper leaves out, for one component, as rows of the long table.

Selection baselines and the held-out comparison beside every uncited rate, every feature against
the noise floor with its adjusted p-value, and the inputs and trials a wanted precision needs.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Statistic, draw_weights, mean_of, statistics
from avowed.factors.multiplicity import features_above_floor
from avowed.factors.noise_floor import above_floor
from avowed.factors.outcomes import SUFFICIENCY
from avowed.factors.precision import precision_of
from avowed.factors.rows import Row, cell_name, plain_row, row_of
from avowed.factors.scored import Scored
from avowed.factors.scores import necessity, sufficiency
from avowed.factors.selection import selection_statistics
from avowed.factors.settings import FactorSettings
from avowed.factors.split_trials import split_trial_statistics
from avowed.factors.uncited import compare_uncited
from avowed.factors.usecase import UseCase

Floats = NDArray[np.float64]


def beyond_rows(
    case: UseCase, scored: Scored, settings: FactorSettings, *, weights: Floats | None = None
) -> list[Row]:
    """Everything beyond the paper for one component (definitions NS 12, 13).

    Quantities, with C for necessity or sufficiency:

    - ``selection_independent_C``, ``selection_agreeing_C``: the uncited rate by selection alone;
    - ``selection_excess_independent_C``, ``selection_excess_agreeing_C``: the observed uncited rate
      minus each, resampled together;
    - ``split_difference_C``, ``split_net_C``: the held-out comparison;
    - ``necessity_above_floor`` per feature, ``..._p_value`` and ``..._p_adjusted``;
    - ``inputs_needed_Q`` and ``trials_needed_Q`` for the target half-width.

    Args:
        case: the use case; its primary intervention is behind necessity.
        scored: the component's responses.
        settings: readings, resamples and the target half-width.
        weights: of ``draw_weights``; drawn when left out, the same ones.
    """
    kept = replace(
        scored,
        cited=scored.cited[:, : case.cited],
        repeat_cited=scored.repeat_cited[:, :, : case.cited],
    )
    taken = draw_weights(case.name, scored.inputs, settings) if weights is None else weights
    found: list[Statistic] = []
    for criterion, intervention, scores in (
        ("necessity", case.primary, necessity(kept, case.primary)),
        (SUFFICIENCY, SUFFICIENCY, sufficiency(kept)),
    ):
        trials = kept.changed[intervention].shape[2]
        if trials:
            found += _selection(kept, scores, taken, settings, criterion=criterion, trials=trials)
        found += split_trial_statistics(kept, intervention, taken, settings, criterion=criterion)
    rows = [row_of(one, use_case=case.name, settings=settings) for one in found]
    rows += _features(case, kept, taken, settings)
    return rows + _planning(case, kept, settings)


def _selection(
    scored: Scored,
    scores: Floats,
    weights: Floats,
    settings: FactorSettings,
    *,
    criterion: str,
    trials: int,
) -> list[Statistic]:
    """Both baselines, and the observed rate minus each."""
    baselines = selection_statistics(
        scored, scores, weights, settings, criterion=criterion, trials=trials
    )
    omission = compare_uncited(
        scored,
        scores,
        unscored_cited_value=settings.unscored_cited_value,
        no_uncited_counts=settings.no_uncited_counts,
    ).omission
    rate = statistics([mean_of("uncited_rate", scored.component, omission)], weights)[0]
    excesses = [
        replace(
            baseline,
            quantity=baseline.quantity.replace("selection_", "selection_excess_", 1),
            draws=rate.draws - baseline.draws,
            lowest=-1.0,
            note="observed uncited rate minus the rate by selection alone",
        )
        for baseline in baselines
    ]
    return [*baselines, *excesses]


def _features(
    case: UseCase, scored: Scored, weights: Floats, settings: FactorSettings
) -> list[Row]:
    """Every feature's PN minus the floor, with its interval, its p-value and the adjusted one."""
    gap = above_floor(scored, necessity(scored, case.primary))
    tests = features_above_floor(scored, case.primary)
    tested = sum(not np.isnan(test.p_value) for test in tests)
    means = statistics(
        [
            mean_of("necessity_above_floor", scored.component, gap[:, f], part=key, lowest=-1.0)
            for f, key in enumerate(scored.keys)
        ],
        weights,
    )
    rows: list[Row] = []
    for test, mean in zip(tests, means, strict=True):
        rows.append(row_of(mean, use_case=case.name, settings=settings))
        for name, value, method in (
            ("p_value", test.p_value, "stratified exact test"),
            ("p_adjusted", test.adjusted, f"Holm over {tested} features"),
        ):
            rows.append(
                plain_row(
                    f"necessity_above_floor_{name}",
                    value,
                    use_case=case.name,
                    component=cell_name(scored.component, test.key),
                    n=test.inputs,
                    clusters=test.inputs,
                    method=method,
                )
            )
    return rows


def _planning(case: UseCase, scored: Scored, settings: FactorSettings) -> list[Row]:
    """Inputs needed at the recorded trials, and trials needed at the recorded inputs."""
    half_width, inputs = settings.target_half_width, int(scored.explained.sum())
    rows: list[Row] = []
    for one in precision_of(scored, case.primary, settings):
        parts = one.components
        needed = parts.inputs_needed(half_width, trials=one.trials, confidence=settings.confidence)
        trials = None
        if inputs:
            trials = parts.trials_needed(half_width, inputs=inputs, confidence=settings.confidence)
        # Without variation neither number exists; with it, inputs alone may differ too much.
        why = "no number of trials is enough" if parts.plannable else "no variation to plan with"
        for name, number, at in (
            ("inputs_needed", needed, f"at {one.trials} trials"),
            ("trials_needed", trials, f"at {inputs} inputs"),
        ):
            parts_of_note = [f"half-width {half_width:g} {at}"]
            if not one.exact:
                parts_of_note.append("between numbers of trials by a line in 1/T")
            if number is None:
                parts_of_note.append(why)
            rows.append(
                plain_row(
                    f"{name}_{one.quantity}",
                    float("nan") if number is None else float(number),
                    use_case=case.name,
                    component=scored.component,
                    k=one.k,
                    n=parts.inputs,
                    clusters=parts.inputs,
                    method="variance components",
                    note="; ".join(parts_of_note),
                )
            )
    return rows
