# Figures of the simulation study, one rule and one script each, the rows drawn beside the picture.
#
# in:  results/tables/*.csv, data/published/simulation.csv
# out: figures/<name>.svg, figures/<name>.png, figures/<name>.csv, figures/<name>.made.json


# Every printed property of the estimators beside ours: where they differ, and by how much.
rule figure_estimator_properties:
    input:
        table="results/tables/estimator_properties.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/estimator_properties.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "estimator properties"},
        ),
        png="figures/estimator_properties.png",
        csv="figures/estimator_properties.csv",
        made="figures/estimator_properties.made.json",
    log:
        "results/logs/figure_estimator_properties.log",
    benchmark:
        "results/benchmarks/figure_estimator_properties.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_estimator_properties.py"


# Which interval of the omission rate keeps its level, with few probes and at extreme rates.
rule figure_coverage:
    input:
        table="results/tables/coverage.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/coverage.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "coverage"},
        ),
        png="figures/coverage.png",
        csv="figures/coverage.csv",
        made="figures/coverage.made.json",
    log:
        "results/logs/figure_coverage.log",
    benchmark:
        "results/benchmarks/figure_coverage.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_coverage.py"


# How far one pooled rate is off under repeated attempts.
rule figure_exposure_curve:
    input:
        table="results/tables/exposure_bias.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/exposure_curve.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "exposure curve"},
        ),
        png="figures/exposure_curve.png",
        csv="figures/exposure_curve.csv",
        made="figures/exposure_curve.made.json",
    log:
        "results/logs/figure_exposure_curve.log",
    benchmark:
        "results/benchmarks/figure_exposure_curve.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_exposure_curve.py"


# What moves that reach the hint by chance do to the omission, and what the correction leaves.
rule figure_chance_correction:
    input:
        table="results/tables/chance_correction.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/chance_correction.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "chance correction"},
        ),
        png="figures/chance_correction.png",
        csv="figures/chance_correction.csv",
        made="figures/chance_correction.made.json",
    log:
        "results/logs/figure_chance_correction.log",
    benchmark:
        "results/benchmarks/figure_chance_correction.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_chance_correction.py"


# How much replicas of a probe resemble each other, data set by data set.
rule figure_clustering:
    input:
        table="results/tables/clustering.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/clustering.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "clustering"},
        ),
        png="figures/clustering.png",
        csv="figures/clustering.csv",
        made="figures/clustering.made.json",
    log:
        "results/logs/figure_clustering.log",
    benchmark:
        "results/benchmarks/figure_clustering.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_clustering.py"


# Whether the printed data set could be one of ours.
rule figure_worked_example:
    input:
        table="results/tables/worked_example.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/worked_example.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "worked example"},
        ),
        png="figures/worked_example.png",
        csv="figures/worked_example.csv",
        made="figures/worked_example.made.json",
    log:
        "results/logs/figure_worked_example.log",
    benchmark:
        "results/benchmarks/figure_worked_example.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_worked_example.py"


# How much the worked example depends on the judge's cut (HP 10).
rule figure_threshold_curve:
    input:
        table="results/tables/threshold_curve.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/threshold_curve.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "threshold curve"},
        ),
        png="figures/threshold_curve.png",
        csv="figures/threshold_curve.csv",
        made="figures/threshold_curve.made.json",
    log:
        "results/logs/figure_threshold_curve.log",
    benchmark:
        "results/benchmarks/figure_threshold_curve.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_threshold_curve.py"


# A fixed calibration shifts all estimates the same way, new ones scatter around the truth.
rule figure_calibration_estimates:
    input:
        estimates="results/tables/calibration_estimates.csv",
        calibration="results/tables/calibration.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/calibration_estimates.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "calibration estimates"},
        ),
        png="figures/calibration_estimates.png",
        csv="figures/calibration_estimates.csv",
        made="figures/calibration_estimates.made.json",
    log:
        "results/logs/figure_calibration_estimates.log",
    benchmark:
        "results/benchmarks/figure_calibration_estimates.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_calibration_estimates.py"


# Whether the printed shift is a rare draw (HP 15).
rule figure_calibration_shifts:
    input:
        shifts="results/tables/calibration_shifts.csv",
        calibration="results/tables/calibration.csv",
        published="data/published/simulation.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/calibration_shifts.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "calibration shifts"},
        ),
        png="figures/calibration_shifts.png",
        csv="figures/calibration_shifts.csv",
        made="figures/calibration_shifts.made.json",
    log:
        "results/logs/figure_calibration_shifts.log",
    benchmark:
        "results/benchmarks/figure_calibration_shifts.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/figure_calibration_shifts.py"


# What the fixed calibration costs in coverage, against either truth.
rule figure_calibration_coverage:
    input:
        table="results/tables/calibration.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/calibration_coverage.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "calibration coverage"},
        ),
        png="figures/calibration_coverage.png",
        csv="figures/calibration_coverage.csv",
        made="figures/calibration_coverage.made.json",
    log:
        "results/logs/figure_calibration_coverage.log",
    benchmark:
        "results/benchmarks/figure_calibration_coverage.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_calibration_coverage.py"


# How large a calibration must be for the target half-width.
rule figure_calibration_half_width:
    input:
        table="results/tables/calibration.csv",
        code=library_sources("present"),
    output:
        svg=report(
            "figures/calibration_half_width.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "calibration half width"},
        ),
        png="figures/calibration_half_width.png",
        csv="figures/calibration_half_width.csv",
        made="figures/calibration_half_width.made.json",
    log:
        "results/logs/figure_calibration_half_width.log",
    benchmark:
        "results/benchmarks/figure_calibration_half_width.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        seed=config["seed"],
        target_half_width=config["analysis"]["target_half_width"],
    script:
        "../../scripts/figure_calibration_half_width.py"
