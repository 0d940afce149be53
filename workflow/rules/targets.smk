# What a run leaves behind: tables, and every file that the documents name.

# Every table of results/tables.
TABLES = [
    f"results/tables/{table}.csv"
    for table in (
        *(name for name in WIDE_TABLES if OWN or name != "deliveries"),
        "public_data_by_task",
        "turpin_accuracy",
        "sample_size",
        *STUDIES,
        "calibration_shifts",
        "calibration_estimates",
        "clustering",
        "worked_example",
        "threshold_curve",
        "estimator_properties",
    )
]

# Every file that the documents name, so that one that went missing is made again.
PUBLIC_TARGETS = [
    *expand(
        "results/tables/{table}.{form}",
        table=["public_data", "always_a"],
        form=["csv", "md", "tex"],
    ),
    "results/tables/public_data_by_task.csv",
    "results/tables/turpin_accuracy.csv",
    "results/tables/sample_size.csv",
    *expand("results/estimates/{name}.{form}", name=PUBLIC, form=["parquet", "json"]),
    *expand("results/validation/{name}.json", name=PUBLIC),
    "results/provenance/raw_files.json",
    "results/pairs/coded_answers.parquet",
    "results/pairs/coded_answers.json",
    "results/pairs/turpin/exclusions.csv",
    "results/pairs/turpin_always_a/exclusions.csv",
    *expand("results/tables/{study}.csv", study=STUDIES),
    *expand(
        "results/tables/{table}.csv",
        table=["calibration_shifts", "clustering", "calibration_estimates"],
    ),
    *expand("results/tables/{table}.csv", table=["worked_example", "threshold_curve"]),
    *expand("figures/{figure}.{form}", figure=FIGURES, form=["svg", "png", "csv"]),
    *expand("results/tables/estimator_properties.{form}", form=["csv", "md", "tex"]),
    *expand(
        "results/estimates/{name}.{form}",
        name=[*SIMULATED, *EDGE],
        form=["parquet", "json"],
    ),
    *expand(
        "results/verification/{checked}.csv",
        checked=["diff", "refusals", "corrections", "planted_faults"],
    ),
    *expand(
        "results/verification/claims{part}.csv",
        part=["", "_summary", "_sensitivity", "_sensitivity_summary"],
    ),
    *FACTOR_TARGETS,
    "results/report/index.html",
    "results/verification/verified.json",
    "results/summary.md",
    "results/provenance/source.json",
    "results/provenance/run.json",
]
OWN_TARGETS = (
    [
        *expand("results/tables/deliveries.{form}", form=["csv", "md", "tex"]),
        *expand("figures/deliveries.{form}", form=["svg", "png", "csv"]),
        *expand("results/estimates/{name}.{form}", name=OWN, form=["parquet", "json"]),
        *expand(
            "results/pairs/imported/{name}/{file}",
            name=IMPORTED,
            file=["records.parquet", "delivery.json", "exclusions.csv", "import.json"],
        ),
    ]
    if OWN
    else []
)
