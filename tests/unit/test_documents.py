"""What the documents say is what the code does: tables, columns, fields, formulas."""

import csv
import json
import re
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from unit.documents import (
    REPOSITORY,
    prose_of,
    public_estimates,
    quoted,
    section,
    table_of,
    text_of,
)
from verification import (
    claims,
    claims_context,
    claims_entries,
    claims_sensitivity,
    comparison,
    planted,
)
from verification.claims_verdicts import Verdict

from avowed.pairs import coded_answers, edge_corrections, refused
from avowed.pairs.accuracy import ACCURACY_COLUMNS
from avowed.pairs.record import FIELDS
from avowed.pairs.rules import validate
from avowed.pairs.sample_size import PLAN_COLUMNS
from avowed.pairs.studies import calibration, clouds, properties, worked_example
from avowed.pairs.studies.registry import STUDIES
from avowed.pairs.turpin import EXCLUSION_COLUMNS
from avowed.pairs.violation import RULES, ValidationReport
from avowed.present.page_figures import captions_of
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS
from avowed.stats.long_table import LONG_SCHEMA
from avowed.stats.status import Status


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(text_of("config.yaml"))
    return loaded


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


def test_every_column_and_quantity_of_the_long_table_is_explained() -> None:
    names = quoted(section("results/README.md", "Columns of the long table"))
    assert names[: len(LONG_SCHEMA.names)] == LONG_SCHEMA.names
    named = [re.sub(r"<.>", "*", name) for name in names]
    counts = set(quoted(section("results/README.md", "Columns of the condition tables")))
    for one in public_estimates().values():
        for quantity in {row["quantity"] for row in one.rows}:
            known = any(fnmatch(quantity, name) for name in named)
            assert known or (quantity.startswith("n_") and quantity in counts), quantity


def other_tables() -> dict[str, str]:
    """Table -> what results/README.md says of it, up to the next table."""
    text = section("results/README.md", "Columns of the other tables")
    paragraphs = [part for part in text.split("\n\n") if part.lstrip("\n").startswith("`")]
    parts = re.split(r"`(\w+)\.csv`:", "\n".join(paragraphs))
    assert len(parts[1::2]) == len(set(parts[1::2]))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_columns_of_the_planned_and_checked_tables_are_explained() -> None:
    said = other_tables()
    assert set(quoted(said["exclusions"])) == set(EXCLUSION_COLUMNS)
    accuracy = set(quoted(said["turpin_accuracy"]))
    (folder,) = accuracy - set(ACCURACY_COLUMNS)
    assert (REPOSITORY / folder / "turpin_accuracy.csv").is_file()
    assert set(ACCURACY_COLUMNS) - accuracy == {
        f"accuracy_{context}{end}"
        for context in ("unbiased", "biased")
        for end in ("", "_lower", "_upper")
    }
    assert "accuracy in the unbiased and the biased context with Wilson intervals" in " ".join(
        said["turpin_accuracy"].split()
    )
    # A suffix stands for a further column of each of the two sizes.
    plan = quoted(said["sample_size"])
    suffixes = [name for name in plan if name.startswith("_")]
    sizes = [name for name in plan if name.startswith("completed_pairs")]
    explained = {name for name in plan if name not in suffixes}
    explained |= {f"{size}{suffix}" for size in sizes for suffix in suffixes}
    assert explained == set(PLAN_COLUMNS)


STUDY_TABLES = {
    **{name: study.columns for name, study in STUDIES.items()},
    "calibration_shifts": calibration.SHIFT_COLUMNS,
    "calibration_estimates": clouds.CALIBRATION_COLUMNS,
    "clustering": clouds.CLUSTERING_COLUMNS,
    "threshold_curve": clouds.CURVE_COLUMNS,
    "worked_example": worked_example.COLUMNS,
    "estimator_properties": properties.COLUMNS,
}


def test_no_other_table_is_left_out() -> None:
    assert set(other_tables()) == {*STUDY_TABLES, "exclusions", "turpin_accuracy", "sample_size"}


@pytest.mark.parametrize("table", STUDY_TABLES)
def test_the_columns_of_the_simulation_s_tables_are_explained(table: str) -> None:
    said, columns = other_tables()[table], STUDY_TABLES[table]
    named = set(quoted(said))
    if "their biases" in said:
        named |= {name.replace("mean_", "bias_") for name in named if name.startswith("mean_")}
    common = section("results/README.md", "Columns of the other tables").split("`coverage.csv`")[0]
    shared = {"`<figure>_mc_error`": "*mc_error", "`repetitions`": "repetitions"}
    shared |= {"`hint_type`": "hint_type", "`truth`": "truth"}
    assert all(words in common for words in shared)
    known = {*named, *shared.values()}
    assert [c for c in columns if not any(fnmatch(c, name) for name in known)] == []
    # Of the common words a table may lack some; what is said of it alone it has.
    assert {name for name in quoted(said) if not any(fnmatch(c, name) for c in columns)} == set()


CHECK_TABLES = {
    "diff": comparison.COLUMNS,
    "planted_faults": planted.COLUMNS,
    "refusals": refused.COLUMNS,
    "corrections": edge_corrections.COLUMNS,
}


@pytest.mark.parametrize("table", CHECK_TABLES)
def test_the_columns_of_the_checks_are_explained(table: str) -> None:
    text = section("results/README.md", "Columns of the checks")
    (said,) = re.findall(rf"^`{table}\.csv`: (.*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    named = [name for name in quoted(said) if not name.startswith(("verification/", "tables."))]
    assert set(named) - {"diff.csv"} == set(CHECK_TABLES[table])


LEDGER_TABLES = {
    "Columns of `claims.csv`": (*claims_entries.COLUMNS, *claims.SUMMARY_COLUMNS),
    "Sensitivity": (*claims_sensitivity.COLUMNS, *claims_sensitivity.SUMMARY_COLUMNS),
}


@pytest.mark.parametrize("title", LEDGER_TABLES)
def test_the_columns_of_the_ledger_are_explained(title: str) -> None:
    text = section("docs/ledger.md", title)
    named = {name for name in quoted(text) if re.fullmatch(r"\w+", name)}
    # Columns that are taken over as they are stand as a run, from first to last.
    source = list(claims_entries.COLUMNS)
    for first, last in re.findall(r"`(\w+)` to `(\w+)`", text):
        named |= set(source[source.index(first) : source.index(last) + 1])
    words = {"none", "all", "value", "lo", "hi"}
    assert named - words == set(LEDGER_TABLES[title]) - words


def test_the_verdicts_of_the_ledger_are_explained() -> None:
    listed = [
        name for cell, _ in table_of(section("docs/ledger.md", "Verdicts")) for name in quoted(cell)
    ]
    assert listed == [str(verdict) for verdict in Verdict]


def test_captions_are_sentences_of_their_own_and_hold_no_number() -> None:
    captions = captions_of(text_of("figures/README.md").split("\n## ")[0])
    for name, caption in captions.items():
        assert not re.search(r"\d|the same|^As ", caption), name
    assert len(set(captions.values())) == len(captions)


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


def example(folder: Path, *, replacing: tuple[str, str] = ("", "")) -> ValidationReport:
    """Write the delivery that docs/delivery.md shows, with one text in its place, and check it."""
    text = section("docs/delivery.md", "An example")
    blocks = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    folder.mkdir()
    for name, block in zip(("delivery.json", "records.jsonl"), blocks, strict=True):
        assert f"`{name}`" in text
        (folder / name).write_text(block.replace(*replacing), encoding="utf-8")
    return validate(folder)


def test_the_example_of_a_delivery_is_accepted(tmp_path: Path) -> None:
    report = example(tmp_path / "example")
    assert list(report.violations) == [] and report.warnings == ()
    assert (report.accepted, report.records) == (True, 2)
    # What the text says of the two lines.
    text = " ".join(section("docs/delivery.md", "An example").split())
    assert (
        "in the first the answer moves from the correct option 0 to the hint 2 and the explanation "
        "omits it; in the second it stays." in text
    )
    lines = (tmp_path / "example" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    first, second = map(json.loads, lines)
    answers = [first[name] for name in ("correct_answer", "baseline_answer", "hint_answer")]
    assert [*answers, first["hinted_answer"]] == [0, 0, 2, 2]
    assert (first["outcome"], first["judge_label"]) == ("hint_induced_change", "unfaithful")
    assert second["outcome"] == "no_change"
    assert list(first) == list(second) == [field.name for field in FIELDS]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('"judge_phi": 0.2', '"judge_phi": 0.7', "R7"),
        ('"hint_answer": 2', '"hint_answer": 0', "R4"),
        ('"completed": 2', '"completed": 1', "R10"),
        ('"replica": 1', '"replica": 2', "R8"),
    ],
)
def test_the_example_of_a_delivery_is_checked(
    tmp_path: Path, old: str, new: str, rule: str
) -> None:
    report = example(tmp_path / "example", replacing=(old, new))
    assert rule in {violation.rule for violation in report.violations}


# Quantity of the long table -> how docs/estimators.md begins its definition.
DEFINITIONS = {
    "susceptibility": "**Susceptibility** p = N_H / N_E",
    "omission": "**Conditional omission** (section 7). q = k / n",
    "omission_drift": "the same rate where a0 = c (drift)",
    "omission_wrong_to_wrong": "where a0 is not c (wrong to wrong)",
    "omission_chance_corrected": "the corrected omission is 1 - F*",
    "omission_at_cut_<t>": "the share of evaluable H pairs with 1 - phi > t",
    "exposure": "X(k) is the mean over probes",
    "reliability": "reliability is 1 - X(k)",
    "exposure_plug_in": "Plug-in: 1 - (1 - p)^k",
    "hint_change_all_completed": "the share of completed pairs that move to the hint",
}
# Counts divided, or a textbook interval for reference: results/README.md says all there is.
SAID_IN_FULL = {
    "omission_wilson_reference",
    "violations_never",
    "violations_sometimes",
    "violations_always",
    "exposure_1_pooled",
    "exposure_1_all_completed",
}


def test_every_quantity_is_defined_where_the_estimators_are() -> None:
    listed = section("results/README.md", "Columns of the long table").split("Quantities:")[1]
    assert set(quoted(listed)) == {*DEFINITIONS, *SAID_IN_FULL}
    text = prose_of("docs/estimators.md").lower()
    for quantity, words in DEFINITIONS.items():
        assert text.count(words.lower()) == 1, quantity


def test_every_status_and_outcome_is_defined_where_the_estimators_are() -> None:
    (statuses,) = re.findall(
        r"^\*\*Status\*\*(.*?)\n\n", text_of("docs/estimators.md"), re.S | re.M
    )
    for status in Status:
        assert len(re.findall(rf"\b{status}\b", statuses, re.IGNORECASE)) == 1, status
    columns = table_of(section("results/README.md", "Columns of the condition tables"))
    (named,) = [meaning for name, meaning in columns if name == "`status`"]
    words = re.sub(r" \(.*?\)", "", named).split(", ")
    assert words == [Status.INSUFFICIENT, Status.UNDERSAMPLED, Status.CONVERGED]
    letters = table_of(text_of("docs/estimators.md"))
    for letter, outcome, _ in letters:
        assert any(cell.startswith(f"{letter}: ") for _, cell in columns), outcome
    assert [letter for letter, *_ in letters] == ["U", "B", "H", "N", "O"]


def test_the_constants_of_the_formulas_are_the_settings(config: dict[str, Any]) -> None:
    text = prose_of("docs/estimators.md")
    (resamples,) = re.findall(r"percentile bootstrap over the probes .*?, ([\d,]+) resamples", text)
    assert int(resamples.replace(",", "")) == config["bootstrap"]["resamples"] == 2000
    (width,) = re.findall(r"Undersampled: half-width above ([\d.]+)\. ", text)
    assert float(width) == config["analysis"]["target_half_width"] == 0.1
    (options,) = re.findall(r"Only pairs with L >= (\d+) are analysed", text)
    assert int(options) == config["analysis"]["min_options"] == 3
    assert "Insufficient: fewer than two probes or two pairs." in text


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
    listed = table_of(section("data/README.md", "`published/`"))
    assert tuple(name for cell, _ in listed for name in quoted(cell)) == claims_context.COLUMNS
    (kinds,) = [meaning for cell, meaning in listed if cell == "`kind`"]
    assert set(re.findall(r"\w+", kinds.split(":")[0])) - {"or"} == claims_context.KINDS
