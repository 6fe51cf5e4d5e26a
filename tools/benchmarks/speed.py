# SPDX-License-Identifier: Apache-2.0
"""What users wait for, against an earlier state of the suite.

Both states take turns, in processes and caches of their own, so that a busy machine slows both
alike; each figure is the ratio of the medians.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.suite import find_suite
from tools.benchmarks import MissedTargetError

AGAINST = "HEAD~1"
RUNS = 3
LARGE = 1 << 22
MOST = 1.15
"""The ratio up to which a state is as fast; whole runs vary by a tenth on a shared machine."""

OPERATORS = (
    "aclnnSilu",
    "aclnnSwishBackward",
    "aclnnSmoothL1Loss",
    "aclnnSoftmax",
    "aclnnGroupNormSilu",
    "aclnnAvgPool2d",
    "aclnnLogitGrad",
    "aclnnDropoutBackward",
    "aclnnPreluBackward",
    "aclnnAddRmsNorm",
    "aclnnBatchNorm",
    "aclnnSwiGlu",
)
"""Of each kind a few: elements, a loss, an axis, statistics, windows, sums, and by contract."""


@dataclass(frozen=True)
class State:
    """A checkout, and a folder for its cache and results."""

    root: Path
    folder: Path

    def run(self, *arguments: str) -> tuple[str, float, float]:
        """Run Python there; return what it printed, wall and processor seconds.

        Raises:
            CalledProcessError: It failed.
        """
        paths = [self.root / "generator", find_suite().root]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "ACLNN_CTS_CACHE": str(self.folder / "cache"),
        }
        started, before = time.monotonic(), sum(os.times()[2:4])
        process = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return process.stdout, time.monotonic() - started, sum(os.times()[2:4]) - before

    def command(self, *arguments: str) -> tuple[str, float, float]:
        """Run ``aclnn-cts``, likewise."""
        return self.run("-c", "from aclnn_cts.entry import main; main()", *arguments)

    def figures(self, number: int) -> Iterator[tuple[str, float]]:
        """Yield what is measured, and seconds."""
        results = self.folder / f"results-{number}"
        selection = [word for name in OPERATORS for word in ("--operator", name)]
        _, wall, busy = self.command(
            "run", "--product", "atlas-a2", "--simulator", "--results", str(results), *selection
        )
        planned = json.loads((results / "results.json").read_text())["totals"]["planned"]
        title = "a run, from nothing" if number == 0 else "a run, with builds and data"
        yield f"{title}: seconds per 1,000 cases", wall * 1e3 / planned
        yield f"{title}: processor seconds per 1,000 cases", busy * 1e3 / planned
        _, _, busy = self.command("judge", str(results))
        yield "judging: processor seconds per 1,000 cases", busy * 1e3 / planned
        printed, _, _ = self.run("-m", "tools.benchmarks.large_calls", str(LARGE))
        seconds: dict[str, list[float]] = defaultdict(list)
        for line in printed.splitlines():
            operator, dtype, numel, duration = line.split()
            seconds[f"{operator} {dtype}"].append(float(duration) * 1e8 / int(numel))
        for call, durations in seconds.items():
            yield f"{call}: processor seconds per 10^8 elements", statistics.fmean(durations)


@contextlib.contextmanager
def _checkout(commit: str, folder: Path) -> Iterator[Path]:
    """Check a commit out beside this one."""
    root = find_suite().root
    git = ("git", "-C", str(root), "worktree")
    subprocess.run([*git, "add", "--quiet", "--detach", str(folder), commit], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def main(against: str = AGAINST) -> None:
    """Print a line for each figure.

    Args:
        against: The commit of the state before.

    Raises:
        MissedTargetError: A figure is more than :data:`MOST` times that of the state before.
    """
    with tempfile.TemporaryDirectory() as name, _checkout(against, Path(name, "before")) as before:
        states = {
            "before": State(before, Path(name, "of-before")),
            "now": State(find_suite().root, Path(name, "of-now")),
        }
        figures: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for number in range(RUNS):
            for title, state in states.items():
                for label, value in state.figures(number):
                    figures[label][title].append(value)
    print(f"{'figure':<72}{against:>10}{'now':>9}{'ratio':>7}")
    missed = [
        label
        for label, values in figures.items()
        if not _print(label, values["before"], values["now"])
    ]
    if missed:
        raise MissedTargetError(f"speed: {len(missed)} of {len(figures)} figures exceed {MOST:g}")


def _print(what: str, before: Sequence[float], now: Sequence[float]) -> bool:
    """Print a line; return whether the target is reached."""
    old, new = statistics.median(before), statistics.median(now)
    reached = new <= MOST * old
    print(f"{what:<72}{old:10.3g}{new:9.3g}{new / old:7.2f}{'' if reached else ' MISSED'}")
    return reached


if __name__ == "__main__":
    main()
