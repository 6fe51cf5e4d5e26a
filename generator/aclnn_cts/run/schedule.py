# SPDX-License-Identifier: Apache-2.0
"""The scheduler: which task runs next and where, and what remains when its process has ended.

It is a state machine without processes, files and clocks. Transports (processes of this host, a Ray
cluster, the runner of a kit) run what it says, and report how each process ended. Nothing is
retried into a pass: a case that a process began to its end, or died in, is never due again.

A kit carries this module, so it imports nothing but the standard library of Python 3.8.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeVar

MOST_TIMEOUTS = 6
"""Number of hung cases after which a batch is given up: each hang costs a minute."""

SILENCE_FACTOR = 1.5
"""A program may be silent for this many times a case's limit; the harness ends a stream at one."""

COMPARED = "-compared"
"""Suffix of batches that are rerun to compare a suspect host with another one."""

NO_RUNTIME = 3
"""Exit status if the runtime refuses the device."""

Purpose = Literal["batch", "alone", "company", "set-aside", "compared"]
"""Why a process ran its cases.

``batch``: they were due. ``alone``: its only case broke a promise in its batch. ``company``: its
last case did, but not alone; the cases before it are (some of) those that ran before it then.
``set-aside``: a batch's, but its host is to blame for what it recorded. ``compared``: to learn
whether a host is to blame, and it is not. These two are kept and not judged.
"""


def part_name(batch: str, part: int) -> str:
    """Return the name of the files of a batch's first, second, … process."""
    return batch if part == 0 else f"{batch}.{part}"


@dataclass(frozen=True)
class Assignment:
    """The assignment of a process.

    Attributes:
        operator: The operator of its cases.
        part: Number of earlier processes of the batch.
        about: The case that it is about; empty for a batch.
        company: Ids of the cases that run before that one.
    """

    operator: str
    batch: str
    part: int = 0
    purpose: Purpose = "batch"
    about: str = ""
    company: tuple[str, ...] = ()


class Identified(Protocol):
    """A case, of which only the id is known here."""

    @property
    def id(self) -> str:
        """Unique in a run."""


Case = TypeVar("Case", bound=Identified)


@dataclass(frozen=True)
class Batch(Generic[Case]):
    """The cases of one process.

    Attributes:
        name: Unique in a run, and a file name.
        cases: In the order in which they run.
    """

    name: str
    operator: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Outcome:
    """How a process ended.

    Attributes:
        begun: Ids of the cases that it began.
        last: The case in which, or after which, it ended; empty if it began none.
        finished: Whether it went through all of its cases.
        reached_device: Whether it reached its device.
        exit_code: Negative for a signal; None if it was terminated without its fault.
        timed_out: Whether it was terminated because of silence.
        cut: The case that was running when it was terminated without its fault.
    """

    begun: Collection[str] = ()
    last: str = ""
    finished: bool = False
    reached_device: bool = True
    exit_code: int | None = 0
    timed_out: bool = False
    cut: str = ""

    @property
    def refused(self) -> bool:
        """Whether the runtime refused it the device or did not answer."""
        return (self.exit_code == NO_RUNTIME or self.timed_out) and not self.reached_device

    @property
    def suspect(self) -> str:
        """The case suspected of killing the process; empty if none."""
        complete = self.exit_code is None or (self.exit_code == 0 and self.finished)
        return "" if complete and not self.timed_out else self.last


@dataclass(frozen=True)
class Task(Generic[Case]):
    """A batch, or its remaining part, to be run on any free device.

    Attributes:
        batch: Keeps its name when only a part of its cases remains.
        part: Number of earlier processes of the batch.
        timeouts: Number of these that were terminated because of silence.
    """

    batch: Batch[Case]
    purpose: Purpose = "batch"
    part: int = 0
    timeouts: int = 0

    @property
    def name(self) -> str:
        """Name of the next process: of its case file, its events and its outputs."""
        return part_name(self.batch.name, self.part)

    @property
    def assignment(self) -> Assignment:
        batch, part = self.batch, self.part
        if self.purpose in ("batch", "compared"):
            return Assignment(batch.operator, batch.name, part, self.purpose)
        *company, about = (case.id for case in batch.cases)
        return Assignment(batch.operator, batch.name, part, self.purpose, about, tuple(company))

    def is_due(self, most_timeouts: int) -> bool:
        """Whether cases remain.

        Args:
            most_timeouts: Number of hung cases of a batch after which its others are left out.
        """
        return bool(self.batch.cases) and self.timeouts < most_timeouts

    def after(self, *outcomes: Outcome, parts: int = 1) -> Task[Case]:
        """Return the task for the cases that no process began.

        Args:
            outcomes: The further processes that count.
            parts: Number of further processes, including those that do not count.
        """
        begun = {case for outcome in outcomes for case in outcome.begun}
        remaining = tuple(case for case in self.batch.cases if case.id not in begun)
        timeouts = self.timeouts + sum(outcome.timed_out for outcome in outcomes)
        batch = replace(self.batch, cases=remaining)
        return replace(self, batch=batch, part=self.part + parts, timeouts=timeouts)

    def rest(self, outcome: Outcome, most_timeouts: int) -> Task[Case] | None:
        """Return the remaining part after a process; None if it is done or given up."""
        if outcome.refused:
            return replace(self, part=self.part + 1)
        remaining = self.after(outcome)
        # A program that dies before its first case would do so forever.
        idle = len(remaining.batch.cases) == len(self.batch.cases) and outcome.exit_code is not None
        complete = outcome.exit_code == 0 and outcome.finished
        if self.purpose != "batch" or complete or idle or not remaining.is_due(most_timeouts):
            return None
        return remaining

    def limits(self, case_seconds: float, batch_seconds: float = math.inf) -> tuple[float, float]:
        """Return for how many seconds its process may be silent, and run in all.

        Reruns have no limit in all, because ending one would say nothing about its case.
        """
        total = batch_seconds if self.purpose == "batch" else math.inf
        return case_seconds * SILENCE_FACTOR, total


def suspects_of(
    batch: Batch[Case], outcomes: Sequence[Outcome]
) -> Iterator[tuple[str, Task[Case]]]:
    """Yield the reason to rerun each suspect of a batch, and the task that runs it alone."""
    reasons = {outcome.cut: "were interrupted" for outcome in outcomes}
    reasons.update({end.suspect: "hung" if end.timed_out else "crashed" for end in outcomes})
    for number, case in enumerate(batch.cases):
        if case.id in reasons:
            alone = Batch(f"{batch.name}-case{number}-alone", batch.operator, (case,))
            yield reasons[case.id], Task(alone, "alone")


@dataclass(eq=False)
class Host:
    """A host and its state.

    Attributes:
        free: Numbers of its idle devices; the last one is used first.
        suspect: Whether it gets no tasks until its batches were compared with another host's.
        gone: Whether it gets no more tasks.
    """

    name: str
    free: list[int]
    suspect: bool = False
    gone: bool = False

    @property
    def usable(self) -> bool:
        return not (self.gone or self.suspect)


@dataclass(frozen=True, eq=False)
class Turn(Generic[Case]):
    """A task on a device, from its start to its end."""

    task: Task[Case]
    host: Host
    device: int


class Schedule(Generic[Case]):
    """The waiting tasks and the hosts.

    Attributes:
        hosts: By name. A device that the runtime refuses is never free again.
        waiting: The next task first.
    """

    def __init__(self, hosts: Iterable[Host], most_timeouts: int = MOST_TIMEOUTS) -> None:
        """Create a schedule without tasks.

        Args:
            most_timeouts: As for :meth:`Task.is_due`.
        """
        self.hosts = {host.name: host for host in hosts}
        self.waiting: list[Task[Case]] = []
        self._most_timeouts = most_timeouts

    @classmethod
    def of_devices(
        cls, devices: Iterable[int], most_timeouts: int = MOST_TIMEOUTS
    ) -> Schedule[Case]:
        """Create a schedule for one host; a device that is named twice runs two tasks at once."""
        return cls([Host("", [*devices][::-1])], most_timeouts)

    def begin(self, tasks: Iterable[Task[Case]]) -> None:
        """Replace the waiting tasks by the due ones of these, in their order."""
        self.waiting = [task for task in tasks if task.is_due(self._most_timeouts)]

    def idle(self) -> list[Host]:
        return [host for host in self.hosts.values() if host.free and host.usable]

    def next(self) -> Turn[Case] | None:
        """Assign the next task to the host with most idle devices; None if there is none."""
        idle = self.idle()
        if not (idle and self.waiting):
            return None
        host = max(idle, key=lambda each: len(each.free))
        return Turn(self.waiting.pop(0), host, host.free.pop())

    def put_back(self, task: Task[Case]) -> None:
        """Have a task run next."""
        self.waiting.insert(0, task)

    def follow(self, task: Task[Case], outcome: Outcome) -> bool:
        """Have the rest of a task run next; return whether there is one."""
        rest = task.rest(outcome, self._most_timeouts)
        if rest is not None:
            self.put_back(rest)
        return rest is not None

    def free(self, turn: Turn[Case]) -> None:
        """Have the device of a turn run further tasks."""
        turn.host.free.append(turn.device)

    def end(self, turn: Turn[Case], outcome: Outcome) -> bool:
        """End a turn; return whether cases of its batch remain."""
        if not outcome.refused:
            self.free(turn)
        return self.follow(turn.task, outcome)
