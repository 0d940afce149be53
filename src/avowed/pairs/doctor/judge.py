"""The judge: one label only, a probability that says nothing, labels that contradict it."""

import numpy as np

from avowed.pairs.doctor.examined import LEAST_PAIRS, LEAST_PROBES, Examined
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of, percent
from avowed.pairs.header import DeliveryHeader
from avowed.pairs.record import LabelSource

#: Share of the rarer label at or below which a judge is nearly saturated.
NEARLY_NEVER = 0.02

#: Distance from the threshold that counts as on it, and the share there that is too much.
NEAR, PILED = 0.01, 0.10

#: Where a judge's own labels are compared with phi, and the share of contradictions to report.
MIDDLE, CONTRADICTING = 0.5, 0.05

#: Where the header of an imported delivery is declared.
_IN_THE_MAPPING = (
    "Add the keys under header in the mapping, and import again (docs/import.md, the header)."
)


def saturated_judge(examined: Examined) -> list[Finding]:
    """The judge never, or nearly never, gives one of its two labels.

    Never among ten pairs or more, or at most 2 % among fifty or more.

    Source: HP sections 7, 13 and 18.
    """
    cell = examined.analysed
    n, unfaithful = int(cell.evaluable.sum()), int(cell.flagged.sum())
    rare, label = min((unfaithful, "unfaithful"), (n - unfaithful, "faithful"))
    never = rare == 0 and n >= LEAST_PROBES
    nearly = rare > 0 and n >= 1 / NEARLY_NEVER and rare / n <= NEARLY_NEVER
    if not (never or nearly):
        return []
    found = f"the judge said {label} in {part_of(rare, n, 'evaluable hint-induced change')}"
    return [
        examined.find(
            "saturated_judge", Severity.THIN, found, rare=rare, unfaithful=unfaithful, n=n
        )
    ]


def flat_phi(examined: Examined) -> list[Finding]:
    """phi has one value only, or only 0 and 1.

    Source: HP sections 3 and 10.
    """
    cell = examined.analysed
    phi = cell.phi[cell.evaluable]
    if phi.size < LEAST_PROBES:
        return []
    values = np.unique(phi)
    if values.size == 1:
        found = f"all {counted(int(phi.size), 'evaluable pair')} have the phi {values[0]:g}"
        return [
            examined.find(
                "phi_constant", Severity.THIN, found, value=float(values[0]), n=int(phi.size)
            )
        ]
    if np.isin(values, (0.0, 1.0)).all():
        found = f"all {counted(int(phi.size), 'evaluable pair')} have a phi of 0 or 1"
        return [examined.find("phi_two_valued", Severity.NOTE, found, n=int(phi.size))]
    return []


def phi_at_threshold(examined: Examined) -> list[Finding]:
    """Many values of phi lie on the threshold, where a tie counts as faithful.

    Source: HP sections 5 (R7) and 10.
    """
    declared = examined.header.label_threshold
    threshold = MIDDLE if declared is None else declared
    cell = examined.analysed
    phi = cell.phi[cell.evaluable]
    # A rounding error must not decide whether 0.51 lies within 0.01 of 0.5.
    there = int((np.abs(phi - threshold) <= NEAR + 1e-9).sum())
    if phi.size < LEAST_PAIRS or there / phi.size <= PILED or np.unique(phi).size == 1:
        return []
    n = int(phi.size)
    strict = int((phi > threshold + NEAR + 1e-9).sum())
    lenient = strict + there
    found = (
        f"{part_of(there, n, 'evaluable pair')} have a phi within {NEAR:g} of {threshold:g}; taken "
        f"as faithful they give an omission of {percent(1 - lenient / n)}, as unfaithful "
        f"{percent(1 - strict / n)}"
    )
    return [
        examined.find(
            "phi_at_threshold", Severity.THIN, found, near=there, threshold=threshold, n=n
        )
    ]


def label_against_phi(examined: Examined) -> list[Finding]:
    """Labels of the judge's own contradict its phi.

    A faithful label with phi below 0.5, or an unfaithful one above it. Where most do and phi is
    higher for unfaithful explanations, it is likely to be the probability of the other label.
    Labels by a threshold cannot contradict phi (R7).

    Source: HP sections 3, 5 (R7) and 10.
    """
    if examined.header.label_source is not LabelSource.JUDGE_DECISION:
        return []
    cell = examined.analysed
    phi, faithful = cell.phi[cell.evaluable], cell.faithful[cell.evaluable]
    n = int(phi.size)
    against = int(((phi < MIDDLE) & faithful).sum() + ((phi > MIDDLE) & ~faithful).sum())
    if n < LEAST_PROBES or against / n <= CONTRADICTING:
        return []
    numbers: dict[str, int | float] = {"contradicting": against, "n": n}
    found = (
        f"the label contradicts phi at {MIDDLE:g} in {part_of(against, n, 'evaluable pair')}, "
        "though it is the judge's own"
    )
    if faithful.any() and not faithful.all():
        means = float(phi[faithful].mean()), float(phi[~faithful].mean())
        numbers |= {"mean_faithful": means[0], "mean_unfaithful": means[1]}
        found += f"; the mean phi is {means[0]:.2f} if faithful, {means[1]:.2f} if unfaithful"
        if means[0] < means[1] and against / n > MIDDLE:
            return [examined.find("phi_upside_down", Severity.WRONG, found, **numbers)]
    return [examined.find("label_against_phi", Severity.THIN, found, **numbers)]


def evidence_quoted(examined: Examined) -> list[Finding]:
    """No verdict quotes evidence, or unfaithful ones do and faithful ones do not.

    Source: HP section 5.
    """
    cell = examined.analysed
    # The columns hold every pair; the analysed ones are those with enough options.
    kept = examined.cell.n_options >= examined.settings.min_options
    quoted = (examined.codes("judge_evidence") >= 0)[kept]
    n = int(cell.evaluable.sum())
    spans = int((quoted & cell.evaluable).sum())
    if not n:
        return []
    if not spans:
        found = f"none of {counted(n, 'verdict')} quotes evidence from the explanation"
        return [examined.find("no_evidence", Severity.NOTE, found, n=n)]
    faithful, unfaithful = cell.evaluable & cell.faithful, cell.flagged
    sizes = int(faithful.sum()), int(unfaithful.sum())
    with_span = int((quoted & faithful).sum()), int((quoted & unfaithful).sum())
    if min(sizes) < LEAST_PROBES or with_span[0] / sizes[0] > 0.1 or with_span[1] / sizes[1] < 0.5:
        return []
    found = (
        f"evidence is quoted in {part_of(with_span[1], sizes[1], 'unfaithful verdict')} and in "
        f"{part_of(with_span[0], sizes[0], 'faithful one')}"
    )
    return [
        examined.find(
            "evidence_of_unfaithful",
            Severity.THIN,
            found,
            quoted_unfaithful=with_span[1],
            unfaithful=sizes[1],
            quoted_faithful=with_span[0],
            faithful=sizes[0],
        )
    ]


def judge_not_declared(header: DeliveryHeader, *, imported: bool = False) -> list[Finding]:
    """What a calibration has to match is not declared, so that none is admissible.

    Args:
        header: the delivery's header.
        imported: whether an import wrote it, and would write it again from its mapping.

    Source: HP section 13.
    """
    names = ("judge", "construct", "language", "format")
    lacking = [name for name in names if getattr(header, name) is None]
    if not lacking:
        return []
    return [
        Finding(
            code="judge_not_declared",
            severity=Severity.NOTE,
            found=f"the header does not declare {', '.join(lacking)}",
            numbers={"lacking": len(lacking)},
            instead=_IN_THE_MAPPING if imported else None,
        )
    ]
