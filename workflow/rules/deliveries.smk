# From raw files to deliveries: integers first, then records.
#
# in:  results/provenance/source.json, data/raw/turpin or data/turpin/coded_answers.parquet
# out: results/pairs/coded_answers.parquet, results/pairs/turpin/*, results/pairs/turpin_always_a/*,
#      results/pairs/edge/*


# Raw files or the shipped table become one table of integers, so that the source that served
# cannot change anything downstream.
rule code_answers:
    input:
        source="results/provenance/source.json",
        raw_files="results/provenance/raw_files.json",
        manifest="data/sources.tsv",
        shipped="data/turpin/coded_answers.parquet",
        shipped_header="data/turpin/coded_answers.json",
        code=library_sources("sources", "pairs"),
    output:
        table="results/pairs/coded_answers.parquet",
        header="results/pairs/coded_answers.json",
        made="results/pairs/coded_answers.made.json",
    log:
        "results/logs/code_answers.log",
    benchmark:
        "results/benchmarks/code_answers.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        raw="data/raw/turpin",
        mention_patterns=config["turpin"]["mention_patterns"],
    script:
        "../../scripts/code_answers.py"


# One delivery per model and prompting; items whose hint is correct are counted and left out (R4).
rule make_deliveries:
    input:
        table="results/pairs/coded_answers.parquet",
        code=library_sources("pairs", "present/csvfile"),
    output:
        suggested=expand(
            "results/pairs/turpin/{condition}/{file}",
            condition=SUGGESTED,
            file=["delivery.json", "records.parquet"],
        ),
        always_a=expand(
            "results/pairs/turpin_always_a/{condition}/{file}",
            condition=ALWAYS_A,
            file=["delivery.json", "records.parquet"],
        ),
        exclusions="results/pairs/turpin/exclusions.csv",
        exclusions_always_a="results/pairs/turpin_always_a/exclusions.csv",
        made="results/pairs/turpin.made.json",
    log:
        "results/logs/make_deliveries.log",
    benchmark:
        "results/benchmarks/make_deliveries.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        suggested=SUGGESTED,
        always_a=ALWAYS_A,
        mention_patterns=config["turpin"]["mention_patterns"],
        label_threshold=config["turpin"]["label_threshold"],
        risk_family=config["turpin"]["risk_family"],
    script:
        "../../scripts/make_deliveries.py"


# A small delivery in which every branch of every estimator occurs, for the recomputation.
rule edge_delivery:
    input:
        code=library_sources("pairs"),
    output:
        header="results/pairs/edge/delivery.json",
        records="results/pairs/edge/records.parquet",
        made="results/pairs/edge.made.json",
    log:
        "results/logs/edge_delivery.log",
    benchmark:
        "results/benchmarks/edge_delivery.tsv"
    conda:
        "../../envs/base.yaml"
    script:
        "../../scripts/edge_delivery.py"
