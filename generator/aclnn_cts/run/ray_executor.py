# SPDX-License-Identifier: Apache-2.0
"""The executor of a Ray cluster: sends tasks to hosts and collects their records.

A host runs a process exactly as :class:`LocalExecutor` does, and home writes its growing record
under the same names. So a lost host leaves at home what an interrupted local run leaves: completed
cases count, the running case is recorded as cut off, and the others run elsewhere. Ray itself
retries nothing.
"""

from __future__ import annotations

import hashlib
import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import ray

from aclnn_cts.errors import NotTrustworthyError, counted
from aclnn_cts.files import explain, write_bytes
from aclnn_cts.run.environment import Prepared
from aclnn_cts.run.executor import (
    Campaign,
    Failures,
    Leftover,
    OnProgress,
    Processes,
    Tally,
    Task,
    place,
    rest_of,
)
from aclnn_cts.run.journal import read_journal
from aclnn_cts.run.process import (
    COMPARED,
    UNKNOWN_DEVICE,
    Half,
    ProcessFiles,
    ProgramRun,
    count_ends,
    cut_back,
    find_half,
)
from aclnn_cts.run.ray_host import (
    Done,
    Growth,
    Host,
    JudgeProcess,
    Lacking,
    Order,
    Refusal,
    run_order,
)

if TYPE_CHECKING:
    from aclnn_cts.run.ray_cluster import RayCluster

MOST_LOSSES = 3
"""Number of times that a case may lose its host or worker, or that a host may lose processes in a
row, before it is given up."""

_WAIT_SECONDS = 0.2
_LOOK_SECONDS = 1.0
_END_SECONDS = 10.0

QUARANTINE_BATCHES, LEAST_FAILURES = 2, 16
"""A host is suspect when at least this many cases failed in this many consecutive batches, or in
its last ones, and no valid call passed. Fewer may be the operator's fault."""

SLOW_FACTOR = 3.0
"""A batch is slow if it takes this many times as long as on other hosts, which have idle cards."""

SLOW_SECONDS = 5.0
"""Minimum time before a batch is moved."""


@dataclass(frozen=True)
class _Held:
    """A process of a batch in which cases failed and no valid call passed.

    It is yielded when it is known whether the host is to blame.
    """

    task: Task
    run: ProgramRun
    failures: int


@dataclass(frozen=True)
class _Compared:
    """A suspect host's batch on another host, and whether it passed there."""

    held: _Held
    run: ProgramRun
    passes: bool


@dataclass
class _Host:
    """A host and its state.

    Attributes:
        free: Number of idle cards.
        losses: Number of processes lost since the last one that ended.
        held: The processes since the last one in which a valid call passed.
        compared: Those that already ran on another host for comparison.
        suspect: Whether its batches are being compared; it gets no tasks meanwhile.
        gone: Whether it gets no more tasks.
        quarantined: Whether all held batches failed there and passed elsewhere.
    """

    about: Host
    free: int
    losses: int = 0
    held: list[_Held] = field(default_factory=list)
    compared: list[_Compared] = field(default_factory=list)
    suspect: bool = False
    gone: bool = False
    quarantined: bool = False

    @property
    def usable(self) -> bool:
        """Whether it gets tasks."""
        return not (self.gone or self.suspect)


@dataclass
class _Attempt:
    """A process on a host.

    Attributes:
        host: Where.
        files: Its files at home.
        started: Start time by the campaign's clock.
        card: The number of its card; unknown before the first record.
        sent: Whether the data of its cases were sent.
    """

    task: Task
    host: _Host
    files: ProcessFiles
    started: float
    card: int = UNKNOWN_DEVICE
    ended: int = 0
    sent: bool = False


@dataclass
class _Queue:
    """Remaining tasks, and their failures so far."""

    tasks: list[Task]
    losses: Counter[str] = field(default_factory=Counter)
    moved: set[str] = field(default_factory=set)
    compared: dict[str, tuple[_Host, _Held]] = field(default_factory=dict)


@dataclass(frozen=True)
class Judge:
    """The judge's functions, because an executor does not know verdicts.

    Attributes:
        failures: Returns the failures of a process.
        there: Judges a process on its host.
    """

    failures: Callable[[Campaign, Task, ProgramRun], Failures]
    there: JudgeProcess


def reason_of(error: Exception) -> str:
    """Return the first sentence of Ray's message about a lost task."""
    line = next(iter(str(error).strip().splitlines()), type(error).__name__)
    return line.partition(". ")[0]


class RayExecutor:
    """Runs tasks on the cards of a cluster, the longest first; see :class:`Executor`.

    A card that the runtime refuses is given up, and stays reserved until the end.
    """

    def __init__(
        self,
        campaign: Campaign,
        cluster: RayCluster,
        hosts: Mapping[str, Host],
        prepared: Mapping[str, Prepared],
        judge: Judge,
        say: Callable[[str], None],
    ) -> None:
        """Create an executor for hosts, given their builds by node.

        Hosts that were quarantined before an interruption get no tasks.
        """
        self._judge = judge
        self._failing: set[str] = set()
        self._campaign = campaign
        self._cluster = cluster
        self._prepared = prepared
        self._say = say
        self._hosts = {node: _Host(host, host.cards) for node, host in hosts.items()}
        programs = read_journal(campaign.folder).programs
        for name in {program.host for program in programs if program.purpose == "set-aside"}:
            host = self._named(name)
            host.gone = host.quarantined = True
            say(f"host {name} stays quarantined")
        self._kept: list[Any] = []
        self._pace: dict[str, list[float]] = {}
        self._looked = -math.inf

    def run(
        self, tasks: Sequence[Task], on_progress: OnProgress, leftovers: Sequence[Leftover] = ()
    ) -> Processes:
        """Run tasks; yield each process when it has ended."""
        queue = _Queue(sorted(tasks, key=lambda task: -task.batch.elements))
        running: dict[Any, _Attempt] = {}
        tally = Tally(on_progress)
        try:
            for task, left in leftovers:
                yield from self._examine(task, self._named(left.host), left, queue)
            while True:
                self._hand_out(queue, running)
                if not running:
                    if not (queue.compared or any(host.held for host in self._hosts.values())):
                        break
                    yield from self._settle(queue)
                    continue
                ready, _ = ray.wait(list(running), timeout=_WAIT_SECONDS)
                if self._cluster.stop.is_set():
                    raise KeyboardInterrupt
                for stream in ready:
                    yield from self._advance(stream, running, queue, tally)
                for stream in self._unreachable(running):
                    ray.cancel(stream)
                    yield from self._lost(running.pop(stream), queue, "it cannot be reached")
                if (slow := self._slow(queue, running)) is not None:
                    yield from self._move(slow, running, queue)
        finally:
            self._end(running)

    def _hand_out(self, queue: _Queue, running: dict[Any, _Attempt]) -> None:
        """Assign tasks to idle cards, on the hosts with most idle cards first."""
        while queue.tasks:
            free = [host for host in self._hosts.values() if host.free > 0 and host.usable]
            if not free:
                return
            host = max(free, key=lambda each: each.free)
            task = queue.tasks.pop(0)
            files = ProcessFiles.of(self._campaign.folder, task.name)
            place(self._campaign, task, files)
            host.free -= 1
            attempt = _Attempt(task, host, files, self._campaign.clock())
            running[self._start(attempt)] = attempt

    def _start(self, attempt: _Attempt) -> Any:
        campaign, task = self._campaign, attempt.task
        references = {case.id: campaign.references[case.id] for case in task.batch.cases}
        paths = {each.path for each in references.values() if each.path is not None}
        host = attempt.host.about
        order = Order(
            task=task,
            product=campaign.product,
            edition=campaign.specs.edition,
            config=campaign.config,
            prepared=self._prepared[host.node],
            nonce=campaign.nonce,
            references=references,
            sent={path: (campaign.store / path).read_bytes() for path in paths}
            if attempt.sent
            else {},
            judge=self._judge.there if campaign.config.judge == "cluster" else None,
        )
        return self._cluster.call(host, 1, run_order, order)

    def _advance(
        self, stream: Any, running: dict[Any, _Attempt], queue: _Queue, tally: Tally
    ) -> Iterator[ProgramRun]:
        """Take the next item of a process; yield it if it has ended."""
        attempt = running[stream]
        try:
            item = ray.get(next(stream))
        except ray.exceptions.RayTaskError:
            raise  # a defect of aclnn-cts
        except (ray.exceptions.RayError, StopIteration) as error:
            del running[stream]
            yield from self._lost(attempt, queue, reason_of(error))
            return
        if isinstance(item, Growth):
            self._write(attempt, item)
            tally.note(attempt.task.name, attempt.ended)
            return
        del running[stream]
        if isinstance(item, Lacking):
            attempt.sent = True
            running[self._start(attempt)] = attempt
            return
        if isinstance(item, Refusal):
            yield from self._lost(attempt, queue, item.sentence)
            return
        yield from self._ended(stream, attempt, item, queue)

    def _write(self, attempt: _Attempt, grown: Growth) -> None:
        """Append to the files at home: outputs before the events that describe them."""
        attempt.ended += count_ends(grown.events)
        try:
            if attempt.card == UNKNOWN_DEVICE:
                attempt.card = grown.card
                attempt.files.note_place(grown.card, attempt.host.about.name)
            for path, content in (
                (attempt.files.outputs, grown.outputs),
                (attempt.files.events, grown.events),
            ):
                if content:
                    with path.open("ab") as file:
                        file.write(content)
        except OSError as error:
            raise explain(error, self._campaign.folder) from None

    def _ended(
        self, stream: Any, attempt: _Attempt, done: Done, queue: _Queue
    ) -> Iterator[ProgramRun]:
        """Yield an ended process, unless its host is suspect."""
        files, host = attempt.files, attempt.host
        name = host.about.name
        run = replace(done.program, events=files.events, outputs=files.outputs, host=name)
        if done.verdicts:
            verdicts_sha256 = hashlib.sha256(done.verdicts).hexdigest()
            run = replace(run, outputs_sha256="", verdicts_sha256=verdicts_sha256)
            write_bytes(run.verdicts, done.verdicts)
        left = (files.events, run.events_sha256), (files.outputs, run.outputs_sha256)
        for path, digest in left:
            if digest:
                path.touch()
        if run.events_sha256:
            os.truncate(files.events, done.events)  # the host may have truncated it
        if damaged := run.altered():
            raise NotTrustworthyError(
                f"{damaged}: differs from the file on host {name}; run it again"
            )
        host.losses = 0
        if run.found_no_device:
            self._kept.append(stream)
        else:
            host.free += 1
            seconds = self._campaign.clock() - attempt.started
            self._pace.setdefault(host.about.node, []).append(seconds / attempt.task.batch.elements)
        yield from self._examine(attempt.task, host, run, queue)

    def _examine(
        self, task: Task, host: _Host, run: ProgramRun, queue: _Queue
    ) -> Iterator[ProgramRun]:
        """Yield batches for which the host is not to blame; hold the others."""
        if task.name in queue.compared:
            if run.found_no_device:
                queue.tasks.insert(0, task)
            else:
                yield from self._compare(task, run, queue)
            return
        held = _Held(task, run, 0)
        failures = Failures(0, passed=False)
        if task.purpose == "batch" and task.batch.operator not in self._failing:
            failures = self._judge.failures(self._campaign, task, run)
        if failures.passed:
            yield from self._release([*host.held, held], queue)
            host.held = []
            return
        if not failures.count:
            yield from self._release([held], queue)
            return
        host.held.append(replace(held, failures=failures.count))
        if host.quarantined or len(host.held) >= QUARANTINE_BATCHES:
            yield from self._suspect(host, queue)

    def _named(self, name: str) -> _Host:
        """Return a host by name; if the cluster no longer has it, one that gets no tasks."""
        known = (host for host in self._hosts.values() if host.about.name == name)
        return next(known, None) or self._hosts.setdefault(
            name, _Host(Host(node="", name=name, cards=0), free=0, gone=True)
        )

    def _release(self, held: Iterable[_Held], queue: _Queue) -> Iterator[ProgramRun]:
        """Yield processes, and queue the rest of their tasks."""
        for each in held:
            if (rest := rest_of(self._campaign, each.task, each.run)) is not None:
                queue.tasks.insert(0, rest)
            yield each.run

    def _suspect(self, host: _Host, queue: _Queue) -> Iterator[ProgramRun]:
        """Start to compare a host's last batches elsewhere; yield them if that is impossible."""
        held, host.held = host.held, []
        failures = sum(each.failures for each in held)
        others = [each for each in self._hosts.values() if each.usable and each is not host]
        if not others or (failures < LEAST_FAILURES and not host.quarantined):
            yield from self._release(held, queue)
            return
        host.suspect = True
        self._say(
            f"host {host.about.name} is suspect: {counted(failures, 'case')} failed there and "
            "no valid call passed; they run once more elsewhere"
        )
        for each in held:
            begun = each.run.progress.ended
            cases = tuple(case for case in each.task.batch.cases if case.id in begun)
            batch = replace(each.task.batch, name=f"{each.task.name}{COMPARED}", cases=cases)
            queue.compared[batch.name] = host, each
            queue.tasks.insert(0, Task(batch, "compared"))

    def _compare(self, task: Task, run: ProgramRun, queue: _Queue) -> Iterator[ProgramRun]:
        """Handle a suspect host's batch that ran on another host."""
        host, held = queue.compared.pop(task.name)
        elsewhere = self._judge.failures(self._campaign, task, run)
        passes = elsewhere.passed or 2 * elsewhere.count < held.failures
        host.compared.append(_Compared(held, run, passes))
        yield from self._conclude(host, queue)

    def _conclude(self, host: _Host, queue: _Queue) -> Iterator[ProgramRun]:
        """When all batches of a suspect host are compared, yield the record of each that counts."""
        if any(other is host for other, _ in queue.compared.values()):
            return
        host.suspect = False
        compared, host.compared = host.compared, []
        failures = sum(each.held.failures for each in compared if each.passes)
        if failures >= LEAST_FAILURES and not host.quarantined:
            places = ", ".join(sorted({each.run.host for each in compared if each.passes}))
            self._say(f"host {host.about.name} is quarantined: they pass on {places}")
            host.gone = host.quarantined = True
        for each in compared:
            if host.quarantined:
                yield from self._set_aside(each, queue)
                continue
            if not each.passes:
                self._failing.add(each.held.task.batch.operator)
            yield each.run
            yield from self._release([each.held], queue)

    def _set_aside(self, compared: _Compared, queue: _Queue) -> Iterator[ProgramRun]:
        """Yield a batch with the other host's record."""
        task, run = compared.held.task, compared.run
        yield replace(compared.held.run, purpose="set-aside")
        begun = run.progress.ended
        left = [case for case in task.batch.cases if case.id not in begun]
        if left and begun:
            queue.tasks.insert(0, task.left(left, timeouts=int(run.timed_out)))
        yield replace(run, purpose="batch", batch=task.batch.name, part=task.part)

    def _settle(self, queue: _Queue) -> Iterator[ProgramRun]:
        """Decide on held batches when no other task or no host is left."""
        compared, queue.compared = list(queue.compared.values()), {}
        queue.tasks = [task for task in queue.tasks if task.purpose != "compared"]
        if all(host.gone for host in self._hosts.values()):
            # The run is interrupted; resuming it finds the held batches among the leftovers.
            for host in self._hosts.values():
                host.held = []
            return
        for host, held in compared:
            yield from self._release([held], queue)
            yield from self._conclude(host, queue)
        for host in self._hosts.values():
            yield from self._suspect(host, queue)

    def _lost(self, attempt: _Attempt, queue: _Queue, reason: str) -> Iterator[ProgramRun]:
        """Yield the record of a process that was lost with its worker or its host."""
        host, name = attempt.host, attempt.host.about.name
        host.losses += 1
        if host.about.node not in self._cluster.alive():
            if not host.gone:
                self._say(f"host {name} is lost: its cases run elsewhere")
            host.gone = True
        elif host.losses >= MOST_LOSSES:
            self._say(f"host {name} is given up ({reason}); processes lost in a row: {host.losses}")
            host.gone = True
        else:
            self._say(f"host {name} lost a process of {attempt.task.name}: {reason}")
            host.free += 1
        yield from self._cut_off(attempt, queue)

    def _cut_off(self, attempt: _Attempt, queue: _Queue) -> Iterator[ProgramRun]:
        """Yield a process that was terminated from outside, and queue the rest of its task."""
        task, files = attempt.task, attempt.files
        half = find_half(files.events, files.outputs)
        about = half.cut or task.name
        queue.losses[about] += 1
        given_up = queue.losses[about] >= MOST_LOSSES
        if task.purpose != "batch" or not (half.ended or half.cut):
            # Its record counts only if it is complete.
            if not given_up:
                queue.tasks.insert(0, task)
                return
            half = Half()
            if task.name in queue.compared:
                host, held = queue.compared.pop(task.name)
                yield from self._release([held], queue)
                yield from self._conclude(host, queue)
        elif given_up and half.cut:
            # The record keeps its begin event, so its verdict is missing.
            self._say(f"{half.cut} is given up: its process was lost {MOST_LOSSES} times")
            half = Half()
        else:
            cut_back(files.events, half)
        run = ProgramRun.cut_off(task.assignment, files, half.cut)
        run = replace(run, device=attempt.card, host=attempt.host.about.name)
        yield from self._examine(task, attempt.host, run, queue)

    def _unreachable(self, running: Mapping[Any, _Attempt]) -> list[Any]:
        """Return the processes on hosts that the cluster has given up.

        Ray reports them only minutes later, when connections time out, and never if a worker
        outlives its host.
        """
        now = self._campaign.clock()
        if now - self._looked < _LOOK_SECONDS:
            return []
        self._looked = now
        alive = self._cluster.alive()
        return [stream for stream, at in running.items() if at.host.about.node not in alive]

    def _slow(self, queue: _Queue, running: Mapping[Any, _Attempt]) -> Any:
        """Return a slow batch while other hosts are idle, or None."""
        idle = {each.about.node for each in self._hosts.values() if each.free > 0 and each.usable}
        if queue.tasks or not idle:
            return None
        for stream, attempt in running.items():
            node = attempt.host.about.node
            task = attempt.task
            paces = [p for other, own in self._pace.items() if other != node for p in own]
            if task.purpose != "batch" or task.batch.name in queue.moved or not idle - {node}:
                continue
            if not paces:
                continue
            usual = statistics.median(paces) * task.batch.elements
            limit = max(SLOW_SECONDS, SLOW_FACTOR * usual)
            if self._campaign.clock() - attempt.started > limit:
                return stream
        return None

    def _move(
        self, stream: Any, running: dict[Any, _Attempt], queue: _Queue
    ) -> Iterator[ProgramRun]:
        """Take a batch from a slow host; its card is not used again."""
        attempt = running.pop(stream)
        queue.moved.add(attempt.task.batch.name)
        ray.cancel(stream)
        name = attempt.host.about.name
        self._say(f"host {name} is slow: the rest of {attempt.task.name} runs elsewhere")
        yield from self._cut_off(attempt, queue)

    def _end(self, running: Mapping[Any, _Attempt]) -> None:
        """Terminate running processes, and wait for them."""
        for stream in running:
            ray.cancel(stream)
        left = list(running)
        deadline = time.monotonic() + _END_SECONDS
        while left and time.monotonic() < deadline:
            ready, _ = ray.wait(left, timeout=_WAIT_SECONDS)
            for stream in ready:
                try:
                    ray.get(next(stream))
                except (ray.exceptions.RayError, StopIteration):  # noqa: PERF203 - each by itself
                    left.remove(stream)
