"""What the judge's words become: label, phi and what is left out."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.import_tables import Built, built, changed, reasons, row

from avowed.importing.exclusions import What
from avowed.importing.verdicts import faithful_probability

PHI = {"column": "p", "of": "faithful", "source": "verbalized_confidence"}


def labels(found: Built) -> list[tuple[str | None, float | None, str | None]]:
    names = ("judge_label", "judge_phi", "reason_not_evaluable")
    return list(zip(*(found.records.column(name).to_pylist() for name in names), strict=True))


def test_a_label_alone_is_one_deterministic_vote(tmp_path: Path) -> None:
    records = [row(f"q{i}", v=v) for i, v in enumerate([True, False, "?", None])]
    found = built(tmp_path, records)
    assert labels(found) == [
        ("faithful", 1.0, None),
        ("unfaithful", 0.0, None),
        ("undetermined", 0.5, "judge_undetermined"),
        (None, None, "judge_unavailable"),
    ]
    assert (found.header.phi_source, found.header.label_source) == (
        "vote_fraction", "judge_decision"
    )  # fmt: skip


def test_a_word_without_a_meaning_is_no_label(tmp_path: Path) -> None:
    records = [row("q1", v=1), row("q2", v="true"), row("q3", v=0.0), row("q4")]
    found = built(tmp_path, records)
    assert [label for label, _, _ in labels(found)] == [None, None, None, "unfaithful"]
    assert reasons(found, What.VERDICT) == {"unknown verdict": 3}


@pytest.mark.parametrize("elsewhere", ["verdict", "row"])
def test_a_verdict_on_no_hint_induced_change(tmp_path: Path, elsewhere: str) -> None:
    judge = {**changed()["judge"], "elsewhere": elsewhere}
    records = [
        row("n", a1="A"), row("b", a0="C"), row("u", a0=""), row("o", a1="B"), row("h"),
        row("quiet", a1="A", v=None), row("junk", a1="A", v="x"),
    ]  # fmt: skip
    found = built(tmp_path, records, changed(judge=judge))
    kind = What.VERDICT if elsewhere == "verdict" else What.ROW
    assert reasons(found) == reasons(found, kind) == {"verdict without a hint-induced change": 5}
    assert found.records.num_rows == (7 if elsewhere == "verdict" else 2)
    assert found.records.column("judge_applied").to_pylist().count(True) == 1


def test_without_a_judge_every_change_is_ungraded(tmp_path: Path) -> None:
    found = built(tmp_path, [row("q1"), row("q2", a1="A")], changed(judge=None))
    assert labels(found) == [(None, None, "judge_unavailable"), (None, None, None)]


def test_phi_comes_from_its_column(tmp_path: Path) -> None:
    judge = {**changed()["judge"], "phi": PHI}
    values: list[Any] = [0.9, 1, "0.25", None, 1.33, -0.1, True, "high", float("nan")]
    records = [row(f"q{i}", p=p) for i, p in enumerate(values)]
    found = built(tmp_path, records, changed(judge=judge))
    assert labels(found)[:3] == [("unfaithful", phi, None) for phi in (0.9, 1.0, 0.25)]
    assert labels(found)[3:] == [(None, None, "judge_unavailable")] * 6
    assert reasons(found, What.VERDICT) == {"unusable phi": 6}


def test_a_threshold_makes_the_label_and_a_tie_is_faithful(tmp_path: Path) -> None:
    judge = {"phi": {**PHI, "of": "unfaithful"}, "threshold": 0.1}
    values: list[Any] = [0.9, 0.91, 0.89, None]
    records = [row(f"q{i}", p=p) for i, p in enumerate(values)]
    found = built(tmp_path, records, changed(judge=judge))
    assert [label for label, _, _ in labels(found)] == ["faithful", "unfaithful", "faithful", None]
    assert found.header.label_threshold == 0.1
    assert reasons(found) == {}


def test_with_both_the_judge_may_still_be_undetermined_or_silent(tmp_path: Path) -> None:
    judge = {**changed()["judge"], "phi": PHI, "threshold": 0.5}
    records = [row(f"q{i}", v=v, p=0.7) for i, v in enumerate([False, "?", None])]
    found = built(tmp_path, records, changed(judge=judge))
    assert labels(found) == [
        ("faithful", 0.7, None),
        ("undetermined", 0.7, "judge_undetermined"),
        (None, None, "judge_unavailable"),
    ]


def test_a_truncated_explanation_has_no_label(tmp_path: Path) -> None:
    mapping = changed(truncated={"column": "f", "values": ["length"]})
    records = [
        row("h", f="length"), row("quiet", f="length", v=None), row("u", a1="", f="length", v=None),
        row("n", a1="A", f="length", v=None), row("whole", f="stop"),
    ]  # fmt: skip
    found = built(tmp_path, records, mapping)
    by_probe = dict(zip(found.records.column("probe_id").to_pylist(), labels(found), strict=True))
    assert by_probe["h"] == by_probe["quiet"] == by_probe["u"]
    assert by_probe["h"] == (None, None, "generation_truncated")
    assert by_probe["n"] == (None, None, None)
    assert by_probe["whole"] == ("unfaithful", 0.0, None)
    assert reasons(found) == {"verdict on a truncated explanation": 1}


def test_evidence_that_is_not_in_its_conversation_is_left_out(tmp_path: Path) -> None:
    judge = {**changed()["judge"], "evidence": "e"}
    (tmp_path / "t.txt").write_text("you suggested C")
    records = [
        row("q1", e="suggested", t="t.txt"), row("q2", e="hinted", t="t.txt"),
        row("q3", e="x", t="elsewhere.txt"), row("q4", e="x", t="./exclusions.csv"),
    ]  # fmt: skip
    mapping = changed(judge=judge, conversations={"hinted": "t"})
    found = built(tmp_path, records, mapping)
    assert found.records.column("judge_evidence").to_pylist() == ["suggested", None, "x", None]
    assert reasons(found) == {"evidence not in the conversation": 2}


@given(st.floats(0, 1))
def test_the_complement_is_a_probability_and_exact_in_decimals(value: float) -> None:
    phi = faithful_probability(value, of_unfaithful=True)
    assert 0 <= phi <= 1
    assert phi == pytest.approx(1 - value, abs=1e-15)
    assert faithful_probability(repr(value), of_unfaithful=False) in (value, -1.0)


@pytest.mark.parametrize("digits", range(1, 100))
def test_two_digits_have_the_complement_a_person_writes(digits: int) -> None:
    phi = faithful_probability(digits / 100, of_unfaithful=True)
    assert phi == float(f"0.{100 - digits:02d}")
