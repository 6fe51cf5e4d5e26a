# SPDX-License-Identifier: Apache-2.0
"""What runs batches: on the devices of this host, or wherever else an implementation finds some.

An executor knows processes and devices, and nothing of verdicts. It is given tasks and yields what
became of them, process by process, in any order. So a distributed engine can take the place of
:class:`aclnn_cts.run.local.LocalExecutor` and nothing else changes: who plans, judges or reports
sees tasks and :class:`ProgramRun` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from aclnn_cts.plan.cases import Case
from aclnn_cts.run.batches import Batch
from aclnn_cts.run.process import part_name
from aclnn_cts.run.program_run import Assignment, ProgramRun, Purpose

OnProgress = Callable[[int], None]
"""Is told how many cases have ended; from any thread."""


@dataclass(frozen=True)
class Task:
    """A batch, or what is left of it, to be run on whatever device is free.

    Attributes:
        batch: Its name stays the same while its cases grow fewer.
        purpose: Why it is run.
        part: How many processes have worked at it before.
        timeouts: How many of these were ended because nothing happened for too long.
    """

    batch: Batch
    purpose: Purpose = "batch"
    part: int = 0
    timeouts: int = 0

    @property
    def name(self) -> str:
        """Name of the next process: of its case file, its events and its outputs."""
        return part_name(self.batch.name, self.part)

    @property
    def assignment(self) -> Assignment:
        """What the next process is started for."""
        batch, part = self.batch, self.part
        if self.purpose == "batch":
            return Assignment(batch.operator, batch.name, part)
        *company, about = (case.id for case in batch.cases)
        return Assignment(batch.operator, batch.name, part, self.purpose, about, tuple(company))

    def left(self, cases: Sequence[Case], *, timeouts: int = 0) -> Task:
        """Return what the next process is to do; ``timeouts`` more were met."""
        return replace(
            self,
            batch=replace(self.batch, cases=tuple(cases)),
            part=self.part + 1,
            timeouts=self.timeouts + timeouts,
        )


Processes = Generator[ProgramRun, None, None]
"""Yields processes that have ended; who leaves it before its end closes it."""


class Executor(Protocol):
    """Runs tasks.

    What it promises: each case of a task with the purpose ``batch`` is begun once, also after the
    process of another case has died, hung or lost its device, unless no device is left or too many
    of the batch's cases do not end. Tasks of another purpose are one process each; their cases run
    in their order, in a process that ran nothing before. The files of a process are in place when
    it is yielded, and the next process of its batch begins only when it was taken, by asking for
    another one or closing: what is taken is in the journal. Closing what ``run`` returns ends all
    processes that still run.
    """

    def run(self, tasks: Sequence[Task], on_progress: OnProgress) -> Processes:
        """Run tasks; yield each process when it has ended.

        Raises:
            NotTrustworthyError: A program cannot be started, or cannot write its results.
            WrongInputError: The results folder cannot be written to.
        """
