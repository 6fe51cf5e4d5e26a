# SPDX-License-Identifier: Apache-2.0
"""One file of waivers, held against runs of two editions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    ResultsDocument,
    write_document,
)

WAIVER = """\
waivers:
  - id: rank-of-out
    operator: aclnnLogitGrad
    clauses: [{clause}]
    failure: [value]
    max_ulp: .inf
    reason: the operator takes any rank
    link: https://example.org/1
    owner: Ada
    expires: 2099-12-31
"""


@pytest.fixture
def runs(
    entry: Callable[..., CaseEntry],
    results_document: Callable[..., ResultsDocument],
    tmp_path: Path,
) -> list[str]:
    """An earlier edition's run that passes, and a current one that breaks what came since."""
    failing = entry("c", "fail", broken=("out-rank",))
    made = {"earlier": (entry("c"), entry("d")), "current": (failing, entry("d"))}
    for edition, cases in made.items():
        (tmp_path / edition).mkdir()
        told = results_document(cases=cases).model_copy(update={"edition": edition})
        write_document(told, tmp_path / edition)
    return [str(tmp_path / edition) for edition in made]


def compared(runs: list[str], tmp_path: Path, clause: str) -> Any:
    waivers = tmp_path / "waivers.yaml"
    waivers.write_text(WAIVER.format(clause=clause), encoding="utf-8")
    options = ["--waivers", str(waivers), "--format", "json"]
    return CliRunner().invoke(app, ["compare", *runs, *options])


@pytest.mark.parametrize("turned", [False, True])
def test_a_clause_of_one_edition_may_be_waived(
    runs: list[str], tmp_path: Path, *, turned: bool
) -> None:
    """`out-rank` came with the current edition: its waiver holds there, and nowhere else."""
    done = compared(runs[::-1] if turned else runs, tmp_path, "out-rank")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["format"].startswith("aclnn-cts/")


def test_a_clause_of_neither_edition_is_a_mistake(runs: list[str], tmp_path: Path) -> None:
    """It names file and line, and offers the nearest clause that either edition has."""
    done = compared(runs, tmp_path, "out-ranc")
    assert done.exit_code == 2
    assert "waivers.yaml:4: unknown clause 'out-ranc'; did you mean 'out-rank'" in done.output
