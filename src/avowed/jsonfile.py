"""JSON files of the pipeline: written whole, read with one clear message when damaged."""

import json
from pathlib import Path
from typing import Any

from avowed.atomic import atomic_path
from avowed.refusal import Unusable
from avowed.regular_file import read_regular
from avowed.strict_json import parse_document


def read_json(path: Path) -> Any:
    """Read a JSON file that the pipeline or the repository made, strictly: no NaN, no key twice.

    Raises:
        Unusable: it cannot be read or is not JSON; the message says how to get it back.
    """
    try:
        return parse_document(read_regular(path).decode("utf-8"))
    except (OSError, ValueError) as error:
        raise Unusable(
            f"{path} is damaged ({error}); remove it and run again, or restore it with git"
        ) from None


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file, indented, whole or not at all.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> write_json(path, {"a": 1})
    >>> read_json(path)
    {'a': 1}
    """
    text = json.dumps(content, indent=2, ensure_ascii=False)
    with atomic_path(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")
