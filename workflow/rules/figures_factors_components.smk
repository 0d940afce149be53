# Figures of the second paper that set its components side by side, one rule and one script each.
#
# in:  results/factors/<study>/estimates.parquet, results/factors/<study>/truth.csv
# out: figures/<study>_<name>.svg, figures/<study>_<name>.png, figures/<study>_<name>.csv


# Whether another explanation prompt agrees better with necessity (NS figure 7).
rule figure_prompt_variations:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_prompt_variations.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "prompt variations", "use case": "{study}"},
        ),
        png="figures/{study}_prompt_variations.png",
        csv="figures/{study}_prompt_variations.csv",
        made="figures/{study}_prompt_variations.made.json",
    log:
        "results/logs/figure_prompt_variations/{study}.log",
    benchmark:
        "results/benchmarks/figure_prompt_variations/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_prompt_variations.py"


# Necessity under contrast beside another change: blank (NS figure 8) or similar (NS figure 9).
rule figure_control:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_control_{other}.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "control {other}", "use case": "{study}"},
        ),
        png="figures/{study}_control_{other}.png",
        csv="figures/{study}_control_{other}.csv",
        made="figures/{study}_control_{other}.made.json",
    log:
        "results/logs/figure_control/{study}_{other}.log",
    benchmark:
        "results/benchmarks/figure_control/{study}_{other}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
        other="blank|similar",
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_control.py"


# Scores and citation frequency of every feature (NS figure 10).
rule figure_feature_profile:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_feature_profile.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "feature profile", "use case": "{study}"},
        ),
        png="figures/{study}_feature_profile.png",
        csv="figures/{study}_feature_profile.csv",
        made="figures/{study}_feature_profile.made.json",
    log:
        "results/logs/figure_feature_profile/{study}.log",
    benchmark:
        "results/benchmarks/figure_feature_profile/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_feature_profile.py"


# Whether necessity and sufficiency order the cited features alike (NS figure 11).
rule figure_criteria_agreement:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_criteria_agreement.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "criteria agreement", "use case": "{study}"},
        ),
        png="figures/{study}_criteria_agreement.png",
        csv="figures/{study}_criteria_agreement.csv",
        made="figures/{study}_criteria_agreement.made.json",
    log:
        "results/logs/figure_criteria_agreement/{study}.log",
    benchmark:
        "results/benchmarks/figure_criteria_agreement/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_criteria_agreement.py"


# How far the stated order agrees with the scores, by component (NS figure 12).
rule figure_rank_agreement:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_rank_agreement.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "rank agreement", "use case": "{study}"},
        ),
        png="figures/{study}_rank_agreement.png",
        csv="figures/{study}_rank_agreement.csv",
        made="figures/{study}_rank_agreement.made.json",
    log:
        "results/logs/figure_rank_agreement/{study}.log",
    benchmark:
        "results/benchmarks/figure_rank_agreement/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_rank_agreement.py"


# Whether two components cite the same features in the same order (NS figure 13).
rule figure_overlap:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_overlap.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "overlap", "use case": "{study}"},
        ),
        png="figures/{study}_overlap.png",
        csv="figures/{study}_overlap.csv",
        made="figures/{study}_overlap.made.json",
    log:
        "results/logs/figure_overlap/{study}.log",
    benchmark:
        "results/benchmarks/figure_overlap/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_overlap.py"


# How much of the cited features' necessity is noise (the paper has no floor).
rule figure_noise_floor:
    input:
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_noise_floor.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "noise floor", "use case": "{study}"},
        ),
        png="figures/{study}_noise_floor.png",
        csv="figures/{study}_noise_floor.csv",
        made="figures/{study}_noise_floor.made.json",
    log:
        "results/logs/figure_noise_floor/{study}.log",
    benchmark:
        "results/benchmarks/figure_noise_floor/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_noise_floor.py"


# Whether the estimators meet the truth that simulated components have.
rule figure_known_truth:
    input:
        table="results/factors/{study}/truth.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/{study}_known_truth.svg",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="Cited factors",
            labels={"figure": "known truth", "use case": "{study}"},
        ),
        png="figures/{study}_known_truth.png",
        csv="figures/{study}_known_truth.csv",
        made="figures/{study}_known_truth.made.json",
    log:
        "results/logs/figure_known_truth/{study}.log",
    benchmark:
        "results/benchmarks/figure_known_truth/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_known_truth.py"
