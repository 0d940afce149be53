"""The bootstrap over inputs: one draw of weights for everything that is measured on them.

All features and trials of an input stay together, and so do all components of a use case, which
saw the same inputs. A statistic is computed for every resample at once; row 0 of its draws is the
sample itself, so that the estimate and its resamples come from one formula.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from avowed.factors.settings import FactorSettings
from avowed.stats.seeds import Study, generator, name_id

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A ratio of sums over inputs: sum of ``numerator`` / sum of ``denominator``, both (I,).

    A mean over the inputs that have a value is the ratio of the values' sum to their number.

    Attributes:
        quantity: name of what is estimated.
        component: what it is estimated for.
        part: a feature, or the second component of a pair; empty if there is none.
        k: rank or set size, if there is one.
        lowest, highest: the range of the quantity.
        note: what was left out, in words.
    """

    quantity: str
    component: str
    numerator: Floats
    denominator: Floats
    part: str = ""
    k: int | None = None
    lowest: float = 0.0
    highest: float = 1.0
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """An estimate with its resamples.

    Attributes:
        draws: the estimate and then its resamples, (1 + B,); NaN where undefined.
        n: observations that the estimate rests on.
        used: inputs that it rests on, (I,).
        is_mean: whether it is a mean of values per input, for which an interval of zero width
            has a replacement.

    The other attributes are those of `Ratio`.
    """

    quantity: str
    component: str
    draws: Floats
    n: int
    used: NDArray[np.bool_]
    part: str = ""
    k: int | None = None
    lowest: float = 0.0
    highest: float = 1.0
    is_mean: bool = True
    note: str = ""

    @property
    def key(self) -> tuple[str, str, int | None]:
        """Quantity, part and k: what the statistics of different components share."""
        return self.quantity, self.part, self.k


def draw_weights(use_case: str, inputs: int, settings: FactorSettings) -> Floats:
    """How often each input occurs, (1 + B, I): once in row 0, then as drawn with replacement.

    Raises:
        ValueError: there is no input, or fewer than one resample.

    >>> draw_weights("toy", 4, FactorSettings(resamples=2)).sum(axis=1).tolist()
    [4.0, 4.0, 4.0]
    """
    if inputs < 1 or settings.resamples < 1:
        raise ValueError(
            f"{inputs} inputs and {settings.resamples} resamples: at least one of each is needed"
        )
    rng = generator(settings.seed, Study.FACTOR_BOOTSTRAP, name_id(use_case), settings.replicate)
    drawn = rng.multinomial(inputs, np.full(inputs, 1 / inputs), size=settings.resamples)
    return np.concatenate([np.ones((1, inputs)), drawn.astype(np.float64)])


def mean_of(quantity: str, component: str, values: Floats, **labels: object) -> Ratio:
    """The mean of values, (I,) or (I, m), over those that are numbers; labels as in `Ratio`.

    >>> one = mean_of("necessity", "c", np.array([1.0, np.nan, 0.5]))
    >>> one.numerator.tolist(), one.denominator.tolist()
    ([1.0, 0.0, 0.5], [1.0, 0.0, 1.0])
    """
    columns = values.reshape(len(values), -1)
    there = ~np.isnan(columns)
    bare = Ratio(
        quantity=quantity,
        component=component,
        numerator=np.where(there, columns, 0.0).sum(axis=1),
        denominator=there.sum(axis=1).astype(np.float64),
    )
    return replace(bare, **labels)  # type: ignore[arg-type]


def ratio_draws(ratios: Sequence[Ratio], weights: Floats) -> Floats:
    """Every ratio in the sample and in every resample, (1 + B, number of ratios).

    NaN where a resample holds no observation.
    """
    above = np.stack([ratio.numerator for ratio in ratios], axis=1)
    below = np.stack([ratio.denominator for ratio in ratios], axis=1)
    draws = _divide(weights @ _on_grid(above), weights @ below)
    # The estimate itself is not rounded to the grid.
    for place, ratio in enumerate(ratios):
        total = math.fsum(ratio.denominator)
        draws[0, place] = math.fsum(ratio.numerator) / total if total else math.nan
    return draws


def _on_grid(values: Floats) -> Floats:
    """Round to a power of two so fine and yet so coarse that sums over inputs are exact.

    A sum in floating point depends on its order, and the order of a matrix product on the machine.
    Weights add up to the number of inputs I, so a sum stays below I * max |value|; on multiples of
    2**-b with I * max |value| * 2**b <= 2**52 every partial sum is exact. The rounding is of the
    order of 1e-13 for 100 inputs.
    """
    largest = len(values) * float(np.abs(values).max(initial=0.0))
    bits = 52 - math.ceil(math.log2(largest)) if largest else 0
    return np.asarray(np.ldexp(np.rint(np.ldexp(values, bits)), -bits))


def _divide(above: Floats, below: Floats) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full_like(above, np.nan), where=below != 0))


def statistics(ratios: Sequence[Ratio], weights: Floats) -> list[Statistic]:
    """The statistic of every ratio.

    >>> weights = draw_weights("toy", 2, FactorSettings(resamples=3))
    >>> found = statistics([mean_of("necessity", "c", np.array([1.0, 0.0]))], weights)
    >>> float(found[0].draws[0]), found[0].n
    (0.5, 2)
    """
    if not ratios:
        return []
    draws = ratio_draws(ratios, weights)
    return [
        Statistic(
            quantity=ratio.quantity,
            component=ratio.component,
            draws=np.ascontiguousarray(draws[:, place]),
            n=round(float(ratio.denominator.sum())),
            used=ratio.denominator > 0,
            part=ratio.part,
            k=ratio.k,
            lowest=ratio.lowest,
            highest=ratio.highest,
            note=ratio.note,
        )
        for place, ratio in enumerate(ratios)
    ]


def mean_over(parts: Sequence[Statistic], *, component: str, words: str) -> Statistic:
    """Unweighted mean of the same statistic of several components or pairs.

    Those that are undefined are left out, in every resample anew, and the note says how many are
    left in; ``words`` says of what ("components"). All undefined: NaN.

    Source: NS 3.5, "then average the eight model-level rates"; NS table 3.
    """
    stacked = np.stack([one.draws for one in parts])
    there = ~np.isnan(stacked)
    total = np.where(there, stacked, 0.0).sum(axis=0)
    defined = [one for one, kept in zip(parts, there[:, 0], strict=True) if kept]
    first = parts[0]
    return replace(
        first,
        component=component,
        draws=_divide(total, there.sum(axis=0).astype(np.float64)),
        n=sum(one.n for one in defined),
        used=np.any([one.used for one in defined], axis=0) if defined else first.used & False,
        is_mean=all(one.is_mean for one in parts),
        note=f"mean over {len(defined)} of {len(parts)} {words}",
    )


def difference(first: Statistic, second: Statistic, *, component: str, part: str) -> Statistic:
    """First minus second, resampled together (NS 4.3 compares components on the same inputs)."""
    width = first.highest - first.lowest
    return replace(
        first,
        quantity=f"{first.quantity}_difference",
        component=component,
        part=part,
        draws=first.draws - second.draws,
        n=min(first.n, second.n),
        used=first.used & second.used,
        lowest=-width,
        highest=width,
        is_mean=False,
        note="",
    )
