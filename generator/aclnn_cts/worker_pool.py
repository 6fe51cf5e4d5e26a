# SPDX-License-Identifier: Apache-2.0
"""A pool of worker processes that end with their parent."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import multiprocessing
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import BaseContext
from typing import TypeVar

from aclnn_cts.errors import NotTrustworthyError

Item = TypeVar("Item")
Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that a process gets when its parent ends."""


_OF_THE_PARENT = (signal.SIGINT, signal.SIGTERM)
"""The signals that a command handles."""

_PATIENCE = 1.0
"""Seconds between checks of the pool, and for which to wait for a worker's end."""

_AHEAD = 16
"""Items per process that are taken ahead, so that a slow item does not stop the others."""


def spread(
    work: Callable[[Item], Result], items: Iterable[Item], jobs: int, killed: str
) -> Generator[Result, None, None]:
    """Yield the result of work for each item, in order; without workers if they do not pay off.

    Args:
        work: A function of a module, so that other processes can find it.
        items: The items; taken no further ahead than the processes need.
        killed: The message if a worker was killed.

    Raises:
        NotTrustworthyError: A process was killed.
    """
    remaining = iter(items)
    first = list(itertools.islice(remaining, jobs))
    remaining = itertools.chain(first, remaining)
    if len(first) < 2:
        yield from map(work, remaining)
        return
    context = _context(work.func if isinstance(work, functools.partial) else work)
    pool = ProcessPoolExecutor(len(first), mp_context=context, initializer=_follow_the_parent)
    futures: deque[Future[Result]] = deque()
    try:
        with _noting_failures() as failed:
            for item in remaining:
                with _without_signals():
                    futures.append(pool.submit(work, item))
                if len(futures) == len(first) * _AHEAD:
                    yield _result(futures.popleft(), failed)
            while len(futures) > 1:
                yield _result(futures.popleft(), failed)
            last = _result(futures.popleft(), failed)
    except BrokenProcessPool:
        _end_workers()
        raise NotTrustworthyError(killed) from None
    except BaseException:  # after Ctrl-C or an error, do not wait for running items
        _end_workers()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    yield last  # no worker outlives the work, even if nobody asks for an end


@contextlib.contextmanager
def _without_signals() -> Iterator[None]:
    """Let workers that are started meanwhile begin without signals.

    Until a worker ignores them, the handlers of the command would print a traceback there.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_THE_PARENT)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_workers() -> None:
    workers = multiprocessing.active_children()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(_PATIENCE)


@contextlib.contextmanager
def _noting_failures() -> Iterator[threading.Event]:
    """Yield an event that is set if a thread fails: the pool would wait for its own one forever."""
    failed, before = threading.Event(), threading.excepthook

    def note(failure: threading.ExceptHookArgs) -> None:
        if issubclass(failure.exc_type, RuntimeError | MemoryError):  # "can't start new thread"
            failed.set()
        else:
            before(failure)

    threading.excepthook = note
    try:
        yield failed
    finally:
        threading.excepthook = before


def _result(future: Future[Result], failed: threading.Event) -> Result:
    """Return a result; BrokenProcessPool if the pool can no longer give it."""
    while not wait([future], _PATIENCE).done:
        if failed.is_set():
            raise BrokenProcessPool
    return future.result()


def _context(work: Callable[..., object]) -> BaseContext:
    """Return the start method of workers.

    Forked copies of this process have the specs. If threads forbid forking it, workers are forked
    from a server process that has imported the module of their work.
    """
    method = "fork" if threading.active_count() == 1 else "forkserver"
    available = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context(method if method in available else "spawn")
    context.set_forkserver_preload([work.__module__])
    return context


def _follow_the_parent() -> None:
    """Leave Ctrl-C to the parent, and end with it or on its SIGTERM.

    Otherwise a worker of a killed parent would wait for work forever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked copy has the command's handler
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _OF_THE_PARENT)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
