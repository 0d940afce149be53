"""docs/import.md: every key, every reason, and the example as it is."""

import json
import re
from pathlib import Path

from avowed.importing.exclusions import COLUMNS, Reason
from avowed.importing.mapping_file import SCHEMA

REPOSITORY = Path(__file__).parents[3]
TEXT = (REPOSITORY / "docs" / "import.md").read_text("utf-8")


def section(title: str) -> str:
    [found] = re.findall(rf"^##+ {title}\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


def keys_of_table(text: str) -> set[str]:
    rows = [line.split("|")[1] for line in text.split("\n") if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def test_every_key_is_explained_and_none_besides() -> None:
    definitions = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    assert keys_of_table(section("The keys")) == set(definitions["mapping"]["properties"])
    for name in ("input", "answers", "baseline", "judge"):
        assert keys_of_table(section(name)) == set(definitions[name]["properties"]), name


def test_every_reason_is_explained() -> None:
    text = " ".join(section("Why something is left out").split())
    assert [reason for reason in Reason if reason not in text] == []


def test_the_columns_of_the_sheet_are_listed() -> None:
    assert ", ".join(f"`{column}`" for column in COLUMNS) in section("What is written")


def test_the_example_is_the_file() -> None:
    [(name, text)] = re.findall(r"<!-- example: (\S+) -->\n```yaml\n(.*?)```\n", TEXT, re.DOTALL)
    assert text == (REPOSITORY / name).read_text("utf-8")


def test_every_example_is_named() -> None:
    folders = {path.name for path in (REPOSITORY / "examples" / "import").iterdir()}
    assert {name for name in folders if f"`{name}`" in TEXT or f"/{name}/" in TEXT} == folders
