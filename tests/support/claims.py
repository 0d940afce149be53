"""Inputs of the claims ledger in small: results tables that give back what is printed."""

import csv
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from verification.claims_checks import Check, read_checks
from verification.claims_context import Context, read_claims, read_exact_json
from verification.claims_entries import judge, row_of

from avowed.facts import design_facts
from avowed.facts_factors import factor_facts

REPOSITORY = Path(__file__).parents[2]
CLAIMS = REPOSITORY / "data" / "published" / "claims.csv"
CHECKS = REPOSITORY / "verification" / "checks"

# What the public data hold, L >= 3: H, eligible, not extracted.
CONDITIONS = {
    "claude-v1_zero-shot": (618, 1218, 2),
    "claude-v1_few-shot": (376, 1277, 18),
    "text-davinci-003_zero-shot": (788, 1174, 0),
    "text-davinci-003_few-shot": (476, 1241, 0),
}
ANALYSED = 1391
TASKS = {f"task_{i}": "0" if i < 6 else "5" for i in range(13)}


def write_table(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    listed = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(listed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_results(folder: Path) -> Path:
    """Tables in which simulated numbers are the printed ones, with small errors."""
    tables = folder / "tables"
    public, plan = [], []
    for name, (moved, eligible, missing) in CONDITIONS.items():
        public.append(
            {
                "condition": name,
                "n_items": 3299,
                "n_hint_correct": 1188,
                "n_pairs": 2111,
                "n_two_option": 720,
                "n_hint_change": moved,
                "n_evaluable": moved,
                "n_flagged": moved,
                "omission": 1,
                "omission_lower": moved / (moved + 1.96**2),
                "omission_upper": 1,
                "susceptibility": moved / eligible,
                "exposure_1": moved / (ANALYSED - missing),
                "exposure_1_all_completed": moved / ANALYSED,
            }
        )
        pairs = 96.0365 * ANALYSED / moved
        plan.append(
            {
                "share_basis": "all completed",
                "completed_pairs": pairs,
                "completed_pairs_clustered": 1.15 * pairs,
            }
        )
    write_table(tables / "public_data.csv", public)
    write_table(tables / "sample_size.csv", plan)
    write_table(
        tables / "public_data_by_task.csv",
        [{"task": task, "n_analysed": n} for task, n in TASKS.items() for _ in CONDITIONS],
    )
    write_table(
        tables / "chance_correction.csv",
        [
            {
                "counting_error_mean": 0.0012,
                "counting_error_mc_error": 0.00004,
                "counting_error_max": 0.0015,
                "counting_error_imperfect_mean": 0.0014,
                "counting_error_imperfect_max": 0.002,
                "repetitions": 50,
            }
        ],
    )
    write_table(tables / "worked_example.csv", _example())
    write_table(tables / "estimator_properties.csv", _properties())
    return folder


def _example() -> list[dict[str, Any]]:
    printed = read_table(REPOSITORY / "data" / "published" / "worked_example.csv")
    return [
        {
            "quantity": row["quantity"],
            "ours": row["published"],
            "mean_over_repetitions": row["published"],
            "spread": 0.01,
            "mc_error": 0.001,
        }
        for row in printed
    ]


def _properties() -> list[dict[str, Any]]:
    printed = read_table(REPOSITORY / "data" / "published" / "simulation.csv")
    rows = []
    for row in printed:
        kinds: tuple[str, ...] = ("",)
        if row["k"]:
            kinds = ("drop-out-free", "through drop-out")
        elif row["property"].startswith("corrected rate"):
            kinds = ("population", "realised")
        for kind in kinds:
            rows.append(
                {
                    "property": row["property"],
                    "k": row["k"],
                    "end": row["end"],
                    "truth_kind": kind,
                    "ours": row["published"] or "0.94",
                    "mc_error": 0.001,
                    "repetitions": 200,
                }
            )
    return rows


def write_inputs(folder: Path) -> dict[str, Path]:
    """Settings as configured, facts of the code, results; the arguments of the ledger."""
    settings = yaml.safe_load((REPOSITORY / "config.yaml").read_text(encoding="utf-8"))
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    facts = {**_facts(), "records": 8444, "distinct_keys": 8444}
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    return {
        "claims": CLAIMS,
        "settings": folder / "settings.json",
        "facts": folder / "facts.json",
        "results": write_results(folder / "results"),
    }


@cache
def _facts() -> dict[str, Any]:
    return {**design_facts([]), "factors": factor_facts(REPOSITORY / "data")}


def read_inputs(paths: Mapping[str, Path]) -> tuple[Context, dict[str, Check]]:
    """The inputs and checks as the ledger reads them."""
    checks = read_checks(CHECKS)
    claims = read_claims(paths["claims"], checks)
    context = Context(
        claims=claims,
        settings=read_exact_json(paths["settings"]),
        facts=read_exact_json(paths["facts"]),
        results=paths["results"],
    )
    return context, {claim: checks[claim] for claim in claims}


def ledger_rows(paths: Mapping[str, Path]) -> dict[str, dict[str, str]]:
    """The rows of the ledger by claim, without its sensitivity."""
    context, checks = read_inputs(paths)
    return {claim: row_of(context, each, judge(context, each)) for claim, each in checks.items()}
