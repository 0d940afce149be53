# Figures of the second paper from the long table of a study, one rule and one script each. Beside every
# picture stands the table of the rows drawn.
#
# in:  results/factors/<study>/estimates.parquet, results/factors/<study>/truth.csv
# out: figures/<study>_<name>.svg, figures/<study>_<name>.png, figures/<study>_<name>.csv


# Whether the features that are cited often are the ones that move the decision (NS figure 1).
rule figure_citation_frequency:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_citation_frequency.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "citation frequency", "use case": "{study}"},
        ),
        png="figures/{study}_citation_frequency.png",
        csv="figures/{study}_citation_frequency.csv",
        made="figures/{study}_citation_frequency.made.json",
    log:
        "results/logs/figure_citation_frequency/{study}.log",
    benchmark:
        "results/benchmarks/figure_citation_frequency/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_citation_frequency.py"


# How often an uncited feature scores above a cited one, and how often selection alone would (NS
# figure 2).
rule figure_uncited_rate:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_uncited_rate.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "uncited rate", "use case": "{study}"},
        ),
        png="figures/{study}_uncited_rate.png",
        csv="figures/{study}_uncited_rate.csv",
        made="figures/{study}_uncited_rate.made.json",
    log:
        "results/logs/figure_uncited_rate/{study}.log",
    benchmark:
        "results/benchmarks/figure_uncited_rate/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_uncited_rate.py"


# Where the omissions occur: mean scores by cited rank, and of the highest uncited feature (NS
# figure 3).
rule figure_scores_by_rank:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_scores_by_rank.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "scores by rank", "use case": "{study}"},
        ),
        png="figures/{study}_scores_by_rank.png",
        csv="figures/{study}_scores_by_rank.csv",
        made="figures/{study}_scores_by_rank.made.json",
    log:
        "results/logs/figure_scores_by_rank/{study}.log",
    benchmark:
        "results/benchmarks/figure_scores_by_rank/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_scores_by_rank.py"


# Whether the cited set as a whole is stronger than the best uncited one (NS figure 4).
rule figure_cited_sets:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_cited_sets.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "cited sets", "use case": "{study}"},
        ),
        png="figures/{study}_cited_sets.png",
        csv="figures/{study}_cited_sets.csv",
        made="figures/{study}_cited_sets.made.json",
    log:
        "results/logs/figure_cited_sets/{study}.log",
    benchmark:
        "results/benchmarks/figure_cited_sets/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_cited_sets.py"


# Whether influence ends where the cited ranks end (NS figure 5).
rule figure_full_ranking:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_full_ranking.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "full ranking", "use case": "{study}"},
        ),
        png="figures/{study}_full_ranking.png",
        csv="figures/{study}_full_ranking.csv",
        made="figures/{study}_full_ranking.made.json",
    log:
        "results/logs/figure_full_ranking/{study}.log",
    benchmark:
        "results/benchmarks/figure_full_ranking/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_full_ranking.py"


# How much fixed names steady the explanations (NS figure 6).
rule figure_instability:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_instability.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "instability", "use case": "{study}"},
        ),
        png="figures/{study}_instability.png",
        csv="figures/{study}_instability.csv",
        made="figures/{study}_instability.made.json",
    log:
        "results/logs/figure_instability/{study}.log",
    benchmark:
        "results/benchmarks/figure_instability/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_instability.py"
