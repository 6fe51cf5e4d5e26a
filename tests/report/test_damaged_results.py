# SPDX-License-Identifier: Apache-2.0
"""A results file that was damaged: whoever reads it ends with a sentence and status 3."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.library_words import LIBRARY_WORDS
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.errors import ExitCode
from aclnn_cts.report.results import CaseEntry, ResultsDocument, write_document

READERS = {
    "report": ("report", "damaged", "--output", "page.html"),
    "baseline": ("report", "whole", "--baseline", "damaged", "--output", "page.html"),
    "compare": ("compare", "whole", "damaged"),
    "compared": ("compare", "damaged", "whole"),
    "explain": ("explain", "aclnnLogitGrad/formula", "--results", "damaged"),
}
WRONG: list[tuple[tuple[str | int, ...], Any]] = [
    ((), []),
    ((), None),
    (("suite",), "0.1.0"),
    (("device", "product"), 5),
    (("environment",), []),
    (("started",), 20260101),
    (("totals",), []),
    (("totals", "planned"), "many"),
    (("cases",), {}),
    (("cases", 0), "LogitGrad"),
    (("cases", 0, "verdict"), "passed"),
    (("cases", 0, "broken"), "formula"),
    (("cases", 0, "seconds"), "fast"),
    (("cases", 0, "id"), None),
    (("clauses",), 1),
]


@pytest.fixture
def folder(
    results_document: Callable[..., ResultsDocument],
    entry: Callable[..., CaseEntry],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """A folder with the results of a run, twice."""
    for name in ("whole", "damaged"):
        (tmp_path / name).mkdir()
        write_document(results_document(cases=(entry("a", "fail"),)), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(reader: str) -> str:
    """Run a command that must refuse what it reads, and return what it says."""
    result = CliRunner().invoke(cli.app, READERS[reader])
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY, result.output
    assert "Traceback" not in result.output
    assert "results.json: is damaged" in result.output
    assert "run `aclnn-cts judge damaged` again" in result.output
    assert not LIBRARY_WORDS.search(result.output), result.output
    return result.output


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("tenths", range(10))
def test_cut_off(folder: Path, reader: str, tenths: int) -> None:
    """A part of a file is no results, wherever it ends; nothing is written from it."""
    file = folder / "damaged" / "results.json"
    content = file.read_bytes().rstrip()
    file.write_bytes(content[: len(content) * tenths // 10])
    refused(reader)
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("place", "value"), WRONG, ids=str)
def test_another_type(folder: Path, reader: str, place: tuple[str | int, ...], value: Any) -> None:
    """A field that holds something else is named, as far as a whole file is one."""
    file = folder / "damaged" / "results.json"
    file.write_text(json.dumps(_changed(json.loads(file.read_text()), place, value)))
    assert ".".join(map(str, place)) in refused(reader)


def _changed(whole: Any, place: tuple[str | int, ...], value: Any) -> Any:
    if not place:
        return value
    inner = _changed(whole[place[0]], place[1:], value)
    if isinstance(whole, list):
        return [inner if number == place[0] else each for number, each in enumerate(whole)]
    return {**whole, place[0]: inner}
