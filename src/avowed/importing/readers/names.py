"""What to say when a column is asked for that is not there."""

import difflib
from collections.abc import Iterable

from avowed.importing.kinds import shown
from avowed.refusal import Refused

_SHOWN = 60


def three_nearest(name: str, known: Iterable[str]) -> list[str]:
    """The three known names most like ``name``, the nearest first.

    A known name that ends in ``.name`` comes first: what is nested is easily forgotten.

    >>> three_nearest("anser", ["id", "answer", "meta.score", "answers"])
    ['answer', 'answers', 'meta.score']
    >>> three_nearest("score", ["scores", "meta.score"])
    ['meta.score', 'scores']
    """
    names = list(dict.fromkeys(known))
    nested = [each for each in names if each.endswith(f".{name}")]
    alike = difflib.get_close_matches(name, names, n=3, cutoff=0)
    return list(dict.fromkeys([*nested, *alike]))[:3]


def unknown_column(file: str, name: str, known: Iterable[str]) -> Refused:
    """The refusal of a column that a file does not have."""
    near = three_nearest(name, known)
    nearest = f"nearest: {', '.join(map(shown_name, near))}" if near else "it has no columns"
    return Refused(f"{file}: has no column {shown_name(name)}; {nearest}; correct the mapping")


def twice(file: str, names: Iterable[str]) -> Refused:
    """The refusal of names that stand for more than one column."""
    listed = ", ".join(shown_name(name) for name in sorted(set(names))[:3])
    return Refused(
        f"{file}: more than one column is named {listed}; rename one, for which is meant would "
        "be a guess"
    )


def shown_name(name: str) -> str:
    """A column's name as messages print it: plain where it is plain."""
    return name if name and len(name) <= _SHOWN and name.isprintable() else shown(name)
