"""The gate insists on every planted fault, and on one for every estimator."""

from pathlib import Path

import pytest
from support.finished import FAULTS, run, told
from verification import planted


def test_an_uncaught_fault_is_refused(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = results / "verification" / "planted_faults.csv"
    path.write_text(path.read_text().replace("turned,yes,as it should be", "turned,no,missed"))
    assert run() == 1
    (line, _) = told(capsys)
    assert "fault turned, caught no, verdict missed" in line


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("", "'turned' of faults.toml is not among the rows"),
        ("turned,yes,as it should be\nother,yes,as it should be\n", "'other' is not a fault of"),
        ("turned,yes,as it should be\n" * 2, "'turned' is not a fault of faults.toml, or stands"),
    ],
)
def test_every_fault_of_the_list_has_to_be_planted_once(
    results: Path, capsys: pytest.CaptureFixture[str], row: str, expected: str
) -> None:
    path = results / "verification" / "planted_faults.csv"
    path.write_text(path.read_text().replace("turned,yes,as it should be\n", row))
    assert run() == 1
    assert any(expected in line for line in told(capsys))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('["rate", "spread"]', "faults.toml: no fault is planted in 'spread'"),
        ('["spread"]', "faults.toml: 'rate' has faults and is not listed at its head"),
    ],
)
def test_every_estimator_at_the_head_of_the_list_needs_a_fault(
    results: Path, capsys: pytest.CaptureFixture[str], head: str, expected: str
) -> None:
    Path("faults.toml").write_text(FAULTS.replace('["rate"]', head))
    assert run() == 1
    assert any(expected in line for line in told(capsys))


@pytest.mark.parametrize(
    "text",
    [
        FAULTS.replace('estimators = ["rate"]\n', ""),
        FAULTS.replace('["rate"]', "[]"),
        FAULTS.replace('["rate"]', "[1]"),
        'estimators = ["rate"]\nfault = 5\n',
        'estimators = ["rate"]\nfault = [1]\n',
        FAULTS.replace('["spread"]', "5"),
        FAULTS.replace('["spread"]', '[["spread"]]'),
    ],
)
def test_a_list_of_faults_that_is_none_is_one_message(
    results: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    Path("faults.toml").write_text(text)
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: faults.toml")


def test_the_list_of_faults_covers_the_rules_and_names_what_it_covers() -> None:
    listed = planted.read_estimators()
    assert len(listed) == len(set(listed))
    assert {f"R{number}" for number in range(1, 12)} < set(listed)
    # The quantities of the long table and the correction, by the names they have there.
    needed = {"omission", "susceptibility", "strata", "chance correction", "threshold curve"}
    needed |= {"exposure", "reliability", "plug-in exposure", "corrected rate", "boundary rule"}
    needed |= {"intra-cluster correlation", "design effect", "effective sample size"}
    needed |= {"percentile bootstrap", "Wilson interval", "shares of probes", "interval of J"}
    assert needed < set(listed)
    assert {fault.estimator for fault in planted.read_faults()} == set(listed)
