# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the middle of a run."""

from __future__ import annotations

import contextlib
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import ExitCode

pytestmark = pytest.mark.end_to_end

_WAIT_SECONDS = 900.0
"""Ends a test that waits in vain; no machine is as slow as that."""


def processes_with(text: str) -> list[int]:
    """Return the processes whose command line holds a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may have ended meanwhile
            if text.encode() in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return found


def test_interrupted(bed: Any) -> None:
    """Status 3, no process left, and the folder is refused as incomplete by a judge."""
    results = bed.root / "results" / "interrupted"
    arguments = ("--operator", "aclnnLogitGrad", "--results", str(results))
    warm = bed.command("run", "--case", "LogitGrad.base.*", "--results", str(results))
    assert warm.returncode == ExitCode.PASSED, warm.stdout + warm.stderr
    with bed.start("run", *arguments) as process:
        deadline = time.monotonic() + _WAIT_SECONDS
        while not processes_with(f"{results}/cases/") and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=_WAIT_SECONDS)
    assert process.returncode == ExitCode.NOT_TRUSTWORTHY, err
    assert "interrupted; results of this run are incomplete; finish the run with " in err
    assert f"`aclnn-cts run --resume --results {results}`" in err
    assert "Traceback" not in err
    assert processes_with(str(results)) == []
    judged = bed.command("judge", str(results))
    assert judged.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "incomplete" in judged.stderr
