# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of a kit on the devices of its host, and packs their outputs.

A kit carries this module, the scheduler (:mod:`aclnn_cts.run.schedule`) and the few others that
they import. All of them need nothing but the standard library of Python 3.8.

The folder ``work-NONCE`` holds what is made: ``build/``, ``cases/``, ``events/``, ``outputs/``, and
``record.jsonl``, the runner's state. That file is replaced atomically after each process, so a
restarted run resumes where the last one ended.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from aclnn_cts.compiler import compiler_path, compiler_version
from aclnn_cts.errors import CtsError, counted
from aclnn_cts.files import replacing, sha256_of, write_text
from aclnn_cts.kit.archive import MANIFEST, OUTPUTS, write_archive
from aclnn_cts.kit.inputs import MAKER, make_inputs
from aclnn_cts.run import workers
from aclnn_cts.run.process import (
    BAD_INPUT,
    RUNNER,
    Limits,
    ProcessEnd,
    ProcessFiles,
    ProgramRun,
    command_of,
    parse_devices,
    read_progress,
    watch,
)
from aclnn_cts.run.schedule import (
    MOST_TIMEOUTS,
    Batch,
    Outcome,
    Schedule,
    Task,
    Turn,
    suspects_of,
)
from aclnn_cts.run.toolkit_layout import (
    CUSTOM,
    CUSTOM_LIBRARY,
    HEADERS,
    INSTALLATION,
    LIBRARIES,
    MOST_RELEASE_BYTES,
    PLACES,
    RELEASE_FILES,
    VARIABLES,
    branches_of,
    custom_packages,
    has_all,
    newest_release,
)

KIT_FILE, BATCHES_FILE, RECORD_FILE = "kit.json", "batches.txt", "record.jsonl"
VERSIONS = "versions/"
"""Folder of the outputs with the version files of toolkit, driver and firmware."""

_ANEW = "remove the folder {} and start run.sh again to begin anew"


class KitError(CtsError):
    """The run of the kit ends here; the message says why and what to do."""


class NoDeviceError(KitError):
    """No device is left."""


@dataclass(frozen=True)
class Toolkit:
    """A CANN toolkit that this host can run.

    Attributes:
        branches: The folders that may hold its parts: its root, and those for the architecture.
        names: The libraries that programs may be linked with; operators' libraries from the third
            on.
        custom: The folders ``op_api`` of custom packages of operators.
    """

    root: Path
    branches: tuple[Path, ...]
    include: Path
    libraries: Path
    names: tuple[str, ...]
    custom: tuple[Path, ...] = ()

    def paths(self) -> Iterator[Path]:
        """Yield the libraries, those of custom packages after the runtime's."""
        libraries = [self.libraries / name for name in self.names]
        yield from libraries[: len(LIBRARIES)]
        yield from (folder / "lib" / CUSTOM_LIBRARY for folder in self.custom)
        yield from libraries[len(LIBRARIES) :]


def find_toolkit(named: str) -> Toolkit:
    """Return the named or installed toolkit; KitError if it lacks something."""
    if not named:
        installed = next((place for place in PLACES if place.is_dir()), PLACES[-1])
        named = next(filter(None, map(os.environ.get, VARIABLES)), str(installed))
        _say(f"toolkit: {named}")
    root = Path(named)
    other = "name another toolkit: sh run.sh TOOLKIT"
    if not root.is_dir():
        raise KitError(f"{root}: there is no such folder; name the CANN toolkit: sh run.sh TOOLKIT")
    root = newest_release(root.resolve())
    branches = branches_of(root, platform.machine())
    include = [b / "include" for b in branches if has_all(b / "include", HEADERS)]
    libraries = [b / "lib64" for b in branches if has_all(b / "lib64", LIBRARIES)]
    if not include:
        raise KitError(f"{root}: include/{HEADERS[1]} is missing; install its development files")
    if not libraries:
        raise KitError(f"{root}: lib64/{LIBRARIES[0]} is missing; {other}")
    native = [b for b in libraries if all(_is_native(b / name) for name in LIBRARIES)]
    folder = (native or libraries)[0]
    operators = sorted(path.name for path in folder.glob("libopapi*.so"))
    if not operators:
        raise KitError(f"{folder}: libopapi*.so is missing; install the operators' package")
    custom = custom_packages(root, os.environ.get(CUSTOM, ""))
    toolkit = Toolkit(root, branches, include[0], folder, (*LIBRARIES, *operators), custom)
    foreign = next((path for path in toolkit.paths() if not _is_native(path)), None)
    if foreign is not None:
        raise KitError(f"{foreign}: is not a library for this host's architecture; {other}")
    return toolkit


def _is_native(library: Path) -> bool:
    """Whether a library is for this machine, by its ELF header."""
    with library.open("rb") as file, Path("/proc/self/exe").open("rb") as program:
        header, expected = file.read(20), program.read(20)
    return header[:6] == expected[:6] and header[18:] == expected[18:]


def find_compiler() -> tuple[str, str]:
    """Return the compiler, and its version line."""
    compiler = compiler_path()
    if compiler is None:
        raise KitError("no C++ compiler found; install g++ 7.3 or newer, or name one in CXX")
    return compiler, compiler_version(compiler)


@dataclass(frozen=True)
class CaseText:
    """A case of a case file.

    Attributes:
        heading: The first lines of the file.
        lines: The lines of the case.
    """

    id: str
    heading: str
    lines: str


def read_tasks(kit: Path) -> list[Task[CaseText]]:
    """Return the batches of a kit, in the order in which they are begun."""
    tasks = []
    for line in (kit / BATCHES_FILE).read_text().splitlines():
        name, operator = line.split()
        text = (kit / "cases" / f"{name}.txt").read_text()
        heading, *cases = re.split(r"^(?=case )", text, flags=re.MULTILINE)
        texts = (CaseText(case.splitlines()[0][len("case ") :], heading, case) for case in cases)
        tasks.append(Task(Batch(name, operator, tuple(texts))))
    return tasks


class Record:
    """The runner's record of a run; the file's first line is the digest of the others."""

    def __init__(self, path: Path, host: Sequence[dict[str, Any]]) -> None:
        """Read the record of an earlier start, or begin one.

        Raises:
            KitError: It is damaged, or of a run that began on another host.
        """
        self._path = path
        anew = _ANEW.format(path.parent.name)
        if path.exists():
            digest, _, text = path.read_text("utf-8", "replace").partition("\n")
            if hashlib.sha256(text.encode()).hexdigest() != digest:
                raise KitError(f"{path}: is damaged; {anew}")
            lines = [json.loads(line) for line in text.splitlines()]
            self._heading = lines[: len(host) + 1]
            if self._heading[: len(host)] != host:
                raise KitError(
                    f"{path}: the run began on another host, with another toolkit or compiler; "
                    f"go on with these, or {anew}"
                )
            programs = (line["program"] for line in lines[len(host) + 1 :])
            self.programs = [ProgramRun.of_record(program, path.parent) for program in programs]
        elif any((path.parent / "events").glob("*")):
            raise KitError(f"{path}: is missing; {anew}")
        else:
            now = datetime.now(timezone.utc).isoformat(timespec="seconds")
            self._heading = [*host, {"event": "start", "time": now}]
            self.programs = []
            self._write()

    @property
    def text(self) -> str:
        """The lines after the digest."""
        folder = self._path.parent
        lines = [{"event": "process", "program": run.record(folder)} for run in self.programs]
        return "".join(json.dumps(line) + "\n" for line in (*self._heading, *lines))

    def add(self, program: ProgramRun) -> None:
        """Add a process and write the record to the disk."""
        self.programs.append(program)
        self._write()

    def _write(self) -> None:
        text = self.text.encode()
        with replacing(self._path) as file:
            file.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
            file.flush()
            os.fsync(file.fileno())

    def outcomes(self, task: Task[CaseText]) -> list[Outcome]:
        """Return how the processes of a task's batch ended."""
        return [run.outcome for run in self.programs if run.batch == task.batch.name]


@dataclass
class Run:
    """A run of a kit.

    Attributes:
        work: The work folder.
        devices: The devices that can be used.
        case_seconds: Time that a stream is given for a case.
        stop: Set to end the run.
    """

    kit: Path
    work: Path
    toolkit: Toolkit
    record: Record
    devices: list[int]
    case_seconds: int
    stop: threading.Event

    def work_off(self, tasks: Sequence[Task[CaseText]], what: str) -> None:
        """Run the rest of batches on all devices.

        Raises:
            KitError: A program cannot read or write its files, the run is interrupted, or no
                device is left.
        """
        for task in filter(self.rest, tasks):
            self._salvage(task)
        schedule: Schedule[CaseText] = Schedule.of_devices(self.devices)
        schedule.begin(filter(None, map(self.rest, tasks)))
        completed, refusal = len(tasks) - len(schedule.waiting), ""
        with closing(workers.work_off(schedule, self._run_process, self.stop)) as turns:
            for turn, end in turns:
                task, device = turn.task, turn.device
                files = ProcessFiles.of(self.work, task.name)
                complaint = (end.stderr.splitlines() or ["it said nothing"])[-1]
                if end.exit_code == BAD_INPUT and not read_progress(files.events).finished:
                    raise KitError(
                        f"{task.batch.name} cannot go on: {complaint}; then start run.sh again"
                    )
                _sync(files)
                program = ProgramRun.of_end(task.assignment, end, files, device)
                outcome = program.outcome
                if outcome.refused:
                    # The record leaves it out, so that a later start has the same names.
                    schedule.put_back(task)
                    self.devices.remove(device)
                    refusal = f"device {device} cannot be used: {complaint}"
                    if self.devices:
                        sys.stderr.write(f"{refusal}; going on without it\n")
                    continue
                self.record.add(program)
                if not schedule.end(turn, outcome):
                    completed += 1
                    _say(f"{what}: {completed} of {len(tasks)}")
        if self.stop.is_set():
            raise KitError("interrupted; start run.sh again to go on")
        if schedule.waiting:
            raise NoDeviceError(f"{refusal}; then start run.sh again")

    def remaining(self, task: Task[CaseText]) -> Task[CaseText]:
        """Return the task for the cases of a batch that no recorded process began."""
        outcomes = self.record.outcomes(task)
        return task.after(*outcomes, parts=len(outcomes))

    def rest(self, task: Task[CaseText]) -> Task[CaseText] | None:
        """Return what remains of a batch by the record; None if it is done or given up."""
        remaining = self.remaining(task)
        was_rerun = task.purpose == "alone" and remaining.part > 0
        return None if was_rerun or not remaining.is_due(MOST_TIMEOUTS) else remaining

    def _run_process(self, turn: Turn[CaseText]) -> ProcessEnd:
        task = turn.task
        files, cases = ProcessFiles.of(self.work, task.name), task.batch.cases
        write_text(files.cases, cases[0].heading + "".join(case.lines for case in cases))
        # Remove old records, so that the growth of the new ones is visible.
        files.events.unlink(missing_ok=True)
        program = self.work / "build" / task.batch.operator
        command = command_of(program, files, self.kit / "data", turn.device, self.case_seconds)
        # Programs end with this process; a hanging one would hold its device forever.
        environment = {**os.environ, RUNNER: str(os.getpid())}
        custom = (str(folder / "lib") for folder in self.toolkit.custom)
        folders = (str(self.toolkit.libraries), *custom, environment.get("LD_LIBRARY_PATH"))
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, folders))
        limits = Limits(*task.limits(self.case_seconds))
        try:
            return watch(command, environment, files.events, limits, lambda _: None, self.stop)
        except OSError as error:
            raise KitError(f"{program}: cannot be started: {error.strerror}") from None

    def _salvage(self, task: Task[CaseText]) -> None:
        """Record the process of a batch that was running when an earlier start was interrupted."""
        remaining = self.remaining(task)
        files = ProcessFiles.of(self.work, remaining.name)
        if files.events.is_file():
            files.outputs.touch()  # a program that was killed early leaves none
        if task.purpose == "batch" and (process := ProgramRun.salvage(remaining.assignment, files)):
            _sync(files)
            self.record.add(process)

    def suspects(self, tasks: Sequence[Task[CaseText]]) -> dict[str, list[Task[CaseText]]]:
        """Return the cases to rerun alone, by reason."""
        # in the order in which they are rerun: a crash may cost the device
        reasons = ("hung", "were interrupted", "crashed")
        groups: dict[str, list[Task[CaseText]]] = {reason: [] for reason in reasons}
        for task in tasks:
            for reason, alone in suspects_of(task.batch, self.record.outcomes(task)):
                groups[reason].append(alone)
        return groups

    def pack(self, archive: Path) -> None:
        """Write the archive for home; raise KitError if a file was modified."""
        members: dict[str, bytes | Path] = {
            KIT_FILE: self.kit / KIT_FILE,
            RECORD_FILE: self.record.text.encode(),
        }
        for program in self.record.programs:
            if altered := program.find_altered():
                anew = _ANEW.format(self.work.name)
                raise KitError(f"{altered}: was modified after the run; {anew}")
            for path in (program.events, program.outputs):
                members[path.relative_to(self.work).as_posix()] = path
        for name, path in _release_files(self.toolkit):
            if path.is_file() and path.stat().st_size <= MOST_RELEASE_BYTES:
                members[VERSIONS + name] = path
        write_archive(archive, OUTPUTS, members)


def _sync(files: ProcessFiles) -> None:
    """Have a process's files safe on the disk, as the record must not describe more than that."""
    for path in (files.events, files.outputs):
        with path.open("ab") as file:  # a program that died early leaves no outputs
            os.fsync(file.fileno())


def _release_files(toolkit: Toolkit) -> Iterator[tuple[str, Path]]:
    for branch in toolkit.branches:
        for name in RELEASE_FILES:
            path = branch / name
            yield f"toolkit/{path.relative_to(toolkit.root).as_posix()}", path
    for name in ("driver/version.info", "firmware/version.info"):
        yield name, INSTALLATION / name


def _describe(kit: Path, toolkit: Toolkit, compiler: str) -> list[dict[str, Any]]:
    """Return the lines about the host."""
    host = {
        "event": "host",
        "manifest_sha256": sha256_of(kit / MANIFEST),
        "host": platform.node(),
        "architecture": platform.machine(),
        "compiler": compiler,
        "toolkit": str(toolkit.root),
    }
    libraries = [
        {
            "event": "library",
            "name": path.name,
            "path": str(path.resolve()),
            "sha256": sha256_of(path),
        }
        for path in toolkit.paths()
    ]
    return [host, *libraries]


def _check_kit(kit: Path) -> None:
    for line in (kit / MANIFEST).read_text("utf-8", "replace").splitlines():
        digest, _, name = line.partition("  ")
        path = kit / (name or line)
        if not path.is_file() or sha256_of(path) != digest:
            raise KitError(f"{name or line}: is not what was packed; unpack the kit again")


def _build(kit: Path, work: Path, toolkit: Toolkit, compiler: str) -> None:
    libraries = (shlex.quote(str(folder / "lib" / CUSTOM_LIBRARY)) for folder in toolkit.custom)
    operators = (f"-l{name[len('lib') : -len('.so')]}" for name in toolkit.names[len(LIBRARIES) :])
    links = " ".join((*libraries, *operators))
    headers = (f"-isystem {shlex.quote(str(folder / 'include'))}" for folder in toolkit.custom)
    command = [
        *("make", f"-j{len(os.sched_getaffinity(0))}", f"CXX={compiler}", f"LIBRARIES={links}"),
        *(f"TOOLKIT_INCLUDE={toolkit.include}", f"TOOLKIT_LIBRARIES={toolkit.libraries}"),
        f"CUSTOM_HEADERS={' '.join(headers)}",
        *(f"BUILD={work.name}/build", "programs"),
    ]
    environment = {name: text for name, text in os.environ.items() if name != "MAKEFLAGS"}
    log = work / "build.log"
    with log.open("wb") as file:
        result = subprocess.run(  # noqa: S603
            command, cwd=str(kit), env=environment, stdout=file, stderr=file, check=False
        )
    if result.returncode != 0:
        sys.stderr.write("\n".join(log.read_text("utf-8", "replace").splitlines()[-12:]) + "\n")
        raise KitError(
            f"the programs do not build against {toolkit.root}, or the disk has no room; "
            f"all that the compiler said is in {log}"
        )


def _case_seconds(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text):
        raise KitError(f"CASE_SECONDS: {text!r} is not a whole number of seconds from 1 to 99999")
    return int(text)


def _run(kit: Path, toolkit_folder: str, stop: threading.Event) -> None:
    archive = kit / "outputs.tar.gz"
    devices = list(parse_devices(os.environ.get("DEVICES") or "0", "DEVICES"))
    case_seconds = _case_seconds(os.environ.get("CASE_SECONDS") or "60")
    _check_kit(kit)
    nonce = json.loads((kit / KIT_FILE).read_text("utf-8"))["nonce"]
    work = kit / f"work-{nonce[:12]}"
    if not work.exists():
        # Remove an archive of another kit, which must not pass for this one's outputs.
        archive.unlink(missing_ok=True)
    toolkit = find_toolkit(toolkit_folder)
    if shutil.which("make") is None:
        raise KitError("make is missing; install it, or add its folder to PATH")
    compiler, version = find_compiler()
    for name in ("build", "cases", "events", "outputs"):
        (work / name).mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise KitError("this kit is running already; wait for that run, or end it") from None
        record = Record(work / RECORD_FILE, _describe(kit, toolkit, version))
        _say(f"building with {version}")
        _build(kit, work, toolkit, compiler)
        make_inputs(kit, work / "build" / MAKER)
        tasks = read_tasks(kit)
        run = Run(kit, work, toolkit, record, devices, case_seconds, stop)
        run.work_off(tasks, "batches")
        suspects = run.suspects(tasks)
        refusal = ""
        try:
            for reason, group in suspects.items():
                run.work_off(group, f"cases that {reason}, again and alone")
        except NoDeviceError as error:
            refusal = str(error)
        run.pack(archive)
        _say(f"{archive} holds all outputs")
        if count := sum(len(run.remaining(task).batch.cases) for task in tasks):
            raise KitError(
                f"{counted(count, 'case')} never begun, because a program ended too early, or "
                f"too many cases before did not end; take {archive} home all the same"
            )
        if refusal:
            reruns = [task for group in suspects.values() for task in group]
            count = sum(not record.outcomes(task) for task in reruns)
            raise KitError(
                f"not run again alone: {counted(count, 'case')} that ended a process: {refusal}, "
                f"or take {archive} home all the same"
            )


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(kit: Path, arguments: Sequence[str]) -> int:
    """Run a kit; return the exit status: 0 if all cases were run, 1 after a message.

    Args:
        kit: The folder of the unpacked kit.
        arguments: The toolkit's folder; empty to look for one.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    try:
        _run(kit, (*arguments, "")[0], stop)
    except (CtsError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0
