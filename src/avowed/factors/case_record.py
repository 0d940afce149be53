"""What a second program needs to know of a use case, as JSON: it has no YAML to read it from."""

from pathlib import Path
from typing import Any

from avowed.factors.usecase import UseCase
from avowed.jsonfile import write_json


def case_record(case: UseCase) -> dict[str, Any]:
    """Keys, kinds, values and contrasts of the features, the decisions, and what is cited.

    Texts of prompts are left out: nothing is computed from them.
    """
    return {
        "name": case.name,
        "kind": case.kind,
        "primary": case.primary,
        "cited": case.cited,
        "decisions": list(case.decisions),
        "features": [
            {
                "key": feature.key,
                "kind": feature.kind,
                "values": list(feature.values),
                "contrasts": list(feature.contrasts),
            }
            for feature in case.features
        ],
    }


def write_case(path: Path, case: UseCase) -> None:
    """Write `case_record`, whole or not at all."""
    write_json(path, case_record(case))
