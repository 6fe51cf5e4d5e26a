# SPDX-License-Identifier: Apache-2.0
"""Exploration of devices: what is found is small and can be repeated."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from aclnn_cts.cli import app
from aclnn_cts.cli.explore import Exploration, parse_duration
from aclnn_cts.errors import ExitCode, WrongInputError
from aclnn_cts.judging import Report
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

FAULT = "sum-tail-skipped.aclnnSoftmax.result"


def explore(results: Path, *options: str) -> Result:
    arguments = ["run", "--explore", "--operator", "aclnnSoftmax", "--results", str(results)]
    return CliRunner().invoke(app, [*arguments, "--for", "1s", "--seed", "3", *options])


def test_a_right_device(tmp_path: Path) -> None:
    ended = explore(tmp_path / "explored", "--simulator")
    assert ended.exit_code == ExitCode.PASSED, ended.output
    assert "0 findings" in ended.output


def test_a_finding_is_small_and_can_be_repeated(tmp_path: Path) -> None:
    """The list and the command run it again; a scene for the spec is drafted."""
    results = tmp_path / "explored"
    ended = explore(results, "--fault", FAULT)
    assert ended.exit_code == ExitCode.BROKEN_PROMISE, ended.output
    found = results / "found.yaml"
    assert f"--calls {found}" in ended.output.replace(" \\\n    ", " ")
    (call, *_) = yaml.safe_load(found.read_text())["calls"]
    (tensor,) = call["tensors"].values()
    elements = 1
    for extent in tensor["shape"]:
        elements *= extent
    assert elements < 100
    (scene, *_) = yaml.safe_load((results / "scenes.yaml").read_text())["aclnnSoftmax"]
    assert scene["shapes"] == {"self": tensor["shape"]}
    options = ["--calls", str(found), "--results", str(tmp_path / "again")]
    faulty = CliRunner().invoke(app, ["run", *options, "--fault", FAULT])
    assert faulty.exit_code == ExitCode.BROKEN_PROMISE
    right = CliRunner().invoke(app, ["run", *options, "--simulator"])
    assert right.exit_code == ExitCode.PASSED


@pytest.mark.parametrize(
    "options", [["--tier", "smoke"], ["--case", "x"], ["--for", "3"], ["--for", "-1m"]]
)
def test_options_that_do_not_fit(tmp_path: Path, options: list[str]) -> None:
    ended = explore(tmp_path / "explored", "--simulator", *options)
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert not (tmp_path / "explored").exists()


@pytest.mark.parametrize("options", [["--seed", "3"], ["--for", "3m"]])
def test_options_of_exploration_alone(tmp_path: Path, options: list[str]) -> None:
    ended = CliRunner().invoke(app, ["run", "--results", str(tmp_path / "results"), *options])
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert f"{options[0]} needs --explore" in ended.output


@pytest.mark.parametrize(
    ("totals", "problems", "code"),
    [
        ({"planned": 9, "pass": 8, "untrusted": 1}, [], ExitCode.PASSED),
        ({"planned": 9, "untrusted": 9}, [], ExitCode.NOT_TRUSTWORTHY),
        ({"planned": 9, "pass": 8, "missing": 1}, [], ExitCode.NOT_TRUSTWORTHY),
        ({"planned": 9, "pass": 9}, ["a device was lost"], ExitCode.NOT_TRUSTWORTHY),
        ({"planned": 9, "pass": 8, "flaky": 1}, [], ExitCode.BROKEN_PROMISE),
    ],
)
def test_what_was_not_checked_is_no_pass(
    tmp_path: Path, specs: SpecSet, totals: dict[str, int], problems: list[str], code: ExitCode
) -> None:
    """A call that cannot fail is drawn for nothing; one without a record is no evidence."""

    def nothing(calls: Path, results: Path) -> Report:
        raise AssertionError((calls, results))

    exploration = Exploration(find_suite(), specs, "atlas-a2", [], nothing, tmp_path)
    exploration.totals.update(totals)
    exploration.problems.extend(problems)
    assert exploration.exit_code is code


def test_an_existing_folder_is_kept(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("kept")
    assert explore(tmp_path, "--simulator").exit_code == ExitCode.WRONG_INPUT
    assert (tmp_path / "notes.txt").read_text() == "kept"


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1800), ("1.5h", 5400)])
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds
    with pytest.raises(WrongInputError, match="30m"):
        parse_duration(f"{text}x")
