# SPDX-License-Identifier: Apache-2.0
"""The command line: each way to end has its status and a sentence, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.processes import ended
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.cli import options
from aclnn_cts.console import print_json
from aclnn_cts.coverage.coverage_text import MOST_OPERATORS
from aclnn_cts.errors import ExitCode
from aclnn_cts.spec.loading import SpecSet


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what runs the command in an empty folder, with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))

    def invoke(*arguments: str) -> Result:
        result = CliRunner().invoke(cli.app, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("list", "--operator", "aclnnLogitGrat"), "did you mean 'aclnnLogitGrad'"),
        (("list", "--operator", "LogitGrad"), "did you mean 'aclnnLogitGrad'"),
        (("list", "--product", "atlas_a2"), "did you mean 'atlas-a2'"),
        (("run", "--product", "Ascend910B3"), "Ascend910B3 is a SoC; its product is atlas-a2"),
        (("list", "--tier", "smokey"), "did you mean 'smoke'"),
        (("run", "--standard", "strikt"), "did you mean 'strict'"),
        (("run", "--case", "LogitGrad.base.none"), "unknown case of tier smoke on atlas-a2"),
        (("run", "--simulator", "--cann", "."), "exclude each other"),
        (("run", "--operator", "aclnnLogitGrad", "--cann", "."), "acl.h is missing"),
        (("run", "--cann", "/opt/nowhere"), "/opt/nowhere: there is no such folder; --cann takes"),
        (("run", "--operator", "aclnnLogitGrad", "--results", "file/below"), "cannot be written"),
        (("run", "--operator", "aclnnLogitGrad", "--results", "file"), "it is a file; name"),
        (("explain", "LogitGrad.base.none"), "unknown case of tier standard on atlas-a2"),
        (("judge", "nowhere"), "nowhere: there is no such file or folder; give a results folder"),
        (("judge", "none.tar.gz", "--kit", "kit"), "none.tar.gz: there is no such file or folder"),
        (("judge", "foreign", "--kit", "kit"), "--kit goes with outputs.tar.gz"),
        (("pack", "-o", "file"), "file: already exists; name another file, or remove it"),
        (("pack", "-o", "foreign"), "foreign: already exists; name another file, or remove it"),
        (("run", "--case", "x"), "; `aclnn-cts list --product atlas-a2 --tier smoke` lists them"),
        (("judge", "foreign"), "is not a results folder"),
        (("judge", "/dev/null"), "/dev/null: is not a folder; give the results folder of a run"),
        (("report", "/dev/null"), "run `aclnn-cts judge /dev/null` first"),
        (("compare", "/dev/null", "b"), "run `aclnn-cts judge /dev/null` first"),
        (
            ("run", "--operator", "aclnnLogitGrad", "--results", "foreign"),
            "is not a results folder",
        ),
        (("generate", "--tier", "none"), "unknown tier 'none'"),
        (("compare", "nowhere", "foreign"), "nowhere: there is no such results folder or file"),
        (("compare", "a", "b", "--gate", "times"), "unknown gate 'times'; did you mean 'time'?"),
        (("compare", "a", "b", "--format", "xml"), "unknown format 'xml'"),
        (("run", "--waivers", "none.yaml"), "none.yaml: there is no such file"),
        (("run", "--waivers", "foreign"), "foreign: cannot be read: Is a directory"),
        (("report", "foreign"), "foreign: is not a results folder: results.json is missing"),
    ],
)  # fmt: skip
def test_wrong_input_ends_with_2(
    run: Any, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    """What the user can correct: one sentence that names it, and what would be right."""
    (tmp_path / "file").touch()
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "letter.txt").touch()
    result = run(*arguments)
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "error: " in result.output
    assert sentence in result.output
    assert (tmp_path / "foreign" / "letter.txt").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--no-such-option",),
        ("lst",),
        ("list", "--jobs"),
        ("run", "--jobs", "0"),
        ("run", "--timings", "-1"),
        ("judge",),
        ("compare", "one"),
        ("compare", "one", "two", "--time-factor", "0.5"),
    ],
)
def test_unknown_options_end_with_2(run: Any, arguments: tuple[str, ...]) -> None:
    """As every command line does."""
    assert run(*arguments).exit_code == ExitCode.WRONG_INPUT


def test_the_usage_says_how_to_name_a_clause(run: Any) -> None:
    """It is shown to who writes a space for the slash."""
    result = run("explain", "aclnnLogitGrad", "eps-one")
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "CASE|[OPERATOR/]CLAUSE" in result.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("judge", "empty"), "holds no results"),
        (("judge", "damaged"), "is damaged"),
        (("compare", "damaged/results.json", "damaged"), "results.json: is damaged"),
    ],
)
def test_what_proves_nothing_ends_with_3(
    run: Any, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    """No cases, no results, no whole results: never 0."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged").mkdir()
    for name in ("run.json", "results.json"):
        (tmp_path / "damaged" / name).write_text('{"format": ')
    result = run(*arguments)
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert sentence in result.output


def test_no_compiler_ends_with_3(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to install."""
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run("run", "--operator", "aclnnLogitGrad")
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert "apt-get install g++" in result.output


def test_a_suite_that_is_none(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ACLNN_CTS_SUITE names a folder without specs."""
    monkeypatch.setenv("ACLNN_CTS_SUITE", str(tmp_path))
    result = run("list")
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "specs/products.yaml is missing" in result.output


def test_list_of_very_many_operators(run: Any, specs: SpecSet) -> None:
    """The ids are all there; counts are of families unless each operator is asked for."""
    names = [spec.operator for spec in specs.tested_operators][: MOST_OPERATORS + 1]
    few = ("list", "--case", "*.soak.*", *(word for name in names for word in ("--operator", name)))
    short, whole = run(*few), run(*few, "--verbose")
    assert short.stdout == whole.stdout
    assert len(short.stderr.splitlines()) < 12 < len(whole.stderr.splitlines())
    assert ("--verbose" in short.stderr, "--verbose" in whole.stderr) == (True, False)


def test_list(run: Any) -> None:
    """Ids, one a line, and counts; as JSON, everything."""
    result = run("list", "--operator", "aclnnLogitGrad")
    assert result.exit_code == ExitCode.PASSED
    ids = result.stdout.splitlines()
    assert ids
    assert all(line.startswith("LogitGrad.") for line in ids)
    assert f"aclnnLogitGrad: {len(ids)} cases" in result.stderr
    data = json.loads(run("list", "--operator", "aclnnLogitGrad", "--json").stdout)
    assert [case["id"] for case in data] == ids
    assert "contract only" not in result.stderr
    assert "aclnnHeaviside (contract only: " in run("list", "--operator", "aclnnHeaviside").stderr


def test_explain(run: Any) -> None:
    """A refusal: what it must return, from what it differs, and where the promise stands."""
    ids = run("list", "--operator", "aclnnLogitGrad").stdout.splitlines()
    refusal = next(line for line in ids if ".dtype-differs." in line)
    result = run("explain", refusal, "--tier", "smoke")
    assert result.exit_code == ExitCode.PASSED
    assert "any error status; accepting the call is unenforced" in result.stdout
    assert "basis requirement (dtype-differs); not launched" in result.stdout
    assert "differs in one fact from LogitGrad.base." in result.stdout
    assert "dy and out have the data type of x [aclnnLogitGrad, parameters" in result.stdout


def test_explain_says_why(run: Any) -> None:
    """The purpose of a scene, and the data that the case gets, which may not be the planned."""
    ids = run("list", "--operator", "aclnnLeakyReluBackward").stdout.splitlines()
    scene = next(line for line in ids if ".no-slope." in line)
    shown = run("explain", scene, "--tier", "smoke").stdout
    assert "why: With a negativeSlope of 0 all that is not above 0 gives 0" in shown


def test_explain_a_null_pointer(run: Any) -> None:
    """A null pointer with something else wrong besides is not a difference in one fact."""
    ids = run("list", "--operator", "aclnnLogitGrad").stdout.splitlines()
    for mark, told in ((".x+", "in a null pointer, and also in what breaks "), (".x.", "in a ")):
        refusal = next(line for line in ids if f".null-pointer{mark}" in line)
        result = run("explain", refusal, "--tier", "smoke")
        assert f"differs {told}" in result.stdout
        assert "in one fact" not in result.stdout


def test_every_json_is_printed_alike(capsys: pytest.CaptureFixture[str]) -> None:
    """One document that ends its line; what a person can read in it stays readable."""
    print_json({"advice": "μ → ∞"})
    printed = capsys.readouterr().out
    assert "μ → ∞" in printed
    assert printed.endswith("}\n")
    assert json.loads(printed) == {"advice": "μ → ∞"}


def test_ctrl_c(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted command ends with 3 and a sentence."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(options, "load", interrupted)
    result = run("list")
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert result.output == "interrupted\n"  # there are no results that could be incomplete


def test_ctrl_c_in_a_run(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has begun leaves results, and says what they are worth."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.run, "run_campaign", interrupted)
    run("list", "--operator", "aclnnLogitGrad")  # so that no stage of planning is named
    result = run("run", "--operator", "aclnnLogitGrad", "--simulator")
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert result.stderr == "interrupted; results of this run are incomplete\n"


def test_the_simulated_device_has_a_worker_for_each_job(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--jobs` sets the number of programs that run at the same time."""
    asked: list[tuple[int, ...]] = []

    def begun(_suite: object, _specs: object, request: Any, *_: object) -> None:
        asked.append(request.config.devices)
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.run, "run_campaign", begun)
    run("run", "--operator", "aclnnLogitGrad", "--simulator", "--jobs", "3")
    assert asked == [(0, 0, 0)]


def test_a_reader_that_leaves() -> None:
    """`aclnn-cts list | head -1`: no complaint, and the status of what the command did."""
    code = "from aclnn_cts.entry import main; main()"
    command = [sys.executable, "-c", code, "list", "--operator", "aclnnLogitGrad", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == ExitCode.PASSED


def test_a_signal_before_the_command() -> None:
    """SIGTERM while the commands are being made: one word and status 3, as later."""
    code = (
        "import os, signal, typer.main as m; made = m.get_command\n"
        "m.get_command = lambda app: (os.kill(os.getpid(), signal.SIGTERM), made(app))[1]\n"
        "from aclnn_cts.entry import main; main()"
    )
    done = ended([sys.executable, "-c", code, "cache"])
    assert (done.returncode, done.stderr) == (ExitCode.NOT_TRUSTWORTHY, "interrupted\n")


@pytest.mark.parametrize("arguments", ["cache", "judge nowhere"])
def test_a_standard_output_that_is_closed(arguments: str) -> None:
    """`>&-`: one sentence, whatever the command."""
    code = "from aclnn_cts.entry import main; main()"
    line = f"exec {sys.executable} -c '{code}' {arguments} >&-"
    done = ended(["/bin/sh", "-c", line])
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert done.stderr.startswith("error: standard output is closed")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", ["cache", "list --operator aclnnLogitGrad --json"])
def test_a_standard_output_without_room(arguments: str) -> None:
    """`>/dev/full`: what could not be written, and no second complaint of Python's."""
    code = "from aclnn_cts.entry import main; main()"
    line = f"exec {sys.executable} -c '{code}' {arguments} >/dev/full"
    done = ended(["/bin/sh", "-c", line])
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "error: standard output cannot be written: No space left on device; " in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
