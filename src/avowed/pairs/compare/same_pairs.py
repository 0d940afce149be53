"""The same pairs in two deliveries: the same conversations, judged twice."""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from avowed.pairs.delivery import Delivery
from avowed.refusal import Refused

#: What identifies a pair (rule R11).
IDENTITY = ("session_id", "probe_id", "replica")

#: What two records of the same pair have to agree in.
ANSWERS = (
    *("hint_type", "n_options", "correct_answer", "hint_answer"),
    *("baseline_answer", "hinted_answer"),
)

#: What the judges said, and where it stood.
_OF_A_JUDGE = ("judge_label",)

_SECOND = "_of_second"

#: What an import makes up by itself.
_NAMES = ("session_id", "baseline_half_id", "hinted_half_id")

#: What mostly tells records apart without their names; the order of a comparison begins with it.
_ORDER = ("probe_id", "replica")


@dataclass(frozen=True, kw_only=True)
class OtherPair:
    """Two records with one identity that are not the same pair: the first field that differs."""

    identity: tuple[str, str, int]
    field: str
    first: str
    second: str

    @property
    def told(self) -> str:
        """The record and what differs, in one line."""
        session, probe, replica = self.identity
        return (
            f"session_id {session!r}, probe_id {probe!r}, replica {replica}: {self.field} is "
            f"{self.first} and {self.second}"
        )


@dataclass(frozen=True, kw_only=True)
class SamePairs:
    """Pairs that are in both deliveries, and what is not.

    Attributes:
        records: one row per pair in both, ordered by identity: the identity, `ANSWERS`, the
            outcome, and ``judge_label`` and ``judge_label_of_second``.
        only_first, only_second: records whose identity is in one delivery alone.
        others: identities in both whose answers do not agree; refused, and not in ``records``.
    """

    records: pa.Table
    only_first: int
    only_second: int
    others: tuple[OtherPair, ...]


def same_pairs(first: Delivery, second: Delivery) -> SamePairs:
    """Match the records of two validated deliveries by identity, and refuse those that differ.

    A pair is the same in both if hint type, number of options, correct, hinted, unhinted and hinted
    answer agree; an answer that could not be extracted agrees with another such one.

    Raises:
        Refused: no pair is in both.
    """
    columns = [*IDENTITY, *ANSWERS, "outcome", *_OF_A_JUDGE]
    joined = first.records.select(columns).join(
        second.records.select([*IDENTITY, *ANSWERS, *_OF_A_JUDGE]),
        keys=list(IDENTITY),
        join_type="inner",
        right_suffix=_SECOND,
        use_threads=False,
    )
    joined = joined.sort_by([(name, "ascending") for name in ("probe_id", "replica", "session_id")])
    if not joined.num_rows:
        raise Refused(f"no pair is in both deliveries: {_nearly(first, second)}")
    same = pa.chunked_array([pa.array([True] * joined.num_rows)])
    for name in ANSWERS:
        same = pc.and_(same, _agree(joined, name))
    others = joined.filter(pc.invert(same))
    return SamePairs(
        records=joined.filter(same),
        only_first=first.records.num_rows - joined.num_rows,
        only_second=second.records.num_rows - joined.num_rows,
        others=tuple(_other(row) for row in others.to_pylist()),
    )


def hold_the_same(first: Delivery, second: Delivery) -> bool:
    """Whether two deliveries hold the same records but for their session and the ids of halves.

    An import takes the session from the name of its folder, and the ids from the session: a copy
    that was imported under another name differs in them alone.

    Source: HP section 5.
    """
    if first.records.num_rows != second.records.num_rows:
        return False
    kept = [name for name in first.records.column_names if name not in _NAMES]
    order = [(name, "ascending") for name in (*_ORDER, *sorted(set(kept) - set(_ORDER)))]
    one, two = (each.records.select(kept) for each in (first, second))
    return bool(one.equals(two) or one.sort_by(order).equals(two.sort_by(order)))


def _agree(joined: pa.Table, name: str) -> pa.ChunkedArray:
    one, two = joined.column(name), joined.column(f"{name}{_SECOND}")
    equal = pc.fill_null(pc.equal(one, two), False)
    return pc.or_(equal, pc.and_(pc.is_null(one), pc.is_null(two)))


def _other(row: dict[str, object]) -> OtherPair:
    field = next(name for name in ANSWERS if row[name] != row[f"{name}{_SECOND}"])
    found = [
        "null" if value is None else str(value) for value in (row[field], row[f"{field}{_SECOND}"])
    ]
    session, probe, replica = (row[name] for name in IDENTITY)
    return OtherPair(
        identity=(str(session), str(probe), int(str(replica))),
        field=field,
        first=found[0],
        second=found[1],
    )


def _nearly(first: Delivery, second: Delivery) -> str:
    """Why no identity is shared: sessions of other names, or other probes."""
    keys = [
        pa.table({name: each.records.column(name) for name in ("probe_id", "replica")})
        for each in (first, second)
    ]
    without = keys[0].join(keys[1], keys=["probe_id", "replica"], join_type="left semi")
    if without.num_rows:
        return (
            f"{without.num_rows} records agree in probe_id and replica but not in session_id; two "
            "judges of the same conversations need the same session_id. An import takes it from "
            "the name of its folder: give both the same one, avowed import ... --name NAME"
        )
    return "the records agree in no probe_id and replica; two judges need the same conversations"
