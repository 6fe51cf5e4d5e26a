# SPDX-License-Identifier: Apache-2.0
"""The executor of a Ray cluster: hands tasks to hosts, brings home what their processes record.

A host runs a process exactly as :class:`LocalExecutor` does, and home writes what it records under
the same names, while it grows. So a host that is lost leaves at home what an interrupted local run
leaves: the cases that ended count, the one that was running is recorded as cut off, and the others
go elsewhere. Ray repeats nothing by itself.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import ray

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain
from aclnn_cts.run.environment import Prepared
from aclnn_cts.run.executor import (
    Campaign,
    OnProgress,
    Processes,
    Tally,
    Task,
    place,
    rest_of,
)
from aclnn_cts.run.process import (
    UNKNOWN_DEVICE,
    Half,
    ProcessFiles,
    ProgramRun,
    cut_back,
    find_half,
)
from aclnn_cts.run.ray_host import Done, Growth, Lacking, Order, Refusal, run_order

if TYPE_CHECKING:
    from aclnn_cts.run.ray_cluster import RayCluster, SurveyedHost

MOST_LOSSES = 3
"""Times that a case may take its host or worker with it, or that a host may lose processes one
after another, before the case, or the host, is given up."""

_ENDED = b'{"event":"end"'
_WAIT_SECONDS = 0.2
_END_SECONDS = 10.0

SLOW_FACTOR = 3.0
"""How many times as long as on other hosts a batch may take when other cards have nothing to do."""

SLOW_SECONDS = 5.0
"""Time that a batch is left where it is in any case."""


@dataclass
class _Host:
    """A host, and what became of it.

    Attributes:
        about: The host.
        free: How many of its cards wait for a task.
        losses: Processes that it lost since the last one that ended.
        gone: Whether it is given no more tasks.
    """

    about: SurveyedHost
    free: int
    losses: int = 0
    gone: bool = False


@dataclass
class _Attempt:
    """A process on a host.

    Attributes:
        task: What it runs.
        host: Where.
        files: Its files at home.
        started: When it was handed out, by the campaign's clock.
        card: The number of its card; not known before it records something.
        ended: How many cases have ended.
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
    """What is left to do, and what went wrong with it."""

    tasks: list[Task]
    losses: Counter[str] = field(default_factory=Counter)
    moved: set[str] = field(default_factory=set)


def reason_of(error: Exception) -> str:
    """Return the first line of what Ray says of a lost task."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


class RayExecutor:
    """Runs tasks on the cards of a cluster, the longest first; see :class:`Executor`.

    A card that the runtime refuses is given up, and kept from others until the end.
    """

    def __init__(
        self,
        campaign: Campaign,
        cluster: RayCluster,
        hosts: Mapping[str, SurveyedHost],
        prepared: Mapping[str, Prepared],
        say: Callable[[str], None],
    ) -> None:
        """Take the hosts of the campaign's product, and what each has built, by node."""
        self._campaign = campaign
        self._cluster = cluster
        self._prepared = prepared
        self._say = say
        self._hosts = {node: _Host(host, host.cards) for node, host in hosts.items()}
        self._kept: list[Any] = []
        self._pace: dict[str, list[float]] = {}

    def run(self, tasks: Sequence[Task], on_progress: OnProgress) -> Processes:
        """Run tasks; yield each process when it has ended."""
        queue = _Queue(sorted(tasks, key=lambda task: -task.batch.elements))
        running: dict[Any, _Attempt] = {}
        tally = Tally(on_progress)
        try:
            while True:
                self._hand_out(queue, running)
                if not running:
                    break
                ready, _ = ray.wait(list(running), timeout=_WAIT_SECONDS)
                if self._cluster.stop.is_set():
                    raise KeyboardInterrupt
                for stream in ready:
                    if (run := self._advance(stream, running, queue, tally)) is not None:
                        yield run
                if (slow := self._slow(queue, running)) is not None:
                    run = self._move(slow, running, queue)
                    if run is not None:
                        yield run
        finally:
            self._end(running)

    def _hand_out(self, queue: _Queue, running: dict[Any, _Attempt]) -> None:
        """Give each free card a task, the hosts with most free cards first."""
        while queue.tasks:
            free = [host for host in self._hosts.values() if host.free > 0 and not host.gone]
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
        )
        return self._cluster.call(host, 1, run_order, order)

    def _advance(
        self, stream: Any, running: dict[Any, _Attempt], queue: _Queue, tally: Tally
    ) -> ProgramRun | None:
        """Take the next item of a process; return the process if it has ended."""
        attempt = running[stream]
        try:
            item = ray.get(next(stream))
        except ray.exceptions.RayTaskError:
            raise  # a defect of ours
        except (ray.exceptions.RayError, StopIteration) as error:
            del running[stream]
            return self._lost(attempt, queue, reason_of(error))
        if isinstance(item, Growth):
            self._write(attempt, item)
            tally.note(attempt.task.name, attempt.ended)
            return None
        del running[stream]
        attempt.host.free += 1
        if isinstance(item, Lacking):
            attempt.host.free -= 1
            attempt.sent = True
            running[self._start(attempt)] = attempt
            return None
        if isinstance(item, Refusal):
            raise NotTrustworthyError(f"host {attempt.host.about.name}: {item.sentence}")
        return self._ended(stream, attempt, item, queue)

    def _write(self, attempt: _Attempt, grown: Growth) -> None:
        """Append to the files at home; the outputs come before the events that describe them."""
        attempt.card = grown.card
        attempt.ended += sum(line.startswith(_ENDED) for line in grown.events.splitlines())
        try:
            for path, content in (
                (attempt.files.outputs, grown.outputs),
                (attempt.files.events, grown.events),
            ):
                if content:
                    with path.open("ab") as file:
                        file.write(content)
        except OSError as error:
            raise explain(error, self._campaign.folder) from None

    def _ended(self, stream: Any, attempt: _Attempt, done: Done, queue: _Queue) -> ProgramRun:
        """Return a process that came to its end, and see to what is left of its task."""
        files, host = attempt.files, attempt.host
        name = host.about.name
        run = replace(done.program, events=files.events, outputs=files.outputs, host=name)
        left = (files.events, run.events_sha256), (files.outputs, run.outputs_sha256)
        for path, digest in left:
            if digest:
                path.touch()
        if run.events_sha256:
            os.truncate(files.events, done.events)  # the host may have cut it back
        if damaged := run.altered():
            raise NotTrustworthyError(
                f"{damaged}: is not what its process left on host {name}; run it again"
            )
        host.losses = 0
        if run.found_no_device:
            host.free -= 1
            self._kept.append(stream)
        elif attempt.task.batch.elements:
            seconds = self._campaign.clock() - attempt.started
            pace = seconds / attempt.task.batch.elements
            self._pace.setdefault(host.about.node, []).append(pace)
        if (rest := rest_of(self._campaign, attempt.task, run)) is not None:
            queue.tasks.insert(0, rest)
        return run

    def _lost(self, attempt: _Attempt, queue: _Queue, reason: str) -> ProgramRun | None:
        """Return what is known of a process that was lost with its worker or its host."""
        host, name = attempt.host, attempt.host.about.name
        host.losses += 1
        if host.about.node not in self._cluster.alive():
            if not host.gone:
                self._say(f"host {name} is lost: its cases go elsewhere")
            host.gone = True
        elif host.losses >= MOST_LOSSES:
            self._say(
                f"host {name} is given up: it lost {host.losses} processes in turn ({reason})"
            )
            host.gone = True
        else:
            self._say(f"host {name} lost a process of {attempt.task.name}: {reason}")
            host.free += 1
        return self._cut_off(attempt, queue)

    def _cut_off(self, attempt: _Attempt, queue: _Queue) -> ProgramRun | None:
        """Return a process that was ended from outside, and see to what is left of its task."""
        task, files = attempt.task, attempt.files
        half = find_half(files.events, files.outputs)
        about = half.cut or task.name
        queue.losses[about] += 1
        given_up = queue.losses[about] >= MOST_LOSSES
        if task.purpose != "batch" or not (half.ended or half.cut):
            # It must run whole, or nothing of it is known.
            if not given_up:
                queue.tasks.insert(0, task)
                return None
            half = Half()
        elif given_up and half.cut:
            # The record keeps its beginning, so it counts as begun, and its verdict is missing.
            self._say(f"{half.cut} is given up: its process was lost {MOST_LOSSES} times")
            half = Half()
        else:
            cut_back(files.events, half)
        run = ProgramRun.cut_off(task.assignment, files, half.cut)
        run = replace(run, device=attempt.card, host=attempt.host.about.name)
        begun = run.progress.ended
        left = [case for case in task.batch.cases if case.id not in begun]
        if task.purpose == "batch" and left and begun:
            queue.tasks.insert(0, task.left(left))
        return run

    def _slow(self, queue: _Queue, running: Mapping[Any, _Attempt]) -> Any:
        """Return a batch that takes too long while other hosts have nothing to do, or None."""
        idle = {each.about.node for each in self._hosts.values() if each.free > 0 and not each.gone}
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

    def _move(self, stream: Any, running: dict[Any, _Attempt], queue: _Queue) -> ProgramRun | None:
        """Take a batch from a slow host; its card is not used again."""
        attempt = running.pop(stream)
        queue.moved.add(attempt.task.batch.name)
        ray.cancel(stream)
        name = attempt.host.about.name
        self._say(f"host {name} is slow: the rest of {attempt.task.name} goes elsewhere")
        return self._cut_off(attempt, queue)

    def _end(self, running: Mapping[Any, _Attempt]) -> None:
        """End what still runs, and wait a while for it."""
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
