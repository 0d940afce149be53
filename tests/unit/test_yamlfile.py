"""YAML files of people: nothing in them that is no number or text, and no end that never comes."""

import time
from pathlib import Path

import pytest

from avowed.refusal import Refused, Unusable
from avowed.yamlfile import MOST_EXPANDED, read_yaml

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 10)
)
MERGED = "a0: &a0 {x: 1}\n" + "".join(
    f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 10)}]}}\n" for level in range(1, 9)
)


def read(folder: Path, text: str) -> dict[str, object]:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path).data


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("b: 1\na: [1, .nan]", "line 2, field a[1]: found nan; expected a finite number; correct"),
        ("a: .inf", "line 1, field a: found inf; expected a finite number"),
        ("a: {b: -.Inf}", "line 1, field a.b: found -inf; expected a finite number"),
        ("a: 1.0e+999", "line 1, field a: found inf; expected a finite number"),
        ("a: 1" + "0" * 400, "line 1, field a: found a number beyond 64 bits"),
        ("a: 0x" + "f" * 5000, "line 1, field a: found a number beyond 64 bits"),
        ('a:\n  - "x \\uD800"', "line 2, field a[0]: found 'x \\ud800', half of a surrogate pair"),
        ('"\\uDFFF": 1', "half of a surrogate pair"),
        ("a: 1\na: 2", "line 2, field a: found the key again"),
    ],
)
def test_what_no_calculation_and_no_file_can_hold_is_refused(
    tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(Refused) as refused:
        read(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path / 'mine.yaml'}, line ")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOMB, f"its aliases come to more than {MOST_EXPANDED} values"),
        (MERGED, f"its aliases come to more than {MOST_EXPANDED} values"),
        ("a: &a {b: *a}", "line 1, an alias of what it stands in"),
        ("a: " + "[" * 40 + "]" * 40, "nested too deeply"),
        ("a: " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a: " + "[" * 100_000, "nested too deeply"),
        ("a: 1" + "0" * 5000, "not a plain YAML file"),
    ],
)
def test_what_multiplies_or_goes_too_deep_is_unusable_at_once(
    tmp_path: Path, text: str, told: str
) -> None:
    begun = time.monotonic()
    with pytest.raises(Unusable, match=told):
        read(tmp_path, text)
    assert time.monotonic() - begun < 20


def test_aliases_and_long_files_are_fine(tmp_path: Path) -> None:
    found = read(tmp_path, "a: &a [No, 'Yes']\nb: *a\nc: &c {d: 1}\ne: {<<: *c, f: 2}")
    assert found["b"] == [False, "Yes"] and found["e"] == {"d": 1, "f": 2}
    long = "a: [" + ", ".join(["x"] * (MOST_EXPANDED + 1)) + "]"
    assert len(str(read(tmp_path, long)["a"])) > MOST_EXPANDED
