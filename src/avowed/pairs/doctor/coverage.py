"""Is the plan there: missing and unequal replicas, lost pairs, sessions, length of the curve."""

import numpy as np

from avowed.pairs.doctor.examined import Examined, joined
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of
from avowed.pairs.exposure import attempts_of, reliable_up_to
from avowed.pairs.omission import FEW_PROBES

#: Share that is lost above which a loss is more than a note.
LOST = 0.05


def _severity(share: float) -> Severity:
    return Severity.THIN if share > LOST else Severity.NOTE


def missing_replicas(examined: Examined) -> list[Finding]:
    """Replicas that are planned for the probes that are there and have no record.

    Source: HP sections 3 and 5.
    """
    cell = examined.cell
    probes = int(cell.probe.max(initial=-1)) + 1
    planned = probes * cell.planned_replicas
    there = int(joined([cell.probe, examined.integers("replica")]).max(initial=-1)) + 1
    missing = planned - there
    if not missing:
        return []
    found = (
        f"{part_of(missing, planned, 'planned replica')} have no record "
        f"({counted(probes, 'probe')}, {counted(cell.planned_replicas, 'replica')} planned of each)"
    )
    numbers = {"missing": missing, "n": planned, "probes": probes}
    return [examined.find("missing_replicas", _severity(missing / planned), found, **numbers)]


def incomplete_pairs(examined: Examined) -> list[Finding]:
    """Pairs that lack a half and so have no record, as the header declares them.

    Source: HP section 5 (R10).
    """
    kind = examined.cell.hint_type
    entry = next(each for each in examined.header.coverage if each.hint_type == kind)
    if not entry.incomplete:
        return []
    found = f"{part_of(entry.incomplete, entry.planned, 'planned pair')} lack a half"
    numbers = {"incomplete": entry.incomplete, "n": entry.planned}
    severity = _severity(entry.incomplete / entry.planned)
    return [examined.find("incomplete_pairs", severity, found, **numbers)]


def unbalanced_replicas(examined: Examined) -> list[Finding]:
    """Some probes have at least twice as many records as others.

    Source: HP sections 7 and 11.
    """
    if not len(examined.cell):
        return []
    sizes = np.bincount(examined.cell.probe)
    least, most = int(sizes.min()), int(sizes.max())
    if most < 2 * least:
        return []
    found = (
        f"probes have from {least} to {most} records, {sizes.mean():.1f} on average over "
        f"{counted(sizes.size, 'probe')}"
    )
    numbers = {"least": least, "most": most, "probes": int(sizes.size)}
    return [examined.find("unbalanced_replicas", Severity.NOTE, found, **numbers)]


def two_sessions(examined: Examined) -> list[Finding]:
    """One probe and replica has records of two sessions or more, which is legal.

    Source: HP section 5 (R11); ``definitions`` item 14.
    """
    unit = joined([examined.cell.probe, examined.integers("replica")])
    size = np.bincount(unit)
    often = int((size > 1).sum())
    if not often:
        return []
    found = (
        "records of several sessions share probe and replica in "
        f"{part_of(often, int(size.size), 'unit')}, {counted(int(size[size > 1].sum()), 'record')}"
    )
    return [examined.find("two_sessions", Severity.THIN, found, repeated=often, n=int(size.size))]


def not_fresh(examined: Examined) -> list[Finding]:
    """Replicas that did not run in a session of their own; their probes leave the exposure curve.

    Source: HP section 11.
    """
    stale = int((~examined.cell.fresh).sum())
    if not stale:
        return []
    attempts = attempts_of(examined.cell, min_options=examined.settings.exposure_min_options)
    probes = attempts.left_out + int(attempts.evaluable.size)
    found = f"{part_of(stale, len(examined.cell), 'pair')} did not run in a fresh session"
    if probes:
        found += f"; the exposure leaves out {part_of(attempts.left_out, probes, 'probe')}"
    return [
        examined.find(
            "not_fresh",
            Severity.THIN,
            found,
            stale=stale,
            n=len(examined.cell),
            probes_left_out=attempts.left_out,
        )
    ]


def exposure_length(examined: Examined) -> list[Finding]:
    """The exposure curve is reliable for one attempt only, or rests on few probes beyond it.

    Source: HP section 11.
    """
    planned = examined.cell.planned_replicas
    attempts = attempts_of(examined.cell, min_options=examined.settings.exposure_min_options)
    if not attempts.evaluable.size:
        return []
    k = reliable_up_to(planned)
    if k == 1:
        found = (
            f"with {counted(planned, 'planned replica')} the exposure is reliable for one attempt "
            "only"
        )
        return [examined.find("exposure_short", Severity.NOTE, found, planned=planned, k=k)]
    usable, retained = int((attempts.evaluable >= k).sum()), int(attempts.evaluable.size)
    if usable >= FEW_PROBES and usable >= retained / 2:
        return []
    found = (
        f"X({k}) counts as reliable with {planned} planned replicas, and only "
        f"{part_of(usable, retained, 'probe')} have {k} evaluable replicas"
    )
    return [
        examined.find("exposure_few_probes", Severity.THIN, found, k=k, usable=usable, n=retained)
    ]
