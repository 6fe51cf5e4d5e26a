# SPDX-License-Identifier: Apache-2.0
"""What people expect of a command line: help, completion, patterns, defaults, pipes."""

from __future__ import annotations

import io
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.own_operator import write_operator
from tests.report.reports import case, report
from typer.main import get_command
from typer.testing import CliRunner, Result

from aclnn_cts import __version__, cli
from aclnn_cts.cli import _defaults_of, app
from aclnn_cts.cli.defaults import read_defaults
from aclnn_cts.cli.options import case_patterns
from aclnn_cts.cli.run import _failed_cases, _Selection
from aclnn_cts.console import PlainConsole
from aclnn_cts.entry import _Output
from aclnn_cts.errors import ExitCode, WrongFileError, WrongInputError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.summary import LEAST_WIDTH
from aclnn_cts.results.document import write_document
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.suite import find_suite

COMMANDS = tuple(cli._COMMANDS)


def invoke(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(cli.app, arguments, env=environment, prog_name="aclnn-cts")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str) -> None:
    """`-h` is `--help`; a value has a name, not a type."""
    short, long = (invoke(*command.split(), option) for option in ("-h", "--help"))
    assert (short.exit_code, short.output) == (0, long.output)
    assert not re.search("--[a-z-]+ <", short.output)
    assert not command or f"\n    aclnn-cts {command}" in short.output


def test_each_command_is_in_a_section() -> None:
    """The help names each command once, whether or not it is the first word of others."""
    listed = re.findall("^  ([a-z][a-z-]*) {2,}[A-Z]", invoke("-h").output, re.MULTILINE)
    assert sorted(listed) == sorted({command.split()[0] for command in COMMANDS})


def test_version() -> None:
    """One line."""
    assert invoke("--version").output == f"{__version__}\n"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("run --tier s", ["smoke", "standard"]),
        ("run --standard e", ["ecosystem"]),
        ("list --operator aclnnFastG", ["aclnnFastGelu", "aclnnFastGeluBackward"]),
    ],
)
def test_completion(words: str, found: list[str]) -> None:
    """The shell completes commands, options and the values of some."""
    line = f"aclnn-cts {words}"
    result = invoke(
        _ACLNN_CTS_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(line.count(" "))
    )
    assert result.output.split() == found


def test_case_patterns(tmp_path: Path) -> None:
    """Ids and patterns of the command line come before those of a file; `#` begins a comment."""
    path = tmp_path / "cases.txt"
    path.write_text("# all of one scene\n*.base.*\n\n  PreluBackward.x  # known\n")
    assert case_patterns(["a"], path) == ("a", "*.base.*", "PreluBackward.x")
    assert case_patterns(None, None) == ()
    for content in (b"# none\n", b"\xff", None):
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        else:
            path = tmp_path / "none"
        with pytest.raises(WrongInputError, match=str(path)):
            case_patterns(None, path)
        path.touch()


def test_patterns_select_cases() -> None:
    """A case is chosen once, in the planned order; a pattern without a case is refused."""
    everything = invoke("list", "--operator", "aclnnLogitGrad").stdout.splitlines()
    chosen = [name for name in everything if ".base." in name]
    result = invoke("list", "--case", "LogitGrad.base.*", "--case", chosen[0])
    assert result.stdout.splitlines() == chosen
    refused = invoke("run", "--case", "LogitGrad.bse.*", "--simulator")
    assert refused.exit_code == ExitCode.WRONG_INPUT
    for command in (("list",), ("run", "--simulator")):
        other = invoke(*command, "--operator", "aclnnSilu", "--case", chosen[0])
        assert other.exit_code == ExitCode.WRONG_INPUT


def test_rerun_failed(bench: Any, tmp_path: Path) -> None:
    """What did not pass is run again; the earlier run says of which product, tier and edition."""
    verdicts = (Verdict.PASS, Verdict.FAIL, Verdict.MISSING, Verdict.CRASH, Verdict.UNENFORCED)
    document = report(bench, *(case(verdict.value, verdict) for verdict in verdicts)).document
    write_document(document, tmp_path)
    earlier, ids = _failed_cases(tmp_path, ("rerun_failed", "jobs"))
    assert earlier.device.product == document.device.product
    assert (earlier.tier, earlier.edition) == (document.tier, document.edition)
    assert ids == ("fail", "missing", "crash")
    with pytest.raises(WrongInputError, match="--rerun-failed and --case-list exclude"):
        _failed_cases(tmp_path, ("rerun_failed", "case_list"))
    write_document(report(bench, case("a", Verdict.PASS)).document, tmp_path)
    with pytest.raises(WrongInputError, match="nothing to rerun"):
        _failed_cases(tmp_path, ())


def selection(**given: Any) -> _Selection:
    usual = _Selection(find_suite(), "smoke", None, CURRENT, (), (), None, None, None)
    return replace(usual, **given)


def test_cases_to_rerun_that_are_gone(capsys: pytest.CaptureFixture[str]) -> None:
    """Ids that the operators do not have any more are told; the others are run."""
    name = invoke("list", "--operator", "aclnnLogitGrad").stdout.split()[0]
    _, specs, _ = selection().load()
    gone = ("LogitGrad.gone.1", "Gone.2")
    again = selection(patterns=(gone[0], name, gone[1]), rerun=True)
    assert [case.id for case in again.cases(specs, "atlas-a2")] == [name]
    assert "2 of 3 failed cases" in (said := capsys.readouterr().err)
    assert all(each in said for each in gone)
    with pytest.raises(WrongInputError, match="nothing to rerun"):
        replace(again, patterns=gone).cases(specs, "atlas-a2")


def test_a_fault_of_an_operator_that_is_not_run() -> None:
    """Such a fault cannot show, and a run that passes would say nothing about it."""
    fault = "offset-ignored.aclnnCelu.self"
    for operator in ("aclnnCelu", "aclnnGelu"):
        chosen = selection(operators=(operator,), fault=fault)
        _, specs, change = chosen.load()
        cases = chosen.cases(specs, "atlas-a2")
        if operator == "aclnnCelu":
            request = chosen.request(cases, RunConfig("atlas-a2"), "strict", change)
            assert request.change is change
        else:
            with pytest.raises(WrongInputError, match=f"{fault} changes no selected operator"):
                chosen.request(cases, RunConfig("atlas-a2"), "strict", change)


def test_a_fault_selects_the_operators_that_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Cases of all other operators would take an hour, and could not show it."""
    chosen, _, _ = selection(fault="offset-ignored.aclnnCelu.self").load()
    assert chosen.operators == ("aclnnCelu",)
    assert "--operator selects others" in capsys.readouterr().err
    asked = selection(fault="offset-ignored.aclnnCelu.self", operators=("aclnnGelu",))
    assert asked.load()[0].operators == ("aclnnGelu",)
    assert selection().load()[0].operators == ()


def test_a_rerun_replaces_no_run_that_it_reads(bench: Any, tmp_path: Path) -> None:
    """Its few cases would take the place of all others, in a folder named or by default."""
    results = tmp_path / "results" / "case"
    results.mkdir(parents=True)
    write_document(report(bench, case("LogitGrad.x", Verdict.FAIL)).document, results)
    (results / "run.json").write_text('{"format": "aclnn-cts/run/6"}')
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path)
        for options in ((), ("--results", str(results))):
            done = invoke("run", "--simulator", "--rerun-failed", "results/case", *options)
            assert done.exit_code == ExitCode.WRONG_INPUT
            assert "name another folder with --results" in done.stderr
    assert (results / "results.json").is_file()


def test_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest file counts, its own name before the project's; the command line beats it."""
    below = tmp_path / "below"
    below.mkdir()
    (below / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    project = tmp_path / "pyproject.toml"
    written = "product = 'atlas-a9'\nwaivers = 'w.yaml'\nspecs = 'own'\njobs = 2\n"
    project.write_text(f"[tool.aclnn-cts]\n{written}")
    own = [str(write_operator(tmp_path / "own"))]
    found = {"product": "atlas-a9", "waivers": str(tmp_path / "w.yaml"), "folders": own, "jobs": 2}
    assert read_defaults(below) == found
    monkeypatch.chdir(below)
    assert "'atlas-a9'" in invoke("list").output
    listed = invoke("list", "--product", "atlas-a2", "--operator", "aclnnLogitGrad")
    assert listed.exit_code == ExitCode.PASSED
    (below / "aclnn-cts.toml").write_text("case-timeout = 5.5\n")
    assert read_defaults(below) == {"case_timeout": 5.5}


def test_a_call_list_may_have_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file with the name says where it is; a path stays one."""
    (tmp_path / "aclnn-cts.toml").write_text('[calls]\nserving = "lists/serving.yaml"\n')
    (tmp_path / "lists").mkdir()
    tensor = "{dtype: float32, shape: [3, 5]}"
    text = f"calls: [{{name: one, operator: aclnnSilu, tensors: {{self: {tensor}}}}}]\n"
    (tmp_path / "lists" / "serving.yaml").write_text(text)
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    for calls in ("serving", str(tmp_path / "lists" / "serving.yaml")):
        assert invoke("list", "--calls", calls).output.startswith("Silu.listed.one.float32.3x5.")
    missing = invoke("list", "--calls", "training")
    assert missing.exit_code == ExitCode.WRONG_INPUT
    assert "training" in missing.output


@pytest.mark.parametrize(
    ("name", "text", "place", "words"),
    [
        ("aclnn-cts.toml", "jobs = 1\nteir = 'smoke'\n", ":2", "did you mean 'tier'"),
        ("pyproject.toml", "[x]\njobs=1\n[tool.aclnn-cts]\njobs = 'a'\n", ":4", "whole number"),
        ("pyproject.toml", "[tool]\naclnn-cts = 3\n", ":1", "tool.aclnn-cts"),
        ("aclnn-cts.toml", "jobs = 0\n", ":1", "jobs must be 1 or more"),
        ("aclnn-cts.toml", 'jobs = 1\ntier = "quick"\n', ":2", "tier must be 'smoke', 'standard'"),
        ("aclnn-cts.toml", "jobs = \n", "", "not valid TOML"),
        ("aclnn-cts.toml", "[calls]\nserving = 3\n", ":1", "calls must be text"),
    ],
)
def test_defaults_that_are_wrong(
    tmp_path: Path, name: str, text: str, place: str, words: str
) -> None:
    """File, line and what would be right."""
    (tmp_path / name).write_text(text)
    with pytest.raises(WrongFileError, match=rf"{name}{place}: .*{words}"):
        read_defaults(tmp_path)


def test_defaults_of_a_run_are_not_those_of_its_judgement() -> None:
    """`judge` goes by the standard of the run, whatever a file says of new ones."""
    stated = {"standard": "ecosystem", "product": "atlas-a3", "jobs": 2}
    commands: Any = vars(get_command(app))["commands"]
    assert dict(_defaults_of("judge", commands["judge"], stated)) == {"jobs": 2}
    assert dict(_defaults_of("run", commands["run"], stated)) == {**stated, "product": ["atlas-a3"]}


def test_a_project_without_a_table_of_tools(tmp_path: Path) -> None:
    """A `tool` that is not a table is nobody's mistake but the project's."""
    (tmp_path / "pyproject.toml").write_text("tool = 1 # aclnn-cts\n")
    assert read_defaults(tmp_path) == {}


def test_a_case_list_with_a_byte_order_mark(tmp_path: Path) -> None:
    """As editors on other systems write it."""
    (tmp_path / "cases.txt").write_bytes(b"\xef\xbb\xbfLogitGrad.base.*\r\n")
    assert case_patterns(None, tmp_path / "cases.txt") == ("LogitGrad.base.*",)


def test_a_case_list_from_a_closed_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--case-list - <&-`: Python has no such file."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(WrongInputError, match="standard input is closed"):
        case_patterns(None, Path("-"))


def test_defaults_that_are_wrong_end_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command runs beside them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "aclnn-cts.toml").write_text("teir = 'smoke'\n")
    assert invoke("cache").exit_code == ExitCode.WRONG_INPUT


def test_a_reader_that_leaves_changes_no_status() -> None:
    """The command goes on to its end, and its exit status tells what it found."""
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    with io.TextIOWrapper(io.BufferedWriter(_Output(writing_end, "w"))) as output:
        for _ in range(3):
            output.write("words\n")
            output.flush()


@pytest.mark.parametrize(
    ("variables", "width"), [({}, LEAST_WIDTH), ({"COLUMNS": "60", "NO_COLOR": "1"}, 60)]
)
def test_width_and_colour(
    variables: dict[str, str], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COLUMNS and NO_COLOR count; without them a pipe gets whole tables."""
    for name in ("COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    console = PlainConsole()
    assert (console.width, console.no_color) == (width, "NO_COLOR" in variables)
