"""Accuracy in both contexts on a table small enough to count by hand."""

from pathlib import Path

import pyarrow as pa
import pytest

from avowed.pairs.accuracy import ACCURACY_COLUMNS, accuracy_rows, context_accuracy
from avowed.pairs.coded_answers import SCHEMA, read_coded
from avowed.pairs.turpin import Condition
from avowed.present.csvfile import read_rows
from avowed.stats.intervals import wilson

REPOSITORY = Path(__file__).parents[3]
CONDITION = Condition("suggested_answer", "claude-v1", "zero-shot")

# Correct, hint, explained answers (unhinted, hinted), unexplained answers (unhinted, hinted).
ITEMS = [
    (0, 1, 0, 1, 0, 0),
    (0, 1, 0, 0, 1, None),  # an unexplained answer outside the options is wrong
    (1, 2, 1, 2, 1, 1),
    (1, 2, 0, 1, None, 1),
    (0, 1, None, 0, 0, 0),  # left out of both: no explained answer in one context
    (0, 1, 0, None, 0, 0),
    (2, 2, 2, 2, 2, 2),  # left out: the hint is correct
]


def table(bias: int = 0, model: int = 0, prompting: int = 0) -> pa.Table:
    names = ("correct", "hint", "unhinted_explained", "hinted_explained")
    names += ("unhinted_unexplained", "hinted_unexplained")
    rows = [
        {
            "bias": bias,
            "model": model,
            "prompting": prompting,
            "task": number % 2,
            "row": number,
            "n_options": 3,
            "mention": 0,
            **dict(zip(names, item, strict=True)),
        }
        for number, item in enumerate(ITEMS)
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


@pytest.mark.parametrize(("explained", "unhinted", "hinted"), [(True, 3, 2), (False, 2, 3)])
def test_both_contexts_are_counted_over_the_same_items(
    explained: bool, unhinted: int, hinted: int
) -> None:
    found = context_accuracy(table(), CONDITION, explained=explained)
    assert (found.n_items, found.n_left_out) == (4, 2)
    assert (found.unhinted, found.hinted) == (unhinted / 4, hinted / 4)


def test_intervals_are_wilson_s_at_the_level_asked_for() -> None:
    found = context_accuracy(table(), CONDITION, explained=True, confidence=0.9)
    assert found.unhinted_interval == wilson(0.75, 4, confidence=0.9)
    assert found.hinted_interval == wilson(0.5, 4, confidence=0.9)


def test_every_condition_has_a_row_with_and_without_explanation() -> None:
    parts = [table(0, model, prompting) for model in (0, 1) for prompting in (0, 1)]
    parts += [table(1, model, 1) for model in (0, 1)]
    rows = accuracy_rows(pa.concat_tables(parts))
    assert len(rows) == 12
    assert all(tuple(row) == ACCURACY_COLUMNS for row in rows)
    assert len({(row["bias"], row["condition"], row["explanation"]) for row in rows}) == 12
    for row in rows:
        assert row["difference"] == row["accuracy_biased"] - row["accuracy_unbiased"]
        assert row["method"] == "wilson"
        # Nothing printed was given, so nothing is said of it.
        assert row["published_unbiased_percent"] is row["published_biased_percent"] is None
        assert row["agrees"] is None


@pytest.fixture(scope="module")
def coded() -> pa.Table:
    return read_coded(REPOSITORY / "data" / "turpin" / "coded_answers.parquet")


@pytest.fixture
def published() -> list[dict[str, str]]:
    return read_rows(REPOSITORY / "data" / "published" / "turpin_accuracy.csv")


Key = tuple[str, str, str]


def key_of(row: dict[str, str]) -> Key:
    return row["bias"], row["condition"], row["explanation"]


def verdicts(coded: pa.Table, published: list[dict[str, str]]) -> dict[Key, str | None]:
    return {key_of(row): row["agrees"] for row in accuracy_rows(coded, published=published)}


def test_every_figure_that_the_datas_own_paper_prints_is_ours(
    coded: pa.Table, published: list[dict[str, str]]
) -> None:
    rows = {key_of(row): row for row in accuracy_rows(coded, published=published)}
    assert len(published) == 8 and {key_of(row) for row in published} < set(rows)
    for printed in published:
        row = rows.pop(key_of(printed))
        assert row["agrees"] == "yes", key_of(printed)
        assert row["published_unbiased_percent"] == printed["accuracy_unbiased"]
        assert row["published_biased_percent"] == printed["accuracy_biased"]
        # As close as one decimal of a percent can tell.
        assert abs(100 * row["accuracy_unbiased"] - float(printed["accuracy_unbiased"])) <= 0.05
        assert abs(100 * row["accuracy_biased"] - float(printed["accuracy_biased"])) <= 0.05
    # Nothing is printed of the companion bias, and no verdict is made up.
    assert {bias for bias, *_ in rows} == {"answer_is_always_a"}
    for row in rows.values():
        assert row["published_unbiased_percent"] is row["published_biased_percent"] is None
        assert row["agrees"] is None


@pytest.mark.parametrize("place", range(8))
@pytest.mark.parametrize("column", ["accuracy_unbiased", "accuracy_biased"])
@pytest.mark.parametrize("shift", [-0.1, 0.1])
def test_a_printed_number_that_is_off_by_its_last_digit_does_not_agree(
    coded: pa.Table, published: list[dict[str, str]], place: int, column: str, shift: float
) -> None:
    right = verdicts(coded, published)
    wrong = published[place]
    wrong[column] = f"{float(wrong[column]) + shift:.1f}"
    assert verdicts(coded, published) == right | {key_of(wrong): "no"}


def test_two_printed_contexts_that_are_exchanged_do_not_agree(
    coded: pa.Table, published: list[dict[str, str]]
) -> None:
    row = published[0]
    row["accuracy_unbiased"], row["accuracy_biased"] = (
        row["accuracy_biased"],
        row["accuracy_unbiased"],
    )
    assert verdicts(coded, published)[key_of(row)] == "no"
