# SPDX-License-Identifier: Apache-2.0
"""The page of as many operators as CANN has: what is in sight, how large and how fast it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tools.many_operators import PRODUCTS, STATUS, copies, fill_store

from aclnn_cts.report.page import write_page
from aclnn_cts.report.view import label_runs
from aclnn_cts.results.document import read_results
from aclnn_cts.store.dashboard import write_dashboard
from aclnn_cts.store.folder import open_store
from aclnn_cts.store.runs import Selection

OPERATORS = 700
FAILING = ("aclnnLogitGrad", "aclnnLogitGradV2", "aclnnLogitGradFinalizeRoutingWeightNzV3")
MOST_BYTES = 8_000_000
HIGHEST_ROW = 28
LONGEST_FILTER = 1000
"""Milliseconds on a busy host; a quiet one takes less than 200."""


FILTER_TIME = """([id, text]) => {
  const input = document.getElementById(id);
  const began = performance.now();
  input.value = text;
  input.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
  return performance.now() - began;
}"""


@pytest.fixture(scope="session")
def many(results: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of four products and a baseline; three operators fail on each."""
    document = read_results(results["sound"])
    base = copies(document, OPERATORS, most_cases=40)
    runs = [copies(document, OPERATORS, FAILING, product, 40) for product in PRODUCTS]
    return write_page(label_runs(runs), tmp_path_factory.mktemp("many") / "report.html", base)


@pytest.fixture
def page(visit: Any, many: Path) -> Page:
    opened: Page = visit.open(many)
    return opened


@pytest.fixture(scope="module")
def wall(results: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dashboard of some nights of four products."""
    folder = tmp_path_factory.mktemp("wall")
    fill_store(read_results(results["sound"]), folder / "store", OPERATORS, nights=6)
    with open_store(str(folder / "store")) as store:
        return write_dashboard(store, Selection(), folder / "pages")


@pytest.mark.parametrize("width", [1400, 800, 400])
def test_the_wall(browser: Browser, wall: Path, width: int) -> None:
    """A line per operator; a cell leads to the first night of its present state."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(wall.as_uri())
    assert wall.stat().st_size <= MOST_BYTES
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows = page.locator(".wall tbody tr:not(.total):visible")
    expect(rows).to_have_count(1)
    for text in ("v3", "v30"):
        assert page.evaluate(FILTER_TIME, ["filter", text]) <= LONGEST_FILTER
    expect(rows).to_have_count(11)
    page.locator("#filter").fill("")
    page.locator(".wall .total button").press("Enter")
    expect(rows).to_have_count(OPERATORS)
    heights = page.evaluate("[...document.querySelectorAll('.wall tr')].map(r => r.offsetHeight)")
    assert max(heights) <= HIGHEST_ROW
    page.locator(".wall .cell.bad").first.click()
    focused = page.locator(".strip .run:focus")
    expect(focused).to_have_text("F")
    before = page.locator(".strip .run").filter(has_text=".").first
    expect(before).to_be_visible()
    page.close()


def test_size(many: Path) -> None:
    """Any browser opens it."""
    assert many.stat().st_size <= MOST_BYTES


def test_the_first_screen(page: Page) -> None:
    """Verdict, what is new since the baseline, and the failing operators need no scrolling."""
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.locator(".since")).to_contain_text("NEW is worse than BASE")
    links = page.locator(".failing li a")
    assert set(links.all_inner_texts()) == set(FAILING)
    for shown in (page.locator(".since"), *links.all()):
        expect(shown).to_be_in_viewport(ratio=1)
    links.get_by_text(FAILING[0], exact=True).click()
    group = page.locator(".group", has_text=FAILING[0]).first
    expect(group.locator("h3")).to_be_in_viewport()
    expect(group.locator(".fact").first).to_contain_text(STATUS)


@pytest.mark.parametrize("width", [1400, 800, 400])
def test_the_heat_map(page: Page, width: int) -> None:
    """A line per operator, failing ones alone until a family is unfolded; nothing is cut off."""
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows = page.locator("#heat tbody tr:not(.total):visible")
    assert rows.count() == len(FAILING)
    heads = page.locator("#heat thead th").all_inner_texts()
    assert heads[1:7] == ["all", "refusals", *PRODUCTS]
    heights = page.evaluate("[...document.querySelectorAll('#heat tr')].map(r => r.offsetHeight)")
    assert max(heights) <= HIGHEST_ROW
    button = page.locator("#heat .total button").first
    button.press("Enter")
    expect(rows).to_have_count(OPERATORS)
    heights = page.evaluate("[...document.querySelectorAll('#heat tr')].map(r => r.offsetHeight)")
    assert max(heights) <= HIGHEST_ROW
    box = page.locator(".scroll:has(> .heat)")
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    last = page.locator("#heat thead th").last
    expect(last).to_be_in_viewport(ratio=0.9)
    for link in page.locator(".bar nav a").all():
        expect(link).to_be_in_viewport(ratio=0.9)


def test_finding_operators(page: Page) -> None:
    """By keys alone: `o`, a name, and arrows along the cells, which lead to their cases."""
    page.keyboard.press("o")
    expect(page.locator("#heat-search")).to_be_focused()
    page.keyboard.type("gradv30")
    rows = page.locator("#heat tbody tr:not(.total):visible")
    expect(rows).to_have_count(6)
    page.locator("#heat .total button:visible").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#count")).to_have_text(re.compile("^[0-9]+ of "))
    assert "operator=aclnnLogitGradV30&run=atlas-a2" in page.url
    page.locator("#heat-search").press("Escape")
    expect(rows).to_have_count(len(FAILING))


@pytest.mark.parametrize("search", ["heat-search", "search"])
def test_filters_answer_at_once(page: Page, search: str) -> None:
    """The layout is counted, too."""
    for text in ("v3", "v30", ""):
        assert page.evaluate(FILTER_TIME, [search, text]) <= LONGEST_FILTER


def test_statements_lead_to_their_lists(page: Page) -> None:
    """What was not tested is a number and a link, not a list of names."""
    page.locator(".evidence a", has_text="clauses").click()
    expect(page.locator("#clause-filters button", has_text="untested")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator("#clauses-title")).to_be_in_viewport()
