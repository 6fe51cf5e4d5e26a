# SPDX-License-Identifier: Apache-2.0
"""Wall time and peak memory of whole runs: everything from nothing, and with all in place."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

MEBIBYTE = 1024


def measured(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Return wall seconds and the largest process's peak memory in MiB of one command.

    Args:
        arguments: Of ``aclnn-cts``.
        environment: What differs from this process's own.

    Raises:
        CalledProcessError: It did not end with exit status 0.
    """
    command = [str(Path(sys.executable).parent / "aclnn-cts"), *arguments]
    started = time.monotonic()
    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)  # of the process and all that it waited for
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.monotonic() - started, usage.ru_maxrss / MEBIBYTE


def _run(cache: Path, results: Path, tier: str) -> tuple[float, float]:
    """Return what :func:`measured` returns of one run."""
    arguments = ["run", "--tier", tier, "--product", "atlas-a2", "--results", str(results)]
    return measured(arguments, {"ACLNN_CTS_CACHE": str(cache)})


def main() -> None:
    """Print a line for each run."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        for title, tier, target in (
            ("standard from nothing", "standard", 120),
            ("standard in place", "standard", 40),
            ("smoke in place", "smoke", 10),
        ):
            seconds, memory = _run(cache, Path(folder) / tier, tier)
            print(
                f"{title}: {seconds:.1f} s (target {target}), "
                f"largest process {memory:.0f} MiB (target 1536)"
            )
