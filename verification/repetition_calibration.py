"""The calibration study in one repetition, and its drawn calibrations in all (HP 15 and 16.2)."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lgamma, log, log1p, sqrt
from random import Random
from typing import Any

from verification.bootstrap import count_tolerance, percentile, resampled_totals, stream, tolerance
from verification.calibrated import calibrated
from verification.comparison import Row, compared
from verification.estimates import Estimate, Settings
from verification.omission import omission_and_curve
from verification.repetition_pairs import SOURCE, Place, Repetition, end, ends_of
from verification.simulated import Key
from verification.tables_population import study_of

COUNTED = "drawn calibrations"


def calibration_rows(again: Repetition, rows: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """Every calibration of one hint type: rate, both intervals, h_c and the realised omission."""
    kind = rows[0]["hint_type"]
    key = again.main(kind)
    hits, sizes = again.counts(key)
    omission, _ = omission_and_curve(again.analysed(key), again.settings, f"repetition/{kind}")
    random = stream("repetition", kind, "joint")
    totals = (
        resampled_totals(list(zip(hits, sizes, strict=True)), again.settings.resamples, random)
        if sizes
        else []
    )
    realised = realised_omission(again, key)
    for row in rows:
        cell = f"{kind} {row['calibration']} {row['items_per_class']}"
        place = (SOURCE, "calibration", cell, None)
        yield compared(*place, "realised", row["realised"], realised)
        if not sizes:
            yield compared(*place, "estimate", row["estimate"], None)
            continue
        counts = Counts.of(row)
        slack, found = _quadrature(again, omission, hits, sizes, counts, row)
        yield compared(*place, "estimate", row["estimate"], found["pi"])
        yield compared(*place, "h_c", row["h_c"], found["h_c"])
        for name in ("lower", "upper"):
            yield end(place, f"quadrature {name}", row[f"quadrature {name}"], found[name], slack)
        yield from _joint(place, row, [a / b for a, b in totals], counts, again.settings, random)


@dataclass(frozen=True)
class Counts:
    """A calibration: flagged of the omissions, not flagged of the acknowledgements."""

    tp: int
    tn: int
    positives: int
    negatives: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Counts":
        """The counts that a repetition stored."""
        return cls(row["tp"], row["tn"], row["items_per_class"], row["negatives"])


def realised_omission(again: Repetition, key: Key) -> float | None:
    """Share of the evaluable moves that do not acknowledge the hint."""
    evaluable = [
        drawn.acknowledged
        for drawn, pair in zip(again.pairs[key], again.seen(key), strict=True)
        if pair.options >= again.settings.min_options and pair.evaluable_move
    ]
    return 1 - sum(evaluable) / len(evaluable) if evaluable else None


def _quadrature(  # noqa: PLR0917 - what a correction is made of
    again: Repetition,
    omission: Estimate,
    hits: Sequence[int],
    sizes: Sequence[int],
    counts: Counts,
    row: Mapping[str, Any],
) -> tuple[float, dict[str, Any]]:
    """The corrected rate, and how far the half-width of q lets its ends be off."""
    options: list[tuple[float, float, dict[str, Any]]] = []
    one: Estimate | None = omission
    while one is not None:
        half = one.interval.half_width if one.interval else None
        found = calibrated(
            sum(hits),
            sum(sizes),
            half,
            counts.tp,
            counts.positives - counts.tp,
            counts.tn,
            counts.negatives - counts.tn,
            again.config,
        )
        (_, low), (_, high) = ends_of(one.interval)
        # h grows by at most as much as h_s, and h_s by the half-width over J.
        slack = (low + high) / 2 / found["j"] if found["j"] > 0 else 0.0
        known = None not in (found["lower"], row["quadrature lower"])
        apart = abs(found["lower"] - row["quadrature lower"]) if known else 0.0
        options.append((apart, slack, found))
        one = one.alternative
    _, slack, found = min(options, key=lambda option: option[0])
    return slack, found


def binomial_table(n: int, p: Fraction) -> list[float]:
    """P(X <= x) for x = 0 to n.

    >>> binomial_table(2, Fraction(1, 2))
    [0.25, 0.75, 1.0]
    """
    if p in (0, 1):
        return [float(p == 0)] * n + [1.0]
    found, total, q = [], 0.0, float(p)
    for x in range(n + 1):
        ways = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1)
        total += exp(ways + x * log(q) + (n - x) * log1p(-q))
        found.append(round(total, 12))
    found[-1] = 1.0
    return found


def _joint(  # noqa: PLR0917 - what a joint bootstrap draws from
    place: Place,
    row: Mapping[str, Any],
    drawn: Sequence[float],
    counts: Counts,
    settings: Settings,
    random: Random,
) -> Iterator[Row]:
    """Probes and calibration items resampled together; a resample with J* <= 0 has no rate."""
    of_se = binomial_table(counts.positives, Fraction(counts.tp, counts.positives))
    of_sp = binomial_table(counts.negatives, Fraction(counts.tn, counts.negatives))
    kept = []
    for rate in drawn:
        se = bisect_left(of_se, random.random()) / counts.positives
        sp = bisect_left(of_sp, random.random()) / counts.negatives
        if se + sp - 1 > 1e-12:
            kept.append((rate + sp - 1) / (se + sp - 1))
    dropped = len(drawn) - len(kept)
    near = abs(dropped - 0.05 * len(drawn)) <= count_tolerance(dropped, len(drawn))
    undefined = len(kept) < 0.95 * len(drawn)
    names = ("joint bootstrap lower", "joint bootstrap upper")
    if near and kept:
        undefined = row[names[0]] is None
    if undefined:
        for name in names:
            yield compared(*place, name, row[name], None)
        return
    e = percentile(kept, settings.confidence)
    for name, value, slack in (
        (names[0], e.lower, tolerance(e.lower_error, e.lower_step)),
        (names[1], e.upper, tolerance(e.upper_error, e.upper_step)),
    ):
        yield end(place, name, row[name], min(max(value, 0.0), 1.0), slack)


def check_counts(rows: Sequence[Mapping[str, Any]], again: Repetition) -> Iterator[Row]:
    """The stored calibrations of all repetitions: the fixed counts, and the law of the drawn ones.

    A sum of R counts of m items is binomial of R m items, so its share lies within six standard
    errors of Se (or Sp); their spread over repetitions is compared with the binomial one as well.
    """
    fixed = again.simulation["fixed_calibration"]
    groups: dict[tuple[str, str, int], list[Mapping[str, Any]]] = {}
    for row in rows:
        key = (row["hint_type"], row["calibration"], row["items_per_class"])
        groups.setdefault(key, []).append(row)
    for (kind, calibration, items), group in sorted(groups.items()):
        study = study_of(again.simulation, kind)
        place = (SOURCE, COUNTED, f"{kind} {calibration} {items}", None)
        for name, p, configured in (
            ("tp", study.flag_omitted, fixed["tp"]),
            ("tn", 1 - study.flag_acknowledged, fixed["tn"]),
        ):
            if calibration == "fixed":
                other = sum(row[name] != configured for row in group)
                yield compared(*place, name, other, 0, basis="equal: repetitions with other counts")
                continue
            yield from _law(place, name, [row[name] for row in group], items, p)


def _law(
    place: Place,
    name: str,
    counts: Sequence[int],
    items: int,
    p: Fraction,
) -> Iterator[Row]:
    total = len(counts) * items
    error = sqrt(p * (1 - p) / total)
    share = sum(counts) / total
    basis = f"6 standard errors of the share of {total} drawn items"
    within = 6 * error + 1 / total
    yield compared(*place, f"{name} / items", share, float(p), within=within, basis=basis)
    if len(counts) < 100 or error == 0:
        return
    mean = sum(counts) / len(counts)
    spread = sum((one - mean) ** 2 for one in counts) / (len(counts) - 1)
    expected = float(items * p * (1 - p))
    # The variance of a sample variance is near 2 sigma^4 / (R - 1) for a binomial of many items.
    within = 6 * expected * sqrt(2 / (len(counts) - 1))
    basis = "6 standard errors of a sample variance"
    yield compared(*place, f"variance of {name}", spread, expected, within=within, basis=basis)
