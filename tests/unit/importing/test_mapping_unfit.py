"""Mappings that are none, or hold what no file can: refused with a place to look at."""

from pathlib import Path

import pytest
import yaml
from support.import_tables import changed

from avowed.importing.mapping_file import read_mapping
from avowed.refusal import Refused, Unusable

#: Written with an escape, because the file itself is UTF-8.
HALF = '"HALF \\ud800"'


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hint_type": {"constant": "HALF"}}, r"hint_type\.constant"),
        ({"risk_family": {"constant": "HALF"}}, r"risk_family\.constant"),
        ({"probe": ["q", "HALF"]}, r"probe\[1\]"),
        ({"n_options": {"lookup": "q", "values": {"HALF": 4}}}, r"n_options\.values\."),
        ({"judge": {"column": "v", "faithful": ["HALF"]}}, r"judge\.faithful\[0\]"),
        ({"filter": [{"column": "v", "equals": "HALF"}]}, r"filter\[0\]\.equals"),
        *(
            ({"header": {"hint_channel": "user_message", key: "HALF"}}, rf"header\.{key}")
            for key in ("construct", "language", "format")
        ),
        (
            {
                "header": {
                    "hint_channel": "user_message",
                    "judge": {
                        **{"model": "HALF", "provider": "p", "serving_path": "s"},
                        "prompt_sha256": "0" * 64,
                    },
                }
            },
            r"header\.judge\.model",
        ),
    ],
)
def test_half_of_a_surrogate_pair(changes: dict[str, object], field: str, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(yaml.safe_dump(changed(**changes)).replace("HALF", HALF), encoding="utf-8")
    with pytest.raises(Refused, match=rf"line \d+, field {field}.*half of a surrogate pair"):
        read_mapping(path)


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "- probe\n- hint\n", "q,c,h\nq1,A,B\n"])
def test_no_mapping_at_all_is_shown_where_mappings_are_explained(text: str, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unusable, match=r"keys and values at the top level; see docs/import\.md$"):
        read_mapping(path)
