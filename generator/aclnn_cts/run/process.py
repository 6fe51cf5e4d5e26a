# SPDX-License-Identifier: Apache-2.0
"""One process of a generated program, watched: it may crash or hang, but not hold up the run."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

_POLL_SECONDS = 0.02
_GRACE_SECONDS = 2.0
_STDERR_BYTES = 4000


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        exit_code: Negative for the signal that ended it.
        timed_out: Whether it was ended because its events file stood still for too long.
        seconds: Wall time.
        stderr: The end of what it wrote on standard error.
    """

    exit_code: int
    timed_out: bool
    seconds: float
    stderr: str


def watch(
    command: Sequence[str],
    environment: Mapping[str, str],
    events: Path,
    silence_seconds: float,
    on_progress: Callable[[int], None],
    stop: threading.Event | None = None,
) -> Ended:
    """Run a program to its end, or until it has recorded nothing for too long.

    Args:
        command: The program and its arguments.
        environment: All of its environment.
        events: The file in which it records; its growth is the sign of life.
        silence_seconds: After so long without a sign of life the process group is ended.
        on_progress: Called with the number of cases that have ended so far.
        stop: When it is set, the program is ended at once.

    Raises:
        OSError: The program cannot be started.
    """
    started = time.monotonic()
    stderr_path = events.with_suffix(".stderr")
    with stderr_path.open("wb") as stderr:
        process = subprocess.Popen(  # noqa: S603
            command,
            env=dict(environment),
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            timed_out = _follow(
                process, events, silence_seconds, on_progress, stop or threading.Event()
            )
        finally:
            _end(process)
    text = _tail(stderr_path)
    stderr_path.unlink(missing_ok=True)
    return Ended(process.returncode, timed_out, time.monotonic() - started, text)


def _follow(
    process: subprocess.Popen[bytes],
    events: Path,
    silence_seconds: float,
    on_progress: Callable[[int], None],
    stop: threading.Event,
) -> bool:
    """Count ended cases while the process lives; return whether it fell silent."""
    last_sign = time.monotonic()
    with contextlib.closing(_EndCounter(events)) as counter:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
            if counter.advance():
                last_sign = time.monotonic()
                on_progress(counter.ended)
            if process.returncode is not None or stop.is_set():
                return False
            if time.monotonic() - last_sign > silence_seconds:
                return True


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
    """End a process and all that it started: TERM, and after a while KILL."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)


def _tail(path: Path) -> str:
    content = path.read_bytes()[-_STDERR_BYTES:]
    return content.decode("utf-8", "replace").strip()
