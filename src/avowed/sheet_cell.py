"""A cell of a sheet that people open: it must not run as a formula."""

import re

#: A spreadsheet takes a cell for a formula, or cuts it, where it begins with one of these.
_ACTIVE = ("=", "+", "-", "@", "\t", "\r")
_MARK = "'"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-](inf|nan)")


def sheet_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would run it.

    A number with a sign is no formula. One apostrophe more is put before a text that begins with
    one, so that ``sheet_text`` gives every text back.

    >>> sheet_cell("=1+1"), sheet_cell("A"), sheet_cell("-1"), sheet_cell("-x")
    ("'=1+1", 'A', '-1', "'-x")
    """
    if text.startswith(_MARK) or (text.startswith(_ACTIVE) and not _NUMBER.fullmatch(text)):
        return _MARK + text
    return text


def sheet_text(cell: str) -> str:
    """What ``sheet_cell`` was given.

    >>> sheet_text("'=1+1"), sheet_text("A"), sheet_text(sheet_cell("'"))
    ('=1+1', 'A', "'")
    """
    return cell.removeprefix(_MARK)
