# Cited factors (NS): inputs -> responses of simulated components -> estimates and tables, and the
# truth beside them. Recorded responses of a user's own take the same way from the check on.
#
# in:  data/usecases, data/components, recorded responses
# out: results/factors/<study>/*

# What the measures take from the configuration; which studies are run is scheduling only.
FACTOR_SETTINGS = {
    "seed": config["seed"],
    "bootstrap": config["bootstrap"],
    "analysis": {"target_half_width": config["analysis"]["target_half_width"]},
    "factors": {
        key: config["factors"][key]
        for key in (
            "max_undefined_share",
            "interventions",
            "rank_agreement",
            "uncited",
            "sets",
            "cross_model",
            "pilot",
        )
    },
}
# What the calls are made from.
FACTOR_DESIGN = {
    "seed": config["seed"],
    "factors": {
        key: config["factors"][key]
        for key in (
            "trials",
            "repeats",
            "temperature",
            "interventions",
            "pilot",
            "prompts",
        )
    },
}


# Inputs, and the plan of every call: all inputs under all interventions, the first ones again with
# full rankings and under several prompts.
rule factors_inputs:
    input:
        usecase="data/usecases/{study}.yaml",
        components=lambda wildcards: list(factor_components(wildcards).values()),
        code=library_sources(
            "endpoints/simulated",
            "endpoints/simulated_study",
            "factors",
            "sources/hashing",
            "stats",
        ),
    output:
        expand(
            "results/factors/{{study}}/{part}{file}",
            part=SIMULATED_PARTS.values(),
            file=["inputs.jsonl", "plan.json"],
        ),
        case="results/factors/{study}/usecase.json",
    log:
        "results/logs/factors_inputs/{study}.log",
    benchmark:
        "results/benchmarks/factors_inputs/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        config=FACTOR_DESIGN,
        parts=factor_parts,
        components=factor_components,
    script:
        "../../scripts/factors_inputs.py"


# Every component answers every call; the answers are checked as anybody's are, rules F1 to F15.
rule factors_responses:
    input:
        rules.factors_inputs.output,
        case="results/factors/{study}/usecase.json",
        usecase="data/usecases/{study}.yaml",
        components=lambda wildcards: list(factor_components(wildcards).values()),
        code=library_sources(
            "endpoints/simulated", "factors", "sources/hashing", "stats"
        ),
    output:
        responses=expand(
            "results/factors/{{study}}/{part}responses.parquet",
            part=SIMULATED_PARTS.values(),
        ),
        made="results/factors/{study}/responses.made.json",
    log:
        "results/logs/factors_responses/{study}.log",
    benchmark:
        "results/benchmarks/factors_responses/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        parts=factor_parts,
        components=factor_components,
    script:
        "../../scripts/factors_responses.py"


# Responses of a user's own, accepted as a whole or refused with the row named.
rule factors_recorded:
    input:
        usecase=lambda wildcards: RECORDED[wildcards.study]["usecase"],
        responses=lambda wildcards: RECORDED[wildcards.study]["responses"],
        inputs=lambda wildcards: recorded_file(wildcards.study, "inputs.jsonl"),
        plan=lambda wildcards: recorded_file(wildcards.study, "plan.json"),
        code=library_sources("factors", "sources/hashing", "stats"),
    output:
        inputs="results/factors/{study}/inputs.jsonl",
        plan="results/factors/{study}/plan.json",
        responses="results/factors/{study}/responses.parquet",
        case="results/factors/{study}/usecase.json",
        made="results/factors/{study}/responses.made.json",
    log:
        "results/logs/factors_recorded/{study}.log",
    benchmark:
        "results/benchmarks/factors_recorded/{study}.tsv"
    wildcard_constraints:
        study=RECORDED_PATTERN,
    conda:
        "../../envs/base.yaml"
    script:
        "../../scripts/factors_recorded.py"


# The long table, the tables in the paper's forms, and one sentence per component. What a study does
# not have (full rankings, several prompts) leaves its tables without rows.
rule factors_measures:
    input:
        usecase=lambda wildcards: FACTOR_STUDIES[wildcards.study],
        responses=lambda wildcards: [
            f"{folder}/{file}"
            for folder in factor_parts(wildcards).values()
            for file in ("inputs.jsonl", "plan.json", "responses.parquet")
        ],
        checked="results/factors/{study}/responses.made.json",
        code=library_sources(
            "endpoints/simulated_rows",
            "endpoints/simulated_study",
            "endpoints/simulated",
            "factors",
            "sources/hashing",
            "stats",
            "present/csvfile",
            "present/factors_csv",
        ),
    output:
        estimates="results/factors/{study}/estimates.parquet",
        tables=report(
            expand("results/factors/{{study}}/{table}.csv", table=FACTOR_FORMS),
            caption="../report/factors.rst",
            category="Tables",
            subcategory="Cited factors",
            labels={"use case": "{study}"},
        ),
        verdicts="results/factors/{study}/verdicts.csv",
        made="results/factors/{study}/tables.made.json",
    log:
        "results/logs/factors_measures/{study}.log",
    benchmark:
        "results/benchmarks/factors_measures/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        config=FACTOR_SETTINGS,
        groups=factor_groups,
        parts=factor_parts,
        folder=lambda wildcards: f"results/factors/{wildcards.study}",
    script:
        "../../scripts/factors_measures.py"


# Every feature's true scores, and bias and coverage of the measures over repetitions.
rule factors_truth:
    input:
        usecase="data/usecases/{study}.yaml",
        components="data/components/{study}.yaml",
        inputs="results/factors/{study}/inputs.jsonl",
        plan="results/factors/{study}/plan.json",
        responses="results/factors/{study}/responses.parquet",
        estimates="results/factors/{study}/estimates.parquet",
        code=library_sources(
            "endpoints/simulated",
            "endpoints/studied",
            "endpoints/true_scores",
            "factors",
            "sources/hashing",
            "stats",
            "present/csvfile",
        ),
    output:
        csv="results/factors/{study}/truth.csv",
        features="results/factors/{study}/feature_truth.csv",
        made="results/factors/{study}/truth.made.json",
    log:
        "results/logs/factors_truth/{study}.log",
    benchmark:
        "results/benchmarks/factors_truth/{study}.tsv"
    wildcard_constraints:
        study=FACTORS_PATTERN,
    conda:
        "../../envs/base.yaml"
    params:
        config=FACTOR_SETTINGS,
        study=config["factors"]["study"],
    script:
        "../../scripts/factors_truth.py"
