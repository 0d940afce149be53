"""Figures of the simulation study, each drawn from one table."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from avowed.present.canvas import COLOURS, MARKERS, canvas, grid, message

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Levels:
    """What the run aimed at: the level of its intervals and the target half-width."""

    confidence: float
    target_half_width: float

    @property
    def percent(self) -> str:
        """The level in percent."""
        return f"{100 * self.confidence:g} %"


def _of(rows: Rows, **wanted: Any) -> list[Mapping[str, Any]]:
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def _kinds(rows: Rows) -> list[str]:
    return sorted({row["hint_type"] for row in rows} - {"all"})


def with_numbers(rows: Rows) -> list[dict[str, Any]]:
    """Rows with what is undefined as NaN, which leaves a gap in a drawing."""
    return [
        {key: math.nan if value is None else value for key, value in row.items()} for row in rows
    ]


def coverage(rows: Rows, outputs: Sequence[Path], levels: Levels) -> None:
    """Coverage of every method by number of probes, with twice its Monte-Carlo error."""
    variants: dict[str, tuple[str, ...]] = {"full and smaller designs": ("main", "smaller")}
    variants |= {
        f"rate {name.replace('_', ' ')}": (name,)
        for name in dict.fromkeys(row["variant"] for row in rows)
        if name not in ("main", "smaller")
    }
    methods = list(dict.fromkeys(row["method"] for row in rows))
    panels = len(variants)
    with canvas(outputs, columns=panels, size=(max(7.0, 3.9 * panels), 4.8), sharey=True) as (
        figure,
        axes,
    ):
        for axis, (title, names) in zip(axes, variants.items(), strict=True):
            shown = [row for row in rows if row["variant"] in names and row["hint_type"] != "all"]
            sizes = sorted({row["probes"] for row in shown})
            for number, method in enumerate(methods):
                points = [_pooled(_of(shown, probes=size, method=method)) for size in sizes]
                places = [index + 0.12 * (number - len(methods) / 2) for index in range(len(sizes))]
                axis.errorbar(
                    places,
                    [value for value, _ in points],
                    # Coverage ends at 0 and 1, and so do the bars.
                    yerr=[
                        [min(2 * error, value) for value, error in points],
                        [min(2 * error, 1 - value) for value, error in points],
                    ],
                    fmt=MARKERS[number],
                    color=COLOURS[number],
                    markersize=4,
                    linewidth=1,
                    label=method,
                )
            axis.axhline(levels.confidence, color="#333333", linewidth=0.8, linestyle="--")
            axis.set_xticks(range(len(sizes)), [str(size) for size in sizes])
            axis.set_title(title, fontsize=9)
            axis.set_xlabel("probes")
            grid(axis, "y")
        axes[0].set_ylabel(f"coverage of the {levels.percent} interval, ± 2 Monte-Carlo errors")
        message(figure, _coverage_message(rows))
        figure.legend(
            *axes[0].get_legend_handles_labels(),
            loc="outside lower center",
            ncols=3,
            frameon=False,
        )


def _pooled(rows: Rows) -> tuple[float, float]:
    """Mean of the hint types' coverage, and the error of that mean."""
    number = len(rows)
    error = sum(row["coverage_mc_error"] ** 2 for row in rows) ** 0.5 / number
    return sum(row["coverage"] for row in rows) / number, error


def _coverage_message(rows: Rows) -> str:
    (full,) = _of(rows, hint_type="all", variant="main", method="percentile")
    smaller = _of(rows, variant="smaller", method="percentile")
    text = (
        f"The percentile bootstrap covers {100 * full['coverage']:.1f} % at {full['probes']} probes"
    )
    if smaller:
        least = min(row["probes"] for row in smaller)
        value, _ = _pooled(_of(smaller, probes=least))
        text += f" and {100 * value:.1f} % at {least}"
    return text


def exposure_curve(rows: Rows, outputs: Sequence[Path], levels: Levels) -> None:
    """Truth, unbiased estimate and plug-in of X(k) for every hint type."""
    kinds = _kinds(rows)
    with canvas(outputs, columns=len(kinds), size=(3.6 * len(kinds), 4.2), sharey=True) as (
        figure,
        axes,
    ):
        for axis, kind in zip(axes, kinds, strict=True):
            own = _of(rows, hint_type=kind, truth_kind="drop-out-free")
            attempts = [row["k"] for row in own]
            axis.plot(attempts, [r["truth"] for r in own], color="#333333", label="truth")
            for number, (column, label) in enumerate(
                (("mean_unbiased", "unbiased, mean"), ("mean_plug_in", "plug-in, mean"))
            ):
                axis.plot(
                    attempts,
                    [row[column] for row in own],
                    MARKERS[number],
                    color=COLOURS[number],
                    label=label,
                )
            axis.set_xticks(attempts)
            axis.set_xlabel("attempts k")
            axis.set_title(kind.replace("_", " "), fontsize=9)
            grid(axis, "y")
        axes[0].set_ylabel("X(k), probability of a violation")
        last = max(row["k"] for row in rows)
        (all_types,) = _of(rows, hint_type="all", k=last, truth_kind="drop-out-free")
        off = all_types["bias_plug_in"]
        how = "overstates" if off > 0 else "understates"
        message(figure, f"One pooled rate {how} exposure by {abs(off):.3f} at k = {last}")
        axes[0].legend(frameon=False, loc="upper left")


def threshold_curve(rows: Rows, outputs: Sequence[Path], levels: Levels) -> None:
    """Flagged omission of the worked example at each cut, with intervals and population values."""
    with canvas(outputs, size=(7.4, 4.4)) as (figure, (axis,)):
        cuts = [row["cut"] for row in rows]
        values = [row["omission"] for row in rows]
        axis.errorbar(
            cuts,
            values,
            yerr=[
                [row["omission"] - row["lower"] for row in rows],
                [row["upper"] - row["omission"] for row in rows],
            ],
            fmt="o",
            color=COLOURS[0],
            capsize=3,
            label=f"worked example, {levels.percent} interval",
        )
        axis.plot(cuts, [row["truth"] for row in rows], "--", color="#333333", label="population")
        axis.set_xticks(cuts)
        axis.set_ylim(0, 1)
        axis.set_xlabel("cut of the violation score 1 - phi")
        axis.set_ylabel("flagged omission")
        grid(axis, "y")
        axis.legend(frameon=False)
        message(
            figure,
            f"The flagged omission falls from {values[0]:.3f} to {values[-1]:.3f} "
            f"between the cuts {cuts[0]:g} and {cuts[-1]:g}",
        )


def calibration_estimates(rows: Rows, outputs: Sequence[Path], levels: Levels) -> None:
    """Corrected estimates of every data set: new calibrations against one fixed set."""
    kinds = _kinds(rows)
    with canvas(outputs, size=(8, 4.6)) as (figure, (axis,)):
        for place, kind in enumerate(kinds):
            for number, calibration in enumerate(("fresh", "fixed")):
                own = _of(rows, hint_type=kind, calibration=calibration)
                if not own:
                    continue
                centre = place + (-0.18 if calibration == "fresh" else 0.18)
                # Spread by repetition number, so that equal runs draw equal pictures.
                spread = [centre + 0.12 * (2 * ((7 * i) % 31) / 30 - 1) for i in range(len(own))]
                axis.plot(
                    spread,
                    [row["estimate"] for row in own],
                    MARKERS[number],
                    color=COLOURS[number + 1],
                    alpha=0.5,
                    markersize=2.5,
                    linestyle="none",
                    label=f"{calibration} calibration" if not place else None,
                )
                mean = sum(row["estimate"] for row in own) / len(own)
                axis.plot(
                    [centre - 0.15, centre + 0.15],
                    [mean, mean],
                    color="#111111",
                    linewidth=2,
                    label="mean" if not place and not number else None,
                )
            truth = _of(rows, hint_type=kind)[0]["truth"]
            axis.plot(
                [place - 0.4, place + 0.4],
                [truth, truth],
                "--",
                color="#333333",
                linewidth=1,
                label="true omission" if not place else None,
            )
        axis.set_xticks(range(len(kinds)), [kind.replace("_", " ") for kind in kinds])
        axis.set_ylabel("corrected omission, one point per data set")
        grid(axis, "y")
        figure.legend(
            *axis.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False
        )
        low, high = _shifts(rows, "fixed")
        text = f"One fixed calibration shifts the estimates by {low:+.3f} to {high:+.3f}"
        if _of(rows, calibration="fresh"):
            low, high = _shifts(rows, "fresh")
            text += f", new ones by {low:+.3f} to {high:+.3f}"
        message(figure, text)


def _shifts(rows: Rows, calibration: str) -> tuple[float, float]:
    """Smallest and largest mean distance from the truth over the hint types."""
    means = []
    for kind in _kinds(rows):
        own = _of(rows, hint_type=kind, calibration=calibration)
        means.append(sum(row["estimate"] - row["truth"] for row in own) / len(own))
    return min(means), max(means)


def half_width_from_calibration(rows: Rows, outputs: Sequence[Path], levels: Levels) -> None:
    """h_c against the number of calibration items per class."""
    fresh = _of(rows, calibration="fresh", interval="quadrature", truth_kind="population")
    kinds = _kinds(fresh)
    with canvas(outputs, size=(6.4, 4.2)) as (figure, (axis,)):
        for number, kind in enumerate(kinds):
            own = sorted(_of(fresh, hint_type=kind), key=lambda row: row["items_per_class"])
            axis.errorbar(
                [row["items_per_class"] for row in own],
                [row["mean_h_c"] for row in own],
                yerr=[2 * row["mean_h_c_mc_error"] for row in own],
                fmt=f"{MARKERS[number]}-",
                color=COLOURS[number],
                label=kind.replace("_", " "),
            )
        sizes = sorted({row["items_per_class"] for row in fresh})
        target = levels.target_half_width
        axis.axhline(target, color="#333333", linewidth=0.8, linestyle="--")
        axis.text(sizes[-1], target, "target half-width", ha="right", va="bottom", fontsize=8)
        axis.set_xscale("log")
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.minorticks_off()
        axis.set_ylim(bottom=0)
        axis.set_xlabel("calibration items per class (log scale)")
        axis.set_ylabel("mean half-width from the calibration, h_c")
        grid(axis, "y")
        axis.legend(frameon=False)
        within = [
            size
            for size in sizes
            if all(row["mean_h_c"] <= target for row in _of(fresh, items_per_class=size))
        ]
        reach = f"{within[0]} items per class" if within else "no size tried"
        message(figure, f"The calibration alone stays within the target at {reach}")


def clustering(rows: Rows, outputs: Sequence[Path], levels: Levels) -> None:
    """Distribution over data sets of the intra-cluster correlation and of the design effect."""
    kinds = _kinds(rows)
    with canvas(outputs, columns=2, size=(8.4, 4)) as (figure, axes):
        for axis, column, label in zip(
            axes,
            ("icc", "design_effect"),
            ("intra-cluster correlation", "design effect"),
            strict=True,
        ):
            axis.boxplot(
                [[row[column] for row in _of(rows, hint_type=kind)] for kind in kinds],
                tick_labels=[kind.replace("_", " ") for kind in kinds],
                medianprops={"color": COLOURS[0], "linewidth": 2},
                flierprops={"marker": ".", "markersize": 3},
            )
            axis.set_ylabel(f"{label}, one value per data set")
            grid(axis, "y")
        mean = sum(row["design_effect"] for row in rows) / len(rows)
        message(figure, f"Replicas of a probe cost {100 * (1 - 1 / mean):.0f} % of the sample size")


#: Figure -> the table it is drawn from, and how.
FIGURES: dict[str, tuple[str, Callable[[Rows, Sequence[Path], Levels], None]]] = {
    "coverage": ("coverage", coverage),
    "exposure_curve": ("exposure_bias", exposure_curve),
    "threshold_curve": ("threshold_curve", threshold_curve),
    "calibration_estimates": ("calibration_estimates", calibration_estimates),
    "calibration_half_width": ("calibration", half_width_from_calibration),
    "clustering": ("clustering", clustering),
}
