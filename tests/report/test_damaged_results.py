# SPDX-License-Identifier: Apache-2.0
"""A results.json that was damaged, edited or written by another version is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.library_words import LIBRARY_WORDS
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.report.results import CaseEntry, ResultsDocument, read_results, write_document

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
    """A part of a file is not results, wherever it ends; nothing is written from it."""
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


Data = dict[str, Any]


def twice(data: Data) -> None:
    data["cases"].append({**data["cases"][0], "verdict": "crash"})


def lost(data: Data) -> None:
    data["cases"].pop()


def recounted(data: Data) -> None:
    data["totals"].update({"pass": 0, "fail": 2})


def unlisted_waiver(data: Data) -> None:
    data["cases"][0].update(verdict="fail", waiver="nosuch")
    data["totals"].update({"pass": 0, "waived": 1})


def waived_missing(data: Data) -> None:
    unlisted_waiver(data)
    data["cases"][0]["verdict"] = "missing"


def endless(data: Data) -> None:
    data["cases"][0]["device_microseconds"] = ["Infinity", 1.0]


def no_number(data: Data) -> None:
    data["cases"][0]["standards"]["strict"]["worst_ulp"] = "NaN"


def too_many(data: Data) -> None:
    data["cases"][0]["standards"]["strict"]["compared"] = 10**400


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (twice, "the case a appears 2 times"),
        (lost, "it counts 1 cases as fail, and holds 0"),
        (recounted, "it counts 2 cases as fail, and holds 1"),
        (unlisted_waiver, "a is waived by nosuch, which it does not list"),
        (waived_missing, "a is waived by nosuch"),
        (endless, "a has an impossible time"),
        (no_number, "the figures of a by the standard strict"),
        (too_many, "the figures of a by the standard strict"),
    ],
)
def test_what_cannot_be_so_is_refused(
    tmp_path: Path,
    results_document: Any,
    entry: Any,
    figures: Any,
    edit: Callable[[Data], None],
    says: str,
) -> None:
    """The sentence names what contradicts, and how to write the file anew."""
    cases = (entry("a", standards={"strict": figures()}), entry("b", "fail"))
    file = write_document(results_document(cases=cases), tmp_path)
    read_results(tmp_path)
    data = json.loads(file.read_text())
    edit(data)
    file.write_text(json.dumps(data))
    with pytest.raises(NotTrustworthyError, match=says) as refused:
        read_results(tmp_path)
    assert f"`aclnn-cts judge {tmp_path}`" in str(refused.value)


def test_an_older_format_is_named(
    results_document: Callable[..., ResultsDocument], tmp_path: Path
) -> None:
    """The sentence names the format and the command that writes the file anew."""
    path = write_document(results_document(), tmp_path)
    path.write_text(path.read_text().replace("aclnn-cts/results/", "aclnn-cts/results/0"))
    with pytest.raises(NotTrustworthyError, match=r"in the format 'aclnn-cts/results/0") as error:
        read_results(tmp_path)
    assert f"aclnn-cts judge {tmp_path}" in str(error.value)
    assert "damaged" not in str(error.value)
