# SPDX-License-Identifier: Apache-2.0
"""Where the command begins: signals are in order before anything heavy is imported."""

from __future__ import annotations

import os
import signal
from types import FrameType

from aclnn_cts.errors import ExitCode

_MESSAGE = b"interrupted\n"


def _leave(signal_number: int, frame: FrameType | None) -> None:
    """End at once: nothing has been begun while modules are still being imported."""
    del signal_number, frame
    os.write(2, _MESSAGE)
    os._exit(int(ExitCode.NOT_TRUSTWORTHY))


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    """Make a request to end (as build servers send it) what Ctrl-C is."""
    del signal_number, frame
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line; ends the process with one of :class:`ExitCode`."""
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    from aclnn_cts.cli import app  # noqa: PLC0415 - importing it takes half a second

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    app()
