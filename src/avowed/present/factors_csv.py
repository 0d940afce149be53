"""Tables of cited factors in the paper's forms, from rows of the long table; nothing is computed.

A table has one row per component (and feature, criterion or rank) and, per measure, its estimate,
the ends of its interval, its status and what it rests on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from avowed.present.csvfile import Value

#: Between a component and a feature, a prompt or another component, in the column ``cell``.
SEPARATOR = " · "
#: Between the two prompts of a difference.
MINUS = " minus "

VERDICT_COLUMNS = ("study", "component", "verdict", "evidence")

CRITERIA = ("necessity", "sufficiency")

#: What an estimate leaves in a table, as suffixes of its column; the estimate itself has none.
ENDS = ("", "_lower", "_upper", "_status", "_n")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Measure:
    """One measure of a table.

    Attributes:
        name: its column.
        quantity: in the long table; ``{criterion}`` stands for necessity or sufficiency.
        k: the rank or size, where the table's rows do not go by k.
        alone: without interval, status and n.
        of_groups: the quantity's name in rows of several components, where it is another.
    """

    name: str
    quantity: str
    k: int | None = None
    alone: bool = False
    of_groups: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it fills."""
        return (self.name,) if self.alone else tuple(self.name + end for end in ENDS)


@dataclass(frozen=True)
class Shape:
    """What a table shows.

    Attributes:
        measures: in the order of the columns.
        part: what stands behind the component in ``cell``: feature, prompt, other component.
        whole: rows of the component alone are shown too, with an empty part.
        criteria: one row per criterion.
        by_k: one row per rank or size.
        source: the part of the study: main, pilot or prompts.
    """

    measures: tuple[Measure, ...]
    part: str = ""
    whole: bool = False
    criteria: bool = False
    by_k: bool = False
    source: str = "main"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that say what a row is about."""
        more = ((self.part, self.part), ("criterion", self.criteria), ("k", self.by_k))
        return ("component", *(name for name, there in more if there))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, keys first."""
        return (*self.keys, *(column for one in self.measures for column in one.columns))


def _plain(*quantities: str) -> tuple[Measure, ...]:
    return tuple(Measure(name, name) for name in quantities)


def _counts(*quantities: str) -> tuple[Measure, ...]:
    return tuple(Measure(name, name, alone=True) for name in quantities)


def _agreement(name: str, quantity: str) -> tuple[Measure, ...]:
    left_out = (Measure(f"{name}_{why}", f"{quantity}_{why}", alone=True) for why in _LEFT_OUT)
    return (Measure(name, quantity), *left_out)


_LEFT_OUT = ("constant", "unscored")
_COMPARED = (
    "rank_agreement_necessity",
    "rank_agreement_sufficiency",
    "rank_agreement_mean",
    "uncited_rate_necessity",
    "uncited_rate_sufficiency",
)

#: Table -> what it shows; the file is ``<table>.csv``. Source of each: the paper's table or figure.
SHAPES: dict[str, Shape] = {
    # Table 3, figure 12.
    "rank_agreement": Shape(
        (
            *_agreement("rho_necessity", "rank_agreement_necessity"),
            *_agreement("rho_sufficiency", "rank_agreement_sufficiency"),
            *_agreement("rho_mean", "rank_agreement_mean"),
        )
    ),
    # Figure 2, with the selection baselines and the held-out comparison beside every rate.
    "uncited": Shape(
        (
            Measure("uncited_rate", "uncited_rate_{criterion}"),
            Measure("without_uncited", "uncited_rate_{criterion}_without_uncited", alone=True),
            *(
                Measure(name, f"{name}_{{criterion}}")
                for name in (
                    "selection_independent",
                    "selection_agreeing",
                    "selection_excess_independent",
                    "selection_excess_agreeing",
                    "split_difference",
                    "split_net",
                )
            ),
        ),
        criteria=True,
    ),
    # Figure 3.
    "ranks": Shape(
        (
            *(Measure(f"rank_{k}", "{criterion}_by_rank", k=k) for k in (1, 2, 3)),
            Measure("highest_uncited", "highest_uncited_{criterion}"),
            Measure("cited", "cited_{criterion}"),
            Measure("cited_unscored", "cited_{criterion}_unscored", alone=True),
        ),
        criteria=True,
    ),
    # Table 4, figure 4.
    "sets": Shape(
        (
            Measure("cited", "set_cited_{criterion}"),
            Measure("uncited", "set_uncited_{criterion}"),
            Measure("difference", "set_difference_{criterion}"),
            Measure("too_few", "set_{criterion}_too_few", alone=True),
        ),
        criteria=True,
        by_k=True,
    ),
    # Figures 1 and 10.
    "features": Shape(
        (
            *_plain("necessity", "sufficiency", "citation_frequency", "necessity_above_floor"),
            *_counts("necessity_above_floor_p_value", "necessity_above_floor_p_adjusted"),
        ),
        part="feature",
    ),
    # Section 4.1.
    "correlations": Shape(
        tuple(
            Measure(name, name, of_groups=f"pooled_{name}")
            for name in ("citation_necessity_correlation", "citation_sufficiency_correlation")
        )
    ),
    # Figure 11.
    "criteria": Shape(_agreement("criteria_agreement", "criteria_agreement")),
    # Figure 13; means over pairs stand in the rows without another component.
    "overlap": Shape(
        _plain("overlap_jaccard", "overlap_coefficient", "ordering_agreement"),
        part="other",
        whole=True,
    ),
    # Section 4.3.
    "differences": Shape(
        tuple(Measure(name, f"{name}_difference") for name in _COMPARED), part="other"
    ),
    # Figures 8 and 9.
    "controls": Shape(
        _plain(
            *(
                f"control_{other}_{what}"
                for other in ("blank", "similar")
                for what in ("contrast", other, "difference")
            )
        ),
        by_k=True,
    ),
    # Beyond the paper: how much changes when nothing is changed.
    "noise_floor": Shape(
        _plain("noise_floor", "cited_necessity_above_floor", "positional_instability")
    ),
    # Beyond the paper: inputs and trials for the target half-width.
    "planning": Shape(
        tuple(
            Measure(f"{needed}_{what}", f"{needed}_{quantity}", k=k, alone=True)
            for what, quantity, k in (
                ("rank_agreement", "rank_agreement_{criterion}", None),
                ("uncited_rate", "uncited_rate_{criterion}", None),
                *((f"rank_{k}", "{criterion}_by_rank", k) for k in (1, 2, 3)),
            )
            for needed in ("inputs_needed", "trials_needed")
        ),
        criteria=True,
    ),
    "counts": Shape(
        _counts(
            "n_inputs",
            "n_usable",
            "n_explained",
            "cited_inactive",
            *(
                f"response_{kind}"
                for kind in ("not_json", "no_decision", "decision_outside", "failed")
            ),
            *(
                f"explanation_{kind}"
                for kind in ("missing", "too_few", "too_many", "unknown_key", "duplicate")
            ),
        )
    ),
    # Figure 5.
    "pilot": Shape(
        (
            Measure("mean", "pilot_{criterion}_by_rank"),
            Measure("standard_error", "pilot_{criterion}_standard_error", alone=True),
            Measure("inversion", "pilot_{criterion}_inversion"),
        ),
        criteria=True,
        by_k=True,
        source="pilot",
    ),
    # Section 4.5.
    "pilot_sets": Shape(
        (
            Measure("cited", "pilot_{criterion}_cited"),
            Measure("lower", "pilot_{criterion}_lower"),
            Measure("difference", "pilot_{criterion}_cited_difference"),
            Measure("lower_above_minimum", "pilot_{criterion}_lower_above_minimum"),
        ),
        criteria=True,
        source="pilot",
    ),
    # Table 2, figure 6; the difference is the first prompt's minus this one's.
    "instability": Shape(
        (
            Measure("instability", "positional_instability"),
            Measure("difference", "positional_instability_difference"),
        ),
        part="prompt",
        source="prompts",
    ),
    # Figure 7.
    "variations": Shape(
        (
            Measure("rho_necessity", "rank_agreement_necessity"),
            Measure("difference", "rank_agreement_necessity_difference"),
        ),
        part="prompt",
        source="prompts",
    ),
}


def _value(row: Row, end: str) -> Value:
    value: Value = row[end.removeprefix("_") or "estimate"]
    return value


def paper_rows(shape: Shape, rows: Sequence[Row]) -> list[dict[str, Value]]:
    """The rows of one table.

    Args:
        shape: what it shows.
        rows: the long table's rows of the part that it shows.

    Returns:
        Rows with exactly the columns of the shape; what is not in the long table is empty. They go
        by component and part in the order of the long table, then by criterion and k.
    """
    measures = {
        (name.format(criterion=criterion), one.k): (criterion, one)
        for criterion in (CRITERIA if shape.criteria else ("",))
        for one in shape.measures
        for name in filter(None, (one.quantity, one.of_groups))
    }
    found: dict[tuple[Any, ...], dict[str, Value]] = {}
    cells: dict[tuple[str, str], int] = {}
    for row in rows:
        k = row["k"]
        known = measures.get((row["quantity"], None if shape.by_k else k))
        component, mark, part = row["cell"].partition(SEPARATOR)
        fits = bool(mark) if shape.part and not shape.whole else not mark or bool(shape.part)
        if known is None or not fits or (shape.by_k and k is None):
            continue
        criterion, one = known
        cell = (component, part.rpartition(MINUS)[2])
        place = cells.setdefault(cell, len(cells))
        key = (place, criterion, k if shape.by_k else None)
        named = {"component": component, shape.part: cell[1], "criterion": criterion, "k": k}
        made = found.setdefault(
            key, dict.fromkeys(shape.columns) | {name: named[name] for name in shape.keys}
        )
        made |= {column: _value(row, end) for column, end in zip(one.columns, ENDS, strict=False)}
    return [found[key] for key in sorted(found, key=lambda key: (*key[:2], key[2] or 0))]
