"""Estimated against true, on components whose truth is known in closed form."""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import pyarrow.parquet as pq

from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated.prepared import prepared
from avowed.endpoints.studied import known
from avowed.endpoints.true_scores import COLUMNS, feature_truth
from avowed.factors.inputs import read_inputs
from avowed.factors.plan import read_plan
from avowed.factors.responses_file import read_responses
from avowed.factors.settings import FactorSettings
from avowed.factors.studies import known_truth
from avowed.factors.usecase import read_use_case
from avowed.made import record_making
from avowed.present.csvfile import write_rows
from avowed.refusal import reported
from avowed.sources.hashing import sha256_of

with reported(Path(snakemake.log[0])):
    usecase, study = Path(snakemake.input.usecase), snakemake.params.study
    case = read_use_case(usecase)
    inputs = read_inputs(Path(snakemake.input.inputs), case)
    plan = read_plan(Path(snakemake.input.plan), case, inputs, use_case_sha256=sha256_of(usecase))
    responses = read_responses(Path(snakemake.input.responses), case, cited=plan.design.cited)
    trials = plan.design.trials
    ready = prepared(
        case,
        inputs,
        fixed_point=plan.design.fixed_point,
        binary_similar=plan.design.binary_similar,
    )
    components = read_components(Path(snakemake.input.components), case)
    long_rows = pq.read_table(snakemake.input.estimates).to_pylist()
    by_place = {(row["cell"], row["quantity"]): row for row in long_rows if row["k"] is None}
    write_rows(
        Path(snakemake.output.features),
        COLUMNS,
        [
            row
            for one in components
            for row in feature_truth(one, ready, responses, by_place, trials=trials)
        ],
    )

    settings = replace(
        FactorSettings.from_config(snakemake.params.config), resamples=study["resamples"]
    )
    laws = [known(one, ready, trials=trials) for one in components]
    repetitions = [
        row
        for repetition in range(1, study["repetitions"] + 1)
        for row in known_truth.run(laws, settings, repetition, repeats=plan.design.repeats)
    ]
    table = known_truth.summarise(repetitions)
    for row in table:
        # A bias of a few last bits is none, and processors differ in them.
        row["bias"] = round(row["bias"], 12) + 0.0
    write_rows(Path(snakemake.output.csv), known_truth.COLUMNS, table)
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[name]) for name in ("csv", "features")],
        seed=snakemake.params.config["seed"],
    )
