# SPDX-License-Identifier: Apache-2.0
"""A judgement that is refused leaves none behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.report.judging import REPORT_FILES, judge_folder

RUN = ("--operator", "aclnnLogitGrad", "--simulator")


@pytest.mark.parametrize("name", REPORT_FILES)
def test_a_refused_judgement_withdraws_the_earlier_one(tmp_path: Path, name: str) -> None:
    """A nightly job that publishes what lies there must not publish yesterday's green."""
    (tmp_path / "run.json").write_text('{"format": "aclnn-cts/run/3", "cut off')
    (tmp_path / name).write_text("all passed")
    with pytest.raises(NotTrustworthyError, match="is damaged"):
        judge_folder(tmp_path)
    assert not (tmp_path / name).exists()


def test_somebody_elses_files_are_left_alone(tmp_path: Path) -> None:
    """In a folder that is none of ours nothing is removed."""
    (tmp_path / "results.json").write_text("mine")
    with pytest.raises(WrongInputError, match="is no results folder"):
        judge_folder(tmp_path)
    assert (tmp_path / "results.json").read_text() == "mine"


@pytest.mark.parametrize("options", [[], ["--standard", "strict"]])
def test_the_command_withdraws_it_too(tmp_path: Path, options: list[str]) -> None:
    """Whether the gate is named or the run's own: the command leaves no earlier judgement."""
    (tmp_path / "run.json").write_text('{"format": "aclnn-cts/run/3", "cut off')
    (tmp_path / "results.json").write_text("all passed")
    done = CliRunner().invoke(app, ["judge", str(tmp_path), *options])
    assert done.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert not (tmp_path / "results.json").exists()


@pytest.mark.parametrize(
    "options",
    [["--resume"], ["--devices", "x"], ["--waivers", "none.yaml"], ["--simulator", "--cann", "."]],
)
def test_a_run_that_never_begins_withdraws_it(tmp_path: Path, options: list[str]) -> None:
    """A run into a folder that is refused leaves the earlier run there, but no judgement of it."""
    (tmp_path / "run.json").write_text('{"format": "aclnn-cts/run/3", "cut off')
    for name in REPORT_FILES:
        (tmp_path / name).write_text("all passed")
    done = CliRunner().invoke(app, ["run", "--results", str(tmp_path), *options])
    assert done.exit_code in (ExitCode.WRONG_INPUT, ExitCode.NOT_TRUSTWORTHY)
    assert [item.name for item in tmp_path.iterdir() if item.name != ".lock"] == ["run.json"]


def test_a_run_that_cannot_be_built_withdraws_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does one without a compiler, in the folder that it has by default."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CXX", "/bin/false")
    folder = tmp_path / "results" / "atlas-a2-smoke"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text('{"format": "aclnn-cts/run/3", "cut off')
    (folder / "junit.xml").write_text("all passed")
    done = CliRunner().invoke(app, ["run", *RUN])
    assert done.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert [item.name for item in folder.iterdir() if item.name != ".lock"] == ["run.json"]


def test_somebody_elses_files_are_left_alone_by_a_run(tmp_path: Path) -> None:
    """A run withdraws nothing in a folder that is none of ours."""
    (tmp_path / "results.json").write_text("mine")
    done = CliRunner().invoke(app, ["run", *RUN, "--results", str(tmp_path)])
    assert done.exit_code == ExitCode.WRONG_INPUT
    assert (tmp_path / "results.json").read_text() == "mine"
