"""The rows of one repetition of every study, formed again from its pairs (HP section 16.2).

The tables are recomputed from the stored repetitions; here stands what lies below: every column of
repetition 0, from the pairs that the pipeline wrote out, and for the calibration study what follows
from the stored counts in every repetition. Bootstrap ends agree within the Monte-Carlo error of
two bootstraps. The rows of the other repetitions come from the same code and other random numbers;
their pairs are not stored, and are not recomputed. Standard library only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from verification.bootstrap import stream
from verification.chance import chance_corrected, corrected_omission, levels_of
from verification.comparison import ONLY_RECOMPUTATION, Row, compared
from verification.estimates import Estimate, Interval
from verification.exposure import curve
from verification.files import Unusable, read_json_lines
from verification.omission import omission_and_curve
from verification.rate_intervals import METHODS, Found, rate_intervals
from verification.records import Pair
from verification.repetition_calibration import calibration_rows, check_counts
from verification.repetition_pairs import SOURCE, Number, Place, Repetition, end, ends_of
from verification.simulated import check_laws, check_pairs, read_pairs

REPETITION = 0


def coverage_row(again: Repetition, row: Mapping[str, Any]) -> Iterator[Row]:
    """Counts, rate, clustering and the six intervals of one cell."""
    key = (row["hint_type"], row["probes"], row["variant"])
    place = (SOURCE, "coverage", "/".join(map(str, key)), None)
    hits, sizes = again.counts(key)
    yield compared(*place, "evaluable", row["evaluable"], sum(sizes))
    if not sizes:
        yield compared(*place, "rate", row.get("rate"), None)
        return
    found = rate_intervals(
        hits,
        sizes,
        resamples=again.settings.resamples,
        confidence=again.settings.confidence,
        random=stream("repetition", *map(str, key)),
    )
    exact = {
        "rate": found.value,
        "icc": found.how.icc,
        "design_effect": found.how.deff,
    }
    for name, value in exact.items():
        yield compared(*place, name, row[name], None if value is None else float(value))
    yield compared(*place, "clusters", row["clusters"], found.how.clusters)
    for method in METHODS:
        one = found.by_method[method]
        if one.other is not None and row[f"{method} fallback"] != one.fallback:
            one = one.other
        yield from _interval(place, method, row, one)


def _interval(place: Place, method: str, row: Mapping[str, Any], one: Found) -> Iterator[Row]:
    for name, value, slack in zip(("lower", "upper"), one.ends, one.within, strict=True):
        if slack is not None:
            yield end(place, f"{method} {name}", row[f"{method} {name}"], value, slack)
    yield compared(*place, f"{method} fallback", row[f"{method} fallback"], one.fallback)
    if not one.clips_either_way:
        yield compared(*place, f"{method} clipped", row[f"{method} clipped"], one.clipped)


def nearest(found: Estimate, lower: Number) -> Interval | None:
    """The interval of an estimate, or of the alternative whose lower end is nearer."""
    candidates = [found]
    while candidates[-1].alternative is not None:
        candidates.append(candidates[-1].alternative)

    def apart(one: Estimate) -> float:
        if lower is None or one.interval is None:
            return 0.0 if lower is None and one.interval is None else 9.0
        return abs(one.interval.lower - lower)

    return min(candidates, key=apart).interval


def _ends(place: Place, row: Mapping[str, Any], found: Estimate) -> Iterator[Row]:
    both = ends_of(nearest(found, row["lower"]))
    for name, (value, slack) in zip(("lower", "upper"), both, strict=True):
        yield end(place, name, row[name], value, slack)


def exposure_rows(again: Repetition, rows: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """X(k) with its interval and the plug-in form at every k of one hint type."""
    hint_type = rows[0]["hint_type"]
    least = again.simulation["exposure_min_options"]
    own = replace(again.settings, exposure_min_options=least)
    pairs = again.seen(again.main(hint_type))
    found = {
        (one.quantity, one.k): one
        for one in curve(pairs, again.simulation["replicas"], own, f"repetition/{hint_type}")
    }
    for row in rows:
        k = row["k"]
        place = (SOURCE, "exposure_bias", hint_type, k)
        for name, quantity in (("unbiased", "exposure"), ("plug_in", "exposure_plug_in")):
            yield compared(*place, name, row[name], _float(found[quantity, k].value))
        yield from _ends(place, row, found["exposure", k])


def _float(value: Fraction | float | None) -> float | None:
    return None if value is None else float(value)


def counting_error(pairs: Sequence[Pair]) -> float | None:
    """What leaving unjudged pairs out of p does to the correction (HP section 9)."""
    right = corrected_omission(levels_of(pairs))
    judged = corrected_omission(levels_of([one for one in pairs if not one.ungraded]))
    return None if right is None or judged is None else float(right - judged)


def chance_row(again: Repetition, row: Mapping[str, Any]) -> Iterator[Row]:
    """The correction under a perfect judge, and the two counting errors."""
    kind = row["hint_type"]
    place = (SOURCE, "chance_correction", kind, None)
    analysed = again.analysed(again.main(kind, variant="perfect judge"))
    omission, _ = omission_and_curve(analysed, again.settings, f"repetition/{kind}")
    found = chance_corrected(analysed, omission, again.settings, f"repetition/{kind}")
    imperfect = counting_error(again.analysed(again.main(kind)))
    for name, value in (
        ("estimate", _float(found.value)),
        ("uncorrected", _float(omission.value)),
        ("counting_error", counting_error(analysed)),
        ("counting_error_imperfect", imperfect),
    ):
        yield compared(*place, name, row[name], value)
    yield from _ends(place, row, found)


def compare_repetition(
    again: Repetition, studies: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[Row]:
    """Everything of repetition 0, and what every repetition stores of its calibrations.

    Args:
        again: the pairs and the settings.
        studies: rows of the repetitions by study.

    Raises:
        Unusable: a row lacks a column, or its pairs are missing.
    """
    try:
        for key, pairs in again.pairs.items():
            yield from check_pairs(key, pairs, again.simulation)
            yield from check_laws(key, pairs, again.simulation)
        first = {
            name: [row for row in rows if row["repetition"] == REPETITION]
            for name, rows in studies.items()
        }
        for row in first["coverage"]:
            yield from coverage_row(again, row)
        for row in first["chance_correction"]:
            yield from chance_row(again, row)
        for name, way in (("exposure_bias", exposure_rows), ("calibration", calibration_rows)):
            kinds = dict.fromkeys(row["hint_type"] for row in first[name])
            for kind in kinds:
                yield from way(again, [row for row in first[name] if row["hint_type"] == kind])
        yield from check_counts(studies["calibration"], again)
        yield from _all_there(again, first)
    except (KeyError, TypeError, ZeroDivisionError) as error:
        raise Unusable(
            f"repetition {REPETITION} of the studies cannot be recomputed: {type(error).__name__} "
            f"{error} in the pairs, the repetitions or the settings; run make reproduce"
        ) from None


def _all_there(
    again: Repetition, first: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[Row]:
    """Every cell with pairs has a row, in the coverage study or the chance correction."""
    said = {(row["hint_type"], row["probes"], row["variant"]) for row in first["coverage"]}
    said |= {
        again.main(row["hint_type"], variant="perfect judge") for row in first["chance_correction"]
    }
    for key in again.pairs:
        if key not in said:
            name = "/".join(map(str, key))
            row = compared(SOURCE, "coverage", name, None, "rate", None, None)
            yield row | {"basis": "every cell needs a row", "verdict": ONLY_RECOMPUTATION}


def rows(pairs: Path, exported: Path, settings: Mapping[str, Any]) -> list[Row]:
    """Compare what was written and exported.

    Args:
        pairs: the pairs of repetition 0, one probe per line.
        exported: folder with ``studies/NAME.jsonl``.
        settings: the whole configuration that ran.

    Raises:
        Unusable: a file cannot be read, or lacks something.
    """
    studies = {
        name: read_json_lines(exported / "studies" / f"{name}.jsonl")
        for name in ("coverage", "exposure_bias", "chance_correction", "calibration")
    }
    return list(compare_repetition(Repetition(read_pairs(pairs), settings), studies))
