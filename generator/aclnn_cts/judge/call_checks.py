# SPDX-License-Identifier: Apache-2.0
"""What the events of a case say about the promises that all operators share.

Statuses, memory outside the tensors, and inputs; :mod:`aclnn_cts.judge.repetition` compares the
outputs. A finding names the clause of ``specs/common.yaml`` that is broken, or is a remark that
breaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aclnn_cts.judge.execution_variants import (
    FIRST_REPEATED,
    ORDINARY_RUNS,
    clauses_of_run,
    phrase_of,
)
from aclnn_cts.plan.case_builder import requirements_broken
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case
from aclnn_cts.run.events import (
    CaseEvent,
    DecoyEvent,
    ErrorEvent,
    MemoryEvent,
    PhaseOneEvent,
    PhaseTwoEvent,
    ProducerEvent,
)
from aclnn_cts.spec.clause_models import (
    CALL_INDEPENDENCE,
    INPUTS_UNCHANGED,
    OUTSIDE_UNTOUCHED,
    REFUSAL_LEAVES_OUTPUTS,
    TWO_PHASE,
    WORKSPACE_SIZE,
)
from aclnn_cts.spec.data_types import status_name

SYNCHRONIZE_TIMEOUT = 507046
"""ACL_ERROR_RT_STREAM_SYNC_TIMEOUT of the runtime's public header."""

_WHERE = {
    "guard-front": "before the start of",
    "guard-rear": "behind the end of",
    "gap": "in the gaps of",
    "output-touched": "in",
    "retired": "to an earlier launch's",
}

KINDS = ("hang", "producer", "unsteady", "status", "unwritten", "value", "memory", "repeat")
"""What a finding that breaks a promise is about; what explains most stands first."""


UNENFORCED = "unenforced"
"""The kind of a finding about a call that its documents only require not to be made, and that the
device accepts; its clauses are those requirements."""


@dataclass(frozen=True)
class Finding:
    """One thing that the events say against the device.

    Attributes:
        clauses: Ids of the clauses that are broken, most specific first; none for a remark.
        text: A sentence for people.
        kind: ``status``, ``unsteady`` if an equal call had another status, ``memory``,
            ``unwritten`` or ``repeat``, ``value`` for wrong results, ``producer`` if the operator
            that makes an input failed, ``hang`` if the stream did not end in time, ``remark`` or
            ``unenforced`` if nothing is broken.
    """

    clauses: tuple[str, ...]
    text: str
    kind: str

    @property
    def is_broken(self) -> bool:
        """Whether a promise is broken; also where no clause could be found that speaks of it."""
        return self.kind not in ("remark", UNENFORCED)


def place_of(kind: str) -> int:
    """Return where a kind stands among :data:`KINDS`: verdicts tell of the lowest place first."""
    return KINDS.index(kind)


def not_refused(case: Case) -> tuple[str, ...]:
    """Return what a call breaks that was not refused: the error clauses, and the requirements."""
    return (*case.refused_by, *requirements_broken(case))


def find_failed_producers(events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield the failures of the operator that makes an input; it gets a valid call, too."""
    for event in events:
        if isinstance(event, ProducerEvent) and event.status != ACLNN_SUCCESS:
            text = (
                f"the operator that produces an input returned {_named(event.status)} "
                f"in phase {event.phase}: {event.message}"
            )
            yield Finding((TWO_PHASE,), text, "producer")


def find_statuses(case: Case, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield the statuses that the documents do not allow, and a requirement not enforced."""
    told = list(events)
    unsteady = _is_unsteady(case, told)
    for event in told:
        if isinstance(event, PhaseOneEvent):
            for found in _phase_one(case, event):
                yield _now_and_then(found) if unsteady and _is_plain(event.run) else found
        elif isinstance(event, PhaseTwoEvent) and case.expects_success:
            yield from _phase_two(case, event)
        elif isinstance(event, PhaseTwoEvent):
            for found in _launched_in_spite(case, event):
                yield _now_and_then(found) if unsteady else found
        elif isinstance(event, DecoyEvent) and event.phase == 2 and event.status != ACLNN_SUCCESS:
            yield _decoy(case, event)


def _is_unsteady(case: Case, events: Iterable[CaseEvent]) -> bool:
    """Whether the call was accepted in one of its plain runs, and refused in another.

    Either phase may refuse a call that must not work.
    """
    refused: dict[int, bool] = {}
    for event in events:
        if not isinstance(event, PhaseOneEvent | PhaseTwoEvent) or not _is_plain(event.run):
            continue
        if isinstance(event, PhaseTwoEvent) and case.expects_success:
            continue
        before = refused.get(event.run, False)
        refused[event.run] = before or event.status != ACLNN_SUCCESS
    return len(set(refused.values())) > 1


def _is_plain(run: int) -> bool:
    """Whether no circumstance sets the run apart."""
    return run < ORDINARY_RUNS or run >= FIRST_REPEATED


def _now_and_then(found: Finding) -> Finding:
    """Return a finding about a status that an equal call did not get.

    Nothing that the call itself is can explain it, so it is kept from what explains failures.
    """
    text = f"{found.text}; an equal call had another outcome"
    return Finding((CALL_INDEPENDENCE, *found.clauses), text, "unsteady")


def _decoy(case: Case, event: DecoyEvent) -> Finding:
    said = f": {event.message}" if event.message else ""
    text = (
        f"phase two of another call returned {_named(event.status)}, beside the one"
        f"{phrase_of(case, event.run)}{said}"
    )
    return Finding((*clauses_of_run(case, event.run), TWO_PHASE), text, "status")


def _phase_one(case: Case, event: PhaseOneEvent) -> Iterator[Finding]:
    said = f": {event.message}" if event.message else ""
    accepted = event.status == ACLNN_SUCCESS
    if case.expects_success:
        if not accepted:
            how = phrase_of(case, event.run, prepares=event.prepares)
            text = f"phase one refused a valid call{how} with {_named(event.status)}{said}"
            broken = (*clauses_of_run(case, event.run, prepares=event.prepares), TWO_PHASE)
            yield Finding(broken, text, "status")
    elif accepted:
        if not case.is_launched:
            yield _accepted(case, "phase one")
    elif case.statuses and event.status not in case.statuses:
        text = f"phase one returned {_named(event.status)}, promised: {case.wanted}{said}"
        yield Finding(case.refused_by, text, "status")


def _accepted(case: Case, who: str) -> Finding:
    """Return the finding about a call that was accepted, and must or should not have been."""
    did = f"{who} accepted the call (status 0)"
    if case.basis == "requirement":
        text = f"{did}, which the documents only require callers not to make"
        return Finding(case.refused_by or requirements_broken(case), text, UNENFORCED)
    return Finding(not_refused(case), f"{did}, promised: {case.wanted}", "status")


def _launched_in_spite(case: Case, event: PhaseTwoEvent) -> Iterator[Finding]:
    """Yield what came of a launch of a call of which some phase must or should return an error."""
    said = f": {event.message}" if event.message else ""
    if event.synchronize == SYNCHRONIZE_TIMEOUT:
        yield Finding(not_refused(case), f"the stream did not end in time{said}", "hang")
    elif event.synchronize != ACLNN_SUCCESS:
        text = f"the stream's synchronisation returned {event.synchronize}{said}"
        yield Finding(not_refused(case), text, "status")
    elif event.status == ACLNN_SUCCESS:
        yield _accepted(case, "both phases")


def _phase_two(case: Case, event: PhaseTwoEvent) -> Iterator[Finding]:
    broken = (*clauses_of_run(case, event.run, prepares=event.prepares), TWO_PHASE)
    said = phrase_of(case, event.run, prepares=event.prepares)
    said += f": {event.message}" if event.message else ""
    if event.status != ACLNN_SUCCESS:
        yield Finding(broken, f"phase two returned {_named(event.status)}{said}", "status")
    elif event.synchronize == SYNCHRONIZE_TIMEOUT:
        yield Finding(broken, f"the stream did not end in time{said}", "hang")
    elif event.synchronize != ACLNN_SUCCESS:
        text = f"the stream's synchronisation returned {event.synchronize}{said}"
        yield Finding(broken, text, "status")


def _named(status: int) -> str:
    name = status_name(status)
    return name if name == str(status) else f"{name} ({status})"


def find_memory(case: Case, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield what was written where it must not be; each tensor and kind once, not once per run.

    A call that was refused, or not launched, may write nothing at all, so all its writes break that
    promise first.
    """
    told = list(events)
    ended = {
        (event.run, event.launch): "refused" if event.status != ACLNN_SUCCESS else "not launched"
        for event in told
        if isinstance(event, PhaseOneEvent)
        and (event.status != ACLNN_SUCCESS or not case.is_launched)
    }
    seen: set[tuple[str, str]] = set()
    for event in told:
        if isinstance(event, MemoryEvent) and (event.tensor, event.kind) not in seen:
            seen.add((event.tensor, event.kind))
            yield _memory(case, event, ended.get((event.run, event.launch), ""))


def _memory(case: Case, event: MemoryEvent, ended: str) -> Finding:
    how = phrase_of(case, event.run, prepares=event.prepares)
    count = f"{event.count} {event.unit}{'' if event.count == 1 else 's'}"
    if event.kind == "slack":
        text = (
            f"{count} written behind {event.tensor}, in the slack that aclrtMalloc leaves "
            f"(first at byte {event.first}){how}"
        )
        return Finding((), text, "remark")
    if event.kind == "input":
        text = f"{count} of the input {event.tensor} changed, first at index {event.first}"
    else:
        place = f"{_WHERE[event.kind]} {event.tensor}"
        text = f"{count} written {place}, first at {event.unit} {event.first}"
    if ended:
        text += f", although the call was {ended}"
    further = clauses_of_run(case, event.run, prepares=event.prepares)
    return Finding((*further, *_memory_clauses(event, ended=bool(ended))), text + how, "memory")


def _memory_clauses(event: MemoryEvent, *, ended: bool) -> tuple[str, ...]:
    if event.kind == "output-touched":
        return (REFUSAL_LEAVES_OUTPUTS,)
    if event.kind == "input":
        broken = INPUTS_UNCHANGED
    elif event.kind == "retired":
        broken = OUTSIDE_UNTOUCHED
    else:
        broken = WORKSPACE_SIZE if event.tensor == "workspace" else OUTSIDE_UNTOUCHED
    return (REFUSAL_LEAVES_OUTPUTS, broken) if ended else (broken,)


def obstacles(events: Iterable[CaseEvent]) -> Iterator[str]:
    """Yield why the call under test could not be carried out, or not be recorded."""
    for event in events:
        if isinstance(event, ErrorEvent):
            yield f"{event.what} failed with status {event.status}: {event.message}"
