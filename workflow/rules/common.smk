# Shared by all rule files. The checked configuration, the deliveries, the sources of the library.

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

sys.path.insert(0, str(Path(workflow.basedir) / "src"))

from avowed.configuration import config_faults

# One line per fault, in the user's terms, before the schema fills in the defaults.
faults = config_faults(
    config, Path(workflow.basedir) / "workflow/schemas/config.schema.json"
)
if faults:
    raise WorkflowError("The configuration is not usable.", *faults)
validate(config, str(Path(workflow.basedir) / "workflow/schemas/config.schema.json"))

# The public data: two biases, the conditions of each (HP 16.1).
SUGGESTED = [
    "claude-v1_zero-shot",
    "claude-v1_few-shot",
    "text-davinci-003_zero-shot",
    "text-davinci-003_few-shot",
]
ALWAYS_A = ["claude-v1_few-shot", "text-davinci-003_few-shot"]

# Tables with one row per condition: condition -> delivery.
OWN = config["pairs"]["deliveries"]
WIDE_TABLES = {
    "public_data": {c: f"turpin_{c}" for c in SUGGESTED},
    "always_a": {c: f"turpin_always_a_{c}" for c in ALWAYS_A},
    "deliveries": {name: name for name in OWN},
}
# Delivery -> its table and its condition there.
PLACE = {
    delivery: {"study": table, "name": condition}
    for table, conditions in WIDE_TABLES.items()
    for condition, delivery in conditions.items()
}

# Every delivery by name -> folder. What comes after knows only names.
PUBLIC = {
    **{f"turpin_{c}": f"results/pairs/turpin/{c}" for c in SUGGESTED},
    **{f"turpin_always_a_{c}": f"results/pairs/turpin_always_a/{c}" for c in ALWAYS_A},
}
DELIVERIES = {**PUBLIC, **OWN}
OWN_TARGETS = ["results/tables/deliveries.csv", "figures/deliveries.svg"] if OWN else []


def library_sources(*packages):
    """Modules of the library that a rule uses; Snakemake reruns it when one of them changes."""
    source = Path(workflow.basedir) / "src" / "avowed"
    modules = [source / name for name in ("atomic.py", "refusal.py")]
    for name in packages:
        modules += sorted((source / name).rglob("*.py")) or [source / f"{name}.py"]
    return [str(module.relative_to(workflow.basedir)) for module in modules]


def delivery_files(wildcards):
    """Files of a delivery. Of a user's own, those that exist: the script says what is missing."""
    folder = Path(DELIVERIES[wildcards.delivery])
    names = ["delivery.json", "records.parquet"]
    if wildcards.delivery in PUBLIC:
        return [str(folder / name) for name in names]
    return [
        str(folder / n) for n in [*names, "records.jsonl"] if (folder / n).is_file()
    ]


wildcard_constraints:
    delivery="|".join(re.escape(name) for name in DELIVERIES),
