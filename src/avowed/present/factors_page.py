"""What the report shows of a study of cited factors: its tables as text, in the paper's forms."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from avowed.present.factors_csv import SHAPES
from avowed.present.factors_tables import COUNTS, no_interval
from avowed.present.page_sources import Table, load
from avowed.present.page_text import as_number, fixed, label

Row = Mapping[str, str]

#: Heading -> column of a measure; or plain numbers, one after the other: columns that end with
#: ``!``, with a slash between them.
Heads = Mapping[str, str]

#: Column that says what a row is about -> its heading; others are not shown.
_KEYS = {
    "component": "Component",
    "criterion": "Criterion",
    "k": "k",
    "prompt": "Prompt",
}


#: The row of a mean over all components.
ALL = "all components"

#: Stands for the name of a study in the names of figures.
_STUDY = "<study>"


@dataclass(frozen=True)
class Shown:
    """A table of the page: its heading, one sentence about it, and its columns."""

    title: str
    about: str
    heads: Heads
    kept: Callable[[Row], bool] = lambda row: True


#: Table of the study -> what the page shows of it.
SHOWN: dict[str, Shown] = {
    "rank_agreement": Shown(
        "Order and influence",
        "Spearman's rho of the order of citation with the scores, mean over n responses (NS table "
        "3). A response has no rho, and is left out, if its three scores are equal, or if one of "
        "them is unscored: nothing valid came back once that factor was changed, it cannot be "
        "changed, or it is not in the input. Behind each rho stand n / responses left out as equal "
        "/ as unscored.",
        {
            head: what
            for words, name in (
                ("Necessity", "rho_necessity"),
                ("Sufficiency", "rho_sufficiency"),
                ("Mean of both", "rho_mean"),
            )
            for head, what in (
                (words, name),
                (
                    f"{words}: n / equal / unscored",
                    f"{name}_n!/{name}_constant!/{name}_unscored!",
                ),
            )
        },
    ),
    "uncited": Shown(
        "Uncited above cited",
        "Share of responses in which an uncited factor scores above the weakest cited one, beside "
        "what selection alone would give: the highest of many noisy scores lies above the lowest "
        "of three even if all factors are alike. Selection is worked out twice, for independent "
        "trials and for agreeing trials (all trials of a changed input give the same decision); "
        "both take inputs for alike. The held-out lead is that of the best uncited factor over the "
        "weakest cited one on trials that took no part in choosing them. It assumes that trials "
        "are exchangeable, which those of a quota (a simulated component that changes its decision "
        "in a fixed number of the trials) are not.",
        {
            "Rate": "uncited_rate",
            "Selection, independent": "selection_independent",
            "Selection, agreeing": "selection_agreeing",
            "Held-out lead": "split_difference",
        },
    ),
    "sets": Shown(
        "Sets",
        "Mean score of the first k cited and of the k highest-scoring uncited factors (NS table "
        "4).",
        {"Cited": "cited", "Uncited": "uncited", "Difference": "difference"},
    ),
    "noise_floor": Shown(
        "Noise floor",
        "How often the decision changes when nothing was changed, and the cited factors' necessity "
        "above it.",
        {"Floor": "noise_floor", "Cited necessity above it": "cited_necessity_above_floor"},
    ),
    "overlap": Shown(
        "Components compared",
        "Cited factors that two components share on the same input, and whether they order them "
        "alike; means over pairs (NS figure 13).",
        {
            "Jaccard": "overlap_jaccard",
            "Overlap coefficient": "overlap_coefficient",
            "Order": "ordering_agreement",
        },
        lambda row: not row["other"],
    ),
    "instability": Shown(
        "Wording of the prompt",
        "Share of positions whose text changes when the same input is asked again (NS table 2).",
        {"Instability": "instability", "Free minus fixed": "difference"},
    ),
    "counts": Shown(
        "Responses",
        "Inputs and calls, and what is left out by kind. An input is asked once for its decision "
        "and explanation; every change and every repeat of it is a further call. An invalid "
        "response leaves the denominators.",
        {head: f"{column}!" for head, column in COUNTS.items()},
    ),
}


@dataclass(frozen=True)
class FactorStudy:
    """A study on the page.

    Attributes:
        name: the study's.
        verdicts: one row per component.
        tables: tables with what is said of them.
        truth: bias and coverage of the main measures; without rows for recorded responses.
        simulated: the components are simulated, so that their true scores are known.
        coverage: how often intervals hold the truth, over all measures.
    """

    name: str
    verdicts: Sequence[Row]
    tables: Sequence[tuple[Shown, Table]]
    truth: Table
    simulated: bool
    coverage: "Coverage | None"


@dataclass(frozen=True)
class Coverage:
    """Coverage under newly drawn inputs over measures and components, as texts.

    Attributes:
        count: pairs of a measure and a component.
        mean, least, most: over them.
        least_of: where it is least, a measure and a component.
        error: the largest Monte-Carlo error of one of them.
    """

    count: int
    mean: str
    least: str
    least_of: str
    most: str
    error: str


def coverage_of(rows: Sequence[Row]) -> Coverage | None:
    """Sum up the coverage of every measure that has one; None where none has."""
    there = [
        (value, row)
        for row in rows
        if row["inputs"] == "drawn" and (value := as_number(row["coverage"])) is not None
    ]
    if not there:
        return None
    least, where = min(there, key=lambda pair: pair[0])
    rank = f" at rank {where['k']}" if where["k"] else ""
    measure = where["quantity"].replace("_", " ").removesuffix(" by rank")
    errors = [as_number(row["coverage_mc_error"]) or 0.0 for _, row in there]
    return Coverage(
        count=len(there),
        mean=fixed(mean(value for value, _ in there)),
        least=fixed(least),
        least_of=f"{measure}{rank}, {where['component']}",
        most=fixed(max(value for value, _ in there)),
        error=fixed(max(errors)),
    )


def measure_text(row: Row, column: str) -> str:
    """An estimate with its interval; the status where there is no estimate.

    >>> measure_text({"a": "0.5", "a_lower": "0.25", "a_upper": "", "a_status": "converged"}, "a")
    '0.500'
    >>> measure_text({"a": "", "a_lower": "", "a_upper": "", "a_status": "undefined"}, "a")
    'undefined'
    """
    if not row[column]:
        return row[f"{column}_status"]
    lower, upper = row[f"{column}_lower"], row[f"{column}_upper"]
    if not lower or not upper:
        return fixed(row[column]) + no_interval(row[f"{column}_status"])
    return f"{fixed(row[column])} [{fixed(lower)}, {fixed(upper)}]"


def shown_rows(
    name: str, rows: Sequence[Row], components: Collection[str] = ()
) -> list[dict[str, str]]:
    """The rows of a table as the page shows them.

    ``components`` are the single ones. Of one there is no mean to be shown, and the mean over all
    of several names how many it rests on where some have no estimate.
    """
    shown, keys = SHOWN[name], SHAPES[name].keys
    kept = [row for row in rows if shown.kept(row)]
    # A table about other components, those of the prompts, says nothing of these.
    known = set(components) if set(components) <= {row["component"] for row in kept} else set()

    def text(row: Row, what: str) -> str:
        if what.endswith("!"):
            return _numbers(row, what)
        alike = [
            one
            for one in kept
            if one["component"] in known
            and all(one[key] == row[key] for key in keys if key != "component")
        ]
        there = sum(one[what] != "" for one in alike)
        fewer = row["component"] == ALL and row[what] != "" and there < len(alike)
        return measure_text(row, what) + (f" ({there} of {len(alike)})" if fewer else "")

    return [
        {_KEYS[key]: row[key] for key in keys if key in _KEYS}
        | {head: text(row, what) for head, what in shown.heads.items()}
        for row in kept
        if row["component"] in known or len(known) != 1
    ]


def _numbers(row: Row, what: str) -> str:
    """Plain numbers with slashes between them; a dash where there is none."""
    return " / ".join(row[one.removesuffix("!")] or "–" for one in what.split("/"))


def factor_study(name: str, folder: Path, page: Path) -> FactorStudy:
    """Read what a study left in its folder.

    Raises:
        Unusable: a file that is there cannot be used.
    """
    names = [*SHOWN, "verdicts", "truth"]
    found = load({each: folder / f"{each}.csv" for each in names}, page)
    verdicts = found["verdicts"].rows or ()
    components = [row["component"] for row in verdicts]
    tables = []
    for each, shown in SHOWN.items():
        table = found[each]
        if table.rows:
            tables.append((shown, replace(table, rows=shown_rows(each, table.rows, components))))
    truth = found["truth"]
    return FactorStudy(
        name=name,
        verdicts=verdicts,
        tables=tables,
        # Only simulated components have a truth to be held against.
        simulated=truth.rows is not None,
        coverage=coverage_of(truth.rows or ()),
        truth=replace(truth, rows=[coverage_row(row) for row in _drawn(truth.rows or ())]),
    )


def _drawn(rows: Sequence[Row]) -> list[Row]:
    """Main measures under freshly drawn inputs, the design that the intervals are made for."""
    kept = ("rank_agreement_necessity", "uncited_rate_necessity", "noise_floor")
    return [row for row in rows if row["inputs"] == "drawn" and row["quantity"] in kept]


def coverage_row(row: Row) -> dict[str, str]:
    """Truth, bias and coverage of one measure, each with its Monte-Carlo error."""

    def beside(column: str) -> str:
        error = row[f"{column}_mc_error"]
        if as_number(row[column]) is None:
            return "–"
        return fixed(row[column]) + (f" ± {fixed(error)}" if error else "")

    return {
        "Component": row["component"],
        "Measure": row["quantity"].replace("_", " "),
        "Truth": fixed(row["truth"]),
        "Mean estimate": fixed(row["mean_estimate"]),
        "Bias": beside("bias"),
        "Coverage": beside("coverage"),
    }


def captions_by_study(captions: Mapping[str, str], studies: Sequence[str]) -> dict[str, str]:
    """Captions with those of ``<study>_name`` once per study, which is named in front.

    >>> captions_by_study({"<study>_a": "Dots (table <study>/a.csv)."}, ["my_one"])
    {'my_one_a': 'My one: dots (table my_one/a.csv).'}
    >>> captions_by_study({"a": "Dots.", "<study>_b": "Bars."}, ["advisor"])
    {'a': 'Dots.', 'advisor_b': 'Advisor: bars.'}
    """
    found = {}
    for name, text in captions.items():
        if not name.startswith(_STUDY):
            found[name] = text
            continue
        for study in studies:
            own = text.replace(_STUDY, study)
            words = f"{label(study)}: {own[:1].lower()}{own[1:]}"
            found[name.replace(_STUDY, study, 1)] = words[:1].upper() + words[1:]
    return found
