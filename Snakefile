# Map of the workflow: sources -> deliveries -> validation -> estimates -> tables, figure, summary.
#
#   snakemake --cores 8                                 everything
#   snakemake figures/public_data.svg --cores 2         one target
#   snakemake --cores 8 --config 'pairs={"deliveries":{"mine":"path/to/delivery"}}'

from snakemake.utils import min_version

min_version("9.19")


configfile: "config.yaml"


# The front page of `snakemake --report results/report/workflow.zip`.
report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/download.smk"
include: "workflow/rules/deliveries.smk"
include: "workflow/rules/imported.smk"
include: "workflow/rules/validate.smk"
include: "workflow/rules/pairs.smk"
include: "workflow/rules/simulation.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/figures_simulation.smk"
include: "workflow/rules/figures_factors.smk"
include: "workflow/rules/figures_factors_components.smk"
include: "workflow/rules/factors.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/gate.smk"


# Everything that `make reproduce` leaves behind.
rule all:
    default_target: True
    input:
        PUBLIC_TARGETS,
        OWN_TARGETS,
