"""YAML files that a user writes: read strictly, every fault told with its line and field."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from avowed.refusal import Refused, Unusable
from avowed.regular_file import read_regular
from avowed.strict_json import INT64_MAX, INT64_MIN, MOST_NESTED, dotted, is_text
from avowed.strict_schema import is_number

#: A place in a file: keys and positions from the top, ``("features", 2, "values")``.
Place = Sequence[str | int]

#: Values that a file may come to when its aliases are written out; without any it may have more.
MOST_EXPANDED = 100_000


@dataclass(frozen=True)
class Document:
    """A YAML file as read: its content and, for messages, the lines it stands on.

    Attributes:
        path: the file.
        data: the content, a mapping.
        root: the YAML nodes behind ``data``.
    """

    path: Path
    data: dict[str, Any]
    root: yaml.MappingNode

    def line(self, place: Place) -> int:
        """The line, from 1, of a place or of the innermost part of it that is there."""
        node: yaml.Node = self.root
        line = node.start_mark.line
        for part in place:
            inner = _child(node, part)
            if inner is None:
                break
            line, node = inner
        return line + 1

    def fault(self, place: Place, found: str, expected: str, todo: str) -> str:
        """One message: file, line, field, what was found, the rule, what to do.

        ``found`` is put in as it is, so that it may be a value or words.
        """
        name = dotted(place) or "(top level)"
        return (
            f"{self.path}, line {self.line(place)}, field {name}: found {found}; "
            f"expected {expected}; {todo}"
        )


def read_yaml(path: Path, *, example: str = "docs/usecases.md") -> Document:
    """Read a YAML file whose top level is a mapping, with safe types only.

    Args:
        path: the file.
        example: where it is shown how such a file looks.

    Raises:
        Unusable: the file cannot be read, is not UTF-8, is not safe YAML, is not a mapping, is
            nested too deeply or has aliases that multiply beyond all bounds.
        Refused: a key stands twice in one mapping, where YAML would silently keep the last; a
            number is not finite or too long; a text holds half of a surrogate pair.
    """
    try:
        loader = yaml.SafeLoader(read_regular(path).decode("utf-8"))
        try:
            root = loader.get_single_node()
            if isinstance(root, yaml.MappingNode):
                _Walk(Document(path, {}, root)).check(root, ())
                document = Document(path, loader.construct_document(root), root)
                _refuse_unfit(document)
                return document
        finally:
            loader.dispose()
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}; name another") from None
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise Unusable(f"{path} is not a plain YAML file: {_reason(error)}; mend it") from None
    raise Unusable(f"{path}: expected keys and values at the top level; see {example}")


@dataclass
class _Walk:
    """One walk over the nodes; what aliases repeat is looked at once.

    Attributes:
        document: for messages.
        sizes: by node, the values that it comes to when written out; None while it is walked.
        has_alias: whether a node was met again.
    """

    document: Document
    sizes: dict[int, int | None] = field(default_factory=dict)
    has_alias: bool = False

    def check(self, node: yaml.Node, place: Place) -> int:
        """Refuse repeated keys, cycles, deep nesting and multiplying aliases."""
        if id(node) in self.sizes:
            self.has_alias = True
            known = self.sizes[id(node)]
            if known is None:
                raise ValueError(f"line {node.start_mark.line + 1}, an alias of what it stands in")
            return known
        if len(place) > MOST_NESTED:
            raise ValueError(f"line {node.start_mark.line + 1}, it is nested too deeply")
        self.sizes[id(node)] = None
        size = 1
        if isinstance(node, yaml.MappingNode):
            self._check_keys(node, place)
            size += sum(1 + self.check(value, (*place, key.value)) for key, value in node.value)
        elif isinstance(node, yaml.SequenceNode):
            size += sum(
                self.check(inner, (*place, position)) for position, inner in enumerate(node.value)
            )
        if self.has_alias and size > MOST_EXPANDED:
            raise ValueError(
                f"line {node.start_mark.line + 1}, its aliases come to more than {MOST_EXPANDED} "
                "values"
            )
        self.sizes[id(node)] = size
        return size

    def _check_keys(self, node: yaml.MappingNode, place: Place) -> None:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ValueError(f"line {key.start_mark.line + 1}, a key that is not a text")
            if key.value in seen:
                raise Refused(
                    f"{self.document.path}, line {key.start_mark.line + 1}, field "
                    f"{dotted((*place, key.value))}: found the key again; expected every "
                    "key once; remove one of the two"
                )
            seen.add(key.value)


def _refuse_unfit(document: Document) -> None:
    """Refuse numbers and texts that no calculation and no file can hold."""
    left: list[tuple[Any, tuple[str | int, ...]]] = [(document.data, ())]
    known: set[int] = set()
    found: list[tuple[tuple[str | int, ...], str, str]] = []
    while left:
        value, place = left.pop()
        if isinstance(value, str):
            if not is_text(value):
                found.append((place, f"{value!r}, half of a surrogate pair", "whole characters"))
        elif isinstance(value, float) and not is_number(value):
            found.append((place, repr(value), "a finite number"))
        elif isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
            found.append((place, "a number beyond 64 bits", "a shorter number"))
        elif isinstance(value, dict | list) and id(value) not in known:
            known.add(id(value))
            if isinstance(value, dict):
                left += [(key, (*place, str(key))) for key in value]
                left += [(inner, (*place, str(key))) for key, inner in value.items()]
            else:
                left += [(inner, (*place, position)) for position, inner in enumerate(value)]
    if found:
        place, what, expected = min(found, key=lambda one: (document.line(one[0]), str(one[0])))
        raise Refused(document.fault(place, what, expected, "correct it"))


def _child(node: yaml.Node, part: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key.start_mark.line, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        inner = node.value[part]
        return inner.start_mark.line, inner
    return None


def _reason(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}, {error.problem or error.context}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error)
