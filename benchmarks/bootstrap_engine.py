"""The bootstrap engine beside scipy, arch and a plain loop: one run, the same data.

Two statistics, at three sizes: the omission rate, and the chance-corrected omission at L = 4. The
counts are drawn from Beta laws with 8 replicas per probe. Speeds are compared as ratios within the
run, because the machine is shared; each time is the best of a few. Where a method would need
minutes it draws fewer resamples and its time is scaled up, which the table says.
"""

import csv
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from arch.bootstrap import IIDBootstrap
from scipy import stats

from avowed.stats.bootstrap import drawing_method, profiles_of, resample_totals

PROBES = (300, 10_000, 1_000_000)
RESAMPLES = 2000
REPLICAS = 8
#: Seconds that one measurement may take before it draws fewer resamples.
BUDGET = 6.0
OUTPUT = Path(__file__).parent / "output" / "bootstrap_engine.csv"


@dataclass(frozen=True)
class Case:
    """A statistic of column totals, and the per-probe counts it is resampled from."""

    name: str
    columns: tuple[np.ndarray, ...]
    of_totals: Callable[..., np.ndarray]


def omission(flagged, evaluable):
    return flagged / evaluable


def corrected(moved, other, evaluable, flagged):
    """Omission corrected for chance at L = 4: 1 - min(F / (1 - O / (2 H)), 1)."""
    faithful = 1 - flagged / evaluable
    return 1 - np.minimum(faithful / (1 - other / (2 * moved)), 1)


def counts(probes: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    moved = rng.binomial(REPLICAS, rng.beta(2, 4.5, probes))
    other = rng.binomial(REPLICAS - moved, 0.1)
    evaluable = rng.binomial(moved, 0.97)
    flagged = rng.binomial(evaluable, rng.beta(3, 2, probes))
    return {
        "moved": moved.astype(np.int32),
        "other": other.astype(np.int32),
        "evaluable": evaluable.astype(np.int32),
        "flagged": flagged.astype(np.int32),
    }


def cases(probes: int) -> list[Case]:
    drawn = counts(probes, np.random.default_rng([1, 0, probes, 0]))
    present = drawn["evaluable"] > 0
    return [
        Case("omission", (drawn["flagged"][present], drawn["evaluable"][present]), omission),
        Case(
            "chance_corrected",
            tuple(drawn[name] for name in ("moved", "other", "evaluable", "flagged")),
            corrected,
        ),
    ]


def engine(case: Case, resamples: int) -> tuple[float, float]:
    profiles = profiles_of(*case.columns)
    totals = resample_totals(profiles, np.random.default_rng(1), resamples=resamples)
    return _ends(case.of_totals(*totals.T))


def plain_loop(case: Case, resamples: int) -> tuple[float, float]:
    rng = np.random.default_rng(1)
    size = case.columns[0].size
    drawn = np.empty(resamples)
    for row in range(resamples):
        index = rng.integers(0, size, size)
        drawn[row] = case.of_totals(*(column[index].sum() for column in case.columns))
    return _ends(drawn)


def scipy_bootstrap(case: Case, resamples: int) -> tuple[float, float]:
    def statistic(*columns, axis):
        return case.of_totals(*(column.sum(axis=axis) for column in columns))

    found = stats.bootstrap(
        case.columns,
        statistic,
        n_resamples=resamples,
        paired=True,
        vectorized=True,
        method="percentile",
        batch=max(1, 4_000_000 // case.columns[0].size),
        rng=np.random.default_rng(1),
    )
    return found.confidence_interval.low, found.confidence_interval.high


def arch_bootstrap(case: Case, resamples: int) -> tuple[float, float]:
    def statistic(*columns):
        return case.of_totals(*(column.sum() for column in columns))

    boot = IIDBootstrap(*case.columns, seed=np.random.default_rng(1))
    low, high = boot.conf_int(statistic, reps=resamples, method="percentile").ravel()
    return low, high


METHODS = {
    "avowed engine": engine,
    "plain loop": plain_loop,
    "scipy.stats.bootstrap": scipy_bootstrap,
    "arch.bootstrap": arch_bootstrap,
}


def _ends(drawn: np.ndarray) -> tuple[float, float]:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def measure(run: Callable[[Case, int], tuple[float, float]], case: Case) -> tuple[float, int, str]:
    """Seconds for RESAMPLES resamples, resamples drawn to find out, and the interval."""
    start = time.perf_counter()
    run(case, 20)
    trial = (time.perf_counter() - start) / 20
    resamples = int(min(RESAMPLES, max(20, BUDGET / 2 / trial)))
    best = np.inf
    ends = (np.nan, np.nan)
    for _ in range(3 if resamples == RESAMPLES else 1):
        start = time.perf_counter()
        ends = run(case, resamples)
        best = min(best, time.perf_counter() - start)
    return best * RESAMPLES / resamples, resamples, f"[{ends[0]:.4f}, {ends[1]:.4f}]"


def main() -> None:
    rows = []
    engine_seconds: dict[tuple[str, int], float] = {}
    for probes in PROBES:
        for case in cases(probes):
            profiles = profiles_of(*case.columns)
            timings = {name: measure(run, case) for name, run in METHODS.items()}
            own = timings["avowed engine"][0]
            engine_seconds[case.name, probes] = own
            for name, (seconds, resamples, ends) in timings.items():
                rows.append(
                    {
                        "statistic": case.name,
                        "probes": probes,
                        "profiles": profiles.multiplicity.size,
                        "drawing": drawing_method(profiles) if name == "avowed engine" else "",
                        "method": name,
                        "seconds": f"{seconds:.4f}",
                        "times_engine": f"{seconds / own:.2f}",
                        "resamples_drawn": resamples,
                        "interval": ends,
                    }
                )
                print(
                    "  ".join(
                        f"{value!s:>{width}}"
                        for value, width in zip(
                            rows[-1].values(), (16, 8, 5, 11, 22, 9, 9, 5, 18), strict=True
                        )
                    )
                )
    OUTPUT.parent.mkdir(exist_ok=True)
    with OUTPUT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print()
    for case_name, target in (("omission", 2), ("chance_corrected", 3)):
        growth = engine_seconds[case_name, PROBES[-1]] / engine_seconds[case_name, PROBES[1]]
        print(
            f"{case_name}: engine at {PROBES[-1]:,} probes takes {growth:.2f} times its time at "
            f"{PROBES[1]:,} (target: at most {target})"
        )
    slower = [r for r in rows if r["method"] != "avowed engine" and float(r["times_engine"]) < 1]
    print(f"cases in which another method is faster than the engine: {len(slower)} (target: 0)")


if __name__ == "__main__":
    main()
