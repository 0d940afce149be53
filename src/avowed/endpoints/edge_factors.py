"""What this program makes of the edge studies of cited factors: what planted faults are sought in.

A copy of this package with one fault in it is asked the same, and has to give something else.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from avowed.endpoints.edge_study import COMPONENTS, GROUPS, USE_CASES
from avowed.endpoints.simulated_rows import Answers, main_rows, pilot_rows, prompt_rows
from avowed.endpoints.simulated_study import MAIN, PILOT, PROMPTS
from avowed.factors.inputs import read_inputs
from avowed.factors.responses import CALL_FIELDS, responses_table
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import read_use_case

Rows = list[dict[str, Any]]


def paper_settings(*, resamples: int) -> dict[str, Any]:
    """The readings of the paper in the form of the configuration.

    Faults are planted in the program and not in somebody's settings.

    >>> FactorSettings.from_config(paper_settings(resamples=2000)) == FactorSettings()
    True
    """
    usual = FactorSettings()
    return {
        "seed": usual.seed,
        "bootstrap": {"resamples": resamples, "confidence": usual.confidence},
        "analysis": {"target_half_width": usual.target_half_width},
        "factors": {"groups": dict.fromkeys(USE_CASES, GROUPS)},
    }


def edge_rows(
    folder: Path, usecases: Path, config: Mapping[str, Any], *, parts: Collection[str]
) -> dict[str, Rows]:
    """Read the raw responses again and estimate everything of the parts asked for.

    Args:
        folder: what `avowed.endpoints.edge_study.write_edge` wrote.
        usecases: the folder of the use cases' files.
        config: as `paper_settings` gives it.
        parts: some of ``main``, ``pilot`` and ``prompts``.
    """
    settings = FactorSettings.from_config(config)
    rows: dict[str, Rows] = {part: [] for part in parts}
    for name in USE_CASES:
        case = read_use_case(usecases / f"{name}.yaml")
        for part in rows:
            own = folder / name / ("" if part == MAIN else part)
            stored = pq.read_table(own / "responses.parquet")
            table = responses_table(
                component=stored["component"].to_pylist(),
                use_case=case.name,
                calls={key: stored[key].combine_chunks() for key in CALL_FIELDS[2:]},
                raw=stored["raw"].to_pylist(),
                case=case,
                cited=len(case.features) if part == PILOT else case.cited,
            )
            answers = Answers(read_inputs(own / "inputs.jsonl", case), COMPONENTS[part], table)
            if part == MAIN:
                rows[part] += main_rows(case, answers.scored(case), settings, groups=GROUPS)
            elif part == PROMPTS:
                rows[part] += prompt_rows(case, answers, settings)
            else:
                rows[part] += pilot_rows(case, answers, settings)
    return rows
