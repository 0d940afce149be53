"""The coverage study in full, beside the same with arch's bootstrap and with a plain loop.

One study: 200 repetitions of three hint types at 320 probes and 8 replicas, each simulated, and
an interval of the omission rate from 2,000 resamples. Ours forms all six intervals, the other two
the percentile interval alone; they run fewer repetitions, and their time is scaled up, which the
table says. Times are seconds of processor time, so that a shared machine weighs less. Each way
runs in a process of its own, so that its peak memory is its own. Usage:

    python benchmarks/coverage_study.py [--repetitions N]
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from arch.bootstrap import IIDBootstrap

from avowed.pairs.cell import per_probe
from avowed.pairs.estimate import Settings
from avowed.pairs.studies import coverage
from avowed.pairs.studies.cells import main_cells
from avowed.stats.performance import coverage as share_covered

CONFIG_FILE = Path(__file__).parents[1] / "config.yaml"
OUTPUT = Path(__file__).parent / "output" / "coverage_study.csv"
REPETITIONS = 200
LARGE = 10_000
#: Repetitions of the ways that would need minutes for all of them.
FEW = 40
TARGET_SECONDS, TARGET_MINUTES, TARGET_MIB = 5.0, 4.0, 1024

Row = dict[str, float]
Bootstrap = Callable[[np.ndarray, np.ndarray, Settings], tuple[float, float]]


def plain_loop(flagged: np.ndarray, sizes: np.ndarray, settings: Settings) -> tuple[float, float]:
    rng = np.random.default_rng([settings.seed, 0, 0, settings.replicate])
    drawn = np.empty(settings.resamples)
    for row in range(settings.resamples):
        index = rng.integers(0, sizes.size, sizes.size)
        drawn[row] = flagged[index].sum() / sizes[index].sum()
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def arch_bootstrap(
    flagged: np.ndarray, sizes: np.ndarray, settings: Settings
) -> tuple[float, float]:
    seed = np.random.default_rng([settings.seed, 0, 0, settings.replicate])
    boot = IIDBootstrap(flagged, sizes, seed=seed)
    low, high = boot.conf_int(
        lambda k, n: k.sum() / n.sum(), reps=settings.resamples, method="percentile"
    ).ravel()
    return float(low), float(high)


OTHERS: dict[str, Bootstrap] = {"arch.bootstrap": arch_bootstrap, "plain loop": plain_loop}
OURS = "avowed, six intervals"


def ours(config: dict[str, Any], settings: Settings) -> list[Row]:
    return [
        {"lower": row["percentile lower"], "upper": row["percentile upper"], "truth": row["truth"]}
        for row in coverage.run(config, settings)
    ]


def with_another(config: dict[str, Any], settings: Settings, bootstrap: Bootstrap) -> list[Row]:
    """The same data and the same study, with another way of resampling clusters."""
    rows = []
    for cell in main_cells(config):
        data = cell.data(settings).with_options(at_least=settings.min_options)
        flagged, sizes = per_probe(data, data.flagged, data.evaluable)
        present = sizes > 0
        low, high = bootstrap(flagged[present], sizes[present], settings)
        rows.append({"lower": low, "upper": high, "truth": cell.truth.flagged})
    return rows


def measure(way: str, repetitions: int) -> dict[str, float]:
    """Run one way in this process and report what it took."""
    whole = yaml.safe_load(CONFIG_FILE.read_text(encoding="utf-8"))
    settings = Settings.from_config(whole)
    config = whole["simulation"] | {"repetitions": repetitions, "further_repetitions": 0}
    # The truths are computed once per study, not per repetition.
    for cell in main_cells(config):
        assert 0 < cell.truth.flagged < 1
    rows: list[Row] = []
    start = time.process_time()
    for repetition in range(repetitions):
        own = replace(settings, replicate=repetition)
        rows += ours(config, own) if way == OURS else with_another(config, own, OTHERS[way])
    seconds = time.process_time() - start
    covered = share_covered(*([row[name] for row in rows] for name in ("lower", "upper", "truth")))
    # Kilobytes on Linux, bytes on macOS.
    scale = 1 if sys.platform == "darwin" else 1024
    return {
        "seconds": seconds,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 2**20,
        "coverage": covered.value,
        "coverage_mc_error": covered.mc_error,
    }


def in_own_process(way: str, repetitions: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", way, "--repetitions", str(repetitions)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, float] = json.loads(answer)
    return found


def verdict(figure: float, target: float) -> str:
    return "met" if figure < target else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of the coverage study.")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--measure", choices=(OURS, *OTHERS), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(measure(args.measure, args.repetitions)))
        return
    rows = []
    own = 0.0
    for way in (OURS, *OTHERS):
        run = args.repetitions if way == OURS else min(FEW, args.repetitions)
        found = in_own_process(way, run)
        seconds = found["seconds"] * args.repetitions / run
        own = own or seconds
        rows.append(
            {
                "way": way,
                "repetitions_run": run,
                "cpu_seconds": f"{seconds:.2f}",
                "times_ours": f"{seconds / own:.1f}",
                "peak_mib": f"{found['peak_mib']:.0f}",
                "coverage": f"{found['coverage']:.3f}",
                "coverage_mc_error": f"{found['coverage_mc_error']:.3f}",
            }
        )
    widths = (22, 16, 12, 11, 9, 9, 18)
    for line in (list(rows[0]), *(row.values() for row in rows)):
        print("".join(f"{value!s:>{width}}" for value, width in zip(line, widths, strict=True)))
    print(
        f"(processor seconds of {args.repetitions} repetitions x 3 hint types; scaled where fewer)"
    )
    OUTPUT.parent.mkdir(exist_ok=True)
    with OUTPUT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    mib = float(rows[0]["peak_mib"])
    per_repetition = own / args.repetitions
    minutes = per_repetition * LARGE / 2 / 60
    print()
    for text, figure, target in (
        (f"{REPETITIONS} x 3, seconds", per_repetition * REPETITIONS, TARGET_SECONDS),
        (f"{LARGE:,} x 3 on two cores, minutes, extrapolated", minutes, TARGET_MINUTES),
        ("peak memory, MiB", mib, TARGET_MIB),
    ):
        print(f"{text}: {figure:.2f} (target: under {target:g}; {verdict(figure, target)})")


if __name__ == "__main__":
    main()
