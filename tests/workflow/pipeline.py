"""A copy of the repository in which Snakemake runs as a user runs it."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from avowed.present.csvfile import read_rows

REPOSITORY = Path(__file__).parents[2]
# What a copy of an unpacked archive leaves out; a checkout knows better.
GENERATED = shutil.ignore_patterns(
    ".git", ".venv", ".snakemake", "__pycache__", "*.egg-info", ".*_cache", ".hypothesis"
)
# Variables of the caller that must not decide the outcome.
FOREIGN = ("AVOWED_", "SNAKEMAKE_", "PYTEST_", "GIT_", "PYTHON", "COVERAGE_", "MAKE")
# Written into every folder that a rule declares as its output.
SNAKEMAKES_OWN = ".snakemake_timestamp"
PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True)
class Finished:
    """A run of Snakemake that ended: its exit code, and what stood on the terminal."""

    code: int
    said: str

    def jobs(self) -> dict[str, int]:
        """Rule -> number of jobs, from the table that opens every run and every dry run."""
        table = re.search(r"^Job stats:\n.*?\n-.*?\n(.*?)\ntotal ", self.said, re.DOTALL | re.M)
        if table is None:
            assert "Nothing to be done" in self.said, self.said
            return {}
        lines = (line.split() for line in table[1].splitlines())
        return {rule: int(count) for rule, count in lines if rule != "all"}

    def line_with(self, word: str) -> str:
        """The one line that holds a word."""
        (line,) = {line.strip() for line in self.said.splitlines() if word in line}
        return line


@dataclass(frozen=True)
class Copy:
    """A copy of the repository in which the workflow may run."""

    root: Path
    proxy: str

    def snakemake(self, *arguments: str, cores: int = 2, **variables: str) -> Finished:
        """Run Snakemake here with the running interpreter, without network and without input."""
        environment = {n: v for n, v in os.environ.items() if not n.startswith(FOREIGN)}
        environment |= dict.fromkeys([*PROXIES, *map(str.upper, PROXIES)], self.proxy)
        environment |= {"no_proxy": "", "NO_PROXY": "", **variables}
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments],
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1800,
            check=False,
        )
        return Finished(done.returncode, done.stdout)

    def table(self, name: str) -> list[dict[str, str]]:
        return read_rows(self.root / "results" / "tables" / f"{name}.csv")

    def files(self, pattern: str) -> dict[str, bytes]:
        """Files below the copy by relative path; never none."""
        found = {p.relative_to(self.root).as_posix(): p for p in self.root.glob(pattern)}
        assert found, f"nothing matches {pattern}"
        return {name: path.read_bytes() for name, path in sorted(found.items()) if path.is_file()}

    def again(self, root: Path) -> "Copy":
        """A copy of this copy, finished runs and their bookkeeping included."""
        shutil.copytree(self.root, root)
        return Copy(root, self.proxy)


def joined(*counts: dict[str, int]) -> dict[str, int]:
    """Jobs of several parts of the workflow together, those of one rule added up."""
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total)


def copy_repository(root: Path) -> None:
    """Copy what is under version control or could be; in an unpacked archive, all but results."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    names = listing.stdout.rstrip("\0").split("\0") if listing.returncode == 0 else []
    if "Snakefile" in names:
        for name in names:
            if (REPOSITORY / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, root / name)
        return
    shutil.copytree(REPOSITORY, root, ignore=GENERATED, dirs_exist_ok=True)
    for folder in ("data/raw", "data/partial", "results", "figures"):
        for path in (root / folder).glob("*"):
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != "README.md":
                path.unlink()
