"""What the documents say of components, options and figures is what the code has."""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from unit.documents import REPOSITORY, quoted, section, table_of, text_of

from avowed.commands import factors
from avowed.endpoints.simulated.component_file import SCHEMA, read_components
from avowed.factors.usecase import read_use_case
from avowed.present.factors_page import captions_by_study
from avowed.present.page_figures import captions_of

DOCUMENT = "docs/components.md"
DEFINITIONS: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]


@pytest.mark.parametrize(("title", "part"), [("Rules", "rule"), ("Policies", "policy")])
def test_every_kind_is_explained_with_its_keys(title: str, part: str) -> None:
    rows = table_of(section(DOCUMENT, title))
    kinds = DEFINITIONS[part]["properties"]["kind"]["enum"]
    assert [quoted(kind)[0] for kind, *_ in rows] == kinds
    for kind, keys, said in rows:
        properties = DEFINITIONS[f"{part}_{quoted(kind)[0]}"]
        assert quoted(keys) == [name for name in properties["properties"] if name != "kind"]
        # A key that may be left out stands with its default in brackets.
        bare = re.sub(r"\([^)]*\)", "", keys)
        assert set(quoted(bare)) >= set(properties["required"]) - {"kind"}
        assert said


def test_every_field_of_a_component_is_explained() -> None:
    head, component = section(DOCUMENT, "The fields").split("Each component:")
    for text, name in ((head, "file"), (component, "component")):
        rows = table_of(text)
        assert [quoted(cell)[0] for cell, *_ in rows] == list(DEFINITIONS[name]["properties"])
        required = [quoted(cell)[0] for cell, needed, _ in rows if needed == "required"]
        assert required == DEFINITIONS[name]["required"]


def test_the_example_of_a_component_is_read(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", section(DOCUMENT, "An example"), re.DOTALL)
    path = tmp_path / "loan.yaml"
    path.write_text(block, encoding="utf-8")
    case = read_use_case(REPOSITORY / "data/usecases/loan.yaml")
    (one,) = read_components(path, case)
    assert one.name == yaml.safe_load(block)["components"][0]["name"]


def run_options() -> dict[str, argparse.Action]:
    parser = argparse.ArgumentParser()
    factors.add_parser(parser.add_subparsers())
    (sub,) = (one for one in parser._actions if one.choices)
    (parts,) = (one for one in dict(sub.choices or {})["factors"]._actions if one.choices)
    run = dict(parts.choices or {})["run"]
    return {one.option_strings[0]: one for one in run._actions if one.dest != "help"}


def test_every_option_of_run_is_listed() -> None:
    text = text_of("docs/responses.md").split("<!-- options: avowed factors run -->")[1]
    rows = {quoted(name)[0]: default for name, default, _ in table_of(text.split("\n\n")[1])}
    options = run_options()
    assert sorted(rows) == sorted(options)
    for name, option in options.items():
        assert (rows[name] == "required") == option.required
        if isinstance(option.default, int) and not isinstance(option.default, bool):
            assert rows[name] == str(option.default)


def test_a_caption_is_the_figure_s_own_row() -> None:
    text = text_of("figures/README.md")
    first = table_of(text.split("\n## ")[0])
    own = {name: said for cell, said in first for name in re.findall(r"`([^`]+)`", cell)}
    captions = captions_of(text)
    assert list(captions) == list(own)
    for name, caption in captions.items():
        plain = own[name].replace("`", "").rstrip(".")
        assert caption == f"{plain[0].upper()}{plain[1:]}."
    by_study = captions_by_study(captions, ["loan"])
    profile = own["<study>_feature_profile"].replace("`", "")
    assert by_study["loan_feature_profile"] == f"Loan: {profile}."
    assert not [text for text in by_study.values() if "<study>" in text]
