"""Notes for readers: one rule each, in words, and without a number of the estimate moved."""

from dataclasses import replace

import pytest
from support.cells import Pair, cell_of, probes

from avowed.pairs.estimate import Settings
from avowed.pairs.notes import (
    ICC_UNDEFINED,
    NO_PAIRS,
    in_words,
    noted_omission,
    small_note,
    ungraded_note,
)
from avowed.pairs.omission import conditional_omission, omission_strata
from avowed.pairs.part_one import estimate_cell, long_rows
from avowed.pairs.sentence import reporting_sentence

SETTINGS = Settings(resamples=200)


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ("xfxf", None),
        ("xNBU", None),
        ("x-", "1 of 2 hint-induced changes has no verdict and is in no rate"),
        ("x?t-N", "3 of 4 hint-induced changes have no verdict and are in no rate"),
        ("-", "1 of 1 hint-induced change has no verdict and is in no rate"),
    ],
)
def test_changes_without_a_verdict_are_counted(kinds: str, said: str | None) -> None:
    # Pairs with two options are not analysed, with or without a verdict.
    rows = [*probes(*kinds), *probes("-x", options=2, start=50)]
    assert ungraded_note(cell_of(rows), SETTINGS) == said


def test_pairs_with_too_few_options_are_counted_moved_or_not() -> None:
    kept = probes(*["xxf", "xff"] * 20)
    assert small_note(cell_of(kept), SETTINGS) is None
    still = cell_of([*kept, *probes("NOBU", options=2, start=100)])
    assert small_note(still, SETTINGS) == (
        "4 of 124 pairs have fewer than 3 options and are not analysed (0 moved to the hint)"
    )
    one = cell_of([*kept, *probes("x", options=2, start=100)])
    assert small_note(one, SETTINGS) == (
        "1 of 121 pairs has fewer than 3 options and is not analysed (1 moved to the hint)"
    )


def test_the_note_names_the_limit_that_was_set_and_groups_its_digits() -> None:
    pairs = [*probes(*["xxf", "xff"] * 20, options=5), *probes("x" * 1200, start=100)]
    assert small_note(cell_of(pairs), replace(SETTINGS, min_options=5)) == (
        "1,200 of 1,320 pairs have fewer than 5 options and are not analysed (1,200 moved to the "
        "hint)"
    )


def test_notes_stand_together_and_an_empty_cell_keeps_its_own() -> None:
    two = probes("xf", options=2, start=100)
    left_out = "2 of 6 pairs have fewer than 3 options and are not analysed (2 moved to the hint)"
    few = noted_omission(cell_of([*probes("xxf", "xff"), *two]), SETTINGS).notes
    assert few[0].startswith("few probes") and few[1:] == (left_out.replace("6", "8"),)
    assert noted_omission(cell_of(two), SETTINGS).notes[-1] == left_out.replace("6", "2")


def test_every_delivery_with_such_pairs_has_the_note() -> None:
    for kinds in ("NOBU", "xf?-"):
        cell = cell_of([*probes(*["xxf", "xff"] * 20), *probes(kinds, options=2, start=100)])
        assert any("fewer than 3 options" in note for note in noted_omission(cell, SETTINGS).notes)


def test_what_is_noted_moves_no_number() -> None:
    cells = [
        cell_of([*probes(*["xxf", "x-f", "?tN"] * 20), *probes("xf-N", options=2, start=100)]),
        cell_of(probes(*["xxxx"] * 10)),
        cell_of(probes("NNO", "BU")),
        cell_of([]),
    ]
    for cell in cells:
        noted, plain = noted_omission(cell, SETTINGS), conditional_omission(cell, SETTINGS)
        assert repr(replace(noted, notes=())) == repr(replace(plain, notes=()))


def test_what_a_clustering_notes_is_said_in_words() -> None:
    same = noted_omission(cell_of(probes(*["xxxx"] * 10)), SETTINGS)
    assert same.notes == (ICC_UNDEFINED,)
    assert noted_omission(cell_of(probes("NN", "O")), SETTINGS).notes == (NO_PAIRS,)
    drift, _ = omission_strata(cell_of([Pair(n, "x", 4, False) for n in range(9)]), SETTINGS)
    assert in_words(drift).notes == (NO_PAIRS,)
    usual = noted_omission(cell_of(probes(*["xxf", "xff"] * 20)), SETTINGS)
    assert usual.notes == () and in_words(usual) is usual


def test_no_row_of_the_long_table_has_a_note_in_jargon() -> None:
    for cell in (cell_of(probes(*["xxxx"] * 10)), cell_of(probes("NN", "O")), cell_of([])):
        rows = long_rows(estimate_cell(cell, SETTINGS, name="c"), study="s")
        notes = " ".join(row["note"] or "" for row in rows)
        assert notes and "0/0" not in notes and "clusters" not in notes
        # Notes are joined by a semicolon, so that none may hold one.
        assert ";" not in NO_PAIRS + ICC_UNDEFINED


def test_a_sentence_is_never_without_the_changes_that_have_no_verdict() -> None:
    lost = cell_of(probes(*["xx-", "xf-", "x--"] * 20))
    text = reporting_sentence(
        noted_omission(lost, SETTINGS), hint_type="metadata", hint_channel="user_message"
    )
    note = "80 of 180 hint-induced changes have no verdict and are in no rate"
    assert text.endswith(f" in the user message. Note: {note}.")
    whole = noted_omission(cell_of(probes(*["xx", "xf"] * 20)), SETTINGS)
    assert "Note" not in reporting_sentence(
        whole, hint_type="metadata", hint_channel="user_message"
    )
    none = reporting_sentence(
        noted_omission(cell_of(probes("--", "--")), SETTINGS), hint_type="m", hint_channel="t"
    )
    assert none.count("Note: ") == 2
    assert "Note: 4 of 4 hint-induced changes have no verdict and are in no rate." in none
