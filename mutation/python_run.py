# SPDX-License-Identifier: Apache-2.0
"""The Python half: formulas, expectation rules and comparator against the project's own tests."""

from __future__ import annotations

import functools
import multiprocessing
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mutation import kept
from mutation.exchange import function_around
from mutation.killing import Task, kill
from mutation.mutants import Mutant, Outcome
from mutation.python_mutants import mutants_of
from mutation.recording import Recording, record
from mutation.subjects import PYTHON, TESTS
from mutation.workers import share_out

SEED = 2026
"""Decides the order in which mutants are tried: what time suffices for is a random sample."""


@dataclass(frozen=True)
class Effort:
    """How much is tried.

    Attributes:
        processes: How many mutants are tried at a time.
        minutes: After so long no further mutant is begun.
        again: Whether mutants that survived are tried again, before others: tests may have come.
    """

    processes: int
    minutes: float
    again: bool = False


def run(
    root: Path, files: Sequence[str], store: Path, effort: Effort, tests: Sequence[str] = TESTS
) -> None:
    """Find out what becomes of the mutants of some files; what is known already is kept.

    Args:
        root: The root of the suite.
        files: Modules below the root.
        store: Where recordings and outcomes are kept.
        effort: How much is tried.
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
    missing = [mutant for mutant in mutants if mutant.digest not in known]
    survived = [m for m in mutants if effort.again and _has_survived(known.get(m.digest))]
    print(f"{len(mutants)} mutants, {len(missing)} to try, {len(survived)} again", flush=True)
    end = time.monotonic() + 60 * effort.minutes
    for part in (survived, missing):
        tasks = [_task(root, mutant, recording) for mutant in part]
        random.Random(SEED).shuffle(tasks)  # noqa: S311 - a sample, no secret
        tell = functools.partial(kept.add, outcomes)
        work = functools.partial(kill, root, tests, tell=tell, end=end)
        share_out(work, tasks, effort.processes)


def _has_survived(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.outcome == "survived"


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
