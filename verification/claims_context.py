"""What checks are computed from: printed numbers, settings, facts of the code, results tables."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from verification import claims_numbers as numbers
from verification.claims_checks import Check, Selector
from verification.claims_expressions import CheckError, Reference, Value
from verification.claims_numbers import Interval

COLUMNS = (
    "claim_id",
    "paper",
    "section",
    "quantity",
    "published",
    "published_lo",
    "published_hi",
    "unit",
    "kind",
    "depends_on",
    "how",
)
KINDS = frozenset({"design", "arithmetic", "simulation", "public_data", "lost", "live_models"})
#: Printed numbers of these units are whole by nature and printed in full.
COUNTED = frozenset(
    {
        "advisors",
        "clusters",
        "explanations",
        "features",
        "fields",
        "formats",
        "items",
        "keys",
        "models",
        "pairs",
        "probes",
        "strategies",
        "tasks",
    }
)
#: Sections of the configuration that belong to a part that a run may not have.
OPTIONAL_SECTIONS = frozenset({"factors"})


class AbsentError(Exception):
    """A number that this run has no value for; the text says where it would stand."""


@dataclass(frozen=True)
class Number:
    """A printed number: its value, the step it is rounded to, and whether it is exact."""

    value: Fraction
    step: Fraction
    exact: bool

    @property
    def interval(self) -> Interval:
        """Everything that it may stand for."""
        return numbers.point(self.value) if self.exact else numbers.printed(self.value, self.step)


@dataclass(frozen=True)
class Claim:
    """One row of claims.csv, its numbers by part: value, lo, hi, or a and b of a Beta law."""

    row: Mapping[str, str]
    numbers: Mapping[str, Number] = field(default_factory=dict)

    @property
    def target(self) -> Interval | None:
        """What is printed, as an interval; the whole range where a range is printed."""
        if "value" in self.numbers:
            return self.numbers["value"].interval
        if "lo" in self.numbers:
            return numbers.hull(self.numbers["lo"].interval, self.numbers["hi"].interval)
        return None


def read_claims(path: Path, checks: Mapping[str, Check]) -> dict[str, Claim]:
    """Read the printed statements; every one must have a check and every check a statement.

    Raises:
        CheckError: a column is missing, an id or kind is wrong, a check is missing or left over.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows, columns = list(reader), tuple(reader.fieldnames or ())
    except (OSError, ValueError, csv.Error) as error:
        raise CheckError(f"{path} cannot be read ({error}); restore it") from None
    if columns != COLUMNS:
        raise CheckError(f"{path}: the columns must be {', '.join(COLUMNS)}")
    claims: dict[str, Claim] = {}
    for line, row in enumerate(rows, start=2):
        name, kind = row["claim_id"], row["kind"]
        if None in row or None in row.values():
            raise CheckError(f"{path}, line {line}: not {len(COLUMNS)} fields")
        if name in claims:
            raise CheckError(f"{path}, line {line}: claim {name} stands twice")
        if kind not in KINDS:
            raise CheckError(
                f"{path}, line {line}, kind: found {kind!r}; it must be one of "
                f"{', '.join(sorted(KINDS))}"
            )
        if name not in checks:
            raise CheckError(
                f"{path}, line {line}: claim {name} has no check; add one to the checks"
            )
        claims[name] = Claim(row, _numbers(row, checks[name].printed))
    if left := sorted(set(checks) - set(claims)):
        raise CheckError(f"{path}: the check of {left[0]} belongs to no claim; correct its id")
    return claims


def _numbers(row: Mapping[str, str], given: str) -> dict[str, Number]:
    found = {}
    for part, column in (("value", "published"), ("lo", "published_lo"), ("hi", "published_hi")):
        value = numbers.number(row[column]) if row[column] else None
        if value is not None:
            step = numbers.number(given) if given not in {"", "exact"} else None
            counted = row["unit"] in COUNTED or row["kind"] == "design"
            exact = given == "exact" or (counted and step is None)
            found[part] = Number(value, step or numbers.last_place(row[column]), exact)
    if row["published"].startswith("Beta("):
        inner = row["published"].removeprefix("Beta(").removesuffix(")").split(",")
        for part, text in zip("ab", inner, strict=True):
            value = numbers.number(text.strip())
            if value is not None:
                found[part] = Number(value, Fraction(1), True)
    return found


@dataclass(frozen=True)
class Context:
    """All inputs of the ledger.

    ``tables`` caches the results tables; ``searched`` caches what does not change with a claim.
    """

    claims: Mapping[str, Claim]
    settings: Mapping[str, Any]
    facts: Mapping[str, Any]
    results: Path
    tables: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    def with_number(self, claim: str, part: str, value: Fraction) -> "Context":
        """The same with one printed number changed."""
        old = self.claims[claim]
        changed = replace(
            old, numbers={**old.numbers, part: replace(old.numbers[part], value=value)}
        )
        return replace(self, claims={**self.claims, claim: changed})

    def value(self, reference: Reference) -> Value:
        """What a reference stands for.

        Raises:
            CheckError: there is nothing of that name.
            AbsentError: it belongs to a part that did not run.
        """
        if reference.kind == "claim":
            return self._claim(reference)
        tree = self.settings if reference.kind == "settings" else self.facts
        return _place(tree, reference)

    def _claim(self, reference: Reference) -> Value:
        claim = self.claims.get(reference.name)
        if claim is None:
            raise CheckError(f"a check refers to claim {reference.name}, which does not exist")
        if reference.part:
            if reference.part not in claim.numbers:
                raise CheckError(f"claim {reference.name} has no part {reference.part}")
            return claim.numbers[reference.part].interval
        if claim.target is None or "a" in claim.numbers:
            return claim.row["published"]
        return claim.target

    def select(self, selector: Selector) -> Fraction:
        """Take one number from the results.

        Raises:
            CheckError: no such file, column or row, or more rows than one.
            AbsentError: the row is there and the cell is empty, or rows that should agree differ.
        """
        rows = self._table(selector.file)
        for column in (selector.column, *selector.where):
            if rows and column not in rows[0]:
                raise CheckError(f"{self.results / selector.file} has no column {column}")
        found = [r for r in rows if all(r[key] == text for key, text in selector.where.items())]
        if not found or (selector.of == "one" and len(found) > 1):
            where = ", ".join(f"{key} = {text}" for key, text in selector.where.items()) or "any"
            raise CheckError(
                f"{self.results / selector.file}: {len(found) or 'no'} rows where {where}; the "
                "ledger needs one (was the configuration changed, such as the hint types?)"
            )
        if selector.of == "number":
            return Fraction(len(found))
        texts = [row[selector.column] or "" for row in found]
        if selector.before:
            texts = [text.rsplit(selector.before, 1)[0] for text in texts]
        if selector.of == "distinct":
            return Fraction(len(set(texts)))
        if not all(texts):
            raise AbsentError(f"no value in this run: {selector.described()}")
        values = [numbers.number(text) for text in texts]
        numeric = [value for value in values if value is not None]
        if len(numeric) != len(values):
            raise CheckError(f"{selector.described()} in {self.results}: not a number")
        if selector.of == "same" and len(set(numeric)) > 1:
            raise AbsentError(f"no one value in this run, the rows differ: {selector.described()}")
        match selector.of:
            case "sum":
                return sum(numeric, Fraction(0))
            case "min":
                return min(numeric)
            case "max":
                return max(numeric)
        return numeric[0]

    def _table(self, name: str) -> list[dict[str, str]]:
        if name not in self.tables:
            path = self.results / name
            try:
                with path.open(encoding="utf-8", newline="") as file:
                    self.tables[name] = list(csv.DictReader(file))
            except (OSError, ValueError, csv.Error) as error:
                raise CheckError(f"{path} cannot be read ({error}); run make reproduce") from None
        return self.tables[name]


def read_exact_json(path: Path) -> dict[str, Any]:
    """Read a JSON object, with every decimal number as the exact fraction it is written as.

    Raises:
        CheckError: it cannot be read.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
    except (OSError, ValueError) as error:
        raise CheckError(f"{path} cannot be read ({error}); run make reproduce") from None
    if not isinstance(found, dict):
        raise CheckError(f"{path}: a JSON object is expected")
    return found


def _place(tree: Mapping[str, Any], reference: Reference) -> Value:
    here: Any = tree
    for step in reference.name.split("."):
        try:
            here = here[int(step)] if isinstance(here, list) else here[step]
        except (KeyError, IndexError, ValueError, TypeError):
            section = reference.name.split(".", maxsplit=1)[0]
            if reference.kind == "settings" and section in OPTIONAL_SECTIONS:
                if section not in tree:
                    raise AbsentError(
                        "the second paper is not part of the pipeline that ran "
                        f"(config key {reference.name})"
                    ) from None
                raise AbsentError(f"the config that ran has no key {reference.name}") from None
            raise CheckError(
                f"the {reference.kind} file has no {reference.name}; is it of this version?"
            ) from None
    return _value(here, reference)


def _value(found: Any, reference: Reference) -> Value:
    if isinstance(found, bool) or found is None:
        raise CheckError(f"{reference.kind} {reference.name}: {found} is neither number nor text")
    if isinstance(found, int | Fraction):
        return numbers.point(found)
    if isinstance(found, dict):
        return tuple(str(key) for key, each in found.items() if each is not None)
    if isinstance(found, list):
        return tuple(_value(each, reference) for each in found)
    return str(found)
