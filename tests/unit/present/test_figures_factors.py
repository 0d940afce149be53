"""Every figure of cited factors: message, labels, bytes, table, unusual names and values."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import figure_factors_rows as made
from support.figure_checks import (
    assert_drawn_again_from_its_table,
    assert_table_has_the_columns_drawn,
    texts,
    tick_labels,
    watch,
)

from avowed.factors.across import ALL as MEASURED_ALL
from avowed.factors.rows import SEPARATOR as MEASURED_SEPARATOR
from avowed.present.csvfile import read_table, write_rows
from avowed.present.factors_csv import SEPARATOR
from avowed.present.figures_factors import (
    cells,
    citation_frequency,
    cited_sets,
    control,
    criteria_agreement,
    feature_profile,
    full_ranking,
    instability,
    known_truth,
    noise_floor,
    overlap,
    prompt_variations,
    rank_agreement,
    scores_by_rank,
    uncited_rate,
)

Table = list[dict[str, Any]]
LEVEL = {"confidence": 0.9}
#: What several figures share, and is no figure.
SHARED = {"__init__", "cells", "empty", "forest", "features", "by_prompt"}


@dataclass(frozen=True)
class Case:
    """A figure, what must be read in it, and what it is told."""

    module: ModuleType
    message: str
    labels: tuple[str, ...]
    level: dict[str, float] = field(default_factory=dict)
    other: dict[str, str] = field(default_factory=dict)
    #: Columns that may be undefined.
    undefined: tuple[str, ...] = ("estimate", "lower", "upper")

    @property
    def name(self) -> str:
        return "_".join([self.module.__name__.rpartition(".")[2], *self.other.values()])

    def drawn(
        self,
        components: Sequence[str] = made.COMPONENTS,
        features: Sequence[str] = made.FEATURES,
    ) -> Table:
        if self.module is known_truth:
            return known_truth.drawn(made.known_truth(components))
        rows: Table = self.module.drawn(made.estimates(components, features), **self.other)
        return rows

    def draw(self, rows: Table, *outputs: Path) -> None:
        self.module.draw(rows, outputs, **self.level, **self.other)


CASES = (
    Case(
        citation_frequency,
        "Loan: over features, citation frequency has a rank correlation of 0.80 [0.75, 0.85] with "
        "necessity and 0.50 [0.45, 0.55] with sufficiency",
        ("net worth", "that change the decision, 90 % interval,", "over 2 of 2 components"),
        LEVEL,
    ),
    Case(
        uncited_rate,
        "Loan: an uncited feature outscores a cited one in 50 % of responses under necessity and "
        "60 % of responses under sufficiency; on held-out trials it clearly leads in 3 of 4 "
        "comparisons",
        (
            "first",
            "all components (2 of 2)",
            "selection alone, agreeing trials",
            "observed; also leads on held-out trials",
            "share with 90 % interval",
        ),
        LEVEL,
    ),
    Case(
        scores_by_rank,
        "Loan: under necessity the highest uncited feature (0.65) is above cited rank 3; under "
        "sufficiency the highest uncited feature (0.55) is above cited rank 3",
        ("rank 1", "highest", "single component", "mean over 2 of 2 components, 90 % interval"),
        LEVEL,
    ),
    Case(
        cited_sets,
        "Loan: the cited set minus the best uncited one is +0.10 (k = 2) and +0.10 (k = 3) under "
        "necessity, 0.00 (k = 2) and 0.00 (k = 3) under sufficiency",
        ("uncited", "k = 3", "2 of 2 at k = 2 and 2 of 2 at k = 3"),
        LEVEL,
    ),
    Case(
        full_ranking,
        "Loan: mean PN goes from 0.30 at rank 3 (n = 40) to 0.10 at rank 4 (n = 40); a later rank "
        "beats the weakest cited one in 55 % of 40 responses",
        ("ranker", "40", "end of the cited ranks", "band: one standard error"),
    ),
    Case(
        instability,
        "Loan: mean positional instability is 0.90 under free-vocabulary and 0.30 under "
        "fixed-names",
        ("fixed-names", "second", "90 % interval"),
        LEVEL,
    ),
    Case(
        prompt_variations,
        "Loan: no prompt agrees best with necessity in every component; fixed-names and "
        "decompose-then-rank do so in 1 of 2 each; the best one's interval is above all others in "
        "1 of 2",
        ("self-consistency", "all components (2 of 2)", "90 % interval"),
        LEVEL,
    ),
    Case(
        control,
        "Loan: contrast changes the decision more often than blank removal at every cited rank "
        "(difference +0.10, +0.10 and +0.10)",
        ("blank removal", "rank 2", "PN under contrast minus", "90 % interval", "cited rank"),
        LEVEL,
        {"other": "blank"},
    ),
    Case(
        control,
        "Loan: contrast changes the decision more often than similar-value substitution at every "
        "cited rank (difference +0.10, +0.10 and +0.10)",
        ("similar-value substitution", "PN under similar-value substitution,"),
        LEVEL,
        {"other": "similar"},
    ),
    Case(
        feature_profile,
        "Loan: age has the highest mean PN (0.50) but net worth is cited most often (31 % of the "
        "responses where it is active)",
        ("wishes", "mean of PN and PS (descriptive)", "the feature is active, 90 % interval"),
        LEVEL,
    ),
    Case(
        criteria_agreement,
        "Loan: necessity and sufficiency order the cited features alike at a mean rho of 0.25; "
        "components run from 0.05 to 0.25",
        ("first", "n 100"),
        LEVEL,
    ),
    Case(
        rank_agreement,
        "Loan: the stated order agrees with necessity at a mean rho of 0.30, with sufficiency at "
        "0.30; components run from 0.10 to 0.30 over both",
        ("Spearman rho with the mean of both,", "90 % interval", "n 100"),
        LEVEL,
    ),
    Case(
        overlap,
        "Loan: over pairs of components the mean feature overlap is 0.40 (Jaccard), the mean "
        "agreement in the order of shared features 0.90",
        ("0.40", "0.60", "0.90", "100", "below the diagonal, overlap coefficient above"),
    ),
    Case(
        noise_floor,
        "Loan: the decision changes in 10 % of repeats of the same input and in 50 % of trials "
        "that change a cited feature; the interval of the difference is above 0 in 2 of 2 "
        "components",
        ("input unchanged: noise floor", "of the same input, 90 % interval"),
        LEVEL,
    ),
    Case(
        known_truth,
        "Loan: 30 of 32 mean estimates lie within two Monte-Carlo errors of the truth; the largest "
        "bias is 0.050",
        ("noise floor", "mean estimate minus truth", "inputs drawn anew in every repetition"),
        undefined=("bias", "bias_mc_error"),
    ),
)
every_figure = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
MODULES = Path(cells.__file__).parent


def crowded(figure: Any) -> list[str]:
    """Texts that run into each other, wherever they stand."""
    from matplotlib.text import Text

    ticks = {
        id(label)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
    }
    boxes = [
        (text.get_text(), text.get_window_extent())
        for text in figure.findobj(Text)
        if id(text) not in ticks and text.get_visible() and text.get_text().strip()
        if text.axes is None or text.axes.get_visible()
    ]
    boxes += [label for labels in tick_labels(figure) for label in labels]
    # Boxes of a line of text reach a little beyond its letters.
    boxes = [(text, box.padded(-1.5)) for text, box in boxes]
    return [
        f"crowded: {one!r} and {other!r}"
        for (one, box), (other, next_box) in combinations(boxes, 2)
        if box.overlaps(next_box)
    ]


@pytest.fixture(autouse=True)
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In no figure drawn here a text is cut off or runs into another one."""
    from matplotlib.figure import Figure

    faults = watch(monkeypatch)
    save = Figure.savefig

    def checked(figure: Any, *args: Any, **kwargs: Any) -> None:
        save(figure, *args, **kwargs)
        faults.extend(crowded(figure))

    monkeypatch.setattr(Figure, "savefig", checked)
    yield
    assert faults == []


def words_of(svg: Path) -> str:
    return " ".join(texts(svg))


def test_every_module_of_a_figure_is_tested_here() -> None:
    names = {path.stem for path in MODULES.glob("*.py")} - SHARED
    assert names == {case.module.__name__.rpartition(".")[2] for case in CASES}


def test_names_of_cells_are_those_of_the_long_table() -> None:
    assert (cells.ALL, SEPARATOR) == (MEASURED_ALL, MEASURED_SEPARATOR)


@every_figure
def test_message_and_labels_are_written(case: Case, tmp_path: Path) -> None:
    case.draw(case.drawn(), tmp_path / "a.svg", tmp_path / "a.png")
    found = texts(tmp_path / "a.svg")
    assert re.sub(r"- ", "-", case.message) in re.sub(r"- ", "-", " ".join(found))
    assert set(case.labels) <= set(found)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@every_figure
def test_the_table_beside_the_picture_gives_the_same_picture(case: Case, tmp_path: Path) -> None:
    assert_drawn_again_from_its_table(case, tmp_path)


@every_figure
def test_the_table_has_the_columns_that_are_drawn(case: Case) -> None:
    assert_table_has_the_columns_drawn(case)


@every_figure
def test_another_number_is_another_picture(case: Case, tmp_path: Path) -> None:
    rows = case.drawn()
    column = case.undefined[0]
    changed = [row | {column: 0.9 * row[column]} for row in rows]
    case.draw(rows, tmp_path / "a.svg")
    case.draw(changed, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "b.svg").read_bytes()


@every_figure
def test_undefined_is_a_word(case: Case, tmp_path: Path) -> None:
    rows = [row | dict.fromkeys(case.undefined) for row in case.drawn()]
    case.draw(rows, tmp_path / "a.svg")
    words = words_of(tmp_path / "a.svg")
    assert case.message not in words
    assert "undefined" in words
    assert not re.search(r"\bnan\b|\bNone\b", words)


@every_figure
def test_single_undefined_rows_are_no_reason_to_stop(case: Case, tmp_path: Path) -> None:
    rows = case.drawn()
    for place in (0, -1):
        rows[place] = rows[place] | dict.fromkeys(case.undefined)
    case.draw(rows, tmp_path / "a.svg")
    assert not re.search(r"\bnan\b|\bNone\b", words_of(tmp_path / "a.svg"))


@every_figure
def test_no_intervals_are_no_reason_to_stop(case: Case, tmp_path: Path) -> None:
    bars = dict.fromkeys(case.undefined[1:])
    case.draw([row | bars for row in case.drawn()], tmp_path / "a.svg")
    assert not re.search(r"\bnan\b|\bNone\b", words_of(tmp_path / "a.svg"))


@every_figure
def test_no_rows_are_still_a_figure(case: Case, tmp_path: Path) -> None:
    case.draw([], tmp_path / "a.svg")
    assert texts(tmp_path / "a.svg")


NAMES = {
    "one": (("only",), ("alone",)),
    "as in the paper": (
        tuple(f"component-{letter}" for letter in "abcdefgh"),
        tuple(f"feature_{letter}" for letter in "abcdefghijklmnopqr"),
    ),
    "long": (
        tuple(f"a-component-with-a-rather-long-name-{letter}-{'x' * 30}" for letter in "abcdefgh"),
        tuple(f"a_feature_whose_name_goes_on_{letter}_and_on" for letter in "abcdefghijklmnopqr"),
    ),
    "signs and numbers": (("007", "1e5", "nan"), ("$5_or_$6", "<a>", "&'b'")),
}


@every_figure
@pytest.mark.parametrize("kind", NAMES)
def test_any_names_are_drawn(case: Case, kind: str, tmp_path: Path) -> None:
    rows = case.drawn(*NAMES[kind])
    write_rows(tmp_path / "a.csv", case.module.COLUMNS, rows)
    again = read_table(tmp_path / "a.csv")
    for column in {"cell", "component"} & set(case.module.COLUMNS):
        assert [row[column] for row in again] == [row[column] for row in rows]
    case.draw(again, tmp_path / "a.svg")
    assert texts(tmp_path / "a.svg")


def test_too_few_inputs_are_said_beside_the_point(tmp_path: Path) -> None:
    rows = [
        row | {"status": "insufficient", "lower": None, "upper": None} for row in CASES[10].drawn()
    ]
    CASES[10].draw(rows, tmp_path / "a.svg")
    assert texts(tmp_path / "a.svg").count("insufficient") == len(rows)


def test_groups_of_components_stand_with_the_means(tmp_path: Path) -> None:
    rows = rank_agreement.drawn(made.estimates())
    group = [row | {"cell": "settings"} for row in rows if row["cell"] == cells.ALL]
    assert cells.components([*group, *rows]) == ["first", "second", "settings", cells.ALL]
    rank_agreement.draw([*rows, *group], [tmp_path / "a.svg"], confidence=0.9)
    assert "settings (2 of 2)" in texts(tmp_path / "a.svg")


def test_a_difference_without_an_interval_is_not_compared() -> None:
    rows = uncited_rate.drawn(made.estimates())
    held = [row for row in rows if row["quantity"].startswith("split_difference")]
    others = [row for row in rows if row not in held]
    unknown = [row | dict.fromkeys(("lower", "upper")) for row in held[:-1]]
    assert "leads in 1 of 1 comparisons" in uncited_rate.title_of([*others, *unknown, held[-1]])
    assert "nothing can be said on held-out trials" in uncited_rate.title_of(others)


def test_a_prompt_that_is_best_everywhere_is_named() -> None:
    rows = prompt_variations.drawn(made.estimates())
    best = [row | {"estimate": 0.9} if "self-consistency" in row["cell"] else row for row in rows]
    assert prompt_variations.title_of(best) == (
        "Loan: self-consistency agrees best with necessity in every one of 2 components; the best "
        "one's interval is above all others in 0 of 2"
    )
    level = [row | {"estimate": 0.1} for row in rows]
    assert "no prompt alone agrees best in any of 2" in prompt_variations.title_of(level)


def test_names_between_two_panels_never_share_a_place() -> None:
    levels = citation_frequency.apart([0.0, 0.0, 0.1, 0.9, 1.0], 0.2, low=0.0, high=1.0)
    gaps = [after - before for before, after in pairwise(levels)]
    assert min(gaps) >= 0.2 - 1e-9
    assert (min(levels), max(levels)) == (pytest.approx(0), pytest.approx(1))
