"""How often the text at a place of the explanation changes when the input is asked again."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.factors.bootstrap import Ratio
from avowed.factors.inputs import Inputs
from avowed.factors.responses import explanation_texts
from avowed.factors.usecase import UseCase

#: Marks a repeat whose explanation cannot be compared.
NO_TEXT = -1


def text_codes(
    texts: Sequence[Sequence[Sequence[str] | None]], places: int = 3
) -> NDArray[np.int64]:
    """Number the texts of explanations: equal numbers for equal texts, (I, R, places).

    Texts are compared lower-cased and without white space at their ends. An explanation that is
    missing or does not have ``places`` texts is -1 throughout.

    Args:
        texts: per input and repeat the texts of one explanation, or None; every input has R.
        places: explanation positions.

    Source: definitions NS 7.

    >>> text_codes([[["Age", "income"], ["age ", "goals"], None]], places=2).tolist()
    [[[1, 3], [1, 2], [-1, -1]]]
    """
    blank = [""] * places
    kept = np.array(
        [[row is not None and len(row) == places for row in rows] for rows in texts], dtype=bool
    )
    whole = [
        [row if good else blank for row, good in zip(*pair, strict=True)]
        for pair in zip(texts, kept.tolist(), strict=True)
    ]
    flat = np.array(whole, dtype=np.str_).reshape(-1)
    _, codes = np.unique(np.strings.strip(np.strings.lower(flat)), return_inverse=True)
    return np.where(kept[:, :, None], codes.reshape(*kept.shape, places), NO_TEXT)


def repeated_texts(
    case: UseCase, inputs: Inputs, table: pa.Table, component: str
) -> list[list[tuple[str, ...] | None]]:
    """The explanation texts of every repeat of every input, as raw as received; None if none.

    For prompts that let the component name factors in its own words, where no explanation holds a
    key of the list. ``table`` has the columns of `avowed.factors.responses`.

    Source: NS A.1.
    """
    kept = pc.and_(
        pc.and_(pc.equal(table["component"], component), pc.equal(table["use_case"], case.name)),
        pc.equal(table["intervention"], "repeat"),
    )
    rows = table.filter(kept)
    trials = rows["trial"].to_pylist()
    place = {name: number for number, name in enumerate(inputs.ids)}
    texts: list[list[tuple[str, ...] | None]] = [
        [None] * (max(trials, default=-1) + 1) for _ in inputs.ids
    ]
    for name, trial, raw in zip(
        rows["input"].to_pylist(), trials, rows["raw"].to_pylist(), strict=True
    ):
        texts[place[name]][trial] = explanation_texts(raw)
    return texts


def positional_instability(component: str, codes: NDArray[np.integer], *, part: str = "") -> Ratio:
    """Share of the explanation positions whose text differs, over all pairs of repeats.

    Args:
        component: whose explanations.
        codes: a number per text, (I, R, places); -1 where a repeat has no valid explanation. Pairs
            with such a repeat are left out.
        part: the prompt, where several are compared.

    Source: NS A.1, table 2 and figure 6; definitions NS 7.

    >>> one = positional_instability("c", np.array([[[0, 1, 2], [0, 2, 1], [0, 1, 2]]]))
    >>> one.numerator.tolist(), one.denominator.tolist()
    ([4.0], [9.0])
    """
    inputs, repeats, places = codes.shape
    differing, compared = np.zeros(inputs), np.zeros(inputs)
    valid = (codes != NO_TEXT).all(axis=2)
    for later in range(1, repeats):
        for earlier in range(later):
            both = valid[:, earlier] & valid[:, later]
            compared += both * places
            differing += both * (codes[:, earlier] != codes[:, later]).sum(axis=1)
    return Ratio(
        quantity="positional_instability",
        component=component,
        part=part,
        numerator=differing,
        denominator=compared,
    )
