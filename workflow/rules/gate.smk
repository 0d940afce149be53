# The gate at the end of every run: what was changed after it was made does not pass.
#
# in:  records of making, everything that people read, raw files, diff.csv, planted_faults.csv
# out: results/verification/verified.json

# Records of making: for every table and figure, every page that is read, and what they are made from.
MADE = [
    *expand(
        "results/tables/{table}.made.json",
        table=[t for t in WIDE_TABLES if t != "deliveries"],
    ),
    *(["results/tables/deliveries.made.json"] if OWN else []),
    *expand("results/tables/{study}.made.json", study=STUDIES),
    *expand(
        "results/tables/{table}.made.json",
        table=[
            "public_data_by_task",
            "turpin_accuracy",
            "sample_size",
            "study_clouds",
            "calibration_shifts",
            "worked_example",
            "threshold_curve",
            "estimator_properties",
        ],
    ),
    *expand("results/estimates/{delivery}.made.json", delivery=DELIVERIES),
    *expand(
        "results/studies/{study}/{chunk}.made.json",
        study=REPEATED,
        chunk=range(config["simulation"]["chunks"]),
    ),
    "results/pairs/coded_answers.made.json",
    "results/pairs/turpin.made.json",
    "results/pairs/simulated/worked_example.made.json",
    "results/pairs/edge.made.json",
    *expand("results/pairs/imported/{name}.made.json", name=IMPORTED),
    *expand(
        "results/verification/{checked}.made.json",
        checked=[
            "refusals",
            "corrections",
            "planted_faults",
            "study_pairs",
            "diff",
            "claims",
        ],
    ),
    "results/verification/settings.made.json",
    *expand(
        "results/verification/exported/{part}.made.json", part=["records", "results"]
    ),
    *expand("figures/{figure}.made.json", figure=DRAWN),
    *expand("results/provenance/{file}.made.json", file=["source", "run"]),
    "results/summary.made.json",
    "results/report/index.made.json",
]

# Targets without one: stamps, which say nothing but that a job passed.
UNRECORDED = [
    "results/verification/verified.json",
    "results/provenance/raw_files.json",
    *expand("results/validation/{delivery}.json", delivery=DELIVERIES),
]


# The gate: a table edited by hand, another seed, a comparison that fails or a planted fault that
# goes unnoticed stops here, with the row named. `make verify` runs it again whatever is up to date.
rule verify:
    input:
        settings="results/verification/settings.json",
        diff="results/verification/diff.csv",
        faults="results/verification/planted_faults.csv",
        planted="verification/faults.toml",
        raw_files="results/provenance/raw_files.json",
        source="results/provenance/source.json",
        manifest="data/sources.tsv",
        coded="data/turpin/coded_answers.parquet",
        made=[*MADE, *FACTORS_MADE],
        # What a record has to name, the report included: a run that is refused leaves a page that
        # says so. Listed, not looked up: from clean there is nothing yet.
        results=[
            target
            for target in [
                *PUBLIC_TARGETS,
                *OWN_TARGETS,
                *rules.export_records.output,
                *rules.export_results.output,
            ]
            if target not in UNRECORDED and not target.endswith(".made.json")
        ],
        code=verification_sources(),
    output:
        stamp="results/verification/verified.json",
    log:
        "results/logs/verify.log",
    benchmark:
        "results/benchmarks/verify.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        raw="data/raw/turpin",
    script:
        "../../scripts/verify.py"
