# SPDX-License-Identifier: Apache-2.0
"""Running tasks on the devices of this host: one worker for each, one queue for all."""

from __future__ import annotations

import functools
import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from aclnn_cts.run.execute import Campaign, found_no_device, rest_of, run_program
from aclnn_cts.run.executor import OnProgress, Processes, Task
from aclnn_cts.run.program_run import ProgramRun

_POLL_SECONDS = 0.1


class LocalExecutor:
    """Runs tasks by one worker per device, the longest first; see :class:`Executor`.

    A device that the runtime refuses is given up: what its worker had is left to the others. It
    stays so, for later tasks, too.
    """

    def __init__(self, campaign: Campaign) -> None:
        """Take the devices that were asked for; one that is named twice has two workers."""
        self._campaign = campaign
        self._devices = list(campaign.asked.devices)

    def run(self, tasks: Sequence[Task], on_progress: OnProgress) -> Processes:
        """Run tasks; yield each process when it has ended."""
        # The longest first, so that no worker waits for a long one at the end.
        waiting = _Queue(sorted(tasks, key=lambda task: -task.batch.elements))
        told: queue.SimpleQueue[_Told] = queue.SimpleQueue()
        work = functools.partial(self._work, waiting, told, _Tally(on_progress))
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
            # After Ctrl-C, or when one program cannot run, nobody wants the others' results.
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
        self, waiting: _Queue, told: queue.SimpleQueue[_Told], tally: _Tally, device: int
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
        self, task: Task, told: queue.SimpleQueue[_Told], tally: _Tally, device: int
    ) -> Task | None:
        """Run a task; return what is left of it if the device cannot be had any more."""
        left: Task | None = task
        while left is not None:
            done = functools.partial(tally.note, left.name)
            run = run_program(self._campaign, left, device, done)
            if self._campaign.stop.is_set():
                return None  # ended by us: its record says nothing
            process = _Process(run)
            told.put(process)
            left = rest_of(self._campaign, left, run)
            if left is not None and not self._is_taken(process):
                return None
            if left is not None and found_no_device(run):
                return left
        return None

    def _is_taken(self, process: _Process) -> bool:
        """Wait until somebody has taken a process; return False if all is to end before.

        The next process of its batch would leave a record that the journal does not lead to.
        """
        while not process.taken.wait(_POLL_SECONDS):
            if self._campaign.stop.is_set():
                return False
        return True


@dataclass(frozen=True)
class _Process:
    """A process that has ended, and whether it was taken."""

    run: ProgramRun
    taken: threading.Event = field(default_factory=threading.Event)


class _WorkerEnd:
    """Says that a worker has come to its end, and why."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.lost = False
        self.error: BaseException | None = None


_Told = _Process | _WorkerEnd


class _Queue:
    """Tasks for several workers; one that has nothing to do waits, as a task may come back."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = list(tasks)
        self._taken = 0
        self._closed = False
        self._changed = threading.Condition()

    def take(self) -> Task | None:
        """Return the next task; None when there is none and none can come back."""
        with self._changed:
            self._changed.wait_for(lambda: self._tasks or not self._taken or self._closed)
            if self._closed or not self._tasks:
                return None
            self._taken += 1
            return self._tasks.pop(0)

    def give_back(self, left: Task | None) -> None:
        """Note that a taken task is done, or what is left of it for another worker."""
        with self._changed:
            self._taken -= 1
            if left is not None:
                self._tasks.insert(0, left)
            self._changed.notify_all()

    def close(self) -> None:
        """Leave nothing to take, and let nobody wait."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class _Tally:
    """Adds up how many cases have ended in the processes of all workers."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._ended: dict[str, int] = {}
        self._lock = threading.Lock()

    def note(self, process: str, ended: int) -> None:
        """Take note of how many cases of one process have ended."""
        with self._lock:
            self._ended[process] = ended
            self._on_progress(sum(self._ended.values()))
