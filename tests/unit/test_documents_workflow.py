"""Commands, targets, files and settings that documents name exist, and the other way round."""

import ast
import json
import re
import shlex
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from snakemake.io import expand
from unit.documents import CONDITIONS, DOCUMENTS, REPOSITORY, quoted, table_of, text_of

from avowed.cli import parser
from avowed.configuration import SCHEMA, config_faults
from avowed.pairs.delivery import PARQUET_FILE
from avowed.pairs.header import HEADER_FILE
from avowed.pairs.simulated_delivery import TRUTH_FILE
from avowed.present.factors_csv import SHAPES


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(text_of("config.yaml"))
    return loaded


def commands() -> list[str]:
    """Every command that a document shows, in a block of code or within a line."""
    found = []
    for name in DOCUMENTS:
        joined = re.sub(r" \\\n +", " ", text_of(name))
        blocks = re.findall(r"^```sh\n(.*?)^```", joined, re.DOTALL | re.MULTILINE)
        found += [line for block in blocks for line in block.split("\n")]
        found += quoted(text_of(name))
    # A comment, and where the output goes, are the shell's.
    cleaned = (re.sub(r"\s+[#>].*", "", line).removeprefix(".venv/bin/").strip() for line in found)
    starts = ("make ", "avowed ", "snakemake ", "python -m ")
    return sorted({line for line in cleaned if line.startswith(starts)})


def test_commands_of_every_kind_are_found() -> None:
    assert {command.split()[0] for command in commands()} == {
        "make",
        "avowed",
        "snakemake",
        "python",
    }
    assert len(commands()) >= 10


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith("make ")])
def test_make_targets_exist(command: str) -> None:
    targets = re.findall(r"^(\w+):", text_of("Makefile"), flags=re.MULTILINE)
    assert command.split()[1] in targets


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith("avowed ")])
def test_avowed_commands_exist(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)[1:]
    # A command that a sentence names alone lacks what it needs to run.
    if words[-1] != "--help" and len(words) > 1:
        assert parser().parse_args(words).command == words[0]
    # Spelled out: the parser takes abbreviations. One command has parts, each with its options.
    part = words[: 2 if words[0] == "factors" else 1]
    with pytest.raises(SystemExit):
        parser().parse_args([*part, "--help"])
    known = re.findall(r"--[a-z-]+", capsys.readouterr().out)
    assert {word for word in words if word.startswith("--")} <= set(known)


@pytest.mark.parametrize("command", [c for c in commands() if c.startswith("python -m ")])
def test_programs_of_the_recomputation_exist(command: str) -> None:
    module, *words = shlex.split(command)[2:]
    assert module.startswith("verification.")
    text = subprocess.run(
        [sys.executable, "-m", module, "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPOSITORY,
    ).stdout
    assert {word for word in words if word.startswith("--")} <= set(re.findall(r"--[a-z-]+", text))


def test_snakemake_options_targets_rules_and_keys_exist() -> None:
    shown = [command for command in commands() if command.startswith("snakemake ")]
    text = subprocess.run(
        [sys.executable, "-m", "snakemake", "--help"], capture_output=True, text=True, check=True
    ).stdout
    known = set(re.findall(r"--[a-z-]+", text))
    rules = set(re.findall(r"^(?:rule|checkpoint) (\w+):", rule_files(), re.MULTILINE))
    for command in shown:
        words, ours = shlex.split(command)[1:], set[str]()
        assert {word for word in words if word.startswith("--")} <= known, command
        for option, value in zip(words, [*words[1:], ""], strict=True):
            if option == "--config":
                key, _, nested = value.partition("=")
                assert config_faults({key: json.loads(nested)}, partial=True) == []
            if option == "--forcerun":
                assert value in rules
            if option == "--report" and value:  # Snakemake's own file, which no rule writes
                assert re.fullmatch(r"results/report/\w+\.zip", value)
                ours = {value}
        named = {word for word in words if "/" in word and "=" not in word}
        assert named <= {*outputs(), *ours}


def rule_files() -> str:
    files = sorted((REPOSITORY / "workflow" / "rules").glob("*.smk"))
    return "".join(path.read_text(encoding="utf-8") for path in files)


def constants(name: str) -> list[str]:
    """Assignments of a rule file to names in capitals, each as far as it goes."""
    found, lines = [], text_of(name).split("\n")
    for first, line in enumerate(lines):
        if not re.match(r"[A-Z_]+ = ", line):
            continue
        for last in range(first + 1, len(lines) + 1):
            try:
                ast.parse("\n".join(lines[first:last]))
            except SyntaxError:
                continue
            found.append("\n".join(lines[first:last]))
            break
    return found


@lru_cache
def outputs() -> tuple[str, ...]:
    """What `rule all` asks for, a user's own delivery and import included."""
    snakefile = text_of("Snakefile")
    config = yaml.safe_load(text_of("config.yaml"))
    config["pairs"]["deliveries"] = {"mine": "path/to/delivery"}
    config["pairs"] |= {"source": "a.csv", "mapping": "b.yaml"}
    config["factors"]["recorded"] = {"mine": {"usecase": "a.yaml", "responses": "b.jsonl"}}
    names: dict[str, Any] = {
        "config": config,
        "Path": Path,
        "expand": expand,
        "SHAPES": SHAPES,
        "one_of": "|".join,
    }
    for included in re.findall(r'^include: "(.*?)"', snakefile, re.MULTILINE):
        for statement in constants(included):
            exec(statement, names)
    (targets,) = re.findall(r"^rule all:.*?input:\n((?: {8}.*\n)+)", snakefile, re.DOTALL | re.M)
    found: list[str] = []
    for target in eval(f"[{targets}]", names):
        found += [target] if isinstance(target, str) else target
    return tuple(found)


def test_what_rule_all_asks_for_is_read_as_snakemake_reads_it() -> None:
    wanted = outputs()
    assert len(wanted) == len(set(wanted)) >= 46
    assert {Path(path).parts[0] for path in wanted} == {"results", "figures"}
    assert not any("{" in path for path in wanted)
    for name in ("public_data", "always_a", "deliveries"):
        for form in ("csv", "md", "tex"):
            assert f"results/tables/{name}.{form}" in wanted
        for form in ("svg", "png"):
            assert f"figures/{name}.{form}" in wanted
    for condition in CONDITIONS:
        assert f"results/estimates/turpin_{condition}.parquet" in wanted
        assert f"results/validation/turpin_{condition}.json" in wanted
    assert "results/estimates/mine.json" in wanted
    for name in ("advisor", "monitor", "mine"):
        assert f"results/factors/{name}/rank_agreement.csv" in wanted
    assert "results/factors/advisor/truth.csv" in wanted
    assert "results/factors/mine/truth.csv" not in wanted


def listed_files(document: str) -> list[tuple[str, re.Pattern[str]]]:
    """Files that the first table of a document lists; a suffix alone is another of the one before.

    A part in angle brackets or a star stands for one name, and a folder for what lies in it.
    """
    found: list[str] = []
    for cell, meaning in table_of(text_of(document).split("\n## ")[0]):
        base = ""
        for name in [*quoted(cell), *(n for n in quoted(meaning) if n.startswith("."))]:
            if not name.startswith("."):
                base = name.removesuffix(Path(name).suffix)
            found.append(f"{base}{name}" if name.startswith(".") else name)
    patterns = []
    for name in found:
        parts = re.split(r"<\w+>|\*", name)
        wild = "[^/]+".join(map(re.escape, parts)) + ("[^/]+" if name.endswith("/") else "")
        patterns.append((name, re.compile(wild)))
    return patterns


def test_every_output_is_listed_where_it_lies() -> None:
    # What some rule writes, a word in the place of each wildcard.
    written = {re.sub(r"\{\w+\}", "x", name) for name in re.findall(r'"([^"\n]+)"', rule_files())}
    for folder in ("results", "figures"):
        wanted = {p.removeprefix(f"{folder}/") for p in outputs() if p.startswith(f"{folder}/")}
        made = {p.removeprefix(f"{folder}/") for p in written if p.startswith(f"{folder}/")}
        if folder == "figures":  # listed without their two formats
            wanted, made = ({Path(path).stem for path in paths} for paths in (wanted, made))
        listed = listed_files(f"{folder}/README.md")
        unlisted = {p for p in wanted if not any(one.fullmatch(p) for _, one in listed)}
        assert unlisted == set()
        # And nothing is listed that nobody makes.
        assert {
            name for name, one in listed if not any(one.fullmatch(p) for p in wanted | made)
        } == set()


def test_every_file_that_the_readme_names_is_there_or_is_made() -> None:
    made = {*outputs(), *re.findall(r'"([^"\n]+)"', rule_files())}
    made |= {re.sub(r"\{\w+\}", "*", path) for path in made}
    names = {
        name for name in quoted(text_of("README.md")) if re.fullmatch(r"[\w.*-]+/[\w./*-]*", name)
    }
    assert len(names) >= 20
    # A folder that a command of the README writes, and what lies in it.
    (demo,) = re.findall(r"^avowed simulate --out (\w+) ", text_of("README.md"), re.MULTILINE)
    written = {f"{demo}/{name}" for name in (HEADER_FILE, PARQUET_FILE, TRUTH_FILE)}
    for name in names - written:
        generated = name.startswith(("results/", "figures/")) and not name.endswith("README.md")
        assert name in made if generated else (REPOSITORY / name).exists(), name


def keys_of(
    tree: dict[str, Any], prefix: str = "", *, but_within: frozenset[str] = frozenset()
) -> set[str]:
    """Dotted keys of a configuration, except those below the keys that are named."""
    nested = (
        keys_of(value, f"{prefix}{key}.", but_within=but_within)
        for key, value in tree.items()
        if isinstance(value, dict) and f"{prefix}{key}" not in but_within
    )
    return {f"{prefix}{key}" for key in tree} | set().union(*nested)


def properties_of(schema: dict[str, Any], prefix: str = "") -> dict[str, dict[str, Any]]:
    found = {}
    for key, one in schema.get("properties", {}).items():
        found[f"{prefix}{key}"] = one
        found |= properties_of(one, f"{prefix}{key}.")
    return found


# Below these keys stand names of the user's choice.
FREE_NAMES = frozenset(
    {
        "pairs.deliveries",
        "simulation.hint_types",
        "simulation.extreme_acknowledgement",
        "factors.groups",
        "factors.recorded",
    }
)


def test_the_config_has_the_keys_of_the_schema_and_its_defaults(config: dict[str, Any]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    properties = properties_of(schema)
    free = {key for key, one in properties.items() if one.get("additionalProperties")}
    assert free == FREE_NAMES
    assert keys_of(config, but_within=FREE_NAMES) == set(properties)
    for key, one in properties.items():
        assert one["description"].endswith("."), key
        if one.get("type") == "object" and key not in free:
            assert one["additionalProperties"] is False, key
        # A key is required, or the schema says what holds without it.
        parent = properties[key.rpartition(".")[0]] if "." in key else schema
        assert (key.rpartition(".")[2] in parent.get("required", [])) != ("default" in one), key
        if one.get("default", {}) != {}:
            value: Any = config
            for part in key.split("."):
                value = value[part]
            assert value == one["default"], key


def test_every_part_of_the_simulation_is_required_and_the_calibration_has_defaults() -> None:
    properties = properties_of(json.loads(SCHEMA.read_text(encoding="utf-8")))
    simulation = {key for key in properties if key.startswith("simulation")}
    assert len(simulation) >= 30
    assert {key for key in simulation if "default" in properties[key]} == set()
    calibration = [one for key, one in properties.items() if key.startswith("calibration.")]
    assert len(calibration) >= 3 and all("default" in one for one in calibration)


def uncommented(text: str) -> dict[str, list[str]]:
    """Settings without a comment: those on their own, and those that no group covers either.

    A setting is a line with a dotted key, the headings at the left margin and free names left out.
    A comment right above a key covers it, and the keys that follow at the same indentation.
    """
    path: list[str] = []
    alone, above = [], ""
    covered: set[str] = set()
    lacking: dict[str, list[str]] = {"alone": alone, "group": []}
    for line in text.split("\n"):
        match = re.match(r"( *)([\w-]+):", line)
        if match:
            depth = len(match[1]) // 2
            path = [*path[:depth], match[2]]
            key, parent = ".".join(path), ".".join(path[:-1])
            heading = depth == 0 and not line.partition(":")[2].strip()
            free = any(f"{key}.".startswith(f"{name}.") and key != name for name in FREE_NAMES)
            commented = above.strip().startswith("#")
            # The run goes on while the line above is a key of the same indentation.
            run = re.match(rf"{match[1]}[\w-]+:", above) and parent in covered
            covered = {parent} if commented or run else set()
            if not (heading or free):
                if not commented:
                    alone.append(key)
                if not (commented or run):
                    lacking["group"].append(key)
        above = line
    return lacking


def test_every_setting_has_a_comment(config: dict[str, Any]) -> None:
    lacking = uncommented(text_of("config.yaml"))
    assert lacking["group"] == []
    # Only these sections have comments on groups of keys.
    grouped = {key.split(".")[0] for key in lacking["alone"]}
    assert grouped <= {"simulation", "calibration"}
    assert len(lacking["alone"]) < len(keys_of(config, but_within=FREE_NAMES)) / 4


def test_a_setting_without_a_comment_is_found() -> None:
    text = text_of("config.yaml")
    for comment, key in (
        ("# Root of every random stream.", "seed"),
        ("  # Resamples of the percentile", "bootstrap.resamples"),
        ("  # Deliveries of your own", "pairs.deliveries"),
        ("  # Beta law of a probe's accuracy", "simulation.accuracy"),
        ("    # Share of calls that fail", "simulation.judge.failed"),
        ("  # Least items of a class", "calibration.min_positive"),
    ):
        (line,) = [line for line in text.split("\n") if line.startswith(comment)]
        assert key in uncommented(text.replace(f"{line}\n", ""))["alone"]
    bare = text.replace(
        "  # Least items of a class for a calibration to be admissible (HP 13).\n", ""
    )
    assert uncommented(bare)["group"] == ["calibration.min_positive", "calibration.min_negative"]
    last = f"{text}\nmore:\n  # One.\n  one: 1\n\n  two: 2\n"
    assert uncommented(last)["group"] == ["more.two"]


def test_settings_and_variables_that_documents_name_exist(config: dict[str, Any]) -> None:
    known = keys_of(config)
    variables = set(re.findall(r'"(AVOWED_\w+)"', text_of("scripts/fetch_sources.py")))
    assert variables == {"AVOWED_MIRROR", "AVOWED_SOURCE"}
    for document in DOCUMENTS:
        for name in quoted(text_of(document)):
            setting = re.fullmatch(r"([a-z_]+)\.(?!tsv|csv|json)[a-z_]+", name)
            if setting and setting[1] in config:
                assert name in known, f"{document}: {name}"
        assert set(re.findall(r"AVOWED_\w+", text_of(document))) <= variables, document
    assert all(name in text_of("README.md") for name in variables)
