"""What the documents say is what the code does: tables, columns, fields, commands, settings."""

import csv
import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from avowed.cli import parser
from avowed.configuration import SCHEMA, config_faults
from avowed.pairs import coded_answers
from avowed.pairs.accuracy import ACCURACY_COLUMNS
from avowed.pairs.estimate import Settings, Status
from avowed.pairs.long_table import LONG_SCHEMA
from avowed.pairs.part_one import DeliveryEstimates, estimate_delivery
from avowed.pairs.record import FIELDS
from avowed.pairs.sample_size import PLAN_COLUMNS
from avowed.pairs.turpin import EXCLUSION_COLUMNS, condition_of, count_exclusions, delivery_of
from avowed.pairs.violation import RULES
from avowed.present.csvfile import cell_text
from avowed.present.outcomes_figure import draw
from avowed.present.paper_table import render
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_rows

REPOSITORY = Path(__file__).parents[2]
CONDITIONS = [
    "claude-v1_zero-shot",
    "claude-v1_few-shot",
    "text-davinci-003_zero-shot",
    "text-davinci-003_few-shot",
]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/delivery.md",
    "data/README.md",
    "results/README.md",
    "figures/README.md",
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


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(text_of("config.yaml"))
    return loaded


@pytest.fixture(scope="module")
def estimates(config: dict[str, Any]) -> dict[str, DeliveryEstimates]:
    """The public data from the shipped integers, through the code that the pipeline uses."""
    coded = coded_answers.read_coded(REPOSITORY / "data" / "turpin" / "coded_answers.parquet")
    settings, turpin = Settings.from_config(config), config["turpin"]
    found = {}
    for name in CONDITIONS:
        condition = condition_of(coded_answers.SUGGESTED, name)
        delivery = delivery_of(coded, condition, **turpin)
        found[name] = estimate_delivery(delivery, settings, name=name, study="public_data")
        assert count_exclusions(coded, condition).n_items == 3299
    return found


@pytest.fixture(scope="module")
def public(estimates: dict[str, DeliveryEstimates]) -> list[dict[str, Any]]:
    return [row for name, e in estimates.items() for row in wide_rows(name, e.rows, e.cells)]


def test_the_readme_quotes_the_table(public: list[dict[str, Any]]) -> None:
    marked = r"<!-- results/tables/public_data\.md -->\n(.*?)<!-- end -->"
    (table,) = re.findall(marked, text_of("README.md"), flags=re.DOTALL)
    assert table == render(public, form="github")


def test_the_figure_of_the_readme_is_the_one_drawn(
    public: list[dict[str, Any]], tmp_path: Path
) -> None:
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


def test_what_the_readme_says_of_the_figures(public: list[dict[str, Any]]) -> None:
    text = prose_of("README.md")
    assert "No explanation that followed the suggestion mentions it." in text
    assert all(row["n_flagged"] == row["n_evaluable"] > 0 for row in public)
    assert "the interval is then Wilson's at the effective sample size" in text
    assert {row["interval_method"] for row in public} == {"wilson at effective n"}
    assert "rules R1-R11" in text
    assert set(RULES) == {f"R{number}" for number in range(1, 12)} | {"schema"}


def test_what_the_readme_says_of_statuses_and_exit_codes() -> None:
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


def test_what_the_readme_says_is_needed() -> None:
    (low, high) = re.findall(
        r'requires-python = ">=3\.(\d+),<3\.(\d+)"', text_of("pyproject.toml")
    )[0]
    span = f"3.{low} to 3.{int(high) - 1}"
    assert f"Python {span}" in text_of("README.md") and f"Python {span}" in text_of("Makefile")


def test_every_column_is_explained_and_none_besides() -> None:
    patterns = []
    for cell, *_ in table_of(section("results/README.md", "Columns of the condition tables")):
        base = ""
        for name in quoted(cell):
            base = base if name.startswith("_") else name.rpartition("_")[0]
            patterns.append(f"{base}{name}" if name.startswith("_") else name)
    columns = [*COLUMNS, *FURTHER_COLUMNS, "task"]
    explained = {name: [p for p in patterns if fnmatch(name, p)] for name in columns}
    assert {name for name in columns if not explained[name]} == set()
    assert {p for p in patterns if not any(fnmatch(name, p) for name in columns)} == set()
    # The columns stand in the order of the table, the task apart.
    shown = [name for name in patterns if name in COLUMNS]
    assert shown == sorted(shown, key=COLUMNS.index)


def test_every_column_and_quantity_of_the_long_table_is_explained(
    estimates: dict[str, DeliveryEstimates],
) -> None:
    names = quoted(section("results/README.md", "Columns of the long table"))
    assert names[: len(LONG_SCHEMA.names)] == LONG_SCHEMA.names
    named = [re.sub(r"<.>", "*", name) for name in names]
    counts = set(quoted(section("results/README.md", "Columns of the condition tables")))
    for one in estimates.values():
        for quantity in {row["quantity"] for row in one.rows}:
            known = any(fnmatch(quantity, name) for name in named)
            assert known or (quantity.startswith("n_") and quantity in counts), quantity


def test_the_columns_of_the_other_tables_are_explained() -> None:
    text = section("results/README.md", "Columns of the other tables")
    names = set(quoted(text))
    assert set(EXCLUSION_COLUMNS) <= names
    assert {name for name in ACCURACY_COLUMNS if not name.startswith("accuracy_")} <= names
    assert "accuracy in the unbiased and the biased context with Wilson intervals" in " ".join(
        text.split()
    )
    assert {name.removesuffix("_rounded") for name in PLAN_COLUMNS} <= names
    known = {*EXCLUSION_COLUMNS, *ACCURACY_COLUMNS, *PLAN_COLUMNS}
    assert {name for name in names - known if not name.endswith(".csv")} == set()


def test_every_field_of_the_record_is_listed() -> None:
    rows = table_of(section("docs/delivery.md", "The record"))
    assert rows == [
        [f"`{field.name}`", field.kind, "yes" if field.nullable else "no", field.description]
        for field in FIELDS
    ]


def test_every_vocabulary_is_listed() -> None:
    text = " ".join(section("docs/delivery.md", "The record").split())
    for field in FIELDS:
        if field.vocabulary:
            (listed,) = re.findall(rf"`{field.name}` is (.*?)\.(?: |$)", text)
            words = re.sub(r" \(\w\)", "", listed).replace(" or ", ", ").split(", ")
            assert words == list(field.vocabulary)


def test_every_key_of_the_header_is_listed() -> None:
    schema = json.loads(text_of("workflow/schemas/delivery.schema.json"))
    rows = table_of(section("docs/delivery.md", "The header"))
    optional = {name for cell, _ in rows if "(optional)" in cell for name in quoted(cell)}
    listed = {name for cell, _ in rows for name in quoted(cell)}
    assert listed == set(schema["properties"])
    assert listed - optional == set(schema["required"])
    cells = dict(rows)
    for key in ("phi_source", "label_source"):
        words = cells[f"`{key}`"].replace(" or ", ", ")
        assert words.split(", ") == schema["properties"][key]["enum"]
    nested = schema["properties"]
    assert quoted(cells["`judge` (optional)"]) == list(nested["judge"]["properties"])
    assert quoted(cells["`coverage`"]) == list(nested["coverage"]["items"]["properties"])


def test_every_rule_is_listed() -> None:
    assert [rule for rule, _ in table_of(section("docs/delivery.md", "The rules"))] == [
        *[rule for rule in RULES if rule != "schema"],
        "schema",
    ]


def test_the_data_dictionary_of_the_sources() -> None:
    with (REPOSITORY / "data" / "sources.tsv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t")
        counts = Counter(row["dataset"] for row in reader)
        columns = list(reader.fieldnames or [])
    listed = table_of(section("data/README.md", "`sources.tsv`"))
    assert [name for cell, _ in listed for name in quoted(cell)] == columns
    text = prose_of("data/README.md")
    assert f'{counts["suggested_answer"]} outputs for the bias "suggested answer"' in text
    assert f'{counts["answer_is_always_a"]} for the bias "answer is always A"' in text
    assert f"{counts['items']} files of items" in text
    listed = table_of(section("data/README.md", "`turpin/`"))
    coded = [name for cell, _ in listed for name in quoted(cell)]
    assert coded == coded_answers.SCHEMA.names


def commands() -> list[str]:
    """Every command that a document shows, in a block of code or within a line."""
    found = []
    for name in DOCUMENTS:
        blocks = re.findall(r"^```sh\n(.*?)^```", text_of(name), re.DOTALL | re.MULTILINE)
        found += [line for block in blocks for line in block.split("\n")]
        found += quoted(text_of(name))
    cleaned = (re.sub(r"\s+#.*", "", line).removeprefix(".venv/bin/").strip() for line in found)
    starts = ("make ", "avowed ", "snakemake ")
    return sorted({line for line in cleaned if line.startswith(starts)})


def test_commands_of_every_kind_are_found() -> None:
    assert {command.split()[0] for command in commands()} == {"make", "avowed", "snakemake"}
    assert len(commands()) >= 10


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith("make ")])
def test_make_targets_exist(command: str) -> None:
    targets = re.findall(r"^(\w+):", text_of("Makefile"), flags=re.MULTILINE)
    assert command.split()[1] in targets


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith("avowed ")])
def test_avowed_commands_exist(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)[1:]
    assert parser().parse_args(words).command == words[0]
    # Spelled out: the parser takes abbreviations.
    with pytest.raises(SystemExit):
        parser().parse_args([words[0], "--help"])
    known = re.findall(r"--[a-z-]+", capsys.readouterr().out)
    assert {word for word in words if word.startswith("--")} <= set(known)


def test_snakemake_options_targets_rules_and_keys_exist() -> None:
    shown = [command for command in commands() if command.startswith("snakemake ")]
    text = subprocess.run(
        [sys.executable, "-m", "snakemake", "--help"], capture_output=True, text=True, check=True
    ).stdout
    known = set(re.findall(r"--[a-z-]+", text))
    rules = set(re.findall(r"^rule (\w+):", rule_files(), re.MULTILINE))
    for command in shown:
        words = shlex.split(command)[1:]
        assert {word for word in words if word.startswith("--")} <= known, command
        for option, value in zip(words, [*words[1:], ""], strict=True):
            if option == "--config":
                key, _, nested = value.partition("=")
                assert config_faults({key: json.loads(nested)}, partial=True) == []
            if option == "--forcerun":
                assert value in rules
        assert {word for word in words if "/" in word and "=" not in word} <= set(outputs())


def rule_files() -> str:
    files = sorted((REPOSITORY / "workflow" / "rules").glob("*.smk"))
    return "".join(path.read_text(encoding="utf-8") for path in files)


def outputs() -> list[str]:
    """What `rule all` asks for, a user's own deliveries included."""
    targets = re.search(r"rule all:.*?input:(.*?)\n    localrule", text_of("Snakefile"), re.DOTALL)
    own = re.search(r"OWN_TARGETS = \[(.*?)\]", text_of("workflow/rules/common.smk"))
    assert targets and own
    return re.findall(r'"([^"]+)"', targets[1] + own[1])


def test_every_output_is_listed_where_it_lies() -> None:
    results, figures = quoted(text_of("results/README.md")), quoted(text_of("figures/README.md"))
    assert len(outputs()) == 11
    for path in map(Path, outputs()):
        if path.parts[0] == "figures":
            assert path.stem in figures, path
        else:
            assert path.relative_to("results").as_posix() in results, path


def test_every_file_that_the_readme_names_is_there_or_is_made() -> None:
    made = {*outputs(), *(p.replace(".csv", s) for p in outputs() for s in (".md", ".tex"))}
    made |= set(re.findall(r'"([^"\n]+)"', rule_files()))
    made |= {re.sub(r"\{delivery\}", "*", path) for path in made}
    names = {
        name for name in quoted(text_of("README.md")) if re.fullmatch(r"[\w.*-]+/[\w./*-]*", name)
    }
    assert len(names) >= 20
    for name in names:
        generated = name.startswith(("results/", "figures/")) and not name.endswith("README.md")
        assert name in made if generated else (REPOSITORY / name).exists(), name


def keys_of(tree: dict[str, Any], prefix: str = "") -> set[str]:
    nested = (keys_of(v, f"{prefix}{k}.") for k, v in tree.items() if isinstance(v, dict))
    return {f"{prefix}{key}" for key in tree} | set().union(*nested)


def properties_of(schema: dict[str, Any], prefix: str = "") -> dict[str, dict[str, Any]]:
    found = {}
    for key, one in schema.get("properties", {}).items():
        found[f"{prefix}{key}"] = one
        found |= properties_of(one, f"{prefix}{key}.")
    return found


def test_the_config_has_the_keys_of_the_schema_and_its_defaults(config: dict[str, Any]) -> None:
    properties = properties_of(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert keys_of(config) == set(properties)
    for key, one in properties.items():
        assert one["description"].endswith("."), key
        if one.get("default", {}) != {}:
            value: Any = config
            for part in key.split("."):
                value = value[part]
            assert value == one["default"], key


def test_every_setting_has_a_comment() -> None:
    lines = text_of("config.yaml").split("\n")
    settings = [
        (before.strip(), line)
        for before, line in pairwise(lines)
        if re.match(r"\s*[a-z_]+:", line) and not re.fullmatch(r"[a-z_]+:", line)
    ]
    assert len(settings) >= 18
    assert [line for before, line in settings if not before.startswith("#")] == []


def test_settings_and_variables_that_documents_name_exist(config: dict[str, Any]) -> None:
    known = keys_of(config)
    variables = set(re.findall(r'"(AVOWED_\w+)"', text_of("scripts/fetch_sources.py")))
    assert variables == {"AVOWED_MIRROR", "AVOWED_SOURCE"}
    for document in DOCUMENTS:
        for name in quoted(text_of(document)):
            setting = re.fullmatch(r"([a-z_]+)\.(?!tsv|csv)[a-z_]+", name)
            if setting and setting[1] in config:
                assert name in known, f"{document}: {name}"
        assert set(re.findall(r"AVOWED_\w+", text_of(document))) <= variables, document
    assert all(name in text_of("README.md") for name in variables)
