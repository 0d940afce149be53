"""What a user gives on the command line besides numbers: paths, names of conditions, settings."""

import argparse
import unicodedata
from pathlib import Path
from typing import Any

from avowed.configuration import config_faults
from avowed.real_path import real_path
from avowed.refusal import Refused, Unusable
from avowed.yamlfile import read_yaml

#: Unicode categories that no name may hold: controls, halves of surrogate pairs (bytes of the
#: command line that are no UTF-8 come as such), and the two separators that end a line.
_NO_TEXT = {"Cc", "Cs", "Zl", "Zp"}


def given_path(text: str) -> Path:
    """A path as it was typed; an empty one, say of an unset variable, is not the current folder.

    Raises:
        argparse.ArgumentTypeError: it is empty.

    >>> given_path("a/b").name
    'b'
    """
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; the folder you stand in is '.'")
    return Path(text)


def condition_name(given: str | None, folder: Path) -> str:
    """The condition of a delivery in tables: the given name, or that of its folder.

    Raises:
        Unusable: it is empty, or holds a control character or what cannot be written as text.

    >>> condition_name(None, Path("a/mine")), condition_name("first", Path("a/mine"))
    ('mine', 'first')
    >>> condition_name("a\\n", Path("a/mine"))
    Traceback (most recent call last):
    avowed.refusal.Unusable: the name 'a\\n' holds a control character; give another with --name
    """
    return checked_name(real_path(folder).name if given is None else given, "--name")


def checked_name(name: str, option: str) -> str:
    """The name itself, if tables and files can show it.

    Args:
        name: what was given.
        option: with which another one can be given.

    Raises:
        Unusable: it is empty, or holds a control character or what cannot be written as text.

    >>> checked_name("gpt 1", "--model")
    'gpt 1'
    """
    if not name.strip():
        raise Unusable(f"the name {name!r} is empty; give another with {option}")
    for character in name:
        category = unicodedata.category(character)
        if category in _NO_TEXT:
            what = "bytes that are no UTF-8" if category == "Cs" else "a control character"
            raise Unusable(f"the name {name!r} holds {what}; give another with {option}")
    return name


def read_config(path: Path) -> dict[str, Any]:
    """Read a file in the form of ``config.yaml``, which may leave keys out.

    Raises:
        Unusable: it cannot be read as YAML, a key stands twice, a number is no finite one, or
            a key or a value is not one of the configuration's.
    """
    try:
        loaded = read_yaml(path, example="config.yaml").data
    except Refused as error:
        raise Unusable(str(error)) from None
    faults = config_faults(loaded, partial=True)
    if faults:
        raise Unusable(f"{path}: {'; '.join(faults)}")
    return loaded
