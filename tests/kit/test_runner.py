# SPDX-License-Identifier: Apache-2.0
"""The runner of a kit: what it runs, what it runs again, and what it remembers.

No program is started: a function plays them. tests/end_to_end/kits runs real ones.
"""

from __future__ import annotations

import hashlib
import json
import platform
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.kit import runner
from aclnn_cts.kit.archive import OUTPUTS, check_archive
from aclnn_cts.kit.runner import CaseText, KitError, NoDeviceError, Record, Run, Toolkit
from aclnn_cts.run.process import BAD_INPUT, ProcessEnd, read_progress
from aclnn_cts.run.schedule import MOST_TIMEOUTS, NO_RUNTIME, Task

NONCE = "0123456789abcdef"
HOST = [{"event": "host", "host": "h"}]
FIRST, SECOND = "aclnnA-000", "aclnnB-000"
CASES = {FIRST: [f"a{number}" for number in range(9)], SECOND: ["b0", "b1"]}
Play = Callable[[str], str]
"""Returns what happens in a case: nothing, or ``crash``, ``hang``, ``stop`` or ``bad``."""


@dataclass
class Host:
    """A host with a kit of two batches, whose programs are played.

    Attributes:
        kit: The folder of the kit.
        play: What happens in a case.
        refused: Devices that the runtime refuses.
        started: The names of the processes that were started, the device, and the cases.
    """

    kit: Path
    play: Play = field(default=lambda _: "")
    refused: set[str] = field(default_factory=set)
    started: list[tuple[str, str, list[str]]] = field(default_factory=list)

    @property
    def work(self) -> Path:
        """Where everything is made."""
        return self.kit / f"work-{NONCE[:12]}"

    def run(self, *devices: int, host: Sequence[dict[str, Any]] = HOST) -> Run:
        """Return a run as it begins when the script is started once more."""
        toolkit = Toolkit(self.kit, (self.kit,), self.kit, self.kit, ())
        record = Record(self.work / "record.jsonl", list(host))
        return Run(self.kit, self.work, toolkit, record, [*devices] or [0], 1, threading.Event())

    def watch(self, command: Sequence[str], *arguments: Any) -> ProcessEnd:
        """Play a program."""
        stop = arguments[-1]
        options = dict(zip(command[1::2], command[2::2], strict=True))
        text = Path(options["--cases"]).read_text()
        cases = [line.split()[1] for line in text.splitlines() if line.startswith("case ")]
        name = Path(options["--events"]).stem
        self.started.append((name, options["--device"], cases))
        if options["--device"] in self.refused:
            return ProcessEnd(NO_RUNTIME, timed_out=False, seconds=0.0, stderr="it is busy")
        with Path(options["--events"]).open("w") as events:
            told(events, "device")
            for case in cases:
                told(events, "begin", case)
                Path(options["--outputs"]).write_text(case)
                what = self.play(case)
                if what == "stop":
                    stop.set()
                if what:
                    code = {"crash": -11, "hang": -9, "bad": BAD_INPUT, "stop": -15}[what]
                    return ProcessEnd(code, what == "hang", 1.0, f"what {case} said")
                told(events, "end", case)
            told(events, "finished")
        return ProcessEnd(0, timed_out=False, seconds=1.0, stderr="")


def told(events: Any, event: str, case: str = "") -> None:
    line = {"event": event, **({"case": case} if case else {})}
    events.write(json.dumps(line, separators=(",", ":")) + "\n")


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """A host on which the programs are built."""
    found = Host(tmp_path)
    work = found.work
    for folder in (tmp_path / "cases", work / "cases", work / "events", work / "outputs"):
        folder.mkdir(parents=True)
    (tmp_path / "kit.json").write_text(json.dumps({"nonce": NONCE}))
    (tmp_path / "batches.txt").write_text(f"{FIRST} aclnnA\n{SECOND} aclnnB\n")
    for name, cases in CASES.items():
        text = "heading\n" + "".join(f"case {case}\n  more\n" for case in cases)
        (tmp_path / "cases" / f"{name}.txt").write_text(text)
    monkeypatch.setattr(runner, "watch", found.watch)
    return found


def tasks(host: Host) -> list[Task[CaseText]]:
    return runner.read_tasks(host.kit)


def abouts(tasks: Iterable[Task[CaseText]]) -> list[str]:
    return [task.assignment.about for task in tasks]


def remaining(run: Run, task: Task[CaseText]) -> list[str]:
    return [case.id for case in run.remaining(task).batch.cases]


def once(what: str, *cases: str) -> Play:
    """Return a play in which something happens in each of some cases, the first time alone."""
    left = set(cases)

    def play(case: str) -> str:
        found = case in left
        left.discard(case)
        return what if found else ""

    return play


def test_all_cases_are_run(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Two devices share the batches; a case file has the heading and the cases of its batch."""
    run = host.run(0, 1)
    run.work_off(tasks(host), "batches")
    assert sorted((name, cases) for name, _, cases in host.started) == sorted(CASES.items())
    assert {device for _, device, _ in host.started} <= {"0", "1"}
    text = (host.work / "cases" / f"{SECOND}.txt").read_text()
    assert text == "heading\ncase b0\n  more\ncase b1\n  more\n"
    assert capsys.readouterr().out == "batches: 1 of 2\nbatches: 2 of 2\n"
    assert run.suspects(tasks(host)) == {"hung": [], "were interrupted": [], "crashed": []}
    assert not any(map(run.rest, tasks(host)))


def test_what_dies_is_started_again(host: Host) -> None:
    """Behind the case that it died in; each such case is then run once more, alone."""
    host.play = lambda case: {"a3": "crash", "b0": "hang"}.get(case, "")
    run = host.run()
    run.work_off(tasks(host), "batches")
    assert [(name, cases[0]) for name, _, cases in host.started] == [
        (FIRST, "a0"), (f"{FIRST}.1", "a4"), (SECOND, "b0"), (f"{SECOND}.1", "b1"),
    ]  # fmt: skip
    suspects = run.suspects(tasks(host))
    assert {why: abouts(alone) for why, alone in suspects.items()} == {
        "hung": ["b0"], "were interrupted": [], "crashed": ["a3"],
    }  # fmt: skip
    for alone in suspects.values():
        run.work_off(alone, "alone")
    assert host.started[4:] == [
        (f"{SECOND}-case0-alone", "0", ["b0"]), (f"{FIRST}-case3-alone", "0", ["a3"]),
    ]  # fmt: skip
    # A single try each, also if the script is started again.
    assert not any(run.rest(each) for alone in suspects.values() for each in alone)
    codes = Counter(each.exit_code for each in host.run().record.programs)
    assert codes == {0: 2, -11: 2, -9: 2}


def test_a_crash_after_the_last_case(host: Host) -> None:
    """A program that dies when all its cases ended has that of the last one on it."""
    host.play = lambda case: "crash" if case == "b1" else ""
    run = host.run()
    run.work_off(tasks(host), "batches")
    events = host.work / "events" / f"{SECOND}.jsonl"
    with events.open("a") as file:
        told(file, "end", "b1")
    assert abouts(run.suspects(tasks(host))["crashed"]) == ["b1"]


def test_many_hangs(host: Host) -> None:
    """A batch in which as many cases hang as at home is given up; its others are never begun."""
    host.play = lambda case: "hang" if case < "b" else ""
    run = host.run()
    run.work_off(tasks(host), "batches")
    assert Counter(name.partition(".")[0] for name, _, _ in host.started)[FIRST] == MOST_TIMEOUTS
    assert remaining(run, tasks(host)[0]) == CASES[FIRST][MOST_TIMEOUTS:]
    assert run.rest(tasks(host)[0]) is None


def test_a_program_that_dies_at_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not started for ever; its cases are never begun."""
    ends = iter([ProcessEnd(-9, timed_out=False, seconds=0.0, stderr="")] * 2)
    monkeypatch.setattr(runner, "watch", lambda *_: next(ends))
    run = host.run()
    run.work_off(tasks(host), "batches")
    assert [remaining(run, task) for task in tasks(host)] == list(CASES.values())


def test_a_program_that_cannot_go_on(host: Host) -> None:
    """A file that it cannot read or write ends the run, with what it said of it."""
    host.play = lambda case: "bad" if case == "a1" else ""
    with pytest.raises(KitError, match=f"{FIRST} cannot go on: what a1 said"):
        host.run().work_off(tasks(host), "batches")


def test_a_device_that_cannot_be_used(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """It is left out, and told; another one runs what it would have run. With none, nothing."""
    host.refused = {"7", "8"}
    with pytest.raises(NoDeviceError, match=r"^device [78] cannot be used: it is busy; then start"):
        host.run(7, 8).work_off(tasks(host), "batches")
    run = host.run(7, 0)
    run.work_off(tasks(host), "batches")
    assert "device 7 cannot be used: it is busy; going on without it" in capsys.readouterr().err
    assert {each.device for each in run.record.programs} == {0}
    assert not any(map(run.rest, tasks(host)))


def test_an_interrupted_run_goes_on(host: Host) -> None:
    """What ended stays; the case that was running runs again in its batch, and once more alone."""
    host.play = once("stop", "a3")
    with pytest.raises(KitError, match=r"interrupted; start run\.sh again"):
        host.run().work_off(tasks(host), "batches")
    run = host.run()
    assert run.record.programs == []
    run.work_off(tasks(host), "batches")
    assert host.started[1] == (f"{FIRST}.1", "0", CASES[FIRST][3:])
    cut, *_ = run.record.programs
    assert (cut.exit_code, cut.cut, cut.part) == (None, "a3", 0)
    kept = read_progress(host.work / "events" / f"{FIRST}.jsonl")
    assert kept.ended == dict.fromkeys(CASES[FIRST][:3], True)
    suspects = run.suspects(tasks(host))
    assert abouts(suspects["were interrupted"]) == ["a3"]
    # So is a try alone, which is then made anew.
    host.play = once("stop", "a3")
    with pytest.raises(KitError, match="interrupted"):
        run.work_off(suspects["were interrupted"], "alone")
    run = host.run()
    run.work_off(run.suspects(tasks(host))["were interrupted"], "alone")
    assert run.record.programs[-1].about == "a3"
    assert run.record.programs[-1].exit_code == 0


def damages(whole: bytes) -> Iterable[bytes]:
    """Yield what a disk, or a hand, may make of a file."""
    line = whole.index(b"\n") + 1
    yield from (b"", whole[:-1], whole[line:], whole[:line] + whole, whole + whole[line:])
    yield random.Random(1).randbytes(len(whole))  # noqa: S311


def test_a_damaged_record(host: Host) -> None:
    """What the run knew of itself is whole, or it ends with the file's name."""
    host.run().work_off(tasks(host), "batches")
    path = host.work / "record.jsonl"
    whole = path.read_bytes()
    for damaged in damages(whole):
        path.write_bytes(damaged)
        with pytest.raises(KitError, match=r"record\.jsonl: is damaged; remove the folder work"):
            host.run()
    path.unlink()
    with pytest.raises(KitError, match=r"record\.jsonl: is missing; remove the folder work"):
        host.run()
    path.write_bytes(whole)
    with pytest.raises(KitError, match="the run began on another host, with another toolkit"):
        host.run(host=[{"event": "host", "host": "other"}])


@pytest.mark.parametrize("name", [f"events/{FIRST}.jsonl", f"outputs/{FIRST}.bin"])
@pytest.mark.parametrize("damage", [lambda p: p.write_text("x"), lambda p: p.unlink()])
def test_a_file_that_changed(host: Host, name: str, damage: Callable[[Path], None]) -> None:
    """What a process left goes home as it was when the process ended, or not at all."""
    run = host.run()
    run.work_off(tasks(host), "batches")
    damage(host.work / name)
    archive = host.kit / "outputs.tar.gz"
    with pytest.raises(KitError, match="was modified after the run; remove the folder work"):
        run.pack(archive)
    assert not archive.exists()


def test_what_goes_home(host: Host) -> None:
    """The record and its files, the kit's description, and what says a release."""
    (host.kit / "version.cfg").write_text("version=1\n")
    (host.kit / "ascend_toolkit_install.info").write_bytes(bytes(1 << 17))  # no such file
    run = host.run()
    run.work_off(tasks(host), "batches")
    run.pack(host.kit / "outputs.tar.gz")
    _, files = check_archive(host.kit / "outputs.tar.gz", OUTPUTS, lambda _: True)
    events = {f"events/{name}.jsonl" for name in CASES}
    outputs = {f"outputs/{name}.bin" for name in CASES}
    rest = {"MANIFEST.sha256", "kit.json", "record.jsonl", "versions/toolkit/version.cfg"}
    assert files.keys() == events | outputs | rest
    host_line, start, *processes = map(json.loads, files["record.jsonl"].splitlines())
    assert (host_line, start["event"]) == (HOST[0], "start")
    digest = hashlib.sha256(files[f"events/{FIRST}.jsonl"]).hexdigest()
    assert processes[0]["program"]["events_sha256"] == digest


@pytest.mark.parametrize(
    "happens",
    [
        ("", (), ""),
        ("crash", ("b1",), "not run again alone: 1 case that ended a process: device 0"),
        ("hang", CASES[FIRST], "3 cases never begun"),
    ],
)
def test_what_was_run_goes_home(
    host: Host,
    toolkit: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    happens: tuple[str, Sequence[str], str],
) -> None:
    """Although a crash costs the device, or cases are left out; the exit status is 1 then."""
    what, cases, message = happens
    (host.kit / "MANIFEST.sha256").touch()
    monkeypatch.setattr(runner, "_build", lambda *_: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)

    def play(case: str) -> str:
        if case in cases and what == "crash":
            host.refused.add("0")
        return what if case in cases else ""

    host.play = play
    assert runner.main(host.kit, [str(toolkit)]) == bool(message)
    out, err = capsys.readouterr()
    archive = host.kit / "outputs.tar.gz"
    assert f"{archive} holds all outputs" in out
    assert message in err
    assert ("home all the same" in err) == bool(message)
    record = check_archive(archive, OUTPUTS, lambda _: True)[1]["record.jsonl"]
    assert b'"about": "b1"' not in record
    # Started again, it has the try that it could not make.
    host.refused.clear()
    host.play = lambda _: ""
    assert runner.main(host.kit, [str(toolkit)]) == (what == "hang")
    record = check_archive(archive, OUTPUTS, lambda _: True)[1]["record.jsonl"]
    assert (b'"about": "b1"' in record) == (what == "crash")


@pytest.fixture
def toolkit(tmp_path: Path) -> Path:
    """A toolkit that holds one library of operators."""
    for name in ("include/acl/acl.h", "include/aclnn/acl_meta.h"):
        (tmp_path / "toolkit" / name).parent.mkdir(parents=True)
        (tmp_path / "toolkit" / name).touch()
    (tmp_path / "toolkit" / "lib64").mkdir()
    header = Path("/proc/self/exe").read_bytes()[:20]
    for name in ("libascendcl.so", "libnnopbase.so", "libopapi_math.so"):
        (tmp_path / "toolkit" / "lib64" / name).write_bytes(header)
    return tmp_path / "toolkit"


@pytest.mark.parametrize("branch", ["", "x86_64-linux", "aarch64-linux", "arm64-linux"])
def test_where_the_parts_of_a_toolkit_are(
    toolkit: Path, monkeypatch: pytest.MonkeyPatch, branch: str
) -> None:
    """Below `latest`, below the host's architecture; libraries of another one are passed over."""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64" if "x86" in branch else "aarch64")
    releases = toolkit.parent / "releases"
    root = releases / "8.5.0"
    toolkit.rename(made((root / branch).parent) / (root / branch).name)
    if branch:
        foreign = made(root / "lib64")
        for name in ("libascendcl.so", "libnnopbase.so"):
            (foreign / name).write_bytes(bytes(20))
    (releases / "latest").symlink_to("8.5.0")
    monkeypatch.setenv("ASCEND_HOME_PATH", "")
    monkeypatch.setenv("ASCEND_TOOLKIT_HOME", str(releases))
    for named in (str(releases), str(root), ""):
        found = runner.find_toolkit(named)
        assert (found.root, found.libraries) == (root, root / branch / "lib64")
        assert found.include == root / branch / "include"
        assert found.names[2:] == ("libopapi_math.so",)


def made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("name", "damage", "told"),
    [
        ("", Path.rename, "there is no such folder; name the CANN toolkit"),
        ("include/aclnn/acl_meta.h", Path.rename, "include/aclnn/acl_meta.h is missing"),
        ("lib64/libnnopbase.so", Path.rename, "libascendcl.so is missing"),
        ("lib64/libopapi_math.so", Path.rename, r"libopapi\*.so is missing"),
        ("lib64/libnnopbase.so", None, "is not a library for this host's architecture"),
        ("lib64/libopapi_math.so", None, "is not a library for this host's architecture"),
    ],
)
def test_what_a_toolkit_may_lack(
    toolkit: Path, name: str, damage: Callable[[Path, Path], Any] | None, told: str
) -> None:
    """A sentence each."""
    if damage is None:
        (toolkit / name).write_bytes(bytes(20))
    else:
        damage(toolkit / name, toolkit.parent / "elsewhere")
    with pytest.raises(KitError, match=told):
        runner.find_toolkit(str(toolkit))


def started(kit: Path, monkeypatch: pytest.MonkeyPatch, **environment: str) -> int:
    """Start the runner in a kit's folder without a toolkit."""
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return runner.main(kit, [str(kit / "no-toolkit")])


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("DEVICES", ",", "is not a device number or range"),
        ("DEVICES", "3-1", "runs backwards"),
        ("DEVICES", "0,1,0-2", "is given twice"),
        ("CASE_SECONDS", "0.5", "CASE_SECONDS: '0.5'"),
    ],
)
def test_variables(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    text: str,
    message: str,
) -> None:
    """What is wrong with a variable is told before anything else."""
    assert started(tmp_path, monkeypatch, **{variable: text}) == 1
    assert message in capsys.readouterr().err


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit of two files."""
    lines = []
    for name, content in {
        "kit.json": json.dumps({"nonce": NONCE}).encode(),
        "data": b"\1\2",
    }.items():
        (tmp_path / name).write_bytes(content)
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
    (tmp_path / "MANIFEST.sha256").write_text("".join(lines))
    return tmp_path


@pytest.mark.parametrize("name", ["kit.json", "data", "MANIFEST.sha256"])
def test_each_byte_of_a_kit_counts(
    kit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Nothing is built if a byte of any file is another, or a file is gone."""
    whole = (kit / name).read_bytes()
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        (kit / name).write_bytes(changed)
        assert started(kit, monkeypatch) == 1
        assert "is not what was packed; unpack the kit again" in capsys.readouterr().err
    (kit / name).unlink()
    assert started(kit, monkeypatch) == 1
    assert name in capsys.readouterr().err


def test_what_another_kit_left_is_no_result(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Last night's archive in the folder does not pass for what tonight's kit did not leave."""
    outputs = kit / "outputs.tar.gz"
    outputs.write_text("another kit's")
    assert started(kit, monkeypatch) == 1
    assert not outputs.exists()
    # What this kit left before stays, however often it is started.
    (kit / f"work-{NONCE[:12]}").mkdir()
    outputs.write_text("this kit's")
    assert started(kit, monkeypatch) == 1
    assert outputs.exists()
