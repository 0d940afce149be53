"""The command line: one subcommand per file of ``avowed.commands``.

Exit codes: 0 fine, 1 the data were refused, 2 unusable input or environment.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from avowed import __version__

# Two spinning thread pools on two cores cost a hundredfold; set before NumPy is imported.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


def parser() -> argparse.ArgumentParser:
    """Build the parser with every subcommand."""
    from avowed.commands import (
        calibrate,
        compare,
        doctor,
        estimate,
        factors,
        import_,
        plan,
        report,
        simulate,
        validate,
    )

    top = argparse.ArgumentParser(
        prog="avowed",
        description="Measure whether an AI system's explanation avows what moved its answer.",
        epilog="Exit codes: 0 fine, 1 the data were refused, 2 unusable input or environment.",
    )
    top.add_argument("--version", action="version", version=f"avowed {__version__}")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (
        import_,
        validate,
        doctor,
        estimate,
        report,
        calibrate,
        compare,
        plan,
        simulate,
        factors,
    ):
        command.add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit code; a user's mistake never shows a traceback."""
    from avowed.refusal import Refused, Unusable, one_line

    if sys.stdout is None:
        print("avowed: unusable: standard output is closed", file=sys.stderr)
        return Unusable.exit_code
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character shows its escape instead of ending the program.
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = parser().parse_args(argv)
    try:
        code = int(arguments.run(arguments))
        sys.stdout.flush()
        return code
    except (Refused, Unusable) as error:
        print(f"avowed: {one_line(error)}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output, say `head`, has seen enough.
        _abandon_output()
        return 0
    except OSError as error:
        # What the system refuses (no space, no permission, a name too long) is no verdict on data.
        _abandon_output()
        where = f"{error.filename}: " if error.filename else ""
        print(f"avowed: {one_line(Unusable(f'{where}{error.strerror}'))}", file=sys.stderr)
        return Unusable.exit_code
    except KeyboardInterrupt:
        print("avowed: interrupted; nothing half-written was left", file=sys.stderr)
        return 2


def _abandon_output() -> None:
    """Send what is still buffered nowhere, so that the exit does not fail over it again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        # Captured output has no descriptor, and then nothing is flushed at exit either.
        return


if __name__ == "__main__":
    sys.exit(main())
