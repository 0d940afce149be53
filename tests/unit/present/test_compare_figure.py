"""The forest of differences and of two judges: its message, its legend, its words and its room."""

from pathlib import Path
from typing import Any

import pytest
from support.figure_checks import texts, watch

from avowed.present.figures import compare as figure

Lines = list[dict[str, Any]]
LIMIT = "no difference shown, although the interval leaves out 0"


def row(quantity: str, difference: float | None, reach: float = 0.1, **more: Any) -> dict[str, Any]:
    """A row of the table of differences; without a difference it is insufficient."""
    there = difference is not None
    return {
        "hint_type": "authority",
        "quantity": quantity,
        "first": "one",
        "second": "two",
        "difference": difference,
        "lower": difference - reach if difference is not None else None,
        "upper": difference + reach if difference is not None else None,
        "p_adjusted": 0.2 if there else None,
        "tests": 3,
        "status": "converged" if there else "insufficient",
        **more,
    }


def lines(*rows: dict[str, Any]) -> Lines:
    return figure.drawn(rows, confidence=0.95)


def judged(**values: float | None) -> Lines:
    return figure.drawn_judges(
        [
            {
                "hint_type": "authority",
                "quantity": name,
                "estimate": value,
                "lower": None if value is None else value - 0.1,
                "upper": None if value is None else min(value + 0.1, 1),
                "n": 60,
                "status": "undefined" if value is None else "converged",
            }
            for name, value in values.items()
        ]
    )


def drawn(
    which: Lines, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], list[tuple[float, float]]]:
    """Texts of the figure and the limits of its panels; what is cut off or overlaps fails."""
    from matplotlib.figure import Figure

    faults, limits = watch(monkeypatch), []
    save = Figure.savefig

    def kept(self: Figure, *args: Any, **kwargs: Any) -> None:
        limits.extend(axes.get_xlim() for axes in self.axes)
        save(self, *args, **kwargs)

    monkeypatch.setattr(Figure, "savefig", kept)
    figure.draw(which, [folder / "a.svg"], confidence=0.95)
    assert faults == []
    return texts(folder / "a.svg"), limits


def test_the_message_is_of_every_panel() -> None:
    found = lines(
        row("omission", 0.1),
        row("omission", None),
        row("susceptibility", 0.5, p_adjusted=0.01),
        row("susceptibility", 0.1),
    )
    assert figure.title_of(found) == (
        "No difference of the flagged omission is shown in 1 comparison (1 could not be tested); "
        "the susceptibility differs in 1 of 2 comparisons"
    )
    assert figure.title_of(lines(row("omission", None))) == (
        "No difference of the flagged omission could be tested"
    )


@pytest.mark.parametrize(
    ("rows", "legend"),
    [
        ([row("omission", 0.05), row("omission", None)], ["no difference shown"]),
        ([row("omission", 0.5, p_adjusted=0.01), row("omission", None)], ["differs"]),
        ([row("omission", 0.101)], [LIMIT]),
        ([row("omission", -0.101)], [LIMIT]),
        (
            [row("omission", 0.1, p_adjusted=None, status="insufficient", lower=None, upper=None)],
            ["insufficient"],
        ),
        (
            [row("omission", 0.05), row("susceptibility", 0.5, p_adjusted=0.01)],
            ["differs", "no difference shown"],
        ),
    ],
)
def test_the_legend_has_what_is_drawn_and_nothing_else(
    rows: Lines, legend: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, _ = drawn(lines(*rows), tmp_path, monkeypatch)
    kinds = ("differs", LIMIT, "no difference shown")
    missing = sum(each["difference"] is None for each in rows)
    assert [text for text in seen if text in kinds or text == "insufficient"] == (
        ["insufficient"] * missing + legend
    )
    assert "undefined" not in seen


def test_the_adjustment_is_named_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, _ = drawn(lines(row("omission", 0.1)), tmp_path, monkeypatch)
    assert "(differs: p adjusted by Holm's method over 3 comparisons)" in seen
    alone, _ = drawn(lines(row("omission", 0.1, tests=1)), tmp_path, monkeypatch)
    assert not any("Holm" in text for text in alone)


def test_two_judges_have_an_axis_for_every_measure_and_room_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    which = judged(rate_difference=-0.3, observed_agreement=1.0, cohens_kappa=None)
    seen, ((low, high),) = drawn(which, tmp_path, monkeypatch)
    assert "estimate, 95 % interval" in seen and "undefined" in seen
    ends = [end for line in which for end in (line["lower"], line["upper"]) if end is not None]
    assert low < min(ends) - 0.03 and high > max(ends) + 0.03
    assert figure.title_of(which) == (
        "The judges agree on 100.0 % of the 60 explanations that both judged"
    )
    two = [*which, *judged(observed_agreement=0.8)]
    assert figure.title_of(two).endswith("agree on 80.0 % or more in each of 2 hint types")


def test_a_word_for_a_missing_value_lies_beside_the_line_at_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    boxes: list[tuple[float, float]] = []
    save = Figure.savefig

    def measured(self: Figure, *args: Any, **kwargs: Any) -> None:
        save(self, *args, **kwargs)
        for axes in self.axes:
            zero = float(axes.transData.transform((0, 0))[0])
            boxes.extend((text.get_window_extent().x0, zero) for text in axes.texts)

    monkeypatch.setattr(Figure, "savefig", measured)
    for which in (
        judged(observed_agreement=0.9, cohens_kappa=None),
        lines(row("omission", 0.3), row("omission", None)),
    ):
        figure.draw(which, [tmp_path / "a.svg"], confidence=0.95)
    assert len(boxes) == 2 and all(left > zero + 1 for left, zero in boxes)
