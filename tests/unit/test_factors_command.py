"""`avowed factors`: a study from the use case to the page, simulated, recorded and over HTTP."""

import csv
import io
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.factor_studies import (
    REPOSITORY,
    copy_as_lines,
    names,
    read,
    run,
    score,
    told,
    write,
    write_small_case,
)
from support.model_server import Reply, said, serving

from avowed.cli import main
from avowed.commands.factors import run as run_command
from avowed.endpoints.openai_compatible import Patience
from avowed.factors.plan import CALLS
from avowed.factors.response_violation import RULES
from avowed.factors.responses import RESPONSES, Explanation, Validity
from avowed.present.csvfile import read_rows
from avowed.stats.long_table import LONG_SCHEMA

DOCUMENT = (REPOSITORY / "docs" / "responses.md").read_text(encoding="utf-8")
KEY = "sk-secret-9876543210"


@pytest.fixture(scope="module")
def small_case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_case(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def study(small_case: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("studies") / "two"
    assert run(out, "--component", "single", "--component", "graded", case=small_case) == 0
    return out


@pytest.fixture
def mine(study: Path, tmp_path: Path) -> Path:
    return copy_as_lines(study, tmp_path / "mine")


# A study that works


def test_a_simulated_study_from_run_to_table(
    study: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert names(study) == ["inputs.jsonl", "plan.json", "responses.parquet"]
    plan = json.loads((study / "plan.json").read_text(encoding="utf-8"))
    table = pq.read_table(study / "responses.parquet")
    assert table.num_rows == 2 * plan["calls_per_component"] == 2 * sum(plan["calls"].values())
    assert plan["calls"]["original"] == 5 and plan["temperature"] == 0
    assert score(study / "responses.parquet", case=small_case) == 0
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert list(rows[0]) == LONG_SCHEMA.names
    assert {row["study"] for row in rows} == {"loan"}
    assert {"single", "graded", "all components"} <= {row["cell"] for row in rows}
    found = {(row["cell"], row["quantity"]): row["estimate"] for row in rows if not row["k"]}
    # The component that cites what it decides by.
    assert found["single", "uncited_rate_necessity"] == "0"


def test_the_same_command_gives_the_same_bytes(
    study: Path, small_case: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    assert run(again, "--component", "single", "--component", "graded", case=small_case) == 0
    for name in names(study):
        assert (again / name).read_bytes() == (study / name).read_bytes(), name
    for out in ("one", "two"):
        assert score(study / "responses.parquet", case=small_case, out=tmp_path / out) == 0
    assert names(tmp_path / "one") == ["estimates.csv", "estimates.parquet"]
    for name in names(tmp_path / "one"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_study_that_is_complete_is_left_alone(
    study: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (study / "responses.parquet").stat().st_mtime_ns
    assert run(study, "--component", "single", "--component", "graded", case=small_case) == 0
    assert "is complete already" in capsys.readouterr().out
    assert (study / "responses.parquet").stat().st_mtime_ns == before
    assert run(study, "--component", "single", case=small_case) == 2
    assert "plan.json, field components: found ['single', 'graded']" in told(capsys, "unusable")


def test_raw_texts_and_parsed_columns_give_the_same_table(
    study: Path, mine: Path, small_case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parsed = mine / "parsed.parquet"
    table = pq.read_table(study / "responses.parquet")
    pq.write_table(table.drop_columns(["raw", "validity", "explanation"]), parsed)
    printed = []
    for path in (study / "responses.parquet", mine / "responses.jsonl", parsed):
        assert score(path, case=small_case) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == printed[2]


def test_a_page_with_a_sentence_per_component(
    study: Path, small_case: Path, tmp_path: Path
) -> None:
    for out in ("one", "two"):
        given = ["--usecase", str(small_case), "--responses", str(study / "responses.parquet")]
        assert main(["factors", "report", *given, "--out", str(tmp_path / out)]) == 0
    assert names(tmp_path / "one") == ["estimates.csv", "index.html"]
    text = (tmp_path / "one" / "index.html").read_text(encoding="utf-8")
    assert text == (tmp_path / "two" / "index.html").read_text(encoding="utf-8")
    sentences = re.findall(r"<dt>(\w+)</dt>\n<dd>(The order of the cited features .*)</dd>", text)
    assert [name for name, _ in sentences] == ["single", "graded"]
    rows = read_rows(tmp_path / "one" / "estimates.csv")
    assert text.count("<td>descriptive</td>") == [row["status"] for row in rows].count(
        "descriptive"
    )
    assert not re.search(r"""(?:src|href)=["']https?:""", text)


def test_several_files_are_several_components(
    study: Path, small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "add", "--component", "additive", case=small_case) == 0
    capsys.readouterr()
    assert (
        score(*(p / "responses.parquet" for p in (study, tmp_path / "add")), case=small_case) == 0
    )
    cells = {row["cell"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert {"single", "graded", "additive"} <= cells
    twice = study / "responses.parquet"
    assert score(twice, twice, case=small_case) == 1
    assert "field component: found 'single' in several files" in told(capsys, "refused")
    assert run(tmp_path / "other", "--component", "additive", "--seed", "2", case=small_case) == 0
    assert score(twice, tmp_path / "other" / "responses.parquet", case=small_case) == 1
    assert "found other inputs than beside" in told(capsys, "refused")


def test_a_plan_to_ask_elsewhere_can_be_answered(
    small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan"
    assert run(out, "--plan-only", "--model", "me", "--controls", case=small_case) == 0
    assert names(out) == ["inputs.jsonl", "plan.json", "prompts.jsonl"]
    plan = json.loads((out / "plan.json").read_text(encoding="utf-8"))
    prompts = read(out / "prompts.jsonl")
    assert set(plan["calls"]) == set(CALLS)
    assert sum(prompt["trials"] for prompt in prompts) == plan["calls_per_component"]
    answer = '{"decision": "approve", "explanations": ["1. purpose", "2. missed_payments"]}'
    rows = [
        {"component": "me", "use_case": "loan", "trial": trial, "raw": answer}
        | {name: prompt[name] for name in ("input", "feature", "intervention")}
        for prompt in prompts
        for trial in range(prompt["trials"])
    ]
    write(out / "responses.jsonl", rows)
    assert score(out / "responses.jsonl", case=small_case) == 0
    printed = csv.DictReader(io.StringIO(capsys.readouterr().out.split("\n", 1)[1]))
    found = {row["quantity"]: row["estimate"] for row in printed if row["cell"] == "me"}
    assert found["explanation_too_few"] == "5" and found["n_explained"] == "0"


def test_recorded_responses_are_answered_again(
    study: Path, small_case: Path, tmp_path: Path
) -> None:
    recorded = ["--recorded", str(study / "responses.parquet"), "--model", "graded"]
    assert run(tmp_path / "again", *recorded, case=small_case) == 0
    table = pq.read_table(study / "responses.parquet")
    kept = table.filter(pa.compute.equal(table["component"], "graded"))
    assert pq.read_table(tmp_path / "again" / "responses.parquet").equals(kept)


# Over HTTP, against a server on this machine


def answered(_number: int, body: dict[str, Any]) -> Reply:
    keys = body["messages"][0]["content"].split("Use only keys from this list: ")[1].split("\n")[0]
    cited = [f"{place}. {key}" for place, key in enumerate(keys.split(", ")[:3], start=1)]
    return said(json.dumps({"decision": "decline", "explanations": cited}))


@pytest.mark.parametrize("parallel", ["1", "3"])
def test_a_server_is_asked_every_call(
    parallel: str, small_case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with serving(answered) as server:
        asked = ["--url", server.url, "--model", "m", "--key-variable", "MY_KEY"]
        assert run(tmp_path / "out", *asked, "--parallel", parallel, case=small_case) == 0
    plan = json.loads((tmp_path / "out" / "plan.json").read_text(encoding="utf-8"))
    assert len(server.requests) == plan["calls_per_component"]
    assert {headers["Authorization"] for headers, _ in server.requests} == {f"Bearer {KEY}"}
    assert names(tmp_path / "out") == ["inputs.jsonl", "plan.json", "responses.parquet"]
    table = pq.read_table(tmp_path / "out" / "responses.parquet")
    assert set(table["component"].to_pylist()) == {"m"}
    assert set(table["validity"].to_pylist()) == {"valid"}
    for path in (tmp_path / "out").iterdir():
        assert KEY.encode() not in path.read_bytes()


def test_a_server_that_breaks_down_is_gone_on_with(
    small_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    with serving(lambda n, body: answered(n, body) if n < 20 else Reply(401, "gone")) as server:
        assert run(out, "--url", server.url, "--model", "m", case=small_case) == 2
    assert "the server answered 401" in told(capsys, "unusable")
    assert names(out) == ["inputs.jsonl", "plan.json", "responses.partial.jsonl"]
    with serving(answered) as server:
        assert run(out, "--url", server.url, "--model", "m", case=small_case) == 0
    plan = json.loads((out / "plan.json").read_text(encoding="utf-8"))
    assert len(server.requests) == plan["calls_per_component"] - 20
    assert "20 of" in capsys.readouterr().err


@pytest.mark.parametrize("status", [400, 500])
def test_an_input_that_a_server_never_answers_is_stored_as_failed(
    status: int, small_case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_command, "Patience", partial(Patience, first_pause=0.0))
    out, answers = tmp_path / "out", []

    def answer(number: int, body: dict[str, Any]) -> Reply:
        user = body["messages"][1]["content"]
        answers.append(user)
        # A server with a filter; the first input asked is one that it does not let pass.
        return Reply(status, "filtered") if user == answers[0] else answered(number, body)

    with serving(answer) as server:
        assert run(out, "--url", server.url, "--model", "m", "--repeats", "9", case=small_case) == 0
    table = pq.read_table(out / "responses.parquet")
    failed = [row for row in table.to_pylist() if row["validity"] == "failed"]
    assert {row["intervention"] for row in failed} <= {"original", "repeat", "similar", "contrast"}
    assert len(failed) >= 10
    assert score(out / "responses.parquet", case=small_case) == 0


def test_recorded_failures_are_answered_again(
    study: Path, mine: Path, small_case: Path, tmp_path: Path
) -> None:
    rows = [row for row in read(mine / "responses.jsonl") if row["component"] == "single"]
    for row in rows:
        row["raw"] = row["raw"] if row["input"] == "application-002" else None
    write(mine / "failed.jsonl", rows)
    given = ["--recorded", str(mine / "failed.jsonl")]
    assert run(tmp_path / "out", *given, case=small_case) == 0
    table = pq.read_table(tmp_path / "out" / "responses.parquet")
    assert table.column("raw").null_count == sum(row["raw"] is None for row in rows) > 100


def test_a_page_about_files_whose_path_is_no_text(
    study: Path, small_case: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "a\udcff"
    folder.mkdir()
    for name in names(study):
        (folder / name).write_bytes((study / name).read_bytes())
    given = ["--usecase", str(small_case), "--responses", str(folder / "responses.parquet")]
    assert main(["factors", "report", *given, "--out", str(tmp_path / "page")]) == 0
    assert "a\\udcff" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")


# The document


def test_the_document_has_the_fields_and_the_rules() -> None:
    after = DOCUMENT.split("<!-- fields: src/avowed/factors/responses.py -->")[1]
    rows = re.findall(r"(?m)^\| `(\w+)` \| ([a-z ]+) \| (yes|no) \|", after)
    kinds = {pa.string(): "string", pa.int16(): "integer"}
    assert rows == [
        (f.name, kinds.get(f.type, "list of strings"), "yes" if f.nullable else "no")
        for f in RESPONSES
    ]
    after = DOCUMENT.split("<!-- rules: src/avowed/factors/response_violation.py -->")[1]
    assert dict(re.findall(r"(?m)^\| (F\d+) \| (.*) \|$", after)) == RULES


def test_the_document_has_every_kind_of_response() -> None:
    tables = DOCUMENT.split("| `validity` | when |")[1].split("## What is checked")[0]
    validity, explanation = tables.split("| `explanation` | when |")
    named = [
        {
            word
            for line in re.findall(r"(?m)^\| (`.*?`) \|", table)
            for word in line.split("`")[1::2]
        }
        for table in (validity, explanation)
    ]
    assert named == [set(Validity), set(Explanation)]
    assert set(re.findall(r"\w+", DOCUMENT)) >= set(CALLS)
