"""Every estimate of a use case from its responses, as a long table and in the paper's forms."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.endpoints.simulated_rows import Answers, main_rows, pilot_rows, prompt_rows
from avowed.factors.inputs import read_inputs
from avowed.factors.plan import read_plan
from avowed.factors.responses_file import read_responses
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import read_use_case
from avowed.factors.verdict import evidence, verdict
from avowed.made import record_making
from avowed.present.csvfile import write_rows
from avowed.present.factors_csv import SHAPES, VERDICT_COLUMNS, paper_rows
from avowed.refusal import reported
from avowed.sources.hashing import sha256_of
from avowed.stats.long_table import write_long

with reported(Path(snakemake.log[0])) as say:
    usecase = Path(snakemake.input.usecase)
    case, sha256 = read_use_case(usecase), sha256_of(usecase)
    settings = FactorSettings.from_config(snakemake.params.config)
    answers = {}
    for part, folder in snakemake.params.parts.items():
        inputs = read_inputs(Path(folder, "inputs.jsonl"), case)
        plan = read_plan(Path(folder, "plan.json"), case, inputs, use_case_sha256=sha256)
        table = read_responses(Path(folder, "responses.parquet"), case, cited=plan.design.cited)
        answers[part] = Answers(inputs, plan.components, table)

    main = answers["main"]
    rows = {
        "main": main_rows(case, main.scored(case), settings, groups=snakemake.params.groups),
        "pilot": pilot_rows(case, answers["pilot"], settings) if "pilot" in answers else [],
        "prompts": prompt_rows(case, answers["prompts"], settings) if "prompts" in answers else [],
    }
    verdicts = [
        {
            "study": snakemake.wildcards.study,
            "component": name,
            "verdict": verdict(rows["main"], name, confidence=settings.confidence),
            "evidence": evidence(rows["main"], name),
        }
        for name in main.components
    ]
    write_long([row for each in rows.values() for row in each], Path(snakemake.output.estimates))
    for name, shape in SHAPES.items():
        path = Path(snakemake.params.folder, f"{name}.csv")
        write_rows(path, shape.columns, paper_rows(shape, rows[shape.source]))
    write_rows(Path(snakemake.output.verdicts), VERDICT_COLUMNS, verdicts)
    for one in verdicts:
        say(f"{one['component']}: {one['verdict']}")
    record_making(
        Path(snakemake.output.made),
        [Path(path) for path in snakemake.output if not path.endswith(".made.json")],
        seed=snakemake.params.config["seed"],
    )
