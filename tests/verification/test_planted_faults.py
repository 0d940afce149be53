"""Every planted fault is caught, the program as it is passes, and a stale fault is an error."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from verification import export, planted
from verification.edge import Edge
from verification.files import Unusable

import avowed
import avowed.pairs.chance
from avowed.pairs.coded_answers import VOCABULARIES
from avowed.pairs.delivery import write_delivery
from avowed.pairs.edge_cells import EDGE_CELLS
from avowed.pairs.edge_coded import coded_rows
from avowed.pairs.edge_delivery import edge_delivery
from avowed.pairs.edge_results import paper_config
from avowed.pairs.refused import write_refused

PACKAGE = Path(avowed.__file__).parent
MODULE = "avowed.pairs.edge_results"
STEADY = 8000
SETTINGS = paper_config(resamples=400)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    made = edge_delivery()
    write_delivery(folder / "edge", made.header, made.records)
    write_refused(folder / "refused")
    assert export.main(["--out", str(folder), "--delivery", f"edge={folder / 'edge'}"]) == 0
    return folder


@pytest.fixture(scope="module")
def edge(folder: Path) -> Edge:
    return Edge.recomputed(
        folder / "deliveries",
        folder / "refused",
        SETTINGS,
        steady_resamples=STEADY,
        coded=coded_rows(),
        legend=VOCABULARIES,
    )


def run(
    faults: Sequence[planted.Fault], folder: Path, compare: planted.Compare
) -> list[dict[str, Any]]:
    def ask(program: Any, parts: Sequence[str], cells: Sequence[str]) -> planted.Parts:
        return program.edge_results(
            folder / "edge",
            folder / "refused",
            SETTINGS,
            parts=parts,
            cells=cells,
            steady_resamples=STEADY,
        )

    return planted.run_faults(faults, PACKAGE, MODULE, ask, compare)


# A program of two modules, for what does not depend on the estimators.
TOY = {"__init__.py": "", "rates.py": "def rate(k, n):\n    return k / n\n"}
TOY |= {"program.py": "from toy.rates import rate\n\n\ndef results():\n    return rate(1, 4)\n"}
TOY_FAULT = planted.Fault(
    name="turned",
    what="n / k",
    estimator="rate",
    module="rates.py",
    parts=("spread",),
    old="k / n",
    new="n / k",
)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    package = tmp_path / "toy"
    package.mkdir()
    for name, text in TOY.items():
        (package / name).write_text(text)
    return package


def run_toy(toy: Path, *faults: planted.Fault, expected: float = 0.25) -> list[dict[str, Any]]:
    def compare(parts: planted.Parts, _cells: Sequence[str]) -> planted.Rows:
        (row,) = parts["spread"]
        known = {"quantity": "rate", "cell": "c", "k": None, "field": "estimate"}
        verdict = "agrees" if row["main"] == expected else "fails"
        return [row | known | {"independent": expected, "verdict": verdict}]

    return planted.run_faults(
        faults,
        toy,
        "toy.program",
        lambda program, _parts, _cells: {"spread": [{"main": program.results()}]},
        compare,
    )


@pytest.mark.slow
def test_every_fault_is_caught_and_nothing_else(folder: Path, edge: Edge) -> None:
    faults = planted.read_faults()
    rows = run(faults, folder, edge.compared)
    assert [row["fault"] for row in rows] == [planted.NO_FAULT, *(one.name for one in faults)]
    assert {row["fault"]: row["verdict"] for row in rows if row["verdict"] != planted.GOOD} == {}
    assert rows[0]["failing_rows"] == 0
    assert rows[0]["compared_rows"] > max(row["compared_rows"] for row in rows[1:])
    assert {row["caught"] for row in rows[1:]} == {"yes"}


def test_faults_cover_what_the_recomputation_covers() -> None:
    faults = planted.read_faults()
    assert {part for one in faults for part in one.parts} == set(planted.PARTS)
    assert {cell for one in faults for cell in one.cells} <= set(EDGE_CELLS)
    rules = {one.estimator for one in faults if one.parts == ("refusals",)}
    assert rules == {f"R{number}" for number in range(1, 12)} | {"schema"}
    assert len(faults) >= 25


def test_every_old_text_stands_once_in_the_source() -> None:
    for one in planted.read_faults():
        text = (PACKAGE / one.module).read_text(encoding="utf-8")
        assert planted.patched(text, one) != text


def test_a_fault_that_shows_is_caught_and_its_first_row_shown(toy: Path) -> None:
    clean, row = run_toy(toy, TOY_FAULT)
    assert (clean["fault"], clean["caught"], clean["verdict"]) == ("no fault", "no", planted.GOOD)
    assert (row["caught"], row["failing_rows"], row["verdict"]) == ("yes", 1, planted.GOOD)
    assert (row["quantity"], row["main"], row["independent"]) == ("rate", 4, 0.25)
    assert tuple(row) == tuple(clean) == planted.COLUMNS


def test_a_change_without_effect_is_missed(toy: Path) -> None:
    row = run_toy(toy, replace(TOY_FAULT, new="1 * k / n"))[1]
    assert (row["verdict"], row["caught"], row["failing_rows"]) == (planted.MISSED, "no", 0)


def test_a_comparison_that_fails_without_a_fault_is_a_false_alarm(toy: Path) -> None:
    (row,) = run_toy(toy, expected=0.5)
    assert (row["verdict"], row["failing_rows"]) == (planted.FALSE_ALARM, 1)


def test_nothing_compared_is_an_error(toy: Path) -> None:
    with pytest.raises(Unusable, match="nothing was compared"):
        planted.run_faults([], toy, "toy.program", lambda *_: {}, lambda *_: [])


def test_one_fault_leaves_nothing_for_the_next(toy: Path) -> None:
    # Patches of one length in one second: a module must not be taken for the one before.
    faults = [replace(TOY_FAULT, name=text, new=text) for text in ("n / k", "k / k", "k + n")]
    assert [row["main"] for row in run_toy(toy, *faults)[1:]] == [4, 1, 5]


def test_the_original_stays_as_it_was(toy: Path) -> None:
    before, path = avowed.pairs.chance, list(sys.path)
    run_toy(toy, TOY_FAULT)
    with planted.Copy(PACKAGE, toy.parent / "copy").imported("avowed.pairs.chance") as copied:
        assert copied is not before
    assert sys.modules["avowed.pairs.chance"] is before
    assert sys.path == path
    assert "toy" not in sys.modules
    assert {name: (toy / name).read_text() for name in TOY} == TOY


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"old": "no such text"}, "'turned': its old text stands 0 times in rates.py"),
        ({"old": "k"}, "stands 2 times in rates.py"),
        ({"module": "none.py"}, "no module none.py"),
        ({"new": "k / 0"}, "the program stops .ZeroDivisionError"),
        ({"new": "k / ("}, "the program stops .SyntaxError"),
    ],
)
def test_a_fault_that_does_not_fit_is_an_error(
    changes: dict[str, str], words: str, toy: Path
) -> None:
    with pytest.raises(Unusable, match=words):
        run_toy(toy, replace(TOY_FAULT, **changes))


ENTRY = (
    '[[fault]]\nname = "a"\nwhat = "b"\nestimator = "c"\nmodule = "d"\nparts = ["spread"]\n'
    'old = "e"\nnew = "f"\n'
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no faults"),
        ("[[fault]", "cannot be read"),
        (ENTRY.replace('new = "f"\n', ""), "keys are"),
        (ENTRY + 'more = "x"\n', "keys are"),
        (ENTRY.replace('["spread"]', '["everything"]'), "parts are"),
        (ENTRY.replace('["spread"]', "[]"), "parts are"),
        (ENTRY.replace('["spread"]', '["estimates"]'), "cells are"),
        (ENTRY + 'cells = ["wide"]\n', "cells are"),
        (ENTRY.replace('old = "e"', "old = 1"), "holds text"),
        (ENTRY + ENTRY, "is taken"),
        (ENTRY.replace('"a"', '"no fault"'), "is taken"),
        (ENTRY.replace('"f"', '"e"'), "changes nothing"),
    ],
)
def test_a_damaged_list_is_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(text)
    with pytest.raises(Unusable, match=words):
        planted.read_faults(path)
