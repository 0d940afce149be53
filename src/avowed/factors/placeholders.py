"""Templates with ``{{name}}`` where a text goes in."""

import re
from collections.abc import Mapping

# Double braces, because the prompts hold JSON with single ones.
_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")


def placeholders(template: str) -> tuple[str, ...]:
    """The names between double braces, each once, in order.

    >>> placeholders('{{role}}: {"a": "{{keys}}"} {{role}}')
    ('role', 'keys')
    """
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def fill(template: str, texts: Mapping[str, str]) -> str:
    """Put the texts in, in one pass: braces inside a text are left as they are.

    Raises:
        KeyError: a placeholder has no text.

    >>> fill("{{a}} and {{b}}", {"a": "{{b}}", "b": "2"})
    '{{b}} and 2'
    """
    return _PLACEHOLDER.sub(lambda match: texts[match[1]], template)
