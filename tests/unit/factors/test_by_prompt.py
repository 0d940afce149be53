"""Instability and rank agreement by prompt: means over components and paired differences."""

import numpy as np
import pytest
from support.factors import component_of, rows_by_key, toy_case

from avowed.factors.by_prompt import measure_instability, measure_variations
from avowed.factors.instability import text_codes
from avowed.factors.settings import FactorSettings

CASE = toy_case(5)
SETTINGS = FactorSettings(resamples=50)
STABLE = text_codes([[["a", "b", "c"]] * 3] * 3)
CHANGING = text_codes([[["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]] * 3)


def test_free_vocabulary_stands_beside_fixed_names() -> None:
    codes = {"one": {"free": CHANGING, "fixed": STABLE}, "two": {"free": STABLE, "fixed": STABLE}}
    rows = rows_by_key(measure_instability(CASE, codes, SETTINGS))
    values = {
        cell: row["estimate"]
        for (cell, name, _), row in rows.items()
        if name == "positional_instability"
    }
    assert values == {
        "one · free": 1.0,
        "one · fixed": 0.0,
        "two · free": 0.0,
        "two · fixed": 0.0,
        "all components · free": 0.5,
        "all components · fixed": 0.0,
    }
    gap = rows["all components · free minus fixed", "positional_instability_difference", None]
    assert gap["estimate"] == 0.5 and gap["n"] == 54
    assert rows["one · free minus fixed", gap["quantity"], None]["estimate"] == 1.0


def test_variations_are_compared_with_the_first_prompt() -> None:
    ordered = component_of(pn=[[1, 2 / 3, 1 / 3, 0, 0]] * 2, cited=["abc", "abc"])
    half = component_of(pn=[[1, 2 / 3, 1 / 3, 0, 0]] * 2, cited=["abc", "cba"])
    found = measure_variations(CASE, {"m": {"primary": ordered, "critique": half}}, SETTINGS)
    rows = rows_by_key(found)
    assert rows["m · primary", "rank_agreement_necessity", None]["estimate"] == 1.0
    assert rows["m · critique", "rank_agreement_necessity", None]["estimate"] == 0.0
    gap = rows["m · primary minus critique", "rank_agreement_necessity_difference", None]
    assert gap["estimate"] == 1.0


def test_prompts_need_the_same_inputs() -> None:
    with pytest.raises(ValueError, match=r"prompts need the same inputs; found \[2, 3\]"):
        measure_instability(CASE, {"one": {"free": STABLE[:2], "fixed": STABLE}}, SETTINGS)
    assert STABLE.dtype.kind == "i" and np.unique(STABLE).size == 3
