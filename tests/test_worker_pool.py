# SPDX-License-Identifier: Apache-2.0
"""Work is spread in order, and no further ahead than the processes need."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator

import pytest

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
