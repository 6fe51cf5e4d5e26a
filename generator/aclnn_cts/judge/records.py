# SPDX-License-Identifier: Apache-2.0
"""Finding the record of each planned case, or the reason why it is missing.

A case that never began, began twice, or is in a damaged file has no trusted record, and never
counts as passed.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import counted
from aclnn_cts.files import mapped
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.run.events import CaseRecord, OutputEvent, ProgramRecord, read_events
from aclnn_cts.run.executor import batches_of
from aclnn_cts.run.process import (
    BAD_INPUT,
    NO_RUNNER,
    UNABLE,
    ProgramRun,
    describe_end,
    read_record,
)
from aclnn_cts.run.schedule import NO_RUNTIME

_VARYING = frozenset({"microseconds", "device_microseconds", "offset", "sha256"})
"""Fields that may differ between two records of the same behaviour: times, places of outputs."""


NOT_KEPT = (
    "not judged: it passed by another standard, suite or specs, or --no-reuse is given, and only "
    "digests of its outputs were kept; run it again, with --keep-outputs to judge it again later"
)


class MissingDataError(Exception):
    """The results lack something that the verdict needs."""


@dataclass(frozen=True)
class Evidence:
    """A complete record of a case, and the file that holds its outputs."""

    record: CaseRecord
    outputs: Path

    @property
    def is_kept(self) -> bool:
        """Whether it has all outputs, and not only digests of some."""
        return not any(isinstance(e, OutputEvent) and e.sha256 for e in self.record.events)

    def read(self, event: OutputEvent, tensor: TensorCase) -> npt.NDArray[Any]:
        """Return the array of an output event: view-shaped, in the tensor's data type.

        Raises:
            MissingDataError: The outputs file does not hold it.
        """
        size = tensor.numel * tensor.data_type.itemsize
        if event.bytes != size:
            raise MissingDataError(
                f"the output {tensor.name} was recorded with {counted(event.bytes, 'byte')}, "
                f"not {size:,}"
            )
        if event.sha256:
            raise MissingDataError(NOT_KEPT)
        if size == 0:
            return np.empty(tensor.shape, tensor.data_type.numpy)
        try:
            content = mapped(self.outputs)
        except OSError:
            content = b""
        if event.offset < 0 or event.offset + size > len(content):
            raise MissingDataError(
                f"{self.outputs.name} ends before the output {tensor.name}: it holds "
                f"{counted(len(content), 'byte')} of {event.offset + size:,}"
            )
        stored = np.frombuffer(content, np.uint8, size, event.offset)
        return stored.view(tensor.data_type.numpy).reshape(tensor.shape)


@dataclass(frozen=True)
class Unrecorded:
    """A case without a complete record.

    Attributes:
        reason: Why there is none.
        seconds: Time of the case on the host, as far as it is recorded.
        ended: How its process ended in the case; may be empty.
    """

    reason: str
    seconds: float = 0.0
    ended: Literal["crash", "timeout", ""] = ""


def fingerprint_of(found: Evidence) -> str:
    """Return a digest of everything that a verdict depends on: events and outputs."""
    digest = hashlib.sha256()
    for event in found.record.events:
        fields = {name: value for name, value in vars(event).items() if name not in _VARYING}
        digest.update(repr(fields).encode())
        if isinstance(event, OutputEvent):
            digest.update((event.sha256 or digest_of_part(found.outputs, event)).encode())
    return digest.hexdigest()


def digest_of_part(outputs: Path, event: OutputEvent) -> str:
    """Return the digest of an output's elements; OSError if they cannot be read."""
    with outputs.open("rb") as file:
        file.seek(event.offset)
        return hashlib.sha256(file.read(event.bytes)).hexdigest()


@dataclass(frozen=True)
class Pairing:
    """The records of the planned cases.

    Attributes:
        found: The record of each case, by id.
        problems: Problems of the record as a whole, such as events of unknown cases.
        begun: The processes, and the ids of their cases in the order of their begin events.
    """

    found: Mapping[str, Evidence | Unrecorded]
    problems: tuple[str, ...]
    begun: tuple[tuple[ProgramRun, tuple[str, ...]], ...] = ()

    def before(self, case: str) -> tuple[str, ...]:
        """Return the cases before a case in its process."""
        number, place = self._places.get(case, (0, 0))
        return self.begun[number][1][:place] if place else ()

    def program_of(self, case: str) -> ProgramRun | None:
        """Return the process that began a case, if any."""
        place = self._places.get(case)
        return None if place is None else self.begun[place[0]][0]

    @functools.cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        """The first begin event of each case: number of the process, and place there."""
        places: dict[str, tuple[int, int]] = {}
        for number, (_, names) in enumerate(self.begun):
            for place, name in enumerate(names):
                places.setdefault(name, (number, place))
        return places


@dataclass(frozen=True)
class _Process:
    program: ProgramRun
    record: ProgramRecord
    trouble: str

    @functools.cached_property
    def fatal(self) -> str:
        """The case in which, or after which, the program died or hung; may be empty."""
        cases = self.record.cases
        died = _is_killed(self.program.exit_code, self.record, timed_out=self.program.timed_out)
        open_cases = [name for name, case in cases.items() if not case.ended]
        return (open_cases or list(cases))[-1] if died and cases else ""


def pair(cases: Sequence[Case], programs: Sequence[ProgramRun], nonce: str) -> Pairing:
    """Find the record of each case.

    Args:
        nonce: The nonce of the run; records with another one are foreign.
    """
    processes = []
    for program in programs:
        record = read_events(program.events)
        trouble = _damage(program, record) or _foreign(program, record, nonce)
        processes.append(_Process(program, record, trouble))
    holders: dict[str, list[_Process]] = {}
    for process in processes:
        for name in process.record.cases:
            holders.setdefault(name, []).append(process)
    problems = _problems(processes, {case.id for case in cases})
    batch_of = {case.id: batch.name for batch in batches_of(cases) for case in batch.cases}
    records = {
        case.id: _find(case, holders[case.id])
        if case.id in holders
        else Unrecorded(_reason_not_begun(case, batch_of[case.id], processes))
        for case in cases
    }
    begun = tuple((each.program, tuple(each.record.cases)) for each in processes)
    return Pairing(records, tuple(problems), begun)


def _problems(processes: Sequence[_Process], planned: set[str]) -> list[str]:
    """Return what is wrong with the records of processes as wholes."""
    problems = [
        f"{process.program.events.name} holds events of the case {name}, which was not planned"
        for process in processes
        for name in process.record.cases
        if name not in planned
    ]
    problems += [process.trouble for process in processes if process.trouble]
    problems += [
        f"{each.program.events.name} was recorded by a program that had no case to run"
        for each in processes
        if each.program.exit_code == 0 and not each.record.cases and not each.trouble
    ]
    return problems


def _is_killed(exit_code: int | None, record: ProgramRecord, *, timed_out: bool) -> bool:
    """Whether the device, or the operator's host code, killed the program."""
    if exit_code == NO_RUNNER and record.device is None:
        return False
    return (
        timed_out
        or _has_lost_device(exit_code, record)
        or (exit_code == 0 and not record.finished)
        # After the last case, no bad input of the harness can be the reason.
        or (exit_code == BAD_INPUT and record.finished)
        or exit_code not in (0, None, BAD_INPUT, NO_RUNTIME)
    )


def _has_lost_device(exit_code: int | None, record: ProgramRecord) -> bool:
    """Whether the program lost its device."""
    return exit_code == NO_RUNTIME and record.device is not None


def _damage(program: ProgramRun, record: ProgramRecord) -> str:
    """Return the damage of an events file; a last line that was cut off does not count."""
    damaged = list(record.damaged)
    died = _is_killed(program.exit_code, record, timed_out=program.timed_out)
    if damaged and died and not read_record(program.events).endswith(b"\n"):
        damaged.pop()
    if not damaged:
        return ""
    return f"{program.events.name}:{damaged[0]} ({counted(len(damaged), 'damaged line')})"


def _foreign(program: ProgramRun, record: ProgramRecord, nonce: str) -> str:
    """Return why an events file is not of this run, or ""."""
    recorded = record.device.nonce if record.device else ""
    if recorded == (program.nonce or nonce) or not (record.device or record.cases):
        return ""
    return f"{program.events.name}: holds events of another run (nonce {recorded or 'none'})"


def _find(case: Case, holders: Sequence[_Process]) -> Evidence | Unrecorded:
    """Return the record of a case that began."""
    process = holders[-1]
    record = process.record.cases[case.id]
    reason = ""
    if len(holders) > 1 or record.begun != 1:
        times = sum(each.record.cases[case.id].begun for each in holders)
        reason = f"the case was started {times} times instead of once"
    elif process.trouble:
        reason = f"the events are damaged: {process.trouble}"
    elif process.fatal == case.id:
        return _end_in(case, process)
    elif not record.ended:
        reason = f"the case was started, but did not end: {describe_end(process.program)}"
    if reason:
        return Unrecorded(reason, record.microseconds / 1e6)
    return Evidence(record, process.program.outputs)


def _reason_not_begun(case: Case, batch: str, processes: Sequence[_Process]) -> str:
    """Return why a case never began: the end of the last process of its batch or operator."""
    processes_of_operator = [each for each in processes if each.program.operator == case.operator]
    reason = f"no program of {case.operator} was started"
    if processes_of_operator:
        last = next(
            (each for each in reversed(processes_of_operator) if each.program.batch == batch),
            processes_of_operator[-1],
        )
        reason = "" if last.record.finished else describe_end(last.program)
    return f"the case was never started{reason and f'; {reason}'}"


def _end_in(case: Case, process: _Process) -> Unrecorded:
    program, record = process.program, process.record.cases[case.id]
    if _has_lost_device(program.exit_code, process.record):
        when = "the device was lost in this case"
    elif record.ended:
        when = "after this case, before the next one"
    else:
        when = "in this case"
    reason = f"{when}: {describe_end(program)}"
    # A call that the operator should have refused is its own fault all the same.
    if program.exit_code == UNABLE and case.expects_success:
        return Unrecorded(reason, record.microseconds / 1e6)
    return Unrecorded(
        reason, record.microseconds / 1e6, "timeout" if program.timed_out else "crash"
    )
