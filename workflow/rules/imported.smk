# A user's own files become a delivery as a mapping says.
#
# in:  the files and the mapping that config key pairs names
# out: results/pairs/imported/<name>/*


# Everything that cannot be taken over is counted with its reason in exclusions.csv.
rule import_delivery:
    input:
        files=import_files,
        mapping=config["pairs"]["mapping"] or [],
        code=library_sources("importing", "pairs", "stats", "sources/hashing"),
    output:
        records="results/pairs/imported/{name}/records.parquet",
        header="results/pairs/imported/{name}/delivery.json",
        exclusions="results/pairs/imported/{name}/exclusions.csv",
        described="results/pairs/imported/{name}/import.json",
        made="results/pairs/imported/{name}.made.json",
    log:
        "results/logs/import_delivery/{name}.log",
    benchmark:
        "results/benchmarks/import_delivery/{name}.tsv"
    wildcard_constraints:
        name=IMPORTED_PATTERN,
    conda:
        "../../envs/base.yaml"
    params:
        source=config["pairs"]["source"],
    script:
        "../../scripts/import_delivery.py"
