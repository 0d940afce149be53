"""One JSON document: a list of objects, an object of columns, or an object keyed by id."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from avowed.importing.input_form import Form, InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.readers.inspect_samples import is_log, table_of_log
from avowed.importing.readers.names import shown_name, three_nearest
from avowed.importing.readers.records import RecordTable
from avowed.importing.readers.stream import whole
from avowed.refusal import Refused, Unusable
from avowed.strict_json import BrokenJson, unique_keys

_SAY = "say where the data are with input.at and what they are with input.form"

#: Rows handed on at a time.
_BATCH = 4096


def read_json(
    path: Path, file: str, how: InputForm, *, columns: Collection[str] | None
) -> RawTable:
    """Read a JSON document.

    The form is seen by itself where it can be: a list is ``rows``; an object of lists of the same
    length is ``columns``; an object of objects is ``by_id``. An Inspect log in JSON is known by
    its keys.

    Args:
        path: the file; unpacked if its name ends in ``.gz``.
        file: its name in messages.
        how: ``form``, ``at`` and ``id_as`` are used.
        columns: the columns wanted; None for all.

    Raises:
        Unusable: not UTF-8 or not strict JSON.
        Refused: no data of the form are there; else as `RecordTable`.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_text('{"q1": {"answer": "A"}, "q2": {"answer": "B"}}')
    >>> table = read_json(path, "a.json", InputForm(), columns=["id", "answer"])
    >>> table.columns["id"].values, table.columns["answer"].every()
    (('q1', 'q2'), ['A', 'B'])
    """
    data, constants = _parsed(whole(path, file), file)
    if how.kind == "inspect" or (how.form is None and how.at is None and is_log(data)):
        return table_of_log(data, file, columns=columns)
    if constants:
        raise Unusable(
            f"{file}: broken JSON: {constants[0]} is not JSON; write null for a missing value"
        )
    if how.at is not None:
        data = _at(data, how.at, file)
    rows = _rows(data, how.form or _form(data, file), how.id_as or "id", file)
    table = RecordTable(file=file, row_word="row", columns=columns)
    for start in range(0, len(rows), _BATCH):
        table.add(rows[start : start + _BATCH])
    return table.finish()


def _parsed(raw: bytes, file: str) -> tuple[Any, list[str]]:
    """The document, and the constants that are not JSON, which some logs hold by design."""
    constants: list[str] = []

    def constant(token: str) -> float:
        constants.append(token)
        return float(token)

    try:
        text = raw.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=unique_keys, parse_constant=constant), constants
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Unusable(f"{file}, line {line}: not UTF-8; save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise Unusable(
            f"{file}, line {error.lineno}: broken JSON: {error.msg} at character {error.colno}"
        ) from None
    except RecursionError:
        raise Unusable(f"{file}: broken JSON: nested too deeply") from None
    except BrokenJson as error:
        raise Unusable(f"{file}: broken JSON: {error}; correct it") from None
    except ValueError:
        # The digit limit of int().
        raise Unusable(f"{file}: broken JSON: an integer has too many digits") from None


def _at(data: Any, at: str, file: str) -> Any:
    done: list[str] = []
    for part in at.split("."):
        inner = data
        if isinstance(inner, dict) and part in inner:
            data = inner[part]
        elif (
            isinstance(inner, list)
            and part.isascii()
            and part.isdecimal()
            and int(part) < len(inner)
        ):
            data = inner[int(part)]
        else:
            near = three_nearest(part, inner) if isinstance(inner, dict) else []
            there = f"nearest: {', '.join(map(shown_name, near))}" if near else "nothing is there"
            raise Refused(
                f"{file}: input.at: no key {shown_name(part)} under "
                f"{'.'.join(done) or 'the top'}; {there}"
            )
        done.append(part)
    return data


def _form(data: Any, file: str) -> Form:
    if isinstance(data, list):
        return "rows"
    if isinstance(data, dict) and data:
        kinds = set(map(type, data.values()))
        if kinds == {list} and not any(type(each) is dict for v in data.values() for each in v):
            return "columns"
        if kinds == {dict}:
            return "by_id"
    raise Refused(
        f"{file}: is neither a list of objects, an object of lists nor an object of objects; {_SAY}"
    )


def _rows(data: Any, form: Form, id_as: str, file: str) -> list[dict[str, Any]]:
    if form == "columns":
        return _rows_of_columns(data, file)
    if form == "by_id":
        return _rows_by_id(data, id_as, file)
    if not isinstance(data, list):
        raise Refused(f"{file}: is no list of rows; {_SAY}")
    _check_objects(data, file)
    return data


def _check_objects(rows: list[Any], file: str) -> None:
    for number, row in enumerate(rows, start=1):
        if type(row) is not dict:
            raise Refused(f"{file}, row {number}: not a JSON object; {_SAY}")


def _rows_of_columns(data: Any, file: str) -> list[dict[str, Any]]:
    if not isinstance(data, dict) or not data:
        raise Refused(f"{file}: is no object of columns; {_SAY}")
    first_name, first = next(iter(data.items()))
    # pandas writes a column as an object from row label to value.
    labels = list(first) if isinstance(first, dict) else None
    lists: list[list[Any]] = []
    for name, column in data.items():
        if labels is not None and isinstance(column, dict) and list(column) == labels:
            lists.append(list(column.values()))
        elif labels is None and isinstance(column, list) and len(column) == len(first):
            lists.append(column)
        else:
            raise Refused(
                f"{file}, column {shown_name(name)}: is not a column of as many values as "
                f"{shown_name(first_name)}; {_SAY}"
            )
    return [dict(zip(data, values, strict=True)) for values in zip(*lists, strict=True)]


def _rows_by_id(data: Any, id_as: str, file: str) -> list[dict[str, Any]]:
    if not isinstance(data, dict):
        raise Refused(f"{file}: is no object keyed by id; {_SAY}")
    rows: list[dict[str, Any]] = []
    for key, value in data.items():
        for row in value if isinstance(value, list) else [value]:
            if not isinstance(row, dict):
                raise Refused(f"{file}, row {len(rows) + 1}: not a JSON object; {_SAY}")
            if id_as in row:
                raise Refused(
                    f"{file}, row {len(rows) + 1}: has a key {shown_name(id_as)} of its own; say "
                    "with input.id_as what the column of the keys is called"
                )
            rows.append({id_as: key, **row})
    return rows
