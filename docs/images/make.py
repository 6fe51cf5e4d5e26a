# SPDX-License-Identifier: Apache-2.0
"""Make the README's pictures of the report page anew, from real runs on the simulated device.

Usage: PYTHONPATH=. python docs/images/make.py [FOLDER], with the suite, Playwright and Pillow
installed. Runs that FOLDER holds already are not made again; a smoke tier takes some minutes.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright
from tests.browser.chromium import OPTIONS, find

HERE = Path(__file__).parent
COMMAND = (sys.executable, "-c", "from aclnn_cts.entry import main; main()")
SIZE = ViewportSize(width=1180, height=1010)
LARGEST = 100_000
"""Bytes of a picture; readers of the README wait for it."""

RUNS = {
    "atlas-a2": ("--product", "atlas-a2"),
    "atlas-a2-faulty": ("--product", "atlas-a2", "--fault", "logit-out-rows-packed"),
}


def make_page(folder: Path) -> Path:
    """Run the smoke tier on each device, and return the page of all runs."""
    for name, options in RUNS.items():
        if (folder / name / "results.json").is_file():
            continue
        command = [*COMMAND, "run", "--simulator", *options, "--results", str(folder / name)]
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        if done.returncode != ("--fault" in options):
            sys.exit(f"the run {name} ended with exit status {done.returncode}")
    output = folder / "all.html"
    folders = [str(folder / name) for name in RUNS]
    command = [*COMMAND, "report", *folders, "--output", str(output)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return output


def take(page: Page, name: str) -> None:
    """Write what is in sight into a file."""
    path = HERE / f"report-{name}.png"
    Image.open(io.BytesIO(page.screenshot())).quantize(256).save(path, optimize=True)
    size = path.stat().st_size
    if size > LARGEST:
        sys.exit(f"{path} has {size} bytes, more than {LARGEST}")


def main() -> None:
    """Make both pictures."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = sys.argv[1] if len(sys.argv) > 1 else scratch
        browser = playwright.chromium.launch(executable_path=find(), args=list(OPTIONS))
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(make_page(Path(folder)).as_uri())
        take(page, "overview")
        failures = page.locator("#failures")
        failures.locator("details").first.evaluate("details => { details.open = true; }")
        failures.evaluate("section => section.scrollIntoView()")
        take(page, "failures")
        browser.close()


if __name__ == "__main__":
    main()
