"""The documents as text, by section, table and quoted name."""

import re
from functools import lru_cache
from pathlib import Path

import yaml

from avowed.pairs import coded_answers
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import DeliveryEstimates, estimate_delivery
from avowed.pairs.turpin import condition_of, count_exclusions, delivery_of

REPOSITORY = Path(__file__).parents[2]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/delivery.md",
    "docs/estimators.md",
    "docs/calibration.md",
    "docs/compare.md",
    "docs/doctor.md",
    "docs/import.md",
    "docs/ledger.md",
    "docs/planning.md",
    "docs/responses.md",
    "docs/usecases.md",
    "docs/components.md",
    "data/README.md",
    "results/README.md",
    "figures/README.md",
]

CONDITIONS = [
    "claude-v1_zero-shot",
    "claude-v1_few-shot",
    "text-davinci-003_zero-shot",
    "text-davinci-003_few-shot",
]


def text_of(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def prose_of(name: str) -> str:
    return " ".join(text_of(name).split())


def section(name: str, title: str) -> str:
    found = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", text_of(name), re.DOTALL | re.M)
    assert len(found) == 1, f"{name} has no section {title}"
    return str(found[0])


def table_of(text: str) -> list[list[str]]:
    """The cells of a Markdown table, without its header."""
    rows = [line for line in text.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert set("".join(cells[1])) <= set(":-")
    return cells[2:]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", text)


@lru_cache
def public_estimates() -> dict[str, DeliveryEstimates]:
    """The public data from the shipped integers, through the code that the pipeline uses."""
    coded = coded_answers.read_coded(REPOSITORY / "data" / "turpin" / "coded_answers.parquet")
    config = yaml.safe_load(text_of("config.yaml"))
    settings, turpin = Settings.from_config(config), config["turpin"]
    found = {}
    for name in CONDITIONS:
        condition = condition_of(coded_answers.SUGGESTED, name)
        delivery = delivery_of(coded, condition, **turpin)
        found[name] = estimate_delivery(delivery, settings, name=name, study="public_data")
        assert count_exclusions(coded, condition).n_items == 3299
    return found
