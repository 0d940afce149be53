"""A wrong setting is named before anything runs; a changed one reruns what depends on it."""

import ast
import re
from pathlib import Path

import pytest
from workflow.pipeline import REPOSITORY, Copy

pytestmark = pytest.mark.slow

# Jobs of the public data, from the estimates on; and those before them.
PUBLIC = {
    "estimate_delivery": 6,
    "public_data_by_task": 1,
    "wide_table": 2,
    "sample_size": 1,
    "figure_outcomes": 2,
    "summary": 1,
    "provenance": 1,
}
CODING = {"code_answers": 1, "make_deliveries": 1, "validate_delivery": 6, "turpin_accuracy": 1}
# Jobs of the simulation study, its worked example being one more delivery; four studies in two
# chunks each, and everything that is written from them.
STUDY_RESULTS = {
    "study_table": 4,
    "study_clouds": 1,
    "estimator_properties": 1,
    "study_figure": 6,
    "calibration_shifts": 1,
    "worked_example": 1,
    "threshold_curve": 1,
}
SIMULATION = STUDY_RESULTS | {
    "simulation_study": 8,
    "worked_example_delivery": 1,
    "validate_delivery": 1,
    "estimate_delivery": 1,
    "summary": 1,
    "provenance": 1,
}
# A summary and a provenance serve both.
ESTIMATION = PUBLIC | SIMULATION | {"estimate_delivery": 7}
EVERYTHING_AFTER_FETCHING = ESTIMATION | CODING | {"validate_delivery": 7}


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        (
            "sed=2",
            "config key (top level): unknown key sed; known keys are analysis, bootstrap, "
            "calibration, chance, exposure, pairs, sample_size, seed, sensitivity, simulation, "
            "sources, turpin",
        ),
        ("seed=first", "config key seed: found 'first'; expected type integer"),
        ("seed=-1", "config key seed: found -1; expected minimum 0"),
        ("seed=1.5", "config key seed: found 1.5; expected type integer"),
        ("bootstrap=500", "config key bootstrap: found 500; expected type object"),
        (
            'bootstrap={"resamples": 500}',
            "config key bootstrap.resamples: found '500'; expected type integer "
            "(a number has no quotes; snakemake --config makes nested numbers text: "
            "use --configfile)",
        ),
        (
            'sources={"use": "web"}',
            "config key sources.use: found 'web'; expected enum "
            '["auto", "mirror", "download", "coded"]',
        ),
        (
            'pairs={"delivery": {"mine": "path"}}',
            "config key pairs: unknown key delivery; known keys are deliveries",
        ),
        (
            'pairs={"deliveries": {"turpin_mine": "path"}}',
            "config key pairs.deliveries: found 'turpin_mine'; expected pattern "
            "^(?!turpin_|simulated_)",
        ),
    ],
)
def test_a_wrong_setting_is_named_with_its_key_value_and_rule(
    pristine: Copy, setting: str, line: str
) -> None:
    finished = pristine.snakemake("--dry-run", "--config", setting)
    assert finished.code != 0
    assert finished.line_with("config key").startswith(line)
    assert "Traceback" not in finished.said


def test_every_fault_of_a_file_is_told(pristine: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "bootstrap: {confidence: 95, resample: 10}\n"
        "analysis: {min_options: 2.5}\n"
        "turpin: {mention_patterns: []}\n"
    )
    finished = pristine.snakemake("--dry-run", "--configfile", str(mine))
    assert finished.code != 0
    for line in (
        "config key analysis.min_options: found 2.5; expected type integer",
        "config key bootstrap: unknown key resample; known keys are confidence, resamples",
        "config key bootstrap.confidence: found 95; expected exclusiveMaximum 1",
        "config key turpin.mention_patterns: found []; expected minItems 1",
    ):
        assert f"{line}\n" in finished.said


def test_another_seed_reruns_the_estimates_and_not_the_deliveries(completed: Copy) -> None:
    assert completed.snakemake("--dry-run", "--config", "seed=2").jobs() == ESTIMATION


def test_a_file_of_ones_own_is_merged_over_the_defaults(completed: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("bootstrap: {resamples: 300}\n")
    finished = completed.snakemake("--dry-run", "--configfile", str(mine))
    assert finished.code == 0
    assert finished.jobs() == ESTIMATION


def test_another_source_setting_fetches_anew(completed: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("sources: {use: coded}\n")
    jobs = completed.snakemake("--dry-run", "--configfile", str(mine)).jobs()
    assert jobs["fetch_sources"] == 1


def test_another_plan_reruns_the_sample_sizes_alone(completed: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("sample_size: {half_width: 0.05}\n")
    jobs = completed.snakemake("--dry-run", "--configfile", str(mine)).jobs()
    assert jobs == {"sample_size": 1, "summary": 1, "provenance": 1}


@pytest.mark.parametrize(
    ("setting", "jobs"),
    [
        ("simulation: {repetitions: 30}", SIMULATION),
        (
            "calibration: {min_positive: 31}",
            {"worked_example": 1, "summary": 1, "provenance": 1},
        ),
    ],
)
def test_a_setting_of_the_simulation_leaves_the_public_data_alone(
    completed: Copy, tmp_path: Path, setting: str, jobs: dict[str, int]
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"{setting}\n")
    assert completed.snakemake("--dry-run", "--configfile", str(mine)).jobs() == jobs


def test_another_pattern_without_raw_files_is_refused(working: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text('turpin: {mention_patterns: ["you suggested"]}\n')
    finished = working.snakemake("--configfile", str(mine), AVOWED_SOURCE="coded")
    assert finished.code == 1
    told = finished.line_with("refused: ")
    assert "made with other patterns than config key turpin.mention_patterns" in told


@pytest.mark.parametrize(
    ("module", "jobs"),
    [
        (
            "present/outcomes_figure.py",
            {"wide_table": 2, "figure_outcomes": 2, "summary": 1, "provenance": 1}
            | {"public_data_by_task": 1, "turpin_accuracy": 1, "sample_size": 1}
            | STUDY_RESULTS,
        ),
        ("stats/bootstrap.py", ESTIMATION | {"turpin_accuracy": 1}),
        ("pairs/omission.py", EVERYTHING_AFTER_FETCHING),
        (
            "sources/mirror.py",
            PUBLIC | CODING | {"fetch_sources": 1, "validate_raw_files": 1},
        ),
        ("provenance.py", {"provenance": 1}),
    ],
)
def test_an_edited_module_reruns_the_rules_that_use_it(
    working: Copy, module: str, jobs: dict[str, int]
) -> None:
    with (working.root / "src" / "avowed" / module).open("a") as file:
        file.write("\n_EDITED = True\n")
    assert working.snakemake("--dry-run").jobs() == jobs


def test_an_edited_script_or_template_reruns_its_rule(working: Copy) -> None:
    for name in ("scripts/sample_size.py", "workflow/report/summary.md.j2"):
        with (working.root / name).open("a") as file:
            file.write("\n")
    jobs = working.snakemake("--dry-run").jobs()
    assert jobs == {"sample_size": 1, "summary": 1, "provenance": 1}


def rules() -> dict[str, str]:
    """Rule -> its text, of every rule that runs a script."""
    text = "".join(
        path.read_text(encoding="utf-8")
        for path in sorted((REPOSITORY / "workflow" / "rules").glob("*.smk"))
    )
    parts = re.split(r"^rule (\w+):", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def imported(script: Path) -> set[str]:
    """Modules of the library that a script imports, as paths below src/avowed without suffix."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    modules = {str(node.module) for node in nodes if str(node.module).startswith("avowed.")}
    return {name.removeprefix("avowed.").replace(".", "/") for name in modules}


@pytest.mark.parametrize("rule", rules())
def test_a_rule_lists_the_modules_that_its_script_imports(rule: str) -> None:
    (arguments,) = re.findall(r"code=library_sources\((.*?)\)", rules()[rule])
    common = (REPOSITORY / "workflow" / "rules" / "common.smk").read_text(encoding="utf-8")
    (always,) = re.findall(r"modules = \[source / name for name in \((.*?)\)\]", common)
    listed = [*re.findall(r'"([\w/]+)"', arguments), *re.findall(r'"(\w+)\.py"', always)]
    missing = {
        module
        for module in imported(REPOSITORY / "scripts" / f"{rule}.py")
        if not any(module == name or module.startswith(f"{name}/") for name in listed)
    }
    assert missing == set()
