"""Deliveries side by side: which probes are shared, what is compared, what is refused."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from statsmodels.stats.multitest import multipletests
from support.deliveries import HINT_TYPE, OTHER_HINT_TYPE, header, judged, record, table

from avowed.pairs.compare.differences import (
    Compared,
    Comparison,
    compare_deliveries,
    resamples_for,
)
from avowed.pairs.compare.probes import cell_probes, match
from avowed.pairs.compare.rows import difference_row
from avowed.pairs.compare.sentences import comparison_sentence
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.header import DeliveryHeader
from avowed.pairs.omission import conditional_omission
from avowed.pairs.part_one import cells_of_delivery, context_shares
from avowed.present.compare_tables import difference_table
from avowed.refusal import Refused
from avowed.stats.difference import clustered_difference
from avowed.stats.status import Status

SETTINGS = Settings(resamples=400)
PHI = {"unfaithful": 0.2, "faithful": 0.9}


def delivery(rows: list[dict[str, Any]], **changes: Any) -> Delivery:
    kinds = sorted({row["hint_type"] for row in rows}) or [HINT_TYPE]
    coverage = [
        {"hint_type": kind, "planned": 0, "completed": 0, "incomplete": 0, "not_evaluable": {}}
        for kind in kinds
    ]
    declared = header([]) | {"hint_types": kinds, "coverage": coverage}
    made = replace(DeliveryHeader.from_json(declared), **changes)
    records = table(rows) if rows else table([record()]).slice(0, 0)
    return Delivery(header=made, records=records)


def moved(probe: str, kinds: str, **changes: Any) -> list[dict[str, Any]]:
    """One record per letter: x flagged, f judged faithful, N no change."""
    rows = []
    for replica, kind in enumerate(kinds):
        if kind == "N":
            rows.append(record(probe, replica, **changes))
        else:
            label = "unfaithful" if kind == "x" else "faithful"
            rows.append(judged(probe, label, PHI[label], replica=replica, **changes))
    return rows


def study(seed: int, *, probes: range, rate: float, **changes: Any) -> list[dict[str, Any]]:
    rng = np.random.default_rng([34, seed, 0, 0])
    rows: list[dict[str, Any]] = []
    for probe in probes:
        letters = rng.choice(list("xfN"), size=3, p=[0.7 * rate, 0.7 * (1 - rate), 0.3])
        rows += moved(f"p{probe}", "".join(letters), **changes)
    return rows


def compare(*studies: list[dict[str, Any]], **more: Any) -> Comparison:
    named = {"abcdefgh"[n]: delivery(rows) for n, rows in enumerate(studies)}
    return compare_deliveries(named, SETTINGS, **more)


def get(found: Comparison, first: str = "a", second: str = "b", what: str = "omission") -> Compared:
    (one,) = (
        row
        for row in found.differences
        if (row.first, row.second, row.quantity) == (first, second, what)
    )
    return one


def test_the_rates_are_those_of_estimate() -> None:
    a, b = study(1, probes=range(40), rate=0.7), study(2, probes=range(40), rate=0.4)
    found = compare(a, b)
    for place, (rows, rates) in enumerate(zip((a, b), found.rates, strict=True)):
        (cell,) = cells_of_delivery(delivery(rows))
        assert rates.omission == conditional_omission(cell, SETTINGS)
        assert get(found).rates[place] == rates.omission.value
        side = (get(found).found.first, get(found).found.second)[place]
        assert (side.n, side.clusters) == (rates.omission.n, rates.omission.clusters)
        susceptibility = get(found, what="susceptibility").rates[place]
        assert susceptibility == context_shares(cell, SETTINGS)[0].value
    assert get(found).found.value == get(found).rates[0] - get(found).rates[1]


def test_counts_of_a_probe_meet_whatever_the_order_of_the_records() -> None:
    a = [*moved("p1", "xxf"), *moved("p2", "fff"), *moved("only_a", "xNN")]
    b = [*moved("only_b", "x"), *moved("p2", "xx"), *moved("p1", "Nf")]
    one, two = (cell_probes(delivery(rows), HINT_TYPE, SETTINGS) for rows in (a, b))
    found = match(one, two)
    k1, n1 = (found.spread(column, first=True) for column in one.counts["omission"])
    k2, n2 = (found.spread(column, first=False) for column in two.counts["omission"])
    assert k1.tolist() == [2, 0, 1, 0] and n1.tolist() == [3, 3, 1, 0]
    assert k2.tolist() == [0, 2, 0, 1] and n2.tolist() == [1, 2, 0, 1]
    assert (found.shared, found.either, found.union) == (2, 4, 4)
    shuffled = [a[i] for i in (6, 3, 0, 8, 5, 2, 7, 4, 1)]
    b_turned = b[::-1]
    assert get(compare(a, b)) == get(compare(shuffled, b_turned))


def test_auto_pairs_where_probes_are_shared_and_says_so() -> None:
    a = study(1, probes=range(40), rate=0.7)
    shared = get(compare(a, study(2, probes=range(40), rate=0.4)))
    assert shared.paired and (shared.shared, shared.either) == (40, 40)
    apart = get(compare(a, study(2, probes=range(40, 80), rate=0.4)))
    assert not apart.paired and (apart.shared, apart.either) == (0, 80)
    forced = get(compare(a, study(2, probes=range(40), rate=0.4), pairing="unpaired"))
    assert not forced.paired and "40 shared probe ids were not paired" in forced.notes
    assert forced.found.interval != shared.found.interval
    few = get(compare(a, study(2, probes=range(30, 80), rate=0.4)))
    assert few.paired and any(note.startswith("only 10 of 78 probes") for note in few.notes)
    assert not any("probes are shared" in note for note in shared.notes)


def test_the_interval_is_the_one_of_the_counts() -> None:
    a, b = study(1, probes=range(40), rate=0.7), study(2, probes=range(20, 60), rate=0.4)

    def column(rows: list[dict[str, Any]], labels: set[str]) -> np.ndarray[Any, Any]:
        return np.array(
            [
                sum(r["judge_label"] in labels for r in rows if r["probe_id"] == f"p{n}")
                for n in range(60)
            ]
        )

    sides = [
        (column(rows, {"unfaithful"}), column(rows, {"unfaithful", "faithful"})) for rows in (a, b)
    ]
    for paired in (True, False):
        found = get(compare(a, b, pairing="paired" if paired else "unpaired")).found
        rng = np.random.default_rng(9)
        again = clustered_difference(*sides, rng, paired=paired, resamples=20_000)
        assert found.value == again.value and found.first == again.first
        assert found.standard_error == pytest.approx(again.standard_error, rel=1e-12)
        ends = (again.interval.lower, again.interval.upper)
        assert (found.interval.lower, found.interval.upper) == pytest.approx(ends, abs=0.03)


def test_pairs_with_two_options_are_left_out() -> None:
    a, b = study(1, probes=range(40), rate=0.7), study(2, probes=range(40), rate=0.4)
    small = {"n_options": 2, "hint_answer": 1}
    extra = [
        {**row, **small, "hinted_answer": row["hinted_answer"] // 2}
        for row in study(3, probes=range(100, 120), rate=1)
    ]
    assert get(compare([*a, *extra], [*b, *extra])) == get(compare(a, b))


def test_every_pair_is_adjusted_within_its_cell_and_quantity() -> None:
    rates = (0.75, 0.55, 0.5, 0.3)
    found = compare(*(study(n, probes=range(60), rate=rate) for n, rate in enumerate(rates)))
    assert len(found.differences) == 12 and len(found.rates) == 4
    for what in ("omission", "susceptibility"):
        rows = [row for row in found.differences if row.quantity == what]
        raw = [row.found.p_value for row in rows]
        expected = multipletests(raw, method="holm")[1]
        assert [row.p_adjusted for row in rows] == pytest.approx(expected.tolist(), abs=1e-15)
        assert {row.tests for row in rows} == {6}
        assert {row.found.resamples for row in rows} == {resamples_for(6, SETTINGS)} == {2400}
    differ = {(r.first, r.second) for r in found.differences if r.differs(0.95)}
    assert ("a", "d") in differ and ("b", "c") not in differ


def test_what_cannot_be_tested_counts_for_nothing_in_the_adjustment() -> None:
    a, b = study(1, probes=range(40), rate=0.7), study(2, probes=range(40), rate=0.4)
    found = compare(a, b, moved("p0", "xN"))
    alone = get(found, "a", "c")
    assert alone.status is Status.INSUFFICIENT
    assert math.isnan(alone.p_adjusted) and math.isnan(alone.found.p_value)
    assert not alone.differs(0.95)
    assert get(found).tests == 1 and get(found).p_adjusted == get(found).found.p_value
    words = comparison_sentence(alone, confidence=0.95)
    assert "insufficient to compare the flagged omission" in words
    assert "differ" not in words


def test_a_cell_without_moves_is_insufficient_and_undefined() -> None:
    a = study(1, probes=range(40), rate=0.7)
    found = get(compare(a, [record(f"p{n}") for n in range(9)]))
    assert found.status is Status.INSUFFICIENT
    assert math.isnan(found.found.value) and not found.found.interval.defined
    assert "undefined in b (0 pairs, 0 probes)" in comparison_sentence(found, confidence=0.95)


def test_cells_stand_side_by_side_and_lone_ones_are_named() -> None:
    a, b = study(1, probes=range(30), rate=0.7), study(2, probes=range(30), rate=0.4)
    more = study(3, probes=range(30, 60), rate=0.5, hint_type=OTHER_HINT_TYPE)
    found = compare([*a, *more], b)
    assert {row.hint_type for row in found.differences} == {HINT_TYPE}
    assert f"{OTHER_HINT_TYPE} is in a only, and is not compared" in found.notes
    assert get(found) == get(compare(a, b))
    with pytest.raises(
        Refused, match=f"no hint type is in two .*a has {HINT_TYPE}; b has {OTHER_HINT_TYPE}"
    ):
        compare(a, more)


def test_probes_with_other_options_are_not_paired() -> None:
    a, b = study(1, probes=range(30), rate=0.7), study(2, probes=range(30), rate=0.4)
    other = [{**row, "n_options": 5} if row["probe_id"] in ("p3", "p7") else row for row in b]
    message = (
        "2 probe ids are in both a and b with another n_options; the first is probe_id 'p3' with 4 "
        "and 5"
    )
    for pairing in ("auto", "paired"):
        with pytest.raises(Refused, match=message):
            compare(a, other, pairing=pairing)
    assert not get(compare(a, other, pairing="unpaired")).paired


def test_nothing_to_pair_is_refused_if_pairs_are_asked_for() -> None:
    a, b = study(1, probes=range(30), rate=0.7), study(2, probes=range(30, 60), rate=0.4)
    with pytest.raises(Refused, match="no probe_id is shared by a and b"):
        compare(a, b, pairing="paired")


def test_what_is_declared_otherwise_is_said() -> None:
    a, b = study(1, probes=range(30), rate=0.7), study(2, probes=range(30), rate=0.4)
    named = {"a": delivery(a), "b": delivery(b, label_threshold=0.7, planned_replicas=9)}
    notes = compare_deliveries(named, SETTINGS).notes
    assert [note.split()[0] for note in notes] == ["label_threshold", "planned_replicas"]
    turned = [{**row, "correct_answer": 1} if row["probe_id"] == "p4" else row for row in b]
    (note,) = compare(a, turned).notes
    assert note.startswith(f"{HINT_TYPE}: 1 of 30 probes shared by a and b have another correct")


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [
        (0.1, "the flagged omission differs"),
        (0.68, "no difference of the flagged omission is shown"),
    ],
)
def test_sentences_say_what_the_p_value_shows_and_claim_no_cause(rate: float, verdict: str) -> None:
    a, b = study(1, probes=range(90), rate=0.7), study(2, probes=range(90), rate=rate)
    row = get(compare(a, b))
    words = comparison_sentence(row, confidence=0.95)
    assert f"hint {verdict}: {100 * row.rates[0]:.1f} % in a (" in words
    assert f"difference {100 * row.found.value:+.1f} points (95 % CI [" in words
    assert "90 of 90 probes shared" in words and "Holm" not in words
    for causal in ("because", "cause", "due to", "better", "worse", "effect", "leads"):
        assert causal not in words


def test_an_own_interval_without_0_is_explained_where_the_adjustment_keeps_it_from_counting() -> (
    None
):
    a, b = study(1, probes=range(60), rate=0.7), study(2, probes=range(60), rate=0.5)
    row = get(compare(a, b))
    assert row.found.interval.lower > 0
    among = replace(row, p_adjusted=0.2, tests=6)
    words = comparison_sentence(among, confidence=0.95)
    assert "no difference of the flagged omission is shown" in words
    assert "Holm-adjusted over 6 comparisons" in words
    assert "leaves out 0, which among 6 comparisons is not enough" in words


def test_an_interval_at_the_edge_is_explained_where_nothing_is_adjusted() -> None:
    a, b = study(1, probes=range(60), rate=0.7), study(2, probes=range(60), rate=0.5)
    row = get(compare(a, b))
    words = comparison_sentence(replace(row, p_adjusted=0.0501), confidence=0.95)
    assert "no difference" in words and "among" not in words and "just leaves out 0" in words


def test_an_adjusted_p_value_is_a_bound_where_it_rests_on_one() -> None:
    """Two comparisons beyond every resample: the third one's adjusted value is exact or theirs."""
    rates = (0.95, 0.5, 0.45, 0.4)
    found = compare(*(study(n, probes=range(90), rate=rate) for n, rate in enumerate(rates)))
    rows = [row for row in found.differences if row.quantity == "omission"]
    bounds = [row for row in rows if row.found.p_is_bound]
    assert len(bounds) == 3
    for row in rows:
        # What the bounds are does not matter unless the adjusted value is one.
        lower = multipletests(
            [each.found.p_value / (10 if each.found.p_is_bound else 1) for each in rows],
            method="holm",
        )[1][rows.index(row)]
        assert row.p_adjusted_is_bound == (lower < row.p_adjusted - 1e-15)
        cells = difference_row(row, confidence=0.95)
        assert cells["p_adjusted_is_bound"] == ("yes" if row.p_adjusted_is_bound else "no")


def test_sentence_table_and_csv_print_one_p_value() -> None:
    """A bound has "<" and is rounded up, what three decimals cannot show is below 0.001."""
    a, b = study(1, probes=range(90), rate=0.9), study(2, probes=range(90), rate=0.3)
    row = get(compare(a, b))
    for p, bound, shown in (
        (0.0004, False, "< 0.001"),
        (1e-15, False, "< 0.001"),
        (1e-15, True, "< 0.001"),
        (0.001, True, "< 0.001"),
        (0.0010001, True, "< 0.002"),
        (0.003, True, "< 0.003"),
        (0.003, False, "0.003"),
        (0.0474, False, "0.047"),
        (1.0, True, "1.000"),
    ):
        found = replace(row.found, p_value=p, p_is_bound=bound)
        one = replace(row, found=found, p_adjusted=p, p_adjusted_is_bound=bound)
        cells = difference_row(one, confidence=0.95)
        assert cells["p_value"] == cells["p_adjusted"] == p
        assert cells["p_is_bound"] == cells["p_adjusted_is_bound"] == ("yes" if bound else "no")
        words = comparison_sentence(one, confidence=0.95)
        assert f"; p {shown})" in words or f"; p = {shown})" in words
        line = difference_table([cells], confidence=0.95).split("\n")[-1]
        assert [cell.strip() for cell in line.split("|")][7:9] == [shown, shown]


def test_what_was_not_tested_has_no_bound() -> None:
    cells = difference_row(
        get(compare(moved("p0", "xN"), study(2, probes=range(40), rate=0.4))), confidence=0.95
    )
    assert cells["p_value"] is cells["p_is_bound"] is cells["p_adjusted_is_bound"] is None
    assert cells["note"] is None or "bound" not in cells["note"]


def test_resamples_suffice_for_the_strictest_level() -> None:
    for tests in (1, 3, 10, 45, 190):
        found = resamples_for(tests, Settings())
        least = 2 / (found + 1)
        assert least * tests <= 0.05 / 5 or found == 2000
    assert resamples_for(10**6, Settings()) == 100_000
    assert resamples_for(1, Settings(resamples=7000)) == 7000


def test_it_does_not_depend_on_names_or_on_the_other_deliveries_given() -> None:
    a, b = study(1, probes=range(40), rate=0.7), study(2, probes=range(40), rate=0.4)
    named = compare_deliveries({"x": delivery(a), "y": delivery(b)}, SETTINGS)
    assert get(named, "x", "y").found == get(compare(a, b)).found
    records = delivery(a).records
    dictionary = records.set_column(
        records.schema.get_field_index("probe_id"),
        "probe_id",
        records.column("probe_id").dictionary_encode().cast(pa.string()),
    )
    again = {"a": replace(delivery(a), records=dictionary), "b": delivery(b)}
    assert get(compare_deliveries(again, SETTINGS)).found == get(compare(a, b)).found


def test_shared_questions_on_which_other_ones_moved_are_said() -> None:
    """All probes are shared, and each rate rests on questions of its own."""
    kinds = ("xfx", "NNN", "fxf", "NNN")
    a = [row for n in range(20) for row in moved(f"p{n}", kinds[n % 4])]
    b = [row for n in range(20) for row in moved(f"p{n}", kinds[(n + 1 + (n == 0)) % 4])]
    found = compare(a, b)
    omission = get(found)
    assert omission.paired and (omission.shared, omission.either) == (20, 20)
    note = "only 1 of 20 probes with an evaluable hint-induced change are shared"
    assert any(each.startswith(note) for each in omission.notes)
    # Every probe has eligible pairs in both.
    assert not any("are shared" in each for each in get(found, what="susceptibility").notes)
    ungraded = [
        {**row, "judge_label": None, "judge_phi": None, "reason_not_evaluable": "judge_unavailable"}
        if row["judge_applied"] and row["probe_id"] != "p0"
        else row
        for row in a
    ]
    assert any("only 1 of 10 probes" in each for each in get(compare(ungraded, a)).notes)
