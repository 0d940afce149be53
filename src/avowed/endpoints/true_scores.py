"""Every feature's estimated necessity and sufficiency beside the true ones."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.prepared import Prepared
from avowed.endpoints.simulated.truth import Truth, conditional, marginal
from avowed.factors.responses import ORIGINAL
from avowed.factors.rows import cell_name

COLUMNS = (
    "component",
    "feature",
    "criterion",
    "truth",
    "truth_given_decisions",
    "estimate",
    "lower",
    "upper",
    "n",
)

#: Stands for a response without a valid decision.
NO_DECISION = -1


def original_decisions(
    table: pa.Table, component: str, ids: Sequence[str], decisions: Sequence[str]
) -> NDArray[np.int64]:
    """Position of every input's original decision, (I,); `NO_DECISION` where there is none.

    Args:
        table: responses, with the columns of `avowed.factors.responses`.
        component: whose.
        ids: the inputs, in order.
        decisions: the pool.
    """
    kept = table.filter(
        pc.and_(pc.equal(table["component"], component), pc.equal(table["intervention"], ORIGINAL))
    )
    place = {name: number for number, name in enumerate(ids)}
    number = {text: index for index, text in enumerate(decisions)}
    found = np.full(len(ids), NO_DECISION, np.int64)
    for name, text in zip(kept["input"].to_pylist(), kept["decision"].to_pylist(), strict=True):
        found[place[name]] = number.get(text, NO_DECISION)
    return found


def _means(truth: Truth, primary: str, used: NDArray[np.bool_]) -> dict[str, NDArray[np.float64]]:
    """Mean over the inputs used in which the feature can be treated, (F,); NaN if there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return {
            name: np.nanmean(np.where(used[:, None], score, np.nan), axis=0)
            for name, score in truth.scores(primary).items()
        }


def feature_truth(
    component: SimulatedComponent,
    prepared: Prepared,
    table: pa.Table,
    rows: Mapping[tuple[str, str], Mapping[str, Any]],
    *,
    trials: int,
) -> list[dict[str, Any]]:
    """One row per feature and criterion.

    ``truth`` is the mean over inputs before the original decision is known, itself one noisy call;
    ``truth_given_decisions`` the same given the decisions that were observed. The estimate differs
    from the second by the noise of the trials alone.

    Args:
        component: who answered.
        prepared: the inputs and their modifications.
        table: its responses.
        rows: the long table by cell and quantity, of the quantities per feature.
        trials: T.
    """
    case, laws = prepared.case, component.laws(prepared, trials=trials)
    seen = original_decisions(table, component.name, prepared.inputs.ids, case.decisions)
    there = seen != NO_DECISION
    before = _means(marginal(laws), case.primary, np.ones_like(there))
    after = _means(conditional(laws, np.where(there, seen, 0)), case.primary, there)
    found = []
    for place, key in enumerate(case.keys):
        for criterion in before:
            row = rows[cell_name(component.name, key), criterion]
            named = {"component": component.name, "feature": key, "criterion": criterion}
            truths = {
                "truth": float(before[criterion][place]),
                "truth_given_decisions": float(after[criterion][place]),
            }
            own = {name: row[name] for name in ("estimate", "lower", "upper", "n")}
            found.append(named | truths | own)
    return found
