# Part I of the hinted-pair paper: estimates of every delivery, and the tables drawn from them.
#
# in:  validation stamps, deliveries, results/pairs/*/exclusions.csv
# out: results/estimates/<delivery>.parquet, results/tables/*.csv (.md, .tex)

# What the estimators take from the configuration; a changed value reruns them.
ESTIMATION = {
    key: config[key]
    for key in ("seed", "bootstrap", "analysis", "sensitivity", "chance", "exposure")
}


# Where the items that a table leaves out are counted.
EXCLUSIONS = {
    "public_data": "results/pairs/turpin/exclusions.csv",
    "always_a": "results/pairs/turpin_always_a/exclusions.csv",
}


# Everything of sections 7 to 12 for one delivery, as rows of the long table.
rule estimate_delivery:
    input:
        stamp="results/validation/{delivery}.json",
        delivery=delivery_files,
        code=library_sources("stats", "pairs"),
    output:
        estimates="results/estimates/{delivery}.parquet",
        sentences="results/estimates/{delivery}.json",
        made="results/estimates/{delivery}.made.json",
    log:
        "results/logs/estimate_delivery/{delivery}.log",
    benchmark:
        "results/benchmarks/estimate_delivery/{delivery}.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        folder=lambda wildcards: DELIVERIES[wildcards.delivery],
        place=lambda wildcards: PLACE[wildcards.delivery],
        settings=ESTIMATION,
    script:
        "../../scripts/estimate_delivery.py"


# The table of section 16.3 with every count behind it (public_data), the companion bias through
# the same code (always_a), and a user's own deliveries in the same columns (deliveries).
rule wide_table:
    input:
        estimates=lambda w: [
            f"results/estimates/{name}.parquet"
            for name in WIDE_TABLES[w.table].values()
        ],
        sentences=lambda w: [
            f"results/estimates/{name}.json" for name in WIDE_TABLES[w.table].values()
        ],
        exclusions=lambda w: EXCLUSIONS.get(w.table, []),
        code=library_sources("present"),
    output:
        csv=report(
            "results/tables/{table}.csv",
            caption="../report/conditions.rst",
            category="Tables",
            subcategory="Conditions",
            labels={"table": "{table}"},
        ),
        md="results/tables/{table}.md",
        tex="results/tables/{table}.tex",
        made="results/tables/{table}.made.json",
    log:
        "results/logs/wide_table/{table}.log",
    benchmark:
        "results/benchmarks/wide_table/{table}.tsv"
    wildcard_constraints:
        table="|".join(WIDE_TABLES),
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        conditions=lambda w: list(WIDE_TABLES[w.table]),
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/wide_table.py"


# The public data task by task: which tasks carry the result, and which have two options only.
rule public_data_by_task:
    input:
        stamps=expand("results/validation/turpin_{condition}.json", condition=SUGGESTED),
        records=expand(
            "results/pairs/turpin/{condition}/records.parquet", condition=SUGGESTED
        ),
        table="results/pairs/coded_answers.parquet",
        code=library_sources("stats", "pairs", "present"),
    output:
        csv="results/tables/public_data_by_task.csv",
        made="results/tables/public_data_by_task.made.json",
    log:
        "results/logs/public_data_by_task.log",
    benchmark:
        "results/benchmarks/public_data_by_task.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        conditions=SUGGESTED,
        settings=ESTIMATION,
    script:
        "../../scripts/public_data_by_task.py"


# Accuracy in both contexts: a check of our reading of the files against the data's own paper.
rule turpin_accuracy:
    input:
        table="results/pairs/coded_answers.parquet",
        published="data/published/turpin_accuracy.csv",
        code=library_sources("stats", "pairs", "present"),
    output:
        csv="results/tables/turpin_accuracy.csv",
        made="results/tables/turpin_accuracy.made.json",
    log:
        "results/logs/turpin_accuracy.log",
    benchmark:
        "results/benchmarks/turpin_accuracy.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/turpin_accuracy.py"


# Planning numbers of section 16.3 from the shares that moved to the hint in the public data.
rule sample_size:
    input:
        estimates=expand(
            "results/estimates/turpin_{condition}.parquet", condition=SUGGESTED
        ),
        code=library_sources("stats", "pairs", "present"),
    output:
        csv="results/tables/sample_size.csv",
        made="results/tables/sample_size.made.json",
    log:
        "results/logs/sample_size.log",
    benchmark:
        "results/benchmarks/sample_size.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        plan=config["sample_size"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/sample_size.py"
