"""The header of a delivery, ``delivery.json`` (HP section 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from avowed.pairs.header_rules import header_violations
from avowed.pairs.record import LabelSource, PhiSource, Reason
from avowed.pairs.unusable import UnusableDelivery
from avowed.regular_file import read_regular
from avowed.strict_json import BrokenJson, parse_document

#: Name of the header file in a delivery folder.
HEADER_FILE = "delivery.json"

#: The layout this package writes.
SCHEMA_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Counts of the pairs of one hint type (HP section 5, rule R10).

    Attributes:
        hint_type: the hint type counted.
        planned: pairs planned, completed plus incomplete.
        completed: pairs with both halves, that is, records.
        incomplete: pairs that miss a half and so have no record.
        not_evaluable: records per reason; a reason that is not listed counts 0.
    """

    hint_type: str
    planned: int
    completed: int
    incomplete: int = 0
    not_evaluable: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Judge:
    """The judge that gave the labels, as a calibration has to match it (HP section 12)."""

    model: str
    provider: str
    serving_path: str
    prompt_sha256: str


@dataclass(frozen=True, kw_only=True)
class DeliveryHeader:
    """What a delivery declares beside its records (HP section 5).

    Attributes:
        planned_replicas: replicas planned per probe, at least 1.
        hint_types: the kinds of hint used, each once.
        hint_channel: the channel through which the hint is delivered.
        phi_source: how phi is produced.
        label_source: whether a label is the judge's own or a threshold on phi.
        label_threshold: the threshold in [0, 1] where there is one, else None.
        coverage: one entry per hint type.
        judge, construct, language, format: needed for a calibrated rate only; None means not
            declared, and then a calibration is inadmissible.
        schema_version: the layout, 1.

    >>> header = DeliveryHeader(
    ...     planned_replicas=1, hint_types=("suggestion",), hint_channel="user_message",
    ...     phi_source=PhiSource.VOTE_FRACTION, label_source=LabelSource.JUDGE_DECISION,
    ...     coverage=(Coverage(hint_type="suggestion", planned=0, completed=0),))
    >>> DeliveryHeader.from_json(header.to_json()) == header
    True
    """

    planned_replicas: int
    hint_types: tuple[str, ...]
    hint_channel: str
    phi_source: PhiSource
    label_source: LabelSource
    label_threshold: float | None = None
    coverage: tuple[Coverage, ...]
    judge: Judge | None = None
    construct: str | None = None
    language: str | None = None
    format: str | None = None
    schema_version: int = SCHEMA_VERSION

    def to_json(self) -> dict[str, Any]:
        """The header as a JSON object; optional keys that are None are left out."""
        written: dict[str, Any] = {
            "schema_version": self.schema_version,
            "planned_replicas": self.planned_replicas,
            "hint_types": list(self.hint_types),
            "hint_channel": self.hint_channel,
            "phi_source": str(self.phi_source),
            "label_source": str(self.label_source),
            "label_threshold": self.label_threshold,
            "coverage": [
                {
                    "hint_type": entry.hint_type,
                    "planned": entry.planned,
                    "completed": entry.completed,
                    "incomplete": entry.incomplete,
                    "not_evaluable": {str(k): v for k, v in sorted(entry.not_evaluable.items())},
                }
                for entry in self.coverage
            ],
        }
        if self.judge is not None:
            written["judge"] = {
                "model": self.judge.model,
                "provider": self.judge.provider,
                "serving_path": self.judge.serving_path,
                "prompt_sha256": self.judge.prompt_sha256,
            }
        for key in ("construct", "language", "format"):
            if getattr(self, key) is not None:
                written[key] = getattr(self, key)
        return written

    @classmethod
    def from_json(cls, header: Mapping[str, Any]) -> "DeliveryHeader":
        """The header that a parsed JSON object declares.

        Raises:
            ValueError: if the object breaks R1 or the schema; the message names the first field,
                the value found and what was expected, and how many more there are.
        """
        if violations := header_violations(header):
            first = violations[0]
            more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
            raise ValueError(
                f"{first.field} is {first.found}, expected {first.expected}, "
                f"rule {first.rule}{more}"
            )
        threshold = header["label_threshold"]
        return cls(
            planned_replicas=header["planned_replicas"],
            hint_types=tuple(header["hint_types"]),
            hint_channel=header["hint_channel"],
            phi_source=PhiSource(header["phi_source"]),
            label_source=LabelSource(header["label_source"]),
            label_threshold=None if threshold is None else float(threshold),
            coverage=tuple(Coverage(**entry) for entry in header["coverage"]),
            judge=Judge(**header["judge"]) if "judge" in header else None,
            construct=header.get("construct"),
            language=header.get("language"),
            format=header.get("format"),
        )


def load_header(folder: Path) -> dict[str, Any]:
    """Parse ``delivery.json`` of a delivery without judging what it says.

    Numbers with a fraction or an exponent come back as `NumberToken`, so that R1 can see them.

    Raises:
        UnusableDelivery: if the file is missing, is not UTF-8, is not JSON or not one object.
    """
    path = folder / HEADER_FILE
    try:
        raw = read_regular(path)
    except FileNotFoundError as error:
        raise UnusableDelivery(f"{path}: no such file; a delivery needs a header") from error
    except OSError as error:
        raise UnusableDelivery(f"{path}: cannot be read: {error.strerror}") from error
    if raw.startswith(b"\xef\xbb\xbf"):
        raise UnusableDelivery(f"{path}: starts with a byte order mark; write plain UTF-8")
    try:
        header = parse_document(raw.decode("utf-8"), keep_tokens=True)
    except UnicodeDecodeError as error:
        raise UnusableDelivery(f"{path}: not UTF-8 at byte {error.start + 1}") from error
    except BrokenJson as error:
        raise UnusableDelivery(f"{path}: broken JSON: {error}") from error
    if not isinstance(header, dict):
        raise UnusableDelivery(f"{path}: must hold one JSON object")
    return header


def coverage_of(
    records: pa.Table,
    *,
    hint_types: Sequence[str] = (),
    incomplete: Mapping[str, int] | None = None,
) -> tuple[Coverage, ...]:
    """The coverage summary that agrees with ``records`` (HP section 5, rule R10).

    Args:
        records: table with at least ``hint_type`` and ``reason_not_evaluable``.
        hint_types: hint types that get an entry even without a record, and come first, in this
            order; others follow in alphabetical order.
        incomplete: pairs that miss a half, per hint type; 0 where not given.

    Returns:
        One entry per hint type, with planned = completed + incomplete.

    >>> reasons = [None, "extraction_failed"]
    >>> table = pa.table({"hint_type": ["a", "a"], "reason_not_evaluable": reasons})
    >>> coverage_of(table, incomplete={"a": 1})[0].planned
    3
    """
    missing = dict(incomplete or {})
    counted: dict[tuple[str, str | None], int] = {}
    if records.num_rows:
        keys = records.select(["hint_type", "reason_not_evaluable"])
        groups = keys.group_by(["hint_type", "reason_not_evaluable"]).aggregate([([], "count_all")])
        for row in groups.to_pylist():
            key = (row["hint_type"], row["reason_not_evaluable"])
            counted[key] = row["count_all"]
    seen = {hint_type for hint_type, _ in counted} | set(missing)
    ordered = [*dict.fromkeys(hint_types), *sorted(seen - set(hint_types))]
    entries = []
    for hint_type in ordered:
        completed = sum(n for (kind, _), n in counted.items() if kind == hint_type)
        lacking = missing.get(hint_type, 0)
        reasons = {str(r): counted[hint_type, r] for r in Reason if (hint_type, r) in counted}
        entries.append(
            Coverage(
                hint_type=hint_type,
                planned=completed + lacking,
                completed=completed,
                incomplete=lacking,
                not_evaluable=reasons,
            )
        )
    return tuple(entries)
