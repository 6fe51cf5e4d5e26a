# SPDX-License-Identifier: Apache-2.0
"""Execution of batches: the interface that an engine implements, and the local engine.

An executor knows processes and devices, but no verdicts. It takes tasks and yields the processes
that ran them, in any order. A distributed engine can replace :class:`LocalExecutor`, because plan,
judge and report see only tasks and :class:`ProgramRun`.

The events show which case killed its program: it began and did not end. The program is restarted
for the following cases, so a bad case affects no other.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from aclnn_cts.emit.case_file import CaseLines, case_file_text, case_lines, new_nonce
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.run import schedule
from aclnn_cts.run.fault_injection import PLAYED
from aclnn_cts.run.process import (
    BAD_INPUT,
    RUNNER,
    Limits,
    ProcessFiles,
    ProgramRun,
    UsableRecord,
    command_of,
    find_usable_record,
    truncate_record,
    watch,
)
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.schedule import MOST_TIMEOUTS
from aclnn_cts.run.toolkit import Toolkit, loader_environment
from aclnn_cts.run.workers import work_off
from aclnn_cts.spec.loading import SpecSet

CASES_PER_BATCH = 128
"""Small enough to spread a tier over many devices and to lose little with a process; large enough
to hide the second or two that a card takes to initialise."""

_ELEMENTS_PER_CALL = 1000
"""Fixed cost of a tensor, in elements."""


def cost_of(case: Case) -> int:
    """Return the cost of a case in elements, including a fixed cost per call."""
    return sum(_ELEMENTS_PER_CALL + tensor.numel for tensor in case.tensors)


Batch = schedule.Batch[Case]
Task = schedule.Task[Case]
Schedule = schedule.Schedule[Case]
Turn = schedule.Turn[Case]


def longest_first(tasks: Iterable[Task]) -> list[Task]:
    """Return tasks by cost, so that no device waits for a long one at the end."""
    return sorted(tasks, key=lambda task: -elements_of(task.batch))


def elements_of(batch: Batch) -> int:
    return sum(map(cost_of, batch.cases))


def batches_of(cases: Sequence[Case]) -> tuple[Batch, ...]:
    """Divide cases into batches, in their order.

    Batches depend only on the cases, so the verdicts do not depend on the number of devices.
    """
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        by_operator.setdefault(case.operator, []).append(case)
    return tuple(
        Batch(f"{operator}-{number:03}", operator, tuple(group[start : start + CASES_PER_BATCH]))
        for operator, group in by_operator.items()
        for number, start in enumerate(range(0, len(group), CASES_PER_BATCH))
    )


OnProgress = Callable[[int], None]
"""Called from any thread with the number of completed cases."""


Processes = Generator[ProgramRun, None, None]
"""Iterator over ended processes; close it if it is not exhausted."""

Leftover = tuple[Task, ProgramRun]
"""A task, and the record of its process when the run was interrupted."""


class Executor(Protocol):
    """Runs tasks.

    It guarantees: each case of a task with the purpose ``batch`` is begun once, also after the
    process of another case has died, hung or lost its device, unless no device is left or too many
    of the batch's cases do not end. Tasks of another purpose are one process each; their cases run
    in their order, in a process that ran nothing before. The files of a process are in place when
    it is yielded, and the next process of its batch begins only when it was taken, by asking for
    another one or closing: what is taken is in the journal. Closing what ``run`` returns ends all
    processes that still run.
    """

    def run(
        self, tasks: Sequence[Task], on_progress: OnProgress, leftovers: Sequence[Leftover] = ()
    ) -> Processes:
        """Run tasks; yield each process when it has ended.

        Args:
            on_progress: Receives the number of completed cases.
            leftovers: Interrupted tasks. Their processes are yielded first; then the remaining
                cases run.

        Raises:
            NotTrustworthyError: A program cannot be started, or cannot write its results.
            WrongInputError: The results folder cannot be written to.
        """


FAULTY_TIMEOUTS = 3
"""Number of hung cases after which a faulty device is given up."""

_CANNOT_WRITE = "choose a place that is writable and has room"
"""End of a program's message about its own files (harness/src/result_files.cpp)."""


@dataclass(frozen=True)
class Campaign:
    """The cases to run, and where.

    Attributes:
        toolkit: The toolkit of the programs.
        references: The location of each case's data, by case id.
        most_timeouts: Number of hung cases after which the rest of a batch is left out.
        nonce: The run's own, which the programs repeat in their events.
        stop: Set to end the run: all programs are terminated, and no further one starts.
        clock: Returns monotonic time in seconds, for time limits.
        lines_of: Returns the lines of a case in a case file.
    """

    specs: SpecSet
    product: str
    toolkit: Toolkit
    programs: Path
    folder: Path
    store: Path
    references: Mapping[str, DataReference]
    config: RunConfig = field(default_factory=RunConfig)
    most_timeouts: int = MOST_TIMEOUTS
    nonce: str = field(default_factory=new_nonce)
    stop: threading.Event = field(default_factory=threading.Event)
    clock: Callable[[], float] = time.monotonic
    lines_of: CaseLines = case_lines


def run_in_turn(campaign: Campaign, cases: Sequence[Case]) -> tuple[ProgramRun, ...]:
    """Run cases of a possibly faulty device on device 0, one process at a time.

    After ``most_timeouts`` hung cases of an operator, its other cases are left out. So is the rest
    of a batch whose device is refused.

    Raises:
        NotTrustworthyError: A program cannot be started, or the disk is full.
        WrongInputError: The results folder cannot be written to.
    """
    runs: list[ProgramRun] = []
    timeouts: Counter[str] = Counter()
    for batch in batches_of(cases):
        # For each batch the device is tried anew.
        queue = Schedule.of_devices([0], campaign.most_timeouts)
        queue.begin([Task(batch, timeouts=timeouts[batch.operator])])
        while not campaign.stop.is_set() and (turn := queue.next()) is not None:
            runs.append(run_program(campaign, turn.task, 0, lambda _: None))
            outcome = runs[-1].outcome
            timeouts[batch.operator] += outcome.timed_out and not outcome.refused
            queue.end(turn, outcome)
    return tuple(runs)


def run_program(campaign: Campaign, task: Task, device: int, on_progress: OnProgress) -> ProgramRun:
    """Run one process over the cases of a task.

    Raises:
        NotTrustworthyError: It cannot be started, or cannot write its results.
        WrongInputError: The results folder cannot be written to.
    """
    files = ProcessFiles.of(campaign.folder, task.name)
    prepare_files(campaign, task, files)
    try:
        files.write_place(device)
    except OSError as error:
        raise explain(error, campaign.folder) from None
    config = campaign.config
    limits = Limits(*task.limits(config.case_seconds, config.batch_seconds), campaign.clock)
    program = campaign.programs / task.batch.operator
    command = command_of(program, files, campaign.store, device, config.case_seconds)
    environment = _environment(campaign)
    try:
        end = watch(command, environment, files.events, limits, on_progress, campaign.stop)
    except OSError as error:
        raise NotTrustworthyError(f"{command[0]}: cannot be started: {error}") from None
    if end.exit_code == BAD_INPUT and _CANNOT_WRITE in end.stderr:
        raise NotTrustworthyError(end.stderr)
    # The running case is not to blame if its batch exceeds the time limit.
    usable = find_usable_record(files.events, files.outputs) if end.over_limit else UsableRecord()
    cut = ""
    if usable.ended:
        truncate_record(files.events, usable)
        cut, end = usable.cut, replace(end, exit_code=None, timed_out=False)
    return ProgramRun.of_end(task.assignment, end, files, device, cut)


def prepare_files(campaign: Campaign, task: Task, files: ProcessFiles) -> None:
    """Write a task's case file, and remove old events and outputs.

    Raises:
        WrongInputError: The results folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    pairs = ((case, campaign.references[case.id]) for case in task.batch.cases)
    text = case_file_text(
        campaign.specs,
        task.batch.operator,
        pairs,
        campaign.nonce,
        campaign.config.timings,
        campaign.lines_of,
    )
    try:
        # An interrupted attempt's record would hide that this one grows. The case file goes, too,
        # because some file systems write a file that replaces another to the disk at once.
        for path in (files.cases, files.events, files.outputs, files.place):
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True)
    except OSError as error:
        raise explain(error, campaign.folder) from None
    write_text(files.cases, text)


def _environment(campaign: Campaign) -> dict[str, str]:
    environment = {**os.environ, RUNNER: str(os.getpid())}
    if campaign.toolkit.kind == "simulator":
        product = campaign.specs.product(campaign.product)
        environment["ACLNN_SIM_SOC"] = product.simulated_soc
        environment["ACLNN_SIM_EDITION"] = campaign.specs.edition
        if campaign.toolkit.played:
            environment[PLAYED] = campaign.toolkit.played
    # The programs may be linked with another device's libraries of the same names.
    return loader_environment(campaign.toolkit, environment)


class LocalExecutor:
    """Runs tasks on the devices of this host, the longest first; see :class:`Executor`.

    A device that the runtime refuses is given up for good, and its task goes to the others.
    """

    def __init__(self, campaign: Campaign) -> None:
        """Create an executor; a device that is named twice runs two processes at once."""
        self._campaign = campaign
        self._schedule = Schedule.of_devices(campaign.config.devices, campaign.most_timeouts)

    def run(
        self, tasks: Sequence[Task], on_progress: OnProgress, leftovers: Sequence[Leftover] = ()
    ) -> Processes:
        yield from (run for _, run in leftovers)
        most_timeouts = self._campaign.most_timeouts
        remaining = (task.rest(run.outcome, most_timeouts) for task, run in leftovers)
        self._schedule.begin(longest_first([*tasks, *filter(None, remaining)]))
        tally = Tally(on_progress)

        def run_turn(turn: Turn) -> ProgramRun:
            on_turn_progress = functools.partial(tally.note, turn.task.name)
            return run_program(self._campaign, turn.task, turn.device, on_turn_progress)

        with closing(work_off(self._schedule, run_turn, self._campaign.stop)) as turns:
            for turn, run in turns:
                yield run
                self._schedule.end(turn, run.outcome)


class Tally:
    """Sums the completed cases of all workers."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._ended: dict[str, int] = {}
        self._lock = threading.Lock()

    def note(self, process: str, ended: int) -> None:
        with self._lock:
            self._ended[process] = ended
            self._on_progress(sum(self._ended.values()))
