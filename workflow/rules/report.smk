# What a reader gets besides the tables: a one-page summary, and where everything came from.
#
# in:  results/tables/*.csv, results/estimates/*.parquet
# out: results/summary.md, results/provenance/run.json


# One page: the sentences of section 12, the tables, how to read them.
rule summary:
    input:
        public_data="results/tables/public_data.csv",
        always_a="results/tables/always_a.csv",
        accuracy="results/tables/turpin_accuracy.csv",
        sample_size="results/tables/sample_size.csv",
        properties="results/tables/estimator_properties.csv",
        coverage="results/tables/coverage.csv",
        source="results/provenance/source.json",
        template="workflow/report/summary.md.j2",
        defaults="config.yaml",
        stamps=expand("results/validation/{delivery}.json", delivery=PUBLIC),
        own=["results/tables/deliveries.csv"] if OWN else [],
        code=library_sources("present", "configuration"),
    output:
        md="results/summary.md",
    log:
        "results/logs/summary.log",
    benchmark:
        "results/benchmarks/summary.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        settings=config,
    script:
        "../../scripts/summary.py"


# Commit, package versions and hashes of the inputs, beside the tables rather than in them.
rule provenance:
    input:
        source="results/provenance/source.json",
        raw_files="results/provenance/raw_files.json",
        lock="requirements.lock",
        config="config.yaml",
        tables=[
            "results/tables/public_data.csv",
            "results/tables/public_data_by_task.csv",
            "results/tables/always_a.csv",
            "results/tables/turpin_accuracy.csv",
            "results/tables/sample_size.csv",
            *expand("results/tables/{study}.csv", study=STUDIES),
            *expand(
                "results/tables/{table}.csv",
                table=["calibration_shifts", "calibration_estimates", "clustering"],
            ),
            "results/tables/worked_example.csv",
            "results/tables/threshold_curve.csv",
            "results/tables/estimator_properties.csv",
            *(["results/tables/deliveries.csv"] if OWN else []),
        ],
        code=library_sources("provenance", "sources"),
    output:
        json="results/provenance/run.json",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        settings=config,
    script:
        "../../scripts/provenance.py"
