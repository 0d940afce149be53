"""Records of making: what stands beside a result, and whether the result is still the one.

A record (``*.made.json``) holds the root seed that a job ran with, null where nothing depends on
it, and for each file the SHA-256 and, for text, a short hash of every line. Standard library only.
"""

import csv
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from verification.files import read_bytes, read_json

# Fields of a changed row that are shown, so that it can be found.
SHOWN_FIELDS = 4
# Changed rows named per file; the rest is counted.
SHOWN_ROWS = 10
# Up to here lines are aligned, which takes time that grows with the square of their number.
MANY_LINES = 1000
LEFT_OVER = "left over, not verified"


def line_hashes(content: bytes) -> list[str]:
    """The first 16 hexadecimal digits of each line's SHA-256; lines end at the newline byte."""
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [hashlib.sha256(line).hexdigest()[:16] for line in lines]


def named_line(path: Path, number: int, line: bytes) -> str:
    """A line of a file as a reader finds it: number, and the fields that say what it is about."""
    text = line.decode("utf-8", errors="replace")
    shown = text.strip()[:60]
    if path.suffix == ".csv":
        try:
            (fields,) = csv.reader([text]) if text else ([],)
            shown = ", ".join(fields[:SHOWN_FIELDS])
        except (csv.Error, ValueError):
            pass  # No row of a table any more; then it is shown as it stands.
    return f"{path}, line {number} ({shown})"


def _same_at_the_start(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines two files share before they first differ."""
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return number
    return min(len(one), len(other))


def changed_lines(path: Path, recorded: Sequence[str], content: bytes) -> Iterator[str]:
    """The lines of a file that are not the ones that were written."""
    found, lines = line_hashes(content), content.split(b"\n")
    start = _same_at_the_start(recorded, found)
    before, now = recorded[start:], found[start:]
    end = _same_at_the_start(before[::-1], now[::-1])
    before, now = before[: len(before) - end], now[: len(now) - end]
    many = max(len(before), len(now)) > MANY_LINES
    for first, last, missing in (_by_number if many else _aligned)(before, now):
        for number in range(start + first + 1, start + last + 1):
            named = named_line(path, number, lines[number - 1])
            yield f"{named} is not the line that was written"
        if missing > 0:
            where = f"before line {start + last + 1}"
            yield f"{path}: {missing} lines that were written {where} are gone"


def _aligned(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where lines differ: first and last of those that stand there, and how many more stood."""
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for tag, begin, stop, first, last in matcher.get_opcodes():
        if tag != "equal":
            yield first, last, (stop - begin) - (last - first)


def _by_number(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The same in one pass: line by line if none is missing, else lines that stood nowhere."""
    if len(before) == len(now):
        changed = [n for n, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
        yield from ((number, number + 1, 0) for number in changed)
        return
    left = Counter(before)
    for number, line in enumerate(now):
        left[line] -= 1
        if left[line] < 0:
            yield number, number + 1, 0
    yield len(now), len(now), len(before) - len(now)


def check_file(path: Path, described: Mapping[str, Any]) -> Iterator[str]:
    """Why a file is not the one that its record describes.

    Raises:
        Unusable: it is there and cannot be read.
    """
    if not path.is_file():
        yield f"{path} is gone; it was written by the run"
        return
    content = read_bytes(path)
    if hashlib.sha256(content).hexdigest() == described["sha256"]:
        return
    lines = list(changed_lines(path, described["lines"], content)) if "lines" in described else []
    if not lines:
        yield f"{path} is not the file that was written (its SHA-256 differs)"
        return
    yield from lines[:SHOWN_ROWS]
    if len(lines) > SHOWN_ROWS:
        yield f"{path}: {len(lines) - SHOWN_ROWS} more lines differ"


def _is_file_entry(name: str, content: Any) -> bool:
    """Whether an entry of a record names a file and says which bytes and lines it has."""
    if not (name and name.isprintable() and isinstance(content, dict)):
        return False
    lines = content.get("lines", [])
    return (
        isinstance(content.get("sha256"), str)
        and isinstance(lines, list)
        and all(isinstance(line, str) for line in lines)
    )


def read_record(path: Path) -> dict[str, Any] | None:
    """A record of making, or nothing when the file is something else.

    Raises:
        Unusable: it cannot be read or is not JSON.
    """
    described = read_json(path)
    if not isinstance(described, dict) or not {"seed", "files"} <= described.keys():
        return None
    files = described["files"]
    if not isinstance(files, dict) or not files:
        return None
    return described if all(_is_file_entry(*entry) for entry in files.items()) else None


def _same_seed(made_with: Any, seed: int) -> bool:
    """Whether a job ran with this seed, or with none; true is not 1 here."""
    return made_with is None or (made_with == seed and not isinstance(made_with, bool))


def check_record(record: Path, *, seed: int | None) -> Iterator[str]:
    """Why the files of one record of making do not pass.

    Args:
        record: The record.
        seed: The root seed of the configuration that ran; None leaves the record's open.
    """
    described = read_record(record)
    if described is None:
        yield f"{record} is not a record of making; remove it and run again"
        return
    files, made_with = described["files"], described["seed"]
    if seed is not None and not _same_seed(made_with, seed):
        named = ", ".join(sorted(files))
        yield (
            f"{record}: seed is {made_with}, the configuration that ran says {seed} ({named}); "
            "run again, or remove them if they are left over from an earlier run"
        )
    for name, content in sorted(files.items()):
        yield from check_file(Path(name), content)


def files_of(records: Iterable[Path]) -> set[str]:
    """Every file that one of the records names."""
    found = (read_record(record) for record in records)
    return {name for described in found if described for name in described["files"]}


def beside(records: Iterable[Path], folder: Path) -> list[Path]:
    """Records in a folder of tables that the run did not ask for."""
    asked = {record.resolve() for record in records}
    return sorted(path for path in folder.glob("*.made.json") if path.resolve() not in asked)


def left_over(records: Sequence[Path], folder: Path, *, seed: int) -> dict[str, str]:
    """Files of an earlier run that stayed: nobody recomputes them, and they are named as such.

    Args:
        records: Records of making that the run asked for.
        folder: The folder of the tables.
        seed: The root seed of the configuration that ran.

    Returns:
        File -> ``left over, not verified``, with the seed it was made with where that is another.
    """
    asked = files_of(records)
    found = {}
    for record in beside(records, folder):
        described = read_record(record)
        for name in sorted(described["files"]) if described else ():
            if name not in asked:
                made_with = described["seed"] if described else None
                other = "" if _same_seed(made_with, seed) else f" (made with seed {made_with})"
                found[name] = f"{LEFT_OVER}{other}"
    return found


def uncovered(
    records: Sequence[Path], folder: Path | None, *, asked_for: Iterable[str] = ()
) -> Iterator[str]:
    """Files that no record describes: someone else put them there, or removed the record.

    Args:
        records: Records of making that the run asked for.
        folder: A folder in which every table needs a record, if only one of an earlier run.
        asked_for: Files that need a record that the run asked for.
    """
    named = files_of(records)
    for name in sorted(set(asked_for) - named):
        yield f"{name} is in no record of making that the run asked for; make it again"
    if folder is None:
        return
    named |= files_of(beside(records, folder)) | set(asked_for)
    for path in sorted(folder.glob("*.csv")):
        if path.as_posix() not in named:
            yield f"{path} has no record of making beside it; remove it or make it again"
