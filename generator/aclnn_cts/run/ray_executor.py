# SPDX-License-Identifier: Apache-2.0
"""The executor of a Ray cluster: sends tasks to hosts and collects their records.

A host runs a process exactly as :class:`LocalExecutor` does, and home writes its growing record
under the same names. So a lost host leaves at home what an interrupted local run leaves: completed
cases count, the running case is recorded as cut off, and the others run elsewhere. Ray itself
retries nothing.
"""

from __future__ import annotations

import functools
import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import ray

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, write_bytes
from aclnn_cts.run import schedule
from aclnn_cts.run.environment import Prepared
from aclnn_cts.run.executor import (
    Campaign,
    Leftover,
    OnProgress,
    Processes,
    Schedule,
    Tally,
    Task,
    Turn,
    elements_of,
    longest_first,
    prepare_files,
)
from aclnn_cts.run.host_health import MOST_LOSSES, Failures, HostHealth
from aclnn_cts.run.journal import read_journal
from aclnn_cts.run.process import (
    UNKNOWN_DEVICE,
    ProcessFiles,
    ProgramRun,
    UsableRecord,
    count_ends,
    find_usable_record,
    truncate_record,
)
from aclnn_cts.run.ray_host import (
    DataRequest,
    End,
    Growth,
    Host,
    JudgeProcess,
    ProcessRequest,
    Refusal,
    run_request,
)

if TYPE_CHECKING:
    from aclnn_cts.run.ray_cluster import RayCluster

_WAIT_SECONDS = 0.2
_LOOK_SECONDS = 1.0
_END_SECONDS = 10.0


@dataclass
class _Attempt:
    """A process on a host.

    Attributes:
        files: Its files at home.
        started: Start time by the campaign's clock.
        card: The number of its card; unknown before the first record.
        sent: Whether the data of its cases were sent.
    """

    turn: Turn
    files: ProcessFiles
    started: float
    card: int = UNKNOWN_DEVICE
    ended: int = 0
    sent: bool = False


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
        self._campaign = campaign
        self._cluster = cluster
        self._prepared = prepared
        self._say = say
        self._hosts = {host.name: host for host in hosts.values()}
        free = [schedule.Host(host.name, list(range(host.cards))) for host in hosts.values()]
        self._schedule = Schedule(free, campaign.most_timeouts)
        failures = functools.partial(judge.failures, campaign)
        self._health = HostHealth(self._schedule, failures, elements_of, say)
        programs = read_journal(campaign.folder).programs
        for name in {program.host for program in programs if program.purpose == "set-aside"}:
            self._health.quarantine(name)
        self._reserved: list[Any] = []
        self._looked = -math.inf

    def run(
        self, tasks: Sequence[Task], on_progress: OnProgress, leftovers: Sequence[Leftover] = ()
    ) -> Processes:
        health = self._health
        self._schedule.begin(longest_first(tasks))
        health.begin()
        running: dict[Any, _Attempt] = {}
        tally = Tally(on_progress)
        try:
            for task, process in leftovers:
                yield from health.examine(task, health.host(process.host), process)
            while True:
                for turn in iter(self._schedule.next, None):
                    self._begin(turn, running)
                if not running:
                    if not health.pending:
                        break
                    yield from health.settle()
                    continue
                ready, _ = ray.wait(list(running), timeout=_WAIT_SECONDS)
                if self._cluster.stop.is_set():
                    raise KeyboardInterrupt
                for stream in ready:
                    yield from self._advance(stream, running, tally)
                for stream in self._unreachable(running):
                    ray.cancel(stream)
                    yield from self._handle_loss(running.pop(stream), "it cannot be reached")
                now = self._campaign.clock()
                slow = health.slow((at.turn, now - at.started) for at in running.values())
                for stream in [stream for stream, at in running.items() if at.turn is slow]:
                    ray.cancel(stream)  # its card is not used again
                    yield from self._cut_off(running.pop(stream))
        finally:
            self._cancel(running)

    def _begin(self, turn: Turn, running: dict[Any, _Attempt]) -> None:
        files = ProcessFiles.of(self._campaign.folder, turn.task.name)
        prepare_files(self._campaign, turn.task, files)
        attempt = _Attempt(turn, files, self._campaign.clock())
        running[self._start(attempt)] = attempt

    def _start(self, attempt: _Attempt) -> Any:
        campaign, task = self._campaign, attempt.turn.task
        references = {case.id: campaign.references[case.id] for case in task.batch.cases}
        paths = {data.path for data in references.values() if data.path is not None}
        host = self._hosts[attempt.turn.host.name]
        request = ProcessRequest(
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
        return self._cluster.call(host, 1, run_request, request)

    def _advance(
        self, stream: Any, running: dict[Any, _Attempt], tally: Tally
    ) -> Iterator[ProgramRun]:
        """Take the next item of a process; yield it if it has ended."""
        attempt = running[stream]
        try:
            item = ray.get(next(stream))
        except ray.exceptions.RayTaskError:
            raise  # a defect of aclnn-cts
        except (ray.exceptions.RayError, StopIteration) as error:
            del running[stream]
            yield from self._handle_loss(attempt, reason_of(error))
            return
        if isinstance(item, Growth):
            self._write(attempt, item)
            tally.note(attempt.turn.task.name, attempt.ended)
            return
        del running[stream]
        if isinstance(item, DataRequest):
            attempt.sent = True
            running[self._start(attempt)] = attempt
            return
        if isinstance(item, Refusal):
            yield from self._handle_loss(attempt, item.sentence)
            return
        yield from self._handle_end(stream, attempt, item)

    def _write(self, attempt: _Attempt, growth: Growth) -> None:
        """Append to the files at home: outputs before the events that describe them."""
        attempt.ended += count_ends(growth.events)
        try:
            if attempt.card == UNKNOWN_DEVICE:
                attempt.card = growth.card
                attempt.files.write_place(growth.card, attempt.turn.host.name)
            for path, content in (
                (attempt.files.outputs, growth.outputs),
                (attempt.files.events, growth.events),
            ):
                if content:
                    with path.open("ab") as file:
                        file.write(content)
        except OSError as error:
            raise explain(error, self._campaign.folder) from None

    def _handle_end(self, stream: Any, attempt: _Attempt, ended: End) -> Iterator[ProgramRun]:
        """Yield an ended process, unless its host is suspect."""
        files, turn = attempt.files, attempt.turn
        name = turn.host.name
        run = replace(ended.program, events=files.events, outputs=files.outputs, host=name)
        if ended.verdicts:
            verdicts_sha256 = hashlib.sha256(ended.verdicts).hexdigest()
            run = replace(run, outputs_sha256="", verdicts_sha256=verdicts_sha256)
            write_bytes(run.verdicts, ended.verdicts)
        for path, digest in (
            (files.events, run.events_sha256),
            (files.outputs, run.outputs_sha256),
        ):
            if digest:
                path.touch()
        if run.events_sha256:
            os.truncate(files.events, ended.events)  # the host may have truncated it
        if altered := run.find_altered():
            raise NotTrustworthyError(
                f"{altered}: differs from the file on host {name}; run it again"
            )
        if refused := run.outcome.refused:
            self._reserved.append(stream)
        self._health.record_end(turn, self._campaign.clock() - attempt.started, refused=refused)
        yield from self._health.examine(turn.task, turn.host, run)

    def _handle_loss(self, attempt: _Attempt, reason: str) -> Iterator[ProgramRun]:
        """Yield the record of a process that was lost with its worker or its host."""
        node = self._hosts[attempt.turn.host.name].node
        self._health.record_loss(attempt.turn, reason, alive=node in self._cluster.alive())
        yield from self._cut_off(attempt)

    def _cut_off(self, attempt: _Attempt) -> Iterator[ProgramRun]:
        """Yield a process that was terminated from outside, and have the rest of its task run."""
        task, host, files = attempt.turn.task, attempt.turn.host, attempt.files
        usable = find_usable_record(files.events, files.outputs)
        given_up = self._health.is_given_up(usable.cut or task.name)
        if task.purpose != "batch" or not (usable.ended or usable.cut):
            # Its record counts only if it is complete.
            if not given_up:
                self._schedule.put_back(task)
                return
            usable = UsableRecord()
            yield from self._health.give_up(task)
        elif given_up and usable.cut:
            # The record keeps its begin event, so its verdict is missing.
            self._say(f"{usable.cut} is given up: its process was lost {MOST_LOSSES} times")
            usable = UsableRecord()
        else:
            truncate_record(files.events, usable)
        run = ProgramRun.of_interruption(task.assignment, files, usable.cut)
        run = replace(run, device=attempt.card, host=host.name)
        yield from self._health.examine(task, host, run)

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
        return [
            stream
            for stream, at in running.items()
            if self._hosts[at.turn.host.name].node not in alive
        ]

    def _cancel(self, running: Mapping[Any, _Attempt]) -> None:
        """Terminate running processes, and wait for them."""
        for stream in running:
            ray.cancel(stream)
        pending = list(running)
        deadline = time.monotonic() + _END_SECONDS
        while pending and time.monotonic() < deadline:
            ready, _ = ray.wait(pending, timeout=_WAIT_SECONDS)
            for stream in ready:
                try:
                    ray.get(next(stream))
                except (ray.exceptions.RayError, StopIteration):  # noqa: PERF203 - each by itself
                    pending.remove(stream)
