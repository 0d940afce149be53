"""Two ways to stop without a traceback: data refused (exit 1) and input unusable (exit 2)."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class _Stop(Exception):  # noqa: N818 - the subclasses are named after what happened to the data
    """What both verdicts share: an exit code and the word that opens the message."""

    exit_code: int
    verdict: str


class Refused(_Stop):
    """The data were read and are not accepted: a broken rule, a wrong hash. Exit code 1.

    Example:
        >>> raise Refused("records.parquet, row 3: ...")
        Traceback (most recent call last):
        avowed.refusal.Refused: records.parquet, row 3: ...
    """

    exit_code = 1
    verdict = "refused"


class Unusable(_Stop):
    """The input cannot be read as what it should be, or is not there at all. Exit code 2.

    Example:
        >>> Unusable("no such folder").exit_code
        2
    """

    exit_code = 2
    verdict = "unusable"


def one_line(error: Refused | Unusable) -> str:
    """Return the verdict and the message of ``error`` on one line.

    Example:
        >>> one_line(Unusable("broken JSON\\nat byte 7"))
        'unusable: broken JSON at byte 7'
    """
    return f"{error.verdict}: {' '.join(str(error).split())}"


@contextmanager
def reported(log_path: Path) -> Iterator[Callable[[str], None]]:
    """Run a script's body; turn a refusal into one line and an exit code.

    Snakemake's ``log:`` does not redirect anything by itself, so what a user has to know goes to
    the rule's log and to the terminal (standard error) both.

    Args:
        log_path: The rule's log file; begun anew, so that it never shows an older run.

    Yields:
        A function that writes one line to the log and to standard error.

    Raises:
        SystemExit: With code 1 for `Refused` and 2 for `Unusable`. Anything else is a defect of the
            program, is not caught, and shows its traceback.

    Example:
        >>> import tempfile
        >>> log = Path(tempfile.mkdtemp()) / "rule.log"
        >>> with reported(log) as say:
        ...     say("source: mirror")
        >>> log.read_text()
        'source: mirror\\n'
    """
    log_path.parent.mkdir(parents=True, exist_ok=True)
    log_path.write_text("", encoding="utf-8")

    def say(line: str) -> None:
        # A message shows what was found, which need not be text.
        with log_path.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"{line}\n")
        print(line, file=sys.stderr, flush=True)

    try:
        yield say
    except (Refused, Unusable) as error:
        say(one_line(error))
        sys.exit(error.exit_code)
