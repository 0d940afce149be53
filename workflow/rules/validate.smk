# Nothing is estimated from unchecked records: a delivery is accepted or refused as a whole.
#
# in:  data/raw/turpin, delivery folders
# out: results/provenance/raw_files.json, results/validation/<delivery>.json


# Raw files are hashed again before they are read: a download that was right can be altered later.
rule validate_raw_files:
    input:
        source="results/provenance/source.json",
        raw_files=raw_files,
        manifest="data/sources.tsv",
        shipped="data/turpin/coded_answers.parquet",
        shipped_header="data/turpin/coded_answers.json",
        code=library_sources("sources", "pairs/coded_answers"),
    output:
        stamp="results/provenance/raw_files.json",
    log:
        "results/logs/validate_raw_files.log",
    benchmark:
        "results/benchmarks/validate_raw_files.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        raw=lambda wildcards: "data/raw/turpin",
    script:
        "../../scripts/validate_raw_files.py"


# Rules R1-R11 of section 5; the stamp is what every estimate rule asks for.
rule validate_delivery:
    input:
        delivery=delivery_files,
        code=library_sources("pairs", "present/validation"),
    output:
        stamp="results/validation/{delivery}.json",
    log:
        "results/logs/validate_delivery/{delivery}.log",
    benchmark:
        "results/benchmarks/validate_delivery/{delivery}.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        folder=lambda wildcards: DELIVERIES[wildcards.delivery],
        ours=lambda wildcards: wildcards.delivery not in OWN,
    script:
        "../../scripts/validate_delivery.py"
