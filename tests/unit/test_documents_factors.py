"""What the documents say of cited factors is what the tables and the code hold."""

import re

import pytest
from unit.documents import quoted, section, text_of

from avowed.endpoints.true_scores import COLUMNS
from avowed.factors.studies import known_truth
from avowed.present.factors_csv import SHAPES, VERDICT_COLUMNS

TITLE = "Columns of the tables of cited factors"
OTHER_TABLES = {
    "verdicts": VERDICT_COLUMNS,
    "truth": known_truth.COLUMNS,
    "feature_truth": COLUMNS,
}


def said() -> dict[str, list[str]]:
    """Table -> the names that results/README.md gives of its columns."""
    parts = re.split(r"`(\w+)\.csv`:", section("results/README.md", TITLE))
    return {
        name: [one for one in quoted(text) if re.fullmatch(r"\w+", one)]
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_every_table_is_explained_and_none_besides() -> None:
    assert sorted(said()) == sorted([*SHAPES, *OTHER_TABLES])


@pytest.mark.parametrize("table", SHAPES)
def test_the_measures_of_a_table_are_explained(table: str) -> None:
    names = set(said()[table]) - {"other"}
    assert names == {one.name for one in SHAPES[table].measures}


@pytest.mark.parametrize("table", OTHER_TABLES)
def test_the_columns_of_the_other_tables_are_explained(table: str) -> None:
    assert said()[table] == list(OTHER_TABLES[table])


def test_the_keys_and_ends_are_explained() -> None:
    intro = section("results/README.md", TITLE).split("`rank_agreement.csv`")[0]
    keys = {key for shape in SHAPES.values() for key in shape.keys}
    assert keys <= set(quoted(intro))
    assert {"_lower", "_upper", "_status", "_n"} <= set(quoted(intro))


def test_every_quantity_of_the_tables_is_defined() -> None:
    text = text_of("docs/estimators.md").split("\n## Cited factors\n")[1]
    names = [re.escape(name).replace(r"\.\.\.", r"\w+") for name in quoted(text)]
    for shape in SHAPES.values():
        for one in shape.measures:
            quantity = one.quantity.format(criterion="necessity")
            assert any(re.fullmatch(name, quantity) for name in names), quantity
