# SPDX-License-Identifier: Apache-2.0
"""Sharing work out among forked processes, none of which may die unnoticed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def share_out(
    work: Callable[[Sequence[Item]], None], items: Sequence[Item], processes: int
) -> None:
    """Let each process work off its share of the items.

    Args:
        work: What a process does with its share.
        items: All items; they are dealt out in turn.
        processes: How many processes.

    Raises:
        RuntimeError: A process died, so that its share was not worked off.
    """
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=work, args=(items[k::processes],)) for k in range(processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a worker died, and its share was not tried; run the command again")
