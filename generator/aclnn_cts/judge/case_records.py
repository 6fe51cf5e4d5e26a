# SPDX-License-Identifier: Apache-2.0
"""Finding the record that a program left of each planned case, or the reason why none is there.

Nothing missing counts as passed: a case that was never begun, was begun twice, or stands in a file
with lines that are no events, has no record that can be trusted.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.judge.call_checks import not_refused
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict, missing
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.batches import batches_of
from aclnn_cts.run.events import CaseRecord, ProgramRecord, read_events
from aclnn_cts.run.program_run import BAD_INPUT, NO_RUNNER, NO_RUNTIME, ProgramRun, describe_end
from aclnn_cts.spec.common_clauses import TWO_PHASE


@dataclass(frozen=True)
class Evidence:
    """A complete record of a case, and the file that holds its outputs."""

    record: CaseRecord
    outputs: Path


@dataclass(frozen=True)
class Pairing:
    """What was found for the planned cases.

    Attributes:
        found: For each case, by id: its evidence, or the verdict that follows from having none.
        problems: What is wrong with the record as a whole, such as events of unknown cases.
        begun: For each process, the ids of its cases in the order in which they were begun.
    """

    found: Mapping[str, Evidence | CaseVerdict]
    problems: tuple[str, ...]
    begun: tuple[tuple[str, ...], ...] = ()

    def before(self, case: str) -> tuple[str, ...]:
        """Return what ran before a case in its process."""
        own, place = self._places.get(case, ((), 0))
        return own[:place]

    @functools.cached_property
    def _places(self) -> dict[str, tuple[tuple[str, ...], int]]:
        """Where each case was begun first: the cases of the process, and its place among them."""
        places: dict[str, tuple[tuple[str, ...], int]] = {}
        for names in self.begun:
            for place, name in enumerate(names):
                places.setdefault(name, (names, place))
        return places


@dataclass(frozen=True)
class _Told:
    """One program, and what it told."""

    program: ProgramRun
    record: ProgramRecord
    trouble: str

    @functools.cached_property
    def fatal(self) -> str:
        """The case in which, or after which, the program died or hung; empty if it did not."""
        program = self.program
        return culprit_of(program.exit_code, self.record, timed_out=program.timed_out)


def culprit_of(exit_code: int | None, record: ProgramRecord, *, timed_out: bool) -> str:
    """Return the case in which, or after which, a program died or hung; empty if it did not.

    Args:
        exit_code: As :class:`ProgramRun` has it.
        record: What it told.
        timed_out: Whether it was ended because nothing happened for too long.
    """
    open_cases = [name for name, case in record.cases.items() if not case.ended]
    if not _died(exit_code, record, timed_out=timed_out) or not record.cases:
        return ""
    return (open_cases or list(record.cases))[-1]


def pair(cases: Sequence[Case], programs: Sequence[ProgramRun], nonce: str) -> Pairing:
    """Find the record of each case.

    Args:
        cases: The planned cases.
        programs: The processes that ran.
        nonce: The run's own: what has another one was recorded in another run.
    """
    told = [_read(program, nonce) for program in programs]
    tellers: dict[str, list[_Told]] = {}
    for teller in told:
        for name in teller.record.cases:
            tellers.setdefault(name, []).append(teller)
    planned = {case.id for case in cases}
    problems = [
        f"{teller.program.events.name} holds events of the case {name}, which was not planned"
        for teller in told
        for name in teller.record.cases
        if name not in planned
    ]
    problems += [teller.trouble for teller in told if teller.trouble]
    near = _near(cases, told)
    found = {case.id: _find(case, tellers.get(case.id, []), near[case.id]) for case in cases}
    return Pairing(found, tuple(problems), tuple(tuple(each.record.cases) for each in told))


def _near(cases: Sequence[Case], told: Sequence[_Told]) -> dict[str, Sequence[_Told]]:
    """Return for each case, by id, the programs of its batch; of its operator if there are none."""
    by_batch: dict[str, list[_Told]] = {}
    by_operator: dict[str, list[_Told]] = {}
    for each in told:
        by_batch.setdefault(each.program.batch, []).append(each)
        by_operator.setdefault(each.program.operator, []).append(each)
    return {
        case.id: by_batch.get(batch.name) or by_operator.get(case.operator, [])
        for batch in batches_of(cases)
        for case in batch.cases
    }


def _read(program: ProgramRun, nonce: str) -> _Told:
    record = read_events(program.events)
    trouble = _trouble(program, record) or _foreign(program, record, nonce)
    return _Told(program, record, trouble)


def _foreign(program: ProgramRun, record: ProgramRecord, nonce: str) -> str:
    """Return what shows that an events file is not of this run; empty if nothing does."""
    told = record.device.nonce if record.device else ""
    if told == nonce or not (record.device or record.cases):
        return ""
    return f"{program.events.name}: holds events of another run (nonce {told or 'none'})"


def _trouble(program: ProgramRun, record: ProgramRecord) -> str:
    """Return what is wrong with an events file; a last line cut off by the program's end is not."""
    damaged = list(record.damaged)
    died = _died(program.exit_code, record, timed_out=program.timed_out)
    if damaged and died and not program.events.read_bytes().endswith(b"\n"):
        damaged.pop()
    if not damaged:
        return ""
    return f"{program.events.name}:{damaged[0]} ({len(damaged)} damaged lines)"


def _died(exit_code: int | None, record: ProgramRecord, *, timed_out: bool) -> bool:
    """Whether the device, or the operator's host code, ended the program."""
    if exit_code == NO_RUNNER and record.device is None:
        return False
    return (
        timed_out
        or _lost_device(exit_code, record)
        or (exit_code == 0 and not record.finished)
        # Behind the last case no input of the harness's own can be wrong any more.
        or (exit_code == BAD_INPUT and record.finished)
        or exit_code not in (0, None, BAD_INPUT, NO_RUNTIME)
    )


def _lost_device(exit_code: int | None, record: ProgramRecord) -> bool:
    """Whether the program had the device, and could not have it any more."""
    return exit_code == NO_RUNTIME and record.device is not None


def _find(case: Case, tellers: Sequence[_Told], told: Sequence[_Told]) -> Evidence | CaseVerdict:
    if not tellers:
        return missing(case, "; ".join(("the case was never begun", *_ends(case, told))))
    teller = tellers[-1]
    record = teller.record.cases[case.id]
    seconds = record.microseconds / 1e6
    if len(tellers) > 1 or record.begun != 1:
        times = sum(each.record.cases[case.id].begun for each in tellers)
        return missing(case, f"the case was begun {times} times instead of once", seconds=seconds)
    if teller.trouble:
        return missing(case, f"the events are damaged: {teller.trouble}", seconds=seconds)
    if teller.fatal == case.id:
        return _ended_by(case, teller, seconds, ended=record.ended)
    if not record.ended:
        ending = describe_end(teller.program)
        return missing(case, f"the case was begun, but not ended: {ending}", seconds=seconds)
    return Evidence(record, teller.program.outputs)


def _ends(case: Case, told: Sequence[_Told]) -> Iterator[str]:
    """Yield how the last program near it ended, which says why a case was never begun."""
    programs = [each for each in told if each.program.operator == case.operator]
    if not programs:
        yield f"no program of {case.operator} was started"
    elif not programs[-1].record.finished:
        yield describe_end(programs[-1].program)


def _ended_by(case: Case, teller: _Told, seconds: float, *, ended: bool) -> CaseVerdict:
    program = teller.program
    if _lost_device(program.exit_code, teller.record):
        when = "the device was lost in this case"
    elif ended:
        when = "after this case, before it began another"
    else:
        when = "in this case"
    verdict = Verdict.TIMEOUT if program.timed_out else Verdict.CRASH
    return CaseVerdict(
        case.id,
        case.operator,
        verdict,
        broken=(TWO_PHASE,) if case.expects_success else not_refused(case),
        exercised=case.clauses,
        seconds=seconds,
        message=f"{when}: {describe_end(program)}",
    )
