"""Inputs of a use case: encoded, generated from a seed, written and read (NS 3.1, appendix B)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avowed.atomic import atomic_path
from avowed.factors.usecase import UseCase
from avowed.refusal import Refused, Unusable
from avowed.regular_file import read_regular
from avowed.stats.seeds import Study, generator, name_id
from avowed.strict_json import refuse_constant, unfit

#: The code of a category without a segment in the prompt.
ABSENT = -1

#: The code of a field whose value is [UNKNOWN].
BLANK = -2


@dataclass(frozen=True)
class Inputs:
    """I inputs with F features, as whole numbers.

    Attributes:
        ids: I names, each once.
        codes: (I, F), the position of the value, or of the expression, in its feature's pool;
            ABSENT where the category is not in the prompt; BLANK where the value is [UNKNOWN].
        base: (I,), the position of the base request; zeros for a profile.

    >>> one = Inputs(("a",), np.array([[0, ABSENT, 2]], np.int16), np.zeros(1, np.int16))
    >>> one.active.tolist()
    [[True, False, True]]
    """

    ids: tuple[str, ...]
    codes: NDArray[np.int16]
    base: NDArray[np.int16]

    @property
    def active(self) -> NDArray[np.bool_]:
        """(I, F), whether the feature is present in the input (NS 3.5)."""
        return self.codes >= 0


def generate_inputs(case: UseCase, *, seed: int) -> Inputs:
    """Draw ``case.samples`` inputs; the same bytes for the same use case and seed.

    Profile: every field uniformly from its pool, independently of the others, so that influence of
    one field is not mixed with that of another. Each field has a random stream of its own: a new
    field or a longer pool leaves the other fields as they were.
    Segments: the numbers of active categories occur equally often (half of the prompts with three
    and half with four for ``[3, 4]``), as do the base requests; the categories are a uniformly
    random set of that size and the expression of each is drawn uniformly.

    Args:
        case: the use case.
        seed: the root seed, in [0, 2**32).

    Returns:
        Inputs with ids such as ``client-001``.
    """
    count, features = case.samples, len(case.features)
    width = max(3, len(str(count)))
    ids = tuple(f"{case.input_name}-{number:0{width}d}" for number in range(1, count + 1))
    codes = np.empty((count, features), np.int16)
    for position, feature in enumerate(case.features):
        draws = _stream(seed, case, feature.key)
        codes[:, position] = draws.integers(len(feature.values), size=count)
    base = np.zeros(count, np.int16)
    if case.kind == "segments":
        draws = _stream(seed, case, "")
        least, most = case.active
        sizes = draws.permutation(np.resize(np.arange(least, most + 1), count))
        # The order of independent uniform numbers is a uniformly random permutation per prompt.
        order = draws.random((count, features)).argsort(axis=1)
        codes[order >= sizes[:, None]] = ABSENT
        base = draws.permutation(np.resize(np.arange(len(case.bases)), count)).astype(np.int16)
    return Inputs(ids, codes, base)


def write_inputs(path: Path, case: UseCase, inputs: Inputs) -> None:
    """Write one JSON object per line, values as text; byte-identical for the same inputs.

    A profile is ``{"id": ..., "values": {key: value}}``, a prompt
    ``{"id": ..., "base": text, "segments": {key: expression}}``. Unlike positions, texts keep
    their meaning when a pool is put into another order.
    """
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        for name, codes, base in zip(inputs.ids, inputs.codes, inputs.base, strict=True):
            texts = {
                feature.key: feature.values[code]
                for feature, code in zip(case.features, codes.tolist(), strict=True)
                if code >= 0
            }
            row = (
                {"id": name, "values": texts}
                if case.kind == "profile"
                else {"id": name, "base": case.bases[base], "segments": texts}
            )
            out.write(f"{json.dumps(row, ensure_ascii=False)}\n")


def read_inputs(path: Path, case: UseCase) -> Inputs:
    """Read inputs as `write_inputs` writes them, or as a user wrote them.

    Raises:
        Unusable: the file cannot be read, or a line is not JSON.
        Refused: a line breaks the form, an id stands twice, a key or text is not in the use case, a
            field is missing, or the number of segments is outside ``case.active``; the message
            names file, line, field, value and rule.
    """
    try:
        lines = read_regular(path).split(b"\n")
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}; name another") from None
    lookup = [{text: code for code, text in enumerate(one.values)} for one in case.features]
    rows = {number: line for number, line in enumerate(lines, start=1) if line.strip()}
    if not rows:
        raise Refused(f"{path}: found no input; expected one JSON object per line; add some")
    ids: dict[str, int] = {}
    codes = np.full((len(rows), len(case.features)), ABSENT, np.int16)
    base = np.zeros(len(rows), np.int16)
    for position, (number, line) in enumerate(rows.items()):
        row = _parsed(path, number, line)
        name = _checked_form(path, number, row, case)
        if name in ids:
            raise _refused(path, number, "id", name, f"every id once (line {ids[name]} has it)")
        ids[name] = number
        for key, text in row[_TEXTS[case.kind]].items():
            field = f"{_TEXTS[case.kind]}.{key}"
            if key not in case.keys:
                raise _refused(path, number, field, key, f"one of {', '.join(case.keys)}")
            feature = case.index(key)
            if not isinstance(text, str) or text not in lookup[feature]:
                raise _refused(path, number, field, text, f"a value of {key} in the use case")
            codes[position, feature] = lookup[feature][text]
        _checked_count(path, number, codes[position], case)
        if case.kind == "segments":
            if row["base"] not in case.bases:
                raise _refused(path, number, "base", row["base"], "a base of the use case")
            base[position] = case.bases.index(row["base"])
    return Inputs(tuple(ids), codes, base)


_TEXTS: Mapping[str, str] = {"profile": "values", "segments": "segments"}


def _stream(seed: int, case: UseCase, part: str) -> np.random.Generator:
    return generator(seed, Study.FACTOR_INPUTS, name_id(case.name), name_id(part))


def _refused(path: Path, line: int, field: str, found: Any, expected: str) -> Refused:
    return Refused(
        f"{path}, line {line}, field {field}: found {found!r}; expected {expected}; correct it"
    )


def _parsed(path: Path, number: int, line: bytes) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise _refused(path, number, key, key, "every key once")
        return dict(pairs)

    try:
        row = json.loads(line, object_pairs_hook=once, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{path}, line {number} is not JSON ({error}); correct it") from None
    if found := unfit(row):
        raise Refused(f"{path}, line {number}, field {found[0] or '(all)'}: {found[1]}")
    return row


def _checked_form(path: Path, number: int, row: Any, case: UseCase) -> str:
    """The id of a line whose fields and types are as they must be."""
    fields = ("id", "values") if case.kind == "profile" else ("id", "base", "segments")
    shown = ", ".join(fields)
    if not isinstance(row, dict) or sorted(row) != sorted(fields):
        found = ", ".join(row) if isinstance(row, dict) else row
        raise _refused(path, number, "(all)", found, f"an object with the fields {shown}")
    texts = _TEXTS[case.kind]
    if not isinstance(row[texts], dict):
        raise _refused(path, number, texts, row[texts], "an object from keys to texts")
    if not isinstance(row["id"], str) or not row["id"].strip():
        raise _refused(path, number, "id", row["id"], "a text that is not empty")
    return row["id"]


def _checked_count(path: Path, number: int, codes: NDArray[np.int16], case: UseCase) -> None:
    if case.kind == "profile":
        for key, code in zip(case.keys, codes.tolist(), strict=True):
            if code < 0:
                raise _refused(path, number, f"values.{key}", None, "a value of every field")
        return
    least, most = case.active
    count = int((codes >= 0).sum())
    if not least <= count <= most:
        raise _refused(path, number, "segments", count, f"from {least} to {most} segments")
