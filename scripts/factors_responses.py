"""Let the simulated components of a use case answer every call; check the answers (F1 to F15)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated.generate import simulate
from avowed.endpoints.simulated.prepared import prepared
from avowed.factors.inputs import read_inputs
from avowed.factors.plan import read_plan
from avowed.factors.response_refusal import refuse_violations
from avowed.factors.response_rules import check_responses
from avowed.factors.responses_file import write_responses
from avowed.factors.usecase import read_use_case
from avowed.made import record_making
from avowed.refusal import reported
from avowed.sources.hashing import sha256_of

with reported(Path(snakemake.log[0])) as say:
    usecase = Path(snakemake.input.usecase)
    case = read_use_case(usecase)
    written = [Path(snakemake.input.case)]
    for part, folder in snakemake.params.parts.items():
        inputs = read_inputs(Path(folder, "inputs.jsonl"), case)
        plan = read_plan(
            Path(folder, "plan.json"), case, inputs, use_case_sha256=sha256_of(usecase)
        )
        # Explanations go by the true scores of every intervention, asked for here or not.
        ready = prepared(
            case,
            inputs,
            fixed_point=plan.design.fixed_point,
            binary_similar=plan.design.binary_similar,
        )
        components = read_components(Path(snakemake.params.components[part]), case)
        table = simulate(components, ready, plan, seed=snakemake.params.seed)
        path = Path(folder, "responses.parquet")
        refuse_violations(path, check_responses(case, inputs, plan, table), say=say)
        write_responses(path, table)
        say(f"{path}: {table.num_rows} responses")
        written += [path, Path(folder, "inputs.jsonl"), Path(folder, "plan.json")]
    record_making(Path(snakemake.output.made), written, seed=snakemake.params.seed)
