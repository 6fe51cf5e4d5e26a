# SPDX-License-Identifier: Apache-2.0
"""The bond between a program and the process that watches it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.harness.conftest import LONG_SECONDS

if TYPE_CHECKING:
    from tests.harness.conftest import Bench

pytestmark = pytest.mark.end_to_end

WATCHER = """
import os, subprocess, sys
own = {"ACLNN_CTS_RUNNER_PID": str(os.getpid())} if sys.argv[1] == "bound" else {}
process = subprocess.Popen(sys.argv[2:], env={**os.environ, **own}, start_new_session=True)
print(process.pid, flush=True)
process.wait()
"""


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (OSError, IndexError):
        return False
    return state not in "ZX"


def _await_reader(fifo: Path, program: int) -> int:
    """Wait until a program reads its case file; return the end that keeps it waiting."""
    deadline = time.monotonic() + LONG_SECONDS
    while True:
        with contextlib.suppress(OSError):  # nobody reads it yet
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        assert alive(program)
        assert time.monotonic() < deadline
        time.sleep(0.01)


def survives_its_runner(simulated: Bench, how: str) -> bool:
    """Have a program wait for its case file for ever, and kill the process that started it."""
    fifo = simulated.folder / "cases.fifo"
    os.mkfifo(fifo)
    files = [f"{simulated.folder}/{name}" for name in ("events", "outputs")]
    command = [str(simulated.programs / "aclnnLogitGrad"), "--cases", str(fifo), "--data", "."]
    command += ["--events", files[0], "--outputs", files[1]]
    with subprocess.Popen(
        [sys.executable, "-c", WATCHER, how, *command], stdout=subprocess.PIPE
    ) as watcher:
        assert watcher.stdout is not None
        program = int(watcher.stdout.readline())
        case_file = _await_reader(fifo, program)
        assert alive(program)
        watcher.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + LONG_SECONDS
    while alive(program) and time.monotonic() < deadline and how == "bound":
        time.sleep(0.02)
    found = alive(program)
    os.close(case_file)
    if found:
        os.kill(program, signal.SIGKILL)
    return found


def test_a_program_ends_with_its_runner(simulated: Bench) -> None:
    """Kill -9 of the runner ends a program that hangs: it would hold its device for ever."""
    assert not survives_its_runner(simulated, "bound")


def test_a_program_on_its_own_goes_on(simulated: Bench) -> None:
    """One that a person or a script started does not depend on who started it."""
    assert survives_its_runner(simulated, "free")


def test_a_runner_that_is_gone_already(simulated: Bench) -> None:
    """The runner may have ended before the program asked to be told: then it does nothing."""
    found = simulated.run(
        "aclnn-cts-cases 3 aclnnLogitGrad\n", environment={"ACLNN_CTS_RUNNER_PID": "1"}
    )
    assert found.code == 4
    assert "ACLNN_CTS_RUNNER_PID" in found.stderr
    assert not (simulated.folder / "events.jsonl").exists()
