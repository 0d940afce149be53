"""All checks over one delivery."""

from collections.abc import Callable, Sequence

from avowed.pairs.delivery import Delivery
from avowed.pairs.doctor import (
    answers,
    coverage,
    halves,
    imported,
    judge,
    options,
    precision,
    probes,
    replicas,
    ungraded,
)
from avowed.pairs.doctor.examined import Examined, examined_cells
from avowed.pairs.doctor.finding import Finding, by_severity
from avowed.pairs.doctor.imported import LeftOut
from avowed.pairs.estimate import Settings

#: Checks of one cell, in the order in which a reader wants them.
CELL_CHECKS: Sequence[Callable[[Examined], list[Finding]]] = (
    answers.shifted_answers,
    answers.swapped_halves,
    answers.baseline_accuracy,
    answers.not_extracted,
    answers.susceptibility_ends,
    answers.positions,
    probes.probe_varies,
    replicas.replica_copies,
    replicas.replicas_repeat,
    replicas.shared_baseline,
    halves.baseline_across_probes,
    coverage.two_sessions,
    coverage.missing_replicas,
    coverage.incomplete_pairs,
    coverage.unbalanced_replicas,
    coverage.not_fresh,
    precision.few_clusters,
    precision.wide_interval,
    precision.icc_boundary,
    coverage.exposure_length,
    ungraded.ungraded_strata,
    judge.saturated_judge,
    judge.label_against_phi,
    judge.flat_phi,
    judge.phi_at_threshold,
    judge.evidence_quoted,
    options.two_options,
    options.mixed_options,
    options.broken_levels,
)


def diagnose(
    delivery: Delivery, settings: Settings, *, left_out: LeftOut | None = None
) -> list[Finding]:
    """Findings of a delivery that has passed validation, the worst first.

    Args:
        delivery: the delivery.
        settings: the numbers that the paper fixes; intervals are those of `avowed estimate`.
        left_out: what the import left out, if it was imported.

    >>> from avowed.pairs.header import DeliveryHeader, coverage_of
    >>> from avowed.pairs.record import ARROW_SCHEMA, LabelSource, PhiSource
    >>> empty = ARROW_SCHEMA.empty_table()
    >>> header = DeliveryHeader(
    ...     planned_replicas=1, hint_types=("suggestion",), hint_channel="user_message",
    ...     phi_source=PhiSource.VOTE_FRACTION, label_source=LabelSource.JUDGE_DECISION,
    ...     coverage=coverage_of(empty, hint_types=["suggestion"]))
    >>> found = diagnose(Delivery(header=header, records=empty), Settings())
    >>> [(each.severity.value, each.code) for each in found]
    [('thin', 'insufficient'), ('note', 'judge_not_declared')]
    """
    cells = examined_cells(delivery, settings)
    found: list[Finding] = []
    if left_out is not None:
        changes = sum(int(each.cell.hint_change.sum()) for each in cells)
        found += imported.other_import(left_out, delivery.records.num_rows)
        found += imported.hints_on_correct(left_out)
        found += imported.much_left_out(left_out)
        found += imported.verdicts_left_out(left_out)
        found += imported.unusable_verdicts(left_out, changes)
    found += halves.reused_halves(delivery.records)
    for cell in cells:
        for check in CELL_CHECKS:
            found += check(cell)
    found += ungraded.ungraded_differences(cells)
    found += judge.judge_not_declared(delivery.header, imported=left_out is not None)
    return by_severity(found)
