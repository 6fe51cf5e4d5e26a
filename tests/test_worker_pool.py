# SPDX-License-Identifier: Apache-2.0
"""Work is spread in order, and no further ahead than the processes need."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections.abc import Iterator

import pytest
from tests.processes import ended

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.worker_pool import spread


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_long_stream(jobs: int) -> None:
    """Results come in order, and most items are not taken before the first result is."""
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    results = spread(str, items(), jobs, "killed")
    assert next(results) == "0"
    assert taken < 100
    assert list(results) == [str(number) for number in range(1, 1000)]


@pytest.mark.parametrize("count", [0, 1])
def test_a_short_one(count: int) -> None:
    """One item needs no process, and none needs nothing."""
    assert list(spread(str, range(count), 8, "killed")) == ["0"][:count]


def _for_ever(number: int) -> int:
    while number:
        signal.pause()
    return number


def test_nobody_waits_for_work_that_is_not_wanted() -> None:
    """After Ctrl-C or an error, what was begun is ended: an operator may take half a minute."""
    results = spread(_for_ever, range(9), 2, "killed")
    assert next(results) == 0
    results.close()
    assert multiprocessing.active_children() == []


def test_no_worker_outlives_the_work() -> None:
    """Nor a thread, which would forbid forking the next pool: not all results are asked for."""
    results = spread(str, range(9), 2, "killed")
    assert [next(results) for _ in range(9)] == [str(number) for number in range(9)]
    assert multiprocessing.active_children() == []
    assert threading.active_count() == 1


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError()])
def test_a_pool_without_memory_for_its_threads(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Its own thread ends (`ulimit -v`); nobody waits for it, and no worker is left."""

    def refuse(_: object) -> None:
        raise error

    monkeypatch.setattr("multiprocessing.queues.Queue._start_thread", refuse)
    with pytest.raises(NotTrustworthyError, match="killed"):
        list(spread(str, range(9), 2, "killed"))
    assert multiprocessing.active_children() == []


_STRUCK_AT_BIRTH = """
import os, signal
from aclnn_cts.worker_pool import spread

for struck in (signal.SIGINT, signal.SIGTERM):
    signal.signal(struck, signal.default_int_handler)
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGINT))
print(*spread(str, range(3), 2, "killed"))
"""


def test_a_worker_that_is_interrupted_before_it_is_ready() -> None:
    """Ctrl-C reaches all processes of a terminal; the command answers it, a worker says nothing."""
    done = ended([sys.executable, "-c", _STRUCK_AT_BIRTH])
    assert (done.stdout, done.stderr) == ("0 1 2\n", "")
