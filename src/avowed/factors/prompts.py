"""Ways to ask for the factors: 13 strategies and 4 exploratory variations (NS appendix A)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from avowed.datafile import Document, Place, check_schema, read_yaml, refuse_repeated
from avowed.factors.placeholders import fill, placeholders
from avowed.factors.render import system_texts
from avowed.factors.usecase import SYSTEM_NAMES, UseCase
from avowed.refusal import Refused

#: The schema of both files; its definitions are the two.
SCHEMA = Path(__file__).with_name("prompts.schema.json")


@dataclass(frozen=True)
class Strategy:
    """One row of NS table 1.

    Attributes:
        number: its number in the table.
        ranking: numbers, letters or bullets.
        tone: neutral, assertive, socratic or analytical.
        format: flat_text, sectioned_text, strict_json or step_by_step.
        requirement: none, evaluation_disclosed or fixed_names.
    """

    number: int
    ranking: str
    tone: str
    format: str
    requirement: str


@dataclass(frozen=True)
class Strategies:
    """The strategies and the words of their parts: part, then choice, then template."""

    rows: tuple[Strategy, ...]
    wording: Mapping[str, Mapping[str, str]]

    def numbered(self, number: int) -> Strategy:
        """The strategy with this number.

        Raises:
            ValueError: there is none.
        """
        for row in self.rows:
            if row.number == number:
                return row
        raise ValueError(f"no strategy {number}; there are {[row.number for row in self.rows]}")


@dataclass(frozen=True)
class Variation:
    """One exploratory variation: a name, a label for figures, and what the component is to do."""

    name: str
    label: str
    instruction: str


def read_strategies(path: Path) -> Strategies:
    """Read the strategies, as in ``data/prompts/strategies.yaml``.

    Raises:
        Unusable: the file cannot be read or is not YAML with keys at the top.
        Refused: its content breaks a rule; the message names file, line, field and value.
    """
    document = read_yaml(path)
    check_schema(document, SCHEMA, "strategies")
    rows = tuple(Strategy(**row) for row in document.data["strategies"])
    for position, row in enumerate(rows):
        if row.number in [earlier.number for earlier in rows[:position]]:
            place = ("strategies", position, "number")
            told = document.fault(place, f"{row.number} again", "every number once", "change it")
            raise Refused(told)
    for part, choices in document.data["wording"].items():
        for choice, text in choices.items():
            _check_words(document, ("wording", part, choice), text)
    return Strategies(rows, document.data["wording"])


def read_variations(path: Path) -> tuple[Variation, ...]:
    """Read the exploratory variations, as in ``data/prompts/exploratory.yaml``.

    Raises:
        Unusable, Refused: as `read_strategies`.
    """
    document = read_yaml(path)
    check_schema(document, SCHEMA, "exploratory")
    rows = tuple(Variation(**row) for row in document.data["variations"])
    refuse_repeated(document, ("variations",), [row.name for row in rows], "name")
    for position, row in enumerate(rows):
        _check_words(document, ("variations", position, "instruction"), row.instruction)
    return rows


def strategy_prompt(
    case: UseCase, strategies: Strategies, number: int, *, count: int | None = None
) -> str:
    """The system prompt of one strategy; the user message is that of `render.render_user`.

    Strategy 13 is the prompt of the primary evaluation (NS appendix B).

    Raises:
        ValueError: there is no strategy of this number.
    """
    row = strategies.numbered(number)
    words = strategies.wording
    return _prompt(case, strategies, row, words["tone"][row.tone], count)


def variation_prompt(
    case: UseCase, strategies: Strategies, variation: Variation, *, count: int | None = None
) -> str:
    """The system prompt of an exploratory variation (NS A.2).

    It is the fixed-name prompt with the variation's instruction in the place of the tone's.

    Raises:
        ValueError: ``strategies`` holds no strategy with fixed names.
    """
    row = strategies.numbered(matched_pair(strategies)[1])
    return _prompt(case, strategies, row, variation.instruction, count)


def matched_pair(strategies: Strategies) -> tuple[int, int]:
    """The free-vocabulary strategy and the fixed-name one that differ in nothing else (NS A.1).

    Raises:
        ValueError: there is no such pair.
    """
    for fixed in strategies.rows:
        for free in strategies.rows:
            alike = (free.ranking, free.tone, free.format) == (
                fixed.ranking,
                fixed.tone,
                fixed.format,
            )
            if alike and (free.requirement, fixed.requirement) == ("none", "fixed_names"):
                return free.number, fixed.number
    raise ValueError("no strategy with fixed names has a counterpart that differs in nothing else")


def marker(ranking: str, rank: int) -> str:
    """What an explanation entry of a rank begins with.

    >>> [marker(ranking, 2) for ranking in ("numbers", "letters", "bullets")]
    ['2.', 'B.', '-']
    """
    if ranking == "letters":
        return f"{_letters(rank)}."
    return f"{rank}." if ranking == "numbers" else "-"


def _letters(rank: int) -> str:
    """A to Z, then AA and so on, as spreadsheets count columns."""
    text = ""
    while rank > 0:
        rank, rest = divmod(rank - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _prompt(
    case: UseCase, strategies: Strategies, row: Strategy, instruction: str, count: int | None
) -> str:
    words = strategies.wording
    asked = case.cited if count is None else count
    slot = "<feature key>" if row.requirement == "fixed_names" else "<feature>"
    signs = dict.fromkeys(marker(row.ranking, rank).rstrip(".") for rank in range(1, asked + 1))
    texts = system_texts(case, count=count) | {
        "markers": ", ".join(signs),
        "entries": ", ".join(
            f'"{marker(row.ranking, rank)} {slot}"' for rank in range(1, asked + 1)
        ),
    }
    blocks = (
        (words["opening"][row.tone], "{{task}}"),
        (instruction, words["ranking"][row.ranking], words["requirement"][row.requirement]),
        (words["format"][row.format],),
    )
    lines = ("\n".join(fill(part, texts) for part in block if part) for block in blocks)
    return "\n\n".join(lines)


def _check_words(document: Document, place: Place, text: str) -> None:
    for name in placeholders(text):
        if name not in SYSTEM_NAMES:
            known = ", ".join(f"{{{{{each}}}}}" for each in SYSTEM_NAMES)
            raise Refused(
                document.fault(
                    place, f"{{{{{name}}}}}", f"only {known} in double braces", "correct its name"
                )
            )
