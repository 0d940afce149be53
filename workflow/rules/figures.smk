# Figures of the data, one rule and one script each. Beside every picture stands the table of the rows drawn.
#
# in:  results/tables/*.csv
# out: figures/<name>.svg, figures/<name>.png, figures/<name>.csv, figures/<name>.made.json

# What this run draws: one of a user's own deliveries only if there are any.
DRAWN = [*FIGURES, *FACTOR_FIGURES, *(["deliveries"] if OWN else [])]


# What happened to the analysed pairs in each condition, and the flagged omission.
rule figure_public_data:
    input:
        table="results/tables/public_data.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/public_data.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "public data"},
        ),
        png="figures/public_data.png",
        csv="figures/public_data.csv",
        made="figures/public_data.made.json",
    log:
        "results/logs/figure_public_data.log",
    benchmark:
        "results/benchmarks/figure_public_data.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_public_data.py"


# The same for the companion bias "answer is always A".
rule figure_always_a:
    input:
        table="results/tables/always_a.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/always_a.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "always a"},
        ),
        png="figures/always_a.png",
        csv="figures/always_a.csv",
        made="figures/always_a.made.json",
    log:
        "results/logs/figure_always_a.log",
    benchmark:
        "results/benchmarks/figure_always_a.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_always_a.py"


# The same for a user's own deliveries; asked for only if the config lists some.
rule figure_deliveries:
    input:
        table="results/tables/deliveries.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/deliveries.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "deliveries"},
        ),
        png="figures/deliveries.png",
        csv="figures/deliveries.csv",
        made="figures/deliveries.made.json",
    log:
        "results/logs/figure_deliveries.log",
    benchmark:
        "results/benchmarks/figure_deliveries.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_deliveries.py"


# Which tasks carry the result: susceptibility and pairs of each, where omission hardly moves.
rule figure_public_data_by_task:
    input:
        table="results/tables/public_data_by_task.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/public_data_by_task.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "public data by task"},
        ),
        png="figures/public_data_by_task.png",
        csv="figures/public_data_by_task.csv",
        made="figures/public_data_by_task.made.json",
    log:
        "results/logs/figure_public_data_by_task.log",
    benchmark:
        "results/benchmarks/figure_public_data_by_task.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_public_data_by_task.py"


# How many pairs a study needs, for any share that moves to the hint and for the public data's.
rule figure_sample_size:
    input:
        table="results/tables/sample_size.csv",
        code=library_sources("stats", "pairs", "present"),
    output:
        svg=report(
            "figures/sample_size.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "sample size"},
        ),
        png="figures/sample_size.png",
        csv="figures/sample_size.csv",
        made="figures/sample_size.made.json",
    log:
        "results/logs/figure_sample_size.log",
    benchmark:
        "results/benchmarks/figure_sample_size.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
        plan=config["sample_size"],
    script:
        "../../scripts/figure_sample_size.py"
