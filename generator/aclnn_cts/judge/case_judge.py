# SPDX-License-Identifier: Apache-2.0
"""One case, its record, one verdict."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy.typing as npt

from aclnn_cts.golden.expected import Expected
from aclnn_cts.golden.resolution import Resolution
from aclnn_cts.judge.call_checks import (
    UNENFORCED,
    Finding,
    find_failed_producers,
    find_memory,
    find_statuses,
    obstacles,
    place_of,
)
from aclnn_cts.judge.case_records import JudgedOutput, judge_output
from aclnn_cts.judge.clauses import merge, reached_ids
from aclnn_cts.judge.execution_variants import (
    FIRST,
    ORDINARY_RUNS,
    Launch,
    clauses_without_run,
    lacking,
    name_other,
    remarks,
)
from aclnn_cts.judge.repetition import find_differences, find_unwritten
from aclnn_cts.judge.rounding import measure_rounding
from aclnn_cts.judge.sensitivity import distrust, quarantine_of, sentence, set_apart
from aclnn_cts.judge.standards import STANDARDS, Figures, Standard, worst
from aclnn_cts.judge.verdicts import CaseVerdict, MissingDataError, Verdict, missing
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case, TensorCase
from aclnn_cts.run.events import (
    CaseEvent,
    CaseRecord,
    OutputEvent,
    PhaseOneEvent,
    PhaseTwoEvent,
    RepeatEvent,
)
from aclnn_cts.spec.clause_models import (
    DETERMINISM,
    OUTPUTS_WRITTEN,
    PHASE_ONE_DATA,
    UNINITIALISED_MEMORY,
)
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.quarantine import QuarantineEntry

Inputs = Mapping[str, npt.NDArray[Any]]
ReadOutput = Callable[[OutputEvent, TensorCase], npt.NDArray[Any]]
"""Returns the view-shaped array that an event announces, in the tensor's data type.

Raises :class:`MissingDataError` if the outputs file does not hold it.
"""


@dataclass(frozen=True)
class Reference:
    """What the outputs of a case are held against.

    Attributes:
        inputs: View-shaped input arrays; not needed for a case that expects a refusal.
        expect: Returns what may come back, by output; not called if there is nothing to compare.
    """

    inputs: Inputs
    expect: Callable[[], Mapping[str, Expected]]

    def kept(self) -> Reference:
        """Return the same for several devices: the expectation is made once."""
        return Reference(self.inputs, functools.lru_cache(maxsize=1)(self.expect))


_NEEDS_REPEAT = frozenset({DETERMINISM, OUTPUTS_WRITTEN, UNINITIALISED_MEMORY, PHASE_ONE_DATA})
"""Clauses that only a second run can test."""


def judge_case(
    specs: SpecSet,
    case: Case,
    reference: Reference,
    record: CaseRecord,
    read_output: ReadOutput,
    standard: Standard,
) -> CaseVerdict:
    """Judge one case whose program went through it.

    Args:
        specs: All specs.
        case: What was asked for.
        reference: What its outputs are held against.
        record: What the program recorded.
        read_output: Fetches an output.
        standard: The standard that decides.
    """
    ordinary = [event for event in record.events if event.run < ORDINARY_RUNS]
    findings = _failed_calls(case, record.events)
    findings += find_memory(case, record.events)
    findings += (Finding((), text, "remark") for text in remarks(case, record.events))
    outputs: list[JudgedOutput] = []
    try:
        if not any(found.is_broken for found in _failed_calls(case, ordinary)):
            _require_ordinary(case, ordinary)
            if case.expects_success and not _was_refused(ordinary):
                outputs = _judge_outputs(specs, case, reference, record, read_output, standard)
                if quarantine_of(specs, case) is not None:
                    outputs = set_apart(outputs)
                findings += _second_look(case, record.events, outputs)
            # Last: what the ordinary runs break, they break whatever became of the further ones.
            _require_further(case, record.events)
    except MissingDataError as error:
        if not any(finding.is_broken for finding in findings):
            return missing(case, str(error), seconds=record.microseconds / 1e6)
        findings.append(Finding((), f"besides, {error}", "remark"))
    return _conclude(specs, case, record, findings, outputs)


def _failed_calls(case: Case, events: Sequence[CaseEvent]) -> list[Finding]:
    """Return findings about calls that failed, so that there are no outputs to judge."""
    return [*find_failed_producers(events), *find_statuses(case, events)]


def _was_refused(events: Iterable[CaseEvent]) -> bool:
    return any(isinstance(e, PhaseOneEvent) and e.status != ACLNN_SUCCESS for e in events)


def _require_carried_out(events: Iterable[CaseEvent]) -> None:
    for reason in obstacles(events):
        raise MissingDataError(f"the case could not be carried out: {reason}")


def _require_ordinary(case: Case, told: Sequence[CaseEvent]) -> None:
    """Raise MissingDataError unless the ordinary runs' events hold all that the verdict needs."""
    _require_carried_out(told)
    if not any(isinstance(event, PhaseOneEvent) for event in told):
        raise MissingDataError("the record holds no status of phase one")
    if _was_refused(told) or not case.is_launched:
        return
    if not any(isinstance(event, PhaseTwoEvent) for event in told):
        raise MissingDataError("the record holds no status of phase two")
    if not case.expects_success:
        return
    written = {e.tensor for e in told if isinstance(e, OutputEvent) and e.run == 0}
    repeated = {e.tensor for e in told if isinstance(e, RepeatEvent)}
    for output in _outputs_of(case):
        if output.name not in written:
            raise MissingDataError(f"the record holds no output {output.name}")
        if _NEEDS_REPEAT & set(case.clauses) and output.name not in repeated:
            raise MissingDataError(f"the record holds no second run of {output.name}")


def _require_further(case: Case, events: Sequence[CaseEvent]) -> None:
    """Raise MissingDataError unless the record holds all further runs that could be made."""
    _require_carried_out(events)
    absent = lacking(case, events, [output.name for output in _outputs_of(case)])
    if absent is not None:
        raise MissingDataError(absent)


def _outputs_of(case: Case) -> tuple[TensorCase, ...]:
    return tuple(tensor for tensor in case.outputs if tensor.source == "output")


def _judge_outputs(
    specs: SpecSet,
    case: Case,
    reference: Reference,
    record: CaseRecord,
    read_output: ReadOutput,
    standard: Standard,
) -> list[JudgedOutput]:
    """Judge each output, and those of later runs that differ from it."""
    expected, inputs = reference.expect(), reference.inputs
    announced = {
        (Launch(e.run, e.prepares), e.tensor): e
        for e in record.events
        if isinstance(e, OutputEvent)
    }
    judged = []
    for tensor in _outputs_of(case):
        own = sorted(launch for launch, name in announced if name == tensor.name)
        arrays = {launch: read_output(announced[launch, tensor.name], tensor) for launch in own}
        output = judge_output(specs, case, tensor, arrays, expected[tensor.name], inputs, standard)
        measured = measure_rounding(tensor.name, tensor.dtype, arrays[FIRST], expected[tensor.name])
        judged.append(replace(output, rounding=measured))
    return judged


def _second_look(
    case: Case, events: list[CaseEvent], outputs: list[JudgedOutput]
) -> Iterator[Finding]:
    """Yield what the later runs tell of the outputs of which anything is promised."""
    requested = {output.name for output in outputs if output.requested}
    yield from find_unwritten(case, events, requested)
    yield from (finding for output in outputs for finding in output.findings)
    yield from find_differences(case, events, requested)


def _conclude(
    specs: SpecSet,
    case: Case,
    record: CaseRecord,
    findings: list[Finding],
    outputs: list[JudgedOutput],
) -> CaseVerdict:
    broken = sorted(
        (finding for finding in findings if finding.is_broken),
        key=lambda finding: place_of(finding.kind),
    )
    accepted = [finding for finding in findings if finding.kind == UNENFORCED]
    decisive = broken or accepted
    verdict, message = _verdict(case, outputs, decisive, quarantine_of(specs, case))
    besides = dict.fromkeys(f.text for f in findings if not f.is_broken and f not in decisive)
    bits = 0
    for output in outputs:
        bits |= output.comparison.reached
    in_data = reached_ids(bits, specs.operator(case.operator).clauses)
    unmade = clauses_without_run(case, record.events)
    return CaseVerdict(
        case=case.id,
        operator=case.operator,
        verdict=verdict,
        broken=_clauses_of(broken),
        unenforced=_clauses_of(accepted),
        exercised=(*(name for name in case.clauses if name not in unmade), *in_data),
        standards=_figures(outputs),
        seconds=record.microseconds / 1e6,
        message=name_other(specs, case, message),
        kinds=frozenset(finding.kind for finding in broken),
        contests=merge(contest for output in outputs for contest in output.contests),
        remarks=tuple(name_other(specs, case, text) for text in besides),
        samples=tuple(sample for output in outputs for sample in output.samples),
        pictures=tuple(each.picture for each in outputs if each.picture is not None),
        elements=sum(output.elements for output in outputs),
        contested=sum(output.comparison.contested for output in outputs),
        unpromised=sum(output.comparison.unpromised for output in outputs),
        resolution=sum((output.resolution for output in outputs), Resolution())
        if outputs
        else None,
        rounding=tuple(output.rounding for output in outputs if output.rounding is not None),
        status=next((e.status for e in record.events if isinstance(e, PhaseOneEvent)), None),
        device_microseconds=record.timings or _device_times(record.events),
    )


def _clauses_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for finding in findings for name in finding.clauses))


def _device_times(events: Iterable[CaseEvent]) -> tuple[float, ...]:
    return tuple(
        event.device_microseconds
        for event in events
        if isinstance(event, PhaseTwoEvent)
        and event.run < ORDINARY_RUNS
        and event.device_microseconds is not None
    )


def _figures(outputs: list[JudgedOutput]) -> dict[Standard, Figures]:
    if not outputs:
        return {}
    return {name: worst(output.figures[name] for output in outputs) for name in STANDARDS}


_VERDICTS = {"hang": Verdict.TIMEOUT, UNENFORCED: Verdict.UNENFORCED}
"""What findings come to that make no failure."""


def _verdict(
    case: Case,
    outputs: list[JudgedOutput],
    found: list[Finding],
    quarantined: QuarantineEntry | None,
) -> tuple[Verdict, str]:
    if found:
        verdict = _VERDICTS.get(found[0].kind, Verdict.FAIL)
        return verdict, "; ".join(dict.fromkeys(finding.text for finding in found))
    if quarantined is not None:
        return Verdict.UNTRUSTED, sentence(quarantined)
    contested = sum(output.comparison.contested for output in outputs)
    if contested and not any(output.comparison.settled for output in outputs):
        return (
            Verdict.CONTESTED_ONLY,
            f"the documents contradict themselves on all {contested} elements of which they "
            "promise anything",
        )
    reason = distrust(
        {output.name: case.tensor(output.name).shape for output in outputs},
        {output.name: output.resolution for output in outputs},
    )
    return (Verdict.PASS, "") if reason is None else (Verdict.UNTRUSTED, reason)
