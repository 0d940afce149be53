"""The conda environments hold the versions of the lock, and what the package needs."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

REPOSITORY = Path(__file__).parents[2]
PYTHONS = ("3.11", "3.12", "3.13")
# Conda splits Matplotlib; the base package lacks only the graphical back ends.
NAMES = {"matplotlib-base": "matplotlib"}


def locked(name: str, python: str) -> str:
    """The one version of a package that the lock gives a Python version on Linux."""
    text = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
    here = {"python_version": python, "python_full_version": f"{python}.0"}
    versions = []
    for line in re.findall(rf"^{re.escape(name)}==.*$", text, flags=re.MULTILINE):
        requirement = Requirement(line.removesuffix("\\").strip())
        if requirement.marker is None or requirement.marker.evaluate(here):
            versions.append(str(requirement.specifier).removeprefix("=="))
    assert len(versions) == 1, f"{name} on Python {python}: {versions}"
    return versions[0]


def environment(name: str) -> dict[str, str]:
    """Package -> version specifier, as written in the conda file."""
    content = yaml.safe_load((REPOSITORY / "envs" / name).read_text(encoding="utf-8"))
    pairs = [entry.split(maxsplit=1) for entry in content["dependencies"]]
    return {NAMES.get(package, package): specifier for package, specifier in pairs}


def needed() -> set[str]:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    return set(project["project"]["dependencies"])


@pytest.mark.parametrize("name", ["base.yaml", "plots.yaml"])
def test_versions_are_those_of_the_lock(name: str) -> None:
    packages = environment(name)
    admitted = SpecifierSet(packages.pop("python"))
    pythons = [python for python in PYTHONS if f"{python}.0" in admitted]
    assert pythons
    for python in pythons:
        assert packages == {package: f"={locked(package, python)}" for package in packages}


@pytest.mark.parametrize("name", ["base.yaml", "plots.yaml"])
def test_python_is_one_the_package_admits(name: str) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    admitted = SpecifierSet(project["project"]["requires-python"])
    assert {python for python in PYTHONS if f"{python}.0" in admitted} == set(PYTHONS)
    here = SpecifierSet(environment(name)["python"])
    outside = [f"3.{minor}" for minor in range(20) if f"3.{minor}" not in PYTHONS]
    assert not [python for python in outside if f"{python}.0" in here]


def test_environments_hold_what_the_package_needs() -> None:
    assert set(environment("plots.yaml")) == needed() | {"python"}
    assert set(environment("base.yaml")) == set(environment("plots.yaml")) - {"matplotlib"}


def test_what_the_package_needs_is_in_the_lock_for_every_python() -> None:
    assert all(locked(name, python) for name in needed() for python in PYTHONS)


@pytest.mark.parametrize("more", ["benchmark", "comparison", "browser"])
def test_another_lock_agrees_with_the_lock(more: str) -> None:
    def versions(name: str) -> set[str]:
        text = (REPOSITORY / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([a-z0-9-]+==[^ ]+)", text, flags=re.MULTILINE))

    ours, extras = versions("requirements.lock"), versions(f"requirements-{more}.lock")
    shared = {entry.split("==")[0] for entry in ours} & {entry.split("==")[0] for entry in extras}
    assert shared
    assert {entry for entry in extras if entry.split("==")[0] in shared} <= ours
