"""House rules that a reviewer would otherwise check by eye (CONTRIBUTING.md says why)."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SOURCE = REPOSITORY / "src" / "avowed"
GENERATED = {".git", ".venv", ".snakemake", "__pycache__", "results", "figures", "raw", "partial"}

# Put together here, so that this file does not name what it forbids.
HOSTS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "deb." + "debian.org",
    "ana" + "conda.org",
]
MACHINE_PATH = re.compile(r"(?:^|[^A-Za-z0-9_.])/(?:" + "work|farm|root|home|Users" + r")/\w")
UNFINISHED = re.compile(
    r"pytest\.(?:skip|xf" + r"ail)|mark\.(?:skip|xf" + r"ail)|#\s*TO" + r"DO|NotImpl" + r"emented"
)

# Package -> what it may import of ours, besides itself.
LAYERS = {
    # The long table is written whole or not at all.
    "stats": {"avowed.atomic"},
    "sources": {"avowed.atomic", "avowed.refusal"},
    "pairs": {
        "avowed.stats",
        "avowed.atomic",
        "avowed.parquet_batches",
        "avowed.real_path",
        "avowed.refusal",
        "avowed.regular_file",
        "avowed.strict_json",
    },
    "factors": {
        "avowed.stats",
        "avowed.atomic",
        "avowed.datafile",
        "avowed.jsonfile",
        "avowed.parquet_batches",
        "avowed.refusal",
        "avowed.regular_file",
        "avowed.strict_json",
        "avowed.yamlfile",
    },
    "importing": {
        "avowed.stats",
        "avowed.pairs",
        "avowed.sources",
        "avowed.atomic",
        "avowed.jsonfile",
        "avowed.parquet_batches",
        "avowed.real_path",
        "avowed.refusal",
        "avowed.regular_file",
        "avowed.sheet_cell",
        "avowed.strict_json",
        "avowed.datafile",
    },
    # Vocabularies and plain records, no estimator.
    "present": {
        "avowed.pairs.record",
        "avowed.pairs.violation",
        "avowed.atomic",
        "avowed.made",
        "avowed.refusal",
        "avowed.regular_file",
        "avowed.sheet_cell",
    },
}


def tracked() -> list[Path]:
    """The files under version control; in an unpacked archive, all that are not generated."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if listing.returncode == 0 and listing.stdout:
        paths = [REPOSITORY / name for name in listing.stdout.rstrip("\0").split("\0")]
    else:
        paths = [
            path
            for path in REPOSITORY.rglob("*")
            if not GENERATED & set(path.relative_to(REPOSITORY).parts)
        ]
    return [path for path in paths if path.is_file()]


def texts() -> Iterator[tuple[str, str]]:
    for path in tracked():
        content = path.read_bytes()
        if b"\0" not in content:
            yield path.relative_to(REPOSITORY).as_posix(), content.decode("utf-8")


def found(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in texts()
        for number, line in enumerate(text.split("\n"), start=1)
        if pattern.search(line)
    ]


def imports(text: str, package: str = "") -> set[str]:
    """The modules a Python source imports; ``from a import b`` gives a and a.b."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*parents, node.module or ""]) if node.level else node.module or ""
            base = base.rstrip(".")
            names |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return names


def ours(path: Path) -> set[str]:
    """The modules of ours that a file imports, without the plain package and imported names."""
    package = ".".join(("avowed", *path.relative_to(SOURCE).parent.parts))
    return {
        name
        for name in imports(path.read_text(encoding="utf-8"), package)
        if name.startswith("avowed.") and is_module(name)
    }


def is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split(".")[1:])
    return path.is_dir() or path.with_suffix(".py").is_file()


def within(name: str, allowed: set[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in allowed)


def test_no_file_names_a_package_index() -> None:
    assert found(re.compile("|".join(map(re.escape, HOSTS)))) == []


def test_no_file_holds_a_path_of_one_machine() -> None:
    assert found(MACHINE_PATH) == []


def test_no_code_loads_what_could_run() -> None:
    """Unpickling and the full YAML loader run what a file says."""
    unsafe = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "cloudpickle"}
    words = re.compile(r"yaml\.(load|full_load|unsafe_load)\(|allow_pickle=True|UnsafeLoader")
    for path in (path for path in tracked() if path.suffix == ".py"):
        text = path.read_text(encoding="utf-8")
        assert not unsafe & {name.split(".")[0] for name in imports(text)}, path
        # The pattern above would find itself.
        assert path.name == Path(__file__).name or not words.search(text), path


def test_nothing_is_skipped_or_left_open() -> None:
    assert found(UNFINISHED) == []


def test_the_patterns_find_what_they_forbid() -> None:
    assert MACHINE_PATH.search('open("/' + 'home/me/x")')
    assert not MACHINE_PATH.search("tests/" + "work/flow")
    assert UNFINISHED.search("@pytest.mark." + "skip")
    assert UNFINISHED.search("# TO" + "DO later")


def test_lock_files_name_no_address() -> None:
    locks = sorted(REPOSITORY.glob("requirements*.lock"))
    assert [lock.name for lock in locks][-1:] == ["requirements.lock"]
    for lock in locks:
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        assert "index-url" not in text
        pinned = re.findall(r"^[a-z0-9].*$", text, flags=re.MULTILINE)
        assert pinned and all("==" in line for line in pinned)


def test_code_files_are_at_most_400_lines() -> None:
    long = {
        name: text.count("\n")
        for name, text in texts()
        if name.endswith((".py", ".smk")) or name in {"Snakefile", "Makefile", ".ci/run"}
        if text.count("\n") > 400
    }
    assert long == {}


def test_no_file_is_over_a_megabyte() -> None:
    assert [path.name for path in tracked() if path.stat().st_size > 1_000_000] == []


def test_imports_are_seen_in_every_form() -> None:
    text = "import avowed.a\nfrom avowed import b\nfrom .c import d\nfrom .. import e"
    assert imports(text, "avowed.x") >= {"avowed.a", "avowed.b", "avowed.x.c", "avowed.e"}


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_import_only_what_lies_below(layer: str) -> None:
    allowed = LAYERS[layer] | {f"avowed.{layer}"}
    wrong = {
        path.relative_to(SOURCE).as_posix(): sorted(bad)
        for path in (SOURCE / layer).rglob("*.py")
        if (bad := {name for name in ours(path) if not within(name, allowed)})
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("name", "below"),
    [
        ("refusal.py", set()),
        ("regular_file.py", set()),
        ("parquet_batches.py", set()),
        ("real_path.py", {"avowed.refusal"}),
        ("atomic.py", {"avowed.real_path", "avowed.refusal"}),
        (
            "jsonfile.py",
            {"avowed.atomic", "avowed.refusal", "avowed.regular_file", "avowed.strict_json"},
        ),
        ("strict_json.py", set()),
        ("strict_schema.py", set()),
        ("held.py", {"avowed.real_path", "avowed.refusal"}),
        (
            "yamlfile.py",
            {
                "avowed.refusal",
                "avowed.regular_file",
                "avowed.strict_json",
                "avowed.strict_schema",
            },
        ),
    ],
)
def test_the_ground_floor_imports_only_what_lies_below(name: str, below: set[str]) -> None:
    assert ours(SOURCE / name) == below


def test_scripts_hold_no_arithmetic() -> None:
    arithmetic = {"numpy", "scipy", "statsmodels", "math", "statistics", "random"}
    scripts = sorted((REPOSITORY / "scripts").glob("*.py"))
    assert scripts
    for script in scripts:
        roots = {name.split(".")[0] for name in imports(script.read_text(encoding="utf-8"))}
        assert not roots & arithmetic, script.name


def test_verification_imports_nothing_of_ours() -> None:
    for path in (REPOSITORY / "verification").rglob("*.py"):
        assert "avowed" not in {
            name.split(".")[0] for name in imports(path.read_text(encoding="utf-8"))
        }, path.name


def test_every_script_belongs_to_a_rule_of_its_name() -> None:
    rules = "".join(
        path.read_text(encoding="utf-8") for path in REPOSITORY.glob("workflow/rules/*.smk")
    )
    for script in (REPOSITORY / "scripts").glob("*.py"):
        assert re.search(rf"^(?:rule|checkpoint) {script.stem}:", rules, re.MULTILINE), script.name
        assert f"scripts/{script.name}" in rules


def test_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    command = r"^\s*(?:\$ )?make ([a-z]+)(?: +[A-Z]+=\S+)* *(?:#.*)?$"
    named = re.findall(command, readme, flags=re.MULTILINE)
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    assert [name for name in named if name in {"reproduce", "test"}][:2] == ["reproduce", "test"]
    assert set(named) <= targets
