# SPDX-License-Identifier: Apache-2.0
"""The dashboard in a real Chromium: a thousand runs, at three widths, by keys, dark and printed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tools.benchmarks.store import night, plan

from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.store.dashboard import write_dashboard
from aclnn_cts.store.folder import open_store
from aclnn_cts.store.recording import recording
from aclnn_cts.store.runs import Selection

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RUNS, OPERATORS = 1000, 2
WIDTHS = (390, 820, 1500)

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a thousand made-up runs of a few cases, the first of which has a report."""
    folder = tmp_path_factory.mktemp("dashboard")
    (folder / "report.html").write_text("<title>the report</title>")
    report = (folder / "report.html").as_uri()
    entries = plan(OPERATORS, 50)
    with open_store(str(folder / "store"), create=True) as store:
        with recording(store) as recorder:
            for number in range(RUNS):
                made: ResultsDocument = night(number, entries, OPERATORS)
                recorder.record(made, recorded=made.started, label="", report=report)
        write_dashboard(store, Selection(), folder / "pages")
    return folder / "pages"


@pytest.fixture
def visit(browser: Browser, pages: Path) -> Iterator[Open]:
    """Return what opens a page; nothing may go wrong on it."""
    troubles: list[str] = []
    opened_pages = []

    def go(name: str, width: int = 1500, **options: Any) -> Page:
        page = browser.new_page(viewport={"width": width, "height": 900}, **options)
        opened_pages.append(page)
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto((pages / name).as_uri())
        return page

    yield go
    for page in opened_pages:
        page.close()
    assert not troubles


def test_size(pages: Path) -> None:
    """A thousand runs take less than 2 MB for each operator."""
    assert sum(path.stat().st_size for path in pages.iterdir()) < 2_000_000 * OPERATORS


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["index.html", "aclnnMade0.html", "aclnnMade0.clause-*.html"])
def test_widths(visit: Open, pages: Path, name: str, width: int) -> None:
    """No page is wider than the window, and each run is there."""
    page = visit(min(pages.glob(name)).name, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if name != "index.html":
        assert page.locator(".strip .run").count() == RUNS


def test_each_point_leads_to_its_report(visit: Open) -> None:
    """A run's letter is a link to its report, and says which run it is."""
    page = visit("aclnnMade0.html")
    first = page.locator(".strip .run").first
    assert ", 2020-01-01 03:00," in (first.get_attribute("aria-label") or "")
    first.click()
    assert page.title() == "the report"


def test_keys(visit: Open) -> None:
    """One stop of the tab key for a strip, arrows within it; / filters, Escape ends that."""
    page = visit("aclnnMade0.html")
    last = page.locator(".strip .run").last
    last.focus()
    page.keyboard.press("ArrowLeft")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert f", {datetime.date(2020, 1, 1) + datetime.timedelta(RUNS - 2)} 03:00," in label
    page.keyboard.press("Home")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert ", 2020-01-01 03:00," in label
    assert page.locator(".strip .run[tabindex='0']").count() == 1
    page.keyboard.press("/")
    page.keyboard.type("clause-3")
    shown = page.locator("table.filtered tbody tr:visible")
    assert {text.split()[0] for text in shown.locator("th").all_inner_texts()} == {
        "clause-3",
        *(f"clause-3{digit}" for digit in range(10)),
    }
    page.keyboard.press("Escape")
    assert shown.count() == 40


def test_failing_only(visit: Open) -> None:
    """The wall can be bound to operators that fail now."""
    page = visit("index.html")
    failing = page.locator("table.filtered tbody tr.failing").count()
    page.get_by_label("failing only").check()
    assert page.locator("table.filtered tbody tr:visible").count() == failing


def test_dark_and_printed(visit: Open) -> None:
    """Dark where the system is; on paper without filters."""
    light, dark = (
        visit("index.html", color_scheme=scheme).evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in ("light", "dark")
    )
    assert light != dark
    page = visit("index.html")
    page.emulate_media(media="print")
    assert not page.locator(".filter").is_visible()
    assert page.locator("table.wall").is_visible()
