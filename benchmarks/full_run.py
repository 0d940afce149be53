"""A full run from clean on two cores, and a second one that should find nothing to do.

The run is that of ``make reproduce`` after set-up, in a copy of the repository in a temporary
folder, from the coded answers, so that no network is measured. Wall-clock seconds are what a user
waits for; processor seconds stand beside them, because they hold on a shared machine too. The time
of a rule is that of all its jobs together, as Snakemake's benchmark files have it. Usage:

    python benchmarks/full_run.py [--cores N] [--slowest N]

Exits 1 when a run fails, or when the second one has something to do.
"""

import argparse
import csv
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from avowed.present.page_run import rule_times

REPOSITORY = Path(__file__).parents[1]
OUTPUT = Path(__file__).parent / "output" / "full_run.csv"
# What a copy of an unpacked archive leaves out; a checkout knows better.
GENERATED = shutil.ignore_patterns(
    ".git", ".venv*", ".snakemake", "__pycache__", "*.egg-info", ".*_cache", "results", "raw"
)
NOTHING = "Nothing to be done"
CORES = 2
#: How many rules are printed; all of them stand in the file.
SLOWEST = 10
#: Wall-clock seconds of the two runs that the project asks of itself.
TARGET_FIRST, TARGET_SECOND = 90.0, 5.0


@dataclass(frozen=True)
class Run:
    """One run: exit code, what stood on the terminal, and the seconds that it took."""

    code: int
    said: str
    seconds: float
    processor_seconds: float

    @property
    def jobs(self) -> int:
        """The jobs that Snakemake counted, `all` left out."""
        total = re.search(r"^total +(\d+)$", self.said, re.MULTILINE)
        return int(total[1]) - 1 if total else 0

    @property
    def idle(self) -> bool:
        """There was nothing to do."""
        return self.code == 0 and NOTHING in self.said


def copy_repository(target: Path) -> None:
    """Copy what is under version control or could be; in an unpacked archive, all but results."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listing = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    names = listing.stdout.rstrip("\0").split("\0") if listing.returncode == 0 else []
    if "Snakefile" not in names:
        shutil.copytree(REPOSITORY, target, ignore=GENERATED, dirs_exist_ok=True)
        return
    for name in names:
        if (REPOSITORY / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, target / name)


def run(folder: Path, cores: int) -> Run:
    """Run the workflow as ``make reproduce`` does, and take the time."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AVOWED_", "SNAKEMAKE_"))
    }
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment |= dict.fromkeys(threads, "1") | {"AVOWED_SOURCE": "coded"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", str(cores)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(done.returncode, done.stdout, seconds, processor)


def against(seconds: float, target: float) -> str:
    verdict = "met" if seconds < target else "missed"
    return f"{seconds:.1f} s (target: under {target:g} s; {verdict})"


def report_rules(benchmarks: Path, slowest: int) -> None:
    """Write the time of every rule, and print those that take longest."""
    rows = [
        {
            "rule": one.rule,
            "jobs": one.jobs,
            "seconds": f"{one.seconds:.2f}",
            "peak_mb": "" if one.memory is None else f"{one.memory:.0f}",
        }
        for one in rule_times(benchmarks)
    ]
    OUTPUT.parent.mkdir(exist_ok=True)
    with OUTPUT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["rule", "jobs", "seconds", "peak_mb"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"\nThe {min(slowest, len(rows))} slowest of {len(rows)} rules, all jobs together:")
    for row in rows[:slowest]:
        print(f"{row['seconds']:>9} s {row['peak_mb']:>6} MB  {row['rule']} ({row['jobs']})")


def main() -> int:
    parser = argparse.ArgumentParser(description="Time of a full run and of a second one.")
    parser.add_argument("--cores", type=int, default=CORES)
    parser.add_argument("--slowest", type=int, default=SLOWEST, help="how many rules are printed")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        copy_repository(folder)
        first = run(folder, args.cores)
        if first.code != 0:
            print(first.said, file=sys.stderr)
            print(f"the run from clean ended with exit code {first.code}", file=sys.stderr)
            return 1
        second = run(folder, args.cores)
        print(f"Full run from clean, {args.cores} cores: {against(first.seconds, TARGET_FIRST)}")
        print(f"    {first.processor_seconds:.1f} processor seconds, {first.jobs} jobs")
        print(f"Second run: {against(second.seconds, TARGET_SECOND)}")
        print(f"    {NOTHING}" if second.idle else f"    {second.jobs} jobs were left to do")
        print("(targets: issue 4 of the project, on two cores after set-up; wall-clock seconds)")
        report_rules(folder / "results" / "benchmarks", args.slowest)
    if not second.idle:
        print(second.said, file=sys.stderr)
        print("the second run should have nothing to do", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
