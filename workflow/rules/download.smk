# Fetch the public outputs of Turpin et al. (2023).
#
# in:   data/sources.tsv, data/turpin/coded_answers.parquet
# out:  results/provenance/source.json (which source served all 91 files)
# side: data/raw/turpin/ (the raw files, unless the coded answers served)


# Compute nodes often lack a network; a cluster run fetches where snakemake was started.
localrules:
    fetch_sources,


# The first source that serves is taken for all files: the mirror, the pinned addresses, or the
# coded answers shipped in the repository. AVOWED_MIRROR and AVOWED_SOURCE come before the config.
#
# The raw files are no declared output. Snakemake removes the outputs of a failed job, and a
# download that broke off has to go on from what it already has; with the coded answers there are
# no raw files at all. What comes after depends on source.json, and hashes the raw files again; a
# checkpoint, because only then is it known whether there are raw files to depend on.
checkpoint fetch_sources:
    input:
        manifest="data/sources.tsv",
        schema="workflow/schemas/sources.schema.json",
        coded="data/turpin/coded_answers.parquet",
        code=library_sources("sources"),
    output:
        source="results/provenance/source.json",
        made="results/provenance/source.made.json",
    log:
        "results/logs/fetch_sources.log",
    benchmark:
        "results/benchmarks/fetch_sources.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        use=config["sources"]["use"],
        mirror=config["sources"]["mirror"],
        destination="data/raw/turpin",
        partial="data/partial/turpin",
    script:
        "../../scripts/fetch_sources.py"
