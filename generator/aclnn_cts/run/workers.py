# SPDX-License-Identifier: Apache-2.0
"""Threads of this process that run what a schedule says.

A kit carries this module, so it imports nothing but the standard library of Python 3.8.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

from aclnn_cts.run.schedule import Case, Schedule, Turn

Result = TypeVar("Result")


def work_off(
    schedule: Schedule[Case], run: Callable[[Turn[Case]], Result], stop: threading.Event
) -> Generator[tuple[Turn[Case], Result], None, None]:
    """Run the tasks of a schedule; yield each turn with its result.

    Report the end of a turn to the schedule before asking for the next one. An error of a turn, or
    closing, sets ``stop`` and waits for the others. Results after ``stop`` was set are dropped,
    because we terminated their processes.
    """
    running: dict[Future[Result], Turn[Case]] = {}

    def work(turn: Turn[Case]) -> Result:
        if stop.is_set():  # the pool keeps a turn whose thread could not start
            raise InterruptedError
        return run(turn)

    with ThreadPoolExecutor(max(1, sum(len(host.free) for host in schedule.idle()))) as pool:
        try:
            while not stop.is_set():
                for turn in iter(schedule.next, None):
                    running[pool.submit(work, turn)] = turn
                if not running:
                    break
                future = next(as_completed(running))
                turn, result = running.pop(future), future.result()
                if not stop.is_set():
                    yield turn, result
        except BaseException:
            # After Ctrl-C, or if a program cannot run, other results are not needed.
            stop.set()
            raise
