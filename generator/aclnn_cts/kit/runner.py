# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of a kit on the devices of its host, and packs their outputs.

A kit carries this module, :mod:`aclnn_cts.run.process` and the few others that they import. All of
them need nothing but the standard library of Python 3.8.

The folder ``work-NONCE`` holds what is made: ``build/``, ``cases/``, ``events/``, ``outputs/``, and
``record.jsonl``, the runner's state. That file is replaced atomically after each process, so a
restarted run resumes where the last one ended.
"""

from __future__ import annotations

import fcntl
import hashlib
import itertools
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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from aclnn_cts.compiler import compiler_path, compiler_version
from aclnn_cts.errors import CtsError, counted
from aclnn_cts.files import replacing, sha256_of, write_text
from aclnn_cts.kit.archive import MANIFEST, OUTPUTS, write_archive
from aclnn_cts.run.process import (
    BAD_INPUT,
    MOST_TIMEOUTS,
    RUNNER,
    SILENCE_FACTOR,
    UNKNOWN_DEVICE,
    Assignment,
    Ended,
    Limits,
    ProcessFiles,
    ProgramRun,
    Purpose,
    command_of,
    cut_back,
    find_half,
    parse_devices,
    part_name,
    read_progress,
    watch,
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
        own = [self.libraries / name for name in self.names]
        yield from own[: len(LIBRARIES)]
        yield from (folder / "lib" / CUSTOM_LIBRARY for folder in self.custom)
        yield from own[len(LIBRARIES) :]


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
    own = [b for b in libraries if all(_is_native(b / name) for name in LIBRARIES)]
    chosen = (own or libraries)[0]
    operators = sorted(path.name for path in chosen.glob("libopapi*.so"))
    if not operators:
        raise KitError(f"{chosen}: libopapi*.so is missing; install the operators' package")
    names = (*LIBRARIES, *operators)
    custom = custom_packages(root, os.environ.get(CUSTOM, ""))
    toolkit = Toolkit(root, branches, include[0], chosen, names, custom)
    foreign = next((path for path in toolkit.paths() if not _is_native(path)), None)
    if foreign is not None:
        raise KitError(f"{foreign}: is not a library for this host's architecture; {other}")
    return toolkit


def _is_native(library: Path) -> bool:
    """Whether a library is for this machine, by its ELF header."""
    with library.open("rb") as file, Path("/proc/self/exe").open("rb") as own:
        header, wanted = file.read(20), own.read(20)
    return header[:6] == wanted[:6] and header[18:] == wanted[18:]


def find_compiler() -> tuple[str, str]:
    """Return the compiler, and its version line."""
    compiler = compiler_path()
    if compiler is None:
        raise KitError("no C++ compiler found; install g++ 7.3 or newer, or name one in CXX")
    return compiler, compiler_version(compiler)


@dataclass(frozen=True)
class Batch:
    """Cases that run in one process, or in several if one dies.

    Attributes:
        name: Unique in a kit; the name of the first process's files.
        heading: The first lines of its case files.
        cases: The lines of each case in a case file, by id, in the order in which they run.
        about: The only case of a batch that reruns it; else empty.
    """

    name: str
    operator: str
    heading: str
    cases: dict[str, str]
    about: str = ""

    def alone(self, case: str) -> Batch:
        """Return a batch that reruns one of its cases in its own process."""
        name = f"{self.name}-case{list(self.cases).index(case)}-alone"
        return replace(self, name=name, cases={case: self.cases[case]}, about=case)


def read_batches(kit: Path) -> list[Batch]:
    """Return the batches of a kit, in the order in which they are begun."""
    batches = []
    for line in (kit / BATCHES_FILE).read_text().splitlines():
        name, operator = line.split()
        text = (kit / "cases" / f"{name}.txt").read_text()
        heading, *cases = re.split(r"^(?=case )", text, flags=re.MULTILINE)
        by_id = {case.splitlines()[0][len("case ") :]: case for case in cases}
        batches.append(Batch(name, operator, heading, by_id))
    return batches


class Record:
    """The runner's record of a run; the file's first line is the digest of the others."""

    def __init__(self, path: Path, host: Sequence[dict[str, Any]]) -> None:
        """Read the record of an earlier start, or begin one.

        Raises:
            KitError: It is damaged, or of a run that began on another host.
        """
        self._path = path
        self._lock = threading.Lock()
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
            self.programs = [ProgramRun.of_record(each, path.parent) for each in programs]
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
        lines = [{"event": "process", "program": each.record(folder)} for each in self.programs]
        return "".join(json.dumps(line) + "\n" for line in (*self._heading, *lines))

    def add(self, program: ProgramRun) -> None:
        """Add a process and write the record to the disk."""
        with self._lock:
            self.programs.append(program)
            self._write()

    def _write(self) -> None:
        text = self.text.encode()
        with replacing(self._path) as file:
            file.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
            file.flush()
            os.fsync(file.fileno())

    def of(self, batch: Batch) -> list[ProgramRun]:
        return [each for each in self.programs if each.batch == batch.name]


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
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def work_off(self, batches: Sequence[Batch], what: str) -> None:
        """Run the rest of batches on all devices.

        Raises:
            KitError: A program cannot read or write its files, the run is interrupted, or no
                device is left.
        """
        waiting = deque(batch for batch in batches if self.left(batch))
        number = itertools.count(len(batches) - len(waiting) + 1)
        refusals: list[str] = []

        def report() -> None:
            _say(f"{what}: {next(number)} of {len(batches)}")

        # A lost device returns its batch to the queue, after other workers may have ended.
        while waiting and not self.stop.is_set():
            if not self.devices:
                raise NoDeviceError(f"{refusals[-1]}; then start run.sh again")
            # A copy, because workers remove lost devices while others are being submitted.
            devices = tuple(self.devices)
            with ThreadPoolExecutor(len(devices)) as pool:
                served = [pool.submit(self._serve, each, waiting, report) for each in devices]
            refusals += filter(None, [each.result() for each in served])
        if self.stop.is_set():
            raise KitError("interrupted; start run.sh again to go on")

    def _serve(self, device: int, waiting: deque[Batch], report: Callable[[], None]) -> str:
        """Run batches on one device; return why it cannot be used, or an empty text."""
        while not self.stop.is_set():
            with self._lock:
                batch = waiting.popleft() if waiting else None
            if batch is None:
                break
            try:
                refusal = self._run_batch(batch, device)
            except BaseException:  # Also for KeyboardInterrupt: the other workers must stop.
                self.stop.set()
                raise
            if refusal:
                waiting.appendleft(batch)
                self.devices.remove(device)
                refusal = f"device {device} cannot be used: {refusal}"
                if self.devices:
                    sys.stderr.write(f"{refusal}; going on without it\n")
                return refusal
            if not self.stop.is_set():
                report()
        return ""

    def left(self, batch: Batch) -> list[str]:
        """Return the remaining cases of a batch."""
        programs = self.record.of(batch)
        hung = sum(each.timed_out for each in programs)
        given_up = hung >= MOST_TIMEOUTS or (batch.about and programs)
        return [] if given_up else self.never_begun(batch)

    def never_begun(self, batch: Batch) -> list[str]:
        """Return the cases of a batch that no process began."""
        parts = [each.progress for each in self.record.of(batch)]
        return [case for case in batch.cases if not any(case in part.ended for part in parts)]

    def _run_batch(self, batch: Batch, device: int) -> str:
        """Run the rest of a batch; return why the device cannot be used, or "".

        If a process dies, another one continues after the case in which it died.
        """
        self._salvage(batch)
        left = self.left(batch)
        while left:
            files = self._next_files(batch)
            write_text(files.cases, batch.heading + "".join(batch.cases[case] for case in left))
            # Remove old records, so that the growth of the new ones is visible.
            files.events.unlink(missing_ok=True)
            ended = self._run_process(batch.operator, files, device)
            if self.stop.is_set():
                break
            progress = read_progress(files.events)
            said = (ended.stderr.splitlines() or ["it said nothing"])[-1]
            if ended.exit_code == BAD_INPUT and not progress.finished:
                raise KitError(f"{batch.name} cannot go on: {said}; then start run.sh again")
            program = self._ended(batch, ended, device)
            if program.found_no_device:
                return said
            self.record.add(program)
            # A program that dies before its first case would be restarted forever.
            left = self.left(batch) if progress.ended else []
        return ""

    def _run_process(self, operator: str, files: ProcessFiles, device: int) -> Ended:
        program = self.work / "build" / operator
        command = command_of(program, files, self.kit / "data", device, self.case_seconds)
        # Programs end with this process; a hanging one would hold its device forever.
        environment = {**os.environ, RUNNER: str(os.getpid())}
        custom = (str(folder / "lib") for folder in self.toolkit.custom)
        folders = (str(self.toolkit.libraries), *custom, environment.get("LD_LIBRARY_PATH"))
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, folders))
        limits = Limits(self.case_seconds * SILENCE_FACTOR)
        try:
            return watch(command, environment, files.events, limits, lambda _: None, self.stop)
        except OSError as error:
            raise KitError(f"{program}: cannot be started: {error.strerror}") from None

    def _salvage(self, batch: Batch) -> None:
        """Record the process of a batch that was running when an earlier start was interrupted."""
        files = self._next_files(batch)
        half = find_half(files.events, files.outputs)
        if not batch.about and (half.ended or half.cut):
            cut_back(files.events, half)
            ended = Ended(None, timed_out=False, seconds=0.0, stderr="")
            self.record.add(self._ended(batch, ended, UNKNOWN_DEVICE, half.cut))

    def _next_files(self, batch: Batch) -> ProcessFiles:
        return ProcessFiles.of(self.work, part_name(batch.name, len(self.record.of(batch))))

    def _ended(self, batch: Batch, ended: Ended, device: int, cut: str = "") -> ProgramRun:
        """Return the process that has ended, with its files safe on the disk."""
        files, part = self._next_files(batch), len(self.record.of(batch))
        for path in (files.events, files.outputs):
            # A program that died early leaves no outputs. Sync files first: the record must not
            # describe more than a loss of power leaves of them.
            with path.open("ab") as file:
                os.fsync(file.fileno())
        purpose: Purpose = "alone" if batch.about else "batch"
        work = Assignment(batch.operator, batch.name, part, purpose, batch.about)
        return ProgramRun.ended(work, ended, files, device, cut)

    def suspects(self, batches: Sequence[Batch]) -> dict[str, list[Batch]]:
        """Return the cases to rerun alone, by reason."""
        groups: dict[str, list[Batch]] = {"hung": [], "were interrupted": [], "crashed": []}
        for batch in batches:
            programs = self.record.of(batch)
            why = {each.cut: "were interrupted" for each in programs}
            why.update({_culprit(e): "hung" if e.timed_out else "crashed" for e in programs})
            for case in filter(None, why):
                groups[why[case]].append(batch.alone(case))
        return groups

    def pack(self, archive: Path) -> None:
        """Write the archive for home; raise KitError if a file was modified."""
        members: dict[str, bytes | Path] = {
            KIT_FILE: self.kit / KIT_FILE,
            RECORD_FILE: self.record.text.encode(),
        }
        for program in self.record.programs:
            altered = program.altered()
            if altered is not None:
                anew = _ANEW.format(self.work.name)
                raise KitError(f"{altered}: was modified after the run; {anew}")
            for path in (program.events, program.outputs):
                members[path.relative_to(self.work).as_posix()] = path
        for name, path in _release_files(self.toolkit):
            if path.is_file() and path.stat().st_size <= MOST_RELEASE_BYTES:
                members[VERSIONS + name] = path
        write_archive(archive, OUTPUTS, members)


def _culprit(program: ProgramRun) -> str:
    """Return the case that killed a process, or ""."""
    progress = program.progress
    whole = program.exit_code is None or (program.exit_code == 0 and progress.finished)
    return "" if whole and not program.timed_out else progress.last


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
    own = (f"-l{name[len('lib') : -len('.so')]}" for name in toolkit.names[len(LIBRARIES) :])
    links = " ".join((*libraries, *own))
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
        done = subprocess.run(  # noqa: S603
            command, cwd=str(kit), env=environment, stdout=file, stderr=file, check=False
        )
    if done.returncode != 0:
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
        batches = read_batches(kit)
        run = Run(kit, work, toolkit, record, devices, case_seconds, stop)
        run.work_off(batches, "batches")
        suspects = run.suspects(batches)
        refusal = ""
        try:
            # A crash may cost the device, so rerun hangs first.
            for why, alone in suspects.items():
                run.work_off(alone, f"cases that {why}, again and alone")
        except NoDeviceError as error:
            refusal = str(error)
        run.pack(archive)
        _say(f"{archive} holds all outputs")
        left = sum(len(run.never_begun(batch)) for batch in batches)
        if left:
            raise KitError(
                f"{counted(left, 'case')} never begun, because a program ended too early, or "
                f"too many cases before did not end; take {archive} home all the same"
            )
        if refusal:
            count = sum(not record.of(alone) for group in suspects.values() for alone in group)
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
