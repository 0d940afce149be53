"""Responses of simulated components: agreement with the plan, and independence of the order."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from scipy.stats import binomtest
from support.factors_scenarios import (
    SCENARIOS,
    Scenario,
    malformed,
    planted_inversion,
    quota_true_order,
    shuffled,
)

from avowed.endpoints.simulated.generate import simulate
from avowed.endpoints.simulated.noise import call_draws, draw_decisions
from avowed.endpoints.simulated.rules import Constant
from avowed.endpoints.simulated.texts import BROKEN, MISEXPLAINED
from avowed.factors.inputs import Inputs
from avowed.factors.plan import call_columns
from avowed.factors.response_rules import check_responses
from avowed.factors.responses import RESPONSES, explanation_texts, parse_response
from avowed.stats.seeds import Study


def noisy(name="noisy"):
    made = shuffled(samples=12)
    component = replace(made.component, name=name, noise=0.3, invalid=0.2, misexplained=0.3)
    return Scenario(made.case, made.inputs, component)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_gives_a_table_that_the_rules_accept(name):
    made = SCENARIOS[name]()
    table = made.table()
    assert table.schema == RESPONSES
    assert list(check_responses(made.case, made.inputs, made.plan(), table)) == []


def test_rows_stand_in_the_order_of_the_plan():
    made = noisy()
    plan = made.plan()
    table = made.table()
    for name, column in call_columns(plan).items():
        assert table[name].combine_chunks().equals(column.cast(RESPONSES.field(name).type))


def test_parsed_columns_agree_with_the_raw_text():
    made = noisy()
    for row in made.table().to_pylist():
        asked = row["intervention"] in ("original", "repeat")
        parsed = parse_response(row["raw"], made.case, asked=asked)
        assert row["decision"] == parsed.decision
        assert row["validity"] == parsed.validity
        assert row["explanation"] == parsed.explanation
        assert row["citations"] == (None if parsed.citations is None else list(parsed.citations))


def keyed(table: pa.Table):
    return {
        (row["component"], row["input"], row["feature"], row["intervention"], row["trial"]): row
        for row in table.to_pylist()
    }


def test_a_response_does_not_depend_on_other_inputs_or_their_order():
    made = noisy()
    whole = keyed(made.table())
    chosen = np.array([7, 2, 5])
    part = Inputs(
        tuple(made.inputs.ids[i] for i in chosen),
        made.inputs.codes[chosen],
        made.inputs.base[chosen],
    )
    some = keyed(Scenario(made.case, part, made.component).table())
    assert len(some) == len(whole) // 4
    assert all(whole[key] == row for key, row in some.items())


def test_more_trials_and_repeats_leave_the_earlier_ones_as_they_are():
    made = noisy()
    few, many = keyed(made.table(trials=2, repeats=1)), keyed(made.table(trials=5, repeats=4))
    assert len(few) < len(many)
    assert all(many[key] == row for key, row in few.items())


def test_components_are_independent_of_each_other_and_of_the_seed():
    made, other = noisy(), noisy("other")
    plan = made.plan()
    both = simulate([other.component, made.component], made.ready, plan, seed=1)
    alone = simulate([made.component], made.ready, plan, seed=1)
    assert both.slice(plan.n).combine_chunks().equals(alone.combine_chunks())
    assert not both["raw"].slice(0, plan.n).equals(alone["raw"])
    assert not simulate([made.component], made.ready, plan, seed=2)["raw"].equals(alone["raw"])
    assert simulate([], made.ready, plan, seed=1).num_rows == 0


@pytest.mark.slow
def test_every_kind_of_invalid_response_and_explanation_occurs_as_often_as_it_should():
    made = malformed()
    table = made.table()
    validity = pc.value_counts(table["validity"]).to_pylist()
    counts = {one["values"]: one["counts"] for one in validity}
    assert set(counts) == {"valid", *BROKEN}
    for kind in BROKEN:
        rate = made.component.invalid / len(BROKEN)
        assert binomtest(counts[kind], table.num_rows, rate).pvalue > 1e-4
    asked = table.filter(pc.is_in(table["intervention"], pa.array(["original", "repeat"])))
    found = pc.value_counts(asked["explanation"]).to_pylist()
    kinds = {one["values"]: one["counts"] for one in found}
    assert set(kinds) == {"valid", *MISEXPLAINED}
    lost = asked.num_rows - kinds["valid"]
    assert binomtest(lost, asked.num_rows, made.expected["invalid_explanation_share"]).pvalue > 1e-4
    bad = table.num_rows - counts["valid"]
    assert binomtest(bad, table.num_rows, made.expected["invalid_share"]).pvalue > 1e-4
    modified = table.filter(pc.equal(table["intervention"], "contrast"))
    assert pc.unique(modified["explanation"]).to_pylist() == ["not_asked"]


@pytest.mark.slow
def test_full_rankings_cite_every_feature():
    made = planted_inversion()
    rows = [row for row in made.table().to_pylist() if row["intervention"] == "original"]
    assert all(len(row["citations"]) == 8 for row in rows)
    swapped = sum(row["citations"][2] == "field_d" for row in rows)
    assert binomtest(swapped, len(rows), made.expected["fourth_above_third"]).pvalue > 1e-4


@pytest.mark.slow
def test_paraphrases_are_texts_of_ones_own():
    made = SCENARIOS["paraphrases"]()
    rows = [row for row in made.table().to_pylist() if row["intervention"] == "repeat"]
    texts = [explanation_texts(row["raw"]) for row in rows]
    own = [text for each in texts for text in each if text not in made.case.keys]
    assert binomtest(len(own), 3 * len(texts), made.component.paraphrase.rate).pvalue > 1e-4
    assert len({text for text in own if "field a" in text}) == made.component.paraphrase.variants


def test_noise_free_quota_gives_every_score_exactly():
    made = quota_true_order()
    rows = made.table().to_pylist()
    y = {row["input"]: row["decision"] for row in rows if row["intervention"] == "original"}
    for key, hits in (("field_a", 3), ("field_b", 2), ("field_c", 1), ("field_d", 0)):
        changed = [
            row["decision"] != y[row["input"]]
            for row in rows
            if row["feature"] == key and row["intervention"] == "contrast"
        ]
        assert sum(changed) == hits * len(y)
        assert len(changed) == 3 * len(y)


@pytest.mark.slow
def test_noise_replaces_by_every_other_decision_alike():
    law = np.tile(np.eye(4)[2], (8000, 1))
    draws = call_draws(5, Study.FACTOR_NOISE, ("a", "b"), ["x"], (8000, 4))[0]
    found = np.bincount(draw_decisions(law, 0.3, draws), minlength=4)
    for decision, chance in enumerate((0.1, 0.1, 0.7, 0.1)):
        assert binomtest(int(found[decision]), 8000, chance).pvalue > 1e-4


@pytest.mark.slow
def test_noise_falls_on_every_decision_of_a_random_rule_alike():
    law = np.tile([0.5, 0.5, 0.0], (8000, 1))
    draws = call_draws(6, Study.FACTOR_NOISE, ("a", "b"), ["x"], (8000, 4))[0]
    found = np.bincount(draw_decisions(law, 0.4, draws), minlength=3)
    for decision, chance in enumerate((0.4, 0.4, 0.2)):
        assert binomtest(int(found[decision]), 8000, chance).pvalue > 1e-4


@pytest.mark.slow
def test_noise_and_invalid_responses_are_independent():
    made = noisy()
    component = replace(made.component, rule=Constant("south"))
    table = simulate([component], made.ready, made.plan(), seed=3)
    valid = table.filter(pc.equal(table["validity"], "valid"))
    others = pc.sum(pc.not_equal(valid["decision"], "south")).as_py()
    assert binomtest(others, valid.num_rows, component.noise).pvalue > 1e-4


def test_a_decision_without_probability_is_never_drawn():
    law = np.array([[0.0, 1.0, 0.0], [0.0, 0.4, 0.6]]).repeat(3, axis=0)
    edge = np.array([0.0, 0.5, np.nextafter(1, 0)] * 2)
    draws = np.column_stack([edge, np.full(6, 0.9), edge, edge])
    assert draw_decisions(law, 0.0, draws).tolist() == [1, 1, 1, 1, 2, 2]
