"""The report in a real browser: no error, no request, and everything that can be operated works."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Opened

from avowed.present.csvfile import read_rows

pytestmark = pytest.mark.browser

Open = Callable[..., Opened]


def claims_of(report: Path) -> list[dict[str, str]]:
    return read_rows(report.parents[1] / "verification/claims.csv")


def shown_rows(opened: Opened) -> list[str]:
    """The ids of the ledger's rows that can be seen."""
    found: list[str] = opened.page.evaluate(
        "[...document.querySelectorAll('#claims tbody tr')]"
        ".filter(row => row.offsetParent !== null).map(row => row.id)"
    )
    assert opened.page.inner_text("#shown") == str(len(found))
    return found


def ids(rows: list[dict[str, str]], **wanted: str) -> list[str]:
    return [
        row["claim_id"] for row in rows if all(row[key] == value for key, value in wanted.items())
    ]


def colour(opened: Opened, what: str = "backgroundColor") -> list[int]:
    text = opened.page.evaluate(f"getComputedStyle(document.body).{what}")
    return [int(part) for part in re.findall(r"\d+", text)[:3]]


def test_it_opens_without_an_error_and_asks_for_nothing(report: Path, open_page: Open) -> None:
    opened = open_page(report)
    opened.page.wait_for_timeout(300)
    assert opened.errors == []
    assert opened.requests == [report.as_uri()]
    assert opened.page.evaluate("performance.getEntriesByType('resource').length") == 0
    assert opened.page.locator("h1").count() == 1


def test_the_policy_stops_a_connection(sample: Path, open_page: Open) -> None:
    """The page that asks for nothing could not if it would: the listeners here do hear."""
    opened = open_page(sample)
    refused = opened.page.evaluate(
        "fetch('http://127.0.0.1:9/').then(() => 'sent', error => String(error))"
    )
    assert "TypeError" in refused
    assert any("Content Security Policy" in error for error in opened.errors)


def test_without_script_everything_is_there(sample: Path, open_page: Open) -> None:
    opened = open_page(sample, java_script_enabled=False)
    assert opened.page.locator("#claims tbody tr:visible").count() == len(claims_of(sample))
    assert not opened.page.locator("#filters").is_visible()


def test_every_filter_shows_the_rows_of_the_table(report: Path, open_page: Open) -> None:
    opened, rows = open_page(report), claims_of(report)
    assert shown_rows(opened) == ids(rows)
    for paper in sorted({row["paper"] for row in rows}):
        opened.page.select_option("#by-paper", paper)
        assert shown_rows(opened) == ids(rows, paper=paper)
    opened.page.select_option("#by-paper", "")
    for verdict in sorted({row["verdict"] for row in rows}):
        opened.page.select_option("#by-verdict", verdict)
        assert shown_rows(opened) == ids(rows, verdict=verdict)
    opened.page.select_option("#by-verdict", "")
    for basis in sorted({row["rests_on"] for row in rows}):
        opened.page.select_option("#by-basis", basis)
        assert shown_rows(opened) == ids(rows, rests_on=basis)
    opened.page.select_option("#by-basis", "")
    for paper, section in sorted({(row["paper"], row["section"]) for row in rows}):
        opened.page.select_option("#by-section", f"{paper} {section}")
        assert shown_rows(opened) == ids(rows, paper=paper, section=section)
    opened.page.click("#show-all")
    assert shown_rows(opened) == ids(rows)


def test_filters_and_search_work_together(report: Path, open_page: Open) -> None:
    opened, rows = open_page(report), claims_of(report)
    wanted = rows[-1]
    opened.page.select_option("#by-paper", wanted["paper"])
    opened.page.fill("#search", wanted["claim_id"].upper())
    assert shown_rows(opened) == [
        name for name in ids(rows, paper=wanted["paper"]) if wanted["claim_id"] in name
    ]
    # Every word counts, in any order and any case.
    opened.page.click("#show-all")
    opened.page.fill("#search", f"{wanted['verdict'].upper()}  {wanted['claim_id'].lower()}")
    assert wanted["claim_id"] in shown_rows(opened)
    opened.page.fill("#search", "no such words anywhere")
    assert shown_rows(opened) == []
    assert opened.page.locator("#none-shown").is_visible()
    opened.page.click("#show-all")
    assert shown_rows(opened) == ids(rows)
    assert not opened.page.locator("#none-shown").is_visible()


def test_a_search_finds_numbers_with_either_minus_and_any_cell(
    sample: Path, open_page: Open
) -> None:
    opened = open_page(sample)
    for text in ("-1.2", "\u22121.2"):
        opened.page.fill("#search", text)
        assert shown_rows(opened) == ["NS-abstract-06"]
    opened.page.fill("#search", "resamples")
    assert shown_rows(opened) == ["HP-7-03"]
    opened.page.fill("#search", "spreads away")
    assert shown_rows(opened) == ["HP-16.3-02"]


def test_a_paper_lets_go_of_a_section_of_the_other(sample: Path, open_page: Open) -> None:
    opened, rows = open_page(sample), claims_of(sample)
    opened.page.select_option("#by-section", "NS D.1")
    opened.page.select_option("#by-paper", "HP")
    assert shown_rows(opened) == ids(rows, paper="HP")


def test_a_verdict_of_the_summary_leads_to_its_rows(report: Path, open_page: Open) -> None:
    opened, rows = open_page(report), claims_of(report)
    verdict = rows[0]["verdict"]
    opened.page.fill("#search", "no such words anywhere")
    opened.page.click(f'[data-show-verdict="{verdict}"]')
    assert shown_rows(opened) == ids(rows, verdict=verdict)


def test_what_verdicts_rest_on_leads_to_its_rows(report: Path, open_page: Open) -> None:
    opened, rows = open_page(report), claims_of(report)
    basis = rows[-1]["rests_on"]
    opened.page.select_option("#by-paper", rows[0]["paper"])
    opened.page.click(f'[data-show-basis="{basis}"]')
    assert shown_rows(opened) == ids(rows, rests_on=basis)


def test_a_link_to_a_row_shows_it_whatever_was_filtered(sample: Path, open_page: Open) -> None:
    opened = open_page(sample)
    opened.page.fill("#search", "no such words anywhere")
    opened.page.click('[data-show-claim="NS-abstract-05"]')
    opened.page.wait_for_timeout(100)
    box = opened.page.locator("#NS-abstract-05").bounding_box()
    assert box and 0 <= box["y"] <= 900


@pytest.mark.parametrize("preferred", ["light", "dark"])
def test_the_theme_follows_the_system_and_the_button(
    report: Path, open_page: Open, preferred: str
) -> None:
    opened = open_page(report, color_scheme=preferred)
    dark = sum(colour(opened)) < sum(colour(opened, "color"))
    assert dark == (preferred == "dark")
    other = {"light": "Dark", "dark": "Light"}
    assert opened.page.inner_text("#theme") == other[preferred]
    opened.page.click("#theme")
    assert (sum(colour(opened)) < sum(colour(opened, "color"))) != dark
    assert opened.page.inner_text("#theme") != other[preferred]
    # A figure keeps a light card, which is dimmed where all around it is dark.
    card = "getComputedStyle(document.querySelector('.card')).backgroundColor"
    shades = [sum(map(int, re.findall(r"\d+", opened.page.evaluate(card))))]
    opened.page.click("#theme")
    shades.append(sum(map(int, re.findall(r"\d+", opened.page.evaluate(card)))))
    opened.page.click("#theme")
    assert max(shades) == 765 and 550 < min(shades) < 700
    assert shades.index(min(shades)) == (1 if preferred == "dark" else 0)
    opened.page.click("#theme")
    assert (sum(colour(opened)) < sum(colour(opened, "color"))) == dark
    assert opened.errors == []


def test_the_theme_works_where_storage_is_refused(sample: Path, chromium: Any) -> None:
    context = chromium.new_context(color_scheme="light")
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', "
        "{get() { throw new DOMException('refused', 'SecurityError'); }});"
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(sample.as_uri())
    page.click("#theme")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert errors == []
    context.close()


def test_labels_of_a_figure_are_readable_at_the_width_of_the_page(
    finished: Path, open_page: Open
) -> None:
    """Glyphs of the two long figures: at least nine pixels high for a capital and its descent."""
    opened = open_page(finished.resolve(), viewport={"width": 1280, "height": 900})
    for name in ("estimator_properties", "worked_example"):
        height = opened.page.evaluate(
            f"Math.max(...[...document.querySelectorAll('#figure-{name} [id*=ytick] g[id*=text]')]"
            ".map(one => one.getBoundingClientRect().height))"
        )
        assert height >= 9, name


def test_a_phone_scrolls_tables_and_not_the_page(report: Path, open_page: Open) -> None:
    opened = open_page(report, viewport={"width": 360, "height": 740}, has_touch=True)
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 360
    wide = opened.page.evaluate(
        "[...document.querySelectorAll('.scroll, .card')]"
        ".filter(one => one.scrollWidth > one.clientWidth).length"
    )
    assert wide > 0
    # A figure is scaled and never cut; the way to the full drawing stands below it.
    cut = "[...document.querySelectorAll('.card')].filter(one => one.scrollWidth > one.clientWidth)"
    assert opened.page.evaluate(f"{cut}.length") == 0
    assert opened.page.locator(".enlarge a:visible").count() > 0
    # Every frame that goes on to the right says so, and no other does.
    told = opened.page.evaluate(
        "[...document.querySelectorAll('.scroll')].map(one => ["
        "one.scrollWidth > one.clientWidth + 1, !one.previousElementSibling.hidden])"
    )
    assert all(more == cue for more, cue in told)
    # The verdict of a wide table is in view without scrolling.
    hidden = opened.page.evaluate(
        "[...document.querySelectorAll('table:not(.ledger) td.says')].filter(one => "
        "one.offsetParent && one.getBoundingClientRect().right > 360.5).length"
    )
    assert hidden == 0
    # Nothing sticks out beside the frames that scroll by themselves.
    out = opened.page.evaluate(
        "[...document.querySelectorAll('main *')].filter(one => !one.closest('.scroll, .card') && "
        "one.getBoundingClientRect().right > 360.5).map(one => one.outerHTML.slice(0, 80))"
    )
    assert out == []


def test_everything_can_be_reached_by_the_keyboard(sample: Path, open_page: Open) -> None:
    opened = open_page(sample)
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(120):
        opened.page.keyboard.press("Tab")
        reached.add(
            opened.page.evaluate(
                "(one => one.id || one.className || one.tagName)(document.activeElement)"
            )
        )
    assert {"theme", "search", "by-paper", "by-section", "by-verdict", "show-all"} <= reached
    assert {"scroll", "scroll tall"} <= reached
    unnamed = opened.page.evaluate(
        "[...document.querySelectorAll('[tabindex], button, input, select, svg')].filter(one => "
        "!(one.getAttribute('aria-label') || one.labels?.length || one.textContent.trim())).length"
    )
    assert unnamed == 0


def test_it_prints_every_claim_in_light_colours(report: Path, open_page: Open) -> None:
    opened, rows = open_page(report, color_scheme="dark"), claims_of(report)
    opened.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    closed = "document.querySelectorAll('details:not([open])').length"
    folded = opened.page.evaluate(closed)
    assert folded > 0
    opened.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert opened.page.evaluate(closed) == 0
    opened.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert opened.page.evaluate(closed) == folded
    opened.page.emulate_media(media="print")
    assert colour(opened) == [255, 255, 255]
    assert opened.page.locator("#claims tbody tr:visible").count() == len(rows)
    assert not opened.page.locator("#filters").is_visible()
    assert (
        opened.page.evaluate("getComputedStyle(document.querySelector('.scroll.tall')).overflowY")
        == "visible"
    )
    # The title comes first, and no interval's name is broken.
    first = opened.page.evaluate(
        "[...document.querySelectorAll('nav, h1')].filter(one => one.offsetParent)"
        ".map(one => one.tagName)[0]"
    )
    assert first == "H1"
    assert not re.search(r"\d %| CI\b", opened.page.inner_text("#headline dl"))
    printed = opened.page.pdf(format="A4")
    assert printed.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) > 1


def test_bad_news_stands_first_and_names_its_number(sample: Path, open_page: Open) -> None:
    opened = open_page(sample)
    banner = opened.page.locator(".banner")
    assert "2 comparisons with the independent recomputation fail" in banner.inner_text()
    box = banner.bounding_box()
    assert box and box["y"] < 300


def test_pictures_for_the_readme(finished: Path, open_page: Open, tmp_path: Path) -> None:
    """Take the screenshots of the README, into the folder that ``AVOWED_SCREENSHOTS`` names."""
    folder = Path(os.environ.get("AVOWED_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    for name, section, scheme in (
        ("report_light", "", "light"),
        ("report_dark", "figures", "dark"),
        ("report_ledger", "ledger", "light"),
    ):
        opened = open_page(finished.resolve(), color_scheme=scheme)
        if section:
            opened.page.evaluate(f"document.getElementById('{section}').scrollIntoView()")
        picture = folder / f"{name}.png"
        opened.page.screenshot(path=picture)
        assert 10_000 < picture.stat().st_size < 300_000
