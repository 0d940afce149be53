"""A small report over made-up tables: every kind of row, some of them bad news."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.deliveries import HINT_TYPE, header, judged, record, valid_records, write_lines

from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import estimate_delivery
from avowed.present.csvfile import read_rows, write_rows
from avowed.present.outcomes_figure import draw
from avowed.present.page import REPORT, Page, Sentence, sentences_of
from avowed.present.page_figures import read_figures
from avowed.present.page_run import Provenance, RuleTime
from avowed.present.page_sources import PLACES, load
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_rows

CLAIM_COLUMNS = (
    *("claim_id", "paper", "section", "quantity", "kind", "unit"),
    *("published", "published_lo", "published_hi", "ours", "ours_lo", "ours_hi"),
    *("difference", "tolerance", "verdict", "rests_on", "relation", "relation_verdict"),
    *("source", "reading", "note"),
)


def claim(number: int, paper: str, section: str, verdict: str, **more: str) -> dict[str, str]:
    found = {
        "claim_id": f"{paper}-{section}-{number:02d}",
        "paper": paper,
        "section": section,
        "quantity": f"statement {number}",
        "kind": "public_data",
        "published": f"0.{number}",
        "verdict": verdict,
        "rests_on": "printed numbers only",
        **more,
    }
    return {column: found.get(column, "") for column in CLAIM_COLUMNS}


CLAIMS = [
    claim(1, "HP", "16.3", "matches", ours="0.1000001", difference="1e-07", tolerance="0.05"),
    claim(2, "HP", "16.3", "within Monte-Carlo error", ours="0.21", note="two spreads away"),
    claim(3, "HP", "7", "design constant in config", source="config.yaml bootstrap.resamples"),
    claim(4, "HP", "16.2", "recovered", published="", ours="0.9483333333"),
    claim(
        5,
        "NS",
        "abstract",
        "arithmetic fails",
        ours="0.7",
        ours_lo="0.69",
        ours_hi="0.71",
        reading="taken with its sign",
        relation="ours 465 (tables/worked_example.csv: ours where quantity = flagged pairs)",
        relation_verdict="matches",
    ),
    claim(6, "NS", "abstract", "arithmetic holds", ours="-0.6", difference="-1.2"),
    claim(
        7,
        "NS",
        "D.1",
        "needs live models",
        relation="a mean | a sum",
        relation_verdict="arithmetic holds | arithmetic holds",
    ),
    claim(8, "NS", "D.1", "needs live models", note='<b>"bold"</b> & <script>alert(1)</script>'),
    claim(9, "NS", "3.2", "not applicable", published="1 to 5", rests_on="nothing computed"),
    claim(
        10,
        "HP",
        "16.2",
        "differs",
        published="",
        published_lo="-0.059",
        published_hi="-0.030",
        ours_lo="-0.0582103",
        ours_hi="-0.0367117",
        rests_on="inferred design",
    ),
]

DIFF_COLUMNS = (
    *("source", "quantity", "cell", "k", "field", "main", "independent"),
    *("difference", "tolerance", "basis", "verdict"),
)


def compared(source: str, quantity: str, difference: str, **more: str) -> dict[str, str]:
    found = {
        "source": source,
        "quantity": quantity,
        "cell": "a",
        "field": "estimate",
        "main": "0.5",
        "independent": "0.5",
        "difference": difference,
        "tolerance": "1e-12",
        "basis": "exact",
        "verdict": "agrees",
        **more,
    }
    return {column: found.get(column, "") for column in DIFF_COLUMNS}


DIFF = [
    compared("turpin", "omission", "0"),
    compared(
        "turpin", "omission", "0.003", field="lower", tolerance="0.01", basis="two bootstraps"
    ),
    compared("turpin", "susceptibility", "1e-13"),
    compared("turpin", "reliability", "", main="", independent="", tolerance=""),
    compared("calibration_shifts.csv", "shift", "0"),
    compared("edge", "exposure", "0.25", k="3", verdict="fails"),
    compared(
        "edge", "n_flagged", "", independent="", verdict="no counterpart in the recomputation"
    ),
]

SENSITIVITY = "results/verification/claims_sensitivity.csv"
SENSITIVITY_SUMMARY = "results/verification/claims_sensitivity_summary.csv"
SENSITIVE_BY_KIND = [
    {
        "kind": kind,
        "changes": "8",
        "moving_elsewhere": "2",
        "share_elsewhere": "0.25",
        "moving": "6",
        "share": "0.75",
    }
    for kind in ("live_models", "all")
]
SENSITIVE = [
    {"claim_id": "NS-D.1-07", "moved": "no", "why": "a mean of eight"},
    {"claim_id": "NS-D.1-08", "moved": "yes", "why": "moves two"},
]

FAULTS = [
    {"fault": "ICC divisor", "module": "clustering", "caught": "yes", "failing_rows": "4"},
    {"fault": "U after B", "module": "outcome", "caught": "yes", "failing_rows": "12"},
    {"fault": "ties flagged", "module": "sensitivity", "caught": "no", "failing_rows": "0"},
    {"fault": "no fault", "module": "", "caught": "no", "failing_rows": "0"},
]

PROPERTIES = [
    {
        "property": "coverage of the cluster bootstrap",
        "k": "",
        "end": "",
        "truth_kind": "",
        "published": "",
        "ours": "0.9483333333",
        "mc_error": "0.009",
        "repetitions": "600",
        "noticed_from": "",
        "verdict": "recovered",
    },
    {
        "property": "bias of the unbiased exposure estimator",
        "k": "8",
        "end": "",
        "truth_kind": "drop-out-free",
        "published": "-0.0021",
        "ours": "-0.0053",
        "mc_error": "0.001",
        "repetitions": "600",
        "noticed_from": "0.0029",
        "verdict": "differs",
    },
]

WORKED = [
    {
        "quantity": "flagged pairs",
        "published": "482",
        "ours": "465",
        "difference": "-39.8",
        "spread": "23.9",
        "mean_over_repetitions": "442.2",
        "difference_in_spreads": "1.647",
        "verdict": "within Monte-Carlo error",
    },
    {
        "quantity": "drift pairs",
        "published": "584",
        "ours": "539",
        "difference": "-52.1",
        "spread": "25.5",
        "mean_over_repetitions": "531.9",
        "difference_in_spreads": "2.027",
        "verdict": "differs",
    },
    {
        "quantity": "omission at cut 0.6",
        "published": "",
        "ours": "0.53",
        "difference": "",
        "spread": "0.02",
        "mean_over_repetitions": "0.5086",
        "difference_in_spreads": "",
        "verdict": "not printed",
    },
]

CALIBRATION = [
    {
        "hint_type": "type_1",
        "calibration": kind,
        "items_per_class": "150",
        "interval": "quadrature",
        "truth_kind": "population",
        "bias": "-0.0511",
        "bias_mc_error": "0.0022",
        "exact_shift": shift,
        "coverage": "0.895",
        "coverage_mc_error": "0.0217",
        "mean_width": "0.1746",
        "repetitions": "200",
    }
    for kind, shift in (("fixed", "-0.0512"), ("fresh", ""))
]

RUN = {
    "avowed": "0.0.0",
    "commit": "0123456789",
    "python": "3.11.0",
    "packages": {"numpy": "2.0", "absent": None},
    "source": {"kind": "coded", "detail": "the coded answers"},
    "settings": {"seed": 7},
    "inputs": {"config.yaml": "ab" * 32},
    "tables": {"results/tables/public_data.csv": "cd" * 32},
}


def delivery(folder: Path, records: list[dict[str, Any]]) -> Path:
    """Write a delivery that declares the hint types it has."""
    declared = header(records)
    if {row["hint_type"] for row in records} == {HINT_TYPE}:
        declared |= {"hint_types": [HINT_TYPE], "coverage": declared["coverage"][:1]}
    return write_lines(folder, records, declared)


def wide(folder: Path, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The wide rows of a small delivery, named after its folder."""
    results = estimate_delivery(
        read_delivery(delivery(folder, records)),
        Settings(resamples=50),
        name=folder.name,
        study="public_data",
    )
    return wide_rows(folder.name, results.rows, results.cells)


def moved_and_not() -> list[dict[str, Any]]:
    """One hint type; some pairs moved, with both verdicts."""
    labels = ["unfaithful", "faithful", "unfaithful"] * 4
    moved = [
        judged(f"m{n}", label, 0.9 if label == "faithful" else 0.2)
        for n, label in enumerate(labels)
    ]
    return [*moved, *unmoved()]


def unmoved() -> list[dict[str, Any]]:
    """One hint type and no pair that moved: the omission is undefined."""
    return [record(f"r{n}") for n in range(8)]


def write_sample(root: Path) -> None:
    """Write the tables where the workflow has them, and a figure."""
    columns = (*COLUMNS, *FURTHER_COLUMNS)
    public = [
        *wide(root / "work/public", valid_records()),
        *wide(root / "work/one", moved_and_not()),
    ]
    write_rows(root / PLACES["public_data"][0], columns, public)
    companion = wide(root / "work/companion", unmoved())
    write_rows(root / PLACES["always_a"][0], columns, companion)
    counts = Counter((row["paper"], row["kind"], row["verdict"]) for row in CLAIMS)
    summary = [
        dict(zip(("paper", "kind", "verdict"), key, strict=True)) | {"n": str(n)}
        for key, n in sorted(counts.items())
    ]
    made: dict[str, Sequence[Mapping[str, Any]]] = {
        "properties": PROPERTIES,
        "worked_example": WORKED,
        "calibration": CALIBRATION,
        "claims": CLAIMS,
        "claims_summary": summary,
        "diff": DIFF,
        "planted_faults": FAULTS,
    }
    for name, rows in made.items():
        write_rows(root / PLACES[name][0], list(rows[0]), rows)
    write_rows(root / SENSITIVITY, ["claim_id", "moved", "why"], SENSITIVE)
    write_rows(root / SENSITIVITY_SUMMARY, list(SENSITIVE_BY_KIND[0]), SENSITIVE_BY_KIND)
    rows = read_rows(root / PLACES["public_data"][0])
    draw(rows, [root / "figures/public_data.svg", root / "figures/again.svg"], confidence=0.9)


def sample_page(root: Path, **changes: Any) -> Page:
    """The page over what `write_sample` wrote below ``root``; missing files are told as missing."""
    page = root / "results/report/index.html"
    tables = load(
        {name: root / place for name, (place, _) in PLACES.items()},
        page,
        shown={name: place for name, (place, _) in PLACES.items()},
    )
    more = load(
        {
            "claims_sensitivity": root / SENSITIVITY,
            "claims_sensitivity_summary": root / SENSITIVITY_SUMMARY,
        },
        page,
        shown={
            "claims_sensitivity": SENSITIVITY,
            "claims_sensitivity_summary": SENSITIVITY_SUMMARY,
        },
    )
    made = Page(
        title="Do explanations avow the hint?",
        sections=REPORT,
        sentences=[
            *sentences_of(
                "public_data",
                "public",
                [{"cell": "a", "hint_type": HINT_TYPE, "sentence": "Half of them did not say so."}],
            ),
            Sentence("edge", "edge", "Nothing <moved> here."),
        ],
        tables=tables,
        sensitivity=[more["claims_sensitivity_summary"], more["claims_sensitivity"]],
        figures=read_figures(
            sorted((root / "figures").glob("*.svg")),
            captions={"public_data": "What happened."},
            tables={"public_data": "results/tables/public_data.csv"},
            link_to={
                "results/tables/public_data.csv": "../tables/public_data.csv",
                str(root / "figures/public_data.svg"): "../../figures/public_data.svg",
            },
        ),
        provenance=Provenance(
            run=RUN,
            changed={"bootstrap.resamples": 50},
            times=[RuleTime("estimate_delivery", 6, 4.25, 140.0), RuleTime("sums", 1, 0.5, None)],
            files_checked=1,
        ),
        confidence=0.9,
    )
    return replace(made, **changes)
