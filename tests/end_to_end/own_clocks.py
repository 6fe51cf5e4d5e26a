# SPDX-License-Identifier: Apache-2.0
"""The command line, in which the time limits of each program go by a clock of the program's own.

The clock's time is the size of a file, which ``TEST_CLOCK`` names to the program: one that hangs
moves it, and no other can be taken for one that does, however slow the machine is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from aclnn_cts.entry import main
from aclnn_cts.run import executor, process


def watch(
    command: Sequence[str],
    environment: Mapping[str, str],
    events: Path,
    limits: process.Limits,
    *rest: Any,
) -> process.ProcessEnd:
    """Run a program to its end, or until it has moved its clock too far."""
    clock = Path(os.environ["TEST_CLOCKS"]) / events.stem
    clock.touch()
    own = replace(limits, clock=lambda: float(clock.stat().st_size))
    return process.watch(command, {**environment, "TEST_CLOCK": str(clock)}, events, own, *rest)


if __name__ == "__main__":
    with patch.object(executor, "watch", watch):
        main()
