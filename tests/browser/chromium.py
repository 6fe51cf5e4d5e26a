# SPDX-License-Identifier: Apache-2.0
"""Finding a Chromium for the tests, or having Playwright fetch one.

Usage: python chromium.py. It does nothing if there is one already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

VARIABLE = "ACLNN_CTS_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

OPTIONS = (
    "--no-sandbox",  # containers run as root, and have no user namespaces
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find() -> Path | None:
    """Return the executable that the variable names, the system's, or Playwright's own."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named)
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.is_file() else None


def prepare() -> None:
    """Have Playwright fetch its Chromium if there is no other."""
    if find() is not None:
        return
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, check=False).returncode != 0 or find() is None:
        raise SystemExit(
            f"there is no Chromium, and none could be fetched; install one (apt-get install "
            f"chromium) or name its executable in {VARIABLE}"
        )


if __name__ == "__main__":
    prepare()
