"""Run every benchmark in turn; each prints its own table. ``make benchmark`` calls this."""

import runpy
import sys
from pathlib import Path

BENCHMARKS = ("full_run.py", "bootstrap_engine.py", "validate_million.py", "coverage_study.py")

if __name__ == "__main__":
    failed = []
    for name in BENCHMARKS:
        print(f"== {name}", flush=True)
        try:
            runpy.run_path(str(Path(__file__).with_name(name)), run_name="__main__")
        except SystemExit as stopped:
            # A benchmark that fails does not keep the others from being run.
            if stopped.code:
                failed.append(name)
        print(flush=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
