# What a reader gets besides the tables: a summary, the report, and where everything came from.
#
# in:  results/tables/*.csv, results/estimates, results/verification, figures
# out: results/summary.md, results/provenance/run.json, results/report/index.html


# One page: the sentences of section 12, the tables, how to read them.
rule summary:
    input:
        public_data="results/tables/public_data.csv",
        always_a="results/tables/always_a.csv",
        accuracy="results/tables/turpin_accuracy.csv",
        sample_size="results/tables/sample_size.csv",
        properties="results/tables/estimator_properties.csv",
        coverage="results/tables/coverage.csv",
        claims="results/verification/claims.csv",
        diff="results/verification/diff.csv",
        planted_faults="results/verification/planted_faults.csv",
        source="results/provenance/source.json",
        template="workflow/report/summary.md.j2",
        defaults="config.yaml",
        stamps=expand("results/validation/{delivery}.json", delivery=PUBLIC),
        own=["results/tables/deliveries.csv"] if OWN else [],
        imports=IMPORT_RECORDS,
        verdicts=FACTOR_VERDICTS,
        code=library_sources("present", "configuration", "importing"),
    output:
        md=report(
            "results/summary.md",
            caption="../report/summary.rst",
            category="Report",
            labels={"page": "summary"},
        ),
        made="results/summary.made.json",
    log:
        "results/logs/summary.log",
    benchmark:
        "results/benchmarks/summary.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        settings=config,
        own=OWN,
    script:
        "../../scripts/summary.py"


# Commit, package versions and hashes of the inputs, beside the tables rather than in them.
rule provenance:
    input:
        source="results/provenance/source.json",
        raw_files="results/provenance/raw_files.json",
        lock="requirements.lock",
        config="config.yaml",
        tables=[*TABLES, *FACTOR_TABLES],
        code=library_sources("provenance", "sources"),
    output:
        json=report(
            "results/provenance/run.json",
            caption="../report/provenance.rst",
            category="Provenance",
            labels={"file": "run"},
        ),
        made="results/provenance/run.made.json",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        settings=config,
    script:
        "../../scripts/provenance.py"


# What the page shows: not the delivery that was made for the recomputation alone.
SHOWN = [delivery for delivery in PLACE if delivery not in EDGE]


# One self-contained page: results, figures, ledger, recomputation, provenance. It does not wait for
# the gate, so that a run that is refused can still be read; the page then says so at its top.
rule report_page:
    input:
        public_data="results/tables/public_data.csv",
        always_a="results/tables/always_a.csv",
        deliveries=["results/tables/deliveries.csv"] if OWN else [],
        properties="results/tables/estimator_properties.csv",
        worked_example="results/tables/worked_example.csv",
        calibration="results/tables/calibration.csv",
        claims="results/verification/claims.csv",
        claims_summary="results/verification/claims_summary.csv",
        sensitivity=[
            "results/verification/claims_sensitivity_summary.csv",
            "results/verification/claims_sensitivity.csv",
        ],
        diff="results/verification/diff.csv",
        planted_faults="results/verification/planted_faults.csv",
        sentences=expand("results/estimates/{delivery}.json", delivery=SHOWN),
        figures=expand("figures/{figure}.svg", figure=DRAWN),
        factors=FACTOR_TABLES,
        captions="figures/README.md",
        imports=IMPORT_RECORDS,
        run="results/provenance/run.json",
        raw_files="results/provenance/raw_files.json",
        defaults="config.yaml",
        templates=sorted(
            str(path) for path in Path("src/avowed/present/templates").glob("*.j2")
        ),
        code=library_sources("present", "configuration", "importing"),
    output:
        html=report(
            "results/report/index.html",
            caption="../report/report_page.rst",
            category="Report",
            labels={"page": "report"},
        ),
        made="results/report/index.made.json",
    log:
        "results/logs/report_page.log",
    benchmark:
        "results/benchmarks/report_page.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        title="Do explanations avow the hint that moved the answer?",
        settings=config,
        places=[PLACE[delivery] for delivery in SHOWN],
        drawn_from={figure: f"figures/{figure}.csv" for figure in DRAWN},
        benchmarks="results/benchmarks",
        own=OWN,
        factors={study: f"results/factors/{study}" for study in FACTOR_STUDIES},
    script:
        "../../scripts/report_page.py"
