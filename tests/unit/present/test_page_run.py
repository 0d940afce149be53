"""Run times and tables: what is there is read, what is not is told."""

from pathlib import Path

import pytest

from avowed.present.page_run import Provenance, rule_times
from avowed.present.page_sources import PLACES, link, load, read_table
from avowed.refusal import Unusable

HEAD = "s\th:m:s\tmax_rss\n"


def test_times_are_summed_per_rule(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study/a_0.tsv").write_text(f"{HEAD}1.5\t0:00:01\t10.0\n")
    (tmp_path / "study/a_1.tsv").write_text(f"{HEAD}2.25\t0:00:02\t30.5\n")
    (tmp_path / "summary.tsv").write_text(f"{HEAD}9\t0:00:09\t-\n")
    (tmp_path / "broken.tsv").write_bytes(b"\xff\x00")
    (tmp_path / "empty.tsv").write_text("")
    found = [(one.rule, one.jobs, one.seconds, one.memory) for one in rule_times(tmp_path)]
    assert found == [("summary", 1, 9.0, None), ("study", 2, 3.75, 30.5)]
    assert [one.rule for one in rule_times(tmp_path, without="summary")] == ["study"]


def test_no_folder_is_no_time(tmp_path: Path) -> None:
    assert rule_times(tmp_path / "none") == []


def test_a_seed_that_nobody_gave_is_none() -> None:
    assert Provenance({}, {}, ()).seed is None
    assert Provenance({"settings": {"seed": 0}}, {}, ()).seed == 0


def test_tables_are_read_or_told_to_be_missing(tmp_path: Path) -> None:
    diff, more = tmp_path / "diff.csv", tmp_path / "more.csv"
    diff.write_text(
        "source,quantity,main,independent,difference,tolerance,verdict\na,b,2,2,0,1,agrees\n"
    )
    more.write_text("x\n1\n")
    found = load({"diff": diff, "extra": more}, tmp_path / "report/index.html")
    assert set(found) == {*PLACES, "extra"}
    assert found["diff"].rows and found["diff"].href == "../diff.csv"
    assert found["extra"].columns == ["x"]
    claims = found["claims"]
    assert claims.rows is None and claims.href == "" and claims.columns == []
    assert claims.path == "results/verification/claims.csv"
    assert claims.command == "snakemake --cores 2 results/verification/claims.csv"
    assert load({"diff": tmp_path / "gone.csv"}, tmp_path / "i.html")["diff"].rows is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"paper,kind,n\nHP,design,3\n", "row 2: column verdict is not there"),
        (b"paper,kind,verdict,n\nHP,design,matches\n", "row 2: cells and columns differ"),
        (b"paper,kind,verdict,n\na,b,c,1\na,b,c,1,2\n", "row 3: cells and columns differ"),
        (b"paper,\xff\n1,2\n", "cannot be read as a table"),
    ],
)
def test_a_damaged_table_is_named(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "claims_summary.csv"
    path.write_bytes(content)
    with pytest.raises(Unusable, match=expected) as told:
        load({"claims_summary": path}, tmp_path / "index.html")
    assert str(path) in str(told.value)
    with pytest.raises(Unusable):
        read_table("x", tmp_path / "none.csv")


def test_links_lead_from_the_page() -> None:
    assert link(Path("figures/a.svg"), Path("results/report/index.html")) == "../../figures/a.svg"
