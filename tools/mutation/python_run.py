# SPDX-License-Identifier: Apache-2.0
"""The Python half: formulas, expectation rules and comparator against the project's own tests."""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools.mutation import mutants, plugin
from tools.mutation.mutants import Mutant, Outcome
from tools.mutation.python_mutants import mutants_of
from tools.mutation.recording import Recording, record
from tools.mutation.subjects import PYTHON, TESTS

SEED = 2026
"""Decides the order in which mutants are tried: what time suffices for is a random sample."""

_PATIENCE = 6
"""How many times longer than in the recorded run the tests may take: the machine may be busy."""


@dataclass(frozen=True)
class Effort:
    """How much is tried.

    Attributes:
        processes: How many mutants are tried at a time.
        minutes: After so long no further mutant is begun.
        again: Whether mutants that survived are tried again, before others: tests may have come.
        start_seconds: What importing and collecting the tests may take.
    """

    processes: int
    minutes: float
    again: bool = False
    start_seconds: float = 90.0


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
    # In a process of its own: coverage must see everything being imported.
    spawn = multiprocessing.get_context("spawn")
    everything = sorted({*files, *(file for group in PYTHON.values() for file in group)})
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        recording = pool.submit(record, root, everything, tests, store).result()
    outcomes = store / "python.jsonl"
    earlier = mutants.read(outcomes)
    new_mutants = [mutant for file in files for mutant in mutants_of(root, file)]
    missing = [mutant for mutant in new_mutants if mutant.digest not in earlier]
    survived = [m for m in new_mutants if effort.again and _has_survived(earlier.get(m.digest))]
    print(f"{len(new_mutants)} mutants, {len(missing)} to try, {len(survived)} again", flush=True)
    end = time.monotonic() + 60 * effort.minutes
    for part in (survived, missing):
        random.Random(SEED).shuffle(part)  # noqa: S311 - a sample, no secret

    def work(mutant: Mutant) -> None:
        if time.monotonic() < end:
            mutants.add(outcomes, _try(root, mutant, recording, effort.start_seconds))

    with ThreadPoolExecutor(effort.processes) as threads:
        list(threads.map(work, (*survived, *missing)))


def _has_survived(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.outcome == "survived"


def _try(root: Path, mutant: Mutant, recording: Recording, start_seconds: float) -> Outcome:
    """Run the tests that may notice a mutant in a process that imports it, until one fails."""
    chosen = recording.tests_for(mutant, _function_around(root / mutant.file, mutant.line))
    if not chosen:
        return mutants.outcome_of(mutant, "survived", "no test reaches it", 0.0)
    started = time.monotonic()
    limit = start_seconds + _PATIENCE * sum(recording.seconds[test] for test in chosen)
    module = mutant.file.removeprefix("generator/").removesuffix(".py").replace("/", ".")
    replaced = {"module": module, "path": str(root / mutant.file), "source": mutant.source}
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        file = Path(folder) / "mutant.json"
        file.write_text(json.dumps(replaced))
        command = [sys.executable, "-m", "pytest", "-x", "-p", plugin.__name__]
        try:
            done = subprocess.run(
                [*command, *plugin.OPTIONS, *chosen],
                cwd=root,
                env={**os.environ, plugin.MUTANT: str(file)},
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return mutants.outcome_of(mutant, "killed", "time limit", time.monotonic() - started)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    # A mutant may make the import of the tests fail, which pytest calls a wrong use.
    by = failed[1] if failed else "crash" if done.returncode < 0 else "import"
    seconds = time.monotonic() - started
    return mutants.outcome_of(
        mutant, *(("killed", by) if done.returncode else ("survived", "")), seconds
    )


def _function_around(path: Path, line: int) -> range | None:
    """Return the lines of the outermost function that holds a line; None if none does.

    Decorators and the words of a signature count as the function's.
    """
    for node in _outermost(ast.parse(path.read_text()).body):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        if first <= line <= (node.end_lineno or first):
            return range(first, (node.end_lineno or first) + 1)
    return None


def _outermost(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _outermost(node.body)
