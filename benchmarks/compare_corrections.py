"""The corrected rate beside packages that a user would pick for it: judgy, cigate, ppi-python.

The same simulated repetitions go to all of them: the verdicts of the judge on the moves of one
hint type, and a new calibration in each repetition, either 150 omissions and 150 acknowledgements
(as HP section 13 has it) or 300 moves as they come, which prediction-powered inference assumes.
Truth is the population omission. What each computes, read from its source:

- judgy 0.1.0: the same point estimate, clipped to [0, 1]. Its bootstrap resamples the calibration
  alone and holds the observed rate fixed: no sampling error of the evaluation at all.
- cigate 0.2.0, analytic: the same point estimate, clipped; adjusted-Wald interval by the delta
  method, with both sources of error; pairs taken as independent. Its bootstrap: items resampled on
  both sides, pairs taken as independent.
- ppi-python 0.2.3, label shift: the point estimate is the same (a confusion matrix inverted) and
  not returned; here it is read off the centre of an interval. The interval adds bounds on the
  confusion matrix and on the observed rate, unscaled by the inverse.
- ppi-python 0.2.3, mean: the rate of the judge plus the mean error in the calibration. It takes
  the calibration for a random sample of the evaluated items, which a set balanced by class is not;
  given such a set, it pulls the rate towards the set's own share. Pairs taken as independent.

Run by ``make compare``, in an environment of its own. Usage:

    python benchmarks/compare_corrections.py [--repetitions N]
"""

import argparse
import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml
from cigate.stats import bootstrap_ci, estimate_axis
from judgy import estimate_success_rate
from ppi_py import ppi_distribution_label_shift_ci, ppi_mean_ci, ppi_mean_pointestimate

from avowed.pairs.calibration import Gates, correct
from avowed.pairs.cell import per_probe
from avowed.pairs.estimate import Settings
from avowed.pairs.omission import clustered_rate
from avowed.pairs.simulate import cell_of_simulated, realised_omission
from avowed.pairs.studies.calibration import drawn_accuracy, joint_bootstrap
from avowed.pairs.studies.cells import StudyCell, main_cells
from avowed.pairs.truth import Judging, judging
from avowed.stats.bootstrap import profiles_of, resample_totals
from avowed.stats.misclassification import Accuracy
from avowed.stats.performance import bias, coverage, mean_of
from avowed.stats.seeds import Study

CONFIG_FILE = Path(__file__).parents[1] / "config.yaml"
OUTPUT = Path(__file__).parent / "output" / "compare_corrections.csv"
PER_CLASS = 150
BY_CLASS, AS_THEY_COME = f"{PER_CLASS} a class", f"{2 * PER_CLASS} as they come"
REFERENCE = "avowed, quadrature"
#: These clip their point estimate to [0, 1]; ours is raw, and says so.
CLIPPED = ("judgy", "cigate, analytic", "cigate, bootstrap")
#: No difference between ours and a package's point estimate beyond clipping and rounding.
SAME = 1e-9


class Data(NamedTuple):
    """One repetition: the pairs' verdicts per probe and one by one, and a calibration."""

    flagged: np.ndarray
    sizes: np.ndarray
    verdicts: np.ndarray
    labels: np.ndarray
    predictions: np.ndarray
    accuracy: Accuracy
    cell: str
    settings: Settings


Found = tuple[float, float, float]


def avowed_quadrature(data: Data) -> Found:
    settings = data.settings
    rng = settings.stream(Study.OMISSION, data.cell)
    observed = clustered_rate("omission", data.flagged, data.sizes, rng, settings)
    found = correct(observed.value, observed.interval.half_width, data.accuracy, gates=Gates())
    return found.rate, found.interval.lower, found.interval.upper


def avowed_joint(data: Data) -> Found:
    rng = data.settings.stream(Study.JOINT_BOOTSTRAP, data.cell)
    totals = resample_totals(
        profiles_of(data.flagged, data.sizes), rng, resamples=data.settings.resamples
    )
    ends = joint_bootstrap(totals[:, 0] / totals[:, 1], data.accuracy, rng, confidence=0.95)
    return avowed_quadrature(data)[0], ends.lower, ends.upper


def judgy(data: Data) -> Found:
    # It draws from NumPy's global generator and takes no other.
    np.random.seed(data.settings.replicate)  # noqa: NPY002
    return estimate_success_rate(
        data.labels,
        data.predictions,
        data.verdicts,
        bootstrap_iterations=data.settings.resamples,
    )


def cigate_analytic(data: Data) -> Found:
    found = estimate_axis("omission", data.verdicts, data.predictions, data.labels)
    return found.corrected, found.ci_low, found.ci_high


def cigate_bootstrap(data: Data) -> Found:
    lower, upper = bootstrap_ci(
        data.verdicts,
        data.predictions[data.labels == 1],
        data.predictions[data.labels == 0],
        iterations=data.settings.resamples,
        seed=data.settings.replicate,
    )
    return cigate_analytic(data)[0], lower, upper


def ppi_label_shift(data: Data) -> Found:
    def interval(weights: list[float]) -> tuple[float, float]:
        lower, upper = ppi_distribution_label_shift_ci(
            data.labels,
            data.predictions,
            data.verdicts,
            K=2,
            nu=np.array(weights),
            alpha=0.05,
            return_counts=False,
        )
        return float(lower), float(upper)

    # The weights [.45, .55] give .45 + .1 pi, whose interval is not clipped and shows its centre.
    centre = (sum(interval([0.45, 0.55])) / 2 - 0.45) / 0.1
    return centre, *interval([0.0, 1.0])


def ppi_mean(data: Data) -> Found:
    arrays = [each.astype(np.float64) for each in (data.labels, data.predictions, data.verdicts)]
    lower, upper = ppi_mean_ci(*arrays, alpha=0.05)
    point = ppi_mean_pointestimate(*arrays)
    return float(np.squeeze(point)), float(np.squeeze(lower)), float(np.squeeze(upper))


WAYS: dict[str, Callable[[Data], Found]] = {
    REFERENCE: avowed_quadrature,
    "avowed, joint bootstrap": avowed_joint,
    "judgy": judgy,
    "cigate, analytic": cigate_analytic,
    "cigate, bootstrap": cigate_bootstrap,
    "ppi-python, label shift": ppi_label_shift,
    "ppi-python, mean": ppi_mean,
}


def drawn_as_they_come(
    truth: Judging, omission: float, items: int, rng: np.random.Generator
) -> Accuracy:
    """A calibration of moves drawn at random, so that omissions have their own share in it."""
    positives = int(rng.binomial(items, omission))
    tp = int(rng.binomial(positives, truth.flag_if_omitted))
    fp = int(rng.binomial(items - positives, truth.flag_if_acknowledged))
    return Accuracy(tp=tp, fn=positives - tp, tn=items - positives - fp, fp=fp)


def repetition_of(cell: StudyCell, settings: Settings) -> Iterator[tuple[str, Data, float]]:
    """Yield each calibration's data, with the realised omission of the pairs."""
    pairs = cell.pairs(settings)
    data = cell_of_simulated(pairs, hint_type=cell.name)
    data = data.with_options(at_least=settings.min_options)
    flagged, sizes = per_probe(data, data.flagged, data.evaluable)
    present = sizes > 0
    truth = judging(cell.design)
    rng = settings.stream(Study.CALIBRATION_ITEMS, f"{cell.name} compared")
    calibrations = {
        BY_CLASS: drawn_accuracy(truth, PER_CLASS, rng),
        AS_THEY_COME: drawn_as_they_come(truth, cell.truth.omission, 2 * PER_CLASS, rng),
    }
    realised = realised_omission(pairs, min_options=settings.min_options)
    for name, accuracy in calibrations.items():
        counts = [accuracy.tp, accuracy.fn, accuracy.fp, accuracy.tn]
        drawn = Data(
            flagged=flagged[present],
            sizes=sizes[present],
            verdicts=data.flagged[data.evaluable].astype(np.int64),
            labels=np.repeat([1, 1, 0, 0], counts),
            predictions=np.repeat([1, 0, 1, 0], counts),
            accuracy=accuracy,
            cell=cell.name,
            settings=settings,
        )
        yield name, drawn, realised


def run(config: dict[str, Any], settings: Settings, repetitions: int) -> list[dict[str, Any]]:
    """One row per repetition, hint type, calibration and way."""
    rows = []
    for repetition in range(repetitions):
        own = replace(settings, replicate=repetition)
        for cell in main_cells(config):
            for calibration, data, realised in repetition_of(cell, own):
                results = {name: way(data) for name, way in WAYS.items()}
                reference = results[REFERENCE][0]
                for name, (point, lower, upper) in results.items():
                    rows.append(
                        {
                            "hint_type": cell.hint_type,
                            "calibration": calibration,
                            "way": name,
                            "point": point,
                            "lower": lower,
                            "upper": upper,
                            "difference": point
                            - (min(max(reference, 0.0), 1.0) if name in CLIPPED else reference),
                            "truth": cell.truth.omission,
                            "realised": realised,
                        }
                    )
    return rows


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in rows:
        for kind in (row["hint_type"], "all"):
            groups.setdefault((row["calibration"], row["way"], kind), []).append(row)
    summaries = []
    for (calibration, way, kind), group in groups.items():
        point, lower, upper, truth, realised, difference = (
            np.array([row[name] for row in group])
            for name in ("point", "lower", "upper", "truth", "realised", "difference")
        )
        off, width = bias(point, truth), mean_of(upper - lower)
        held, also = coverage(lower, upper, truth), coverage(lower, upper, realised)
        largest = float(np.abs(difference).max())
        figures = {
            "mean_difference": mean_of(difference).value,
            "largest_difference": 0.0 if largest < SAME else largest,
            "bias": off.value,
            "bias_mc_error": off.mc_error,
            "coverage": held.value,
            "coverage_mc_error": held.mc_error,
            "coverage_realised": also.value,
            "mean_width": width.value,
            "mean_width_mc_error": width.mc_error,
        }
        summaries.append(
            {"calibration": calibration, "way": way, "hint_type": kind}
            # Adding zero turns -0 into 0.
            | {name: f"{round(figure, 4) + 0.0:.4f}" for name, figure in figures.items()}
            | {"repetitions": str(held.repetitions)}
        )
    return sorted(summaries, key=_order)


def _order(row: dict[str, str]) -> tuple[Any, ...]:
    return row["calibration"] != BY_CLASS, row["hint_type"] == "all", row["hint_type"]


def main() -> None:
    parser = argparse.ArgumentParser(description="The corrected rate beside other packages'.")
    parser.add_argument("--repetitions", type=int, default=100)
    args = parser.parse_args()
    whole = yaml.safe_load(CONFIG_FILE.read_text(encoding="utf-8"))
    rows = run(whole["simulation"], Settings.from_config(whole), args.repetitions)
    summaries = summarise(rows)
    OUTPUT.parent.mkdir(exist_ok=True)
    with OUTPUT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(summaries[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(summaries)
    shown = ("hint_type", "way", "largest_difference", "bias", "coverage", "mean_width")
    for calibration in (BY_CLASS, AS_THEY_COME):
        print(f"Calibration of {calibration}, {args.repetitions} repetitions per hint type")
        print(f"{'type':<8} {'way':<26} {'max diff':>9} {'bias':>8} {'coverage':>16} {'width':>7}")
        for row in summaries:
            if row["calibration"] == calibration:
                kind, way, largest, off, held, width = (row[name] for name in shown)
                share = f"{held} +- {row['coverage_mc_error']}"
                print(f"{kind:<8} {way:<26} {largest:>9} {off:>8} {share:>16} {width:>7}")
        print()
    print("max diff: largest difference of a point estimate from ours, clipped where theirs is.")


if __name__ == "__main__":
    main()
