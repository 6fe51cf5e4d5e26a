# SPDX-License-Identifier: Apache-2.0
"""Figures against targets, and times taken in turn, so that a busy machine slows all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

RUNS = 7
LEAST_RUNS = 3
ENOUGH_SECONDS = 5.0
"""When this has passed, no more runs are begun than the least: slow works vary little."""


@dataclass(frozen=True)
class Figure:
    """What was measured.

    Attributes:
        what: What the figure is of, with its unit.
        value: The figure; None if what the target asks for is not offered.
        target: What it must not exceed.
    """

    what: str
    value: float | None
    target: float

    @property
    def missed(self) -> bool:
        """Whether the target was not reached; a figure that is no number reaches none."""
        return self.value is None or not self.value <= self.target

    @property
    def cell(self) -> str:
        """The figure as it stands in a table, marked if it missed."""
        value = "not offered" if self.value is None else f"{self.value:.3g}"
        return f"{value} MISSED" if self.missed else value

    def __str__(self) -> str:
        return f"{self.what}: {self.cell} (target at most {self.target:.3g})"


def seconds(
    *works: Callable[[], Any],
    runs: int = RUNS,
    repeats: int = 1,
    clock: Callable[[], float] = time.process_time,
) -> list[list[float]]:
    """Return, for each work, the seconds of one call in each run; the works take turns.

    Args:
        works: What to call; once each beforehand, which does not count.
        runs: How often each has its turn, unless that takes long.
        repeats: Calls in a row per turn.
        clock: What tells the time; processor time unless threads are compared.
    """
    for work in works:
        work()
    times: list[list[float]] = [[] for _ in works]
    for run in range(runs):
        if run >= LEAST_RUNS and sum(map(sum, times)) * repeats > ENOUGH_SECONDS:
            break
        for work, own in zip(works, times, strict=True):
            started = clock()
            for _ in range(repeats):
                work()
            own.append((clock() - started) / repeats)
    return times


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of the ratios of times that were taken in the same turns."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
