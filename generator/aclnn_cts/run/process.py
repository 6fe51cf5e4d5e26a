# SPDX-License-Identifier: Apache-2.0
"""One process of a generated program, watched: it may crash or hang, but not hold up the run.

Its files have the names that a kit's runner gives them (harness/kit/run_plan.cpp).
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Any

from aclnn_cts.files import sha256_of

_POLL_SECONDS = 0.02
_GRACE_SECONDS = 2.0
_STDERR_BYTES = 4000
_PIPE_BYTES = 65536


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        exit_code: Negative for the signal that ended it; None if it was ended although it did
            nothing wrong.
        timed_out: Whether it was ended because its events file stood still for too long, or
            because it ran for too long.
        seconds: Wall time.
        stderr: The end of what it wrote on standard error.
        over_limit: Whether it ran for too long, though it still told something.
    """

    exit_code: int | None
    timed_out: bool
    seconds: float
    stderr: str
    over_limit: bool = False


@dataclass(frozen=True)
class Limits:
    """How long a program may take; only a monotonic clock is asked.

    Attributes:
        silence_seconds: Without a sign of life.
        whole_seconds: In all.
    """

    silence_seconds: float
    whole_seconds: float = math.inf


def watch(
    command: Sequence[str],
    environment: Mapping[str, str],
    events: Path,
    limits: Limits,
    on_progress: Callable[[int], None],
    stop: threading.Event | None = None,
) -> Ended:
    """Run a program to its end, or until it has taken too long.

    Args:
        command: The program and its arguments.
        environment: All of its environment.
        events: The file in which it records; its growth is the sign of life.
        limits: After which the process group is ended.
        on_progress: Called with the number of cases that have ended so far.
        stop: When it is set, the program is ended at once.

    Raises:
        OSError: The program cannot be started.
    """
    started = time.monotonic()
    with contextlib.closing(_Words()) as words:
        process = subprocess.Popen(  # noqa: S603
            command,
            env=dict(environment),
            stdout=subprocess.DEVNULL,
            stderr=words.writing_end,
            start_new_session=True,
        )
        words.begin()
        try:
            ended = stop or threading.Event()
            outcome = _follow(process, events, limits, on_progress, ended, words)
        finally:
            _end(process)
        text = words.text()
    seconds = time.monotonic() - started
    over_limit = outcome is _Outcome.OVER_LIMIT
    timed_out = over_limit or outcome is _Outcome.SILENT
    return Ended(process.returncode, timed_out, seconds, text, over_limit)


class _Words:
    """The end of what a program writes on standard error.

    It comes through a pipe: a file would lose it when the disk is full, which is when it is needed.
    """

    def __init__(self) -> None:
        self._reading_end, self.writing_end = os.pipe()
        os.set_blocking(self._reading_end, False)
        self._kept = b""

    def begin(self) -> None:
        """Leave the writing end to the program."""
        if self.writing_end >= 0:
            os.close(self.writing_end)
        self.writing_end = -1

    def advance(self) -> None:
        """Take what is there, so that the program never waits for long."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._reading_end, _PIPE_BYTES):
                self._kept = (self._kept + chunk)[-_STDERR_BYTES:]

    def text(self) -> str:
        """Return the end of it."""
        self.advance()
        return self._kept.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Close the pipe."""
        os.close(self._reading_end)
        self.begin()


class _Outcome(Enum):
    ENDED = "it ended by itself, or with the run"
    SILENT = "it recorded nothing for too long"
    OVER_LIMIT = "it took too long in all"


def _follow(
    process: subprocess.Popen[bytes],
    events: Path,
    limits: Limits,
    on_progress: Callable[[int], None],
    stop: threading.Event,
    words: _Words,
) -> _Outcome:
    """Count ended cases while the process lives; return why that is over."""
    started = last_sign = time.monotonic()
    with contextlib.closing(_EndCounter(events)) as counter:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
            words.advance()
            now = time.monotonic()
            if counter.advance():
                last_sign = now
                on_progress(counter.ended)
            if process.returncode is not None or stop.is_set():
                return _Outcome.ENDED
            if now - last_sign > limits.silence_seconds:
                return _Outcome.SILENT
            if now - started > limits.whole_seconds:
                return _Outcome.OVER_LIMIT


class _EndCounter:
    """Reads what was appended to an events file, and counts the cases that ended."""

    def __init__(self, events: Path) -> None:
        self.ended = 0
        self._path = events
        self._file: IO[bytes] | None = None
        self._rest = b""

    def advance(self) -> bool:
        """Read on; return whether anything was appended."""
        if self._file is None:
            if not self._path.is_file():
                return False
            self._file = self._path.open("rb")
        chunk = self._file.read()
        lines = (self._rest + chunk).split(b"\n")
        self._rest = lines.pop()
        self.ended += sum(line.startswith(b'{"event":"end"') for line in lines)
        return bool(chunk)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _end(process: subprocess.Popen[Any]) -> None:
    """End a process and all that it started: TERM, and after a while KILL.

    Children of the program may outlive it, however it ended, and would keep the device busy.
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


def part_name(batch: str, part: int) -> str:
    """Return the name of the files of a batch's first, second, … process."""
    return batch if part == 0 else f"{batch}.{part}"


def part_of(batch: str, name: str) -> int:
    """Return how many processes had worked at a batch before the one that left these files.

    Args:
        batch: Name of the batch.
        name: Name of the files.
    """
    number = name.removeprefix(batch).removeprefix(".")
    return int(number) if number.isdecimal() else 0


@dataclass(frozen=True)
class ProcessFiles:
    """The files of one process.

    Attributes:
        cases: The case file that it reads.
        events: What it records.
        outputs: The outputs of its cases.
    """

    cases: Path
    events: Path
    outputs: Path

    @classmethod
    def of(cls, folder: Path, name: str) -> ProcessFiles:
        """Return where the files of this name stand in a results folder."""
        return cls(
            cases=folder / "cases" / f"{name}.txt",
            events=folder / "events" / f"{name}.jsonl",
            outputs=folder / "outputs" / f"{name}.bin",
        )

    def digests(self) -> tuple[str, str]:
        """Return the digests of what it recorded, as :func:`digest_of` does: events, outputs."""
        return digest_of(self.events), digest_of(self.outputs)


def digest_of(path: Path) -> str:
    """Return the digest of a file that a program may have left; empty if it did not."""
    return sha256_of(path) if path.is_file() else ""
