"""`avowed compare`: what is printed and written, and one clear message for everything wrong."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.sample import delivery
from support import import_tables
from support.deliveries import (
    HINT_TYPE,
    OTHER_HINT_TYPE,
    header,
    judged,
    record,
    valid_records,
    write_lines,
)
from support.figure_checks import texts, watch

from avowed.cli import main
from avowed.commands import compare
from avowed.pairs.compare.rows import DIFFERENCE_COLUMNS, JUDGE_COLUMNS
from avowed.present.csvfile import read_rows

FILES = ["compare.csv", "compare.made.json", "compare.md", "compare.png", "compare.svg"]
PHI = {"unfaithful": 0.2, "faithful": 0.9}

Rows = list[dict[str, Any]]
Printed = Callable[..., tuple[int, str, str]]


def moved(flagged: int, *, probes: int = 48, start: int = 0) -> Rows:
    """One hint-induced change per probe; so many of every twelve are flagged; some did not move."""
    rows = [record(f"r{n}") for n in range(6)]
    for n in range(start, start + probes):
        label = "unfaithful" if n % 12 < flagged else "faithful"
        rows.append(judged(f"p{n}", label, PHI[label]))
    return rows


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    def call(*arguments: object) -> tuple[int, str, str]:
        code = main(["compare", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    return [delivery(tmp_path / "high", moved(9)), delivery(tmp_path / "low", moved(3))]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_sentences_tables_and_notes_are_printed(two: list[Path], printed: Printed) -> None:
    code, out, err = printed(*two)
    assert (code, err) == (0, "")
    first = out.split("\n")[0]
    assert first.startswith(
        'For the "suggested answer" hint the flagged omission differs: 75.0 % in high (48 pairs, '
        "48 probes), 25.0 % in low (48 pairs, 48 probes); difference +50.0 points (95 % CI [+"
    )
    # No resample lies beyond 0: what 2,000 of them can tell is a bound.
    assert "paired; 54 of 54 probes shared; p < 0.003)" in first
    assert out.count("For the") == 1 and "| susceptibility" in out
    assert "\nRates\n" in out and "\nDifferences, first minus second\n" in out
    assert "Note: rates are of an uncalibrated judge" in out


def test_the_order_gives_the_sign(two: list[Path], printed: Printed) -> None:
    assert "25.0 % in low" in printed(*two[::-1])[1] and "-50.0 points" in printed(*two[::-1])[1]


def test_csv_is_the_table_that_is_written(
    two: list[Path], printed: Printed, tmp_path: Path
) -> None:
    out = tmp_path / "deep" / "out"
    code, text, _ = printed(*two, "--format", "csv", "--out", out)
    assert code == 0 and names(out) == FILES
    assert (out / "compare.csv").read_text("utf-8") == text
    rows = read_rows(out / "compare.csv")
    assert list(rows[0]) == list(DIFFERENCE_COLUMNS)
    omission, susceptibility = rows
    assert (omission["quantity"], susceptibility["quantity"]) == ("omission", "susceptibility")
    assert omission["difference"] == "0.5" and omission["pairing"] == "paired"
    assert omission["shared_probes"] == omission["all_probes"] == "54"
    assert susceptibility["first_n"] == "54"
    assert omission["note"] == "no resample lies beyond 0, so the p-value is an upper bound"
    assert susceptibility["sentence"].startswith(
        'For the "suggested answer" hint no difference of the susceptibility'
    )


def test_equal_deliveries_give_equal_files(
    two: list[Path], printed: Printed, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        assert printed(*two, "--out", tmp_path / name)[0] == 0
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_record_says_what_everything_was_made_from(
    two: list[Path], printed: Printed, tmp_path: Path
) -> None:
    config = tmp_path / "mine.yaml"
    config.write_text("seed: 5\nbootstrap: {resamples: 150, confidence: 0.9}\n")
    out = tmp_path / "out"
    code, text, _ = printed(*two, "--config", config, "--out", out)
    assert code == 0 and "(90 % CI [" in text and "95 %" not in text
    made = json.loads((out / "compare.made.json").read_text("utf-8"))
    assert made["seed"] == 5 and made["settings"]["resamples"] == 150
    for path in two:
        for name in ("delivery.json", "records.jsonl"):
            digest = hashlib.sha256((path / name).read_bytes()).hexdigest()
            assert made["inputs"][str(path / name)] == digest
    assert sorted(made["files"]) == [name for name in FILES if name != "compare.made.json"]
    for name, described in made["files"].items():
        assert described["sha256"] == hashlib.sha256((out / name).read_bytes()).hexdigest()


def test_the_markdown_holds_the_sentences_and_both_tables(
    two: list[Path], printed: Printed, tmp_path: Path
) -> None:
    names_given = ["--name", "a|b", "--name", "*c*"]
    assert printed(*two, *names_given, "--out", tmp_path / "out")[0] == 0
    text = (tmp_path / "out" / "compare.md").read_text("utf-8")
    assert text.startswith("# Comparison of a\\|b, \\*c\\*\n")
    assert (
        "## Rates" in text and "## Differences, first minus second" in text and "## Notes" in text
    )
    assert "| suggested answer | a\\|b" in text


def test_the_figure_shows_every_comparison(
    two: list[Path], printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = watch(monkeypatch)
    third = delivery(tmp_path / "third", moved(5))
    long = ["--name", "high", "--name", "low", "--name", "a name that is far too long for a figure"]
    assert printed(*two, third, *long, "--out", tmp_path / "out")[0] == 0
    assert faults == []
    seen = " ".join(texts(tmp_path / "out" / "compare.svg"))
    assert "The flagged omission differs in" in seen and "of 3 comparisons" in seen
    assert "high minus low" in seen and "minus a name that is far too long" in seen
    assert "no difference shown" in seen
    assert "difference of the flagged omission, 95 % interval each" in seen
    assert "p adjusted by Holm's method over 3 comparisons" in seen


def test_unpaired_is_said(two: list[Path], printed: Printed) -> None:
    out = printed(*two, "--pairing", "unpaired")[1]
    assert "unpaired; compared as different probes" in out
    assert "54 shared probe ids were not paired" in out


def test_many_models_are_adjusted_and_it_is_said(
    two: list[Path], printed: Printed, tmp_path: Path
) -> None:
    third = delivery(tmp_path / "third", moved(6))
    out = printed(*two, third)[1]
    assert out.count("Holm-adjusted over 3 comparisons") == 3
    assert "the p-values are adjusted (Holm) within a hint type and quantity" in out
    assert "not adjusted across hint types" not in out


def second_judge(rows: Rows, *, every: int) -> Rows:
    """The same pairs, of which the second judge sees every so manieth in the other way."""
    turned = {"unfaithful": "faithful", "faithful": "unfaithful"}
    again = [dict(row) for row in rows]
    for row in again[::every]:
        if label := row["judge_label"]:
            row |= {"judge_label": turned[label], "judge_phi": PHI[turned[label]]}
    return again


def test_two_judges(
    two: list[Path], printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = watch(monkeypatch)
    other = delivery(tmp_path / "other", second_judge(moved(9), every=5))
    code, out, err = printed(two[0], other, "--judges", "--out", tmp_path / "out")
    assert (code, err, faults) == (0, "", [])
    assert "between the judges" in out.split("\n")[0]
    assert "They agree on 81.2 % of these pairs (kappa" in out
    assert "| high (rows), other" in out and "Gwet's AC1" in out
    rows = read_rows(tmp_path / "out" / "compare.csv")
    assert list(rows[0]) == list(JUDGE_COLUMNS) and names(tmp_path / "out") == FILES
    by_name = {row["quantity"]: row for row in rows}
    assert len(by_name) == len(rows) == 16 + 10
    assert by_name["rate_difference"]["p_is_bound"] == "no"
    assert float(by_name["observed_agreement"]["estimate"]) == pytest.approx(39 / 48)
    assert by_name["rate_difference"]["p_value"] and by_name["rate_difference"]["sentence"]
    seen = " ".join(texts(tmp_path / "out" / "compare.svg"))
    assert "The judges agree on 81.2 % of the 48 explanations that both judged" in seen
    assert "estimate, 95 % interval" in seen and "agreement of the judges" not in seen
    for measure in ("Cohen's kappa", "Gwet's AC1", "prevalence index"):
        assert measure in seen


def test_two_imports_of_one_name_are_two_judges_of_the_same_conversations(
    printed: Printed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the documents alone: import --name twice, then compare --judges."""
    described = import_tables.write_mapping(tmp_path, import_tables.changed())
    names_given: dict[str, list[str]] = {"own": [], "same": ["--name", "model"]}
    folders: dict[str, list[Path]] = {"own": [], "same": []}
    for judge, said in (("mine", False), ("rejudged", True)):
        rows = [import_tables.row(f"q{n}", v=said if n % 3 else not said) for n in range(12)]
        source = tmp_path / f"{judge}.jsonl"
        source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        for which, more in names_given.items():
            out = tmp_path / which / judge
            folders[which].append(out)
            assert import_tables.run(source, "--mapping", described, "--out", out, *more) == 0
    capsys.readouterr()
    code, line = stopped(printed, *folders["own"], "--judges")
    assert code == 1 and "give both the same one, avowed import ... --name NAME" in line
    code, out_text, _ = printed(*folders["same"], "--judges")
    assert code == 0 and "12 pairs from 12 probes that both judged" in out_text


def test_refused_pairs_are_counted_and_named(
    two: list[Path], printed: Printed, tmp_path: Path
) -> None:
    changed = second_judge(moved(9), every=5)
    for row in changed[10:32]:
        row["hint_answer"], row["hinted_answer"] = 3, 3
    other = delivery(tmp_path / "other", changed)
    out = printed(two[0], other, "--judges")[1]
    assert "Note: 22 pairs are refused: their identity is in both deliveries" in out
    assert "refused: session_id 's1', probe_id 'p10', replica 0: hint_answer is 2 and 3" in out
    assert out.count("Note: refused: session_id") == 20 and "Note: refused: and 2 more." in out


HALVES = ("baseline_half_id", "hinted_half_id")


def stopped(printed: Printed, *arguments: object) -> tuple[int, str]:
    code, out, err = printed(*arguments)
    lines = err.rstrip("\n").split("\n")
    assert out == "" and lines[-1].startswith("avowed: ")
    return code, lines[-1]


def test_one_delivery_is_no_comparison(two: list[Path], printed: Printed) -> None:
    code, line = stopped(printed, two[0])
    assert code == 2 and line.endswith("a comparison needs two or more")


def test_the_same_delivery_twice(two: list[Path], printed: Printed, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(two[0])
    for again in (two[0], two[0] / "..", link):
        path = again / two[0].name if again.name == ".." else again
        code, line = stopped(printed, two[0], path)
        assert code == 2 and "the same delivery is given twice" in line
    copy = delivery(tmp_path / "copy", moved(9))
    code, line = stopped(printed, two[0], copy)
    assert code == 1 and "copy and high hold the same records" in line
    # An import into another folder gives another session, and ids of halves that go with it.
    renamed = [
        {**row, **{name: f"{row[name]}-2" for name in ("session_id", *HALVES)}} for row in moved(9)
    ]
    for number, rows in enumerate((renamed, renamed[::-1])):
        again = delivery(tmp_path / f"again{number}", rows)
        code, line = stopped(printed, two[0], again)
        assert code == 1 and f"again{number} and high hold the same records" in line
        code, line = stopped(printed, two[0], again, "--judges")
        assert code == 1 and "hold the same records" in line
    other = [*renamed[:-1], {**renamed[-1], "probe_id": "another"}]
    assert printed(two[0], delivery(tmp_path / "other", other))[0] == 0


def test_a_delivery_that_breaks_a_rule(two: list[Path], printed: Printed, tmp_path: Path) -> None:
    records = valid_records()
    records[0]["outcome"] = "hint_induced_change"
    bad = write_lines(tmp_path / "bad", records)
    out = tmp_path / "out"
    code, line = stopped(printed, two[0], bad, "--out", out)
    assert code == 1 and not out.exists()
    assert line == f"avowed: refused: {bad}: the delivery breaks the rules above; nothing compared"


def test_no_common_cell(two: list[Path], printed: Printed, tmp_path: Path) -> None:
    rows = [{**row, "hint_type": OTHER_HINT_TYPE} for row in moved(4)]
    declared = header(rows)
    declared |= {"hint_types": [OTHER_HINT_TYPE], "coverage": declared["coverage"][1:]}
    other = write_lines(tmp_path / "other", rows, declared)
    code, line = stopped(printed, two[0], other)
    assert code == 1
    assert f"no hint type is in two of the deliveries: high has {HINT_TYPE}; other has" in line


def test_other_numbers_of_options(two: list[Path], printed: Printed, tmp_path: Path) -> None:
    rows = [{**row, "n_options": 5} if row["probe_id"] == "p7" else row for row in moved(4)]
    other = delivery(tmp_path / "other", rows)
    code, line = stopped(printed, two[0], other)
    assert code == 1 and "the first is probe_id 'p7' with 4 and 5" in line
    assert printed(two[0], other, "--pairing", "unpaired")[0] == 0


def test_nothing_to_pair(two: list[Path], printed: Printed, tmp_path: Path) -> None:
    rows = [row for row in moved(4, start=48) if row["probe_id"].startswith("p")]
    other = delivery(tmp_path / "other", rows)
    code, line = stopped(printed, two[0], other, "--pairing", "paired")
    assert code == 1 and "no probe_id is shared by high and other" in line
    assert "unpaired; compared as different probes" in printed(two[0], other)[1]


def test_options_that_do_not_go_together(two: list[Path], printed: Printed, tmp_path: Path) -> None:
    third = delivery(tmp_path / "third", moved(6))
    code, line = stopped(printed, *two, third, "--judges")
    assert code == 2 and "--judges compares two deliveries; found 3" in line
    code, line = stopped(printed, *two, "--judges", "--pairing", "unpaired")
    assert code == 2 and "--pairing unpaired does not go with it" in line
    file = tmp_path / "file"
    file.write_text("")
    code, line = stopped(printed, *two, "--out", file)
    assert code == 2 and "is there and is no folder" in line
    code, line = stopped(printed, tmp_path / "none", two[0])
    assert code == 2 and "no such folder" in line
    (tmp_path / "x").mkdir()
    twin = delivery(tmp_path / "x" / "high", moved(4))
    code, line = stopped(printed, two[0], twin)
    assert code == 2 and "two deliveries are named 'high'" in line


def test_nothing_is_left_when_writing_fails(
    two: list[Path], printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compare.figure, "draw", broken)
    code, line = stopped(printed, *two, "--out", tmp_path / "out")
    assert code == 2 and "No space left" in line and not (tmp_path / "out").exists()
