# The independent recomputation, the planted faults and the claims ledger.
#
# in:  deliveries, results/estimates, results/studies, results/tables, data/published
# out: results/verification/*: exported rows, diff.csv, planted_faults.csv, claims.csv


# The configuration that ran, for programs that do not read YAML or merge files.
rule settings:
    input:
        code=library_sources("jsonfile"),
    output:
        json="results/verification/settings.json",
        made="results/verification/settings.made.json",
    log:
        "results/logs/settings.log",
    benchmark:
        "results/benchmarks/settings.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        settings=config,
    script:
        "../../scripts/settings.py"


# Deliveries and coded answers as JSON lines, by pyarrow alone: the recomputation reads no Parquet.
rule export_records:
    input:
        stamps=expand("results/validation/{delivery}.json", delivery=DELIVERIES),
        coded="results/pairs/coded_answers.parquet",
        code=verification_sources(),
    output:
        deliveries=expand(
            "results/verification/exported/deliveries/{delivery}.{form}",
            delivery=DELIVERIES,
            form=["jsonl", "header.json"],
        ),
        coded="results/verification/exported/coded_answers.jsonl",
        made="results/verification/exported/records.made.json",
    log:
        "results/logs/export_records.log",
    benchmark:
        "results/benchmarks/export_records.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        folders=DELIVERIES,
    script:
        "../../scripts/export_records.py"


# Estimates and repetitions as JSON lines.
rule export_results:
    input:
        estimates=expand("results/estimates/{delivery}.parquet", delivery=DELIVERIES),
        studies=expand(
            "results/studies/{study}/{chunk}.parquet",
            study=REPEATED,
            chunk=range(config["simulation"]["chunks"]),
        ),
        code=verification_sources(),
    output:
        estimates=expand(
            "results/verification/exported/estimates/{delivery}.jsonl",
            delivery=DELIVERIES,
        ),
        studies=expand(
            "results/verification/exported/studies/{study}.jsonl", study=REPEATED
        ),
        made="results/verification/exported/results.made.json",
    log:
        "results/logs/export_results.log",
    benchmark:
        "results/benchmarks/export_results.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        deliveries=list(DELIVERIES),
        studies=REPEATED,
    script:
        "../../scripts/export_results.py"


# One corrupted delivery per rule and clause; both programs must refuse each for the same rules.
rule refused_deliveries:
    input:
        code=library_sources("pairs", "present/csvfile"),
    output:
        folder=directory("results/verification/refused"),
        csv="results/verification/refusals.csv",
        made="results/verification/refusals.made.json",
    log:
        "results/logs/refused_deliveries.log",
    benchmark:
        "results/benchmarks/refused_deliveries.tsv"
    conda:
        "../../envs/base.yaml"
    script:
        "../../scripts/refused_deliveries.py"


# Corrected rates under calibrations that bring about every gate of section 14.
rule edge_corrections:
    input:
        stamps=expand(
            "results/validation/{delivery}.json",
            delivery=["edge", "simulated_worked_example"],
        ),
        edge="results/pairs/edge/records.parquet",
        example="results/pairs/simulated/worked_example/records.parquet",
        code=library_sources("stats", "pairs", "present/csvfile"),
    output:
        csv="results/verification/corrections.csv",
        made="results/verification/corrections.made.json",
    log:
        "results/logs/edge_corrections.log",
    benchmark:
        "results/benchmarks/edge_corrections.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        settings=ESTIMATION,
        gates=config["calibration"],
        fixed_calibration=config["simulation"]["fixed_calibration"],
        edge="edge",
        example="simulated_worked_example",
    script:
        "../../scripts/edge_corrections.py"


# The pairs of repetition 0 of every study, from the streams of the study: its rows are formed again.
rule study_pairs:
    input:
        code=library_sources("stats", "pairs"),
    output:
        pairs="results/verification/study_pairs.jsonl",
        made="results/verification/study_pairs.made.json",
    log:
        "results/logs/study_pairs.log",
    benchmark:
        "results/benchmarks/study_pairs.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        simulation=SIMULATION,
        settings=ESTIMATION,
    script:
        "../../scripts/study_pairs.py"


# Mistakes that a person might make, one after another in a copy of the library: does the comparison
# notice? They run under the paper's settings, so that a user's cannot hide one.
rule planted_faults:
    input:
        header="results/pairs/edge/delivery.json",
        records="results/pairs/edge/records.parquet",
        refused="results/verification/refused",
        faults="verification/faults.toml",
        library=library_sources("stats", "pairs"),
        code=verification_sources(),
    output:
        csv=report(
            "results/verification/planted_faults.csv",
            caption="../report/planted_faults.rst",
            category="Verification",
            subcategory="Recomputation",
            labels={"table": "planted faults"},
        ),
        made="results/verification/planted_faults.made.json",
    log:
        "results/logs/planted_faults.log",
    benchmark:
        "results/benchmarks/planted_faults.tsv"
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        resamples=400,
        steady_resamples=8000,
    script:
        "../../scripts/planted_faults.py"


# Every cell of every table from what lies below it.
rule recompute_tables:
    input:
        settings="results/verification/settings.json",
        exported=rules.export_results.output,
        records=rules.export_records.output,
        legend="results/pairs/coded_answers.json",
        tables=TABLES,
        published=expand(
            "data/published/{name}.csv",
            name=["simulation", "turpin_accuracy", "worked_example"],
        ),
        code=verification_sources(),
    output:
        rows="results/verification/tables.jsonl",
    log:
        "results/logs/recompute_tables.log",
    benchmark:
        "results/benchmarks/recompute_tables.tsv"
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        only=[Path(table).stem for table in TABLES],
    script:
        "../../scripts/recompute_tables.py"


# Every estimate of a study of cited factors from its raw responses.
rule recompute_factors:
    input:
        settings="results/verification/settings.json",
        case="results/factors/{study}/usecase.json",
        estimates="results/factors/{study}/estimates.parquet",
        responses=lambda wildcards: [
            f"{folder}/{file}"
            for folder in factor_parts(wildcards).values()
            for file in ("inputs.jsonl", "plan.json", "responses.parquet")
        ],
        code=verification_sources(),
    output:
        rows="results/verification/factors_{study}.jsonl",
    log:
        "results/logs/recompute_factors/{study}.log",
    benchmark:
        "results/benchmarks/recompute_factors/{study}.tsv"
    wildcard_constraints:
        study=STUDY_PATTERN,
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    script:
        "../../scripts/recompute_factors.py"


# Every estimate of every delivery beside the recomputed one, and all else that is compared below the
# tables.
rule recompute_deliveries:
    input:
        settings="results/verification/settings.json",
        exported=rules.export_results.output,
        records=rules.export_records.output,
        stamps=expand("results/validation/{delivery}.json", delivery=DELIVERIES),
        refusals="results/verification/refusals.csv",
        refused="results/verification/refused",
        corrections="results/verification/corrections.csv",
        pairs="results/verification/study_pairs.jsonl",
        legend="results/pairs/coded_answers.json",
        exclusions=[
            "results/pairs/turpin/exclusions.csv",
            "results/pairs/turpin_always_a/exclusions.csv",
        ],
        code=verification_sources(),
    output:
        rows="results/verification/deliveries.jsonl",
    log:
        "results/logs/recompute_deliveries.log",
    benchmark:
        "results/benchmarks/recompute_deliveries.tsv"
    priority: LONG_WAY
    conda:
        "../../envs/base.yaml"
    params:
        places=PLACE,
    script:
        "../../scripts/recompute_deliveries.py"


# All comparisons in one table.
rule recomputation_diff:
    input:
        rows=[
            "results/verification/deliveries.jsonl",
            "results/verification/tables.jsonl",
            *expand(
                "results/verification/factors_{study}.jsonl", study=FACTOR_STUDIES
            ),
        ],
        code=verification_sources(),
    output:
        csv=report(
            "results/verification/diff.csv",
            caption="../report/diff.rst",
            category="Verification",
            subcategory="Recomputation",
            labels={"table": "diff"},
        ),
        made="results/verification/diff.made.json",
    log:
        "results/logs/recomputation_diff.log",
    benchmark:
        "results/benchmarks/recomputation_diff.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/recomputation_diff.py"


# What the code says of the design: fields, rules, vocabularies.
rule design_facts:
    input:
        records=expand(
            "results/pairs/turpin/{condition}/records.parquet", condition=SUGGESTED
        ),
        data=[
            *expand(
                "data/{folder}/{name}.yaml",
                folder=["usecases", "components"],
                name=["advisor", "monitor"],
            ),
            *expand("data/prompts/{name}.yaml", name=["strategies", "exploratory"]),
        ],
        code=library_sources(
            "stats",
            "pairs",
            "facts",
            "facts_factors",
            "factors",
            "endpoints/simulated",
        ),
    output:
        json="results/verification/facts.json",
    log:
        "results/logs/design_facts.log",
    benchmark:
        "results/benchmarks/design_facts.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        data=lambda wildcards: "data",
    script:
        "../../scripts/design_facts.py"


# Every numeric statement of the two papers with a computed verdict, and how much a misprint shows.
rule claims:
    input:
        claims="data/published/claims.csv",
        settings="results/verification/settings.json",
        facts="results/verification/facts.json",
        tables=TABLES,
        estimates=expand(
            "results/verification/exported/estimates/{d}.jsonl", d=DELIVERIES
        ),
        checks=sorted(str(path) for path in Path("verification/checks").glob("*.toml")),
        code=verification_sources(),
    output:
        claims=report(
            "results/verification/claims.csv",
            caption="../report/claims.rst",
            category="Verification",
            subcategory="Ledger",
            labels={"table": "claims"},
        ),
        summary=report(
            "results/verification/claims_summary.csv",
            caption="../report/claims_summary.rst",
            category="Verification",
            subcategory="Ledger",
            labels={"table": "claims summary"},
        ),
        sensitivity=report(
            "results/verification/claims_sensitivity.csv",
            caption="../report/claims_sensitivity.rst",
            category="Verification",
            subcategory="Ledger",
            labels={"table": "claims sensitivity"},
        ),
        sensitivity_summary=report(
            "results/verification/claims_sensitivity_summary.csv",
            caption="../report/claims_sensitivity.rst",
            category="Verification",
            subcategory="Ledger",
            labels={"table": "claims sensitivity summary"},
        ),
        made="results/verification/claims.made.json",
    log:
        "results/logs/claims.log",
    benchmark:
        "results/benchmarks/claims.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
    script:
        "../../scripts/claims.py"
