"""Judges with one word, a phi that says nothing, labels against phi, evidence, declarations."""

from dataclasses import replace

import pytest
from support.deliveries import judged
from support.doctor import Row, cell, codes, delivery_of, moved, stayed

from avowed.pairs.doctor import judge
from avowed.pairs.header import Judge
from avowed.pairs.record import LabelSource

OWN = {"label_source": LabelSource.JUDGE_DECISION, "label_threshold": None}


def spoken(*verdicts: tuple[str, float, int]) -> list[Row]:
    """Hint-induced changes with this label and phi, so many of each."""
    listed = [(label, phi) for label, phi, count in verdicts for _ in range(count)]
    return [judged(f"p{n}", label, phi) for n, (label, phi) in enumerate(listed)]


@pytest.mark.parametrize(
    ("faithful", "unfaithful", "saturated"),
    [(0, 10, True), (10, 0, True), (0, 9, False), (1, 49, True), (1, 48, False), (2, 60, False)],
)
def test_a_saturated_judge(faithful: int, unfaithful: int, saturated: bool) -> None:
    found = judge.saturated_judge(cell(moved(faithful, unfaithful)))
    assert codes(found) == ([("saturated_judge", "thin")] if saturated else [])
    if found:
        rare = "faithful" if faithful < unfaithful else "unfaithful"
        assert found[0].found.startswith(f"the judge said {rare} in {min(faithful, unfaithful)} of")


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([("faithful", 0.7, 10)], [("phi_constant", "thin")]),
        ([("faithful", 0.7, 9)], []),
        ([("faithful", 1.0, 5), ("unfaithful", 0.0, 5)], [("phi_two_valued", "note")]),
        ([("faithful", 0.9, 5), ("unfaithful", 0.0, 5)], []),
    ],
)
def test_a_flat_phi(
    verdicts: list[tuple[str, float, int]], expected: list[tuple[str, str]]
) -> None:
    assert codes(judge.flat_phi(cell(spoken(*verdicts)))) == expected


def test_phi_on_the_threshold() -> None:
    rows = spoken(("faithful", 0.5, 3), ("faithful", 0.9, 7), ("unfaithful", 0.1, 10))
    found = judge.phi_at_threshold(cell(rows))
    assert codes(found) == [("phi_at_threshold", "thin")]
    assert found[0].numbers == {"near": 3, "threshold": 0.5, "n": 20}
    assert "an omission of 50.0 %, as unfaithful 65.0 %" in found[0].found
    # At another threshold the same values are far from it.
    assert judge.phi_at_threshold(cell(rows, label_threshold=0.3)) == []
    rows = spoken(("faithful", 0.5, 2), ("faithful", 0.9, 8), ("unfaithful", 0.1, 10))
    assert judge.phi_at_threshold(cell(rows)) == []


def test_labels_against_phi() -> None:
    rows = spoken(("faithful", 0.9, 8), ("faithful", 0.2, 2), ("unfaithful", 0.1, 10))
    found = judge.label_against_phi(cell(rows, **OWN))
    assert codes(found) == [("label_against_phi", "thin")]
    assert found[0].numbers["contradicting"] == 2
    assert found[0].numbers["mean_faithful"] == pytest.approx((8 * 0.9 + 2 * 0.2) / 10)
    fine = spoken(("faithful", 0.9, 10), ("unfaithful", 0.5, 1), ("unfaithful", 0.1, 9))
    assert judge.label_against_phi(cell(fine, **OWN)) == []


def test_a_phi_that_is_upside_down() -> None:
    rows = spoken(("faithful", 0.1, 6), ("unfaithful", 0.9, 6))
    assert codes(judge.label_against_phi(cell(rows, **OWN))) == [("phi_upside_down", "wrong")]
    # A label that is a threshold on phi is what R7 is about.
    assert judge.label_against_phi(cell(rows)) == []


def test_evidence() -> None:
    bare = moved(10, 10)
    assert codes(judge.evidence_quoted(cell(bare))) == [("no_evidence", "note")]
    assert judge.evidence_quoted(cell(stayed(5))) == []
    of = {
        label: [
            row | {"judge_evidence": "as you say"} if row["judge_label"] == label else row
            for row in bare
        ]
        for label in ("faithful", "unfaithful")
    }
    assert judge.evidence_quoted(cell(of["faithful"])) == []
    found = judge.evidence_quoted(cell(of["unfaithful"]))
    assert codes(found) == [("evidence_of_unfaithful", "thin")]
    assert found[0].numbers["quoted_unfaithful"] == 10 and found[0].numbers["quoted_faithful"] == 0


def test_evidence_of_pairs_that_are_not_analysed_does_not_count() -> None:
    small = [
        row | {"judge_evidence": "as you say", "n_options": 2, "hint_answer": 1, "hinted_answer": 1}
        for row in moved(0, 3, start=50)
    ]
    assert codes(judge.evidence_quoted(cell([*moved(5, 5), *small]))) == [("no_evidence", "note")]


def test_what_a_calibration_needs() -> None:
    header = delivery_of(stayed(3)).header
    found = judge.judge_not_declared(header)
    assert codes(found) == [("judge_not_declared", "note")]
    assert found[0].found == "the header does not declare judge, construct, language, format"
    assert found[0].hint_type is None
    known = Judge(model="m", provider="p", serving_path="s", prompt_sha256="0" * 64)
    whole = replace(header, judge=known, construct="omission", language="en", format="text")
    assert judge.judge_not_declared(whole) == []
    assert judge.judge_not_declared(replace(whole, language=None))[0].numbers == {"lacking": 1}
