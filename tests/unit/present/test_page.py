"""The report's page: complete, self-contained, escaped, and honest about what is missing."""

import base64
import hashlib
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser.sample import (
    CLAIMS,
    DIFF,
    FAULTS,
    PROPERTIES,
    sample_page,
    write_sample,
)

from avowed.present.csvfile import read_rows, write_rows
from avowed.present.page import OWN_REPORT, REPORT, TEMPLATES, Sentence, grouped, render
from avowed.present.page_checks import relations
from avowed.present.page_ledger import with_ends
from avowed.present.page_sources import PLACES
from avowed.present.page_text import (
    KEYWORD_CAVEAT,
    MEANINGS,
    PRINTED_STATEMENT,
    number,
    tone,
)


class Seen(HTMLParser):
    """Tags, attributes and texts of a page, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self._silent = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text.append(data)

    def all(self, attribute: str) -> list[str]:
        return [found[attribute] for _, found in self.tags if attribute in found]


def words(html: str) -> str:
    return " ".join(" ".join(Seen(html).text).split())


def section(html: str, name: str) -> str:
    (found,) = re.findall(rf'<section id="{name}".*?</section>', html, re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("report")
    write_sample(root)
    return root


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return render(sample_page(root))


def test_equal_inputs_give_equal_bytes(root: Path, page: str) -> None:
    assert render(sample_page(root)) == page
    assert page.startswith("<!DOCTYPE html>\n") and page.endswith("</html>\n")


def test_it_leads_nowhere_but_to_its_own_files(page: str) -> None:
    seen = Seen(page)
    assert not {"img", "iframe", "object", "embed", "form", "base"} & {tag for tag, _ in seen.tags}
    assert seen.all("src") == []
    links = set(seen.all("href"))
    assert links and all(re.match(r"(#|data:,$|\.\./|[a-z_]+\.)", link) for link in links)
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org)", page)
    # No attribute runs anything; the policy would stop it too.
    assert not [name for _, found in seen.tags for name in found if name.startswith("on")]


def test_the_policy_admits_the_one_script_and_no_connection(page: str) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [found["content"] for _, found in Seen(page).tags if "http-equiv" in found]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'" and rules["script-src"] == f"'sha256-{digest}'"
    assert rules["form-action"] == rules["base-uri"] == "'none'"
    assert "connect-src" not in rules


def test_every_address_within_the_page_is_there_once(page: str) -> None:
    seen = Seen(page)
    count = Counter(seen.all("id"))
    assert [name for name, n in count.items() if n > 1] == []
    targets = [link[1:] for link in seen.all("href") + seen.all("xlink:href") if link[0] == "#"]
    targets += seen.all("aria-labelledby") + seen.all("for")
    targets += re.findall(r"url\(#([^)]+)\)", page)
    assert {"ledger", "recomputation", "claims", "NS-abstract-05", "search"} <= set(targets)
    assert set(targets) <= set(count)


def test_the_contents_list_names_every_section(page: str) -> None:
    (nav,) = re.findall(r"<nav.*?</nav>", page, re.DOTALL)
    assert re.findall(r'href="#(\w+)">(.*?)</a>', nav) == [(s.name, s.title) for s in REPORT]
    assert re.findall(r'<section id="(\w+)"', page) == [one.name for one in REPORT]


def test_what_a_table_holds_cannot_become_markup(page: str) -> None:
    assert "<script>alert" not in page and "<b>&#34;bold" not in page
    assert "&lt;b&gt;&#34;bold&#34;&lt;/b&gt; &amp; &lt;script&gt;alert(1)" in page
    assert "Nothing &lt;moved&gt; here." in page


def test_every_claim_is_shown_with_everything_it_has(page: str) -> None:
    table = re.findall(r'<table id="claims".*?</table>', page, re.DOTALL)[0]
    rows = re.findall(r'<tr id="([^"]+)"(.*?)</tr>', table, re.DOTALL)
    assert [name for name, _ in rows] == [claim["claim_id"] for claim in CLAIMS]
    for (_, html), claim in zip(rows, CLAIMS, strict=True):
        shown = words(f"<tr{html}")
        for column in ("section", "quantity", "published", "verdict", "source", "note"):
            assert claim[column] in shown, column
        for column in ("rests_on", "reading"):
            assert claim[column] in shown, column
        for text, says in relations(claim):
            assert f"Relation: {text} – {says}" in shown
        assert with_ends(claim, "published") in shown
        assert with_ends(claim, "ours", 6 if claim["ours"] else 4) in shown
        for column in ("difference", "tolerance"):
            assert number(claim[column]) in shown
        cells = re.findall(r'<td data-label="\w+" class="n[^"]*">(.*?)</td>', html)
        assert len(cells) == 4
        empty = [
            column
            for column in ("published", "ours", "difference", "tolerance")
            if not claim[column] and not claim.get(f"{column}_lo")
        ]
        assert sum(cell == "–" for cell in cells) == len(empty)
        assert ('class="fails"' in html) == (tone(claim["verdict"]) == "bad")


def test_the_counts_of_the_ledger_are_those_of_its_rows(page: str) -> None:
    ledger = section(page, "ledger")
    for verdict, n in Counter(claim["verdict"] for claim in CLAIMS).items():
        (line,) = re.findall(
            rf'<tr><th scope="row"><a[^>]*data-show-verdict="{verdict}".*?</tr>', ledger, re.DOTALL
        )
        assert [int(cell) for cell in re.findall(r'<td class="n">(\d+)</td>', line)][-1] == n
        assert MEANINGS[verdict].replace("'", "&#39;") in line
    assert f"of {len(CLAIMS)} claims shown" in words(ledger)
    # What is known of the ledger's sensitivity follows.
    assert "Changes of a printed number that move no verdict (1 of 2)" in words(ledger)
    assert "a mean of eight" in ledger and "moves two" not in ledger


def test_bad_news_stands_first_with_its_numbers(page: str) -> None:
    banner = page[page.index('<aside class="banner"') : page.index("</aside>")]
    assert page.index("<h1>") < page.index("<aside") < page.index("<section")
    assert re.findall(r"<li>(.*?)\. <a", banner) == [
        "2 comparisons with the independent recomputation fail",
        "1 planted fault was not caught",
    ]


def test_what_the_papers_get_wrong_is_no_alarm_but_stands_at_the_top(page: str) -> None:
    begin = page.index('<aside class="notice"')
    assert begin < page.index("<section")
    assert re.findall(r"<li>(.*?)\. <a", page[begin : page.index("</aside>", begin)]) == [
        "1 fails by the papers’ own arithmetic: 1 as read here",
        "1 differs from ours, which need not be an error of the papers: 1 under laws "
        "that we inferred",
    ]
    notice = words(page[begin : page.index("</aside>", begin)])
    assert notice.startswith(f"{PRINTED_STATEMENT}. Of {len(CLAIMS)}:")


def test_without_bad_news_there_is_no_banner(root: Path, tmp_path: Path) -> None:
    write_sample(tmp_path)
    good = {
        "claims": [claim for claim in CLAIMS if tone(claim["verdict"]) != "bad"],
        "diff": [row for row in DIFF if row["verdict"] == "agrees"],
        "planted_faults": FAULTS[:2],
    }
    for name, rows in good.items():
        write_rows(tmp_path / PLACES[name][0], list(rows[0]), rows)
    summary = read_rows(tmp_path / PLACES["claims_summary"][0])
    kept = [row for row in summary if tone(row["verdict"]) != "bad"]
    write_rows(tmp_path / PLACES["claims_summary"][0], list(kept[0]), kept)
    text = render(sample_page(tmp_path))
    assert "<aside" not in text
    assert "none fails" in words(section(text, "headline"))
    assert "None of 5 comparisons." in words(section(text, "recomputation"))
    # A summary that counts other claims than the ledger has is bad news.
    write_rows(tmp_path / PLACES["claims_summary"][0], list(kept[0]), kept[1:])
    assert re.search(
        r"The ledger has 8 claims, its summary speaks of \d", render(sample_page(tmp_path))
    )


def test_failures_come_before_the_largest_differences(page: str) -> None:
    shown = section(page, "recomputation")
    failures, largest = shown.split("<h3>The largest differences")
    assert words(failures).count("exposure, k = 3") == 1
    assert "no counterpart in the recomputation" in words(failures.split("<h3>Failures</h3>")[1])
    # 0.003 of 0.01, and 1e-13 of 1e-12.
    assert re.findall(r"<td class=\"n\">(0\.\d+)</td><td><span", largest) == ["0.3", "0.1"]


@pytest.mark.parametrize("name", list(PLACES))
def test_a_table_that_was_not_made_is_told_with_the_command(
    name: str, page: str, root: Path
) -> None:
    sample = sample_page(root)
    without = replace(sample.tables[name], rows=None, href="")
    text = render(replace(sample, tables={**sample.tables, name: without}))
    place = PLACES[name][0]
    if name == "deliveries":  # nobody has to have deliveries of their own
        assert text == page
        return
    assert f"snakemake --cores 2 {place}" in text
    assert f"{place} was not made." in words(text)
    changed = [one.name for one in REPORT if section(text, one.name) != section(page, one.name)]
    home = {
        "public_data": "conditions",
        "always_a": "conditions",
        "claims": "ledger",
        "claims_summary": "ledger",
        "diff": "recomputation",
        "planted_faults": "faults",
    }
    assert home.get(name, name) in changed and "provenance" not in changed


def test_a_table_without_rows_says_so(root: Path) -> None:
    sample = sample_page(root)
    for name in ("claims", "diff", "planted_faults", "properties", "public_data"):
        empty = replace(sample.tables[name], rows=[])
        text = render(replace(sample, tables={**sample.tables, name: empty}))
        assert f"{PLACES[name][0]} has no rows." in words(text)


def test_what_is_undefined_is_a_dash_with_its_status(page: str, root: Path) -> None:
    (row,) = [one for one in read_rows(root / PLACES["always_a"][0]) if one["omission"] == ""]
    (line,) = re.findall(
        rf'<tr><th scope="row" class="key">{row["condition"]}</th>'
        r'<td class="n">\d+</td>.*?</tr>',
        section(page, "conditions").split("companion bias")[1],
    )
    shown = re.findall(r"<td[^>]*>(.*?)</td>", line)
    assert shown[4] == "–" and shown[-1] == row["status"] == "insufficient"


def test_differing_properties_are_among_the_known_limits(page: str) -> None:
    shown = words(section(page, "limits"))
    assert f"printed {number(PROPERTIES[1]['published'])}" in shown and "differs" in shown
    # One basis: the mean of our data sets, as in the ledger, and not our single one.
    assert "drift pairs: printed 584, mean of ours 531.9 with a spread of 25.5" in shown
    assert "539" not in shown
    assert "1 statement fails by the papers’ own arithmetic: NS-abstract-05 ." in shown
    assert "1 statement differs from ours (inferred design: simulated under laws" in shown
    assert "2 printed numbers of 10 can only be had by asking the models" in shown
    assert "1 statement of 10 has nothing in this run to be held against" in shown
    assert "NS-abstract-05" in shown


def test_provenance_names_commit_versions_seed_settings_and_times(page: str) -> None:
    shown = words(section(page, "provenance"))
    for text in (
        "0123456789",
        "numpy 2.0",
        "Seed 7",
        "bootstrap.resamples = 50",
        "coded (the coded answers); 1 file checked against its SHA-256",
        "estimate_delivery 6 4.2 140",
        "sums 1 0.5 –",
        "all 7 4.8",
    ):
        assert text in shown
    assert "absent" not in shown


def test_figures_are_numbered_captioned_and_lead_to_their_table(page: str) -> None:
    shown = section(page, "figures")
    assert re.findall(r'<figure id="figure-(\w+)"', shown) == ["public_data", "again"]
    assert words(shown).count("Figure 1. What happened. Drawn from results/tables/public_data.csv")
    assert 'href="../tables/public_data.csv"' in shown
    assert shown.count("<svg") == 2 and shown.count('role="img"') == 2
    assert "<style" not in shown and "<!--" not in shown


def test_no_number_is_typed_in_a_template() -> None:
    """Whatever the reader sees of a number comes from a results file."""
    known = ["SHA-256", "(2023)", "--cores 2"]
    for path in sorted(TEMPLATES.glob("*.html.j2")):
        text = path.read_text("utf-8")
        for markup in (r"\{#.*?#\}", r"\{%.*?%\}", r"\{\{.*?\}\}", r"<[^>]*>"):
            text = re.sub(markup, " ", text, flags=re.DOTALL)
        for word in known:
            text = text.replace(word, "")
        assert not re.search(r"\d", text), path.name


def test_every_section_has_a_template() -> None:
    for one in (*REPORT, *OWN_REPORT):
        assert (TEMPLATES / f"{one.name}.html.j2").is_file()


def test_sentences_stand_under_their_study_and_none_is_lost() -> None:
    given = [
        Sentence("edge", "e", "1"),
        Sentence("always_a", "a", "2"),
        Sentence("public_data", "p", "3"),
    ]
    groups = grouped(given)
    assert [one.heading for one in groups] == [
        "Public data: suggested answer",
        "Public data: the answer is always A",
        "edge",
    ]
    assert sorted(one.text for group in groups for one in group.sentences) == ["1", "2", "3"]
    # The caveat stands beside the sentences whose judge reads keywords, and beside no other.
    assert [bool(one.caveat) for one in groups] == [True, True, False]


def test_the_judge_s_direction_of_error_stands_beside_the_sentences(page: str) -> None:
    shown = section(page, "headline")
    assert f'<p class="caveat">{KEYWORD_CAVEAT}</p>' in shown
    assert shown.index(KEYWORD_CAVEAT) < shown.index("Half of them")


def test_the_worked_example_shows_what_its_verdicts_rest_on(page: str) -> None:
    shown = section(page, "worked_example")
    (head,) = re.findall(r"<thead>.*?</thead>", shown, re.DOTALL)
    assert words(head).endswith("Our one data set Verdict")
    lines = [words(line) for line in re.findall(r"<tr><th scope=\"row\">.*?</tr>", shown)]
    assert lines[0].startswith(
        "flagged pairs 482 442.2 23.9 1.65 NS-abstract-05 ( arithmetic fails )"
    )
    assert lines[0].endswith("465 within Monte-Carlo error")
    assert lines[1] == "drift pairs 584 531.9 25.5 2.03 – 539 differs"
    assert lines[2].startswith("omission at cut 0.6 – 0.5086") and lines[2].endswith("not printed")


def test_weak_comparisons_are_named_beside_the_table(page: str, root: Path) -> None:
    shown = words(section(page, "properties"))
    assert "with 600 repetitions only a difference of 0.003 or more would be noticed" in shown
    assert "are extremes" not in shown
    sample = sample_page(root)
    rows = [{**PROPERTIES[1], "end": "lowest"}]
    changed = replace(sample.tables["properties"], rows=rows)
    text = render(replace(sample, tables={**sample.tables, "properties": changed}))
    assert "are extremes" in words(section(text, "properties"))


def test_the_total_of_the_comparisons_is_broken_down(page: str) -> None:
    for name in ("headline", "recomputation"):
        shown = words(section(page, name))
        assert "1 are undefined on both sides" in shown.replace("1 of 7 are", "1 are")
        assert "1 are algebra on drawn calibrations" in shown


def test_the_ledger_leads_with_what_moves_another_claim(page: str) -> None:
    shown = words(section(page, "ledger"))
    assert (
        "Of 8 printed numbers made wrong on purpose, 2 (25 %) move the verdict of another" in shown
    )
    assert shown.index("2 (25 %)") < shown.index("6 (75 %)")


def test_readings_are_listed_and_said_to_be_chosen(page: str) -> None:
    shown = words(section(page, "ledger"))
    assert "The reading of a statement is a choice, and the readings are listed." in shown
    assert "NS-abstract-05 : taken with its sign ( arithmetic fails )." in shown


def test_a_drawing_can_be_opened_in_full_size(page: str) -> None:
    shown = section(page, "figures")
    links = re.findall(r'<p class="enlarge"><a href="([^"]+)">', shown)
    assert links == ["../../figures/public_data.svg"]
