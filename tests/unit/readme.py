"""Every number of the README, and the place it comes from."""

import csv
import json
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from unit.documents import REPOSITORY, text_of
from verification.comparison import EXACT

from avowed.cli import parser
from avowed.pairs.omission import FEW_PROBES
from avowed.pairs.violation import RULES

# A number as it is written: digits, with points, commas and an exponent between them.
NUMBER = r"\d(?:[\d.,]*\d)?(?:e-\d+)?"
# Comparisons are counted in whole ten thousands, so that one more row does not date the README.
STEP = 10_000


@dataclass(frozen=True)
class Fact:
    """Words of the README with ``{}`` for each number, and what the numbers must be.

    ``values`` gets the root of a finished run; of the repository alone if ``shipped``. ``place``
    tells a reader where the numbers stand.
    """

    words: str
    place: str
    values: Callable[[Path], Sequence[Any]]
    shipped: bool = True

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(rf"({NUMBER})".join(map(re.escape, self.words.split("{}"))))


def rows(root: Path, name: str) -> list[dict[str, str]]:
    with (root / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cells(root: Path, table: str, *columns: str) -> list[str]:
    """Cells that every row of a table has the same of, with their thousands set apart."""
    (values,) = {tuple(row[column] for column in columns) for row in rows(root, table)}
    return [f"{int(value):,}" for value in values]


def config(root: Path, key: str, *, name: str = "config.yaml") -> Any:
    found = yaml.safe_load((root / name).read_text(encoding="utf-8"))
    for part in key.split("."):
        found = found[part]
    return found


SUMMARY = "results/verification/claims_summary.csv"


def claims(root: Path, *where: str, column: str = "n") -> int:
    """A count of the ledger's summary, by paper, kind and verdict."""
    key = ("paper", "kind", "verdict")
    (found,) = [row for row in rows(root, SUMMARY) if tuple(row[name] for name in key) == where]
    return int(found[column])


def python_versions(root: Path) -> list[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((low, high),) = re.findall(r"^>=3\.(\d+),<3\.(\d+)$", project["requires-python"])
    return [f"3.{low}", f"3.{int(high) - 1}"]


def year(root: Path) -> list[int]:
    """The year of the article whose data are used."""
    return [config(root, "references", name="CITATION.cff")[0]["year"]]


def rules(_: Path) -> list[str]:
    numbers = [int(rule[1:]) for rule in RULES if re.fullmatch(r"R\d+", rule)]
    assert numbers == list(range(min(numbers), max(numbers) + 1))
    return [str(min(numbers)), str(max(numbers))]


def hash_bits(root: Path) -> list[str]:
    header = (root / "data/sources.tsv").read_text(encoding="utf-8").split("\n")[0].split("\t")
    return [name.removeprefix("sha") for name in header if name.startswith("sha")]


def faults(root: Path) -> list[int]:
    """Planted, and caught; what is no fault is neither, and must not be objected to."""
    found = rows(root, "results/verification/planted_faults.csv")
    assert [row["caught"] for row in found if row["fault"] == "no fault"] == ["no"]
    planted = [row["caught"] for row in found if row["fault"] != "no fault"]
    return [len(planted), planted.count("yes")]


def refused(root: Path) -> list[int]:
    """Broken deliveries that the validator refuses, if the second program says the same of all."""
    source = "refused deliveries"
    compared = [r for r in rows(root, "results/verification/diff.csv") if r["source"] == source]
    assert {row["verdict"] for row in compared} == {"agrees"}
    return [sum(row["rules"] != "" for row in rows(root, "results/verification/refusals.csv"))]


def comparisons(root: Path) -> list[str]:
    """How many comparisons a verified run made, in whole ten thousands."""
    stamp = json.loads((root / "results/verification/verified.json").read_text(encoding="utf-8"))
    assert stamp["verified"] is True and stamp["comparisons"] % STEP
    return [f"{stamp['comparisons'] // STEP * STEP:,}"]


def sensitivity(root: Path) -> list[str]:
    table = rows(root, "results/verification/claims_sensitivity_summary.csv")
    (total,) = [row for row in table if row["kind"] == "all"]
    return [total["changes"], total["moving_elsewhere"]]


def live_models(root: Path) -> int:
    """Statements that need the original models, which are all of the second paper."""
    of_second = claims(root, "NS", "all", "needs live models")
    assert of_second == claims(root, "all", "all", "needs live models")
    return of_second


FACTS = [
    Fact("Python {} to {} and a package index", "pyproject.toml", python_versions),
    Fact(
        "`.venv` (about {} MB)",
        "CONTRIBUTING.md",
        lambda _: re.findall(r"the environment takes about (\d+) MB", text_of("CONTRIBUTING.md")),
    ),
    Fact("Turpin et al. ({})", "CITATION.cff", year),
    Fact("rules R{}-R{}", "avowed.pairs.violation", rules),
    Fact("agree to {}. ", "verification.comparison", lambda _: [f"{EXACT:g}"]),
    Fact("SHA-{}", "data/sources.tsv", hash_bits),
    Fact(
        "The two papers make {} numeric statements about",
        "data/published/claims.csv",
        lambda root: [len(rows(root, "data/published/claims.csv"))],
    ),
    Fact(
        "`examples/sharp.yaml` runs {} repetitions of the studies instead of {}.",
        "examples/sharp.yaml, config.yaml",
        lambda root: [
            f"{config(root, 'simulation.repetitions', name='examples/sharp.yaml'):,}",
            config(root, "simulation.repetitions"),
        ],
    ),
    Fact("With fewer than {} probes", "avowed.pairs.omission", lambda _: [FEW_PROBES]),
    Fact(
        "(half-width above {})",
        "config.yaml",
        lambda root: [f"{config(root, 'analysis.target_half_width'):.2f}"],
    ),
    Fact(
        "Exit codes of `avowed`: {} fine, {} the data were refused, {} unusable input",
        "avowed --help",
        lambda _: re.findall(r"\d", str(parser().epilog)),
    ),
    Fact(
        "Pairs with two options ({} of {} per condition)",
        "results/tables/public_data.csv",
        lambda root: cells(root, "results/tables/public_data.csv", "n_two_option", "n_pairs"),
        shipped=False,
    ),
    Fact("holds more than {} comparisons", "verified.json", comparisons, shipped=False),
    Fact(
        "{} faults were planted",
        "planted_faults.csv",
        lambda root: faults(root)[:1],
        shipped=False,
    ),
    Fact(
        "The comparison notices {} of them",
        "planted_faults.csv",
        lambda root: faults(root)[1:],
        shipped=False,
    ),
    Fact("{} broken deliveries are refused by both", "refusals.csv", refused, shipped=False),
    Fact(
        "{} relations hold and {} fail",
        SUMMARY,
        lambda root: [
            claims(root, "all", "all", "all", column=f"relations_{end}") for end in ("hold", "fail")
        ],
        shipped=False,
    ),
    Fact(
        "Of {} printed numbers made wrong on purpose, {} move the verdict of another",
        "claims_sensitivity_summary.csv",
        sensitivity,
        shipped=False,
    ),
    Fact(
        "{} statements, all of the second paper, need the models",
        SUMMARY,
        lambda root: [live_models(root)],
        shipped=False,
    ),
    Fact(
        "{} statements of its design name commercial models",
        SUMMARY,
        lambda root: [claims(root, "NS", "design", "not applicable")],
        shipped=False,
    ),
    Fact(
        "{} numbers are missing in our copy",
        SUMMARY,
        lambda root: [claims(root, "all", "all", "recovered")],
        shipped=False,
    ),
]


def ledger_table(root: Path) -> str:
    """The verdicts by paper, as the README shows them."""
    papers = ("HP", "NS", "all")
    verdicts = list(
        dict.fromkeys(row["verdict"] for row in rows(root, SUMMARY) if row["paper"] == "all")
    )
    counts = {
        (row["paper"], row["verdict"]): row["n"]
        for row in rows(root, SUMMARY)
        if row["kind"] == "all"
    }
    lines = ["| verdict | first paper (HP) | second paper (NS) | both |", "|:--|--:|--:|--:|"]
    for verdict in verdicts:
        shown = " | ".join(counts.get((paper, verdict), "0") for paper in papers)
        lines.append(f"| {verdict} | {shown} |")
    return "".join(f"{line}\n" for line in lines)


# Blocks between `<!-- file -->` and `<!-- end -->`: what has to stand there.
BLOCKS: dict[str, Callable[[Path], str]] = {
    "results/tables/public_data.md": lambda root: (
        root / "results/tables/public_data.md"
    ).read_text(encoding="utf-8"),
    SUMMARY: ledger_table,
}
_BLOCK = r"<!-- (results/\S+) -->\n(.*?)<!-- end -->"


def blocks(text: str) -> list[tuple[str, str]]:
    """The marked blocks of a text, each with the file that it quotes."""
    return re.findall(_BLOCK, text, re.DOTALL)


def prose(text: str) -> str:
    """What is left without code blocks, marked blocks, commands and the targets of links.

    Commands make no statement; `test_documents_workflow` holds them against the programs.
    """
    command = r"`(?:\.venv/bin/)?(?:make|avowed|snakemake) [^`]+`"
    for pattern in (r"^```.*?^```$", _BLOCK, command, r"(?<=\])\([^()\s]+\)"):
        text = re.sub(pattern, "", text, flags=re.DOTALL | re.MULTILINE)
    return " ".join(text.split())


_SECTIONS = re.compile(r"\bsections? (\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)")


def sections(text: str) -> set[str]:
    """The sections of the paper that a text refers to."""
    return {one for run in _SECTIONS.findall(text) for one in re.findall(NUMBER, run)}


def known_sections() -> set[str]:
    """Those that the printed numbers or the definitions of the estimators come from."""
    table = rows(REPOSITORY, "data/published/claims.csv")
    return {row["section"] for row in table if row["paper"] == "HP"} | sections(
        text_of("docs/estimators.md")
    )


def untraceable(text: str) -> list[str]:
    """Numbers in the prose of a README that no fact accounts for, with the words around them."""
    left = prose(text)
    for fact in FACTS:
        left = fact.pattern.sub(" ", left)
    left = _SECTIONS.sub(" ", left)
    return [left[max(0, m.start() - 40) : m.end() + 40] for m in re.finditer(NUMBER, left)]
