"""Feed the readers of `avowed import` damaged files until one of them does what it must not.

Every input has to give a table with the values of the file, or one line that refuses it: no
traceback, no crash, no hang, no memory without bound, no wrong table (tests/fuzz/oracle.py). If
`atheris` can be imported, it chooses the inputs by the code they reach, starting from valid files;
otherwise, or with ``--engine own``, they come from the seeded mutations of tests/fuzz/inputs.py.
Usage:

    python benchmarks/fuzz_readers.py [--inputs N] [--engine own|atheris] [--seed S] [--crash FILE]

Exit code 1 at the first failure; the input that caused it is then in FILE.
"""

import argparse
import faulthandler
import importlib.util
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
sys.path[:0] = [str(REPOSITORY / "src"), str(REPOSITORY / "tests")]

#: Seconds that one input may take, and MiB that all of a process's inputs may take.
PATIENCE = 30
MEMORY = 1536

#: Valid files from which atheris starts, per kind.
SEEDS = 60


def run_own(kind: str, inputs: int, seed: int, folder: Path) -> None:
    """Try seeded inputs of one kind in this process; the last one stands in the folder."""
    from fuzz.inputs import case
    from fuzz.oracle import check

    counts: Counter[str] = Counter()
    for number in range(inputs):
        data = case(kind, random.Random(f"{seed}-{kind}-{number}"))
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            table = check(kind, data, folder)
        finally:
            faulthandler.cancel_dump_traceback_later()
        counts["refused" if table is None else "read"] += 1
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        if used > MEMORY:
            raise MemoryError(f"input {number} of {kind}: {used} MiB")
    print(f"{kind}: {inputs} inputs, {counts['read']} read, {counts['refused']} refused")


def run_atheris(kind: str, inputs: int, seed: int, folder: Path) -> None:
    """Let atheris try inputs of one kind in this process; it ends the process itself."""
    import atheris

    # Only what is imported here shows atheris which lines an input reaches.
    with atheris.instrument_imports(include=["avowed.importing", "avowed.strict_json"]):
        from fuzz.oracle import check

        import avowed.importing.readers.inspect_log
        import avowed.importing.readers.parquet  # noqa: F401 - imported only where used, else
    from fuzz.inputs import valid

    corpus = folder / "corpus"
    corpus.mkdir()
    for number in range(SEEDS):
        data = valid(kind, random.Random(f"{seed}-{kind}-{number}"))
        (corpus / f"{number}").write_bytes(data)
    counts: Counter[str] = Counter()

    def one_input(data: bytes) -> None:
        # What leaves this function as an exception ends the run.
        counts["refused" if check(kind, data, folder) is None else "read"] += 1
        if sum(counts.values()) == inputs:
            total = f"{inputs} inputs, {counts['read']} read, {counts['refused']} refused"
            print(f"{kind}: {total}", flush=True)

    options = (
        f"-runs={inputs + 2}",
        f"-seed={seed}",
        f"-timeout={PATIENCE}",
        f"-rss_limit_mb={MEMORY}",
        "-max_len=20000",
        "-len_control=0",
        "-verbosity=0",
        f"-artifact_prefix={folder}/",
    )
    atheris.Setup([sys.argv[0], *options, str(corpus)], one_input)
    atheris.Fuzz()


def run_kind(kind: str, options: argparse.Namespace, inputs: int, folder: Path) -> int:
    """Try one kind in a process of its own, which a crash or a hang may end."""
    command = [
        *(sys.executable, __file__, "--worker", kind, "--engine", options.engine),
        *("--inputs", str(inputs), "--seed", str(options.seed), "--folder", str(folder)),
    ]
    # The order of sets would change what is reached, and with it all inputs that follow.
    fixed = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    process = subprocess.run(command, env={**os.environ, **fixed}, check=False, cwd=folder)
    return process.returncode


def parsed() -> argparse.Namespace:
    found = "atheris" if importlib.util.find_spec("atheris") else "own"
    parser = argparse.ArgumentParser(description="Fuzz the readers of avowed import.")
    parser.add_argument("--inputs", type=int, default=100_200, help="inputs over all kinds")
    parser.add_argument("--engine", choices=("own", "atheris"), default=found)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crash", type=Path, default=Path("crash.input"), metavar="FILE")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    options = parsed()
    if options.worker:
        run = run_atheris if options.engine == "atheris" else run_own
        try:
            run(options.worker, options.inputs, options.seed, options.folder)
        except Exception:
            traceback.print_exc()
            return 1
        return 0
    from fuzz.oracle import FILES

    print(f"engine: {options.engine}, seed {options.seed}", flush=True)
    begun = time.monotonic()
    each = -(-options.inputs // len(FILES))
    for kind, name in FILES.items():
        with tempfile.TemporaryDirectory() as made:
            code = run_kind(kind, options, each, Path(made))
            if code:
                shutil.copyfile(Path(made) / name, options.crash)
                print(f"{kind}: failed with code {code}; the input is in {options.crash}")
                return 1
    seconds = time.monotonic() - begun
    print(f"all kinds: {each * len(FILES)} inputs in {seconds:.0f} s, no failure")
    return 0


if __name__ == "__main__":
    sys.exit(main())
