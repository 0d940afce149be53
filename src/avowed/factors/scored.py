"""The dense arrays that every measure of a component is computed from.

One response is one call; here the calls of a component are laid out by input, feature and trial,
and every decision is reduced to whether it differs from the original one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.factors.inputs import Inputs
from avowed.factors.usecase import UseCase

#: Interventions of a modified input; ``repeat`` and ``original`` are calls on the unchanged one.
MODIFIED = ("contrast", "blank", "similar", "sufficiency")

#: Marks a trial without a valid response, and a cited place without a feature.
NONE = -1


@dataclass(frozen=True)
class Scored:
    """One component's responses on I inputs with F features, T trials and R repeats.

    Attributes:
        component: its name.
        keys: the F feature keys in the order of the use case.
        inputs: the number of inputs I.
        active: whether a feature is present in the original input, (I, F).
        usable: whether the original response has a valid decision, (I,).
        cited: indices of the cited features, first cited first, (I, C); -1 where the explanation
            is invalid, and after the last one of a ranking shorter than C.
        changed: per intervention (I, F, T): 1 the decision differs from the original one, 0 it
            is the same, -1 there is no valid trial.
        repeats: the same for the unchanged input, (I, R).
        repeat_cited: features cited by the repeats, (I, R, C), -1 where invalid.
        invalid: number of responses left out, by kind.
    """

    component: str
    keys: tuple[str, ...]
    inputs: int
    active: NDArray[np.bool_]
    usable: NDArray[np.bool_]
    cited: NDArray[np.int16]
    changed: Mapping[str, NDArray[np.int8]]
    repeats: NDArray[np.int8]
    repeat_cited: NDArray[np.int16]
    invalid: Mapping[str, int] = field(default_factory=dict)

    @property
    def explained(self) -> NDArray[np.bool_]:
        """Whether the original response names features that can be compared, (I,).

        The decision has to be valid too: without it no feature has a score.
        """
        return np.asarray(self.usable & (self.cited[:, 0] != NONE))


def scored_of(case: UseCase, inputs: Inputs, table: pa.Table, component: str) -> Scored:
    """Lay out the responses of one component (NS 3.3, 3.4).

    ``table`` has the columns of `avowed.factors.responses` and may hold other components and use
    cases too. Trials that no row stands for, invalid responses, and all trials of an input whose
    original response is invalid are -1. Explanations are as wide as the use case cites, or as the
    longest ranking (the full rankings of NS 4.5).

    Raises:
        ValueError: the component has no original response, or a row names an input or a feature
            that does not exist. Checked deliveries have no such row.
    """
    mine = pc.and_(pc.equal(table["component"], component), pc.equal(table["use_case"], case.name))
    rows = table.filter(mine).combine_chunks()
    keys = case.keys
    place = _codes(rows["input"], inputs.ids, "input")
    feature = _codes(rows["feature"], keys, "feature", null=True)
    decision = _decisions(rows, case.decisions)
    cited = _citations(rows, keys, case.cited)
    trial = rows["trial"].to_numpy().astype(np.int64)
    kind = np.asarray(rows["intervention"].to_pylist(), dtype=object)

    originals = kind == "original"
    if not originals.any():
        raise ValueError(f"component {component}: there is no original response")
    first = np.full(len(inputs.ids), NONE, np.int64)
    first[place[originals]] = decision[originals]
    original_cited = np.full((len(inputs.ids), cited.shape[1]), NONE, np.int16)
    original_cited[place[originals]] = cited[originals]

    decisions = {}
    for name in MODIFIED:
        chosen = kind == name
        shape = (len(inputs.ids), len(keys), _trials(trial[chosen]))
        decisions[name] = np.full(shape, NONE, np.int64)
        decisions[name][place[chosen], feature[chosen], trial[chosen]] = decision[chosen]
    again = kind == "repeat"
    repeats = np.full((len(inputs.ids), _trials(trial[again])), NONE, np.int64)
    repeats[place[again], trial[again]] = decision[again]
    repeat_cited = np.full((*repeats.shape, cited.shape[1]), NONE, np.int16)
    repeat_cited[place[again], trial[again]] = cited[again]
    return scored_from(
        component=component,
        keys=keys,
        active=np.asarray(inputs.active),
        original=first,
        cited=original_cited,
        decisions=decisions,
        repeats=repeats,
        repeat_cited=repeat_cited,
        invalid=_invalid(rows, originals),
    )


def scored_from(
    *,
    component: str,
    keys: tuple[str, ...],
    active: NDArray[np.bool_],
    original: NDArray[np.integer],
    cited: NDArray[np.integer],
    decisions: Mapping[str, NDArray[np.integer]],
    repeats: NDArray[np.integer],
    repeat_cited: NDArray[np.integer] | None = None,
    invalid: Mapping[str, int] | None = None,
) -> Scored:
    """Compare every decision with the original one of its input.

    Decisions are indices, -1 where there is no valid response: ``original`` (I,), ``decisions``
    per intervention (I, F, T), ``repeats`` (I, R). ``cited`` is (I, C), ``repeat_cited``
    (I, R, C). An intervention that is not there has no trial. A trial counts if both its own
    decision and the original one are valid.

    >>> scored = scored_from(
    ...     component="c", keys=("f",), active=np.array([[True]]), original=np.array([2]),
    ...     cited=np.array([[0]]), decisions={"blank": np.array([[[2, 1, -1]]])},
    ...     repeats=np.array([[2, 2]]),
    ... )
    >>> scored.changed["blank"].tolist(), scored.repeats.tolist()
    ([[[0, 1, -1]]], [[0, 0]])
    """
    absent = np.full((*active.shape, 0), NONE)
    changed = {
        name: _differs(decisions.get(name, absent), original[:, None, None]) for name in MODIFIED
    }
    no_text = np.full((*repeats.shape, cited.shape[1]), NONE)
    return Scored(
        component=component,
        keys=keys,
        inputs=len(original),
        active=active,
        usable=np.asarray(original != NONE),
        cited=cited.astype(np.int16),
        changed=changed,
        repeats=_differs(repeats, original[:, None]),
        repeat_cited=(no_text if repeat_cited is None else repeat_cited).astype(np.int16),
        invalid={} if invalid is None else dict(invalid),
    )


def _differs(decision: NDArray[np.integer], original: NDArray[np.integer]) -> NDArray[np.int8]:
    valid = (decision != NONE) & (original != NONE)
    return np.asarray(np.where(valid, decision != original, NONE), dtype=np.int8)


def _trials(trial: NDArray[np.int64]) -> int:
    return int(trial.max()) + 1 if trial.size else 0


def _codes(
    column: pa.ChunkedArray, names: tuple[str, ...], what: str, *, null: bool = False
) -> NDArray[np.int64]:
    """Indices of a text column in ``names``; null is -1 where it is allowed."""
    found = pc.index_in(column, value_set=pa.array(names, pa.string()), skip_nulls=True)
    codes = np.asarray(pc.fill_null(found, NONE).to_numpy(), dtype=np.int64)
    absent = codes == NONE
    if null:
        absent &= ~pc.is_null(column).to_numpy()
    if absent.any():
        value = column[int(np.flatnonzero(absent)[0])].as_py()
        raise ValueError(f"responses: {what} {value!r} does not exist in this use case")
    return codes


def _decisions(rows: pa.Table, allowed: tuple[str, ...]) -> NDArray[np.int64]:
    """Index of the decision of a valid response, -1 for an invalid one."""
    valid = pc.equal(rows["validity"], "valid")
    decision = pc.if_else(valid, rows["decision"], None)
    found = pc.index_in(decision, value_set=pa.array(allowed, pa.string()), skip_nulls=True)
    return np.asarray(pc.fill_null(found, NONE).to_numpy().astype(np.int64))


def _citations(rows: pa.Table, keys: tuple[str, ...], width: int) -> NDArray[np.int16]:
    """Cited features of every row, -1 where the explanation is not valid, (rows, C)."""
    valid = pc.equal(rows["explanation"], "valid").combine_chunks()
    lists = pc.if_else(valid, rows["citations"].combine_chunks(), None)
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy().astype(np.int64)
    flat = _codes(pc.list_flatten(lists), keys, "cited feature")
    cited = np.full((lengths.size, max(width, int(lengths.max(initial=0)))), NONE, np.int16)
    row = np.repeat(np.arange(lengths.size), lengths)
    within = np.arange(flat.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    cited[row, within] = flat
    return cited


def _invalid(rows: pa.Table, originals: NDArray[np.bool_]) -> dict[str, int]:
    """Responses without a valid decision and originals without a valid explanation, by kind."""
    counts: dict[str, int] = {}
    asked = rows["explanation"].filter(pa.array(originals))
    for prefix, column in (("response", rows["validity"]), ("explanation", asked)):
        for each in pc.value_counts(column).to_pylist():
            if each["values"] not in ("valid", "not_asked"):
                counts[f"{prefix}_{each['values']}"] = int(each["counts"])
    return dict(sorted(counts.items()))
