# SPDX-License-Identifier: Apache-2.0
"""The page in a real Chromium: runs where ``tox -e browser`` has seen to one.

The pages are those of real runs on the simulated device: one that is faulty, and one that is not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.processes import ended

from aclnn_cts.report.page import write_page
from aclnn_cts.report.view import label_runs
from aclnn_cts.results.document import ResultsDocument, read_results

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

collect_ignore_glob = [] if "ACLNN_CTS_BROWSER" in os.environ else ["test_*.py"]

_COMMAND = "from aclnn_cts.entry import main; main()"
_RUNS = {
    "faulty": ("--fault", "tail-not-written.aclnnLogitGrad.out"),
    "sound": ("--product", "ascend-950"),
}


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The results folders of two real runs."""
    root = tmp_path_factory.mktemp("runs")
    for name, options in _RUNS.items():
        command = ["run", "--operator", "aclnnLogitGrad", "--results", str(root / name), *options]
        done = ended([sys.executable, "-c", _COMMAND, *command])
        assert (root / name / "report.html").is_file(), done.stdout + done.stderr
    return {name: root / name for name in _RUNS}


@pytest.fixture(scope="session")
def faulty(results: dict[str, Path]) -> ResultsDocument:
    """What is known about the faulty run."""
    return read_results(results["faulty"])


@pytest.fixture(scope="session")
def both(results: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of both runs."""
    documents = [read_results(folder) for folder in results.values()]
    return write_page(label_runs(documents), tmp_path_factory.mktemp("pages") / "both.html")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium; it is an error if none can be started."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only tox -e browser has it
    from tests.browser.chromium import OPTIONS, find  # noqa: PLC0415 - needs Playwright, too

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find(), args=list(OPTIONS))
        yield started
        started.close()


@dataclass
class Visit:
    """A visit to a page, with what went wrong on it.

    Attributes:
        page: The page.
        troubles: What the console said, errors of the script, and requests besides the page's own.
    """

    page: Page
    troubles: list[str] = field(default_factory=list)

    def open(self, path: Path, fragment: str = "") -> Page:
        """Open a file, at a fragment."""
        address = path.as_uri()
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self._requested(request.url, address))
        self.page.goto(address + fragment)
        return self.page

    def _requested(self, url: str, address: str) -> None:
        if url.partition("#")[0] != address:
            self.troubles.append(f"requests {url}")


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A fresh visit; a test may ask for options of its context by a marker's parameter."""
    options: dict[str, Any] = getattr(request, "param", {})
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    made = Visit(context.new_page())
    yield made
    context.close()
    assert made.troubles == []
