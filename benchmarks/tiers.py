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
    command = [sys.executable, "-m", "benchmarks.peak", str(Path(sys.executable).parent)]
    command += ["run", "--tier", tier, "--product", "atlas-a2", "--results", str(results)]
    environment = {**os.environ, "ACLNN_CTS_CACHE": str(cache)}
    started = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds = time.monotonic() - started
    return seconds, int(done.stdout.splitlines()[-1]) / MEBIBYTE


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
