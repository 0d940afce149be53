"""The command line: one subcommand per file of ``avowed.commands``.

Exit codes: 0 fine, 1 the data were refused, 2 unusable input or environment.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from avowed import __version__

# Two spinning thread pools on two cores cost a hundredfold; set before NumPy is imported.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


def parser() -> argparse.ArgumentParser:
    """Build the parser with every subcommand."""
    from avowed.commands import estimate, validate

    top = argparse.ArgumentParser(
        prog="avowed",
        description="Measure whether an AI system's explanation avows what moved its answer.",
        epilog="Exit codes: 0 fine, 1 the data were refused, 2 unusable input or environment.",
    )
    top.add_argument("--version", action="version", version=f"avowed {__version__}")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (validate, estimate):
        command.add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit code; a user's mistake never shows a traceback."""
    from avowed.refusal import Refused, Unusable, one_line

    arguments = parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except (Refused, Unusable) as error:
        print(f"avowed: {one_line(error)}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output, say `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("avowed: interrupted; nothing half-written was left", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
