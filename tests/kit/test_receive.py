# SPDX-License-Identifier: Apache-2.0
"""What is made of that which a kit leaves, and what of it is refused."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.kit.conftest import NONCE, Packed
from tests.library_words import LIBRARY_WORDS
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.kit.archive import OUTPUTS, write_archive
from aclnn_cts.kit.pack import read_kit
from aclnn_cts.kit.receive import read_outputs, receive
from aclnn_cts.run.folder import open_run
from aclnn_cts.run.folder_lock import REPORT_FILES
from aclnn_cts.run.planned_cases import pack_cases
from aclnn_cts.suite import Suite

HOST = {
    "event": "host", "manifest_sha256": "00", "host": "h", "architecture": "x86_64",
    "compiler": "g++", "toolkit": "/t",
}  # fmt: skip
NAME = "aclnnLogitGrad-000"
PROGRAM = {
    "operator": "aclnnLogitGrad", "batch": NAME, "device": 1, "exit_code": 0, "timed_out": False,
    "seconds": 1.5, "stderr": "",
    "events": f"events/{NAME}.jsonl", "outputs": f"outputs/{NAME}.bin",
}  # fmt: skip
DEVICE = {"event": "device", "soc": "Ascend910B3", "cann": "8.0", "inf_nan": True, "nonce": NONCE}


Left = Callable[..., Path]


def process(**changes: Any) -> dict[str, Any]:
    """Return the line about the only process."""
    return {"event": "process", "program": {**PROGRAM, **changes}}


@pytest.fixture
def left(packed: Packed, suite: Suite, tmp_path: Path) -> Left:
    """Return what makes the outputs of a kit by hand, with some changes."""
    del suite  # its cache is the one to use

    def make(
        kit: Mapping[str, Any] | None = None,
        record: tuple[Mapping[str, Any], ...] = (HOST, process()),
        device: Mapping[str, Any] = DEVICE,
        without: str = "",
        more: Mapping[str, bytes] | None = None,
    ) -> Path:
        files = {
            f"outputs/{NAME}.bin": b"",
            f"events/{NAME}.jsonl": _lines(device),
            "kit.json": json.dumps(
                {**packed.described.model_dump(mode="json"), **(kit or {})}, separators=(",", ":")
            ).encode()
            + b"\n",
            "versions/driver/version.info": b"Version=24.1.rc3\n",
            "versions/toolkit/x86_64-linux/ascend_toolkit_install.info": b"version=8.0.RC3\n",
            **(more or {}),
        }
        files["record.jsonl"] = _lines(*(_with_digests(line, files) for line in record))
        path = tmp_path / "outputs.tar.gz"
        members = {name: content for name, content in files.items() if name != without}
        write_archive(path, OUTPUTS, members)
        return path

    return make


def _with_digests(line: Mapping[str, Any], files: Mapping[str, bytes]) -> Mapping[str, Any]:
    """Return a line of the record; of a process, with the digests that the host noted of it."""
    if "program" not in line:
        return line
    left = {
        f"{kind}_sha256": hashlib.sha256(files.get(str(PROGRAM[kind]), b"")).hexdigest()
        for kind in ("events", "outputs")
    }
    return {**line, "program": {**left, **line["program"]}}


def _lines(*lines: Mapping[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def received(outputs: Path, suite: Suite, tmp_path: Path) -> Any:
    return receive(read_outputs(outputs, suite), tmp_path / "results")


def test_what_comes_home(left: Left, suite: Suite, tmp_path: Path) -> None:
    """Host, releases, device and process are those of the record; no device counts as simulated."""
    run = received(left(), suite, tmp_path)
    assert (run.device.kind, run.device.soc, run.device.cann) == ("hardware", "Ascend910B3", "8.0")
    assert (run.environment.host, run.environment.devices) == ("h", (1,))
    assert (run.environment.driver, run.environment.toolkit_version) == ("24.1.rc3", "8.0.RC3")
    assert (run.nonce, len(run.cases), run.programs[0].seconds) == (NONCE, 4, 1.5)


def test_the_release_of_an_early_toolkit(left: Left, suite: Suite, tmp_path: Path) -> None:
    """Its folder for the architecture has a name of its own."""
    early = {"versions/toolkit/arm64-linux/version.cfg": b"runtime_running_version=[1.0:5.0.4]\n"}
    outputs = left(record=({**HOST, "architecture": "aarch64"}, process()), more=early)
    assert received(outputs, suite, tmp_path).environment.toolkit_version == "5.0.4"


def test_a_case_that_was_cut(left: Left, suite: Suite, tmp_path: Path) -> None:
    """The run tells of a case that was running when the host's run ended, also when reloaded."""
    case = read_outputs(left(), suite).kit.planned()[1].case.id
    cut = process(exit_code=None, device=-1, cut=case)
    run = received(left(record=(HOST, cut)), suite, tmp_path)
    assert [program.cut for program in run.programs] == [case]
    assert [program.cut for program in open_run(run.path, suite).programs] == [case]
    assert run.environment.devices == ()


def test_other_input_data(left: Left, suite: Suite, tmp_path: Path, packed: Packed) -> None:
    """A kit whose inputs this suite makes in another way cannot be judged."""
    planned = [replace(each, data=None) for each in packed.described.planned()]
    plan = base64.b64encode(pack_cases(planned)).decode()
    with pytest.raises(NotTrustworthyError, match=r"input data of LogitGrad\."):
        received(left(kit={"plan": plan}), suite, tmp_path)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"kit": {"suite": {"version": "0.0.1", "specs_sha256": "ab", "specs": {}}}},
            "the kit: made with suite 0.0.1; this is 0.1.0: judge with that suite, or pack and run",
        ),
        (
            {"kit": {"suite": {"version": "0.1.0", "specs_sha256": "ab", "specs": {"x.yaml": ""}}}},
            "the specs have changed since (x.yaml)",
        ),
        (
            {"kit": {"format": "aclnn-cts/kit/9"}},
            "is not what this suite packs (format must be 'aclnn-cts/kit/5', "
            'not "aclnn-cts/kit/9")',
        ),
        (
            {"kit": {"nonce": "short"}},
            "is not what this suite packs (nonce must match the pattern '^[0-9a-f]{32}$', "
            'not "short")',
        ),
        ({"kit": {"more": 1}}, "is not what this suite packs (more is an unknown key)"),
        ({"kit": {"plan": "eA=="}}, "kit.json: its cases are damaged"),
        ({"record": ()}, "does not name its host"),
        ({"record": (HOST,)}, f"{NAME}.bin does not belong to it, because record.jsonl names no"),
        ({"more": {"events/x.jsonl": b""}}, "events/x.jsonl does not belong to it"),
        ({"more": {"x/y": b""}}, "x/y does not belong to it"),
        ({"device": {"event": "finished", "cases": 0}}, "no program reached a device"),
        (
            {"record": (HOST, {"event": "x"})},
            'record.jsonl:2 is not a line of a kit\'s record (event is unknown: "x")',
        ),
        (
            {"record": (HOST, process(), process(events="../a"))},
            "../a is missing",
        ),
        ({"device": {**DEVICE, "soc": "Ascend310P3"}}, "the cases are for atlas-a2"),
        ({"device": {**DEVICE, "inf_nan": False}}, "outputs.tar.gz: the device's arithmetic"),
        ({"device": {**DEVICE, "nonce": "cd" * 16}}, "was recorded with the nonce cdcd"),
        (
            {"record": (HOST, process(outputs_sha256="00"))},
            "outputs/aclnnLogitGrad-000.bin was modified after the run",
        ),
        (
            {"without": "outputs/aclnnLogitGrad-000.bin"},
            "outputs/aclnnLogitGrad-000.bin is missing",
        ),
        ({"without": "kit.json"}, "kit.json is not what this suite packs (it is empty)"),
    ],
)
def test_what_is_refused(
    left: Left, suite: Suite, tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    """Another suite's, another product's, another run's, and what is not a record at all."""
    with pytest.raises(NotTrustworthyError) as told:
        received(left(**changes), suite, tmp_path)
    assert sentence in str(told.value)
    assert not LIBRARY_WORDS.search(str(told.value))
    assert not (tmp_path / "results" / "run.json").exists()


def test_outputs_of_another_kit(left: Left, packed: Packed, suite: Suite) -> None:
    """Two kits of the same cases are two kits, and a kit's description may not change."""
    kit = read_kit(packed.archive, suite)
    outputs = left(record=({**HOST, "manifest_sha256": kit.manifest}, process()))
    assert read_outputs(outputs, suite, kit).kit.nonce == NONCE
    for changed, says in (
        ({"nonce": "cd" * 16}, f"belongs to the kit {NONCE}, and --kit is cdcd"),
        ({"manifest": "00"}, f"comes from the kit {NONCE}, whose MANIFEST.sha256 was changed"),
        ({"description": "00"}, f"comes from the kit {NONCE}, whose kit.json was changed"),
    ):
        other = kit._replace(**changed)
        with pytest.raises(NotTrustworthyError, match=says):
            read_outputs(outputs, suite, other)


def test_a_kit_is_no_outputs(left: Left, packed: Packed, suite: Suite, tmp_path: Path) -> None:
    """One archive named for the other is refused, and so is a folder that is somebody else's."""
    outputs = left()
    with pytest.raises(WrongInputError, match="is not the outputs of a kit"):
        read_outputs(packed.archive, suite)
    with pytest.raises(WrongInputError, match="is not a packed kit"):
        read_kit(outputs, suite)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "mine").touch()
    with pytest.raises(WrongInputError, match="is not a results folder"):
        received(outputs, suite, tmp_path)


def test_another_run_is_not_overwritten(left: Left, suite: Suite, tmp_path: Path) -> None:
    """The same kit's outputs may come again; another run, or one that is damaged, stays."""
    received(left(), suite, tmp_path)
    received(left(), suite, tmp_path)
    file = tmp_path / "results" / "run.json"
    for content in (file.read_text().replace(NONCE, "cd" * 16), '{"format": "aclnn-cts/run/5", "c'):
        file.write_text(content)
        with pytest.raises(WrongInputError, match="holds another run than this kit's; name"):
            received(left(), suite, tmp_path)
        assert file.read_text() == content


@pytest.mark.parametrize("nonce", ["cd" * 16, ""])
def test_a_wrong_folder_keeps_its_judgement(left: Left, tmp_path: Path, nonce: str) -> None:
    """A slip in --results costs nothing: what stands there is about another run."""
    outputs, folder = left(), tmp_path / "results"
    folder.mkdir()
    (folder / "run.json").write_text(f'{{"format": "aclnn-cts/run/5", "nonce": "{nonce}"}}')
    for name in REPORT_FILES:
        (folder / name).write_text("judged earlier")
    done = CliRunner().invoke(app, ["judge", str(outputs), "--results", str(folder)])
    assert done.exit_code == ExitCode.WRONG_INPUT, done.output
    assert "holds another run than this kit's" in done.output
    assert {(folder / name).read_text() for name in REPORT_FILES} == {"judged earlier"}


@pytest.mark.parametrize(
    "changes", [{"kit": {"data": {}}}, {"kit": {"cases": [{"id": "x"}]}}, {"record": ()}]
)
def test_outputs_that_are_refused_withdraw_it(
    left: Left, suite: Suite, tmp_path: Path, changes: dict[str, Any]
) -> None:
    """Where the same kit's earlier outputs were judged, that does not stand for the new ones."""
    folder = received(left(), suite, tmp_path).path
    (folder / "results.json").write_text("judged earlier")
    done = CliRunner().invoke(app, ["judge", str(left(**changes)), "--results", str(folder)])
    assert done.exit_code == ExitCode.NOT_TRUSTWORTHY, done.output
    assert not (folder / "results.json").exists()
    assert (folder / "run.json").exists()


def test_outputs_that_never_came_withdraw_it(left: Left, suite: Suite, tmp_path: Path) -> None:
    """Where the copy from the host failed, last night's judgement does not stand for tonight's."""
    folder = received(left(), suite, tmp_path).path
    (folder / "results.json").write_text("judged earlier")
    missing = str(tmp_path / "nightly" / "outputs.tar.gz")
    done = CliRunner().invoke(app, ["judge", missing, "--results", str(folder)])
    assert done.exit_code == ExitCode.WRONG_INPUT, done.output
    assert "there is no such file or folder" in done.output
    assert not (folder / "results.json").exists()


def test_a_program_that_was_killed_is_told(left: Left, suite: Suite, tmp_path: Path) -> None:
    """Where no program reached a device and none said a word: what ended it."""
    killed = process(exit_code=-25)
    outputs = left(record=(HOST, killed), without="", device={"event": "x"})
    with pytest.raises(NotTrustworthyError, match="was killed by SIGXFSZ"):
        received(outputs, suite, tmp_path)
