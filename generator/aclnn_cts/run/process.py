# SPDX-License-Identifier: Apache-2.0
"""One process of a generated program: its files, supervision and record.

The runner of a kit uses this module on its host, so it imports nothing but the standard library of
Python 3.8, :mod:`aclnn_cts.errors`, :mod:`aclnn_cts.files` and :mod:`aclnn_cts.run.schedule`.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import math
import os
import re
import select
import shlex
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import sha256_of
from aclnn_cts.run.schedule import Assignment, Outcome, Purpose

RUNNER = "ACLNN_CTS_RUNNER_PID"
"""Environment variable with the runner's process id; the program ends with the runner
(program.cpp)."""

EMULATOR = "ACLNN_CTS_EMULATOR"
"""Environment variable with the command that starts programs of a cross compiler."""

_POLL_SECONDS = 0.02
_GRACE_SECONDS = 2.0
_STDERR_BYTES = 4000
_PIPE_BYTES = 65536
_PIECE_BYTES = 8 << 20


@dataclass(frozen=True)
class ProcessEnd:
    """How a process ended.

    Attributes:
        exit_code: Negative for a signal; None if we terminated it without its fault.
        timed_out: Whether it was terminated because of silence or a time limit.
        seconds: Wall time.
        stderr: The end of its standard error.
        over_limit: Whether it exceeded the limit of the whole process while it still recorded
            events.
    """

    exit_code: int | None
    timed_out: bool
    seconds: float
    stderr: str
    over_limit: bool = False


@dataclass(frozen=True)
class Limits:
    """Time limits of a program.

    Attributes:
        silence_seconds: Limit without a sign of life.
        whole_seconds: Limit of the whole process.
        clock: Returns monotonic time, in seconds.
    """

    silence_seconds: float
    whole_seconds: float = math.inf
    clock: Callable[[], float] = time.monotonic


def watch(
    command: Sequence[str],
    environment: Mapping[str, str],
    events: Path,
    limits: Limits,
    on_progress: Callable[[int], None],
    stop: threading.Event | None = None,
) -> ProcessEnd:
    """Run a program, and terminate it if it exceeds its limits.

    Args:
        events: Its events file, whose growth is the sign of life.
        limits: Limits after which the process group is terminated.
        on_progress: Called with the number of completed cases.
        stop: Terminates the program when it is set.

    Raises:
        OSError: The program cannot be started.
    """
    started = limits.clock()
    with contextlib.closing(_ErrorOutput()) as errors:
        process = subprocess.Popen(  # noqa: S603
            command,
            env=dict(environment),
            stdout=subprocess.DEVNULL,
            stderr=errors.writing_end,
            start_new_session=True,
        )
        errors.begin()
        try:
            stop = stop or threading.Event()
            timed_out, over_limit = _follow(process, events, limits, on_progress, stop, errors)
        finally:
            _terminate(process)
        text = errors.text()
    seconds = limits.clock() - started
    return ProcessEnd(process.returncode, timed_out, seconds, text, over_limit)


class _ErrorOutput:
    """The end of a program's standard error.

    It comes through a pipe, because a file would lose it when the disk is full.
    """

    def __init__(self) -> None:
        self._reading_end, self.writing_end = os.pipe()
        os.set_blocking(self._reading_end, False)
        self._text = b""
        self._closed = False

    def begin(self) -> None:
        """Leave the writing end to the program."""
        if self.writing_end >= 0:
            os.close(self.writing_end)
        self.writing_end = -1

    def wait_for(self, process: subprocess.Popen[bytes]) -> None:
        """Wait a moment; unlike ``wait``, the closed pipe shows at once that a program ended."""
        if not self._closed:
            readable = select.poll()
            readable.register(self._reading_end)
            readable.poll(_POLL_SECONDS * 1000)
        self.advance()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_SECONDS if self._closed else 0)

    def advance(self) -> None:
        """Read what is available, so that the program never blocks for long."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._reading_end, _PIPE_BYTES):
                self._text = (self._text + chunk)[-_STDERR_BYTES:]
            self._closed = True

    def text(self) -> str:
        self.advance()
        return self._text.decode("utf-8", "replace").strip()

    def close(self) -> None:
        os.close(self._reading_end)
        self.begin()


def _follow(
    process: subprocess.Popen[bytes],
    events: Path,
    limits: Limits,
    on_progress: Callable[[int], None],
    stop: threading.Event,
    errors: _ErrorOutput,
) -> tuple[bool, bool]:
    """Count completed cases while the process lives.

    Returns:
        Whether it is to be terminated because of silence or a time limit, and whether it exceeded
        that of the whole process.
    """
    started = last_sign = limits.clock()
    completed = 0
    with contextlib.closing(Tail(events)) as tail:
        while True:
            errors.wait_for(process)
            now = limits.clock()
            if lines := tail.lines():
                # the time of the last growth, not of this check
                last_sign = limits.clock()
                completed += count_ends(lines)
                on_progress(completed)
            if process.returncode is not None or stop.is_set():
                return False, False
            if now - last_sign > limits.silence_seconds:
                return True, False
            if now - started > limits.whole_seconds:
                return True, True


class Tail:
    """Reads a growing file that may not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._last_line = b""

    def pieces(self) -> Iterator[bytes]:
        if self._file is None and self._path.is_file():
            self._file = self._path.open("rb")
        while self._file is not None and (piece := self._file.read(_PIECE_BYTES)):
            yield piece

    def lines(self, *, only_complete: bool = True) -> bytes:
        """Return the new lines; the incomplete last one, too, unless ``only_complete``."""
        content = self._last_line + b"".join(self.pieces())
        end = content.rfind(b"\n") + 1 if only_complete else len(content)
        self._last_line = content[end:]
        return content[:end]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _terminate(process: subprocess.Popen[Any]) -> None:
    """Terminate a process and its children: TERM, and after a while KILL.

    Its children may outlive it and would keep the device busy.
    """
    if process.poll() is None:
        _signal_group(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _signal_group(process: subprocess.Popen[Any], how: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how)


@dataclass(frozen=True)
class ProcessFiles:
    """The files of one process.

    Attributes:
        cases: The case file that it reads.
        events: What it records.
        place: Host and device number, for a runner that finds only the record.
    """

    cases: Path
    events: Path
    outputs: Path
    place: Path

    @classmethod
    def of(cls, folder: Path, name: str) -> ProcessFiles:
        return cls(
            cases=folder / "cases" / f"{name}.txt",
            events=folder / "events" / f"{name}.jsonl",
            outputs=folder / "outputs" / f"{name}.bin",
            place=folder / "events" / f"{name}.place",
        )

    def write_place(self, device: int, host: str = "") -> None:
        """Write where it runs; raises OSError."""
        self.place.write_text(json.dumps({"device": device, "host": host}), encoding="utf-8")

    def read_place(self) -> tuple[int, str]:
        """Return device and host; the unknown device if they were not written."""
        try:
            place = json.loads(self.place.read_bytes())
            return int(place["device"]), str(place["host"])
        except (OSError, ValueError, LookupError, TypeError):  # the runner was killed as it wrote
            return UNKNOWN_DEVICE, ""


def command_of(
    program: Path, files: ProcessFiles, data: Path, device: int, case_seconds: float
) -> list[str]:
    """Return the command that runs the cases of a case file.

    Args:
        case_seconds: Time limit of a stream for a case.
    """
    return [
        *start_command(program),
        "--cases", str(files.cases),
        "--data", str(data),
        "--events", str(files.events),
        "--outputs", str(files.outputs),
        "--device", str(device),
        "--timeout-ms", str(int(case_seconds * 1000)),
    ]  # fmt: skip


_PART = re.compile(r"(?P<first>[0-9]+)(?:-(?P<last>[0-9]+))?")
_TOO_LARGE = re.compile(r"[0-9]{5}")


def parse_devices(text: str, option: str = "--devices") -> tuple[int, ...]:
    """Return the numbers that a list of numbers and ranges names, in its order.

    Raises:
        WrongInputError: It is not such a list, a range runs backwards, or a number is duplicate.
    """
    numbers: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise WrongInputError(
                f"{option}: {part.strip()!r} is not a device number or range; write 0,1,4-7"
            )
        if _TOO_LARGE.search(part):
            raise WrongInputError(f"{option}: {part.strip()!r}: the largest device number is 9999")
        first = int(match["first"])
        last = int(match["last"] or first)
        if last < first:
            raise WrongInputError(f"{option}: the range {part.strip()} runs backwards")
        numbers += range(first, last + 1)
    duplicate = next((number for number, count in Counter(numbers).items() if count > 1), None)
    if duplicate is not None:
        raise WrongInputError(f"{option}: {duplicate} is given twice; give each device once")
    return tuple(numbers)


def start_command(program: Path) -> list[str]:
    """Return the command that starts a program, with the emulator if there is one."""
    return [*shlex.split(os.environ.get(EMULATOR, "")), str(program)]


def digest_of(path: Path) -> str:
    """Return the digest of a file; empty if it is missing."""
    return sha256_of(path) if path.is_file() else ""


def read_record(path: Path) -> bytes:
    """Return the content of an events file, which may be compressed; raises OSError."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


# A program writes the outputs of a case, then the events that describe them, then the case's end. A
# following event shows that process and device survived the case.
_BEGUN = b'{"event":"begin"'
_ENDED = b'{"event":"end"'
_FINISHED = b'{"event":"finished"'
OUTPUT = b'{"event":"output"'


@dataclass(frozen=True)
class UsableRecord:
    """The usable part of a stopped process's record.

    Attributes:
        ended: Number of completed cases that another event follows.
        cut: Id of the last case that began and is not one of them; may be empty.
        size: Bytes of the events file before that case.
    """

    ended: int = 0
    cut: str = ""
    size: int = 0


def count_ends(lines: bytes) -> int:
    """Return how many cases ended in whole lines of an events file."""
    return sum(line.startswith(_ENDED) for line in lines.splitlines())


def find_usable_record(events: Path, outputs: Path) -> UsableRecord:
    """Return how far a process got.

    A case without all its outputs is incomplete. So is the last case if no event follows it: the
    process may have crashed or lost its device there, which only its exit status shows.
    """
    if not events.is_file():
        return UsableRecord()
    output_bytes = outputs.stat().st_size if outputs.is_file() else 0
    completed = size = position = 0
    cut, ended = "", False
    with events.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n") or _lacks(line, output_bytes):
                break
            if line.startswith((_BEGUN, _FINISHED)):
                completed += ended
                cut, size, ended = _case_of(line), position, False
            ended = ended or line.startswith(_ENDED)
            position += len(line)
    return UsableRecord(completed, cut, size)


def truncate_record(events: Path, usable: UsableRecord) -> None:
    """Truncate an events file before the case that was running."""
    os.truncate(events, usable.size)


def _case_of(line: bytes) -> str:
    try:
        return str(json.loads(line)["case"])
    except (ValueError, KeyError, TypeError):
        return ""


def _lacks(line: bytes, output_bytes: int) -> bool:
    """Whether a line records output bytes that the outputs file does not hold."""
    if not line.startswith(OUTPUT):
        return False
    try:
        event = json.loads(line)
        return int(event["offset"]) + int(event["bytes"]) > output_bytes
    except (ValueError, KeyError, TypeError):
        return True


_EVENT = re.compile(rb'\{"event":"(device|begin|end|finished)"(?:,"case":"([^"]*)")?.*\n')


@dataclass
class Progress:
    """How far a process got, from its events file.

    Attributes:
        device: Whether it reached its device.
        finished: Whether it went through all of its cases.
        ended: Whether each case that began has ended.
    """

    device: bool = False
    finished: bool = False
    ended: dict[str, bool] = field(default_factory=dict)

    @property
    def last(self) -> str:
        """The last case that the process began; empty if none."""
        running = [case for case, ended in self.ended.items() if not ended]
        return (running or list(self.ended) or [""])[-1]


def read_progress(events: Path) -> Progress:
    """Read an events file; a missing one gives no progress, an incomplete last line is skipped."""
    progress = Progress()
    content = read_record(events) if events.is_file() else b""
    for match in filter(None, map(_EVENT.fullmatch, content.splitlines(keepends=True))):
        kind, case = match[1], (match[2] or b"").decode()
        if kind in (b"begin", b"end"):
            progress.ended[case] = kind == b"end"
        progress.device |= kind == b"device"
        progress.finished |= kind == b"finished"
    return progress


BAD_INPUT = 2
"""Exit status for wrong input or results that cannot be written."""

NO_RUNNER = 4
"""Exit status if the runner is gone or did not start the program."""

UNABLE = 86
"""Exit status if the simulated device lacks what a call needs."""

PACKED, KEPT = ".gz", ".kept"
"""Suffixes of compressed records, and of outputs without those that were replaced by digests."""

UNKNOWN_DEVICE = -1
"""Device number of a process that another runner started, if it is unknown."""

_STDERR_SHOWN = 400
"""Maximum length of standard error in a message."""


@dataclass(frozen=True)
class ProgramRun:
    """One process that ran cases of one operator.

    Attributes:
        exit_code: Negative for a signal; None if we terminated the process without its fault, at a
            batch's time limit or the end of the run.
        timed_out: Whether it was terminated because of silence.
        seconds: Wall time.
        stderr: The end of its standard error.
        events_sha256: The events file's digest at the end of the process; empty without a file.
        outputs_sha256: As events_sha256, for the outputs file.
        part: Number of earlier processes of the batch.
        device: Number of the device; -1 if it is not known.
        about: The case that it is about; empty for a batch.
        company: Ids of the cases that run before that one.
        cut: Id of the case that was running when we terminated the process without its fault; may
            be empty. Its events are removed.
        host: Name of the host, in a run of several; empty for the host of the run.
        nonce: The nonce of its shard; empty for the run's own.
        verdicts_sha256: Digest of the verdicts file if outputs are missing, because its host judged
            it and they stayed there, or because they were replaced by digests.
    """

    operator: str
    exit_code: int | None
    timed_out: bool
    seconds: float
    stderr: str
    events: Path
    outputs: Path
    events_sha256: str = ""
    outputs_sha256: str = ""
    purpose: Purpose = "batch"
    batch: str = ""
    part: int = 0
    device: int = 0
    about: str = ""
    company: tuple[str, ...] = ()
    cut: str = ""
    host: str = ""
    nonce: str = ""
    verdicts_sha256: str = ""

    @classmethod
    def of_end(
        cls,
        assignment: Assignment,
        end: ProcessEnd,
        files: ProcessFiles,
        device: int,
        cut: str = "",
    ) -> ProgramRun:
        """Return the record of an ended process.

        Args:
            cut: The case that was running, if the process was terminated without its fault.
        """
        facts = {name: value for name, value in vars(end).items() if name != "over_limit"}
        return cls(
            **vars(assignment),
            **facts,
            events=files.events,
            outputs=files.outputs,
            events_sha256=digest_of(files.events),
            outputs_sha256=digest_of(files.outputs),
            device=device,
            cut=cut,
        )

    @classmethod
    def of_interruption(cls, assignment: Assignment, files: ProcessFiles, cut: str) -> ProgramRun:
        """Return the record of a process that ended with its runner, without an exit status.

        Args:
            files: Its files.
            cut: The case that was running.
        """
        end = ProcessEnd(exit_code=None, timed_out=False, seconds=0.0, stderr="")
        device, host = files.read_place()
        run = cls.of_end(assignment, end, files, device, cut)
        return replace(run, host=host)

    @classmethod
    def salvage(cls, assignment: Assignment, files: ProcessFiles) -> ProgramRun | None:
        """Return the record of a process that ended with its runner; None if it began no case.

        The events file is truncated after the completed cases; the others count as never begun.
        """
        usable = find_usable_record(files.events, files.outputs)
        if not (usable.ended or usable.cut):
            return None
        truncate_record(files.events, usable)
        return cls.of_interruption(assignment, files, usable.cut)

    @classmethod
    def of_record(cls, data: Mapping[str, Any], folder: Path) -> ProgramRun:
        """Return the process that :meth:`record` described.

        Args:
            data: The recorded data; ValueError, TypeError or LookupError if malformed.
        """
        name = Path(data["outputs"]).stem
        events = [f"events/{name}.jsonl{packed}" for packed in ("", PACKED)]
        outputs = [f"outputs/{name}{suffix}" for suffix in (".bin", KEPT)]
        if data["events"] not in events or data["outputs"] not in outputs:
            raise ValueError("names files outside its folders")
        files = {name: folder / data[name] for name in ("events", "outputs")}
        return cls(**{**data, **files, "company": tuple(data["company"])})

    def record(self, folder: Path) -> dict[str, Any]:
        """Return it as JSON values; paths are relative to a folder."""
        events, outputs = (str(path.relative_to(folder)) for path in (self.events, self.outputs))
        return {**asdict(self), "events": events, "outputs": outputs}

    @property
    def name(self) -> str:
        return self.outputs.stem

    @property
    def verdicts(self) -> Path:
        return self.events.parent.parent / "verdicts" / f"{self.name}.msgpack{PACKED}"

    @property
    def progress(self) -> Progress:
        return read_progress(self.events)

    @property
    def outcome(self) -> Outcome:
        progress = self.progress
        return Outcome(
            begun=progress.ended,
            last=progress.last,
            finished=progress.finished,
            reached_device=progress.device,
            exit_code=self.exit_code,
            timed_out=self.timed_out,
            cut=self.cut,
        )

    def find_altered(self) -> Path | None:
        """Return a file that was modified after the process ended, if any."""
        files = (
            (self.events, self.events_sha256),
            (self.outputs, self.outputs_sha256),
            (self.verdicts, self.verdicts_sha256),
        )
        return next((path for path, digest in files if digest and digest_of(path) != digest), None)


def describe_end(program: ProgramRun) -> str:
    """Return how a program ended, with the end of its standard error."""
    message = " ".join(program.stderr.split())[-_STDERR_SHOWN:]
    return f"{how_it_ended(program)}: {message}" if message else how_it_ended(program)


def how_it_ended(program: ProgramRun) -> str:
    if program.timed_out:
        return f"the program was stopped after {program.seconds:.0f} s without an end"
    if program.exit_code is None:
        return "the program was stopped from outside"
    if program.exit_code < 0:
        return f"the program was killed by {_signal_name(-program.exit_code)}"
    return f"the program ended with status {program.exit_code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
