# SPDX-License-Identifier: Apache-2.0
"""Files of other people: a sentence and a status, no traceback, no wait, nothing for a terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.console import ConsoleProgress
from aclnn_cts.emit.case_file import case_file_text
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.entry import _Text
from aclnn_cts.errors import (
    ExitCode,
    NotTrustworthyError,
    WrongFileError,
    WrongInputError,
    printable,
)
from aclnn_cts.kit.archive import OUTPUTS, check_archive
from aclnn_cts.plan.planner import ordinary_call
from aclnn_cts.results.document import read_results
from aclnn_cts.run.folder_lock import withdraw
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.yaml_files import compose
from aclnn_cts.store.folder import open_store


@pytest.mark.parametrize(
    "text",
    ["9" * 5000, "0x" + "f" * 5000, "1:59" + ":59" * 3000, "0b" + "1" * 20000, "-" + "9" * 101],
)
def test_endless_numbers_in_yaml(tmp_path: Path, text: str) -> None:
    """Python cannot print them; the line is named instead."""
    (tmp_path / "x.yaml").write_text(f"a: 1\nb: {text}\n")
    with pytest.raises(WrongFileError, match=r"x\.yaml:2: not valid YAML: a number of \d+ char"):
        compose(tmp_path / "x.yaml")


@pytest.mark.parametrize("text", [f"product = {'9' * 5000}", f"product = {'[' * 5000}"])
def test_hostile_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A file of defaults with an endless number, or nested lists."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "aclnn-cts.toml").write_text(text)
    ended = CliRunner().invoke(app, ["cache"])
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert "aclnn-cts.toml: not valid TOML: " in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_wrong_address_in_the_defaults_is_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused like that of the option, without its password."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "aclnn-cts.toml").write_text('store = "postgresql:/ada:secret@h/db"')
    ended = CliRunner().invoke(app, ["store", "show"])
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert "--store" in ended.stderr
    assert "secret" not in ended.output


@pytest.mark.parametrize("place", ["/dev/null", "file"])
@pytest.mark.parametrize("create", [False, True])
def test_a_store_that_is_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, *, create: bool
) -> None:
    """It is refused, and a file of an earlier release is left alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("SQLite format 3")
    with pytest.raises(WrongInputError, match=place), open_store(place, create=create):
        pytest.fail("it was opened")
    assert (tmp_path / "file").read_text() == "SQLite format 3"


RECORDS = ["run.json", "results.json", "plan.msgpack.gz", "cases.sqlite", ".lock", "journal.jsonl"]
COMMANDS = [("judge", "d"), ("report", "d"), ("compare", "d", "d"), ("store", "add", "d")]


@pytest.mark.parametrize("name", [*RECORDS, "events/a.jsonl", "outputs/a.bin"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_out_of_a_results_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: tuple[str, ...]
) -> None:
    """The folder may be somebody else's, and messages would quote a file of this host."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_text("hunter2")
    link = tmp_path / "d" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "secret")
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert f"{name}: is a link out of the folder" in ended.stderr
    assert "hunter2" not in ended.output


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["run.json", "plan.msgpack.gz", ".lock", "journal.jsonl"])
def test_a_folder_in_the_place_of_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: tuple[str, ...]
) -> None:
    """It is named, and nothing is said of a run that is missing or interrupted."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d" / name).mkdir(parents=True)
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert f"{name}: is damaged (it is a folder)" in ended.stderr


def test_a_page_that_is_a_link_out_of_its_folder(tmp_path: Path) -> None:
    """`trace` would quote what it leads to."""
    (tmp_path / "secret").write_text("hunter2")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "aclnnGelu.md").symlink_to(tmp_path / "secret")
    ended = CliRunner().invoke(
        app, ["trace", "--operator", "aclnnGelu", "--pages", str(tmp_path / "pages")]
    )
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert "aclnnGelu.md: is a link out of the folder" in ended.stderr


def test_a_folder_in_the_place_of_results(tmp_path: Path) -> None:
    """They are judged again, as the message says: the folder is removed like other results."""
    file = tmp_path / "results.json"
    file.mkdir()
    with pytest.raises(NotTrustworthyError, match=r"results\.json: is damaged \(it is a folder\)"):
        read_results(tmp_path)
    (tmp_path / "run.json").write_text('{"format": "aclnn-cts/run/0"}')
    withdraw(tmp_path)
    assert not file.exists()


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_in_a_results_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: tuple[str, ...]
) -> None:
    """Nobody writes to it, so reading it would never end."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "d" / name)
    ended = CliRunner().invoke(app, command, env={"ACLNN_CTS_STORE": str(tmp_path / "store")})
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert f"{name}: is not a file" in ended.stderr


def test_a_pipe_for_an_archive(tmp_path: Path) -> None:
    """Neither the outputs of a kit nor the kit is read from one."""
    pipe = tmp_path / "outputs.tar.gz"
    os.mkfifo(pipe)
    with pytest.raises(WrongInputError, match="is not a file"):
        check_archive(pipe, OUTPUTS, bool)


def test_a_text_adds_no_line_to_a_case_file(specs: SpecSet) -> None:
    """A newline in an attribute, as from a call list, would be a fact of its own."""
    name = "aclnnGroupNormSwishGrad"
    usual = ordinary_call(specs.operator(name), specs.product("atlas-a2"))
    call = replace(usual, tensors=tuple(replace(each, source="null") for each in usual.tensors))
    data = DataReference(None, 0, {})
    assert case_file_text(specs, name, [(call, data)], "0" * 32)
    wrong = {**call.attributes, "dataFormatOptional": "NCHW\nscratch 1"}
    bad = replace(call, attributes=wrong)
    with pytest.raises(WrongInputError, match=r"dataFormatOptional is 'NCHW\\nscratch 1'"):
        case_file_text(specs, name, [(bad, data)], "0" * 32)


def test_messages_are_safe_for_a_terminal() -> None:
    """What a file has of escape sequences is shown as a mark, and a line of megabytes is cut."""
    told = printable("a\x1b]0;title\x07b\x9b2Jc\r\u202ed\té\nnext " + "x" * 3_000_000)
    assert printable("\u200e\u2028\udc80", 3) == "\ufffd\ufffd\ufffd"
    assert told.startswith("a\ufffd]0;title\ufffdb\ufffd2Jc\ufffd\ufffdd\té\nnext x")
    assert len(told) < 3000


def test_a_name_with_an_escape_sequence(tmp_path: Path) -> None:
    """A message that quotes it does not pass it on."""
    ended = CliRunner().invoke(app, ["judge", str(tmp_path / "x\x1b[2Jy")])
    assert ended.exit_code == ExitCode.WRONG_INPUT
    assert "\x1b" not in ended.output


@pytest.mark.parametrize("is_terminal", [False, True])
def test_standard_output_is_safe_for_a_terminal(*, is_terminal: bool) -> None:
    """What a file has of escape sequences is shown as a mark; colours are left on a terminal."""

    class Raw(io.BytesIO):
        def isatty(self) -> bool:
            return is_terminal

    raw = Raw()
    told = _Text(raw, encoding="utf-8", write_through=True)
    told.write("a\x1b]0;title\x07b\x9b2Jc\r\x1b[1Ad\u202e\té\u3000\n\x1b[1;31mred\x1b[0m")
    colours = ("\x1b[1;31m", "\x1b[0m") if is_terminal else ("\ufffd[1;31m", "\ufffd[0m")
    safe = f"a\ufffd]0;title\ufffdb\ufffd2Jc\ufffd\ufffd[1Ad\ufffd\té\u3000\n{'red'.join(colours)}"
    assert raw.getvalue().decode() == safe


def test_commands_write_to_that_output() -> None:
    """The entry point replaces standard output, whatever a command prints with."""
    code = "from aclnn_cts import entry; entry._tolerate_lost_reader(); print('a\\x1b[2Jb')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert told.stdout.decode() == "a\ufffd[2Jb\n"


def test_notes_beside_the_bars_are_safe_for_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """What a stage has to say may quote a file."""
    ConsoleProgress().say("a\x1b[2Jb")
    assert capsys.readouterr().err == "a\ufffd[2Jb\n"
