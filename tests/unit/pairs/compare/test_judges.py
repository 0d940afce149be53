"""Two judges of the same pairs: matching, refusing, the table, the measures and what they say."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa
from support.deliveries import HINT_TYPE, header, judged, record, table

from avowed.pairs.compare.judges import JudgeComparison, JudgesCompared, compare_judges
from avowed.pairs.compare.rows import judge_rows
from avowed.pairs.compare.same_pairs import same_pairs
from avowed.pairs.compare.sentences import judges_sentence
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.header import DeliveryHeader, Judge
from avowed.refusal import Refused
from avowed.stats.difference import NEWCOMBE_METHOD, PAIRED_METHOD
from avowed.stats.status import Status

SETTINGS = Settings(resamples=400)
SAID: dict[str, dict[str, Any]] = {
    "x": {"judge_label": "unfaithful", "judge_phi": 0.2},
    "f": {"judge_label": "faithful", "judge_phi": 0.9},
    "?": {
        "judge_label": "undetermined",
        "judge_phi": 0.5,
        "reason_not_evaluable": "judge_undetermined",
    },
    "-": {"judge_label": None, "judge_phi": None, "reason_not_evaluable": "judge_unavailable"},
}

Rows = list[dict[str, Any]]


def delivery(rows: Rows, **changes: Any) -> Delivery:
    coverage = [
        {"hint_type": HINT_TYPE, "planned": 0, "completed": 0, "incomplete": 0, "not_evaluable": {}}
    ]
    declared = header([]) | {"hint_types": [HINT_TYPE], "coverage": coverage}
    return Delivery(
        header=replace(DeliveryHeader.from_json(declared), **changes), records=table(rows)
    )


def rows(*probes: str) -> tuple[Rows, Rows]:
    """Two letters per pair, what the first and the second judge said; ``..`` is no move."""
    both: tuple[Rows, Rows] = ([], [])
    for number, letters in enumerate(probes):
        for replica, pair in enumerate(letters.split()):
            for mine, letter in zip(both, pair, strict=True):
                probe = f"p{number}"
                if letter == ".":
                    mine.append(record(probe, replica))
                else:
                    mine.append(judged(probe, None, None, replica=replica, **SAID[letter]))
    return both


def compared(*probes: str, settings: Settings = SETTINGS) -> JudgeComparison:
    first, second = rows(*probes)
    return compare_judges(delivery(first), delivery(second), settings, names=("one", "two"))


def cell(*probes: str) -> JudgesCompared:
    (found,) = compared(*probes).cells
    return found


def random_probes(seed: int, *, probes: int = 40, rare: float = 0.4) -> list[str]:
    rng = np.random.default_rng([35, seed, 0, 0])
    first = rng.random((probes, 3)) < rare
    second = np.where(rng.random((probes, 3)) < 0.8, first, ~first)
    letters = np.where(first, "f", "x"), np.where(second, "f", "x")
    return [
        " ".join(a + b for a, b in zip(*pair, strict=True)) for pair in zip(*letters, strict=True)
    ]


def test_the_table_has_every_pair_and_the_rates_only_what_both_judged() -> None:
    found = cell("xx xf fx", "ff ?x x- ..", "-- x? xx .. ..", "ff ff")
    counts = {key: n for key, n in found.counts.items() if n}
    assert counts == {
        ("unfaithful", "unfaithful"): 2,
        ("unfaithful", "faithful"): 1,
        ("faithful", "unfaithful"): 1,
        ("faithful", "faithful"): 3,
        ("undetermined", "unfaithful"): 1,
        ("unfaithful", "no_answer"): 1,
        ("no_answer", "no_answer"): 1,
        ("unfaithful", "undetermined"): 1,
    }
    assert len(found.counts) == 16
    both = [each for each in found.estimates if not each.quantity.startswith("own_")]
    assert {each.n for each in both} == {7} and {each.clusters for each in both} == {4}
    # All that the first called x or f: 2 + 1 + 1 + 3 and two more; the second one more.
    assert found.get("own_rate_first").value == 5 / 9 and found.get("own_rate_first").n == 9
    assert found.get("own_rate_second").value == 4 / 8 and found.get("own_rate_second").n == 8
    assert found.get("rate_first").value == 3 / 7 and found.get("rate_second").value == 3 / 7
    assert found.get("observed_agreement").value == 5 / 7


@pytest.mark.parametrize("seed", range(5))
def test_the_measures_against_statsmodels(seed: int) -> None:
    probes = random_probes(seed)
    found = cell(*probes)
    pairs = [pair for probe in probes for pair in probe.split()]
    a, b, c, d = (pairs.count(pair) for pair in ("xx", "xf", "fx", "ff"))
    assert found.get("cohens_kappa").value == pytest.approx(
        cohens_kappa(np.array([[a, b], [c, d]])).kappa, abs=1e-12
    )
    n = a + b + c + d
    assert found.get("rate_difference").value == pytest.approx((b - c) / n, abs=1e-12)
    assert found.get("bias_index").value == pytest.approx((b - c) / n, abs=1e-12)
    assert found.get("prevalence_index").value == pytest.approx((a - d) / n, abs=1e-12)
    for each in found.estimates:
        assert each.interval.lower <= each.value <= each.interval.upper
        assert each.status in (Status.CONVERGED, Status.UNDERSAMPLED)


def test_intervals_resample_probes_and_not_pairs() -> None:
    """Replicas that say what the first one said are no further information."""
    probes = [probe.split()[0] for probe in random_probes(1, probes=60)]
    single = cell(*probes)
    copied = cell(*(" ".join([probe] * 5) for probe in probes))
    for what in ("rate_difference", "observed_agreement", "cohens_kappa", "gwet_ac1"):
        one, many = single.get(what), copied.get(what)
        assert many.value == pytest.approx(one.value, abs=1e-12) and many.n == 5 * one.n
        assert many.interval.half_width == pytest.approx(one.interval.half_width, rel=0.15)


def test_one_verdict_for_everything_leaves_kappa_undefined() -> None:
    found = cell(*["xx xx"] * 12)
    kappa, ac1 = found.get("cohens_kappa"), found.get("gwet_ac1")
    assert math.isnan(kappa.value) and kappa.status is Status.UNDEFINED
    assert not kappa.interval.defined and "agreement by chance is 1" in kappa.notes[0]
    assert ac1.value == 1 and 0 < ac1.interval.lower < 1 and ac1.interval.upper == 1
    assert ac1.interval.method.startswith("wilson at effective n, through the fixed")
    # The boundary rule throughout: a point is no interval.
    assert found.get("rate_difference").interval.method == NEWCOMBE_METHOD
    assert found.get("prevalence_index").value == 1
    assert 0 < found.get("prevalence_index").interval.lower < 1
    assert found.get("observed_agreement").interval.lower == pytest.approx(0.7575, abs=5e-4)
    assert "kappa undefined" in judges_sentence(found, names=("one", "two"), confidence=0.95)


def test_full_agreement_on_both_verdicts_has_an_interval() -> None:
    kappa = cell(*["xx ff"] * 10).get("cohens_kappa")
    # 20 of 20 in ten probes: Wilson at ten, through a chance agreement of 1/2.
    assert kappa.value == 1
    assert kappa.interval.lower == pytest.approx((0.7225 - 0.5) / 0.5, abs=1e-3)
    assert kappa.interval.upper == 1


def test_saturation_is_warned_of() -> None:
    # Gwet (2002): 118, 5, 2, 0, one pair per probe.
    found = cell(*["xx"] * 118, *["xf"] * 5, *["fx"] * 2)
    assert found.get("cohens_kappa").value == pytest.approx(-0.0234, abs=5e-5)
    assert found.get("gwet_ac1").value == pytest.approx(0.9408, abs=5e-5)
    (warning,) = found.warnings
    assert warning.startswith("prevalence is saturated (prevalence index 0.94)")
    assert "called faithful" in warning
    assert warning in judges_sentence(found, names=("one", "two"), confidence=0.95)
    assert "called unfaithful" in cell(*["ff"] * 50, "xx").warnings[0]
    assert cell(*["xx"] * 40, *["xf"] * 5, *["ff"] * 45).warnings == ()


def test_a_judge_with_one_verdict_is_warned_of() -> None:
    found = cell(*["xx"] * 12, *["xf"] * 12)
    assert found.get("cohens_kappa").value == 0
    (warning,) = found.warnings
    assert "first judge said the same of all 24 pairs that both judged" in warning


def test_what_one_judge_alone_judged_is_warned_of() -> None:
    """The first judge's faithful verdicts have no counterpart: it did not say x of everything."""
    found = cell(*["xx xx"] * 30, *["f-"] * 37)
    assert found.get("rate_first").value == 1 and found.get("own_rate_first").value == 60 / 97
    assert found.get("own_rate_first").clusters == 67
    assert found.left_out == (
        "37 of 97 hint-induced changes were judged by one judge only (37 by the first, 0 by the "
        "second), and the comparison leaves them out; over all that it judged, the first judge "
        "flags 61.9 % of 97, the second judge flags 100.0 % of 60"
    )
    words = judges_sentence(found, names=("one", "two"), confidence=0.95)
    assert found.left_out in words
    assert "of the 60 pairs from 30 probes that both judged, one flags 100.0 % and two" in words
    assert "every explanation" not in words
    for warning in (*found.warnings, *found.get("cohens_kappa").notes):
        assert "60 pairs that both judged" in warning
    (row,) = (
        row
        for row in judge_rows(found, names=("one", "two"), confidence=0.95)
        if row["quantity"] == "rate_difference"
    )
    assert found.left_out in row["note"]


def test_a_judge_that_judged_nothing_and_one_that_judged_all_are_told_apart() -> None:
    found = cell(*["x-"] * 5)
    assert found.left_out is not None and "the second judge judged none" in found.left_out
    words = judges_sentence(found, names=("one", "two"), confidence=0.95)
    assert "insufficient" in words and found.left_out in words
    assert cell(*["xx"] * 12, *["ff"] * 12, "--").left_out is None


def test_pairs_whose_answers_do_not_agree_are_refused_by_name() -> None:
    first, second = rows(*random_probes(2))
    changed = [dict(row) for row in second]
    changed[4]["hint_answer"] = 1
    changed[7] |= {"baseline_answer": None}
    one, two = delivery(first), delivery(changed)
    found = compare_judges(one, two, SETTINGS, names=("one", "two"))
    told = sorted(each.told for each in found.pairs.others)
    assert told == [
        "session_id 's1', probe_id 'p1', replica 1: hint_answer is 2 and 1",
        "session_id 's1', probe_id 'p2', replica 1: baseline_answer is 0 and null",
    ]
    assert any(note.startswith("2 pairs are refused") for note in found.notes)
    kept = [row for n, row in enumerate(first) if n not in (4, 7)]
    alone = [row for n, row in enumerate(second) if n not in (4, 7)]
    again = compare_judges(delivery(kept), delivery(alone), SETTINGS, names=("one", "two"))
    assert found.cells == again.cells


@pytest.mark.parametrize(
    ("field", "value"),
    [("n_options", 5), ("correct_answer", 1), ("hinted_answer", 3), ("hint_type", "metadata")],
)
def test_every_answer_is_looked_at(field: str, value: Any) -> None:
    first, second = rows("xx xx")
    second[1][field] = value
    (other,) = same_pairs(delivery(first), delivery(second)).others
    assert (other.field, other.second) == (field, str(value))


def test_missing_answers_agree() -> None:
    first, second = rows("xx ff")
    for row in (first[0], second[0]):
        row |= {"hinted_answer": None, "outcome": "not_evaluable", "judge_label": None}
    found = same_pairs(delivery(first), delivery(second))
    assert found.others == () and found.records.num_rows == 2


def test_mostly_other_answers_are_other_conversations() -> None:
    first, second = rows(*random_probes(3))
    for row in second[: len(second) // 2 + 1]:
        row["correct_answer"] = 1
    with pytest.raises(
        Refused, match=r"61 of 120 pairs .* not the same conversations; the first: "
    ):
        compare_judges(delivery(first), delivery(second), SETTINGS, names=("one", "two"))


def test_no_pair_in_common_says_why() -> None:
    first, second = rows("xx xf", "ff")
    others = [{**row, "session_id": "s2"} for row in second]
    with pytest.raises(
        Refused,
        match=r"3 records agree in probe_id and replica but not in session.* --name NAME",
    ):
        same_pairs(delivery(first), delivery(others))
    with pytest.raises(Refused, match="agree in no probe_id and replica"):
        same_pairs(delivery(first), delivery([{**row, "probe_id": "q"} for row in second[:1]]))


def test_what_is_in_one_only_is_counted() -> None:
    first, second = rows(*random_probes(4))
    found = compare_judges(delivery(first), delivery(second[5:]), SETTINGS, names=("one", "two"))
    assert (found.pairs.only_first, found.pairs.only_second) == (5, 0)
    assert "5 records are in one only, and are left out" in found.notes


def test_the_same_judge_and_other_thresholds_are_said() -> None:
    first, second = rows(*random_probes(4))
    judge = Judge(model="m", provider="p", serving_path="s", prompt_sha256="0" * 64)
    one = delivery(first, judge=judge)
    two = delivery(second, judge=judge, label_threshold=0.75)
    notes = compare_judges(one, two, SETTINGS, names=("one", "two")).notes
    assert notes[0].startswith("both deliveries declare the same judge")
    assert notes[1] == "label_threshold is 0.5 in one and 0.75 in two"
    other = delivery(second, judge=replace(judge, model="n"))
    assert compare_judges(one, other, SETTINGS, names=("one", "two")).notes == ()


def test_two_few_pairs_are_insufficient() -> None:
    found = cell("xf", "..", "?x")
    assert found.get("rate_difference").status is Status.INSUFFICIENT
    words = judges_sentence(found, names=("one", "two"), confidence=0.95)
    assert words.startswith('For the "suggested answer" hint the data are insufficient')
    empty = cell("..", "?-")
    assert all(math.isnan(each.value) for each in empty.estimates)
    assert {each.status for each in empty.estimates} == {Status.INSUFFICIENT}


def test_the_order_of_the_records_does_not_matter() -> None:
    first, second = rows(*random_probes(4))
    one = compare_judges(delivery(first), delivery(second), SETTINGS, names=("one", "two"))
    two = compare_judges(
        delivery(first[::-1]), delivery(second[3:] + second[:3]), SETTINGS, names=("one", "two")
    )
    assert one.cells == two.cells and one.notes == two.notes


def test_the_two_judges_are_resampled_together() -> None:
    """One pair per probe: the standard error is that of the mean of paired differences."""
    probes = ["xx"] * 18 + ["ff"] * 16 + ["xf"] * 4 + ["fx"] * 2
    found = cell(*probes).difference
    gaps = [(one == "x") - (two == "x") for one, two in probes]
    expected = np.std(gaps, ddof=1) / math.sqrt(len(gaps))
    assert found.interval.method == PAIRED_METHOD
    assert found.standard_error == pytest.approx(expected)
    assert found.interval.half_width == pytest.approx(2 * expected, rel=0.2)


@pytest.mark.parametrize(("options", "analysed"), [(2, 0), (3, 1), (4, 1)])
def test_pairs_with_exactly_as_many_options_as_needed_are_analysed(
    options: int, analysed: int
) -> None:
    first, second = rows("xx", "xf", "fx")
    for mine in (first, second):
        mine[0]["n_options"] = options
        mine[0]["hint_answer"] = mine[0]["hinted_answer"] = 1
    found = compare_judges(delivery(first), delivery(second), SETTINGS, names=("one", "two"))
    assert sum(found.cells[0].counts.values()) == 2 + analysed
    assert found.cells[0].get("rate_first").n == 2 + analysed
