# SPDX-License-Identifier: Apache-2.0
"""Allure results: each case once, with the outcome, steps and attachments that Allure shows."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.allure import ENVIRONMENT, require_allure, write_allure
from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.results import ResultsDocument, WaiverOutcome

pytest.importorskip("allure_commons", reason="aclnn-cts[allure] is not installed")

WAIVER = WaiverOutcome("known", "waives", ("w",), "", "a reason", "a link", "who", "2027-01-01")
SAMPLE = Sample("out", (3,), (("x", float("nan")),), "0", float("inf"), float("inf"), 0.5)


@pytest.fixture
def document(
    entry: Callable[..., CaseEntry], results_document: Callable[..., ResultsDocument]
) -> ResultsDocument:
    """A run with every verdict and a waived failure."""
    cases = [
        entry(verdict.value, verdict.value)
        for verdict in Verdict
        if verdict not in (Verdict.FAIL, Verdict.PASS)
    ]
    failed = {"broken": ("formula",), "exercised": ("x-dtype", "formula"), "samples": (SAMPLE,)}
    cases += [entry("fail", "fail", story="FAIL é", message="1 wrong", **failed)]
    cases += [entry("w", "fail", waiver="known"), entry("pass", story="", seconds=1.5)]
    return results_document(cases=tuple(cases), waivers=(WAIVER,))


def written(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the results of a folder by the case's id."""
    found = [json.loads(path.read_text("utf-8")) for path in folder.glob("*-result.json")]
    return {each["name"]: each for each in found}


def test_each_verdict_has_its_outcome(document: ResultsDocument, tmp_path: Path) -> None:
    """Failed is the device's fault; what proves nothing is broken, and never a pass."""
    write_allure(document, tmp_path, tmp_path / "allure")
    assert {name: each["status"] for name, each in written(tmp_path / "allure").items()} == {
        "pass": "passed",
        "contested-only": "passed",
        "fail": "failed",
        "flaky": "failed",
        "crash": "broken",
        "timeout": "broken",
        "missing": "broken",
        "untrusted": "broken",
        "unenforced": "skipped",
        "w": "skipped",
    }
    enforced = document.model_copy(update={"enforce": True})
    write_allure(enforced, tmp_path, tmp_path / "enforced")
    assert written(tmp_path / "enforced")["unenforced"]["status"] == "failed"


def test_a_failure_has_steps_and_attachments(document: ResultsDocument, tmp_path: Path) -> None:
    """The clauses that it tests, the message, the command that repeats it, the wrong elements."""
    write_allure(document, tmp_path / "run", tmp_path)
    failed = written(tmp_path)["fail"]
    assert failed["statusDetails"]["trace"] == "FAIL é"
    steps = {step["name"].partition(":")[0]: step["status"] for step in failed["steps"]}
    assert (steps["formula"], steps["x-dtype"]) == ("failed", "passed")
    held = {
        each["name"]: (tmp_path / each["source"]).read_text("utf-8")
        for each in failed["attachments"]
    }
    assert held["message"] == "FAIL é"
    assert "aclnn-cts run --product atlas-a2" in held["commands"]
    assert f"aclnn-cts repro fail --results {tmp_path / 'run'}" in held["commands"]
    assert json.loads(held["samples"])["samples"][0]["output"] == "out"
    assert "attachments" not in written(tmp_path)["pass"]


def test_a_case_is_known_again_in_the_next_run(document: ResultsDocument, tmp_path: Path) -> None:
    """Its identity is that of product, edition and id; no file takes the place of another one."""
    for folder in ("one", "two"):
        write_allure(document, tmp_path, tmp_path / folder)
    one, two = written(tmp_path / "one"), written(tmp_path / "two")
    assert {name: each["historyId"] for name, each in one.items()} == {
        name: each["historyId"] for name, each in two.items()
    }
    assert len({each["historyId"] for each in one.values()}) == len(one)
    assert {each["uuid"] for each in one.values()}.isdisjoint(each["uuid"] for each in two.values())
    assert one["pass"]["stop"] - one["pass"]["start"] == 1500
    assert "product=atlas-a2\n" in (tmp_path / "one" / ENVIRONMENT).read_text("utf-8")


def test_a_folder_that_cannot_be(document: ResultsDocument, tmp_path: Path) -> None:
    """A file in its place is the user's mistake."""
    (tmp_path / "file").touch()
    with pytest.raises((WrongInputError, NotTrustworthyError), match="file"):
        write_allure(document, tmp_path, tmp_path / "file")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the extra, before anything is run."""
    monkeypatch.setitem(sys.modules, "allure_commons", None)
    with pytest.raises(WrongInputError, match=r"aclnn-cts\[allure\]"):
        require_allure()
