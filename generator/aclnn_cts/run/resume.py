# SPDX-License-Identifier: Apache-2.0
"""Interrupted runs: remaining tasks, and what can be kept."""

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
    COMPARED,
    Half,
    ProcessFiles,
    ProgramRun,
    cut_back,
    describe_end,
    find_half,
    how_it_ended,
)


def reached_device(programs: Sequence[ProgramRun]) -> DeviceEvent:
    """Return the device as the first program that reached one reported it.

    Raises:
        NotTrustworthyError: None did; the message ends with what one of them complained of,
            or with how one of them ended.
    """
    for program in programs:
        device = read_events(program.events).device
        if device is not None:
            return device
    complaints = (each.stderr.splitlines()[-1] for each in programs if each.stderr)
    ends = (describe_end(each) for each in programs if each.exit_code != 0)
    reason = next((f": {told}" for told in (*complaints, *ends) if told), "")
    raise NotTrustworthyError(f"no program reached a device, so nothing was tested{reason}")


@dataclass(frozen=True)
class Interrupted:
    """An interrupted run that is resumed.

    Attributes:
        run: The run as it was found; its devices may have been changed.
        change: What makes the simulated device the faulty one of the run; None for the unharmed
            one.
    """

    run: RunFolder
    change: Change | None = None


def salvaged(run: RunFolder, tasks: Iterable[Task]) -> Iterator[Leftover]:
    """Yield the tasks with a process that is not in the journal, with its record.

    The events files are cut back to the cases that ended; the others are as if never begun.
    """
    for task in tasks:
        files, half = _half_of(run, task)
        if half.ended or half.cut:
            cut_back(files.events, half)
            yield task, ProgramRun.cut_off(task.assignment, files, half.cut)


def _half_of(run: RunFolder, task: Task) -> tuple[ProcessFiles, Half]:
    """Return where a task's next process records, and what it had recorded if it was running."""
    files = ProcessFiles.of(run.path, task.name)
    return files, find_half(files.events, files.outputs)


def count_ended(run: RunFolder) -> int:
    """Return how many cases of a run need not be run again, be their processes salvaged or not."""
    parts, count = _parts(run.programs), 0
    for batch in run.batches:
        left = _left(batch, parts.get(batch.name, ()))
        _, half = _half_of(run, left)
        count += len(batch.cases) - len(left.batch.cases) + half.ended
    return count


def replaced(path: Path) -> str:
    """Return a note on the interrupted run in a folder that a new run is about to clear.

    Returns:
        The sentence; empty if nothing is lost: the run had come to its end, or no case of it had
        ended, or it is damaged, so that it could not go on.
    """
    try:
        if not is_run_file(path / RUN_FILE) or read_journal(path).found is not None:
            return ""
        run = read_run(path)
        ended = count_ended(run)
    except (NotTrustworthyError, OSError):
        return ""
    held = f"{ended} of {counted(len(run.cases), 'case')} completed"
    return f"{path}: held an interrupted run ({held}), which this run replaces" if ended else ""


def require_whole_journal(run: RunFolder) -> None:
    """Refuse a journal that lacks processes that must have ended.

    A batch's next process begins after the one before it was journaled, and a case is run again
    after all batches were done. Without their lines, what was seen to break would be run anew.

    Raises:
        NotTrustworthyError: The folder holds a record that the journal does not list.
    """
    parts, journaled = _parts(run.programs), {program.events.name for program in run.programs}
    batches = [batch.name for batch in run.batches]
    running = {_left(batch, parts.get(batch.name, ())).name for batch in run.batches}
    all_begun = all(name in parts for name in batches)
    for events in sorted((run.path / "events").glob("*.jsonl")):
        of_batch = any(
            events.stem == name or events.stem.startswith(f"{name}.") for name in batches
        )
        expected = events.stem in running if of_batch else all_begun
        # What runs once more to compare hosts may be running at any time.
        expected = expected or events.stem.endswith(COMPARED)
        if events.name not in journaled and not expected:
            raise NotTrustworthyError(
                f"{run.path / JOURNAL}: lacks processes that ended before {events.name} began; it "
                "was damaged or changed: run `aclnn-cts run` again"
            )


def tasks_of(run: RunFolder) -> Iterator[Task]:
    """Yield the rest of each batch of a run, even if it is empty."""
    parts = _parts(run.programs)
    return (_left(batch, parts.get(batch.name, ())) for batch in run.batches)


def is_due(task: Task, most_timeouts: int) -> bool:
    """Whether a task has cases that are still to be run.

    Args:
        most_timeouts: Number of hung cases of a batch after which its others are left out.
    """
    return bool(task.batch.cases) and task.timeouts < most_timeouts


def require_devices(run: RunFolder, most_timeouts: int) -> None:
    """Require that no case was left out because all devices were given up.

    What a program left out that died or hung too often stays left out: that is its own doing.

    Args:
        run: The run, with all that became of its tasks.
        most_timeouts: As for :func:`is_due`.

    Raises:
        NotTrustworthyError: A case is due, and the last process that should have begun it was
            refused its device, or none was started after one that was ended with its run.
    """
    batches = [each for each in run.programs if each.purpose == "batch"]
    ended = {name for each in batches for name in each.progress.ended}
    if len(ended) == len(run.cases) - len(run.left_out):
        return  # Usually; so the cases need not be unpacked.
    ends = {each.batch: each for each in batches}
    due = [
        case
        for task in tasks_of(run)
        if is_due(task, most_timeouts) and _wants_device(ends.get(task.batch.name))
        for case in task.batch.cases
    ]
    if due:
        raise NotTrustworthyError(_no_device(run, len(due)))


def _wants_device(last: ProgramRun | None) -> bool:
    """Whether the rest of a batch waits for a device, according to its last process."""
    return last is None or last.exit_code is None or last.found_no_device


def _no_device(run: RunFolder, due: int) -> str:
    """Return why cases were left out, and in which others the devices were lost."""
    # The run's own processes are sorted by batch; the journal's are in order of time.
    programs = read_journal(run.path).programs
    said = [why_refused(each) for each in programs if each.found_no_device]
    reason = f" ({said[-1]})" if said else ""
    lost = lost_devices(programs, run.config.devices)
    told = f"no device is left{reason}, and {counted(due, 'case')} not begun"
    return f"{told}; {lost}" if lost else told


def _left(batch: Batch, parts: Sequence[ProgramRun]) -> Task:
    counted = [part for part in parts if part.purpose == "batch"]
    begun = {name for part in counted for name in part.progress.ended}
    left = tuple(case for case in batch.cases if case.id not in begun)
    timeouts = sum(part.timed_out for part in counted)
    following = max((part.part + 1 for part in parts), default=0)
    return Task(Batch(batch.name, batch.operator, left), "batch", following, timeouts)


def _parts(programs: Sequence[ProgramRun]) -> Mapping[str, list[ProgramRun]]:
    """Return the processes that worked at each batch, also those that were set aside."""
    parts: dict[str, list[ProgramRun]] = {}
    for program in programs:
        if program.purpose in ("batch", "set-aside"):
            parts.setdefault(program.batch, []).append(program)
    return parts


_MOST_NAMED = 3
"""Most devices that a message lists as lost; a host may have eight or more."""


def lost_devices(programs: Sequence[ProgramRun], devices: Sequence[int]) -> str:
    """Return where each device was lost, the one that was lost last first; empty if unknown.

    Args:
        programs: All processes of a run, in order of time.
        devices: Numbers of the devices that are asked about.
    """
    last = {program.device: program for program in programs if program.device in devices}
    refused = [program for program in programs if last.get(program.device) is program]
    told = [where_lost(programs, each) for each in reversed(refused) if each.found_no_device]
    known = [place for place in told if place]
    more = len(known) - _MOST_NAMED
    return ", ".join((*known[:_MOST_NAMED], *((f"{more} more before",) if more > 0 else ())))


def why_refused(refused: ProgramRun) -> str:
    """Return why a process did not get its device, in its own words if it had any."""
    return (refused.stderr.splitlines() or [how_it_ended(refused)])[-1]


def where_lost(programs: Sequence[ProgramRun], refused: ProgramRun) -> str:
    """Return the last case on a device before it was refused, or "".

    Args:
        programs: All processes of a run, in order of time.
        refused: The one that was refused its device.
    """
    before = programs[: programs.index(refused)]
    for program in reversed(before):
        same = (program.host, program.device) == (refused.host, refused.device)
        if same and (place := _last_place(program)):
            how = f"{program.operator}: {how_it_ended(program)}"
            host = program.host and f" of host {program.host}"
            return f"device {program.device}{host} was lost {place} ({how})"
    return ""


def _last_place(program: ProgramRun) -> str:
    """Return in or after which case a process ended; empty if it began none."""
    if program.cut:
        return f"in {program.cut}"
    progress = program.progress
    return progress.last and f"{'after' if progress.ended[progress.last] else 'in'} {progress.last}"
