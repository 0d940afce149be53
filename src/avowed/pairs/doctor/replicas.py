"""Replicas that are no replicas: copies of each other, or of one baseline."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from avowed.pairs.doctor.examined import LEAST_PROBES, Examined, Ints, constant_within, joined
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of, percent

#: Chance below which agreement is not put down to chance.
UNLIKELY = 0.001

#: Up to so many replicas every two are compared; beyond, neighbours and each with the first.
_ALL_PAIRS = 12

#: Share of agreement between probes up to which phi and evidence can tell replicas apart.
_TELLING = 0.05

#: Everything about a pair that differs by chance from replica to replica.
_DRAWN = ("baseline_answer", "hinted_answer", "judge_label", "judge_phi", "judge_evidence")


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Two replica indices: probes that have both, and probes in which they agree."""

    first: int
    second: int
    probes: int
    agree: int


def agreements(examined: Examined) -> list[Agreement]:
    """How often two replicas of a probe agree in answers, label, phi and evidence."""
    drawn = joined([examined.codes(name) for name in _DRAWN])
    probe, replica = examined.cell.probe, examined.integers("replica")
    numbers = np.unique(replica)
    columns: dict[int, tuple[Ints, Ints]] = {}
    for number in numbers.tolist():
        rows = np.flatnonzero(replica == number)
        # Of one (probe, replica) in two sessions the first record stands for both.
        there, first = np.unique(probe[rows], return_index=True)
        columns[number] = there, drawn[rows[first]]
    found = []
    for one, two in _two_by_two(numbers.tolist()):
        _, at_one, at_two = np.intersect1d(
            columns[one][0], columns[two][0], assume_unique=True, return_indices=True
        )
        same = columns[one][1][at_one] == columns[two][1][at_two]
        found.append(Agreement(first=one, second=two, probes=int(same.size), agree=int(same.sum())))
    return found


def _two_by_two(numbers: Sequence[int]) -> list[tuple[int, int]]:
    if len(numbers) <= _ALL_PAIRS:
        return list(combinations(numbers, 2))
    first = [(numbers[0], other) for other in numbers[1:]]
    return sorted({*first, *pairwise(numbers)})


def replica_copies(examined: Examined) -> list[Finding]:
    """Replicas that agree in answers, label, phi and evidence in every probe.

    How often two replicas agree by chance is taken from the other replicas of the same cell: with
    the greatest share a of agreement among them, n probes all agree with a chance of a^n. Where
    all replicas are alike there are no others; then it is wrong if hint-induced changes are among
    what agrees, and thin if not, because a sure answer is the same in every replica.

    Source: HP sections 5, 6 and 11.
    """
    compared = [each for each in agreements(examined) if each.probes >= LEAST_PROBES]
    copies = [each for each in compared if each.agree == each.probes]
    if not copies:
        return []
    others = [each.agree / each.probes for each in compared if each.agree < each.probes]
    names = ", ".join(f"{each.first} and {each.second}" for each in copies[:5])
    more = f" and {len(copies) - 5} more" if len(copies) > 5 else ""
    probes = max(each.probes for each in copies)
    if not others:
        moved = bool(examined.cell.hint_change.any())
        found = (
            f"all replicas of a probe agree in answers, label, phi and evidence, in "
            f"{counted(probes, 'probe')}"
        )
        if not moved:
            found += "; no change to the hint is among them, and sure answers may do so"
        severity = Severity.WRONG if moved else Severity.THIN
        return [examined.find("replica_copies", severity, found, probes=probes)]
    by_chance = max(others)
    if all(by_chance**each.probes >= UNLIKELY / len(compared) for each in copies):
        return []
    found = (
        f"replicas {names}{more} agree in answers, label, phi and evidence in all "
        f"{counted(probes, 'probe')}; other replicas agree in at most {percent(by_chance)}"
    )
    return [
        examined.find(
            "replica_copies",
            Severity.WRONG,
            found,
            probes=probes,
            copied=len(copies),
            agreement_of_others=by_chance,
        )
    ]


def replicas_repeat(examined: Examined) -> list[Finding]:
    """Verdicts within a probe repeat phi and evidence far more often than those of two probes.

    Asked only where phi and evidence tell pairs apart: at most 5 % of the evaluable pairs of two
    different probes are alike. Passed over where whole replicas are copies.

    Source: HP sections 6 and 11.
    """
    cell = examined.cell
    if not cell.evaluable.any() or replica_copies(examined):
        return []
    said = joined(
        [examined.codes(name)[cell.evaluable] for name in ("judge_phi", "judge_evidence")]
    )
    probe = cell.probe[cell.evaluable]
    within, same_within = _twos(probe), _twos(joined([probe, said]))
    between = _twos(np.zeros_like(probe)) - within
    same_between = _twos(said) - same_within
    if not within or not between or same_between / between > _TELLING:
        return []
    share, by_chance = same_within / within, same_between / between
    from scipy.stats import binom

    chance = float(binom.sf(same_within - 1, within, by_chance))
    if same_within < 5 or share < max(0.1, 3 * by_chance) or chance >= UNLIKELY:
        return []
    found = (
        f"phi and evidence are the same in {part_of(same_within, within, 'pair')} of verdicts on "
        f"replicas of one probe, against {percent(by_chance)} between probes"
    )
    severity = Severity.WRONG if share >= 0.5 else Severity.THIN
    return [
        examined.find(
            "replicas_repeat",
            severity,
            found,
            repeated=same_within,
            n=within,
            between_probes=by_chance,
        )
    ]


def _twos(groups: Ints) -> int:
    """Number of unordered pairs of rows that are in the same group."""
    size = np.bincount(groups).astype(np.int64)
    return int((size * (size - 1) // 2).sum())


def shared_baseline(examined: Examined) -> list[Finding]:
    """One unhinted half serves all replicas of a probe.

    Told by the identifiers or conversations of the unhinted halves, or by unhinted answers that
    are the same in every probe while hinted ones are so in a share s only: with n probes that has
    a chance of s^n if both are equally stable.

    Source: HP sections 6 and 11.
    """
    probe = examined.cell.probe
    for name, words in (
        ("baseline_half_id", "baseline_half_id"),
        ("baseline_conversation", "baseline_conversation"),
    ):
        codes = examined.codes(name)
        if not codes.size or (codes < 0).any():
            continue
        same, size = constant_within(probe, codes)
        several = size > 1
        shared, n = int((same & several).sum()), int(several.sum())
        if shared:
            found = (
                f"all replicas share one {words} in "
                f"{part_of(shared, n, 'probe')} with several replicas"
            )
            return [examined.find("shared_baseline", Severity.THIN, found, shared=shared, n=n)]
    baseline, hinted = (
        constant_within(probe, examined.integers(name))
        for name in ("baseline_answer", "hinted_answer")
    )
    several = baseline[1] > 1
    n = int(several.sum())
    if n < LEAST_PROBES or not baseline[0][several].all():
        return []
    stable = float(hinted[0][several].mean())
    if stable**n >= UNLIKELY:
        return []
    found = (
        f"unhinted answers are the same in all replicas of each of {counted(n, 'probe')}, hinted "
        f"answers in {percent(stable)} of them: one unhinted half seems to serve all replicas"
    )
    return [
        examined.find("shared_baseline", Severity.THIN, found, shared=n, n=n, hinted_stable=stable)
    ]
