"""Run every benchmark in turn; each prints its own table. ``make benchmark`` calls this."""

import runpy
from pathlib import Path

BENCHMARKS = ("bootstrap_engine.py", "validate_million.py", "coverage_study.py")

if __name__ == "__main__":
    for name in BENCHMARKS:
        print(f"== {name}", flush=True)
        runpy.run_path(str(Path(__file__).with_name(name)), run_name="__main__")
        print(flush=True)
