# SPDX-License-Identifier: Apache-2.0
"""Execution of batches: the tasks, the interface that an engine implements, and the local engine.

An executor knows processes and devices, but no verdicts. It takes tasks and yields the processes
that ran them, in any order. A distributed engine can replace :class:`LocalExecutor`, because plan,
judge and report see only tasks and :class:`ProgramRun`.

The events show which case killed its program: it began and did not end. The program is restarted
for the following cases, so a bad case affects no other.
"""

from __future__ import annotations

import functools
import math
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from aclnn_cts.emit.case_file import CaseLines, case_file_text, case_lines, new_nonce
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.fault_injection import PLAYED
from aclnn_cts.run.process import (
    BAD_INPUT,
    MOST_TIMEOUTS,
    RUNNER,
    SILENCE_FACTOR,
    Assignment,
    Half,
    Limits,
    ProcessFiles,
    ProgramRun,
    Purpose,
    command_of,
    cut_back,
    find_half,
    part_name,
    watch,
)
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit, loader_environment
from aclnn_cts.spec.loading import SpecSet

CASES_PER_BATCH = 128
"""Small enough to spread a tier over many devices and to lose little with a process; large enough
to hide the second or two that a card takes to initialise."""

_ELEMENTS_PER_CALL = 1000
"""Fixed cost of a tensor, in elements."""


def cost_of(case: Case) -> int:
    """Return the cost of a case in elements, including a fixed cost per call."""
    return sum(_ELEMENTS_PER_CALL + tensor.numel for tensor in case.tensors)


@dataclass(frozen=True)
class Batch:
    """The cases of one process.

    Attributes:
        name: Unique in a run, and a file name: the operator and a number.
        cases: In the order in which they run.
    """

    name: str
    operator: str
    cases: tuple[Case, ...]

    @property
    def elements(self) -> int:
        """Its cost."""
        return sum(map(cost_of, self.cases))


def batches_of(cases: Sequence[Case]) -> tuple[Batch, ...]:
    """Divide cases into batches, in their order.

    Batches depend only on the cases, so the verdicts do not depend on the number of devices.
    """
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        by_operator.setdefault(case.operator, []).append(case)
    return tuple(
        Batch(f"{operator}-{number:03}", operator, tuple(own[start : start + CASES_PER_BATCH]))
        for operator, own in by_operator.items()
        for number, start in enumerate(range(0, len(own), CASES_PER_BATCH))
    )


OnProgress = Callable[[int], None]
"""Called from any thread with the number of completed cases."""


@dataclass(frozen=True)
class Task:
    """A batch, or its remaining part, to be run on any free device.

    Attributes:
        batch: Keeps its name when only a part of its cases remains.
        part: Number of earlier processes of the batch.
        timeouts: Number of these that were terminated because of silence.
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
        """The assignment of the next process."""
        batch, part = self.batch, self.part
        if self.purpose in ("batch", "compared"):
            return Assignment(batch.operator, batch.name, part, self.purpose)
        *company, about = (case.id for case in batch.cases)
        return Assignment(batch.operator, batch.name, part, self.purpose, about, tuple(company))

    def left(self, cases: Sequence[Case], *, timeouts: int = 0) -> Task:
        """Return the task for the remaining cases, after ``timeouts`` further timeouts."""
        return replace(
            self,
            batch=replace(self.batch, cases=tuple(cases)),
            part=self.part + 1,
            timeouts=self.timeouts + timeouts,
        )


@dataclass(frozen=True)
class Failures:
    """What the cases of a process say about the health of its host.

    Attributes:
        count: Number of cases that broke a promise or could not run.
        passed: Whether a valid call passed.
    """

    count: int
    passed: bool


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
    timeouts: dict[str, int] = {}
    for batch in batches_of(cases):
        left: Task | None = Task(batch, timeouts=timeouts.get(batch.operator, 0))
        while left is not None and not campaign.stop.is_set():
            if left.timeouts >= campaign.most_timeouts:
                break
            runs.append(run_program(campaign, left, 0, lambda _: None))
            if runs[-1].found_no_device:
                break
            timeouts[batch.operator] = left.timeouts + runs[-1].timed_out
            left = rest_of(campaign, left, runs[-1])
    return tuple(runs)


def rest_of(campaign: Campaign, task: Task, run: ProgramRun) -> Task | None:
    """Return the remaining part of a task after a process; None if it is done or given up."""
    progress = run.progress
    if run.exit_code == 0 and progress.finished:
        return None
    if run.found_no_device:
        return task.left(task.batch.cases)
    left = [case for case in task.batch.cases if case.id not in progress.ended]
    # A program that dies before its first case would do so for ever.
    if task.purpose != "batch" or not left:
        return None
    if len(left) == len(task.batch.cases) and run.exit_code is not None:
        return None
    rest = task.left(left, timeouts=int(run.timed_out))
    return None if rest.timeouts >= campaign.most_timeouts else rest


def run_program(campaign: Campaign, task: Task, device: int, on_progress: OnProgress) -> ProgramRun:
    """Run one process over the cases of a task.

    Raises:
        NotTrustworthyError: It cannot be started, or cannot write its results.
        WrongInputError: The results folder cannot be written to.
    """
    files = ProcessFiles.of(campaign.folder, task.name)
    place(campaign, task, files)
    try:
        files.note_place(device)
    except OSError as error:
        raise explain(error, campaign.folder) from None
    # Reruns have no batch limit, because ending one would say nothing about its case.
    whole = campaign.config.batch_seconds if task.purpose == "batch" else math.inf
    limits = Limits(campaign.config.case_seconds * SILENCE_FACTOR, whole, campaign.clock)
    program = campaign.programs / task.batch.operator
    command = command_of(program, files, campaign.store, device, campaign.config.case_seconds)
    environment = _environment(campaign)
    try:
        ended = watch(command, environment, files.events, limits, on_progress, campaign.stop)
    except OSError as error:
        raise NotTrustworthyError(f"{command[0]}: cannot be started: {error}") from None
    if ended.exit_code == BAD_INPUT and _CANNOT_WRITE in ended.stderr:
        raise NotTrustworthyError(ended.stderr)
    # The running case is not to blame if its batch exceeds the time limit.
    half = find_half(files.events, files.outputs) if ended.over_limit else Half()
    cut = ""
    if half.ended:
        cut_back(files.events, half)
        cut, ended = half.cut, replace(ended, exit_code=None, timed_out=False)
    return ProgramRun.ended(task.assignment, ended, files, device, cut)


def place(campaign: Campaign, task: Task, files: ProcessFiles) -> None:
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


_POLL_SECONDS = 0.1


class LocalExecutor:
    """Runs tasks by one worker per device, the longest first; see :class:`Executor`.

    A device that the runtime refuses is given up for good, and its task goes to the others.
    """

    def __init__(self, campaign: Campaign) -> None:
        """Create an executor; a device that is named twice has two workers."""
        self._campaign = campaign
        self._devices = list(campaign.config.devices)

    def run(
        self, tasks: Sequence[Task], on_progress: OnProgress, leftovers: Sequence[Leftover] = ()
    ) -> Processes:
        """Run tasks; yield each process when it has ended."""
        yield from (run for _, run in leftovers)
        rests = (rest_of(self._campaign, task, run) for task, run in leftovers)
        tasks = [*tasks, *(rest for rest in rests if rest is not None)]
        # The longest first, so that no worker waits for a long one at the end.
        waiting = _Queue(sorted(tasks, key=lambda task: -task.batch.elements))
        told: queue.SimpleQueue[_Told] = queue.SimpleQueue()
        work = functools.partial(self._work, waiting, told, Tally(on_progress))
        workers: list[threading.Thread] = []
        try:
            for device in self._devices[: len(tasks)]:
                worker = threading.Thread(target=work, args=(device,), name=f"device-{device}")
                worker.start()
                workers.append(worker)
            working = len(workers)
            while working:
                item = told.get()
                if isinstance(item, _Process):
                    yield item.run
                    item.taken.set()
                else:
                    working -= 1
                    self._note_end(item)
        except BaseException:
            # After Ctrl-C, or if a program cannot run, other results are not needed.
            self._campaign.stop.set()
            raise
        finally:
            waiting.close()
            for worker in workers:
                worker.join()

    def _note_end(self, end: _WorkerEnd) -> None:
        if end.error is not None:
            raise end.error
        if end.lost:
            self._devices.remove(end.device)

    def _work(
        self, waiting: _Queue, told: queue.SimpleQueue[_Told], tally: Tally, device: int
    ) -> None:
        end = _WorkerEnd(device)
        try:
            while not end.lost and (task := waiting.take()) is not None:
                left = self._run_task(task, told, tally, device)
                end.lost = left is not None
                waiting.give_back(left)
        except BaseException as error:  # noqa: BLE001 - the main thread raises it
            end.error = error
        told.put(end)

    def _run_task(
        self, task: Task, told: queue.SimpleQueue[_Told], tally: Tally, device: int
    ) -> Task | None:
        """Run a task; return the rest of it if the device is lost."""
        left: Task | None = task
        while left is not None:
            done = functools.partial(tally.note, left.name)
            run = run_program(self._campaign, left, device, done)
            if self._campaign.stop.is_set():
                return None  # we terminated it, so its record says nothing
            process = _Process(run)
            told.put(process)
            left = rest_of(self._campaign, left, run)
            if left is not None and not self._is_taken(process):
                return None
            if left is not None and run.found_no_device:
                return left
        return None

    def _is_taken(self, process: _Process) -> bool:
        """Wait until a process is taken; return False if the run ends before.

        Until then, the next process of its batch would leave a record that is not journaled.
        """
        while not process.taken.wait(_POLL_SECONDS):
            if self._campaign.stop.is_set():
                return False
        return True


@dataclass(frozen=True)
class _Process:
    """An ended process, and whether the consumer took it."""

    run: ProgramRun
    taken: threading.Event = field(default_factory=threading.Event)


class _WorkerEnd:
    """The end of a worker, with its error."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.lost = False
        self.error: BaseException | None = None


_Told = _Process | _WorkerEnd


class _Queue:
    """A queue of tasks; idle workers wait, because a task may come back."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = list(tasks)
        self._taken = 0
        self._closed = False
        self._changed = threading.Condition()

    def take(self) -> Task | None:
        """Return the next task; None when the queue is empty and no task can come back."""
        with self._changed:
            self._changed.wait_for(lambda: self._tasks or not self._taken or self._closed)
            if self._closed or not self._tasks:
                return None
            self._taken += 1
            return self._tasks.pop(0)

    def give_back(self, left: Task | None) -> None:
        """Mark a taken task as done, or queue its remaining part."""
        with self._changed:
            self._taken -= 1
            if left is not None:
                self._tasks.insert(0, left)
            self._changed.notify_all()

    def close(self) -> None:
        """Empty the queue and wake all waiters."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Tally:
    """Sums the completed cases of all workers."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._ended: dict[str, int] = {}
        self._lock = threading.Lock()

    def note(self, process: str, ended: int) -> None:
        """Record the number of completed cases of one process."""
        with self._lock:
            self._ended[process] = ended
            self._on_progress(sum(self._ended.values()))
