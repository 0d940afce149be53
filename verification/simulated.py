"""The pairs of one repetition of the studies: read, and held against the design (HP 16.1).

Options are roles here: 0 is the correct one, 1 the hint. Whether a draw follows its law can be
judged only within its standard error; what must hold for every pair is counted. Standard library.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

from verification.comparison import Row, compared
from verification.files import Unusable, read_json_lines
from verification.records import Pair, outcome
from verification.tables_population import Beta, extreme_study, fraction, study_of

SOURCE = "simulated pairs"
LAW = "law of the simulation"
RULE = "every simulated pair"
CORRECT, HINT = 0, 1
#: Standard errors that a share may lie from its probability.
ERRORS = 6

Key = tuple[str, int, str]
_INTEGERS = ("baseline", "hinted", "driven", "acknowledged", "failed", "undetermined")


@dataclass(frozen=True)
class Drawn:
    """One simulated pair, the truth about it included."""

    probe: int
    options: int
    a0: int
    a1: int
    driven: bool
    acknowledged: bool
    failed: bool
    undetermined: bool
    phi: float | None

    @property
    def letter(self) -> str:
        """Outcome that the answers imply."""
        return outcome(self.a0, self.a1, HINT)

    def pair(self, cut: float) -> Pair:
        """What an estimator sees of it: an explanation is flagged when 1 - phi exceeds the cut."""
        judged = None
        if self.letter == "H" and self.phi is not None and not self.undetermined:
            judged = "unfaithful" if 1 - self.phi > cut else "faithful"
        return Pair(
            probe=str(self.probe),
            options=self.options,
            outcome=self.letter,
            from_correct=self.a0 == CORRECT,
            judged=judged,
            undetermined=self.undetermined,
            truncated=False,
            phi=self.phi,
            fresh=True,
        )


def read_pairs(path: Path) -> dict[Key, list[Drawn]]:
    """Pairs by cell (hint type, probes, variant), probes and replicas in their order.

    Raises:
        Unusable: the file cannot be read, or a row is not a probe with as many values in each list.
    """
    found: dict[Key, list[Drawn]] = {}
    for number, row in enumerate(read_json_lines(path), start=1):
        try:
            key = (row["hint_type"], row["probes"], row["variant"])
            lists = [row[name] for name in (*_INTEGERS, "phi")]
            for a0, a1, driven, told, failed, unsure, phi in zip(*lists, strict=True):
                flags = (bool(driven), bool(told), bool(failed), bool(unsure))
                one = Drawn(row["probe"], row["n_options"], a0, a1, *flags, phi)
                found.setdefault(key, []).append(one)
        except (KeyError, TypeError, ValueError) as error:
            raise Unusable(
                f"{path}, row {number}: not a probe ({error}); run make reproduce"
            ) from None
    return found


def check_pairs(key: Key, pairs: Sequence[Drawn], simulation: Mapping[str, Any]) -> Iterator[Row]:
    """Counts of pairs that break the design, each of which must be 0, and the size of the cell."""
    hint_type, probes, variant = key
    name, replicas = f"{hint_type}/{probes}/{variant}", simulation["replicas"]
    perfect = variant not in ("main", "smaller")
    two = round(simulation["two_option_share"] * probes)
    sizes = {"pairs": probes * replicas, "pairs with two options": two * replicas}
    found = {"pairs": len(pairs), "pairs with two options": sum(one.options == 2 for one in pairs)}
    for field, expected in sizes.items():
        yield compared(SOURCE, RULE, name, None, field, found[field], expected)
    broken = {
        "answers are options": lambda p: not (0 <= p.a0 < p.options and 0 <= p.a1 < p.options),
        "options are 2 or the configured": lambda p: p.options not in (2, simulation["options"]),
        "a driven move goes to the hint": lambda p: p.driven and p.letter != "H",
        "a chance move acknowledges nothing": lambda p: p.acknowledged and not p.driven,
        "only a move to the hint is judged": lambda p: (
            p.letter != "H" and (p.failed or p.undetermined or p.phi is not None)
        ),
        "phi where the call did not fail": lambda p: (
            p.letter == "H" and (p.phi is None) != p.failed
        ),
        "a failed call has no answer": lambda p: p.failed and p.undetermined,
        "phi is a share": lambda p: p.phi is not None and not 0 <= p.phi <= 1,
        "a perfect judge says what is": lambda p: (
            perfect and p.phi is not None and p.phi != float(p.acknowledged)
        ),
    }
    for field, wrong in broken.items():
        count = sum(map(bool, map(wrong, pairs)))
        yield compared(
            SOURCE, RULE, name, None, field, count, 0, basis="equal: pairs that break it"
        )


@dataclass(frozen=True)
class Share:
    """A share of pairs beside its probability; ``alike`` is the correlation within a probe."""

    what: str
    hits: Sequence[tuple[int, bool]]
    probability: Fraction
    alike: Fraction = Fraction(0)


def _alike(law: Beta) -> Fraction:
    """Correlation of two pairs of a probe whose probability follows a Beta law: 1 / (a + b + 1)."""
    return 1 / (law.a + law.b + 1)


def shares(key: Key, pairs: Sequence[Drawn], simulation: Mapping[str, Any]) -> Iterator[Share]:
    """Every share of pairs that a law of the design governs (HP 16.1)."""
    hint_type, probes, variant = key
    if variant in simulation["extreme_acknowledgement"]:
        study = extreme_study(simulation, variant, probes=probes)
    else:
        study = study_of(simulation, hint_type, probes=probes)
    judge = simulation["judge"]

    def of(among: Any, hit: Any) -> list[tuple[int, bool]]:
        return [(p.probe, bool(hit(p))) for p in pairs if among(p)]

    def chance(p: Drawn) -> bool:
        return p.a0 != HINT and not p.driven and p.a1 != p.a0

    law = study.accuracy
    yield Share(
        "right at first", of(lambda _: True, lambda p: p.a0 == CORRECT), law.mean, _alike(law)
    )
    law = study.susceptibility
    eligible = of(lambda p: p.a0 != HINT, lambda p: p.driven)
    yield Share("moved by the hint", eligible, law.mean, _alike(law))
    law = study.acknowledgement
    told = of(lambda p: p.driven, lambda p: p.acknowledged)
    yield Share("acknowledged among driven moves", told, law.mean, _alike(law))
    by_chance = of(lambda p: p.a0 != HINT and not p.driven, chance)
    yield Share("moved by chance", by_chance, study.chance_move)
    options = simulation["options"]
    if options > 2:
        many = Fraction(1, options - 1)
        wrong = of(lambda p: p.options == options and p.a0 != CORRECT, lambda p: p.a0 == HINT)
        yield Share("wrong answers on the hint", wrong, many)
        to_hint = of(lambda p: p.options == options and chance(p), lambda p: p.a1 == HINT)
        yield Share("chance moves to the hint", to_hint, many)
    moved = of(lambda p: p.letter == "H", lambda p: p.failed)
    yield Share("failed calls", moved, fraction(judge["failed"]))
    unsure = of(lambda p: p.letter == "H" and not p.failed, lambda p: p.undetermined)
    yield Share("undetermined answers", unsure, fraction(judge["undetermined"]))
    if variant in ("main", "smaller"):
        for what, acknowledged, probability in (
            ("flagged omissions", False, study.flag_omitted),
            ("flagged acknowledgements", True, study.flag_acknowledged),
        ):
            flagged = [
                (p.probe, 1 - p.phi > judge["cut"])
                for p in pairs
                if p.phi is not None and p.acknowledged is acknowledged
            ]
            yield Share(what, flagged, probability)


def check_laws(key: Key, pairs: Sequence[Drawn], simulation: Mapping[str, Any]) -> Iterator[Row]:
    """Shares beside the probabilities of the design, within six standard errors.

    The variance of a share of N pairs, m_i of them of one probe, is p (1 - p) sum m_i (1 + (m_i -
    1) rho) / N^2; 5 / N are added, because few pairs are not normal.
    """
    hint_type, probes, variant = key
    name = f"{hint_type}/{probes}/{variant}"
    for share in shares(key, pairs, simulation):
        n, p = len(share.hits), share.probability
        if not n:
            continue
        sizes: dict[int, int] = {}
        for probe, _ in share.hits:
            sizes[probe] = sizes.get(probe, 0) + 1
        spread = sum(m * (1 + (m - 1) * share.alike) for m in sizes.values())
        error = sqrt(p * (1 - p) * spread) / n
        yield compared(
            SOURCE,
            LAW,
            name,
            None,
            share.what,
            sum(hit for _, hit in share.hits) / n,
            float(p),
            within=ERRORS * error + (5 / n if 0 < p < 1 else 0.0),
            basis=f"{ERRORS} standard errors of the share of {n} pairs, and 5 / {n}",
        )
