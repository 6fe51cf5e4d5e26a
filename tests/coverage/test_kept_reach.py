# SPDX-License-Identifier: Apache-2.0
"""What the data of an operator's calls reach is evaluated once, and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.coverage import reached_cases as evaluation
from aclnn_cts.coverage.reached_cases import CoverageQuestion, ReachedCases, reached_cases
from aclnn_cts.golden.inputs import Draw
from aclnn_cts.golden.reach import Reach, reach_of
from aclnn_cts.suite import find_suite


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the ids of the cases that are evaluated; the cache is empty."""
    ids: list[str] = []

    def counted(draw: Draw) -> Reach:
        ids.append(draw.case.id)
        return reach_of(draw)

    monkeypatch.setattr(evaluation, "reach_of", counted)
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path))
    return ids


def ask(*, first: bool = False) -> ReachedCases:
    suite, edition = find_suite(), "current"
    operators, products = ("aclnnHardshrink",), ("atlas-a2", "atlas-a3")
    return reached_cases(CoverageQuestion(suite, edition, operators, products, "smoke", first))


def test_each_call_is_evaluated_once(evaluated: list[str]) -> None:
    """The second answer is the first one, without any evaluation."""
    answer = ask()
    count = len(evaluated)
    assert 0 < count == len(set(evaluated)) <= len(answer["atlas-a2"])
    assert ask() == answer
    assert len(evaluated) == count


@pytest.mark.parametrize("changed", ["code", "spec", "selection", "damage"])
def test_what_is_kept_is_not_taken_for_anything_else(
    evaluated: list[str], changed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Other code, another spec, another selection or a damaged file: evaluated again."""
    answer = ask(first=True)
    count = len(evaluated)
    if changed == "code":
        monkeypatch.setattr(evaluation, "_CODE", "other")
    if changed == "spec":
        parts: Any = {"aclnnHardshrink.yaml": "other"}
        monkeypatch.setattr(evaluation, "parts_of", lambda *_: parts)
    if changed == "damage":
        (kept,) = tmp_path.glob("covering/*.reach")
        kept.write_bytes(kept.read_bytes()[:-1])
    assert (ask(first=changed != "selection") == answer) is (changed != "selection")
    assert len(evaluated) > count
