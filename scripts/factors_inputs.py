"""Make the inputs of a use case, and plan every call of its study on simulated components."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated_study import study_plan
from avowed.factors.case_record import write_case
from avowed.factors.inputs import generate_inputs, write_inputs
from avowed.factors.plan import write_plan
from avowed.factors.usecase import read_use_case
from avowed.refusal import reported
from avowed.sources.hashing import sha256_of

with reported(Path(snakemake.log[0])) as say:
    usecase = Path(snakemake.input.usecase)
    case = read_use_case(usecase)
    inputs = generate_inputs(case, seed=snakemake.params.config["seed"])
    write_case(Path(snakemake.output.case), case)
    for part, folder in snakemake.params.parts.items():
        own, plan = study_plan(
            part,
            case,
            inputs,
            read_components(Path(snakemake.params.components[part]), case),
            config=snakemake.params.config,
            use_case_sha256=sha256_of(usecase),
        )
        write_inputs(Path(folder, "inputs.jsonl"), case, own)
        write_plan(Path(folder, "plan.json"), plan)
        say(f"{folder}: {plan.n} calls of each of {len(plan.components)} components")
