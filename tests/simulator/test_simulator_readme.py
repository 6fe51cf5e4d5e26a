# SPDX-License-Identifier: Apache-2.0
"""The simulator's README lists every sentence that the code can say."""

from __future__ import annotations

import re
from pathlib import Path

SIMULATOR = Path(__file__).parents[2] / "simulator"


def sentences_in_code() -> set[str]:
    """The first argument of each call of Misuse, its pieces joined."""
    found = set()
    for source in SIMULATOR.rglob("*.cpp"):
        for pieces in re.findall(r'\bMisuse\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', source.read_text()):
            found.add("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', pieces)))
    return found


def test_readme_lists_the_sentences() -> None:
    """Each sentence stands in the README exactly, and none that the code does not say."""
    listed = set(
        re.findall(r"^- `simulator: (.*)`$", (SIMULATOR / "README.md").read_text(), re.MULTILINE)
    )
    # The fault handler must not allocate, so it puts its sentence together by hand.
    by_hand = {s for s in listed if s.startswith("host code touched device memory at {}; ")}
    assert len(by_hand) == 1
    assert listed - by_hand == sentences_in_code()
