"""Comparisons in words: that rates differ, or that no difference is shown; never why."""

import math

from avowed.pairs.compare.differences import Compared
from avowed.pairs.compare.judges import JudgesCompared
from avowed.pairs.compare.probes import QUANTITIES
from avowed.pairs.record import spelled_out
from avowed.stats.intervals import Interval
from avowed.stats.status import Status


def _percent(rate: float) -> str:
    return "undefined" if math.isnan(rate) else f"{100 * rate:.1f} %"


def _points(interval: Interval) -> str:
    return f"[{100 * interval.lower:+.1f}, {100 * interval.upper:+.1f}]"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def p_number(p: float, *, bound: bool = False) -> str:
    """A p-value at three decimals, with "<" where it is smaller than they show or only a bound.

    A bound is rounded up. This is how sentences and tables print it; a CSV file has the number.

    >>> p_number(0.04321), p_number(0.0002), p_number(0.00151, bound=True), p_number(1, bound=True)
    ('0.043', '< 0.001', '< 0.002', '1.000')
    """
    if p < 0.001 or (bound and p < 1):
        return f"< {max(math.ceil(round(1000 * p, 6)), 1) / 1000:.3f}"
    return f"{p:.3f}"


def p_text(p: float, *, bound: bool = False) -> str:
    """A p-value in a sentence.

    >>> p_text(0.04321), p_text(0.00151, bound=True)
    ('p = 0.043', 'p < 0.002')
    """
    number = p_number(p, bound=bound)
    return f"p {number}" if number.startswith("<") else f"p = {number}"


def comparison_sentence(row: Compared, *, confidence: float) -> str:
    """One difference in words: the two rates, the difference in points, what it rests on.

    Rates differ where the adjusted p-value is at or below 1 - confidence. The words claim no cause,
    and where no difference is shown they do not say that there is none.
    """
    kind = f'"{spelled_out(row.hint_type)}"'
    what = QUANTITIES[row.quantity]
    of = [
        f"{_percent(rate)} in {name} ({_counted(side.n, 'pair')}, "
        f"{_counted(side.clusters, 'probe')})"
        for name, rate, side in (
            (row.first, row.rates[0], row.found.first),
            (row.second, row.rates[1], row.found.second),
        )
    ]
    both = f"{of[0]}, {of[1]}"
    if row.status in (Status.INSUFFICIENT, Status.UNDEFINED):
        return f"For the {kind} hint the data are insufficient to compare the {what}: {both}."
    differs = row.differs(confidence)
    verdict = f"the {what} differs" if differs else f"no difference of the {what} is shown"
    interval = row.found.interval
    p = p_text(row.p_adjusted, bound=row.p_adjusted_is_bound)
    adjusted = f", Holm-adjusted over {row.tests} comparisons" if row.tests > 1 else ""
    pairing = (
        f"{row.shared:,} of {row.either:,} probes shared"
        if row.paired
        else "compared as different probes"
    )
    text = (
        f"For the {kind} hint {verdict}: {both}; difference "
        f"{100 * row.found.value:+.1f} points ({100 * confidence:g} % CI {_points(interval)}, "
        f"{interval.method}; {pairing}; {p}{adjusted})."
    )
    if row.leaves_out_0 and not differs:
        text += (
            f" Its own interval leaves out 0, which among {row.tests} comparisons is not enough."
            if row.tests > 1
            else " Its interval just leaves out 0, and its p-value just does not: take them as one."
        )
    if row.status is Status.UNDERSAMPLED:
        text += " The interval is wider than the target precision: undersampled."
    return text + "".join(f" Note: {note}." for note in row.notes)


def judges_sentence(cell: JudgesCompared, *, names: tuple[str, str], confidence: float) -> str:
    """How much the rate of one cell depends on the judge, in words."""
    kind = f'"{spelled_out(cell.hint_type)}"'
    gap, agreement = cell.get("rate_difference"), cell.get("observed_agreement")
    on = f"{_counted(gap.n, 'pair')} from {_counted(gap.clusters, 'probe')} that both judged"
    partly = "" if cell.left_out is None else f" Warning: {cell.left_out}."
    if gap.status in (Status.INSUFFICIENT, Status.UNDEFINED):
        return (
            f"For the {kind} hint the data are insufficient to compare the judges ({on}).{partly}"
        )
    rates = [cell.get(which).value for which in ("rate_first", "rate_second")]
    p = cell.difference.p_value
    differs = p <= 1 - confidence + 1e-12
    verdict = (
        "the flagged omission differs between the judges"
        if differs
        else "no difference of the flagged omission between the judges is shown"
    )
    told = p_text(p, bound=cell.difference.p_is_bound)
    kappa, ac1 = cell.get("cohens_kappa").value, cell.get("gwet_ac1").value
    text = (
        f"For the {kind} hint {verdict}: of the {on}, {names[0]} flags {_percent(rates[0])} and "
        f"{names[1]} {_percent(rates[1])}; difference {100 * gap.value:+.1f} points "
        f"({100 * confidence:g} % CI {_points(gap.interval)}, {gap.interval.method}; {told}). They "
        f"agree on {_percent(agreement.value)} of these pairs (kappa "
        f"{'undefined' if math.isnan(kappa) else f'{kappa:.2f}'}, AC1 {ac1:.2f})."
    )
    if gap.status is Status.UNDERSAMPLED:
        text += " The interval of the difference is wider than the target precision: undersampled."
    text += partly + "".join(f" Note: {note}." for note in gap.notes)
    return text + "".join(f" Warning: {warning}." for warning in cell.warnings)
