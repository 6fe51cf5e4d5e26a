# SPDX-License-Identifier: Apache-2.0
"""What the events of a case say about the promises that all operators share.

Statuses, memory outside the tensors, inputs, unwritten outputs, and the second run. A finding names
the clause of ``specs/common.yaml`` that is broken, or is a remark that breaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case
from aclnn_cts.run.events import (
    CaseEvent,
    ErrorEvent,
    MemoryEvent,
    PhaseOneEvent,
    PhaseTwoEvent,
    ProducerEvent,
    RepeatEvent,
)
from aclnn_cts.spec.common_clauses import (
    DETERMINISM,
    INPUTS_UNCHANGED,
    OUTPUTS_WRITTEN,
    OUTSIDE_UNTOUCHED,
    REFUSAL_LEAVES_OUTPUTS,
    TWO_PHASE,
    UNINITIALISED_MEMORY,
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


@dataclass(frozen=True)
class Finding:
    """One thing that the events say against the device.

    Attributes:
        clauses: Ids of the clauses that are broken, most specific first; none for a remark.
        text: A sentence for people.
        kind: ``status``, ``memory``, ``unwritten`` or ``repeat``, ``value`` for wrong results,
            ``hang`` if the stream did not end in time, ``remark`` if nothing is broken.
    """

    clauses: tuple[str, ...]
    text: str
    kind: str

    @property
    def is_broken(self) -> bool:
        """Whether a promise is broken; also where no clause could be found that speaks of it."""
        return self.kind != "remark"


def refusal_clause(case: Case) -> str:
    """Return the error clause that a negative case tests: its scene carries the clause's id."""
    return case.scene


def find_statuses(case: Case, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield the statuses that the documents do not allow."""
    for event in events:
        if isinstance(event, PhaseOneEvent) and event.status not in case.statuses:
            yield _phase_one(case, event)
        elif isinstance(event, PhaseTwoEvent) and case.expects_success:
            yield from _phase_two(event)


def _phase_one(case: Case, event: PhaseOneEvent) -> Finding:
    said = f": {event.message}" if event.message else ""
    if case.expects_success:
        text = f"phase one refused a valid call with {_named(event.status)}{said}"
        return Finding((TWO_PHASE,), text, "status")
    wanted = " or ".join(_named(status) for status in case.statuses)
    did = (
        "accepted the call (status 0)"
        if event.status == ACLNN_SUCCESS
        else f"returned {_named(event.status)}"
    )
    return Finding((refusal_clause(case),), f"phase one {did}, promised: {wanted}{said}", "status")


def _phase_two(event: PhaseTwoEvent) -> Iterator[Finding]:
    said = f": {event.message}" if event.message else ""
    if event.status != ACLNN_SUCCESS:
        yield Finding((TWO_PHASE,), f"phase two returned {_named(event.status)}{said}", "status")
    elif event.synchronize == SYNCHRONIZE_TIMEOUT:
        yield Finding((TWO_PHASE,), f"the stream did not end in time{said}", "hang")
    elif event.synchronize != ACLNN_SUCCESS:
        text = f"the stream's synchronisation returned {event.synchronize}{said}"
        yield Finding((TWO_PHASE,), text, "status")


def _named(status: int) -> str:
    name = status_name(status)
    return name if name == str(status) else f"{name} ({status})"


def find_memory(events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield what was written where it must not be; each tensor and kind once, not once per run.

    A call that was refused may write nothing at all, so all its writes break that promise first.
    """
    told = list(events)
    refused = any(isinstance(e, PhaseOneEvent) and e.status != ACLNN_SUCCESS for e in told)
    seen: set[tuple[str, str]] = set()
    for event in told:
        if isinstance(event, MemoryEvent) and (event.tensor, event.kind) not in seen:
            seen.add((event.tensor, event.kind))
            yield _memory(event, refused=refused)


def _memory(event: MemoryEvent, *, refused: bool) -> Finding:
    count = f"{event.count} {event.unit}{'' if event.count == 1 else 's'}"
    if event.kind == "slack":
        text = (
            f"{count} written behind {event.tensor}, in the slack that aclrtMalloc leaves "
            f"(first at byte {event.first})"
        )
        return Finding((), text, "remark")
    if event.kind == "input":
        text = f"{count} of the input {event.tensor} changed, first at index {event.first}"
    else:
        place = f"{_WHERE[event.kind]} {event.tensor}"
        text = f"{count} written {place}, first at {event.unit} {event.first}"
    if refused:
        text += ", although the call was refused"
    return Finding(_memory_clauses(event, refused=refused), text, "memory")


def _memory_clauses(event: MemoryEvent, *, refused: bool) -> tuple[str, ...]:
    if event.kind == "output-touched":
        return (REFUSAL_LEAVES_OUTPUTS,)
    if event.kind == "input":
        broken = INPUTS_UNCHANGED
    else:
        broken = WORKSPACE_SIZE if event.tensor == "workspace" else OUTSIDE_UNTOUCHED
    return (REFUSAL_LEAVES_OUTPUTS, broken) if refused else (broken,)


def find_unwritten(events: Iterable[CaseEvent], requested: Set[str]) -> Iterator[Finding]:
    """Yield outputs with elements that hold the poison of their run in both runs.

    Args:
        events: The case's events.
        requested: Outputs of which something is promised; the others may stay unwritten.
    """
    for event in events:
        if isinstance(event, RepeatEvent) and event.unwritten and event.tensor in requested:
            text = (
                f"{event.unwritten} elements of {event.tensor} were never written, "
                f"first at index {event.unwritten_first}"
            )
            yield Finding((OUTPUTS_WRITTEN,), text, "unwritten")


def find_differences(
    case: Case, events: Iterable[CaseEvent], requested: Set[str]
) -> Iterator[Finding]:
    """Yield outputs whose bits differ between the two runs although they must not.

    The runs differ in what the memory held before, so one repetition cannot tell a read of
    uninitialised memory from a result that varies: where determinism is promised, both are named.
    Where it is not, a difference alone breaks nothing; the second output is judged by value, too.
    """
    promised = DETERMINISM in case.clauses
    for event in events:
        if not isinstance(event, RepeatEvent) or event.tensor not in requested:
            continue
        different = event.different - event.unwritten  # what nobody wrote differs by its poison
        if different <= 0:
            continue
        text = (
            f"{different} elements of {event.tensor} differ between two runs with different "
            f"earlier contents of memory, first at index {event.first}"
        )
        if promised:
            yield Finding((UNINITIALISED_MEMORY, DETERMINISM), text, "repeat")
        else:
            yield Finding((), f"{text}; determinism is not promised here", "remark")


def obstacles(events: Iterable[CaseEvent]) -> Iterator[str]:
    """Yield why the call under test could not be carried out, or not be recorded."""
    for event in events:
        if isinstance(event, ProducerEvent) and event.status != ACLNN_SUCCESS:
            yield (
                f"the operator that produces an input returned {_named(event.status)} "
                f"in phase {event.phase}: {event.message}"
            )
        elif isinstance(event, ErrorEvent):
            yield f"{event.what} failed with status {event.status}: {event.message}"
