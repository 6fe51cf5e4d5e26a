# SPDX-License-Identifier: Apache-2.0
"""Entry point: installs signal handlers before the heavy imports."""

from __future__ import annotations

import gc
import io
import os
import re
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

from aclnn_cts.errors import CONTROL, MARK, ExitCode

if TYPE_CHECKING:
    from typing_extensions import Buffer

COLLECTION_THRESHOLDS = (20_000, 20, 100)
"""A run holds millions of objects, hardly any of them in a cycle. With Python's default thresholds,
collecting cycles takes 7 % of the time of 35,000 cases."""

_MESSAGE = b"interrupted\n"


def _leave(signal_number: int, frame: FrameType | None) -> None:
    """Exit at once, because no command runs yet."""
    del signal_number, frame
    os.write(2, _MESSAGE)
    os._exit(int(ExitCode.NOT_TRUSTWORTHY))


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    """Treat SIGTERM (as build servers send it) like Ctrl-C."""
    del signal_number, frame
    raise KeyboardInterrupt


class _Output(io.FileIO):
    """Standard output whose reader may leave, as ``head -1`` does; the command continues.

    So the exit status depends on the result, not on the reader.
    """

    def write(self, content: Buffer, /) -> int:
        """Write; discard the output after the reader has left."""
        try:
            return super().write(content)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return memoryview(content).nbytes


_UNSAFE = {
    False: CONTROL,
    # the colours and styles of our tables are safe on a terminal
    True: re.compile(rf"(\x1b\[[\d;]*m)|{CONTROL.pattern}"),
}


class _Text(io.TextIOWrapper):
    """Output that cannot control a terminal, although it may quote files of other people."""

    def write(self, text: str, /) -> int:
        """Write; a mark replaces each control character except newlines and tabs."""
        unsafe = _UNSAFE[self.isatty()]
        super().write(unsafe.sub(lambda match: match[0] if match.lastindex else MARK, text))
        return len(text)


def _tolerate_lost_reader() -> None:
    # With standard output closed (`>&-`) it is None, which its type stub excludes.
    if getattr(sys, "stdout", None) is None:
        return
    before = sys.stdout
    raw = _Output(before.fileno(), "w", closefd=False)
    sys.stdout = _Text(
        io.BufferedWriter(raw),
        encoding=before.encoding,
        errors=before.errors,
        line_buffering=before.isatty(),
    )


def main() -> None:
    """Run the command line; ends the process with one of :class:`ExitCode`."""
    _tolerate_lost_reader()
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    # Importing them takes half a second, and making the commands a third.
    import typer.main  # noqa: PLC0415

    from aclnn_cts.cli import app  # noqa: PLC0415

    command = typer.main.get_command(app)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    gc.set_threshold(*COLLECTION_THRESHOLDS)
    command()
