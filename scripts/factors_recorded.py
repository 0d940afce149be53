"""Check recorded responses of a user's own (F1 to F15) and lay them out as the pipeline's are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.factors.case_record import write_case
from avowed.factors.inputs import read_inputs, write_inputs
from avowed.factors.plan import read_plan, write_plan
from avowed.factors.response_refusal import refuse_violations
from avowed.factors.response_rules import check_responses
from avowed.factors.responses_file import read_responses, write_responses
from avowed.factors.usecase import read_use_case
from avowed.made import record_making
from avowed.refusal import reported
from avowed.sources.hashing import sha256_of

with reported(Path(snakemake.log[0])) as say:
    usecase, path = Path(snakemake.input.usecase), Path(snakemake.input.responses)
    case = read_use_case(usecase)
    inputs = read_inputs(Path(snakemake.input.inputs), case)
    plan = read_plan(Path(snakemake.input.plan), case, inputs, use_case_sha256=sha256_of(usecase))
    table = read_responses(path, case, cited=plan.design.cited)
    refuse_violations(path, check_responses(case, inputs, plan, table), say=say)
    written = [Path(snakemake.output[name]) for name in ("inputs", "plan", "responses", "case")]
    write_inputs(written[0], case, inputs)
    write_plan(written[1], plan)
    write_responses(written[2], table)
    write_case(written[3], case)
    say(f"{path}: accepted, {table.num_rows} responses")
    # Nothing in them depends on this run's seed.
    record_making(Path(snakemake.output.made), written, seed=None)
