# SPDX-License-Identifier: Apache-2.0
"""Finding the record that a program left of each planned case, or the reason why none is there.

Nothing missing counts as passed: a case that was never begun, was begun twice, or stands in a file
with lines that are no events, has no record that can be trusted.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.judge.contract import refusal_clause
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict, missing
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.exercised import requirements_broken
from aclnn_cts.run.events import CaseRecord, ProgramRecord, read_events
from aclnn_cts.run.folder import ProgramRun
from aclnn_cts.spec.common_clauses import TWO_PHASE

_BAD_INPUT, _NO_RUNTIME = 2, 3
"""Exit statuses by which a program says that it could not begin or go on; the device did
nothing."""

_STDERR_SHOWN = 400


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
    """

    found: Mapping[str, Evidence | CaseVerdict]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class _Told:
    """One program, and what it told."""

    program: ProgramRun
    record: ProgramRecord
    trouble: str

    @property
    def fatal(self) -> str:
        """The case in which, or after which, the program died or hung; empty if it did not."""
        open_cases = [name for name, case in self.record.cases.items() if not case.ended]
        if not _died(self.program) or not self.record.cases:
            return ""
        return (open_cases or list(self.record.cases))[-1]


def pair(cases: Sequence[Case], programs: Sequence[ProgramRun]) -> Pairing:
    """Find the record of each case."""
    told = [_read(program) for program in programs]
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
    found = {case.id: _find(case, tellers.get(case.id, []), told) for case in cases}
    return Pairing(found, tuple(problems))


def _read(program: ProgramRun) -> _Told:
    record = read_events(program.events)
    return _Told(program, record, _trouble(program, record))


def _trouble(program: ProgramRun, record: ProgramRecord) -> str:
    """Return what is wrong with an events file; a last line cut off by the program's end is not."""
    damaged = list(record.damaged)
    if damaged and _died(program) and not program.events.read_bytes().endswith(b"\n"):
        damaged.pop()
    if not damaged:
        return ""
    return f"{program.events.name}:{damaged[0]} ({len(damaged)} damaged lines)"


def _died(program: ProgramRun) -> bool:
    """Whether the device, or the operator's host code, ended the program."""
    return program.timed_out or program.exit_code not in (0, None, _BAD_INPUT, _NO_RUNTIME)


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
    """Yield how the operator's last program ended, which says why a case was never begun."""
    programs = [each for each in told if each.program.operator == case.operator]
    if not programs:
        yield f"no program of {case.operator} was started"
    elif not programs[-1].record.finished:
        yield describe_end(programs[-1].program)


def _ended_by(case: Case, teller: _Told, seconds: float, *, ended: bool) -> CaseVerdict:
    program = teller.program
    when = "after this case, before it began another" if ended else "in this case"
    verdict = Verdict.TIMEOUT if program.timed_out else Verdict.CRASH
    return CaseVerdict(
        case.id,
        case.operator,
        verdict,
        broken=(TWO_PHASE,) if case.expects_success else _not_refused(case),
        exercised=case.clauses,
        seconds=seconds,
        message=f"{when}: {describe_end(program)}",
    )


def _not_refused(case: Case) -> tuple[str, ...]:
    """Return what a call breaks that ended its program instead of being refused."""
    return (refusal_clause(case), *requirements_broken(case))


def describe_end(program: ProgramRun) -> str:
    """Return how a program ended, with the end of what it said."""
    if program.timed_out:
        text = f"the program was stopped after {program.seconds:.0f} s without an end"
    elif program.exit_code is None:
        text = "the program was stopped from outside"
    elif program.exit_code < 0:
        text = f"the program was killed by {_signal_name(-program.exit_code)}"
    else:
        text = f"the program ended with status {program.exit_code}"
    said = " ".join(program.stderr.split())
    return f"{text}: {said[-_STDERR_SHOWN:]}" if said else text


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
