"""A second program for everything that is estimated about cited factors (NS), from raw responses.

It reads what the pipeline exported, reads every raw response again, and recomputes every row of the
long table with fractions and plain loops; ends of bootstrap intervals come from random numbers of
its own. It imports nothing of avowed. `verification.comparison` says how near is near enough.

    python -m verification.factors --exported results/verification/exported/factors \
        --settings results/verification/settings.json --out results/verification/factors.jsonl

Every folder of ``--exported`` is a study and holds ``usecase.json``, ``inputs.jsonl``,
``plan.json``, ``responses.jsonl`` and ``estimates.jsonl``. A folder ``pilot`` (full rankings) and a
folder ``prompts`` (components named COMPONENT--PROMPT) inside it hold inputs, plan and responses of
their own; their estimates stand among those of the study.

Exit codes: 0 the rows are written, whatever they say (the diff counts them), 2 unusable input.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from verification.comparison import AGREES, Row, compare
from verification.factors_across import across
from verification.factors_bootstrap import Resamples, count_row, row_of
from verification.factors_facts import NECESSITY, SUFFICIENCY, Facts, Inputs, Readings
from verification.factors_measures import measure
from verification.factors_planning import above_floor, planning
from verification.factors_prompts import pilot, prompt_instability, prompt_variations, texts_of
from verification.factors_responses import (
    Evidence,
    Reading,
    compare_plan,
    compare_readings,
    laid_out,
    read_again,
)
from verification.factors_selection import baselines, split_stats
from verification.files import Unusable, read_json, read_json_lines, write_json_lines

MAIN, PILOT, PROMPTS = PARTS = ("main", "pilot", "prompts")
#: Between a component and its prompt; the prompt whose names are free, and its fixed counterpart.
MARK, FREE, FIXED = "--", "free-vocabulary", "fixed-names"
Read = Mapping[str, Sequence[tuple[Mapping[str, Any], Reading]]]


@dataclass(frozen=True)
class Study:
    """The responses of one folder, read again."""

    name: str
    facts: Facts
    inputs: Inputs
    plan: Mapping[str, Any]
    read: Read

    @classmethod
    def from_folder(cls, folder: Path, name: str, facts: Facts) -> "Study":
        """Read a folder.

        Raises:
            Unusable: a file cannot be read, or a row lacks a field.
        """
        inputs = Inputs.read(read_json_lines(folder / "inputs.jsonl"), f"{folder}/inputs.jsonl")
        plan = read_json(folder / "plan.json")
        path = folder / "responses.jsonl"
        try:
            read = read_again(read_json_lines(path), facts, int(plan["cited"]))
            known = {row["input"] for pairs in read.values() for row, _ in pairs}
        except (KeyError, TypeError, AttributeError) as error:
            raise Unusable(f"{path}: a response lacks {error}; run make reproduce") from None
        lost = sorted(known - set(inputs.ids))
        if lost or not read:
            what = f"input {lost[0]!r} is not in inputs.jsonl" if lost else "no responses"
            raise Unusable(f"{path}: {what}; run make reproduce")
        return cls(name, facts, inputs, plan, read)

    def evidence(self, *, cited: int | None = None) -> dict[str, Evidence]:
        """Each component laid out, with the first ``cited`` places of its explanations."""
        found = {}
        for component, pairs in self.read.items():
            one = laid_out(self.facts, self.inputs, pairs, component)
            found[component] = replace(
                one,
                cited=[keys[:cited] for keys in one.cited],
                repeat_cited=[[keys[:cited] for keys in some] for some in one.repeat_cited],
            )
        return found

    def resamples(self, readings: Readings) -> Resamples:
        """The drawn inputs of this study."""
        return Resamples.of_study(self.name, len(self.inputs.ids), readings.resamples)

    def checked(self) -> list[Row]:
        """Parsing, validity and completeness, compared."""
        return [
            *compare_readings(self.name, self.read),
            *compare_plan(self.name, self.facts, self.inputs, self.plan, self.read),
        ]


def study_rows(study: Study, readings: Readings, groups: Mapping[str, Sequence[str]]) -> list[Row]:
    """Every row of the long table of a study: the paper's measures, then those beyond it."""
    facts = study.facts
    evidence = study.evidence(cited=facts.cited)
    resamples = study.resamples(readings)
    found = {name: measure(facts, one, readings, resamples) for name, one in evidence.items()}
    rows: list[Row] = []
    for name, measured in found.items():
        rows += [
            count_row(quantity, count, study=facts.name, cell=name, n=evidence[name].size, k=k)
            for quantity, count, k in measured.counts
        ]
        rows += [row_of(one, study=facts.name, readings=readings) for one in measured.stats]
    both = across(evidence, found, readings, resamples, groups=groups)
    rows += [row_of(one, study=facts.name, readings=readings) for one in both]
    for one in evidence.values():
        rows += beyond_rows(facts, one, readings, resamples)
    return rows


def beyond_rows(
    facts: Facts, evidence: Evidence, readings: Readings, resamples: Resamples
) -> list[Row]:
    """Selection baselines, split trials, features above the floor, planning (NS 12, 13)."""
    stats = []
    for criterion, change in ((NECESSITY, facts.primary), (SUFFICIENCY, SUFFICIENCY)):
        trials = evidence.length[change]
        if trials:
            stats += baselines(
                evidence,
                evidence.scores(change),
                readings,
                resamples,
                criterion=criterion,
                trials=trials,
                places=facts.cited,
            )
        if trials > 1:
            stats += split_stats(evidence, change, readings, resamples, criterion=criterion)
    rows = [row_of(one, study=facts.name, readings=readings) for one in stats]
    rows += above_floor(facts, evidence, readings, resamples)
    return rows + planning(facts, evidence, readings)


def pilot_rows(study: Study, readings: Readings) -> list[Row]:
    """Every row of the full-ranking pilot."""
    resamples = study.resamples(readings)
    return [
        row
        for one in study.evidence().values()
        for row in pilot(study.facts, one, readings, resamples)
    ]


def prompt_rows(study: Study, readings: Readings) -> list[Row]:
    """Instability with free and with fixed names, and agreement under every prompt but the free.

    Source: NS A.1, A.2; table 2, figures 6 and 7.
    """
    resamples, width = study.resamples(readings), study.facts.cited
    found = study.evidence(cited=width)
    texts: dict[str, dict[str, list[list[tuple[str, ...]]]]] = {}
    variations: dict[str, dict[str, Evidence]] = {}
    for name, pairs in study.read.items():
        component, _, prompt = name.partition(MARK)
        if prompt != FREE:
            variations.setdefault(component, {})[prompt] = found[name]
        if prompt in (FREE, FIXED):
            texts.setdefault(component, {})[prompt] = _repeated(study.inputs, pairs, width)
    rows = prompt_instability(study.facts, texts, readings, resamples)
    return rows + prompt_variations(study.facts, variations, readings, resamples)


def _repeated(
    inputs: Inputs, pairs: Sequence[tuple[Mapping[str, Any], Reading]], width: int
) -> list[list[tuple[str, ...]]]:
    """The texts of the repeats of every input."""
    texts: dict[str, list[tuple[str, ...]]] = {name: [] for name in inputs.ids}
    for row, _ in pairs:
        if row["intervention"] == "repeat":
            texts[row["input"]].append(texts_of(row["raw"], width))
    return [*texts.values()]


def read_study(folder: Path, part: str) -> Study:
    """One part of a study; the main part lies in the folder itself, the others below it.

    Raises:
        Unusable: a file cannot be read.
    """
    facts = Facts.read(read_json(folder / "usecase.json"), f"{folder}/usecase.json")
    if part == MAIN:
        return Study.from_folder(folder, folder.name, facts)
    return Study.from_folder(folder / part, f"{folder.name}, {part}", facts)


def recomputed(
    study: Study, part: str, readings: Readings, groups: Mapping[str, Sequence[str]]
) -> list[Row]:
    """Every row of the long table that one part of a study gives."""
    if part == MAIN:
        return study_rows(study, readings, groups)
    return pilot_rows(study, readings) if part == PILOT else prompt_rows(study, readings)


def compare_folder(
    folder: Path, readings: Readings, groups: Mapping[str, Sequence[str]]
) -> list[Row]:
    """Every comparison of one study.

    Raises:
        Unusable: a file cannot be read.
    """
    main = read_json_lines(folder / "estimates.jsonl")
    rows: list[Row] = []
    ours: list[Row] = []
    for part in PARTS:
        if part == MAIN or (folder / part).is_dir():
            study = read_study(folder, part)
            rows += study.checked()
            ours += recomputed(study, part, readings, groups)
    return rows + compare(main, ours, source=folder.name)


def compare_all(exported: Path, settings: Mapping[str, Any]) -> list[Row]:
    """Every study below a folder, by name.

    Raises:
        Unusable: there is none, or a file cannot be read.
    """
    folders = sorted(path.parent for path in exported.glob("*/usecase.json"))
    if not folders:
        raise Unusable(f"{exported}: no folder with a usecase.json; run make reproduce")
    readings = Readings.from_config(settings)
    grouped = (settings.get("factors") or {}).get("groups") or {}
    rows: list[Row] = []
    for folder in folders:
        # A group that is set to null is not asked for.
        own = {name: some for name, some in (grouped.get(folder.name) or {}).items() if some}
        rows += compare_folder(folder, readings, own)
    return rows


def main(given: Sequence[str]) -> int:
    """Recompute, compare, write the rows; see the head of this module."""
    parser = argparse.ArgumentParser(
        prog="verification.factors", description=str(__doc__).split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--exported", type=Path, required=True, help="a folder per use case")
    parser.add_argument("--settings", type=Path, required=True, help="configuration, JSON")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines to write")
    options = parser.parse_args(given)
    try:
        settings = read_json(options.settings)
        if not isinstance(settings, dict):
            raise Unusable(f"{options.settings}: is not a JSON object; expected the configuration")
        rows = compare_all(options.exported, settings)
        write_json_lines(options.out, rows)
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    apart = sum(row["verdict"] != AGREES for row in rows)
    print(f"{len(rows)} comparisons: {f'{apart} do not agree' if apart else 'all agree'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
