# SPDX-License-Identifier: Apache-2.0
"""What a kit holds, and what is refused of that which comes back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.library_words import LIBRARY_WORDS
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.kit.outputs import look_at, read_kit
from aclnn_cts.kit.pack import PREFIX, KitRequest, pack
from aclnn_cts.kit.receive import receive
from aclnn_cts.kit.sealing import MANIFEST, Member, manifest_text, write_sealed
from aclnn_cts.kit.unsealing import read_sealed
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.folder import open_run
from aclnn_cts.run.folder_lock import REPORT_FILES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, find_suite

NONCE = "0123456789abcdef" * 2
HOST = {
    "event": "host", "manifest_sha256": "00", "host": "h", "architecture": "x86_64",
    "compiler": "g++", "toolkit": "/t",
}  # fmt: skip
PROCESS = {
    "event": "process", "name": "aclnnLogitGrad-000", "batch": "aclnnLogitGrad-000",
    "operator": "aclnnLogitGrad", "device": 1, "exit_code": 0, "timed_out": False, "seconds": 1.5,
    "stderr": "",
}  # fmt: skip
CRASHED = {**PROCESS, "exit_code": -11, "culprit": "case-2"}
AFTER = "aclnnLogitGrad-000.1"
BEGUN = tuple({"event": "begin", "case": f"case-{number}"} for number in (1, 2))
CUT = {"event": "cut", "batch": "aclnnLogitGrad-000", "operator": "aclnnLogitGrad"}
DEVICE = {"event": "device", "soc": "Ascend910B3", "cann": "8.0", "inf_nan": True, "nonce": NONCE}


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """The suite itself, with an empty cache."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    return find_suite()


@pytest.fixture
def request_(
    suite: Suite, specs: SpecSet, planned: Callable[[str, str], tuple[Case, ...]]
) -> KitRequest:
    """A kit of a few cases, some of them with other operators' calls."""
    own = [c for c in planned("atlas-a2", "smoke") if c.operator == "aclnnLogitGrad"]
    cases = (*own[:3], *[c for c in own if "after-others" in c.again][:1])
    store = suite.cache / "data"
    references = DataStore(store).provide(specs, cases)
    return KitRequest(
        *("atlas-a2", "smoke", "strict", cases, references, store), NONCE, "2026-01-01T00:00:00Z"
    )


def files_of(archive: Path, folder: Path) -> dict[str, bytes]:
    """Return the files of a kit by name, without its manifest."""
    names = {name: folder / str(number) for number, name in enumerate(_names(archive))}
    read_sealed(archive, "kit", PREFIX, lambda n: names[n].open("wb") if n != MANIFEST else None)
    return {name: path.read_bytes() for name, path in names.items() if name != MANIFEST}


def _names(archive: Path) -> list[str]:
    return list(read_sealed(archive, "kit", PREFIX, lambda _: None))


def test_a_kit_is_whole(suite: Suite, specs: SpecSet, request_: KitRequest, tmp_path: Path) -> None:
    """Sources, script, case files and inputs are there, and the program's further operators."""
    archive = tmp_path / "kit.tar.gz"
    count = pack(suite, specs, request_, archive)
    files = files_of(archive, tmp_path)
    assert count == len(files) + 1
    assert files["batches.txt"] == b"aclnnLogitGrad-000 aclnnLogitGrad\n"
    assert files["programs.mk"] == (
        b"programs := aclnnLogitGrad\ncalls := aclnnLogitGrad aclnnDropoutBackward\n"
        b"aclnnLogitGrad_calls := aclnnDropoutBackward\n"
    )
    text = files["cases/aclnnLogitGrad-000.txt"].decode()
    assert text.splitlines()[1] == f"nonce {NONCE}"
    paths = {reference.path for reference in request_.references.values()} - {None}
    for path in paths:
        assert files[f"data/{path}"] == (request_.store / str(path)).read_bytes()
    assert {"run.sh", "Makefile", "README.txt", "harness/kit/main.cpp"} <= set(files)
    assert {"harness/CMakeLists.txt", "generated_tests/calls.cmake"} <= set(files)


def test_the_same_kit_twice(
    suite: Suite, specs: SpecSet, request_: KitRequest, tmp_path: Path
) -> None:
    """Nothing but nonce and time tells two kits of the same cases apart."""
    for name in ("a", "b"):
        pack(suite, specs, request_, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    pack(suite, specs, replace(request_, nonce="ab" * 16), tmp_path / "c")
    assert read_kit(tmp_path / "a", suite) != read_kit(tmp_path / "c", suite)


def test_a_kit_is_never_replaced(
    suite: Suite, specs: SpecSet, request_: KitRequest, tmp_path: Path
) -> None:
    """It may be on a host already, and its outputs are held against the one at home."""
    pack(suite, specs, request_, tmp_path / "kit")
    whole = (tmp_path / "kit").read_bytes()
    with pytest.raises(WrongInputError, match="kit: is there already; name another file, or remov"):
        pack(suite, specs, replace(request_, nonce="ab" * 16), tmp_path / "kit")
    assert (tmp_path / "kit").read_bytes() == whole


Left = Callable[..., Path]


@pytest.fixture
def left(suite: Suite, specs: SpecSet, request_: KitRequest, tmp_path: Path) -> Left:
    """Return what makes the outputs of a kit by hand, with some changes."""
    pack(suite, specs, request_, tmp_path / "kit.tar.gz")
    described = files_of(tmp_path / "kit.tar.gz", tmp_path)["kit.json"]

    def make(
        kit: Mapping[str, Any] | None = None,
        record: tuple[Mapping[str, Any], ...] = (HOST, PROCESS),
        device: Mapping[str, Any] = DEVICE,
        told: tuple[Mapping[str, Any], ...] = (),
        without: str = "",
        more: Mapping[str, bytes] | None = None,
    ) -> Path:
        names = (str(PROCESS["name"]), AFTER)
        files = {
            **{f"outputs/{name}.bin": b"" for name in names},
            **{f"events/{name}.jsonl": _lines(device, *told) for name in names},
            "kit.json": json.dumps({**json.loads(described), **(kit or {})}).encode(),
            "versions/driver/version.info": b"Version=24.1.rc3\n",
            "versions/toolkit/x86_64-linux/ascend_toolkit_install.info": b"version=8.0.RC3\n",
            **(more or {}),
        }
        files["record.jsonl"] = _lines(*(_with_digests(line, files) for line in record))
        members = [Member(name, content) for name, content in files.items() if name != without]
        path = tmp_path / "outputs.tar.gz"
        write_sealed(path, (Member(MANIFEST, manifest_text(members).encode()), *members))
        return path

    return make


def _with_digests(line: Mapping[str, Any], files: Mapping[str, bytes]) -> Mapping[str, Any]:
    """Return a line of the record; of a process, with the digests that the host noted of it."""
    if line["event"] != "process":
        return line
    kinds = {"events_sha256": "events/{}.jsonl", "outputs_sha256": "outputs/{}.bin"}
    left = {key: files.get(name.format(line["name"]), b"") for key, name in kinds.items()}
    return {**{key: hashlib.sha256(content).hexdigest() for key, content in left.items()}, **line}


def _lines(*lines: Mapping[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def received(outputs: Path, suite: Suite, tmp_path: Path) -> Any:
    return receive(look_at(outputs, suite), tmp_path / "results", suite)


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
    outputs = left(record=({**HOST, "architecture": "aarch64"}, PROCESS), more=early)
    assert received(outputs, suite, tmp_path).environment.toolkit_version == "5.0.4"


def test_a_case_that_was_cut(left: Left, suite: Suite, tmp_path: Path) -> None:
    """The run tells of a case that was running when the host's run was ended, also when reloaded.

    It is told once, however often that happened, and of the kit's own cases alone.
    """
    case = look_at(left(), suite).kit.cases[1]["id"]
    cut = {**CUT, "case": case}
    run = received(left(record=(HOST, PROCESS, cut, cut)), suite, tmp_path)
    assert [program.cut for program in run.programs] == [case, ""]
    assert [program.cut for program in open_run(run.path, suite).programs] == [case, ""]
    with pytest.raises(NotTrustworthyError, match="names the case other, which the kit does not"):
        received(left(record=(HOST, PROCESS, {**CUT, "case": "other"})), suite, tmp_path)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kit": {"suite": {"version": "0.0.1", "specs_sha256": "ab"}}}, "packed by suite 0.0.1"),
        (
            {"kit": {"format": "aclnn-cts/kit/9"}},
            "is not what this suite packs (format must be 'aclnn-cts/kit/1', "
            'not "aclnn-cts/kit/9")',
        ),
        (
            {"kit": {"nonce": "short"}},
            "is not what this suite packs (nonce must be written as the pattern '^[0-9a-f]{32}$' "
            'says, not "short")',
        ),
        ({"kit": {"more": 1}}, "is not what this suite packs (more is an unknown key)"),
        ({"kit": {"cases": [{"id": "x"}]}}, "holds something that is no case"),
        ({"kit": {"data": {}}}, "input data of "),
        ({"record": ()}, "does not say on which host"),
        ({"record": (HOST,)}, "no program reached a device"),
        (
            {"record": (HOST, {"event": "x"})},
            'record.jsonl:2 is no line of a kit\'s record (event is none that is known, but "x")',
        ),
        (
            {"record": (HOST, {**PROCESS, "name": "../a"})},
            "record.jsonl:2 is no line of a kit's record (process.name must be written as",
        ),
        ({"device": {**DEVICE, "soc": "Ascend310P3"}}, "the kit is for atlas-a2"),
        ({"device": {**DEVICE, "inf_nan": False}}, "outputs.tar.gz: the device says that its"),
        ({"device": {**DEVICE, "nonce": "cd" * 16}}, "was recorded with the nonce cdcd"),
        (
            {"record": (HOST, CRASHED)},
            "events/aclnnLogitGrad-000.jsonl is not what its process left: it ended in no case, "
            "the host's record says case-2",
        ),
        (
            {"record": (HOST, {**CRASHED, "culprit": "case-1"}), "told": BEGUN},
            "it ended in case-2, the host's record says case-1",
        ),
        (
            {"record": (HOST, {**PROCESS, "exit_code": -11}), "told": BEGUN},
            "it ended in case-2, the host's record says no case",
        ),
        (
            {"record": (HOST, {**PROCESS, "timed_out": True}, {**PROCESS, "name": AFTER})},
            "aclnnLogitGrad-000.jsonl is not what its process left: another process took over",
        ),
        (
            {"record": (HOST, {**PROCESS, "outputs_sha256": "00"})},
            "outputs/aclnnLogitGrad-000.bin is not what its process left",
        ),
        ({"without": "outputs/aclnnLogitGrad-000.bin"}, "aclnnLogitGrad-000.bin is missing"),
        ({"without": "kit.json"}, "kit.json is not what this suite packs (it is empty)"),
    ],
)
def test_what_is_refused(
    left: Left, suite: Suite, tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    """Another suite's, another product's, another run's, and what is no record at all."""
    with pytest.raises(NotTrustworthyError) as told:
        received(left(**changes), suite, tmp_path)
    assert sentence in str(told.value)
    assert not LIBRARY_WORDS.search(str(told.value))
    assert not (tmp_path / "results" / "run.json").exists()


def test_a_kit_is_no_outputs(left: Left, suite: Suite, tmp_path: Path) -> None:
    """One archive named for the other is refused, and so is a folder that is somebody else's."""
    outputs = left()
    with pytest.raises(WrongInputError, match="is no archive with the outputs of a kit"):
        look_at(tmp_path / "kit.tar.gz", suite)
    with pytest.raises(WrongInputError, match="is no archive with a packed kit"):
        read_kit(outputs, suite)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "mine").touch()
    with pytest.raises(WrongInputError, match="is no results folder"):
        received(outputs, suite, tmp_path)


def test_another_run_is_not_overwritten(left: Left, suite: Suite, tmp_path: Path) -> None:
    """The same kit's outputs may come again; another run, or one that is damaged, stays."""
    received(left(), suite, tmp_path)
    received(left(), suite, tmp_path)
    file = tmp_path / "results" / "run.json"
    for content in (file.read_text().replace(NONCE, "cd" * 16), '{"format": "aclnn-cts/run/4", "c'):
        file.write_text(content)
        with pytest.raises(WrongInputError, match="holds another run than this kit's; name"):
            received(left(), suite, tmp_path)
        assert file.read_text() == content


@pytest.mark.parametrize("nonce", ["cd" * 16, ""])
def test_a_wrong_folder_keeps_its_judgement(left: Left, tmp_path: Path, nonce: str) -> None:
    """A slip in --results costs nothing: what stands there is about another run."""
    outputs, folder = left(), tmp_path / "results"
    folder.mkdir()
    (folder / "run.json").write_text(f'{{"format": "aclnn-cts/run/4", "nonce": "{nonce}"}}')
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
    killed = {**PROCESS, "exit_code": -25}
    outputs = left(record=(HOST, killed), without="", device={"event": "x"})
    with pytest.raises(NotTrustworthyError, match="was killed by SIGXFSZ"):
        received(outputs, suite, tmp_path)
