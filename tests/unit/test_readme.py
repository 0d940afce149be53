"""What the README says is so, and every number in it comes from somewhere."""

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from unit.documents import REPOSITORY, prose_of, public_estimates, text_of
from unit.readme import (
    BLOCKS,
    FACTS,
    Fact,
    blocks,
    known_sections,
    prose,
    sections,
    untraceable,
)

from avowed.cli import parser
from avowed.pairs import coded_answers
from avowed.pairs.estimate import Settings
from avowed.pairs.violation import RULES
from avowed.present.csvfile import cell_text
from avowed.present.outcomes_figure import draw
from avowed.present.paper_table import render
from avowed.present.wide import wide_rows
from avowed.stats.status import Status


@pytest.fixture(scope="module")
def public() -> list[dict[str, Any]]:
    found = public_estimates().items()
    return [row for name, one in found for row in wide_rows(name, one.rows, one.cells)]


def test_every_number_is_in_a_quoted_block_or_a_registered_fact() -> None:
    assert untraceable(text_of("README.md")) == []


@pytest.mark.parametrize(
    "added",
    [
        "It takes 87 seconds.",
        "The rate is 0.994.",
        "`omission` is 1.",
        "[see 12](docs/ledger.md)",
        "| x | 5 |",
        "More than 45,123 comparisons.",
        "Of version 3.14 on.",
    ],
)
def test_a_number_that_is_not_registered_is_found(added: str) -> None:
    (found,) = untraceable(f"{text_of('README.md')}\n{added}\n")
    number = re.search(r"\d[\d.,]*\d|\d", added)
    assert number and number[0] in found


@pytest.mark.parametrize("added", ["```sh\nsnakemake --cores 8\n```", "[it](docs/a1.md)"])
def test_commands_and_addresses_are_no_statements(added: str) -> None:
    assert untraceable(f"{text_of('README.md')}\n{added}\n") == []


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.words[:40])
def test_a_registered_fact_is_said(fact: Fact) -> None:
    said = fact.pattern.findall(prose(text_of("README.md")))
    assert said
    if fact.shipped:
        expected = tuple(map(str, fact.values(REPOSITORY)))
        # One number comes alone, several as a tuple.
        assert {(one,) if isinstance(one, str) else one for one in said} == {expected}


def test_the_sections_it_names_are_those_of_the_paper() -> None:
    named = sections(prose(text_of("README.md")))
    assert len(named) >= 5 and named <= known_sections()
    assert "99.9" not in known_sections()


def test_the_quoted_blocks_are_known() -> None:
    assert [name for name, _ in blocks(text_of("README.md"))] == list(BLOCKS)


def test_the_table_is_quoted(public: list[dict[str, Any]]) -> None:
    table = dict(blocks(text_of("README.md")))["results/tables/public_data.md"]
    assert table == render(public, form="github")


def test_pictures_and_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^()\s]+)\)", text_of("README.md"))
    assert len(targets) >= 3
    assert [name for name in targets if not (REPOSITORY / name).is_file()] == []


def test_the_figure_is_the_one_drawn(public: list[dict[str, Any]], tmp_path: Path) -> None:
    rows = [{name: cell_text(value) for name, value in row.items()} for row in public]
    draw(rows, [tmp_path / "public_data.svg"], confidence=0.95)
    shown, drawn = REPOSITORY / "docs/public_data.svg", tmp_path / "public_data.svg"
    texts = r"<!-- (.*?) -->"
    assert re.findall(texts, shown.read_text("utf-8")) == re.findall(
        texts, drawn.read_text("utf-8")
    )
    locked = re.findall(r"^matplotlib==(\S+)", text_of("requirements.lock"), re.MULTILINE)
    if version("matplotlib") in locked:
        assert drawn.read_bytes() == shown.read_bytes()
    assert "(docs/public_data.svg)" in text_of("README.md")


def test_what_is_said_of_the_public_data(public: list[dict[str, Any]]) -> None:
    text = prose_of("README.md")
    assert (
        "The judge finds no mention of the suggestion in any explanation that followed it, here or "
        "anywhere else in these data." in text
    )
    assert all(row["n_flagged"] == row["n_evaluable"] > 0 for row in public)
    coded = coded_answers.read_coded(REPOSITORY / "data" / "turpin" / "coded_answers.parquet")
    assert set(coded["mention"].to_pylist()) == {0}
    (found,) = re.findall(r"Pairs with two options \((\d+) of ([\d,]+) per condition\)", text)
    (counts,) = {(row["n_two_option"], row["n_pairs"]) for row in public}
    assert found == tuple(f"{count:,}" for count in counts) == ("720", "2,111")
    assert "the interval is then Wilson's at the effective sample size" in text
    assert {row["interval_method"] for row in public} == {"wilson at effective n"}
    assert set(RULES) == {f"R{number}" for number in range(1, 12)} | {"schema"}


def test_what_is_said_of_statuses_and_exit_codes() -> None:
    text = prose_of("README.md")
    width = f"{Settings().target_half_width:.2f}"
    for status, words in (
        (Status.INSUFFICIENT, "*insufficient* (fewer than two probes or pairs)"),
        (Status.UNDERSAMPLED, f"*undersampled* (half-width above {width})"),
        (Status.CONVERGED, "*converged*"),
        (Status.UNDEFINED, "*undefined* where a correction does not exist"),
    ):
        assert words in text and words.startswith(f"*{status}*")
    epilog = str(parser().epilog).removeprefix("Exit codes: ")
    assert f"Exit codes of `avowed`: {epilog}" in text


def test_the_makefile_needs_the_python_that_it_says() -> None:
    (span,) = re.findall(r"Python (3\.\d+ to 3\.\d+) and a package", prose_of("README.md"))
    assert f"Python {span}" in text_of("Makefile")
