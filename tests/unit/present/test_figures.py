"""Every figure: its message from the numbers, its labels, its bytes, its table, unusual data."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import figure_tables as tables
from support.figure_checks import (
    assert_drawn_again_from_its_table,
    assert_table_has_the_columns_drawn,
    texts,
    watch,
)

from avowed.pairs.studies.verdict import Verdict
from avowed.present.csvfile import read_table, write_rows
from avowed.present.figures import (
    calibration_coverage,
    calibration_estimates,
    calibration_half_width,
    calibration_shifts,
    chance_correction,
    clustering,
    coverage,
    estimator_properties,
    exposure_curve,
    public_data_by_task,
    sample_size,
    threshold_curve,
    worked_example,
)

Table = list[dict[str, Any]]
LEVEL = {"confidence": 0.9}
TARGET = {"target_half_width": 0.1}
PLAN = {"half_width": 0.1, "rate": 0.5, "design_effect": 1.25}


@dataclass(frozen=True)
class Case:
    """A figure, the tables it is drawn from, and what must be read in it."""

    module: ModuleType
    tables: tuple[Callable[..., Table], ...]
    message: str
    labels: tuple[str, ...]
    settings: dict[str, float] = field(default_factory=dict)
    #: Columns that may be undefined in the pipeline's tables.
    undefined: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.module.__name__.rpartition(".")[2]

    def drawn(self, kinds: tuple[str, ...] = tables.KINDS) -> Table:
        rows: Table = self.module.drawn(*(table(kinds) for table in self.tables))
        return rows

    def draw(self, rows: Table, *outputs: Path) -> None:
        self.module.draw(rows, outputs, **self.settings)


CASES = (
    Case(
        coverage,
        (tables.coverage,),
        "The percentile bootstrap covers 90.0 % at 320 probes and 80.0 % at 10, but 80.0 % at a "
        "rate near 0 and 20 probes",
        ("coverage of the 90 % interval,", "(axis from 0.75 to 1)", "probes", "bca", "type 2"),
        LEVEL,
        ("coverage", "coverage_mc_error"),
    ),
    Case(
        exposure_curve,
        (tables.exposure_bias,),
        "One pooled rate overstates exposure by 0.100 at k = 2",
        ("attempts k", "X(k), probability of", "truth, through drop-out", "unbiased, mean"),
        {},
        ("truth", "mean_unbiased", "mean_plug_in", "bias_plug_in", "bias_plug_in_mc_error"),
    ),
    Case(
        threshold_curve,
        (tables.threshold_curve,),
        "The flagged omission falls from 0.500 to 0.200 between the cuts 0.5 and 0.8",
        ("cut of the violation score 1 - phi", "worked example, 90 % interval", "population"),
        LEVEL,
        ("omission", "lower", "upper", "truth"),
    ),
    Case(
        calibration_estimates,
        (tables.calibration_estimates, tables.calibration),
        "The corrected omission is shifted under one fixed calibration by -0.040, "
        "under new ones by +0.002",
        ("corrected omission, not clipped", "fixed calibration, one data set", "true omission"),
        {},
        ("estimate", "bias", "truth"),
    ),
    Case(
        calibration_half_width,
        (tables.calibration,),
        "The calibration alone stays within the target 0.1 from 40 items per class on",
        ("calibration items per class (log scale)", "target half-width", "type 1"),
        TARGET,
        ("mean_h_c", "mean_h_c_mc_error"),
    ),
    Case(
        calibration_coverage,
        (tables.calibration,),
        "One fixed calibration covers the population rate 90.0 % of the time, new ones of its "
        "size 96.0 %",
        ("90 % interval of the realised rate", "fresh, 10 items per class; joint bootstrap"),
        LEVEL,
        ("coverage", "coverage_mc_error"),
    ),
    Case(
        calibration_shifts,
        (tables.calibration_shifts, tables.calibration, tables.published),
        "50 % of 8 drawn calibrations shift the corrected omission by 0.020 or more either way, "
        "the least printed shift",
        ("printed range, -0.030 to -0.020", "the study's fixed calibration, exact", "calibrations"),
        {},
        ("shift",),
    ),
    Case(
        chance_correction,
        (tables.chance_correction,),
        "Chance moves bias the omission by +0.020 to +0.030; corrected, the bias is -0.001",
        ("bias of the omission among hint-driven moves,", "with the correction", "+0.030"),
        {},
        ("bias", "bias_mc_error", "bias_uncorrected", "bias_uncorrected_mc_error"),
    ),
    Case(
        clustering,
        (tables.clustering,),
        "Replicas of a probe give a design effect of 1.25 to 1.45 in 6 data sets",
        ("intra-cluster correlation,", "design effect (1: pairs as independent),", "type 1"),
        {},
        ("icc", "design_effect"),
    ),
    Case(
        estimator_properties,
        (tables.estimator_properties,),
        "2 of 4 comparisons with print match or lie within Monte-Carlo error; 2 differ",
        ("bias", "k = 8, drop-out-free truth", "nothing printed: recovered", "lowest hint type"),
        {},
        ("published", "ours", "mc_error"),
    ),
    Case(
        worked_example,
        (tables.worked_example,),
        "1 of 2 printed numbers of the worked example could come from one of our data sets; "
        "0 of 1 without a spread match",
        ("our data set", "printed, differs", "no spread: differs", "not printed"),
        {},
        ("published_in_spreads", "ours_in_spreads", "published", "ours"),
    ),
    Case(
        public_data_by_task,
        (tables.public_data_by_task,),
        "Susceptibility runs from 0.10 (dates, type 1) to 0.50 (names, type 2); flagged omission "
        "1.000",
        ("dates (90 pairs)", "no pair with enough options: not analysed", "no pairs (0 pairs)"),
        {},
        ("susceptibility", "omission"),
    ),
    Case(
        sample_size,
        (tables.sample_size, tables.curve),
        "A half-width of 0.1 around 0.5 takes about 192 to 384 completed pairs, 240 to 480 with "
        "a design effect of 1.25",
        ("type 1, all completed", "type 2, eligible", "1,000"),
        PLAN,
        ("share_moved", "completed_pairs", "completed_pairs_rounded", "completed_pairs_clustered"),
    ),
)
every_figure = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
MODULES = Path(coverage.__file__).parent


@pytest.fixture(autouse=True)
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing reaches over the edge of any figure drawn here, and no labels of an axis overlap."""
    faults = watch(monkeypatch)
    yield
    assert faults == []


def test_every_module_of_a_figure_is_tested_here() -> None:
    # The figures of single commands are tested with these.
    others = {"__init__", "table", "compare", "plan"}
    names = {path.stem for path in MODULES.glob("*.py")} - others
    assert names == {case.name for case in CASES}


@every_figure
def test_message_and_labels_are_written(case: Case, tmp_path: Path) -> None:
    case.draw(case.drawn(), tmp_path / "a.svg", tmp_path / "a.png")
    found = texts(tmp_path / "a.svg")
    assert case.message in " ".join(found)
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
    case.draw(rows, tmp_path / "a.svg")
    column = case.undefined[0]
    changed = [
        row | {column: 0.9 * row[column]} if isinstance(row[column], float) else row for row in rows
    ]
    assert changed != rows
    case.draw(changed, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "b.svg").read_bytes()


@every_figure
def test_undefined_is_drawn_as_a_word_or_not_at_all(case: Case, tmp_path: Path) -> None:
    rows = [row | dict.fromkeys(case.undefined) for row in case.drawn()]
    case.draw(rows, tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    words = " ".join(found)
    assert case.message not in words
    assert "undefined" in words or "no printed" in words or "cannot be planned" in words
    assert not re.search(r"\bnan\b|\bNone\b|\+0\.000", words)


@every_figure
def test_single_undefined_rows_are_no_reason_to_stop(case: Case, tmp_path: Path) -> None:
    rows = case.drawn()
    for place in (0, -1):
        rows[place] = rows[place] | dict.fromkeys(case.undefined)
    case.draw(rows, tmp_path / "a.svg")
    assert not re.search(r"\bnan\b|\bNone\b", " ".join(texts(tmp_path / "a.svg")))


@every_figure
def test_no_errors_or_intervals_are_no_reason_to_stop(case: Case, tmp_path: Path) -> None:
    bars = [n for n in case.module.COLUMNS if n.endswith("_error") or n in ("lower", "upper")]
    case.draw([row | dict.fromkeys(bars) for row in case.drawn()], tmp_path / "a.svg")
    assert case.message in " ".join(texts(tmp_path / "a.svg"))


@every_figure
def test_no_rows_are_still_a_figure(case: Case, tmp_path: Path) -> None:
    case.draw([], tmp_path / "a.svg")
    assert texts(tmp_path / "a.svg")


@every_figure
@pytest.mark.parametrize(
    "kinds",
    [
        ("only",),
        tuple(f"type_{number}" for number in range(1, 13)),
        ("a hint type with a rather long name that goes on and on and on " * 3, "x" * 120, "y"),
        ("cost $5 or $6", "<a> & 'b'", r"\frac_{x^", "007", "nan", "1e5"),
    ],
    ids=["one", "twelve", "long", "signs and numbers"],
)
def test_any_hint_types_are_drawn(case: Case, kinds: tuple[str, ...], tmp_path: Path) -> None:
    rows = case.drawn(kinds)
    write_rows(tmp_path / "a.csv", case.module.COLUMNS, rows)
    again = read_table(tmp_path / "a.csv")
    for column in {"hint_type", "condition"} & set(case.module.COLUMNS):
        assert [row[column] or None for row in again] == [row[column] for row in rows]
    case.draw(again, tmp_path / "a.svg")
    named = {"coverage", "exposure_curve", "clustering", "chance_correction", "sample_size"}
    if case.name in named and len(max(kinds, key=len)) < 15:
        words = " ".join(texts(tmp_path / "a.svg"))
        assert all(kind.replace("_", " ") in words for kind in kinds)


def test_verdicts_are_the_pipeline_s() -> None:
    assert set(estimator_properties.MET) == {Verdict.MATCHES, Verdict.WITHIN_ERROR}
    assert estimator_properties.DIFFERS == Verdict.DIFFERS
