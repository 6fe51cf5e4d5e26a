# SPDX-License-Identifier: Apache-2.0
"""Interrupted runs: their remaining tasks, and the records to keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError, counted
from aclnn_cts.run.events import DeviceEvent, read_events
from aclnn_cts.run.executor import Batch, Leftover, Task
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder import RunFolder, read_run
from aclnn_cts.run.folder_lock import is_run_file
from aclnn_cts.run.journal import JOURNAL, RUN_FILE, read_journal
from aclnn_cts.run.process import (
    ProcessFiles,
    ProgramRun,
    describe_end,
    find_usable_record,
    how_it_ended,
)
from aclnn_cts.run.schedule import COMPARED


def reached_device(programs: Sequence[ProgramRun]) -> DeviceEvent:
    """Return the device as the first program that reached one reported it.

    Raises:
        NotTrustworthyError: None did; the message ends with the complaint or the end of one of
            them.
    """
    for program in programs:
        device = read_events(program.events).device
        if device is not None:
            return device
    complaints = (program.stderr.splitlines()[-1] for program in programs if program.stderr)
    ends = (describe_end(program) for program in programs if program.exit_code != 0)
    reason = next((f": {text}" for text in (*complaints, *ends) if text), "")
    raise NotTrustworthyError(f"no program reached a device, so nothing was tested{reason}")


@dataclass(frozen=True)
class Interrupted:
    """An interrupted run that is resumed.

    Attributes:
        run: The interrupted run; its devices may have been replaced.
        change: The fault or variant of the run; None for the unharmed device.
    """

    run: RunFolder
    change: Change | None = None


def salvage_leftovers(run: RunFolder, tasks: Iterable[Task]) -> Iterator[Leftover]:
    """Yield the tasks with a process that is not in the journal, with its record."""
    for task in tasks:
        files = ProcessFiles.of(run.path, task.name)
        if (process := ProgramRun.salvage(task.assignment, files)) is not None:
            yield task, process


def count_ended(run: RunFolder) -> int:
    parts, count = _parts(run.programs), 0
    for batch in run.batches:
        task = _remaining_task(batch, parts.get(batch.name, ()))
        files = ProcessFiles.of(run.path, task.name)
        usable = find_usable_record(files.events, files.outputs)
        count += len(batch.cases) - len(task.batch.cases) + usable.ended
    return count


def describe_replaced_run(path: Path) -> str:
    """Return a note on the interrupted run that a new run is about to replace.

    Returns:
        The note; empty if nothing is lost because the run is complete, has no completed case, or is
        damaged.
    """
    try:
        if not is_run_file(path / RUN_FILE) or read_journal(path).found is not None:
            return ""
        run = read_run(path)
        ended = count_ended(run)
    except (NotTrustworthyError, OSError):
        return ""
    if not ended:
        return ""
    completed = f"{ended} of {counted(len(run.cases), 'case')} completed"
    return f"{path}: held an interrupted run ({completed}), which this run replaces"


def require_whole_journal(run: RunFolder) -> None:
    """Refuse a journal that lacks processes that must have ended.

    A batch's next process begins after the previous one was journaled, and reruns begin after all
    batches. Without these lines, cases that broke a promise would run anew.

    Raises:
        NotTrustworthyError: The folder holds a record that the journal does not list.
    """
    parts, journaled = _parts(run.programs), {program.events.name for program in run.programs}
    batches = [batch.name for batch in run.batches]
    running = {_remaining_task(batch, parts.get(batch.name, ())).name for batch in run.batches}
    all_begun = all(name in parts for name in batches)
    for events in sorted((run.path / "events").glob("*.jsonl")):
        of_batch = any(
            events.stem == name or events.stem.startswith(f"{name}.") for name in batches
        )
        expected = events.stem in running if of_batch else all_begun
        # Processes that compare hosts may be running at any time.
        expected = expected or events.stem.endswith(COMPARED)
        if events.name not in journaled and not expected:
            raise NotTrustworthyError(
                f"{run.path / JOURNAL}: lacks processes that ended before {events.name} began; it "
                "was damaged or changed: run `aclnn-cts run` again"
            )


def tasks_of(run: RunFolder) -> Iterator[Task]:
    """Yield the remaining part of each batch of a run, even if it is empty."""
    parts = _parts(run.programs)
    return (_remaining_task(batch, parts.get(batch.name, ())) for batch in run.batches)


def require_devices(run: RunFolder, most_timeouts: int) -> None:
    """Require that no case was left out because all devices were given up.

    Cases that were left out because a program died or hung too often do not count.

    Args:
        run: The run, with the records of its tasks.
        most_timeouts: As for :meth:`Task.is_due`.

    Raises:
        NotTrustworthyError: A case remains, and the last process of its batch was refused its
            device or terminated with the run.
    """
    programs = [program for program in run.programs if program.purpose == "batch"]
    ended = {name for program in programs for name in program.progress.ended}
    if len(ended) == len(run.cases) - len(run.left_out):
        return  # the usual case; avoids unpacking the cases
    last_programs = {program.batch: program for program in programs}
    due = [
        case
        for task in tasks_of(run)
        if task.is_due(most_timeouts) and _needs_device(last_programs.get(task.batch.name))
        for case in task.batch.cases
    ]
    if due:
        raise NotTrustworthyError(_no_device(run, len(due)))


def _needs_device(last: ProgramRun | None) -> bool:
    """Whether the remaining part of a batch waits for a device, by its last process."""
    return last is None or last.exit_code is None or last.outcome.refused


def _no_device(run: RunFolder, due: int) -> str:
    """Return why cases were left out, and in which cases the devices were lost."""
    # The run's processes are sorted by batch; the journal's are in order of time.
    programs = read_journal(run.path).programs
    refusals = [why_refused(end) for end in programs if end.outcome.refused]
    reason = f" ({refusals[-1]})" if refusals else ""
    lost = lost_devices(programs, run.config.devices)
    message = f"no device is left{reason}, and {counted(due, 'case')} not begun"
    return f"{message}; {lost}" if lost else message


def _remaining_task(batch: Batch, parts: Sequence[ProgramRun]) -> Task:
    outcomes = (part.outcome for part in parts if part.purpose == "batch")
    following = max((part.part + 1 for part in parts), default=0)
    return Task(batch).after(*outcomes, parts=following)


def _parts(programs: Sequence[ProgramRun]) -> Mapping[str, list[ProgramRun]]:
    """Return the processes of each batch, including those that were set aside."""
    parts: dict[str, list[ProgramRun]] = {}
    for program in programs:
        if program.purpose in ("batch", "set-aside"):
            parts.setdefault(program.batch, []).append(program)
    return parts


_MOST_NAMED = 3
"""Maximum number of lost devices in a message."""


def lost_devices(programs: Sequence[ProgramRun], devices: Sequence[int]) -> str:
    """Return where each device was lost, the latest first; empty if unknown.

    Args:
        programs: All processes of a run, in order of time.
        devices: Numbers of the devices.
    """
    last = {program.device: program for program in programs if program.device in devices}
    refused = [program for program in programs if last.get(program.device) is program]
    lost = [where_lost(programs, end) for end in reversed(refused) if end.outcome.refused]
    places = [place for place in lost if place]
    more = len(places) - _MOST_NAMED
    return ", ".join((*places[:_MOST_NAMED], *((f"{more} more before",) if more > 0 else ())))


def why_refused(refused: ProgramRun) -> str:
    """Return why a process did not get its device, by its message if it left one."""
    return (refused.stderr.splitlines() or [how_it_ended(refused)])[-1]


def where_lost(programs: Sequence[ProgramRun], refused: ProgramRun) -> str:
    """Return the last case on a device before it was refused, or "".

    Args:
        programs: All processes of a run, in order of time.
        refused: The process that was refused its device.
    """
    before = programs[: programs.index(refused)]
    for program in reversed(before):
        same_device = (program.host, program.device) == (refused.host, refused.device)
        if same_device and (place := _last_place(program)):
            how = f"{program.operator}: {how_it_ended(program)}"
            host = program.host and f" of host {program.host}"
            return f"device {program.device}{host} was lost {place} ({how})"
    return ""


def _last_place(program: ProgramRun) -> str:
    """Return the last case that a process began; empty if none."""
    if program.cut:
        return f"in {program.cut}"
    progress = program.progress
    return progress.last and f"{'after' if progress.ended[progress.last] else 'in'} {progress.last}"
