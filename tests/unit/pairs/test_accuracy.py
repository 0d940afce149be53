"""Accuracy in both contexts on a table small enough to count by hand."""

import pyarrow as pa
import pytest

from avowed.pairs.accuracy import ACCURACY_COLUMNS, accuracy_rows, context_accuracy
from avowed.pairs.coded_answers import SCHEMA
from avowed.pairs.turpin import Condition
from avowed.stats.intervals import wilson

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
