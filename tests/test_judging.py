# SPDX-License-Identifier: Apache-2.0
"""A judgement that is refused leaves none behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.pytest_sessions import WAIVERS
from typer.testing import CliRunner

from aclnn_cts import __version__
from aclnn_cts.cli import app
from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.judge.judge_run import Judging
from aclnn_cts.judging import JudgingRequest, judge_folder, publish
from aclnn_cts.run.folder_lock import REPORT_FILES
from aclnn_cts.spec.loading import load_specs, specs_digest

RUN = ("--operator", "aclnnLogitGrad", "--simulator")


@pytest.mark.parametrize("name", REPORT_FILES)
def test_a_refused_judgement_withdraws_the_earlier_one(tmp_path: Path, name: str) -> None:
    """A nightly job that publishes what lies there must not publish yesterday's green."""
    (tmp_path / "run.json").write_text('{"format": "aclnn-cts/run/5", "cut off')
    (tmp_path / name).write_text("all passed")
    with pytest.raises(NotTrustworthyError, match="is damaged"):
        judge_folder(tmp_path)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("waivers", ["none.yaml", "wrong.yaml", "unknown.yaml"])
def test_a_typo_spares_what_was_judged(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waivers: str
) -> None:
    """Waivers that are wrong, or not there, cost nobody their results."""
    monkeypatch.setenv("ACLNN_CTS_SUITE", str(bench.suite.root))
    bench.program(bench.kept(bench.case("a", [0.5], [1.0])))
    made = replace(bench.run(), suite_version=__version__, specs_sha256=specs_digest(bench.suite))
    made.save()
    (tmp_path / "wrong.yaml").write_text("waivers: [{id: known}]")
    (tmp_path / "unknown.yaml").write_text(WAIVERS.replace("aclnnLogitGrad", "aclnnNone"))
    for name in REPORT_FILES:
        (made.path / name).write_text("judged earlier")
    with pytest.raises(WrongInputError, match=waivers):
        judge_folder(made.path, JudgingRequest(waivers=tmp_path / waivers))
    assert all((made.path / name).exists() for name in REPORT_FILES)


def test_somebody_elses_files_are_left_alone(tmp_path: Path) -> None:
    """In a folder that is none of ours nothing is removed."""
    (tmp_path / "results.json").write_text("mine")
    with pytest.raises(WrongInputError, match="is not a results folder"):
        judge_folder(tmp_path)
    assert (tmp_path / "results.json").read_text() == "mine"


@pytest.mark.parametrize("options", [[], ["--standard", "strict"]])
def test_the_command_withdraws_it_too(tmp_path: Path, options: list[str]) -> None:
    """Whether the gate is named or the run's own: the command leaves no earlier judgement."""
    (tmp_path / "run.json").write_text('{"format": "aclnn-cts/run/5", "cut off')
    (tmp_path / "results.json").write_text("all passed")
    done = CliRunner().invoke(app, ["judge", str(tmp_path), *options])
    assert done.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert not (tmp_path / "results.json").exists()


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The results folder of a run that was judged, and a host without a compiler."""
    monkeypatch.setenv("CXX", "/bin/false")
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "run.json").write_text('{"format": "aclnn-cts/run/5", "cut off')
    for name in REPORT_FILES:
        (folder / name).write_text("all passed")
    return folder


def left_in(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()} - {".lock"}


@pytest.mark.parametrize(
    "options",
    [
        ("--devices", "x"),
        ("--devices", "0,0"),
        ("--waivers", "none.yaml"),
        ("--simulator", "--cann", "."),
        ("--fault", "logit-upper-bound-excluded", "--sanitize"),
        ("--fault", "no-such-fault"),
        ("--edition", "erlier"),
        ("--standard", "strikt"),
        ("--tier", "smok"),
        ("--product", "atlas-a9"),
        ("--operator", "aclnnLogitGard"),
        ("--operator", "aclnnLogitGrad", "--case", "LogitGrad.x"),
        ("--case", "LogitGrad.no.such.case"),
        ("--resume", "--tier", "smoke"),
        ("--resume", "--devices", "x"),
    ],
)
def test_a_typo_spares_it(judged: Path, options: tuple[str, ...]) -> None:
    """Where the words of the command are refused, nothing was run, and what is known stays."""
    done = CliRunner().invoke(app, ["run", "--results", str(judged), *options])
    assert done.exit_code == ExitCode.WRONG_INPUT, done.output
    assert left_in(judged) == {"run.json", *REPORT_FILES}


@pytest.mark.parametrize(
    "command",
    [
        ["run", "--results"],
        ["run", "--resume", "--results"],
        ["judge"],
        ["judge", "{}/outputs.tar.gz", "--results"],
    ],
    ids=["run", "resume", "judge", "kit"],
)
@pytest.mark.parametrize("text", ["waivers: [", WAIVERS.replace("owner", "owned-by")])
def test_wrong_waivers_spare_it(
    judged: Path, tmp_path: Path, command: list[str], text: str
) -> None:
    """They are refused before anything else is looked at, built or run."""
    (tmp_path / "waivers.yaml").write_text(text)
    (tmp_path / "outputs.tar.gz").write_bytes(b"cut off")
    options = [*(each.format(tmp_path) for each in command), str(judged)]
    done = CliRunner().invoke(app, [*options, "--waivers", str(tmp_path / "waivers.yaml")])
    assert done.exit_code == ExitCode.WRONG_INPUT
    assert "waivers.yaml" in done.output
    assert left_in(judged) == {"run.json", *REPORT_FILES}


@pytest.mark.parametrize("content", ["", '{\n "format": "aclnn-cts/run/5"}', None])
def test_a_folder_is_known_by_its_lock(judged: Path, content: str | None) -> None:
    """A run.json that is damaged or gone does not make its judgement somebody else's."""
    (judged / ".lock").write_text("the lock of an aclnn-cts results folder\n")
    (judged / "run.json").unlink()
    if content is not None:
        (judged / "run.json").write_text(content)
    done = CliRunner().invoke(app, ["run", *RUN, "--results", str(judged)])
    assert done.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert left_in(judged) <= {"run.json"}


def test_it_is_withdrawn_before_planning(judged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planning may take minutes, and kill -9 leaves no time to withdraw anything."""
    left: list[set[str]] = []

    def killed(*_: object) -> None:
        left.append(left_in(judged))
        raise NotTrustworthyError("killed")

    monkeypatch.setattr("aclnn_cts.cli.options.plan", killed)
    CliRunner().invoke(app, ["run", *RUN, "--results", str(judged)])
    assert left == [{"run.json"}]


def test_refused_outputs_of_a_kit_withdraw_it(judged: Path, tmp_path: Path) -> None:
    """The folder that was to hold tonight's kit does not speak of last night's."""
    (tmp_path / "outputs.tar.gz").write_bytes(b"cut off")
    command = ["judge", str(tmp_path / "outputs.tar.gz"), "--results", str(judged)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code != ExitCode.PASSED
    assert left_in(judged) == {"run.json"}


def test_a_kit_that_does_not_exist_spares_it(judged: Path, tmp_path: Path) -> None:
    """A typo in --kit is one as in --waivers."""
    (tmp_path / "outputs.tar.gz").write_bytes(b"cut off")
    command = ["judge", str(tmp_path / "outputs.tar.gz"), "--results", str(judged)]
    done = CliRunner().invoke(app, [*command, "--kit", "none.tar.gz"])
    assert done.exit_code == ExitCode.WRONG_INPUT
    assert left_in(judged) == {"run.json", *REPORT_FILES}


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (["--resume"], {}),
        (["--simulator"], {}),
        (["--simulator", "--devices", "0"], {}),
        (["--cann", "/no/such/toolkit"], {}),
        ([], {"ASCEND_HOME_PATH": "/no/such/toolkit"}),
    ],
)
def test_a_run_that_never_begins_withdraws_it(
    judged: Path, options: list[str], variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that is damaged, a compiler or toolkit that is gone: the run stays, unjudged."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    command = ["run", "--operator", "aclnnLogitGrad", "--results", str(judged), *options]
    if "--resume" in options:
        command = ["run", "--results", str(judged), *options]
    done = CliRunner().invoke(app, command)
    assert done.exit_code in (ExitCode.WRONG_INPUT, ExitCode.NOT_TRUSTWORTHY), done.output
    assert left_in(judged) == {"run.json"}


def test_an_interrupt_withdraws_it(judged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build server that ends a run while it still plans must not publish yesterday's green."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("aclnn_cts.spec.loading._files", interrupted)
    load_specs.cache_clear()
    done = CliRunner().invoke(app, ["run", "--results", str(judged), "--simulator"])
    assert done.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert left_in(judged) == {"run.json"}


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (["--simulator"], {}),
        (["--simulator", "--devices", "0"], {}),
        (["--product", "atlas-a2"], {"ASCEND_HOME_PATH": "/no/such/toolkit"}),
    ],
)
def test_a_run_that_cannot_begin_withdraws_it_by_default(
    tmp_path: Path, options: list[str], variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does one without a compiler or a toolkit, in the folder that it has by default."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CXX", "/bin/false")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "results" / "atlas-a2-smoke"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text('{"format": "aclnn-cts/run/5", "cut off')
    (folder / "junit.xml").write_text("all passed")
    done = CliRunner().invoke(app, ["run", "--operator", "aclnnLogitGrad", *options])
    assert done.exit_code in (ExitCode.WRONG_INPUT, ExitCode.NOT_TRUSTWORTHY)
    assert [item.name for item in folder.iterdir() if item.name != ".lock"] == ["run.json"]


def test_somebody_elses_files_are_left_alone_by_a_run(tmp_path: Path) -> None:
    """A run withdraws nothing in a folder that is none of ours."""
    (tmp_path / "results.json").write_text("mine")
    done = CliRunner().invoke(app, ["run", *RUN, "--results", str(tmp_path)])
    assert done.exit_code == ExitCode.WRONG_INPUT
    assert (tmp_path / "results.json").read_text() == "mine"


def test_nothing_is_published_onto_another_run(bench: Any) -> None:
    """A runner that was stopped, and goes on when its folder holds the next run, writes nothing."""
    bench.program(bench.kept(bench.case("a", [0.25], [1.0])))
    run = bench.run()
    replace(run, nonce="cd" * 16).save()
    with pytest.raises(NotTrustworthyError, match="another run was made in this folder"):
        publish(run, Judging(bench.suite, "strict"), None)
    assert not (run.path / "results.json").exists()
