"""Tables of a study as text: an estimate, its interval, or why there is none."""

from typing import Any

from avowed.present.factors_tables import COUNTS, OVERVIEW, counts, overview


def row(quantity: str, **other: Any) -> dict[str, Any]:
    return {
        "cell": "one",
        "quantity": quantity,
        "k": None,
        "estimate": 0.5,
        "lower": 0.25,
        "upper": 0.75,
        "status": "undersampled",
    } | other


def test_an_overview_shows_estimates_intervals_and_statuses() -> None:
    rows = [
        row("rank_agreement_necessity"),
        row(
            "rank_agreement_sufficiency", estimate=None, lower=None, upper=None, status="undefined"
        ),
        row("uncited_rate_necessity", lower=None, upper=None, estimate=-0.0625),
        row("noise_floor", k=2),
        row("uncited_rate_sufficiency", cell="two"),
    ]
    (first, second) = overview(rows, ["one", "two"])
    assert list(first) == ["Component", *OVERVIEW]
    assert [*first.values()] == ["one", "0.500 [0.250, 0.750]", "undefined", "−0.062", "", "", ""]
    assert [*second.values()] == ["two", "", "", "", "0.500 [0.250, 0.750]", "", ""]


def test_counts_are_whole_numbers() -> None:
    rows = [row("n_inputs", estimate=40.0), row("response_failed", estimate=0.0)]
    (found,) = counts(rows, ["one"])
    assert list(found) == ["Component", *COUNTS]
    assert found["Inputs"] == "40" and found["Calls that failed"] == "0"
    assert found["Calls answered without JSON"] == ""
