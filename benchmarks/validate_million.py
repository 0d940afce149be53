"""Time and memory of `validate` on a delivery of a million records, Parquet and JSON lines.

The delivery is written by the library into a temporary folder; each validation runs in a process of
its own, so that its peak memory is its own. Usage:

    python benchmarks/validate_million.py [--records N]
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from avowed.pairs.delivery import RecordFormat, write_delivery
from avowed.pairs.header import DeliveryHeader, coverage_of
from avowed.pairs.outcome import OUTCOME_CODE, outcome_codes, outcome_names
from avowed.pairs.record import ARROW_SCHEMA, LabelSource, Outcome, PhiSource

REPLICAS = 8
HINT_TYPES = ("suggested_answer", "answer_is_always_a")
THRESHOLD = 0.5
FORMATS: tuple[RecordFormat, ...] = ("parquet", "jsonl")


def records(n: int, rng: np.random.Generator) -> pa.Table:
    """Valid records with all outcomes, ungraded ones included; `n` a multiple of the replicas."""
    probe, replica = np.divmod(np.arange(n), REPLICAS)
    options = rng.integers(3, 6, size=n // REPLICAS + 1)[probe]
    correct = np.zeros(n, dtype=np.int64)
    hint = np.ones(n, dtype=np.int64)
    a0, a1 = (np.where(rng.random(n) < 0.02, -1, rng.integers(0, options)) for _ in range(2))
    outcome = outcome_codes(a0, a1, hint)
    is_h = outcome == OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
    is_u = outcome == OUTCOME_CODE[Outcome.NOT_EVALUABLE]
    failed = is_h & (rng.random(n) < 0.05)
    phi = np.round(rng.random(n), 6)
    label = np.where(phi >= THRESHOLD, "faithful", "unfaithful").astype(object)
    reason = np.where(is_u, "extraction_failed", "judge_unavailable").astype(object)
    no_label = ~is_h | failed
    probes = [f"question-{i:06d}" for i in probe]
    return pa.table(
        {
            "session_id": [f"session-{i % 977:04d}-{i:06d}" for i in probe],
            "probe_id": probes,
            "replica": replica,
            "baseline_half_id": [f"{i}/{j}/baseline" for i, j in zip(probe, replica, strict=True)],
            "hinted_half_id": [f"{i}/{j}/hinted" for i, j in zip(probe, replica, strict=True)],
            "baseline_conversation": [f"conversations/{i}-baseline.txt" for i in probe],
            "hinted_conversation": [f"conversations/{i}-hinted.txt" for i in probe],
            "hint_type": [HINT_TYPES[i % 2] for i in probe],
            "risk_family": ["sycophancy"] * n,
            "n_options": options,
            "correct_answer": correct,
            "hint_answer": hint,
            "baseline_answer": pa.array(a0, mask=a0 < 0),
            "hinted_answer": pa.array(a1, mask=a1 < 0),
            "outcome": outcome_names(outcome),
            "baseline_correct": pa.array(a0 == correct, mask=a0 < 0),
            "hinted_correct": pa.array(a1 == correct, mask=a1 < 0),
            "judge_applied": is_h,
            "judge_label": pa.array(label, mask=no_label, type=pa.string()),
            "judge_phi": pa.array(phi, mask=no_label),
            "judge_evidence": pa.array(
                ["the option you suggested"] * n, mask=no_label, type=pa.string()
            ),
            "fresh_session": np.ones(n, dtype=bool),
            "reason_not_evaluable": pa.array(reason, mask=~(is_u | failed), type=pa.string()),
        }
    ).cast(ARROW_SCHEMA)


def header_of(table: pa.Table) -> DeliveryHeader:
    return DeliveryHeader(
        planned_replicas=REPLICAS,
        hint_types=HINT_TYPES,
        hint_channel="user_message",
        phi_source=PhiSource.VOTE_FRACTION,
        label_source=LabelSource.THRESHOLD,
        label_threshold=THRESHOLD,
        coverage=coverage_of(table, hint_types=HINT_TYPES),
    )


def measure(folder: Path) -> dict[str, float]:
    """Validate in this process and report what it took; called in a process of its own."""
    from avowed.pairs.rules import validate

    started = time.perf_counter()
    report = validate(folder)
    seconds = time.perf_counter() - started
    if not report.accepted:
        raise SystemExit(f"the benchmark's delivery was rejected: {report.violations.by_rule()}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kilobytes on Linux, bytes on macOS.
    scale = 1 if sys.platform == "darwin" else 1024
    return {"records": report.records, "seconds": seconds, "peak_mib": peak * scale / 2**20}


def write(folder: Path, n: int) -> None:
    """Write the same records once in each format, below `folder`."""
    table = records(n - n % REPLICAS, np.random.default_rng([20260101, 1, 0, 0]))
    for record_format in FORMATS:
        write_delivery(folder / record_format, header_of(table), table, format=record_format)


def in_own_process(task: str, folder: Path, n: int) -> str:
    """Run one task in a fresh interpreter.

    This process must stay small: on Linux a child's peak memory starts at that of its parent.
    """
    command = [sys.executable, __file__, "--records", str(n), "--task", task, "--folder", folder]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of validating a large delivery.")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--task", choices=("write", "measure"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.task == "write":
        write(args.folder, args.records)
        return
    if args.task == "measure":
        print(json.dumps(measure(args.folder)))
        return
    print(f"{'format':<10} {'records':>10} {'file MiB':>9} {'seconds':>8} {'peak MiB':>9}")
    with tempfile.TemporaryDirectory() as temporary:
        in_own_process("write", Path(temporary), args.records)
        for record_format in FORMATS:
            folder = Path(temporary) / record_format
            size = (folder / f"records.{record_format}").stat().st_size / 2**20
            result = json.loads(in_own_process("measure", folder, args.records))
            print(
                f"{record_format:<10} {result['records']:>10} {size:>9.1f} "
                f"{result['seconds']:>8.2f} {result['peak_mib']:>9.0f}"
            )


if __name__ == "__main__":
    main()
