"""Answers of every coding, and the number of options."""

from typing import Any

import numpy as np
import pytest
from support.import_tables import column, table

from avowed.importing.answers import JUNK, MISSING, option_codes, whole_number
from avowed.importing.kinds import key_of
from avowed.importing.mapping import Answer, Coding, Found
from avowed.importing.options import option_counts, option_texts
from avowed.importing.rows import rows_of


def codes(values: list[Any], coding: Coding, *, n: int = 4, **more: Any) -> list[int]:
    answer = Answer(
        column="a", coding=coding, missing=frozenset(map(key_of, ["", "N/A", -1, None]))
    )
    options = np.full(len(values), n)
    return option_codes(column(values), answer, n_options=options, **more).tolist()


def test_letters() -> None:
    found = codes(["A", "D", "(B)", "", "N/A", None, "E", "a", "AD", "3", " A", 0, True], "letters")
    assert found == [0, 3, 1] + [MISSING] * 3 + [JUNK] * 7


def test_indices_and_numbers_keep_their_kind() -> None:
    values = [0, 3, "2", 4, -1, -2, 2.0, True, "02", "4", 10**30, "9" * 30]
    assert codes(values, "indices") == [0, 3, 2, JUNK, MISSING] + [JUNK] * 7
    assert codes([1, "4", 0, 5], "numbers") == [0, 3, JUNK, JUNK]


def test_whole_floats_only_where_the_mapping_says_so() -> None:
    values = [2.0, "2.0", 2.5, "2.5", float("nan"), float("inf")]
    assert codes(values, "indices") == [JUNK] * 6
    assert codes(values, "indices", whole_floats=True) == [2, 2] + [JUNK] * 4


def test_an_answer_beyond_the_options_is_junk() -> None:
    # Where their number is not known, the row goes for that reason.
    assert codes(["A", "B", "C"], "letters", n=2) == [0, 1, JUNK]
    assert codes(["C"], "letters", n=-1) == [2]


def test_nan_can_be_a_missing_token() -> None:
    answer = Answer(column="a", coding="indices", missing=frozenset({key_of(float("nan"))}))
    found = option_codes(column([float("nan"), 1]), answer, n_options=np.full(2, 4))
    assert found.tolist() == [MISSING, 1]


def test_texts_must_equal_exactly_one_option() -> None:
    options = column([("x", "y"), ("y", "x"), ("x", "x"), ("x", "y"), None, ("3", "4"), ("1",)])
    found = codes(["x", "x", "x", "", "x", 3, 1], "text", n=2, options=options)
    assert found == [0, 1, JUNK, MISSING, JUNK, JUNK, JUNK]


def test_a_text_coding_without_options_is_a_defect() -> None:
    with pytest.raises(ValueError, match="options"):
        codes(["x"], "text")


@pytest.mark.parametrize("value", [True, -1, 2.0, "-1", "1e3", "٣", "", None, ("1",)])
def test_what_is_no_whole_number(value: Any) -> None:
    assert whole_number(value) is None


def test_option_counts_of_every_form() -> None:
    rows = rows_of(
        [
            table(
                [
                    {"n": 3, "t": "a", "l": ("x", "y"), "o1": "p", "o2": "q", "o3": ""},
                    {"n": "5", "t": "b", "l": None, "o1": "p", "o2": None, "o3": "r"},
                    {"n": 2.0, "t": 1, "l": (), "o1": "p", "o2": "q", "o3": "r"},
                ]
            )
        ],
        ["n", "t", "l", "o1", "o2", "o3"],
    )
    lookup = {key_of("a"): 2, key_of(1): 9}
    assert option_counts(rows, Found(constant=4)).tolist() == [4, 4, 4]
    assert option_counts(rows, Found(column="n")).tolist() == [3, 5, -1]
    assert option_counts(rows, Found(column="n"), whole_floats=True).tolist() == [3, 5, 2]
    assert option_counts(rows, Found(lookup="t", values=lookup)).tolist() == [2, -1, 9]
    assert option_counts(rows, Found(length=("l",))).tolist() == [2, -1, 0]
    assert option_counts(rows, Found(length=("o1", "o2", "o3"))).tolist() == [2, -1, 3]
    assert option_texts(rows, ["o1", "o2", "o3"]).every() == [("p", "q"), None, ("p", "q", "r")]
