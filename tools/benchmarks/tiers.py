# SPDX-License-Identifier: Apache-2.0
"""Wall time and peak memory of whole runs: everything from nothing, and with all in place."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEBIBYTE = 1024


def _run(cache: Path, results: Path, tier: str) -> tuple[float, float]:
    """Return wall seconds and the largest process's peak memory in MiB of one run."""
    command = [str(Path(sys.executable).parent / "aclnn-cts"), "run", "--tier", tier]
    command += ["--product", "atlas-a2", "--results", str(results)]
    environment = {**os.environ, "ACLNN_CTS_CACHE": str(cache)}
    started = time.monotonic()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)  # of the process and all that it waited for
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.monotonic() - started, usage.ru_maxrss / MEBIBYTE


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
