"""The recomputation is a stranger: standard library only, nothing of avowed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Everything but the export, which reads Parquet with pyarrow and computes nothing.
FILES = sorted(p for p in (ROOT / "verification").rglob("*.py") if p.name != "export.py")


def imported(tree: ast.AST) -> set[str]:
    """Top-level names of the modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else str(node.module))
    return {name.partition(".")[0] if name != "." else name for name in names}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_the_standard_library_and_itself_are_imported(path: Path) -> None:
    found = imported(ast.parse(path.read_text(encoding="utf-8")))
    assert found <= {*sys.stdlib_module_names, "verification"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_imported_by_a_name_made_up_at_run_time(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    # The planted faults load the copy of the program that they patch: that is their subject.
    assert path.stem == "planted" or not names & {"__import__", "importlib"}


def test_an_import_of_ours_would_be_seen() -> None:
    assert imported(ast.parse("def f():\n    from avowed.pairs import chance")) == {"avowed"}


def test_every_module_loads_without_site_packages() -> None:
    """-I: no environment, no folder of the user; -S: no site-packages."""
    modules = [".".join(p.relative_to(ROOT).with_suffix("").parts) for p in FILES]
    program = (
        "import importlib, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        f"for name in {modules!r}:\n"
        "    importlib.import_module(name)\n"
        "assert not {'avowed', 'numpy', 'scipy', 'pyarrow'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
