"""A wrong setting is named before anything runs; a changed one reruns what depends on it."""

import ast
import re
from pathlib import Path

import pytest
from workflow.pipeline import REPOSITORY, Copy
from workflow.pipeline import joined as added

pytestmark = pytest.mark.slow

# Two chunks of every study, as in config.yaml.
CHUNKS = 2
# Jobs that several parts call for and that run once (of the use cases there are two).
RECOMPUTED = {"recompute_deliveries": 1, "recompute_factors": 2}


def joined(*counts: dict[str, int]) -> dict[str, int]:
    """Jobs of several parts together; what recomputes is not run again for each of them."""
    total = added(*counts)
    return {rule: min(count, RECOMPUTED.get(rule, count)) for rule, count in total.items()}


# What looks at everything that was made: recomputation, ledger, gate, and the pages.
LOOKING = dict.fromkeys(
    [
        "recompute_tables",
        "recomputation_diff",
        "claims",
        "verify",
        "report_page",
        "provenance",
        "summary",
    ],
    1,
)
# Of these, what a change of cited factors alone reaches, the facts of their design included.
LOOKING_AT_FACTORS = dict.fromkeys(
    [
        "design_facts",
        "recomputation_diff",
        "claims",
        "verify",
        "report_page",
        "provenance",
        "summary",
    ],
    1,
)
# The settings are written down whenever one of them changed, and every recomputation reads them.
SETTINGS = {"settings": 1, "recompute_deliveries": 1, "recompute_factors": 2}
PUBLIC_TABLES = {"public_data_by_task": 1, "wide_table": 2, "sample_size": 1}
PUBLIC_FIGURES = dict.fromkeys(
    [
        "figure_public_data",
        "figure_always_a",
        "figure_public_data_by_task",
        "figure_sample_size",
    ],
    1,
)
STUDY_TABLES = {
    "study_table": 4,
    "study_clouds": 1,
    "estimator_properties": 1,
    "calibration_shifts": 1,
    "worked_example": 1,
    "threshold_curve": 1,
}
STUDY_FIGURES = dict.fromkeys(
    [
        "figure_estimator_properties",
        "figure_coverage",
        "figure_exposure_curve",
        "figure_chance_correction",
        "figure_clustering",
        "figure_worked_example",
        "figure_threshold_curve",
        "figure_calibration_estimates",
        "figure_calibration_shifts",
        "figure_calibration_coverage",
        "figure_calibration_half_width",
    ],
    1,
)
# Cited factors: two use cases; of the interventions' controls there are two figures each.
FACTOR_MEASURES = {"factors_measures": 2, "factors_truth": 2}
FACTOR_RESPONSES = {"factors_inputs": 2, "factors_responses": 2}
FACTOR_FIGURES = {"figure_control": 4} | dict.fromkeys(
    [
        "figure_citation_frequency",
        "figure_uncited_rate",
        "figure_scores_by_rank",
        "figure_cited_sets",
        "figure_full_ranking",
        "figure_instability",
        "figure_prompt_variations",
        "figure_feature_profile",
        "figure_criteria_agreement",
        "figure_rank_agreement",
        "figure_overlap",
        "figure_noise_floor",
        "figure_known_truth",
    ],
    2,
)
FACTORS = joined(FACTOR_MEASURES, FACTOR_FIGURES, {"recompute_factors": 2})
PRESENTED = joined(PUBLIC_TABLES, PUBLIC_FIGURES, STUDY_TABLES, STUDY_FIGURES)
# Jobs of the public data, from the estimates on; and those before them.
PUBLIC = joined(
    {"estimate_delivery": 6, "export_results": 1, "recompute_deliveries": 1},
    PUBLIC_TABLES,
    PUBLIC_FIGURES,
)
CODING = {
    "code_answers": 1,
    "make_deliveries": 1,
    "validate_delivery": 6,
    "turpin_accuracy": 1,
    "export_records": 1,
    "design_facts": 1,
}
# Jobs of the simulation study, its worked example being one more delivery; four studies and the
# repeated worked example in chunks, and everything that is written from them.
REPETITIONS = {"simulation_study": 4 * CHUNKS, "worked_example_repetitions": CHUNKS}
SIMULATION = joined(
    REPETITIONS,
    STUDY_TABLES,
    STUDY_FIGURES,
    {
        "worked_example_delivery": 1,
        "validate_delivery": 1,
        "estimate_delivery": 1,
        "export_records": 1,
        "export_results": 1,
        "edge_corrections": 1,
        "study_pairs": 1,
        "recompute_deliveries": 1,
    },
)
# Another seed or bootstrap: every estimate, and no delivery of the public data.
ESTIMATION = joined(
    PRESENTED,
    REPETITIONS,
    {
        "worked_example_delivery": 1,
        "validate_delivery": 1,
        "estimate_delivery": 8,
        "export_records": 1,
        "export_results": 1,
        "edge_corrections": 1,
        "study_pairs": 1,
        "recompute_deliveries": 1,
    },
    LOOKING,
)


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        (
            "sed=2",
            "config key (top level): unknown key sed; known keys are analysis, bootstrap, "
            "calibration, chance, exposure, factors, pairs, sample_size, seed, sensitivity, "
            "simulation, sources, turpin",
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
            "^(?!turpin_|simulated_|edge$)",
        ),
        (
            'pairs={"deliveries": {"edge": "path"}}',
            "config key pairs.deliveries: found 'edge'; expected pattern ",
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
    jobs = completed.snakemake("--dry-run", "--config", "seed=2").jobs()
    assert jobs == joined(ESTIMATION, FACTOR_RESPONSES, FACTORS, SETTINGS)


# Setting -> the jobs that it reruns.
RERUN = {
    "bootstrap: {resamples: 300}": joined(ESTIMATION, FACTORS, SETTINGS),
    "factors: {sets: {k: [3]}}": joined(FACTORS, SETTINGS, LOOKING),
    "sample_size: {half_width: 0.05}": joined(
        {"sample_size": 1, "figure_sample_size": 1}, SETTINGS, LOOKING
    ),
    # The public data are left alone.
    "simulation: {repetitions: 30}": joined(SIMULATION, SETTINGS, LOOKING),
    "calibration: {min_positive: 31}": joined(
        {"worked_example_repetitions": CHUNKS, "worked_example": 1, "figure_worked_example": 1},
        {"export_results": 1, "edge_corrections": 1},
        SETTINGS,
        LOOKING,
    ),
}


@pytest.mark.parametrize("setting", RERUN)
def test_a_setting_reruns_what_depends_on_it(completed: Copy, tmp_path: Path, setting: str) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"{setting}\n")
    finished = completed.snakemake("--dry-run", "--configfile", str(mine))
    assert finished.code == 0
    assert finished.jobs() == RERUN[setting]


def test_another_source_setting_fetches_anew(completed: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("sources: {use: coded}\n")
    jobs = completed.snakemake("--dry-run", "--configfile", str(mine)).jobs()
    assert jobs["fetch_sources"] == 1


def test_another_pattern_without_raw_files_is_refused(working: Copy, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text('turpin: {mention_patterns: ["you suggested"]}\n')
    finished = working.snakemake("--configfile", str(mine), AVOWED_SOURCE="coded")
    assert finished.code == 1
    told = finished.line_with("refused: ")
    assert "made with other patterns than config key turpin.mention_patterns" in told


LIBRARY = "src/avowed"
# The pages show what was checked, and the gate waits for them.
END = {"report_page": 1, "summary": 1, "verify": 1}
# Edited file -> the jobs that it reruns.
EDITED = {
    f"{LIBRARY}/present/outcomes_figure.py": joined(
        PRESENTED, FACTOR_FIGURES, {"turpin_accuracy": 1}, LOOKING
    ),
    f"{LIBRARY}/stats/bootstrap.py": joined(
        ESTIMATION,
        FACTOR_RESPONSES,
        FACTORS,
        {"turpin_accuracy": 1, "design_facts": 1, "planted_faults": 1},
    ),
    f"{LIBRARY}/factors/verdict.py": joined(FACTOR_RESPONSES, FACTORS, LOOKING_AT_FACTORS),
    f"{LIBRARY}/pairs/omission.py": {
        **ESTIMATION,
        **CODING,
        "validate_delivery": 8,
        "edge_delivery": 1,
        "refused_deliveries": 1,
        "planted_faults": 1,
    },
    f"{LIBRARY}/sources/mirror.py": joined(
        {"fetch_sources": 1, "validate_raw_files": 1}, CODING, PUBLIC, LOOKING
    ),
    f"{LIBRARY}/provenance.py": {"provenance": 1, "report_page": 1, "verify": 1},
    f"{LIBRARY}/facts.py": joined({"design_facts": 1, "claims": 1}, END),
    # A module of the second program may serve any check; what is checked is not made again.
    "verification/wilson.py": joined(
        {"export_records": 1, "export_results": 1, "planted_faults": 1},
        {"recompute_tables": 1, "recompute_deliveries": 1, "recompute_factors": 2},
        {"recomputation_diff": 1, "claims": 1},
        END,
    ),
    "verification/checks/hp_design.toml": joined({"claims": 1}, END),
    "verification/faults.toml": joined({"planted_faults": 1}, END),
    "data/published/claims.csv": joined({"claims": 1}, END),
    "scripts/sample_size.py": joined({"sample_size": 1, "figure_sample_size": 1}, LOOKING),
    "workflow/report/summary.md.j2": {"summary": 1, "verify": 1},
    f"{LIBRARY}/present/templates/page.html.j2": joined({"report_page": 1}, {"verify": 1}),
}


@pytest.mark.parametrize("name", EDITED)
def test_an_edited_file_reruns_the_rules_that_use_it(working: Copy, name: str) -> None:
    with (working.root / name).open("a") as file:
        file.write("\n")
    assert working.snakemake("--dry-run").jobs() == EDITED[name]


def rules() -> dict[str, str]:
    """Rule -> its text, of every rule that runs a script."""
    text = "".join(
        path.read_text(encoding="utf-8")
        for path in sorted((REPOSITORY / "workflow" / "rules").glob("*.smk"))
    )
    parts = re.split(r"^(?:rule|checkpoint) (\w+):", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def imported(script: Path) -> set[str]:
    """Modules of the library that a script imports, as paths below src/avowed without suffix."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    modules = {str(node.module) for node in nodes if str(node.module).startswith("avowed.")}
    return {name.removeprefix("avowed.").replace(".", "/") for name in modules}


@pytest.mark.parametrize("rule", rules())
def test_a_rule_lists_the_modules_that_its_script_imports(rule: str) -> None:
    text = rules()[rule]
    script = REPOSITORY / "scripts" / f"{rule}.py"
    arguments = re.findall(r"=library_sources\(([^)]*)\)", text)
    common = (REPOSITORY / "workflow" / "rules" / "common.smk").read_text(encoding="utf-8")
    (always,) = re.findall(r"modules = \[\s*source / name\s+for name in \(([^)]*)\)\s*\]", common)
    listed = [*re.findall(r'"([\w/]+)"', " ".join(arguments)), *re.findall(r'"(\w+)\.py"', always)]
    missing = {
        module
        for module in imported(script)
        if not any(module == name or module.startswith(f"{name}/") for name in listed)
    }
    assert missing == set()
    second_program = "from verification" in script.read_text(encoding="utf-8")
    assert second_program == ("=verification_sources()" in text)
    assert arguments or second_program
