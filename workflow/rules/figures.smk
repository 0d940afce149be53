# Figures, one rule and one script each. Beside every picture stands the table of the rows drawn.
#
# in:  results/tables/*.csv, data/published/simulation.csv
# out: figures/<name>.svg, figures/<name>.png, figures/<name>.csv


# What happened to the analysed pairs in each condition, and the flagged omission.
rule figure_public_data:
    input:
        table="results/tables/public_data.csv",
        code=library_sources("present"),
    output:
        svg="figures/public_data.svg",
        png="figures/public_data.png",
        csv="figures/public_data.csv",
    log:
        "results/logs/figure_public_data.log",
    benchmark:
        "results/benchmarks/figure_public_data.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_public_data.py"


# The same for the companion bias "answer is always A".
rule figure_always_a:
    input:
        table="results/tables/always_a.csv",
        code=library_sources("present"),
    output:
        svg="figures/always_a.svg",
        png="figures/always_a.png",
        csv="figures/always_a.csv",
    log:
        "results/logs/figure_always_a.log",
    benchmark:
        "results/benchmarks/figure_always_a.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_always_a.py"


# The same for a user's own deliveries; asked for only if the config lists some.
rule figure_deliveries:
    input:
        table="results/tables/deliveries.csv",
        code=library_sources("present"),
    output:
        svg="figures/deliveries.svg",
        png="figures/deliveries.png",
        csv="figures/deliveries.csv",
    log:
        "results/logs/figure_deliveries.log",
    benchmark:
        "results/benchmarks/figure_deliveries.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_deliveries.py"


# Which tasks carry the result: susceptibility and pairs of each, where omission hardly moves.
rule figure_public_data_by_task:
    input:
        table="results/tables/public_data_by_task.csv",
        code=library_sources("present"),
    output:
        svg="figures/public_data_by_task.svg",
        png="figures/public_data_by_task.png",
        csv="figures/public_data_by_task.csv",
    log:
        "results/logs/figure_public_data_by_task.log",
    benchmark:
        "results/benchmarks/figure_public_data_by_task.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_public_data_by_task.py"


# How many pairs a study needs, for any share that moves to the hint and for the public data's.
rule figure_sample_size:
    input:
        table="results/tables/sample_size.csv",
        code=library_sources("stats", "pairs", "present"),
    output:
        svg="figures/sample_size.svg",
        png="figures/sample_size.png",
        csv="figures/sample_size.csv",
    log:
        "results/logs/figure_sample_size.log",
    benchmark:
        "results/benchmarks/figure_sample_size.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
        plan=config["sample_size"],
    script:
        "../../scripts/figure_sample_size.py"


# Every printed property of the estimators beside ours: where they differ, and by how much.
rule figure_estimator_properties:
    input:
        table="results/tables/estimator_properties.csv",
        code=library_sources("present"),
    output:
        svg="figures/estimator_properties.svg",
        png="figures/estimator_properties.png",
        csv="figures/estimator_properties.csv",
    log:
        "results/logs/figure_estimator_properties.log",
    benchmark:
        "results/benchmarks/figure_estimator_properties.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_estimator_properties.py"


# Which interval of the omission rate keeps its level, with few probes and at extreme rates.
rule figure_coverage:
    input:
        table="results/tables/coverage.csv",
        code=library_sources("present"),
    output:
        svg="figures/coverage.svg",
        png="figures/coverage.png",
        csv="figures/coverage.csv",
    log:
        "results/logs/figure_coverage.log",
    benchmark:
        "results/benchmarks/figure_coverage.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_coverage.py"


# How far one pooled rate is off under repeated attempts.
rule figure_exposure_curve:
    input:
        table="results/tables/exposure_bias.csv",
        code=library_sources("present"),
    output:
        svg="figures/exposure_curve.svg",
        png="figures/exposure_curve.png",
        csv="figures/exposure_curve.csv",
    log:
        "results/logs/figure_exposure_curve.log",
    benchmark:
        "results/benchmarks/figure_exposure_curve.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_exposure_curve.py"


# What moves that reach the hint by chance do to the omission, and what the correction leaves.
rule figure_chance_correction:
    input:
        table="results/tables/chance_correction.csv",
        code=library_sources("present"),
    output:
        svg="figures/chance_correction.svg",
        png="figures/chance_correction.png",
        csv="figures/chance_correction.csv",
    log:
        "results/logs/figure_chance_correction.log",
    benchmark:
        "results/benchmarks/figure_chance_correction.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_chance_correction.py"


# How much replicas of a probe resemble each other, data set by data set.
rule figure_clustering:
    input:
        table="results/tables/clustering.csv",
        code=library_sources("present"),
    output:
        svg="figures/clustering.svg",
        png="figures/clustering.png",
        csv="figures/clustering.csv",
    log:
        "results/logs/figure_clustering.log",
    benchmark:
        "results/benchmarks/figure_clustering.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_clustering.py"


# Whether the printed data set could be one of ours.
rule figure_worked_example:
    input:
        table="results/tables/worked_example.csv",
        code=library_sources("present"),
    output:
        svg="figures/worked_example.svg",
        png="figures/worked_example.png",
        csv="figures/worked_example.csv",
    log:
        "results/logs/figure_worked_example.log",
    benchmark:
        "results/benchmarks/figure_worked_example.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_worked_example.py"


# How much the worked example depends on the judge's cut (HP 10).
rule figure_threshold_curve:
    input:
        table="results/tables/threshold_curve.csv",
        code=library_sources("present"),
    output:
        svg="figures/threshold_curve.svg",
        png="figures/threshold_curve.png",
        csv="figures/threshold_curve.csv",
    log:
        "results/logs/figure_threshold_curve.log",
    benchmark:
        "results/benchmarks/figure_threshold_curve.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
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
        svg="figures/calibration_estimates.svg",
        png="figures/calibration_estimates.png",
        csv="figures/calibration_estimates.csv",
    log:
        "results/logs/figure_calibration_estimates.log",
    benchmark:
        "results/benchmarks/figure_calibration_estimates.tsv"
    conda:
        "../../envs/plots.yaml"
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
        svg="figures/calibration_shifts.svg",
        png="figures/calibration_shifts.png",
        csv="figures/calibration_shifts.csv",
    log:
        "results/logs/figure_calibration_shifts.log",
    benchmark:
        "results/benchmarks/figure_calibration_shifts.tsv"
    conda:
        "../../envs/plots.yaml"
    script:
        "../../scripts/figure_calibration_shifts.py"


# What the fixed calibration costs in coverage, against either truth.
rule figure_calibration_coverage:
    input:
        table="results/tables/calibration.csv",
        code=library_sources("present"),
    output:
        svg="figures/calibration_coverage.svg",
        png="figures/calibration_coverage.png",
        csv="figures/calibration_coverage.csv",
    log:
        "results/logs/figure_calibration_coverage.log",
    benchmark:
        "results/benchmarks/figure_calibration_coverage.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        confidence=config["bootstrap"]["confidence"],
    script:
        "../../scripts/figure_calibration_coverage.py"


# How large a calibration must be for the target half-width.
rule figure_calibration_half_width:
    input:
        table="results/tables/calibration.csv",
        code=library_sources("present"),
    output:
        svg="figures/calibration_half_width.svg",
        png="figures/calibration_half_width.png",
        csv="figures/calibration_half_width.csv",
    log:
        "results/logs/figure_calibration_half_width.log",
    benchmark:
        "results/benchmarks/figure_calibration_half_width.tsv"
    conda:
        "../../envs/plots.yaml"
    params:
        target_half_width=config["analysis"]["target_half_width"],
    script:
        "../../scripts/figure_calibration_half_width.py"
