"""The checks of the ledger, read from ``verification/checks/*.toml``: what is computed for a claim.

A check holds no verdict, only where a number comes from and which relations are tried. Keys:

``claims``      an id, a range ``NS-D.1-01..08`` or a list of these; ``#`` in an expression is the
                place of the claim in the group, from 0
``printed``     "exact" if the printed number is no rounded one; or the step it is rounded to
``value``       the expression for the number; ``lo`` and ``hi`` for a range
``against``     for a claim without a number (a formula): what ``value`` must equal
``take``        results by name: file below results/, ``where`` (column = text), ``column``, ``of``
``example``     shorthand: a number of the worked example (or two), over its repetitions
``population``  shorthand: a number of the worked example that no data set enters
``property``    shorthand: a printed property [name, k, end, truth]; end "both" for a range
``repetitions`` how many repetitions the printed property rests on
``error``       Monte-Carlo error of the difference
``define``      named values, evaluated in order; each counts as one number from then on
``relations``   comparisons with other printed numbers, or searches; a table may hold ``words``, or
                ``example``/``population``/``property`` for a further number of ours
``reading``     in which sense the statement is taken, where its words admit another one
``note``        text; what stands in << >> is computed
``reason``      why there is nothing to compute
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from verification.claims_expressions import CheckError

EXAMPLE, PROPERTY = "tables/worked_example.csv", "tables/estimator_properties.csv"
_RANGE = re.compile(r"((?:HP|NS)-[\w.]+?-)(\d+)\.\.(\d+)")
_TEXT_KEYS = frozenset(
    {
        "printed",
        "value",
        "lo",
        "hi",
        "against",
        "error",
        "note",
        "reading",
        "reason",
        "population",
        "repetitions",
    }
)
_KEYS = _TEXT_KEYS | {"claims", "take", "define", "example", "property", "relations"}
_OURS = frozenset(
    {
        "words",
        "example",
        "population",
        "property",
        "repetitions",
        "take",
        "value",
        "error",
        "define",
    }
)
_PARTS = {"": "value", "_lo": "lo", "_hi": "hi"}
_PICKS = frozenset({"one", "sum", "min", "max", "same", "distinct", "number"})


@dataclass(frozen=True)
class Selector:
    """A number in a results table: the rows that match, a column, and how they become one.

    ``of`` is one (exactly one row), sum, min, max, same (all rows agree), distinct (different
    values; ``before`` cuts the text at its last such mark), or number (of rows).
    """

    file: str
    column: str
    where: Mapping[str, str] = field(default_factory=dict)
    of: str = "one"
    before: str = ""

    def described(self) -> str:
        """The place in words: file, row and column."""
        rows = ", ".join(f"{key} = {value}" for key, value in self.where.items() if value)
        how = "" if self.of == "one" else f"{self.of} of "
        return f"{self.file}: {how}{self.column}" + (f" where {rows}" if rows else "")


@dataclass(frozen=True)
class Computation:
    """Where a number (or the two ends of one) comes from.

    ``errors`` has the Monte-Carlo error of each part (value, or lo and hi); ``repeated`` is our one
    data set where the number is a mean over repetitions; ``label`` names a shorthand's place, and
    ``truth`` the truth that a printed property is held against, where there are several.
    """

    value: str = ""
    lo: str = ""
    hi: str = ""
    against: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    take: Mapping[str, Selector] = field(default_factory=dict)
    define: Mapping[str, str] = field(default_factory=dict)
    repeated: Selector | None = None
    label: str = ""
    truth: str = ""

    @property
    def given(self) -> bool:
        """Whether there is anything to compute."""
        return bool(self.value or self.lo)


@dataclass(frozen=True)
class Relation:
    """A comparison or search over printed numbers, or a further number of ours."""

    words: str = ""
    test: str = ""
    ours: Computation | None = None


@dataclass(frozen=True)
class Check:
    """Everything that is computed for one claim."""

    claim: str
    printed: str = ""
    computation: Computation = Computation()
    relations: tuple[Relation, ...] = ()
    note: str = ""
    reading: str = ""
    reason: str = ""


def read_checks(folder: Path) -> dict[str, Check]:
    """Read all checks, one per claim.

    Raises:
        CheckError: a file is not TOML, a key is unknown, a claim has two checks.
    """
    checks: dict[str, Check] = {}
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise CheckError(f"{folder} holds no checks (*.toml)")
    for path in files:
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CheckError(f"{path} cannot be read ({error})") from None
        for entry in content.get("check", []):
            for check in _expanded(entry, path):
                if check.claim in checks:
                    raise CheckError(f"{path}: claim {check.claim} has two checks; keep one")
                checks[check.claim] = check
    return checks


def claim_ids(given: str | list[str]) -> list[str]:
    """Write out ranges of ids.

    >>> claim_ids(["HP-10-01", "NS-D.1-07..09"])
    ['HP-10-01', 'NS-D.1-07', 'NS-D.1-08', 'NS-D.1-09']
    """
    found = []
    for text in [given] if isinstance(given, str) else given:
        match = _RANGE.fullmatch(text)
        if match:
            stem, first, last = match.groups()
            found += [f"{stem}{i:0{len(first)}d}" for i in range(int(first), int(last) + 1)]
        else:
            found.append(text)
    return found


def _expanded(entry: dict[str, Any], path: Path) -> Iterable[Check]:
    where = f"{path.name}, check of {entry.get('claims', '(no claims)')}"
    unknown = set(entry) - _KEYS
    if unknown or "claims" not in entry:
        raise CheckError(
            f"{where}: unknown key {', '.join(sorted(unknown)) or 'claims is missing'}"
        )
    if wrong := [key for key in _TEXT_KEYS & set(entry) if not isinstance(entry[key], str)]:
        raise CheckError(f"{where}: {wrong[0]} must be a text")
    for place, claim in enumerate(claim_ids(entry["claims"])):
        yield _check(claim, _placed(entry, str(place)), where)


def _placed(value: Any, place: str) -> Any:
    if isinstance(value, str):
        return value.replace("#", place)
    if isinstance(value, dict):
        return {key: _placed(each, place) for key, each in value.items()}
    return [_placed(each, place) for each in value] if isinstance(value, list) else value


def _check(claim: str, entry: dict[str, Any], where: str) -> Check:
    computation = _computation(entry, where)
    reason = entry.get("reason", "")
    if reason and computation.given:
        raise CheckError(f"{where}: a reason and a value exclude each other")
    return Check(
        claim=claim,
        printed=entry.get("printed", ""),
        computation=computation,
        relations=tuple(_relation(each, where) for each in entry.get("relations", [])),
        note=entry.get("note", ""),
        reading=entry.get("reading", ""),
        reason=reason,
    )


def _relation(entry: str | dict[str, Any], where: str) -> Relation:
    if isinstance(entry, str):
        return Relation(test=entry)
    if "test" in entry:
        if unknown := set(entry) - {"test", "words"}:
            raise CheckError(f"{where}: unknown key {min(unknown)} in a relation")
        return Relation(test=entry["test"], words=entry.get("words", ""))
    if unknown := set(entry) - _OURS:
        raise CheckError(f"{where}: unknown key {min(unknown)} in a relation")
    return Relation(ours=_computation(entry, where), words=entry.get("words", ""))


def _computation(entry: Mapping[str, Any], where: str) -> Computation:
    if sum(key in entry for key in ("value", "example", "population", "property", "lo")) > 1:
        raise CheckError(f"{where}: give one of value, lo and hi, example, population, property")
    if ("lo" in entry) != ("hi" in entry):
        raise CheckError(f"{where}: lo and hi belong together")
    define = entry.get("define", {})
    if "example" in entry:
        return replace(_example(entry["example"]), define=define)
    if "population" in entry:
        row = Selector(EXAMPLE, "ours", {"quantity": entry["population"]})
        return Computation(value="ours", take={"ours": row}, define=define, label=row.described())
    if "property" in entry:
        found = _property(entry["property"], entry.get("repetitions", ""), where)
        return replace(found, define=define)
    take = {name: _selector(each, where) for name, each in entry.get("take", {}).items()}
    return Computation(
        value=entry.get("value", ""),
        lo=entry.get("lo", ""),
        hi=entry.get("hi", ""),
        against=entry.get("against", ""),
        errors={"value": entry.get("error", "")},
        take=take,
        define=define,
    )


def _selector(entry: Mapping[str, Any], where: str) -> Selector:
    try:
        found = Selector(**entry)
    except TypeError as error:
        raise CheckError(f"{where}: {error}") from None
    if found.of not in _PICKS:
        raise CheckError(f"{where}: of = {found.of}; it must be one of {', '.join(sorted(_PICKS))}")
    return found


def _example(quantities: str | list[str]) -> Computation:
    """The mean over the repetitions, and the error of its difference to one printed data set."""
    names = [quantities] if isinstance(quantities, str) else list(quantities)
    marks = [""] if isinstance(quantities, str) else ["_lo", "_hi"]
    take: dict[str, Selector] = {}
    for mark, quantity in zip(marks, names, strict=True):
        for column in ("mean_over_repetitions", "spread", "mc_error"):
            take[column + mark] = Selector(EXAMPLE, column, {"quantity": quantity})
    errors = {_PARTS[mark]: f"hypot(spread{mark}, mc_error{mark})" for mark in marks}
    label = f"{EXAMPLE}: mean_over_repetitions where quantity = {' and '.join(names)}"
    if marks == [""]:
        alone = Selector(EXAMPLE, "ours", {"quantity": names[0]})
        return Computation(
            value="mean_over_repetitions", take=take, repeated=alone, label=label, errors=errors
        )
    return Computation(
        lo="mean_over_repetitions_lo",
        hi="mean_over_repetitions_hi",
        take=take,
        label=label,
        errors=errors,
    )


def _property(given: list[str], repetitions: str, where: str) -> Computation:
    if len(given) != 4:
        raise CheckError(f"{where}: property needs [name, k, end, truth]")
    name, k, end, truth = given
    ends = {"lowest": "_lo", "highest": "_hi"} if end == "both" else {end: ""}
    take: dict[str, Selector] = {}
    errors: dict[str, str] = {}
    for which, mark in ends.items():
        row = {"property": name, "k": k, "end": which, "truth_kind": truth}
        for column in ("ours", "mc_error", "repetitions"):
            take[column + mark] = Selector(PROPERTY, column, row)
        # A lost figure has no second study beside ours.
        theirs = f"repetitions{mark} / ({repetitions})" if repetitions else "0"
        errors[_PARTS[mark]] = f"mc_error{mark} * sqrt(1 + {theirs})"
    first = next(iter(take.values()))
    if end == "both":
        label = replace(first, where={**first.where, "end": "lowest and highest"}).described()
        return Computation(
            lo="ours_lo", hi="ours_hi", take=take, label=label, errors=errors, truth=truth
        )
    label = first.described()
    return Computation(value="ours", take=take, label=label, errors=errors, truth=truth)
