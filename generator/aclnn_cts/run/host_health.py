# SPDX-License-Identifier: Apache-2.0
"""The health of hosts: which of them lose processes, record failures of their own, or are slow.

A policy beside the scheduler. A process in which cases failed and no valid call passed is held
until it is known whether its host is to blame: if such processes add up, the host is suspect, and
their cases run once more on another host. If they pass there, the host is quarantined.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Generic

from aclnn_cts.errors import counted
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.schedule import COMPARED, Batch, Case, Host, Schedule, Task, Turn

MOST_LOSSES = 3
"""Number of times that a case may lose its host or worker, or that a host may lose processes in a
row, before it is given up."""

QUARANTINE_BATCHES, LEAST_FAILURES = 2, 16
"""A host is suspect when at least this many cases failed in this many consecutive batches, or in
its last ones, and no valid call passed. Fewer may be the operator's fault."""

SLOW_FACTOR = 3.0
"""A batch is slow if it takes this many times as long as on other hosts, which have idle cards."""

SLOW_SECONDS = 5.0
"""Minimum time before a batch is moved."""


@dataclass(frozen=True)
class Failures:
    """What the cases of a process say about the health of its host.

    Attributes:
        count: Number of cases that broke a promise or could not run.
        passed: Whether a valid call passed.
    """

    count: int
    passed: bool


@dataclass(frozen=True)
class _HeldProcess(Generic[Case]):
    """A process that is yielded when it is known whether its host is to blame."""

    task: Task[Case]
    run: ProgramRun
    failures: int = 0


@dataclass(frozen=True)
class _Comparison(Generic[Case]):
    """A suspect host's batch on another host, and whether it passed there."""

    held: _HeldProcess[Case]
    run: ProgramRun
    passes: bool


class HostHealth(Generic[Case]):
    """What is known about the hosts of a schedule."""

    def __init__(
        self,
        schedule: Schedule[Case],
        failures: Callable[[Task[Case], ProgramRun], Failures],
        cost: Callable[[Batch[Case]], int],
        say: Callable[[str], None],
    ) -> None:
        """Create a record of healthy hosts.

        Args:
            failures: Returns the failures of a process.
            cost: Returns the cost of a batch, in elements.
            say: Receives messages about the hosts.
        """
        self._schedule = schedule
        self._failures = failures
        self._cost = cost
        self._say = say
        self._quarantined: set[Host] = set()
        self._failing: set[str] = set()
        self._losses: Counter[Host] = Counter()
        self._held: defaultdict[Host, list[_HeldProcess[Case]]] = defaultdict(list)
        self._compared: defaultdict[Host, list[_Comparison[Case]]] = defaultdict(list)
        self._paces: defaultdict[Host, list[float]] = defaultdict(list)
        self.begin()

    def begin(self) -> None:
        """Forget what concerns earlier tasks."""
        self._case_losses: Counter[str] = Counter()
        self._moved: set[str] = set()
        self._awaited: dict[str, tuple[Host, _HeldProcess[Case]]] = {}

    def host(self, name: str) -> Host:
        """Return a host by name; if there is no such host, one that gets no tasks."""
        return self._schedule.hosts.setdefault(name, Host(name, [], gone=True))

    def quarantine(self, name: str) -> None:
        """Give a host no tasks, because it was quarantined before the run was interrupted."""
        self.host(name).gone = True
        self._quarantined.add(self.host(name))
        self._say(f"host {name} stays quarantined")

    @property
    def pending(self) -> bool:
        """Whether processes are held or being compared."""
        return bool(self._awaited) or any(self._held.values())

    def record_end(self, turn: Turn[Case], seconds: float, *, refused: bool) -> None:
        """Record that a process ended by itself.

        Args:
            seconds: For how long it ran.
            refused: Whether the runtime refused it the device.
        """
        self._losses[turn.host] = 0
        if not refused:
            self._schedule.free(turn)
            self._paces[turn.host].append(seconds / self._cost(turn.task.batch))

    def record_loss(self, turn: Turn[Case], reason: str, *, alive: bool) -> None:
        """Record that a process was lost with its worker or its host."""
        host, name = turn.host, turn.host.name
        self._losses[host] += 1
        losses = self._losses[host]
        if not alive:
            if not host.gone:
                self._say(f"host {name} is lost: its cases run elsewhere")
            host.gone = True
        elif losses >= MOST_LOSSES:
            self._say(f"host {name} is given up ({reason}); processes lost in a row: {losses}")
            host.gone = True
        else:
            self._say(f"host {name} lost a process of {turn.task.name}: {reason}")
            self._schedule.free(turn)

    def is_given_up(self, name: str) -> bool:
        """Count the loss of a case, or of a process without one; return whether it was too many."""
        self._case_losses[name] += 1
        return self._case_losses[name] >= MOST_LOSSES

    def slow(self, running: Iterable[tuple[Turn[Case], float]]) -> Turn[Case] | None:
        """Return a slow batch that is to be moved, because other hosts are idle, or None.

        Args:
            running: The turns, and for how many seconds each has run.
        """
        idle = set(self._schedule.idle())
        if self._schedule.waiting or not idle:
            return None
        for turn, seconds in running:
            task, host = turn.task, turn.host
            paces = [p for other, paces in self._paces.items() if other != host for p in paces]
            is_movable = task.purpose == "batch" and task.batch.name not in self._moved
            if not (is_movable and paces and idle - {host}):
                continue
            usual = statistics.median(paces) * self._cost(task.batch)
            if seconds > max(SLOW_SECONDS, SLOW_FACTOR * usual):
                self._moved.add(task.batch.name)
                self._say(f"host {host.name} is slow: the rest of {task.name} runs elsewhere")
                return turn
        return None

    def examine(self, task: Task[Case], host: Host, run: ProgramRun) -> Iterator[ProgramRun]:
        """Yield the processes for which the host is not to blame; hold this one otherwise."""
        if task.name in self._awaited:
            if run.outcome.refused:
                self._schedule.put_back(task)
            else:
                yield from self._compare(task, run)
            return
        failures = Failures(0, passed=False)
        if task.purpose == "batch" and task.batch.operator not in self._failing:
            failures = self._failures(task, run)
        held = _HeldProcess(task, run, failures.count)
        if failures.passed:
            yield from self._release([*self._held.pop(host, ()), held])
        elif not failures.count:
            yield from self._release([held])
        else:
            self._held[host].append(held)
            if host in self._quarantined or len(self._held[host]) >= QUARANTINE_BATCHES:
                yield from self._suspect(host)

    def give_up(self, task: Task[Case]) -> Iterator[ProgramRun]:
        """Yield the process that a task was to compare, because that task cannot run."""
        if task.name in self._awaited:
            host, held = self._awaited.pop(task.name)
            yield from self._release([held])
            yield from self._conclude(host)

    def settle(self) -> Iterator[ProgramRun]:
        """Decide on held processes when no other task or no host is left."""
        awaited, self._awaited = list(self._awaited.values()), {}
        waiting = self._schedule.waiting
        self._schedule.waiting = [task for task in waiting if task.purpose != "compared"]
        if all(host.gone for host in self._schedule.hosts.values()):
            # The run is interrupted; resuming it finds the held processes among the leftovers.
            self._held.clear()
            return
        for host, held in awaited:
            yield from self._release([held])
            yield from self._conclude(host)
        for host in self._schedule.hosts.values():
            yield from self._suspect(host)

    def _release(self, processes: Iterable[_HeldProcess[Case]]) -> Iterator[ProgramRun]:
        """Yield processes, and have the rest of their tasks run."""
        for process in processes:
            self._schedule.follow(process.task, process.run.outcome)
            yield process.run

    def _suspect(self, host: Host) -> Iterator[ProgramRun]:
        """Start to compare a host's held processes; yield them if that is impossible."""
        held = self._held.pop(host, [])
        failures = sum(process.failures for process in held)
        elsewhere = any(h.usable and h is not host for h in self._schedule.hosts.values())
        enough = failures >= LEAST_FAILURES or host in self._quarantined
        if not (held and elsewhere and enough):
            yield from self._release(held)
            return
        host.suspect = True
        self._say(
            f"host {host.name} is suspect: {counted(failures, 'case')} failed there and "
            "no valid call passed; they run once more elsewhere"
        )
        for process in held:
            task, begun = process.task, process.run.progress.ended
            cases = tuple(case for case in task.batch.cases if case.id in begun)
            batch = replace(task.batch, name=f"{task.name}{COMPARED}", cases=cases)
            self._awaited[batch.name] = host, process
            self._schedule.put_back(Task(batch, "compared"))

    def _compare(self, task: Task[Case], run: ProgramRun) -> Iterator[ProgramRun]:
        """Handle a suspect host's batch that ran on another host."""
        host, held = self._awaited.pop(task.name)
        elsewhere = self._failures(task, run)
        passes = elsewhere.passed or 2 * elsewhere.count < held.failures
        self._compared[host].append(_Comparison(held, run, passes))
        yield from self._conclude(host)

    def _conclude(self, host: Host) -> Iterator[ProgramRun]:
        """When all processes of a suspect host are compared, yield the record that counts."""
        if any(other is host for other, _ in self._awaited.values()):
            return
        host.suspect = False
        compared = self._compared.pop(host, [])
        failures = sum(each.held.failures for each in compared if each.passes)
        if failures >= LEAST_FAILURES and host not in self._quarantined:
            places = ", ".join(sorted({each.run.host for each in compared if each.passes}))
            self._say(f"host {host.name} is quarantined: they pass on {places}")
            host.gone = True
            self._quarantined.add(host)
        for comparison in compared:
            if host in self._quarantined:
                yield from self._set_aside(comparison)
                continue
            if not comparison.passes:
                self._failing.add(comparison.held.task.batch.operator)
            yield comparison.run
            yield from self._release([comparison.held])

    def _set_aside(self, comparison: _Comparison[Case]) -> Iterator[ProgramRun]:
        """Yield a process with the other host's record."""
        task, run = comparison.held.task, comparison.run
        yield replace(comparison.held.run, purpose="set-aside")
        remaining = task.after(run.outcome)
        if remaining.batch.cases and run.progress.ended:
            self._schedule.put_back(remaining)
        yield replace(run, purpose="batch", batch=task.batch.name, part=task.part)
