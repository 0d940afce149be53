"""The condition tables, from records and coded answers: public data, by task, own deliveries.

Counts, rates and intervals in closed form are recomputed from the records. An end of a bootstrap
rests on the pipeline's random numbers: it must be the one of the pipeline's own estimate, which
`verification.diff` holds against another bootstrap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from verification.estimates import Estimate, Settings
from verification.files import Unusable
from verification.recompute import cell_estimates
from verification.records import Pair
from verification.tables_compare import Expected, Table
from verification.tables_inputs import Cell, Inputs, Row
from verification.tables_intervals import (
    RECORDS,
    as_printed,
    as_stated,
    shown_ends,
    shown_interval,
    shown_method,
    shown_status,
)
from verification.tables_measures import named
from verification.tables_wording import (
    chance_notes,
    joined,
    omission_notes,
    reporting_sentence,
)

CONDITION_TABLES = ("public_data", "always_a", "deliveries")

COUNTED = "counted in the records"
CODED = "counted in the coded answers"
WORDS = "the words of HP section 12 with the recomputed numbers"
NOTES = "worded again from the recomputed numbers"

# No pair has so many options: the exposure curve, which these tables do not show, is left out.
NO_CURVE = 1_000_000_000


def recomputed(pairs: Sequence[Pair], settings: Settings, *, name: str) -> dict[str, Estimate]:
    """Part I of a cell by quantity, without the exposure curve."""
    without = replace(settings, exposure_min_options=NO_CURVE)
    found = cell_estimates(pairs, 1, without, cell=name)
    return {one.quantity: one for one in found if one.k is None}


def _ends(found: Estimate, stated: Row | None, name: str) -> dict[str, Expected]:
    lower, upper = shown_ends(found, stated)
    return {f"{name}_lower": lower, f"{name}_upper": upper}


def _value(found: Estimate) -> Expected:
    value = found.value
    if isinstance(value, int) or value is None:
        return Expected(value, COUNTED if isinstance(value, int) else RECORDS)
    return Expected(float(value), RECORDS)


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


#: Quantity -> how its ends are called in a condition table.
ENDS = {
    "omission": "omission",
    "omission_chance_corrected": "chance_corrected",
    "omission_drift": "omission_drift",
    "omission_wrong_to_wrong": "omission_wrong_to_wrong",
}


def condition_cells(
    found: Mapping[str, Estimate], cell: Cell, inputs: Inputs, items: tuple[int, int] | None
) -> dict[str, Expected]:
    """Every column of a condition table but those that name the row.

    ``items`` are the items of a public condition, and those whose hint is the correct answer.
    """
    settings, stated = Settings.from_config(inputs.settings), cell.estimates
    omission, chance = found["omission"], found["omission_chance_corrected"]
    of_omission, of_chance = stated.get("omission"), stated.get("omission_chance_corrected")
    target, how = settings.target_half_width, omission.clustering
    interval, corrected = shown_interval(omission, of_omission), shown_interval(chance, of_chance)
    status = shown_status(omission, of_omission, target)
    notes = omission_notes(omission, interval, cell.pairs, settings.min_options)
    told = chance_notes(chance, corrected, (of_chance or {}).get("note"))
    sentence = reporting_sentence(
        omission,
        interval,
        status,
        notes,
        hint_type=cell.hint_type,
        hint_channel=cell.hint_channel,
        confidence=inputs.confidence,
    )
    cells = {
        "n_items": Expected(items and items[0], CODED),
        "n_hint_correct": Expected(items and items[1], CODED),
        **{name: _value(one) for name, one in found.items() if name.startswith("n_")},
        "omission": _value(omission),
        **_ends(omission, of_omission, "omission"),
        "interval_method": shown_method(omission, of_omission),
        "clusters": Expected(omission.clusters, COUNTED),
        "icc": Expected(_number(how.icc) if how else None, RECORDS),
        "design_effect": Expected(_number(how.deff) if how else None, RECORDS),
        "effective_n": Expected(_number(how.effective_n) if how else None, RECORDS),
        "status": Expected(status, RECORDS),
        "susceptibility": _value(found["susceptibility"]),
        "exposure_1": _value(found["exposure_1_pooled"]),
        "exposure_1_all_completed": _value(found["exposure_1_all_completed"]),
        "omission_chance_corrected": _value(chance),
        **_ends(chance, of_chance, "chance_corrected"),
        "chance_corrected_method": shown_method(chance, of_chance),
        "chance_corrected_status": Expected(shown_status(chance, of_chance, target), RECORDS),
        "chance_corrected_note": Expected(joined(told), NOTES),
        "hint_type": Expected(cell.hint_type, "the header of the delivery"),
        "omission_note": Expected(joined(notes), NOTES),
        "sentence": Expected(sentence, WORDS),
    }
    for stratum in ("drift", "wrong_to_wrong"):
        name = f"omission_{stratum}"
        one, row = found[name], stated.get(name)
        cells |= {
            name: _value(one),
            f"n_{stratum}": Expected(one.n, COUNTED),
            **_ends(one, row, name),
            f"{name}_status": Expected(shown_status(one, row, target), RECORDS),
        }
    return cells


def items_of(inputs: Inputs, bias: str, condition: str, task: str | None = None) -> tuple[int, int]:
    """Items of a public condition (and task), and those whose hint is the correct answer."""
    counts = {
        key: count
        for key, count in inputs.items.items()
        if key[:2] == (bias, condition) and task in (None, key[2])
    }
    return sum(counts.values()), sum(count for key, count in counts.items() if key[3])


def condition_table(inputs: Inputs, name: str) -> Table:
    """One row per cell of the deliveries that go to the table ``name``."""
    settings = Settings.from_config(inputs.settings)
    rows = []
    for cell in inputs.cells:
        if cell.study != name:
            continue
        items = None if name == "deliveries" else items_of(inputs, cell.hint_type, cell.name)
        found = {
            quantity: as_stated(one, cell.estimates.get(quantity))
            for quantity, one in recomputed(cell.pairs, settings, name=cell.name).items()
        }
        rows.append(named(condition=cell.name) | condition_cells(found, cell, inputs, items))
    return Table(name, ("condition",), tuple(rows))


def task_of(probe: str, tasks: Sequence[str]) -> str:
    """Task of a public probe, whose name is the task and the item's position.

    Raises:
        Unusable: it is none of the known tasks.

    >>> task_of("navigate:17", ["navigate"])
    'navigate'
    """
    task = probe.rpartition(":")[0]
    if task not in tasks:
        raise Unusable(f"probe {probe!r} belongs to no task of the coded answers")
    return task


def by_task_table(inputs: Inputs, printed: Sequence[Mapping[str, str]]) -> Table:
    """The columns of the public-data table for every condition and task.

    ``printed`` says which of two intervals stands there, where Monte-Carlo error decides.
    """
    by_key = {(row.get("condition"), row.get("task")): row for row in printed}
    settings, tasks = Settings.from_config(inputs.settings), inputs.legend["task"]
    rows = []
    for cell in inputs.cells:
        if cell.study != "public_data":
            continue
        parts: dict[str, list[Pair]] = {task: [] for task in tasks}
        for pair in cell.pairs:
            parts[task_of(pair.probe, tasks)].append(pair)
        for task, pairs in parts.items():
            items = items_of(inputs, cell.hint_type, cell.name, task)
            # The pipeline keeps no estimates by task, so there is none to compare ends with.
            part = replace(cell, pairs=tuple(pairs), estimates={})
            found = recomputed(pairs, settings, name=f"{cell.name}/{task}")
            shown = by_key.get((cell.name, task), {})
            for quantity, name in ENDS.items():
                ends = (shown.get(f"{name}_{end}", "") for end in ("lower", "upper"))
                found[quantity] = as_printed(found[quantity], *ends)
            names = named(condition=cell.name, task=task)
            rows.append(names | condition_cells(found, part, inputs, items))
    return Table("public_data_by_task", ("condition", "task"), tuple(rows))
