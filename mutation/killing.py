# SPDX-License-Identifier: Apache-2.0
"""Running the tests against mutants: everything is imported once, then a fork for each mutant.

A mutant inside of a function is put into the forked process by exchanging the function's code. One
outside of all functions (a constant, a field's default) takes effect at the import, so that fork is
made before anything of the project is imported.
"""

from __future__ import annotations

import functools
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from mutation.exchange import Replaced, exchange, module_name
from mutation.mutants import Mutant, Outcome, told
from mutation.profile import OPTIONS, Profile

_LEAST_SECONDS = 15.0
"""What a test has at least; one that takes much longer than without the mutant hangs."""

_PATIENCE = 6
"""How many times longer than in the recorded run a test may take: the machine may be busy."""

_IMPORT_SECONDS = 90.0
"""What importing everything may take."""

_MEMORY = 4 << 30
"""Bytes of address space: a mutant that asks for more must not take the machine along."""

Tell = Callable[[Outcome], None]


@dataclass(frozen=True)
class Task:
    """A mutant and what may notice it.

    Attributes:
        mutant: What is changed.
        tests: Ids of tests in the order in which they are run, and the seconds that each took
            without any mutant.
        at_import: Whether the change takes effect when the module is imported.
    """

    mutant: Mutant
    tests: Mapping[str, float]
    at_import: bool


def kill(root: Path, tests: Sequence[str], tasks: Sequence[Task], tell: Tell, end: float) -> None:
    """Run the tests of each task until one fails, and tell what became of the mutant.

    Args:
        root: The root of the suite.
        tests: Folders of tests, below the root.
        tasks: What to do; nothing of the project may have been imported yet.
        tell: Called with each outcome.
        end: No mutant is begun after this time of the monotonic clock.
    """
    warm = [task for task in tasks if task.tests and not task.at_import]
    for task in tasks:
        if not task.tests:
            tell(told(task.mutant, "survived", "no test reaches it", 0.0))
    if warm:
        server = os.fork()
        if server == 0:
            folders = [str(root / test) for test in tests]
            ended = 1
            try:
                ended = int(
                    pytest.main([*OPTIONS, *folders], [Profile(), _Server(warm, tell, end)])
                )
            finally:  # an exception must not unwind into the parent's code
                os._exit(ended)
        _, status = os.waitpid(server, 0)
        if status != 0:
            raise RuntimeError(f"the tests could not be run (wait status {status})")
    for task in tasks:
        if task.tests and task.at_import and time.monotonic() < end:
            _in_fork(task, functools.partial(_import_and_run, root, task), tell)


def _in_fork(task: Task, run: Callable[[int], bool], tell: Tell) -> None:
    """Let a forked process run a task's tests; it names the test that fails through a pipe."""
    started = time.monotonic()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _limit()
        survived = False
        try:
            survived = run(writing)
        finally:  # an exception, too, must not unwind into the parent's code
            os._exit(0 if survived else 1)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        by = pipe.read()
    _, status = os.waitpid(child, 0)
    seconds = time.monotonic() - started
    if os.WIFSIGNALED(status):
        by = "time limit" if os.WTERMSIG(status) == signal.SIGALRM else "crash"
    survived = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    if not survived and not by:
        # No test failed, but the run itself did, which must not count as noticed.
        raise RuntimeError(f"the tests of {task.mutant.file}:{task.mutant.line} could not be run")
    tell(told(task.mutant, "survived" if survived else "killed", by, seconds))


def _limit() -> None:
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _allow(_IMPORT_SECONDS)


def _allow(seconds: float) -> None:
    """End this process after so long."""
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _name(pipe: int, test: str) -> None:
    os.write(pipe, test.encode())


class _Server:
    """A pytest plugin that forks for each task instead of running the tests once."""

    def __init__(self, tasks: Sequence[Task], tell: Tell, end: float) -> None:
        self._tasks, self._tell, self._end = tasks, tell, end

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Work off the tasks."""
        items = {item.nodeid: item for item in session.items}
        for task in self._tasks:
            if time.monotonic() > self._end:
                break
            chosen = {items[test]: seconds for test, seconds in task.tests.items()}
            run = functools.partial(_exchange_and_run, session, task.mutant, chosen)
            _in_fork(task, run, self._tell)
        return True


def _exchange_and_run(
    session: pytest.Session, mutant: Mutant, items: Mapping[pytest.Item, float], done: int
) -> bool:
    name = module_name(mutant.file)
    if name not in sys.modules:
        raise RuntimeError(f"no test imports {name}")
    try:
        exchange(name, mutant.source)
    except Exception:  # noqa: BLE001 - whatever an import raises, the tests would not even start
        _name(done, "import")
        return False
    return _survives(session, items, done)


def _survives(session: pytest.Session, items: Mapping[pytest.Item, float], done: int) -> bool:
    """Run tests until one fails."""
    for item, following in zip(items, [*list(items)[1:], None], strict=True):
        _allow(_LEAST_SECONDS + _PATIENCE * items[item])
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            _name(done, item.nodeid)
            return False
    return True


class _Chosen:
    """A pytest plugin that runs some tests in their order, until one fails."""

    def __init__(self, tests: Mapping[str, float], done: int) -> None:
        self._tests, self._done = tests, done

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests."""
        if session.testsfailed:
            _name(self._done, "import")
            os._exit(1)
        items = {item.nodeid: item for item in session.items}
        chosen = {items[test]: seconds for test, seconds in self._tests.items() if test in items}
        survived = len(chosen) == len(self._tests) and _survives(session, chosen, self._done)
        os._exit(0 if survived else 1)


def _import_and_run(root: Path, task: Task, done: int) -> bool:
    """Import everything with the mutant in place, and run the tests; never returns from them."""
    mutant = task.mutant
    sys.meta_path.insert(0, Replaced(module_name(mutant.file), root / mutant.file, mutant.source))
    files = dict.fromkeys(str(root / test.split("::")[0]) for test in task.tests)
    pytest.main([*OPTIONS, *files], [Profile(), _Chosen(task.tests, done)])
    _name(done, "import")
    return False
