"""What a run used: commit, versions, settings and hashes; a sidecar, never part of a table."""

import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from avowed import __version__
from avowed.sources.hashing import sha256_of

_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "matplotlib", "snakemake", "jinja2")


def commit_of(root: Path) -> str:
    """Return the commit of a checkout, with ``+changes`` where files differ from it.

    Outside a checkout, or without git, the answer is ``unknown``: a downloaded archive is fine,
    and one that was unpacked within another project does not take that project's commit.
    """
    try:
        top = Path(_git(root, "rev-parse", "--show-toplevel"))
        if top.resolve() != root.resolve():
            return "unknown"
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}+changes" if changed else head


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def describe_run(
    *,
    root: Path,
    source: Mapping[str, Any],
    settings: Mapping[str, Any],
    inputs: Sequence[Path],
    tables: Sequence[Path],
) -> dict[str, Any]:
    """Describe a run; paths are as given, escaped where they are no text, hashes are SHA-256."""

    def hashes(paths: Sequence[Path]) -> dict[str, str]:
        return {
            str(path).encode("utf-8", "backslashreplace").decode(): sha256_of(path)
            for path in paths
        }

    return {
        "avowed": __version__,
        "commit": commit_of(root),
        "python": platform.python_version(),
        "packages": {package: _installed(package) for package in _PACKAGES},
        "source": dict(source),
        "settings": dict(settings),
        "inputs": hashes(inputs),
        "tables": hashes(tables),
    }
