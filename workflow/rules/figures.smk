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


# The figures of the simulation study.
rule study_figure:
    input:
        table=lambda w: f"results/tables/{STUDY_FIGURES[w.figure]}.csv",
        code=library_sources("present"),
    output:
        svg="figures/{figure}.svg",
        png="figures/{figure}.png",
    log:
        "results/logs/study_figure/{figure}.log",
    benchmark:
        "results/benchmarks/study_figure/{figure}.tsv"
    wildcard_constraints:
        figure="|".join(STUDY_FIGURES),
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
        target_half_width=config["analysis"]["target_half_width"],
    script:
        "../../scripts/study_figure.py"
