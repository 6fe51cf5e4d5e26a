# SPDX-License-Identifier: Apache-2.0
"""What the events of a case say about the promises that all operators share.

Statuses, memory outside the tensors, and inputs; :mod:`aclnn_cts.judge.repetition` compares the
outputs. A finding names the clause of ``specs/common.yaml`` that is broken, or is a remark that
breaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aclnn_cts.judge.circumstances import (
    FIRST_REPEATED,
    ORDINARY_RUNS,
    clauses_of_run,
    phrase_of,
)
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case
from aclnn_cts.plan.exercised import requirements_broken
from aclnn_cts.run.events import (
    CaseEvent,
    DecoyEvent,
    ErrorEvent,
    MemoryEvent,
    PhaseOneEvent,
    PhaseTwoEvent,
    ProducerEvent,
)
from aclnn_cts.spec.common_clauses import (
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
}

KINDS = ("hang", "producer", "unsteady", "status", "unwritten", "value", "memory", "repeat")
"""What a finding that breaks a promise is about; what explains most stands first."""


@dataclass(frozen=True)
class Finding:
    """One thing that the events say against the device.

    Attributes:
        clauses: Ids of the clauses that are broken, most specific first; none for a remark.
        text: A sentence for people.
        kind: ``status``, ``unsteady`` if an equal call had another status, ``memory``,
            ``unwritten`` or ``repeat``, ``value`` for wrong results, ``producer`` if the operator
            that makes an input failed, ``hang`` if the stream did not end in time, ``remark`` if
            nothing is broken.
    """

    clauses: tuple[str, ...]
    text: str
    kind: str

    @property
    def is_broken(self) -> bool:
        """Whether a promise is broken; also where no clause could be found that speaks of it."""
        return self.kind != "remark"


def place_of(kind: str) -> int:
    """Return where a kind stands among :data:`KINDS`: verdicts tell of the lowest place first."""
    return KINDS.index(kind)


def refusal_clause(case: Case) -> str:
    """Return the error clause that a negative case tests: its scene carries the clause's id."""
    return case.scene


def _not_refused(case: Case, status: int) -> tuple[str, ...]:
    """Return what a wrong status breaks; the requirements, too, if the call was accepted."""
    accepted = requirements_broken(case) if status == ACLNN_SUCCESS else ()
    return (refusal_clause(case), *accepted)


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
    """Yield the statuses that the documents do not allow."""
    told = list(events)
    unsteady = _is_unsteady(told)
    for event in told:
        if isinstance(event, PhaseOneEvent) and event.status not in case.statuses:
            found = _phase_one(case, event)
            yield _now_and_then(found) if unsteady and _is_plain(event) else found
        elif isinstance(event, PhaseTwoEvent) and case.expects_success:
            yield from _phase_two(case, event)
        elif isinstance(event, DecoyEvent) and event.phase == 2 and event.status != ACLNN_SUCCESS:
            yield _decoy(case, event)


def _is_unsteady(events: Iterable[CaseEvent]) -> bool:
    """Whether phase one accepted the call in one of its plain runs, and refused it in another."""
    accepted = {
        event.status == ACLNN_SUCCESS
        for event in events
        if isinstance(event, PhaseOneEvent) and _is_plain(event)
    }
    return len(accepted) > 1


def _is_plain(event: PhaseOneEvent) -> bool:
    """Whether no circumstance sets the run apart."""
    return event.run < ORDINARY_RUNS or event.run >= FIRST_REPEATED


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


def _phase_one(case: Case, event: PhaseOneEvent) -> Finding:
    said = f": {event.message}" if event.message else ""
    if case.expects_success:
        how = phrase_of(case, event.run, prepares=event.prepares)
        text = f"phase one refused a valid call{how} with {_named(event.status)}{said}"
        broken = (*clauses_of_run(case, event.run, prepares=event.prepares), TWO_PHASE)
        return Finding(broken, text, "status")
    wanted = " or ".join(_named(status) for status in case.statuses)
    did = (
        "accepted the call (status 0)"
        if event.status == ACLNN_SUCCESS
        else f"returned {_named(event.status)}"
    )
    text = f"phase one {did}, promised: {wanted}{said}"
    return Finding(_not_refused(case, event.status), text, "status")


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

    A call that was refused may write nothing at all, so all its writes break that promise first.
    """
    told = list(events)
    refused = {
        (event.run, event.launch)
        for event in told
        if isinstance(event, PhaseOneEvent) and event.status != ACLNN_SUCCESS
    }
    seen: set[tuple[str, str]] = set()
    for event in told:
        if isinstance(event, MemoryEvent) and (event.tensor, event.kind) not in seen:
            seen.add((event.tensor, event.kind))
            yield _memory(case, event, refused=(event.run, event.launch) in refused)


def _memory(case: Case, event: MemoryEvent, *, refused: bool) -> Finding:
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
    if refused:
        text += ", although the call was refused"
    further = clauses_of_run(case, event.run, prepares=event.prepares)
    return Finding((*further, *_memory_clauses(event, refused=refused)), text + how, "memory")


def _memory_clauses(event: MemoryEvent, *, refused: bool) -> tuple[str, ...]:
    if event.kind == "output-touched":
        return (REFUSAL_LEAVES_OUTPUTS,)
    if event.kind == "input":
        broken = INPUTS_UNCHANGED
    else:
        broken = WORKSPACE_SIZE if event.tensor == "workspace" else OUTSIDE_UNTOUCHED
    return (REFUSAL_LEAVES_OUTPUTS, broken) if refused else (broken,)


def obstacles(events: Iterable[CaseEvent]) -> Iterator[str]:
    """Yield why the call under test could not be carried out, or not be recorded."""
    for event in events:
        if isinstance(event, ErrorEvent):
            yield f"{event.what} failed with status {event.status}: {event.message}"
