"""Would an error be noticed? Faults are planted in a copy of the program, one after another.

A fault is a patch of the source (``faults.toml``): what a person might really do wrong. The program
is copied to a temporary folder, patched, imported from there on its own, and asked what it makes of
the edge delivery. The comparison with the recomputation must then fail; without a fault it must
not. Which program that is, the caller says by a name. Standard library only.
"""

import compileall
import importlib
import shutil
import sys
import tempfile
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from verification.files import Unusable

Rows = list[dict[str, Any]]
#: What the program gives, part by part.
Parts = Mapping[str, Rows]
#: Asks the imported module for parts, the estimates in some cells or (if none is named) in all.
Ask = Callable[[Any, Sequence[str], Sequence[str]], Parts]
#: Compares what was given with the recomputation, the estimates in the same cells.
Compare = Callable[[Parts, Sequence[str]], Rows]

FAULTS = Path(__file__).with_name("faults.toml")
PARTS = ("estimates", "spread", "corrections", "refusals", "public")
NO_FAULT = "no fault"
GOOD, MISSED, FALSE_ALARM = "as it should be", "missed", "false alarm"

COLUMNS = (
    *("fault", "what", "estimator", "module", "parts", "cells", "caught"),
    *(
        "compared_rows",
        "failing_rows",
        "quantity",
        "cell",
        "k",
        "field",
        "main",
        "independent",
        "verdict",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One slip: ``old`` becomes ``new`` in a module, named below the program's folder.

    ``what`` says in words what is wrong, ``estimator`` what it is wrong with, ``parts`` what the
    patched program is asked for, and ``cells`` the cells whose estimates have to show it.
    """

    name: str
    what: str
    estimator: str
    module: str
    parts: tuple[str, ...]
    cells: tuple[str, ...] = ()
    old: str
    new: str


def _read_list(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Unusable(f"{path} cannot be read ({error})") from None


def _tables(path: Path, content: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    listed = content.get(key, [])
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise Unusable(f"{path}: every {key} is a table of its own, headed [[{key}]]")
    return listed


def read_estimators(path: Path = FAULTS) -> list[str]:
    """The estimators that need at least one fault each, from the head of the list of faults.

    They are listed apart, so that a list of faults that was cut short is noticed.

    Raises:
        Unusable: it cannot be read, or lists none.
    """
    listed = _read_list(path).get("estimators")
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise Unusable(f"{path}: estimators is {listed!r}, expected a list of names at its head")
    if not listed:
        raise Unusable(f"{path}: no estimators are listed at its head")
    return listed


def read_faults(path: Path = FAULTS, *, known: Sequence[str] = PARTS) -> list[Fault]:
    """Read the list of faults; ``known`` are the parts that may be asked for.

    Raises:
        Unusable: it cannot be read, is empty, or a fault lacks a key, has an unknown one or one of
            a wrong kind, has the name of another, changes nothing, asks for an unknown part, or
            for estimates without naming the cells.
    """
    listed = _tables(path, _read_list(path), "fault")
    faults: list[Fault] = []
    for number, entry in enumerate(listed, start=1):
        where = f"{path}, fault {number}"
        wanted = Fault.__dataclass_fields__.keys()
        if {"cells", *entry} != wanted:
            raise Unusable(f"{where}: keys are {sorted(entry)}; expected {sorted(wanted)}")
        parts, cells = entry.pop("parts"), entry.pop("cells", [])
        if not isinstance(parts, list) or not isinstance(cells, list):
            raise Unusable(f"{where}: parts and cells are lists")
        if not parts or not all(part in known for part in parts):
            raise Unusable(f"{where}: parts are {parts}; expected some of {list(known)}")
        if ("estimates" in parts) != bool(cells):
            raise Unusable(f"{where}: cells are {cells}; name some for estimates, and only then")
        if not all(isinstance(value, str) for value in (*cells, *entry.values())):
            raise Unusable(f"{where}: every key but parts and cells holds text")
        fault = Fault(parts=tuple(parts), cells=tuple(cells), **entry)
        if fault.name in {NO_FAULT, *(other.name for other in faults)}:
            raise Unusable(f"{where}: the name {fault.name!r} is taken")
        if fault.old == fault.new:
            raise Unusable(f"{where}: {fault.name!r} changes nothing")
        faults.append(fault)
    if not faults:
        raise Unusable(f"{path}: no faults")
    return faults


def patched(text: str, fault: Fault) -> str:
    """The source of a module with the fault in it.

    Raises:
        Unusable: the old text does not stand there exactly once.

    >>> fault = Fault(name="a", what="", estimator="", module="m.py", parts=(), old="1", new="2")
    >>> patched("x = 1", fault)
    'x = 2'
    """
    times = text.count(fault.old)
    if times != 1:
        raise Unusable(
            f"fault {fault.name!r}: its old text stands {times} times in {fault.module}, expected "
            "once; bring the fault up to date with the source"
        )
    return text.replace(fault.old, fault.new)


class Copy:
    """A copy of a package in a folder of its own, imported from there."""

    def __init__(self, package: Path, folder: Path) -> None:
        """Copy the package, without what was compiled from it elsewhere."""
        self._original = package
        self._folder = folder
        self._package = folder / package.name
        shutil.copytree(package, self._package, ignore=shutil.ignore_patterns("__pycache__"))
        # Compiled once, so that an import is cheap; checked by content and not by time, so that a
        # patched module is never taken for the one before.
        compileall.compile_dir(
            self._package, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH
        )

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """The copy with a fault in it, for as long as the block lasts.

        Raises:
            Unusable: there is no such module, or the fault does not fit it.
        """
        original, module = self._original / fault.module, self._package / fault.module
        if not original.is_file():
            raise Unusable(f"fault {fault.name!r}: no module {fault.module}")
        text = original.read_text(encoding="utf-8")
        module.write_text(patched(text, fault), encoding="utf-8")
        try:
            yield
        finally:
            module.write_text(text, encoding="utf-8")

    @contextmanager
    def imported(self, module: str) -> Iterator[Any]:
        """A module of the copy, imported apart from the original, which is put back afterwards."""
        name = self._package.name
        before = {key: found for key, found in sys.modules.items() if _below(key, name)}
        written = sys.dont_write_bytecode
        for key in before:
            del sys.modules[key]
        sys.path.insert(0, str(self._folder))
        sys.dont_write_bytecode = True
        importlib.invalidate_caches()
        try:
            yield importlib.import_module(module)
        finally:
            sys.dont_write_bytecode = written
            sys.path.remove(str(self._folder))
            for key in [key for key in sys.modules if _below(key, name)]:
                del sys.modules[key]
            sys.modules.update(before)


def _below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def run_faults(
    faults: Sequence[Fault],
    package: Path,
    module: str,
    ask: Ask,
    compare: Compare,
    *,
    parts: Sequence[str] = PARTS,
) -> Rows:
    """Plant every fault in turn and say whether the comparison notices; first without any.

    Args:
        faults: what to plant.
        package: folder of the program's package.
        module: the module of that package that is asked.
        ask: asks the imported module.
        compare: compares what it gave with the recomputation, one row per comparison.
        parts: everything that the program as it is is asked for.

    Returns:
        One row per fault with the columns of `COLUMNS`, the first for the program as it is. The
        verdict is ``as it should be`` where a fault is caught and the program as it is passes.

    Raises:
        Unusable: a fault does not fit the source, or the patched program stops: it has to give
            something wrong.
    """
    rows: Rows = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(package, Path(folder))
        with copy.imported(module) as program:
            rows.append(_clean_row(compare(ask(program, parts, ()), ()), parts))
        for fault in faults:
            with copy.planted(fault):
                found = _asked(copy, fault, module, ask)
            rows.append(_fault_row(fault, compare(found, fault.cells)))
    return rows


def _asked(copy: Copy, fault: Fault, module: str, ask: Ask) -> Parts:
    """What the faulty copy gives; a fault has to make it wrong, not to stop it."""
    try:
        # A faulty program may divide by zero; what counts is what it gives.
        with warnings.catch_warnings(), copy.imported(module) as program:
            warnings.simplefilter("ignore")
            return ask(program, fault.parts, fault.cells)
    except Exception as error:
        raise Unusable(
            f"fault {fault.name!r}: the program stops ({type(error).__name__}: {error}); plant one "
            "that gives wrong numbers"
        ) from error


def _clean_row(compared: Rows, parts: Sequence[str]) -> dict[str, Any]:
    row = _counted(compared) | {"fault": NO_FAULT, "what": "the program as it is"}
    verdict = FALSE_ALARM if row["failing_rows"] else GOOD
    return row | {"parts": " ".join(parts), "verdict": verdict}


def _fault_row(fault: Fault, compared: Rows) -> dict[str, Any]:
    row = _counted(compared) | {
        "fault": fault.name,
        "what": fault.what,
        "estimator": fault.estimator,
        "module": fault.module,
        "parts": " ".join(fault.parts),
        "cells": " ".join(fault.cells) or None,
    }
    return row | {"verdict": GOOD if row["failing_rows"] else MISSED}


def _counted(compared: Rows) -> dict[str, Any]:
    """How many comparisons fail, and the first that does.

    Raises:
        Unusable: nothing was compared, so that nothing can fail.
    """
    if not compared:
        raise Unusable("planted faults: nothing was compared; run make reproduce")
    failing = [row for row in compared if row["verdict"] != "agrees"]
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"compared_rows": len(compared), "failing_rows": len(failing)}
    row["caught"] = "yes" if failing else "no"
    if failing:
        shown = ("quantity", "cell", "k", "field", "main", "independent")
        row |= {name: failing[0][name] for name in shown}
    return row
