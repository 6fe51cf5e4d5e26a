# SPDX-License-Identifier: Apache-2.0
"""The Python half: formulas, expectation rules and comparator against the project's own tests."""

from __future__ import annotations

import functools
import multiprocessing
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from mutation import kept
from mutation.exchange import function_around
from mutation.killing import Task, kill
from mutation.mutants import Mutant, Outcome
from mutation.python_mutants import mutants_of
from mutation.recording import Recording, record
from mutation.subjects import PYTHON, TESTS


def run(
    root: Path,
    files: Sequence[str],
    store: Path,
    processes: int,
    *,
    again: bool,
    tests: Sequence[str] = TESTS,
) -> None:
    """Find out what becomes of the mutants of some files; what is known already is kept.

    Args:
        root: The root of the suite.
        files: Modules below the root.
        store: Where recordings and outcomes are kept.
        processes: How many mutants are tried at a time.
        again: Whether mutants that survived are tried again: tests may have come.
        tests: Folders of tests below the root.
    """
    # In a process of its own: the forks below must start from one that has imported nothing.
    spawn = multiprocessing.get_context("spawn")
    everything = sorted({*files, *(file for group in PYTHON.values() for file in group)})
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        recording = pool.submit(record, root, everything, tests, store).result()
    outcomes = store / "python.jsonl"
    known = kept.read(outcomes)
    mutants = [mutant for file in files for mutant in mutants_of(root, file)]
    missing = [m for m in mutants if _is_missing(known.get(m.digest), again=again)]
    print(f"{len(mutants)} mutants, {len(missing)} to try", flush=True)
    tasks = [_task(root, mutant, recording) for mutant in missing]
    random.Random(0).shuffle(tasks)  # noqa: S311 - spreads slow ones over the processes
    tell = functools.partial(kept.add, outcomes)
    workers = [
        multiprocessing.get_context("fork").Process(
            target=kill, args=(root, tests, tasks[k::processes], tell)
        )
        for k in range(processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _is_missing(outcome: Outcome | None, *, again: bool) -> bool:
    return outcome is None or (again and outcome.outcome == "survived")


def _task(root: Path, mutant: Mutant, recording: Recording) -> Task:
    original = _text(root / mutant.file)
    function = function_around(original, mutant.line)
    # A signature's defaults are evaluated at the import, but exchanged with the code.
    tests = recording.tests_for(mutant, function)
    seconds = {test: recording.seconds[test] for test in tests}
    return Task(mutant, seconds, at_import=function is None)


@functools.cache
def _text(path: Path) -> str:
    return path.read_text()
