# SPDX-License-Identifier: Apache-2.0
"""Finding the record that a program left of each planned case, or the reason why none is there.

Nothing missing counts as passed: a case that was never begun, was begun twice, or stands in a file
with lines that are no events, has no record that can be trusted. Each recorded output is then
compared: what it breaks, and the first elements that do.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from aclnn_cts.golden.expected import Expected
from aclnn_cts.golden.resolution import Resolution, resolve
from aclnn_cts.judge.call_checks import Finding, not_refused
from aclnn_cts.judge.clauses import Contest, broken_by, broken_values, find_contests
from aclnn_cts.judge.comparison import Comparison, compare
from aclnn_cts.judge.element_errors import errors_of
from aclnn_cts.judge.execution_variants import FIRST, Launch, clauses_of_runs, phrase_of
from aclnn_cts.judge.rounding import Rounding
from aclnn_cts.judge.samples import Picture, Sample, draw, take_samples
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, yardstick_of
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict, missing
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.run.events import CaseRecord, ProgramRecord, read_events
from aclnn_cts.run.executor import batches_of
from aclnn_cts.run.process import BAD_INPUT, NO_RUNNER, NO_RUNTIME, ProgramRun, describe_end
from aclnn_cts.spec.clause_models import TWO_PHASE
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ValueClause


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


@dataclass(frozen=True)
class JudgedOutput:
    """What was found about one output.

    Attributes:
        name: The output's name.
        elements: How many it has.
        comparison: Of the first run.
        figures: By standard: those of the run that keeps it less well.
        findings: Value clauses that the standard that decides finds broken.
        contests: Where the documents contradict themselves, first run.
        samples: The first failing elements.
        resolution: What its judgement could find.
        rounding: What its elements say about rounding; None if they say nothing.
        picture: Where its errors sit; None if the standard that decides is kept.
    """

    name: str
    elements: int
    comparison: Comparison
    figures: Mapping[Standard, Figures]
    findings: tuple[Finding, ...]
    contests: tuple[Contest, ...]
    samples: tuple[Sample, ...]
    resolution: Resolution
    rounding: Rounding | None = None
    picture: Picture | None = None

    @property
    def requested(self) -> bool:
        """Whether anything is promised of it; of an output that was not asked for nothing is."""
        return self.elements == 0 or self.comparison.unpromised < self.elements


def judge_output(  # noqa: PLR0913, PLR0917 - the output, and what it is held against
    specs: SpecSet,
    case: Case,
    tensor: TensorCase,
    runs: Mapping[Launch, npt.NDArray[Any]],
    expected: Expected,
    inputs: Mapping[str, npt.NDArray[Any]],
    standard: Standard,
) -> JudgedOutput:
    """Judge one output.

    Args:
        specs: All specs.
        case: The case.
        tensor: The output.
        runs: What came back from the first launch, and from those that differ from it and may.
        expected: What may come back.
        inputs: View-shaped input arrays, for the samples.
        standard: The standard that decides.
    """
    clauses = specs.operator(case.operator).clauses
    yardstick = yardstick_of(tensor.dtype, specs.precision)
    compared = {
        run: compare(tensor.name, actual, expected, yardstick) for run, actual in runs.items()
    }
    failing = [run for run, found in compared.items() if not found.figures[standard].passed]
    samples: tuple[Sample, ...] = ()
    picture = None
    findings: list[Finding] = []
    if failing:
        found = compared[failing[0]]
        broken, how = _of_failing(case, failing)
        indices = found.failures[standard].first
        samples = take_samples(tensor, indices, runs[failing[0]], expected, inputs)
        errors = errors_of(runs[failing[0]], expected, yardstick, standard)
        values = broken_by(errors.wrong, runs[failing[0]], expected, clauses)
        values = values or _with_values(found.reached, clauses)
        findings.append(_finding(found, broken_values(values, clauses), standard, broken, how))
        picture = draw(tensor.name, tensor.shape, errors)
    return JudgedOutput(
        name=tensor.name,
        elements=tensor.numel,
        comparison=compared[FIRST],
        figures={name: _worse(list(compared.values()), name) for name in STANDARDS},
        findings=tuple(findings),
        contests=find_contests(runs[FIRST], expected, clauses),
        samples=samples,
        resolution=resolve(expected, yardstick.floating),
        picture=picture,
    )


def _worse(comparisons: Sequence[Comparison], standard: Standard) -> Figures:
    figures = [comparison.figures[standard] for comparison in comparisons]
    return next((each for each in figures if not each.passed), figures[0])


def _with_values(reached: int, clauses: Sequence[ValueClause]) -> Mapping[int, int]:
    """Return what is broken where no element fails by itself: what promises values."""
    values = sum(1 << k for k, clause in enumerate(clauses) if clause.expect == "value")
    return {reached & values or reached: 1}


def _of_failing(case: Case, launches: Sequence[Launch]) -> tuple[tuple[str, ...], str]:
    """Return the clause that it breaks if exactly these are wrong, and which those are."""
    if launches[0] == FIRST:
        return (), ""
    if launches[0] == Launch(1):
        return (), " in the second run"
    how = (phrase_of(case, run, prepares=prepares) for run, prepares in launches)
    special = not any(launch.is_ordinary for launch in launches)
    broken = clauses_of_runs(case, [launch.run for launch in launches]) if special else ()
    return broken, " and".join(how)


def _finding(
    comparison: Comparison,
    values: tuple[str, ...],
    standard: Standard,
    first: tuple[str, ...],
    how: str,
) -> Finding:
    """Return what is wrong with one output; the clauses of ``first`` come before the value's."""
    figures, failures = comparison.figures[standard], comparison.failures[standard]
    if failures.count:
        text = f"{failures.count} of {figures.elements} elements of {figures.output} are wrong{how}"
    else:
        text = (
            f"the mean relative error of {figures.output} is {figures.mean_relative_error:.3g}{how}"
        )
    return Finding((*first, *values), text, "value")
