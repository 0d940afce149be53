# Figures, each drawn from the table of the same name that stands beside it.
#
# in:  results/tables/<table>.csv
# out: figures/<table>.svg, figures/<table>.png


# What happened to the analysed pairs in each condition, and the flagged omission.
rule figure_outcomes:
    input:
        table="results/tables/{table}.csv",
        code=library_sources("present"),
    output:
        svg="figures/{table}.svg",
        png="figures/{table}.png",
    log:
        "results/logs/figure_outcomes/{table}.log",
    benchmark:
        "results/benchmarks/figure_outcomes/{table}.tsv"
    wildcard_constraints:
        table="|".join(WIDE_TABLES),
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_outcomes.py"
