# Shared by all rule files. The checked configuration, the deliveries, the sources of the library.

import json
import sys
from itertools import islice
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

sys.path.insert(0, str(Path(workflow.basedir) / "src"))

from avowed.configuration import (
    config_faults,
    factor_faults,
    pair_faults,
    simulation_faults,
)
from avowed.present.factors_csv import SHAPES
from avowed.refusal import Refused, Unusable
from avowed.yamlfile import read_yaml

# One line per fault, in the user's terms, before the schema fills in the defaults.
schema = Path(workflow.basedir) / "workflow/schemas/config.schema.json"
faults = config_faults(config, schema) or simulation_faults(config["simulation"])
if faults:
    raise WorkflowError("The configuration is not usable.", *faults)
validate(config, str(schema))
if faults := factor_faults(config["factors"]) + pair_faults(config["pairs"]):
    raise WorkflowError("The configuration is not usable.", *faults)

# The public data: two biases, the conditions of each (HP 16.1).
SUGGESTED = [
    "claude-v1_zero-shot",
    "claude-v1_few-shot",
    "text-davinci-003_zero-shot",
    "text-davinci-003_few-shot",
]
ALWAYS_A = ["claude-v1_few-shot", "text-davinci-003_few-shot"]

# Tables with one row per condition: condition -> delivery.
GIVEN = config["pairs"]["deliveries"]
# What is imported from a user's own files.
IMPORTED = (
    {config["pairs"]["name"]: f"results/pairs/imported/{config['pairs']['name']}"}
    if config["pairs"]["source"]
    else {}
)
OWN = {**GIVEN, **IMPORTED}
# What an import says of itself stands beside its delivery; one that was not imported has none.
IMPORT_RECORDS = [
    *(
        f"{folder}/{name}"
        for folder in GIVEN.values()
        for name in ("import.json", "exclusions.csv")
        if Path(folder, name).is_file()
    ),
    *(f"{folder}/import.json" for folder in IMPORTED.values()),
]
WIDE_TABLES = {
    "public_data": {c: f"turpin_{c}" for c in SUGGESTED},
    "always_a": {c: f"turpin_always_a_{c}" for c in ALWAYS_A},
    "deliveries": {name: name for name in OWN},
}
# Figures that every run draws, each by a rule of its own; those of a user's deliveries come on top.
FIGURES = [
    "public_data",
    "always_a",
    "public_data_by_task",
    "sample_size",
    "estimator_properties",
    "coverage",
    "exposure_curve",
    "chance_correction",
    "clustering",
    "worked_example",
    "threshold_curve",
    "calibration_estimates",
    "calibration_shifts",
    "calibration_coverage",
    "calibration_half_width",
]
STUDIES = ["coverage", "exposure_bias", "chance_correction", "calibration"]
# What has repetitions in results/studies: the worked example is repeated too, and has a table of
# its own.
REPEATED = [*STUDIES, "worked_example"]
# Delivery -> its table and its condition there.
PLACE = {
    delivery: {"study": table, "name": condition}
    for table, conditions in WIDE_TABLES.items()
    for condition, delivery in conditions.items()
}
PLACE["simulated_worked_example"] = {
    "study": "worked_example",
    "name": "worked_example",
}
PLACE["edge"] = {"study": "edge", "name": "edge"}

# Every delivery by name -> folder. What comes after knows only names.
PUBLIC = {
    **{f"turpin_{c}": f"results/pairs/turpin/{c}" for c in SUGGESTED},
    **{f"turpin_always_a_{c}": f"results/pairs/turpin_always_a/{c}" for c in ALWAYS_A},
}
SIMULATED = {"simulated_worked_example": "results/pairs/simulated/worked_example"}
# Made for the recomputation: every branch of every estimator occurs in it.
EDGE = {"edge": "results/pairs/edge"}
DELIVERIES = {**PUBLIC, **SIMULATED, **EDGE, **OWN}

# Cited factors: the use cases whose simulated components are asked, and recorded responses.
FACTORS = config["factors"]["use_cases"]
RECORDED = {
    name: given for name, given in config["factors"]["recorded"].items() if given
}
# Study -> the file of its use case.
FACTOR_STUDIES = {
    **{name: f"data/usecases/{name}.yaml" for name in FACTORS},
    **{name: given["usecase"] for name, given in RECORDED.items()},
}
# Part of a study of simulated components -> its folder below the study's, and below data/components.
SIMULATED_PARTS = {"main": "", "pilot": "pilot/", "prompts": "prompts/"}
# Jobs that others wait for go first, so that the last jobs are not long ones (scheduling only).
LONG_WAY = 1
# Tables in the paper's forms.
FACTOR_FORMS = list(SHAPES)
# Figures of every study, and those of simulated components alone.
FACTOR_FIGURES = [
    *expand(
        "{study}_{figure}",
        study=FACTOR_STUDIES,
        figure=[
            "citation_frequency",
            "uncited_rate",
            "scores_by_rank",
            "cited_sets",
            "control_blank",
            "control_similar",
            "feature_profile",
            "criteria_agreement",
            "rank_agreement",
            "overlap",
            "noise_floor",
        ],
    ),
    *expand(
        "{study}_{figure}",
        study=FACTORS,
        figure=["full_ranking", "instability", "prompt_variations", "known_truth"],
    ),
]
FACTOR_VERDICTS = expand("results/factors/{study}/verdicts.csv", study=FACTOR_STUDIES)
FACTOR_TABLES = [
    *expand(
        "results/factors/{study}/{table}.csv",
        study=FACTOR_STUDIES,
        table=[*FACTOR_FORMS, "verdicts"],
    ),
    *expand(
        "results/factors/{study}/{table}.csv",
        study=FACTORS,
        table=["truth", "feature_truth"],
    ),
]
FACTOR_TARGETS = [
    *expand(
        "results/factors/{study}/{file}",
        study=FACTOR_STUDIES,
        file=[
            "usecase.json",
            "inputs.jsonl",
            "plan.json",
            "responses.parquet",
            "estimates.parquet",
        ],
    ),
    *expand(
        "results/factors/{study}/{part}{file}",
        study=FACTORS,
        part=[folder for folder in SIMULATED_PARTS.values() if folder],
        file=["inputs.jsonl", "plan.json", "responses.parquet"],
    ),
    *FACTOR_TABLES,
    *expand(
        "figures/{figure}.{form}", figure=FACTOR_FIGURES, form=["svg", "png", "csv"]
    ),
]
FACTORS_MADE = [
    *expand(
        "results/factors/{study}/{what}.made.json",
        study=FACTOR_STUDIES,
        what=["responses", "tables"],
    ),
    *expand("results/factors/{study}/truth.made.json", study=FACTORS),
]


def library_sources(*packages):
    """Modules of the library that a rule uses; Snakemake reruns it when one of them changes."""
    source = Path(workflow.basedir) / "src" / "avowed"
    modules = [
        source / name
        for name in (
            "atomic.py",
            "datafile.py",
            "jsonfile.py",
            "made.py",
            "real_path.py",
            "refusal.py",
            "regular_file.py",
            "sheet_cell.py",
            "strict_json.py",
            "strict_schema.py",
            "yamlfile.py",
        )
    ]
    for name in packages:
        modules += sorted((source / name).rglob("*.py")) or [source / f"{name}.py"]
    return [str(module.relative_to(workflow.basedir)) for module in modules]


def factor_groups(wildcards):
    """Groups of components with a mean of their own; those set to null are left out."""
    groups = config["factors"]["groups"].get(wildcards.study) or {}
    return {name: members for name, members in groups.items() if members}


def factor_components(wildcards):
    """Part of a study -> the file of the simulated components that are asked in it."""
    return {
        part: f"data/components/{folder}{wildcards.study}.yaml"
        for part, folder in SIMULATED_PARTS.items()
    }


def factor_parts(wildcards):
    """Part of a study -> the folder of its inputs, plan and responses."""
    parts = SIMULATED_PARTS if wildcards.study in FACTORS else {"main": ""}
    return {
        part: f"results/factors/{wildcards.study}/{folder}".rstrip("/")
        for part, folder in parts.items()
    }


def delivery_files(wildcards):
    """Files of a delivery. Of a user's own all that exist, texts of conversations among them; the
    script says what is missing. Hidden folders and more than a few thousand files are passed over.
    """
    folder = Path(DELIVERIES[wildcards.delivery])
    if wildcards.delivery not in GIVEN:
        return [str(folder / name) for name in ("delivery.json", "records.parquet")]
    visible = (
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not {"{", "}"} & set(str(path))
    )
    return sorted(str(path) for path in islice(visible, 5000))


def import_files(wildcards):
    """What an import reads, the other file with the unhinted halves included. A data set of a hub has
    no file here; what is wrong with the mapping, the script says.
    """
    source, mapping = config["pairs"]["source"], Path(config["pairs"]["mapping"])
    folders, files = [mapping.parent], []
    if not source.startswith("hf://"):
        given = Path(source)
        inside = given.is_dir()
        folders.append(given if inside else given.parent)
        files = (
            [path for path in given.iterdir() if path.is_file()] if inside else [given]
        )
    try:
        other = (read_yaml(mapping).data.get("baseline") or {}).get("file")
    except (AttributeError, Refused, Unusable):
        other = None
    if isinstance(other, str):
        files += [path for f in folders if (path := f / other).is_file()][:1]
    files = [str(path) for path in files if not path.name.startswith(".")]
    if braced := [name for name in files if {"{", "}"} & set(name)]:
        raise WorkflowError(
            f"config key pairs.source: {braced[0]} has braces in its name; rename it"
        )
    return sorted(files)


def recorded_file(study, name):
    """A file that lies beside recorded responses."""
    return str(Path(RECORDED[study]["responses"]).parent / name)


def verification_sources():
    """The second program, and what its scripts use of the library to report and to write; a change
    of any module reruns what it checks.
    """
    folder = Path(workflow.basedir) / "verification"
    modules = sorted(folder.glob("*.py"))
    return [
        *(str(path.relative_to(workflow.basedir)) for path in modules),
        *library_sources(),
    ]


def raw_files(wildcards):
    """The raw files that are there, once it is known that they count: an altered one is newer."""
    with open(
        checkpoints.fetch_sources.get().output.source, encoding="utf-8"
    ) as source:
        if json.load(source)["kind"] == "coded":
            return []
    return sorted(
        str(path) for path in Path("data/raw/turpin").rglob("*") if path.is_file()
    )


def one_of(names):
    """A pattern that only these names match; without any it matches nothing."""
    return "|".join(re.escape(name) for name in names) or "(?!)"


FACTORS_PATTERN = one_of(FACTORS)
RECORDED_PATTERN = one_of(RECORDED)
IMPORTED_PATTERN = one_of(IMPORTED)
STUDY_PATTERN = one_of(FACTOR_STUDIES)


wildcard_constraints:
    delivery="|".join(re.escape(name) for name in DELIVERIES),
