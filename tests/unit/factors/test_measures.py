"""Every measure as rows: the scenarios with known truth, headline means and comparisons."""

import math
from typing import Any

import numpy as np
import pytest
from support.factors import component_of, rows_by_key, toy_case
from support.factors_scenarios import SCENARIOS, Scenario, partners

from avowed.factors.instability import positional_instability, repeated_texts, text_codes
from avowed.factors.measures import measure_all, measure_component, measure_use_case
from avowed.factors.pilot import measure_pilot
from avowed.factors.scored import Scored, scored_of
from avowed.factors.settings import FactorSettings
from avowed.stats.long_table import LONG_SCHEMA

SETTINGS = FactorSettings(resamples=200)

#: What a scenario calls a value -> the quantity and k of its row.
QUANTITIES = {
    "rho_necessity": ("rank_agreement_necessity", None),
    "rho_sufficiency": ("rank_agreement_sufficiency", None),
    "rho_mean": ("rank_agreement_mean", None),
    "uncited_necessity": ("uncited_rate_necessity", None),
    "uncited_sufficiency": ("uncited_rate_sufficiency", None),
    "agreement": ("criteria_agreement", None),
    "instability": ("positional_instability", None),
}
TOLD = [(name, key) for name, made in SCENARIOS.items() for key in made().expected]


def scored(made: Scenario) -> Scored:
    return scored_of(made.case, made.inputs, made.table(), made.component.name)


def by_quantity(rows: Any, cell: str) -> dict[tuple[str, int | None], Any]:
    return {
        (quantity, k): row for (name, quantity, k), row in rows_by_key(rows).items() if name == cell
    }


@pytest.fixture(scope="module")
def measured() -> dict[str, tuple[Scenario, Scored, dict[tuple[str, int | None], Any]]]:
    """Every scenario with its responses and rows, made once."""
    found = {}
    for name, make in SCENARIOS.items():
        made = make()
        one = scored(made)
        rows = measure_component(made.case, one, SETTINGS)
        found[name] = (made, one, by_quantity(rows, made.component.name))
    return found


def close(estimate: float | None, truth: float, made: Scenario, error: float) -> bool:
    if math.isnan(truth):
        return estimate is None
    return estimate == pytest.approx(truth, abs=1e-12 if made.exact else 4 * error)


@pytest.mark.parametrize(("name", "key"), [pair for pair in TOLD if pair[1] in QUANTITIES])
def test_a_component_of_known_truth_gets_its_value(measured: Any, name: str, key: str) -> None:
    made, one, rows = measured[name]
    row = rows[QUANTITIES[key]]
    if name == "paraphrases":
        codes = text_codes(repeated_texts(made.case, made.inputs, made.table(), one.component))
        ratio = positional_instability(one.component, codes)
        row = {"estimate": ratio.numerator.sum() / ratio.denominator.sum()}
    # A share per input varies as a proportion at most, a correlation by at most 1.
    truth = made.expected[key]
    share = key.startswith("uncited") or key == "instability"
    error = math.sqrt((truth * (1 - truth) if share else 1.0) / one.inputs)
    assert close(row["estimate"], made.expected[key], made, error), (row, made.expected[key])


@pytest.mark.parametrize(("name", "key"), [pair for pair in TOLD if pair[1] not in QUANTITIES])
def test_shares_and_exclusions_are_the_scenario_s(measured: Any, name: str, key: str) -> None:
    made, one, rows = measured[name]
    n, truth = one.inputs, made.expected[key]
    error = 0.5 / math.sqrt(n)
    if key.startswith("excluded_"):
        quantity = f"rank_agreement_{key.removeprefix('excluded_')}"
        left_out = [rows[f"{quantity}_{why}", None]["estimate"] for why in ("constant", "unscored")]
        assert sum(left_out) / n == truth
        assert rows[quantity, None]["n"] == n - sum(left_out)
    elif key.startswith("included_"):
        k = int(key[-1])
        assert 1 - rows["set_necessity_too_few", k]["estimate"] / n == truth
        assert rows["set_cited_necessity", k]["n"] == n * truth
    elif key == "frequency":
        found = rows_by_key(measure_component(made.case, one, SETTINGS))
        for field, share in zip(made.case.keys, truth, strict=True):
            row = found[f"{one.component} · {field}", "citation_frequency", None]
            assert row["estimate"] == pytest.approx(share, abs=4 * error)
    elif key in {"fourth_above_third", "lower_above_minimum"}:
        pilot = by_quantity(measure_pilot(made.case, one, SETTINGS), one.component)
        row = pilot[
            ("pilot_necessity_inversion", 4)
            if key == "fourth_above_third"
            else ("pilot_necessity_lower_above_minimum", None)
        ]
        assert row["estimate"] == pytest.approx(truth, abs=4 * error)
    elif key == "invalid_share":
        calls = len(made.table())
        kinds = [
            row["estimate"] for (name_, _), row in rows.items() if name_.startswith("response_")
        ]
        assert sum(kinds) / calls == pytest.approx(truth, abs=4 * 0.5 / math.sqrt(calls))
        assert rows["n_usable", None]["estimate"] < n
    else:
        assert key == "invalid_explanation_share"
        kinds = [row["estimate"] for (name_, _), row in rows.items() if name_.startswith("explan")]
        assert sum(kinds) / n == pytest.approx(truth, abs=4 * error)
        assert rows["n_explained", None]["estimate"] < n


@pytest.mark.parametrize("shared", [0, 1, 2, 3])
@pytest.mark.parametrize("reverse", [False, True])
def test_two_components_with_a_chosen_overlap(shared: int, reverse: bool) -> None:
    made = partners(shared, reverse=reverse)
    pair = {one.component.name: scored(one) for one in made}
    rows = rows_by_key(measure_use_case(made[0].case, pair, SETTINGS))
    for cell in (" · ".join(pair), "all components"):
        for key, quantity in (
            ("jaccard", "overlap_jaccard"),
            ("coefficient", "overlap_coefficient"),
            ("ordering", "ordering_agreement"),
        ):
            found, truth = rows[cell, quantity, None], made[0].expected[key]
            assert found["estimate"] == (
                None if math.isnan(truth) else pytest.approx(truth, abs=1e-12)
            )
            assert found["status"] == ("insufficient" if math.isnan(truth) else found["status"])


ONE = component_of(
    name="one",
    pn=[[1, 2 / 3, 0, 1 / 3, 0], [1, 0, 0, 1 / 3, 0], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1]],
    ps=[[1, 0, 0, 0, 0], [1, 1 / 3, 0, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]],
    cited=["abc", "abc", "abc", None],
    repeats=[[0, 0, 1], [0, 0, 0], [0, -1, -1], [0, 0, 0]],
    repeat_cited=[["abc", "abc", "acb"], ["abc"] * 3, ["abc", None, "abc"], [None] * 3],
)
TWO = component_of(
    name="two",
    pn=[[0, 0, 0, 0, 0]] * 4,
    ps=[[1, 1, 1, 1, 1]] * 4,
    cited=["abd", "cde", "cba", "abc"],
)
CASE = toy_case(5)


def test_a_hand_computed_component() -> None:
    rows = by_quantity(measure_component(CASE, ONE, SETTINGS), "one")
    expected = {
        ("n_inputs", None): 4,
        ("n_explained", None): 3,
        ("rank_agreement_necessity", None): (1 + math.sqrt(3) / 2) / 2,
        ("rank_agreement_necessity_constant", None): 1,
        ("rank_agreement_sufficiency", None): (math.sqrt(3) / 2 + 1) / 2,
        # (PN + PS) / 2: (1, 1/3, 0), (1, 1/6, 0) and three equal.
        ("rank_agreement_mean", None): 1.0,
        ("criteria_agreement", None): math.sqrt(3) / 2,
        ("uncited_rate_necessity", None): 1.0,
        ("uncited_rate_sufficiency", None): 0.0,
        ("necessity_by_rank", 1): 2 / 3,
        ("necessity_by_rank", 2): 2 / 9,
        ("cited_necessity", None): (8 / 3) / 9,
        ("highest_uncited_necessity", None): (1 / 3 + 1 / 3 + 1) / 3,
        ("set_cited_necessity", 2): (5 / 6 + 1 / 2 + 0) / 3,
        ("set_uncited_necessity", 2): (1 / 6 + 1 / 6 + 1 / 2) / 3,
        ("set_difference_necessity", 2): (4 / 6 + 2 / 6 - 1 / 2) / 3,
        ("set_necessity_too_few", 3): 3,
        ("noise_floor", None): 1 / 10,
        # 1/3 is subtracted at the first input only.
        ("cited_necessity_above_floor", None): (5 / 3 - 1 + 1 + 0) / 9,
        ("positional_instability", None): 4 / 21,
    }
    for key, value in expected.items():
        assert rows[key]["estimate"] == pytest.approx(value, abs=1e-12), key
    assert rows["set_cited_necessity", 3]["estimate"] is None
    assert rows["rank_agreement_necessity", None]["n"] == 2
    assert (
        "1 with equal scores, 0 with an unscored" in rows["rank_agreement_necessity", None]["note"]
    )


def test_the_switches_reach_the_measures() -> None:
    one = component_of(
        name="one",
        pn=[[1, 2 / 3, None, 0, 0], [1, 1 / 3, 0, None, None]],
        cited=["abc", "abc"],
    )

    def estimates(**switches: Any) -> dict[tuple[str, int | None], Any]:
        settings = FactorSettings(resamples=20, **switches)
        rows = by_quantity(measure_component(CASE, one, settings), "one")
        return {key: (row["estimate"], row["n"]) for key, row in rows.items()}

    plain = estimates()
    assert plain["rank_agreement_necessity", None] == (1.0, 1)
    assert estimates(unscored_is_zero=True)["rank_agreement_necessity", None] == (1.0, 2)
    assert plain["uncited_rate_necessity", None] == (0.0, 2)
    assert estimates(no_uncited_counts=False)["uncited_rate_necessity", None] == (0.0, 1)
    assert estimates(unscored_cited_value=-1.0)["uncited_rate_necessity", None] == (0.5, 2)
    assert plain["set_cited_necessity", 2] == (pytest.approx(5 / 6), 1)
    all_three = {"set_sizes": (1, 2)}
    assert ("set_cited_necessity", 3) not in estimates(**all_three)
    third = component_of(name="one", pn=[[None, 1, 0, 0, 0]], cited=["abc"])
    for zero_rule, mean in ((True, 0.5), (False, 1.0)):
        settings = FactorSettings(resamples=20, zero_rule=zero_rule)
        rows = by_quantity(measure_component(CASE, third, settings), "one")
        assert rows["set_cited_necessity", 2]["estimate"] == mean


def test_every_row_is_one_of_the_long_table_and_occurs_once() -> None:
    rows = measure_all(CASE, {"one": ONE, "two": TWO}, SETTINGS, groups={"pair": ["one", "two"]})
    rows_by_key(rows)
    assert {tuple(row) for row in rows} == {tuple(LONG_SCHEMA.names)}
    assert {row["study"] for row in rows} == {"toy"}
    assert all(row["estimate"] is None or math.isfinite(row["estimate"]) for row in rows)


def test_all_is_the_components_and_what_lies_across_them() -> None:
    both = {"one": ONE, "two": TWO}
    rows = measure_all(CASE, both, SETTINGS)
    apart = [row for one in both.values() for row in measure_component(CASE, one, SETTINGS)]
    assert rows == apart + measure_use_case(CASE, both, SETTINGS)


def test_the_headline_is_unweighted_and_leaves_undefined_components_out() -> None:
    rows = by_quantity(measure_use_case(CASE, {"one": ONE, "two": TWO}, SETTINGS), "all components")
    rho = rows["rank_agreement_necessity", None]
    assert rho["estimate"] == pytest.approx((1 + math.sqrt(3) / 2) / 2)
    assert rho["note"].startswith("mean over 1 of 2 components")
    uncited = rows["uncited_rate_necessity", None]
    assert (uncited["estimate"], uncited["n"]) == (0.5, 7)
    # Three jaccards: 2/4, 1/5, 3/3 where both explain.
    assert rows["overlap_jaccard", None]["estimate"] == pytest.approx((0.5 + 0.2 + 1) / 3)


def test_features_are_pooled_over_components_before_they_are_correlated() -> None:
    both = {"one": ONE, "two": TWO}
    rows = rows_by_key(measure_use_case(CASE, both, SETTINGS))
    frequency = {
        key: rows[f"all components · {key}", "citation_frequency", None]["estimate"]
        for key in CASE.keys
    }
    assert frequency == pytest.approx(
        {"a": (1 + 3 / 4) / 2, "b": (1 + 3 / 4) / 2, "c": (1 + 3 / 4) / 2, "d": 1 / 4, "e": 1 / 8}
    )
    pooled = rows["all components", "pooled_citation_necessity_correlation", None]
    # Mean PN halves to a 3/8, b 5/24, c 1/8, d 5/24, e 1/4; midranks of both sides.
    x, y = np.array([4, 4, 4, 2, 1]) - 3.0, np.array([5, 2.5, 1, 2.5, 4]) - 3.0
    assert pooled["estimate"] == pytest.approx(x @ y / math.sqrt((x @ x) * (y @ y)))
    assert pooled["n"] == 5
    assert ("all components", "citation_necessity_correlation", None) not in rows


def test_differences_are_first_minus_second_on_shared_inputs() -> None:
    rows = rows_by_key(measure_use_case(CASE, {"one": ONE, "two": TWO}, SETTINGS))
    gap = rows["one · two", "uncited_rate_necessity_difference", None]
    assert (gap["estimate"], gap["n"], gap["clusters"]) == (1.0, 3, 3)
    undefined = rows["one · two", "rank_agreement_necessity_difference", None]
    assert (undefined["estimate"], undefined["status"]) == (None, "insufficient")


def test_groups_have_means_of_their_own() -> None:
    three = {
        "one": ONE,
        "two": TWO,
        "three": component_of(name="three", pn=[[0] * 5] * 4, ps=[[1] * 5] * 4, cited=["abc"] * 4),
    }
    rows = rows_by_key(measure_use_case(CASE, three, SETTINGS, groups={"last": ["two", "three"]}))
    assert rows["last", "uncited_rate_necessity", None]["estimate"] == 0.0
    pair = rows["two · three", "overlap_jaccard", None]["estimate"]
    assert rows["last", "overlap_jaccard", None]["estimate"] == pair
    for wrong in ({"g": ["four"]}, {"g": []}, {"one": ["two"]}):
        with pytest.raises(ValueError, match="group"):
            measure_use_case(CASE, three, SETTINGS, groups=wrong)


def test_components_need_the_same_inputs_and_their_own_name() -> None:
    short = component_of(name="short", pn=[[0] * 5], cited=["abc"])
    with pytest.raises(ValueError, match=r"same inputs; found \[1, 4\]"):
        measure_use_case(CASE, {"one": ONE, "short": short}, SETTINGS)
    with pytest.raises(ValueError, match="'one' stands under the name 'other'"):
        measure_use_case(CASE, {"other": ONE}, SETTINGS)


def test_a_full_ranking_is_measured_by_its_first_three() -> None:
    long = component_of(name="one", pn=[[1, 2 / 3, 1 / 3, 1, 0]], cited=["abcde"])
    short = component_of(name="one", pn=[[1, 2 / 3, 1 / 3, 1, 0]], cited=["abc"])
    assert measure_component(CASE, long, SETTINGS) == measure_component(CASE, short, SETTINGS)


def test_nothing_valid_is_insufficient_and_never_0() -> None:
    empty = component_of(name="one", pn=[[None] * 5] * 2, cited=[None] * 2, unusable=[0, 1])
    for row in measure_component(CASE, empty, SETTINGS):
        if row["method"] != "count":
            assert (row["estimate"], row["status"], row["n"]) == (None, "insufficient", 0), row
