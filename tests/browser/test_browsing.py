# SPDX-License-Identifier: Apache-2.0
"""What a person does with the page: filter, search, follow links, use keys, print.

Whatever they do, the console stays silent and nothing is requested; the fixture sees to that.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from aclnn_cts.errors import counted
from aclnn_cts.report.certificate import write_certificate
from aclnn_cts.results.document import ResultsDocument, read_results

Results = dict[str, Path]
ISSUED = datetime(2026, 11, 30, tzinfo=timezone.utc)


@pytest.fixture
def page(visit: Any, results: Results) -> Page:
    """The page of the faulty run."""
    opened: Page = visit.open(results["faulty"] / "report.html")
    return opened


def failing(document: ResultsDocument) -> list[str]:
    """Return the ids of the failing cases."""
    return [case.id for case in document.cases if case.fails]


def expect_shown(page: Page, start: str) -> None:
    """Wait until the line that says how many cases are shown begins with `start`."""
    expect(page.locator("#count")).to_have_text(re.compile("^" + re.escape(start)))


def test_the_verdict_is_what_one_sees_first(page: Page, faulty: ResultsDocument) -> None:
    """Headline and counts are in sight without scrolling."""
    headline = page.get_by_role("heading", level=1)
    expect(headline).to_be_in_viewport()
    clauses = [clause for clause in faulty.clauses if clause.verdict == "fail"]
    told = f"{len(failing(faulty))} cases break {counted(len(clauses), 'promise')}"
    expect(headline).to_have_text(told)
    expect(page.get_by_text("exit status 1")).to_be_in_viewport()


def test_a_table_that_is_cut_says_so(page: Page) -> None:
    """On a phone the heat map reaches beyond the edge: it fades there, and only there."""
    page.set_viewport_size({"width": 420, "height": 800})
    box = page.locator(".scroll:has(> .heat)")
    expect(box).to_have_class("scroll more")
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    expect(box).to_have_class("scroll")
    page.set_viewport_size({"width": 1600, "height": 800})
    expect(box).to_have_class("scroll")


def test_filters(page: Page, faulty: ResultsDocument) -> None:
    """A filter leaves its cases, stands in the address, and survives a reload."""
    page.get_by_label("verdict", exact=True).select_option("fail")
    bad, all_ = len(failing(faulty)), len(faulty.cases)
    expect(page.locator("#count")).to_have_text(f"{bad} of {all_} cases, {bad} failing")
    assert page.url.endswith("#cases&verdict=fail")
    page.reload()
    expect(page.locator("#count")).to_have_text(f"{bad} of {all_} cases, {bad} failing")
    page.get_by_role("button", name="Clear").click()
    expect_shown(page, f"{all_} of {all_} cases")


def test_search(page: Page, faulty: ResultsDocument) -> None:
    """All words of the search must be met, in whatever order."""
    page.get_by_placeholder("Search").fill("stepped float16")
    found = [c.id for c in faulty.cases if "stepped" in c.id and "float16" in c.id]
    assert found
    expect_shown(page, f"{len(found)} of ")
    listed = page.locator("tr.row td:nth-child(2) button").all_inner_texts()
    assert sorted(listed) == sorted(found)


def test_the_cells_of_the_heat_map_lead_to_their_cases(page: Page) -> None:
    """A cell's link shows as many cases as the cell says."""
    cells = page.locator(".heat td a")
    assert cells.count() >= 4
    for cell in cells.all():
        told = re.search(r"of (\d+) kept", cell.get_attribute("title") or "")
        assert told
        cell.click()
        expect_shown(page, f"{told[1]} of ")


def test_a_clause_leads_to_the_cases_behind_it(page: Page, faulty: ResultsDocument) -> None:
    """The number behind a clause leads to as many cases, all of which test it."""
    clause = next(c for c in faulty.clauses if c.clause == "eps-outside")
    row = page.locator("tr[id='clause=aclnnLogitGrad/eps-outside']")
    row.get_by_role("link", name=str(clause.cases), exact=True).click()
    expect_shown(page, f"{clause.cases} of ")


def test_clauses_can_be_filtered(page: Page, faulty: ResultsDocument) -> None:
    """A button leaves the clauses with its verdict."""
    untested = [clause for clause in faulty.clauses if clause.verdict == "untested"]
    page.locator("#clause-filters").get_by_text("untested").click()
    expect(page.locator("tr[data-state]:visible")).to_have_count(len(untested))


def test_a_link_to_a_failing_case(visit: Any, results: Results, faulty: ResultsDocument) -> None:
    """The address of a case opens it, with its clause, elements, pictures and command."""
    name = failing(faulty)[5]
    page = visit.open(results["faulty"] / "report.html", f"#case={quote(name)}")
    case = page.locator(f"details.case[data-key='{name}']")
    expect(case).to_have_attribute("open", "")
    expect(case.locator("summary")).to_be_in_viewport()
    expect(case.get_by_role("img", name=re.compile("wrong elements? of"))).to_be_visible()
    expect(case.locator(".command")).to_contain_text(f"--case {name}")


def test_a_link_to_a_folded_case(visit: Any, results: Results, faulty: ResultsDocument) -> None:
    """A large group is folded behind its first ten cases; a link unfolds it."""
    path = results["faulty"] / "report.html"
    page = visit.open(path)
    fold = page.locator("details.rest").first
    expect(fold).not_to_have_attribute("open", "")
    name = fold.locator("details.case").last.get_attribute("data-key")
    assert name in failing(faulty)
    page = visit.open(path, f"#case={quote(name)}")
    case = page.locator(f"details.case[data-key='{name}']")
    expect(case).to_have_attribute("open", "")
    expect(case.locator("summary")).to_be_in_viewport()


@pytest.mark.parametrize("width", [420, 1000, 1400])
def test_a_long_id_breaks_within_its_column(page: Page, width: int) -> None:
    """Each id of a group begins beside its verdict, however many lines it takes."""
    page.set_viewport_size({"width": width, "height": 900})
    for summary in page.locator(".group > details.case > summary").all():
        chip, name = (summary.locator(each).bounding_box() for each in (".chip", "code"))
        assert chip
        assert name
        assert name["x"] > chip["x"] + chip["width"]
        assert abs(name["y"] - chip["y"]) < chip["height"]
        assert name["x"] + name["width"] <= width


def test_a_link_to_a_passing_case(visit: Any, results: Results, faulty: ResultsDocument) -> None:
    """It is found in the table however far down it stands, and told with its clauses."""
    case = [each for each in faulty.cases if not each.fails][-1]
    page = visit.open(results["faulty"] / "report.html", f"#case={quote(case.id)}")
    opened = page.locator("tr.opened")
    expect(opened).to_have_count(1)
    expect(opened).to_be_in_viewport()
    expect(opened.locator(".links a")).to_have_count(len(case.exercised))


def test_a_link_to_a_clause(visit: Any, results: Results) -> None:
    """The address of a clause shows its row."""
    page = visit.open(results["faulty"] / "report.html", "#clause=aclnnLogitGrad/eps-one")
    expect(page.locator("tr.marked")).to_be_in_viewport()
    expect(page.locator("tr.marked th")).to_have_text("eps-one")


def test_a_link_that_leads_nowhere(visit: Any, results: Results) -> None:
    """A case of another run is searched for, and the page says that it has none."""
    page = visit.open(results["faulty"] / "report.html", "#case=NoSuch.case%")
    expect(page.locator("#count")).to_have_text(re.compile("^0 of "))


def test_keys(page: Page) -> None:
    """Search, walk through the cases, open, close: all without a mouse."""
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("float16")
    page.keyboard.press("Tab")
    page.locator("#search").press("Escape")
    expect(page.locator("#search")).to_have_value("")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("tr.row").first).to_have_class(re.compile("current"))
    page.keyboard.press("Enter")
    expect(page.locator("tr.opened")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("tr.opened")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_walking_past_the_first_rows(page: Page, faulty: ResultsDocument) -> None:
    """Further rows come when one walks to them, and by a button."""
    expect(page.locator("tr.row")).to_have_count(100)
    for _ in range(101):
        page.keyboard.press("j")
    assert page.locator("tr.row").count() > 100
    while page.locator("#more").is_visible():
        page.locator("#more").click()
    expect(page.locator("tr.row")).to_have_count(len(faulty.cases))


def test_columns_can_be_sorted(page: Page) -> None:
    """A click on a head sorts by it, downward first for numbers, and says so."""
    head = page.locator("#heads th", has_text="host, ms")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    times = [float(text) for text in page.locator("tr.row td:last-child").all_inner_texts()]
    assert times == sorted(times, reverse=True)
    errors = page.locator("#accuracy table.sortable").first
    errors.get_by_role("button", name="cases", exact=True).click()
    counts = [int(text) for text in errors.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)


BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize(
    "visit", [{"color_scheme": "dark"}, {"color_scheme": "light"}], indirect=True
)
def test_light_and_dark(visit: Any, results: Results) -> None:
    """The page follows the system, and the key changes that, for the next visit, too."""
    page = visit.open(results["faulty"] / "report.html")
    first = page.evaluate(BACKGROUND)
    page.keyboard.press("t")
    second = page.evaluate(BACKGROUND)
    assert {first, second} == {"rgb(16, 19, 23)", "rgb(247, 247, 245)"}
    page.reload()
    assert page.evaluate(BACKGROUND) == second


CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const [r, g, b, a] = parse(getComputedStyle(element).backgroundColor);
      if (a === undefined || a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const found = [];
  const texts = ".chip, .lead, .place, .of, .status, .what, .counts a, .counts b, thead th, a, "
    + ".fact, .bad-text, .message, figcaption, .evidence li, .heat td > *, footer";
  for (const element of document.querySelectorAll(texts)) {
    if (!element.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${element.className} ${element.textContent.trim()} ${ratio}`);
  }
  return [...new Set(found)].slice(0, 10);
}"""


@pytest.mark.parametrize(
    "visit", [{"color_scheme": "dark"}, {"color_scheme": "light"}], indirect=True
)
def test_texts_can_be_read(visit: Any, both: Path) -> None:
    """Text and background differ as WCAG 2 asks of level AA: by 4.5 to 1."""
    page = visit.open(both)
    page.locator("details.case summary").first.click()
    assert page.evaluate(CONTRAST) == []
    for depth in ("", "d2", "d3", "d4", "d5"):
        page.locator(".heat td").first.evaluate(
            "(cell, depth) => { cell.className = `bad ${depth}`; }", depth
        )
        assert page.evaluate(CONTRAST) == [], depth


@pytest.mark.parametrize("visit", [{"viewport": {"width": 390, "height": 800}}], indirect=True)
def test_a_narrow_screen(visit: Any, both: Path) -> None:
    """Tables scroll within themselves; the page itself never scrolls to the side."""
    page = visit.open(both)
    page.locator("details.case summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script(visit: Any, results: Results, faulty: ResultsDocument) -> None:
    """Verdict, clauses and failing cases can be read; the page says what cannot."""
    page = visit.open(results["faulty"] / "report.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("details.case")).to_have_count(len(failing(faulty)))
    case = page.locator("details.case").first
    case.locator("summary").click()
    expect(case.locator(".samples")).to_be_visible()
    expect(page.locator("tr[data-state]").first).to_be_visible()
    expect(page.get_by_text("needs JavaScript")).to_be_visible()
    expect(page.locator("#explorer")).to_be_hidden()


def test_print(page: Page) -> None:
    """On paper stand clauses and a case of each group, and nothing that one could only click."""
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator("#cases")).to_be_hidden()
    expect(page.locator("details.case .samples").first).to_be_visible()
    printed = page.pdf()
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 40


def test_a_page_of_two_runs(visit: Any, both: Path, faulty: ResultsDocument) -> None:
    """Cases of one run are found by its filter, and those of both have addresses of their own."""
    page = visit.open(both)
    page.get_by_label("run", exact=True).select_option("ascend-950")
    expect_shown(page, f"{len(faulty.cases):,} of {2 * len(faulty.cases):,} cases")
    name = f"atlas-a2/{failing(faulty)[0]}"
    page.goto(f"{both.as_uri()}#case={quote(name)}")
    expect(page.locator(f"details.case[data-key='{name}']")).to_have_attribute("open", "")


@pytest.mark.parametrize("width", [420, 800])
def test_a_certificate_fits(visit: Any, results: Results, tmp_path: Path, width: int) -> None:
    """The certificate is never wider than the window, and says first what it is not."""
    folder = results["faulty"]
    file = write_certificate(
        [read_results(folder)], [folder / "results.json"], None, tmp_path / "c.html", ISSUED
    )
    page: Page = visit.open(file)
    page.set_viewport_size({"width": width, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator("#limits")).to_be_in_viewport()
    expect(page.locator("#limits li").first).to_contain_text("Simulated device")
    page.emulate_media(media="print")
    expect(page.locator("#signature")).to_be_visible()
