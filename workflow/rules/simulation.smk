# The simulation study (HP 16): repetitions in chunks, their tables, the worked example.
#
# in:  config simulation, data/published/*.csv
# out: results/studies/<study>/<chunk>.parquet, results/tables/<study>.csv and the tables of the
#      worked example, the printed properties and the figures

CHUNKS = range(config["simulation"]["chunks"])
# What every study takes from the configuration: the number of chunks is scheduling only, and two
# numbers belong to one rule each.
SIMULATION = {
    key: value
    for key, value in config["simulation"].items()
    if key not in ("chunks", "worked_example_repetitions", "fixed_sets")
}


# Repetitions of one study. A repetition has random streams of its own, so the rows are the same
# for any number of chunks and cores.
rule simulation_study:
    input:
        code=library_sources("stats", "pairs"),
    output:
        repetitions="results/studies/{study}/{chunk}.parquet",
        made="results/studies/{study}/{chunk}.made.json",
    log:
        "results/logs/simulation_study/{study}_{chunk}.log",
    benchmark:
        "results/benchmarks/simulation_study/{study}_{chunk}.tsv"
    wildcard_constraints:
        study="|".join(STUDIES),
        chunk=r"\d+",
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        chunks=len(CHUNKS),
        simulation=SIMULATION,
        settings=ESTIMATION,
    script:
        "../../scripts/simulation_study.py"


# One row per cell and method, each figure with its Monte-Carlo error.
rule study_table:
    input:
        repetitions=expand("results/studies/{{study}}/{chunk}.parquet", chunk=CHUNKS),
        code=library_sources("stats", "pairs", "present"),
    output:
        csv=report(
            "results/tables/{study}.csv",
            caption="../report/study.rst",
            category="Tables",
            subcategory="Simulation",
            labels={"table": "{study}"},
        ),
        made="results/tables/{study}.made.json",
    log:
        "results/logs/study_table/{study}.log",
    benchmark:
        "results/benchmarks/study_table/{study}.tsv"
    wildcard_constraints:
        study="|".join(STUDIES),
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/study_table.py"


# What single repetitions gave, for the figures that show them one by one.
rule study_clouds:
    input:
        coverage=expand("results/studies/coverage/{chunk}.parquet", chunk=CHUNKS),
        calibration=expand("results/studies/calibration/{chunk}.parquet", chunk=CHUNKS),
        code=library_sources("pairs", "present"),
    output:
        clustering="results/tables/clustering.csv",
        calibration="results/tables/calibration_estimates.csv",
        made="results/tables/study_clouds.made.json",
    log:
        "results/logs/study_clouds.log",
    benchmark:
        "results/benchmarks/study_clouds.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION,
    script:
        "../../scripts/study_clouds.py"


# How far one fixed calibration can shift every estimate that uses it.
rule calibration_shifts:
    input:
        code=library_sources("stats", "pairs", "present"),
    output:
        csv="results/tables/calibration_shifts.csv",
        made="results/tables/calibration_shifts.made.json",
    log:
        "results/logs/calibration_shifts.log",
    benchmark:
        "results/benchmarks/calibration_shifts.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION | {"fixed_sets": config["simulation"]["fixed_sets"]},
        settings=ESTIMATION,
    script:
        "../../scripts/calibration_shifts.py"


# The worked example as an ordinary delivery: repetition 0 of the first hint type.
rule worked_example_delivery:
    input:
        code=library_sources("stats", "pairs"),
    output:
        header="results/pairs/simulated/worked_example/delivery.json",
        records="results/pairs/simulated/worked_example/records.parquet",
        truth="results/pairs/simulated/worked_example/truth.json",
        made="results/pairs/simulated/worked_example.made.json",
    log:
        "results/logs/worked_example_delivery.log",
    benchmark:
        "results/benchmarks/worked_example_delivery.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION,
        settings=ESTIMATION,
    script:
        "../../scripts/worked_example_delivery.py"


# The same numbers from many data sets: repetition 0 is the delivery, every other has streams of
# its own, as in the studies.
rule worked_example_repetitions:
    input:
        stamp="results/validation/simulated_worked_example.json",
        records="results/pairs/simulated/worked_example/records.parquet",
        code=library_sources("stats", "pairs"),
    output:
        repetitions="results/studies/worked_example/{chunk}.parquet",
        made="results/studies/worked_example/{chunk}.made.json",
    log:
        "results/logs/worked_example_repetitions/{chunk}.log",
    benchmark:
        "results/benchmarks/worked_example_repetitions/{chunk}.tsv"
    wildcard_constraints:
        chunk=r"\d+",
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        chunks=len(CHUNKS),
        repetitions=config["simulation"]["worked_example_repetitions"],
        simulation=SIMULATION,
        settings=ESTIMATION,
        gates=config["calibration"],
    script:
        "../../scripts/worked_example_repetitions.py"


# Every number of the worked example, printed and ours, with the spread of single data sets.
rule worked_example:
    input:
        repetitions=expand(
            "results/studies/worked_example/{chunk}.parquet", chunk=CHUNKS
        ),
        published="data/published/worked_example.csv",
        code=library_sources("stats", "pairs", "present"),
    output:
        csv=report(
            "results/tables/worked_example.csv",
            caption="../report/worked_example.rst",
            category="Tables",
            subcategory="Simulation",
            labels={"table": "worked example"},
        ),
        made="results/tables/worked_example.made.json",
    log:
        "results/logs/worked_example.log",
    benchmark:
        "results/benchmarks/worked_example.tsv"
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION,
        min_options=config["analysis"]["min_options"],
    script:
        "../../scripts/worked_example.py"


# The threshold curve of the worked example, beside its population values (HP 10).
rule threshold_curve:
    input:
        estimates="results/estimates/simulated_worked_example.parquet",
        code=library_sources("stats", "pairs", "present"),
    output:
        csv="results/tables/threshold_curve.csv",
        made="results/tables/threshold_curve.made.json",
    log:
        "results/logs/threshold_curve.log",
    benchmark:
        "results/benchmarks/threshold_curve.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION,
        settings=ESTIMATION,
    script:
        "../../scripts/threshold_curve.py"


# The table of section 16.2, row by row: printed, ours, Monte-Carlo error, verdict.
rule estimator_properties:
    input:
        published="data/published/simulation.csv",
        coverage="results/tables/coverage.csv",
        exposure_bias="results/tables/exposure_bias.csv",
        chance_correction="results/tables/chance_correction.csv",
        calibration="results/tables/calibration.csv",
        code=library_sources("stats", "pairs", "present"),
    output:
        csv=report(
            "results/tables/estimator_properties.csv",
            caption="../report/properties.rst",
            category="Tables",
            subcategory="Simulation",
            labels={"table": "estimator properties"},
        ),
        md="results/tables/estimator_properties.md",
        tex="results/tables/estimator_properties.tex",
        made="results/tables/estimator_properties.made.json",
    log:
        "results/logs/estimator_properties.log",
    benchmark:
        "results/benchmarks/estimator_properties.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION,
    script:
        "../../scripts/estimator_properties.py"
