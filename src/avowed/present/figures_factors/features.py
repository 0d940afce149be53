"""Features of a use case as figures need them: means over components, and their order."""

from dataclasses import dataclass

from avowed.present.figures.table import Row, Rows
from avowed.present.figures_factors.cells import ALL, is_mean, parts, split

FREQUENCY = "citation_frequency"
#: What is drawn of every feature.
QUANTITIES = ("necessity", "sufficiency", FREQUENCY)


@dataclass(frozen=True)
class Feature:
    """A feature with its rows, by quantity."""

    key: str
    rows: dict[str, Row]

    def value(self, quantity: str) -> float | None:
        """The estimate of a quantity."""
        row = self.rows.get(quantity)
        return None if row is None else row["estimate"]


def pooled(row: Row) -> bool:
    """Whether a row is a feature's mean over all components."""
    component, part = split(row["cell"])
    return component == ALL and bool(part) and is_mean(row)


def features_of(rows: Rows) -> list[Feature]:
    """The features by decreasing mean PN, undefined ones last; else in the order of the table."""
    pooled_rows = [row for row in rows if pooled(row)]
    found = [
        Feature(key, {row["quantity"]: row for row in pooled_rows if split(row["cell"])[1] == key})
        for key in parts(pooled_rows)
    ]

    def order(one: Feature) -> float:
        value = one.value("necessity")
        return float("inf") if value is None else -value

    return sorted(found, key=order)


def top(features: list[Feature], quantity: str) -> str:
    """The features with the highest value, in words.

    >>> top([], "necessity")
    'no feature'
    """
    values = {one.key: value for one in features if (value := one.value(quantity)) is not None}
    if not values:
        return "no feature"
    most = max(values.values())
    return " and ".join(key.replace("_", " ") for key, value in values.items() if value == most)
