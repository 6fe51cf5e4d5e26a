# SPDX-License-Identifier: Apache-2.0
"""Checks of a case's events against the promises that all operators share.

These are statuses, memory outside the tensors, inputs, unwritten outputs and differing runs. A
finding names the broken clause of ``specs/common.yaml``, or is a remark. Values are compared
elsewhere.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from aclnn_cts.errors import counted, form
from aclnn_cts.judge.records import MissingDataError
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.case_builder import broken_requirements, clause_of
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case, ExecutionVariant
from aclnn_cts.plan.planner import other_operators
from aclnn_cts.run.events import (
    CallsEvent,
    CaseEvent,
    DecoyEvent,
    ErrorEvent,
    HandleEvent,
    MemoryEvent,
    NotRepeatableEvent,
    OtherEvent,
    OutputEvent,
    PhaseOneEvent,
    PhaseTwoEvent,
    ProducerEvent,
    RepeatEvent,
    RuntimeEvent,
    UnmadeEvent,
)
from aclnn_cts.spec.clause_models import (
    CALL_INDEPENDENCE,
    DETERMINISM,
    HANDLES_UNCHANGED,
    INPUTS_UNCHANGED,
    MEMORY_RETURNED,
    MOVED_ADDRESSES,
    OUTPUTS_WRITTEN,
    OUTSIDE_UNTOUCHED,
    PHASE_ONE_DATA,
    REFUSAL_LEAVES_OUTPUTS,
    REPEATABLE_EXECUTOR,
    RUNTIME_FUNCTIONS,
    TWO_PHASE,
    UNINITIALISED_MEMORY,
    WORKSPACE_SIZE,
)
from aclnn_cts.spec.data_types import status_name
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.parameter_clauses import clause_id

ORDINARY_RUNS = 2
"""Runs with fresh memory on the first stream; those for ``Case.again`` follow."""

FIRST_REPEATED, SECOND_REPEATED, FIRST_WITH_LATE_DATA = 100, 101, 102
"""Runs that explain why the ordinary ones differ: equal to run 0, equal to run 1, and as run 0 but
with inputs that get their data after phase one."""

SYNCHRONIZE_TIMEOUT = 507046
"""ACL_ERROR_RT_STREAM_SYNC_TIMEOUT of the runtime's public header."""

LARGEST_POOL = 16 << 20
"""Bytes by which calls may let the use of memory grow: what drivers' pools and caches hold. The
harness makes more calls as long as the use grows without exceeding it (memory_use.cpp)."""

LEAST_BYTES = 4
"""Minimum size of an output for the detection of poison: by chance, a result has four bytes of that
value once in 2^32 times, and a single byte often."""

KINDS = ("hang", "producer", "unsteady", "status", "unwritten", "value", "memory", "repeat")
"""Kinds of findings that break a promise, the most explanatory first."""

UNENFORCED = "unenforced"
"""The kind of a finding about an accepted call that breaks requirements, which are its clauses."""

_WHERE = {
    "guard-front": "before the start of",
    "guard-rear": "behind the end of",
    "gap": "in the gaps of",
    "output-touched": "in",
    "retired": "to an earlier launch's",
}

_CONFIRMING = {
    FIRST_REPEATED: " when the first run was repeated",
    SECOND_REPEATED: " when the second run was repeated",
    FIRST_WITH_LATE_DATA: " when the first run was repeated with data that came after phase one",
}

_PHRASES: dict[ExecutionVariant, str] = {
    "second-stream": "on a second stream",
    "kept-workspace": "with a used workspace",
    "after-others": "after {other} ran",
    "in-flight": "between two other calls in flight",
    "planned-between": "with another call planned between its phases",
    "repeatable-executor": "from a repeatable executor's second launch with new data",
    "moved-addresses": "from a repeatable executor whose tensors were moved",
    "captured": "from a captured call",
    "other-thread": "launched in another thread than planned",
    "four-threads": "at once with three others in threads of their own",
    "default-stream": "on the default stream",
    "shared-workspace": "with the workspace of its neighbours on the stream",
    "many-planned": "with 31 other calls planned between its phases",
    "many-calls": "among many equal calls in a row",
    "among-others": "among calls of other operators",
}

_PREPARING: dict[ExecutionVariant, str] = {
    "kept-workspace": "in the call before the one with a kept workspace",
    "repeatable-executor": "in the first launch of a repeatable executor",
    "moved-addresses": "in the launch before the tensors were moved",
}
"""Descriptions of the launch before the recorded one, which is not under the variant yet."""


@dataclass(frozen=True)
class Finding:
    """A problem that the events show.

    Attributes:
        clauses: Ids of the clauses that are broken, most specific first; none for a remark.
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
        """Whether a promise is broken, even without a clause about it."""
        return self.kind not in ("remark", UNENFORCED)


def place_of(kind: str) -> int:
    """Return the index of a kind in :data:`KINDS`; verdicts report the lowest first."""
    return KINDS.index(kind)


class Launch(NamedTuple):
    """One launch of the call under test.

    Attributes:
        prepares: Whether the recorded launch of the run follows.
    """

    run: int
    prepares: bool = False

    @classmethod
    def of(cls, event: CaseEvent) -> Launch:
        """Return the launch of an event; the recorded one by default."""
        return cls(event.run, getattr(event, "prepares", False))

    @property
    def is_ordinary(self) -> bool:
        """Whether it is an ordinary launch."""
        return self.run < ORDINARY_RUNS or self.prepares


FIRST = Launch(0)


def variant_of(case: Case, run: int) -> ExecutionVariant | None:
    """Return the variant of a run; None for an ordinary one."""
    place = run - ORDINARY_RUNS
    return case.again[place] if 0 <= place < len(case.again) else None


@dataclass(frozen=True)
class Runs:
    """The runs of a case."""

    specs: SpecSet
    case: Case

    @functools.cached_property
    def _other(self) -> str:
        """The operator that runs before the call under ``after-others``."""
        first, *_ = other_operators(self.specs, self.case.operator, self.case.product)
        return first.operator

    @property
    def further(self) -> range:
        """The numbers of the runs after the ordinary ones."""
        return range(ORDINARY_RUNS, ORDINARY_RUNS + len(self.case.again))

    def phrase(self, launch: Launch) -> str:
        """Return a phrase for a launch, the end of a message; empty for an ordinary one."""
        variant = variant_of(self.case, launch.run)
        if variant is None:
            return _CONFIRMING.get(launch.run, "")
        phrases = {**_PHRASES, **_PREPARING} if launch.prepares else _PHRASES
        phrase = phrases[variant]
        return f" {phrase.format(other=self._other) if '{' in phrase else phrase}"

    def clauses(self, launch: Launch) -> tuple[str, ...]:
        """Return the clause that only this kind of launch tests; none for an ordinary one.

        A preparing launch is not yet under the run's execution variant.
        """
        variant = variant_of(self.case, launch.run)
        return () if variant is None or launch.prepares else (clause_of(variant),)

    def clauses_of_all(self, launches: Iterable[Launch]) -> tuple[str, ...]:
        """Return the clause that is broken if exactly these launches are wrong.

        A particular way to run a call is to blame only if no other launch is wrong, and moved
        tensors only if an executor's second launch is right.
        """
        clauses = dict.fromkeys(clause for launch in launches for clause in self.clauses(launch))
        if CALL_INDEPENDENCE in clauses:
            return (CALL_INDEPENDENCE,)
        if REPEATABLE_EXECUTOR in clauses:
            clauses.pop(MOVED_ADDRESSES, None)
        return tuple(clauses)

    def untested_clauses(self, events: Iterable[CaseEvent]) -> frozenset[str]:
        """Return the clauses of further runs without outputs to compare."""
        compared = {Launch.of(e) for e in events if isinstance(e, RepeatEvent) and not e.prepares}
        promised = {clause for run in self.further for clause in self.clauses(Launch(run))}
        return frozenset(promised - {c for launch in compared for c in self.clauses(launch)})


def unrefused_clauses(case: Case) -> tuple[str, ...]:
    """Return the error clauses and requirements that an accepted call breaks."""
    return (*case.refused_by, *broken_requirements(case))


def find_failed_calls(runs: Runs, events: Sequence[CaseEvent]) -> Iterator[Finding]:
    """Yield statuses that the documents do not allow, and requirements that are not enforced.

    The operator that makes an input gets a valid call, too.
    """
    case = runs.case
    for event in events:
        if isinstance(event, ProducerEvent) and event.status != ACLNN_SUCCESS:
            text = (
                f"the operator that produces an input returned {_status(event.status)} "
                f"in phase {event.phase}: {event.message}"
            )
            yield Finding((TWO_PHASE,), text, "producer")
    unsteady = _is_unsteady(case, events)
    for event in events:
        if isinstance(event, PhaseOneEvent):
            by_call = unsteady and _is_plain(event.run)
            finding = _phase_one(runs, event)
        elif isinstance(event, PhaseTwoEvent):
            by_call = unsteady and not case.expects_success
            finding = _phase_two(runs, event)
        elif isinstance(event, DecoyEvent) and event.status != ACLNN_SUCCESS:
            by_call, finding = False, iter([_decoy(runs, event)])
        else:
            continue
        yield from map(_now_and_then, finding) if by_call else finding


def _is_unsteady(case: Case, events: Iterable[CaseEvent]) -> bool:
    """Whether one plain run was accepted and another one refused.

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
    """Whether the run has no execution variant."""
    return run < ORDINARY_RUNS or run >= FIRST_REPEATED


def _now_and_then(found: Finding) -> Finding:
    """Return a finding about a status that an equal call did not get.

    No property of the call explains it, so it does not count as a cause of failures.
    """
    text = f"{found.text}; an equal call had another outcome"
    return Finding((CALL_INDEPENDENCE, *found.clauses), text, "unsteady")


def _decoy(runs: Runs, event: DecoyEvent) -> Finding:
    launch, phase = Launch.of(event), {1: "one", 2: "two"}.get(event.phase, str(event.phase))
    text = (
        f"phase {phase} of another call returned {_status(event.status)}, beside the one"
        f"{runs.phrase(launch)}{_quoted_message(event.message)}"
    )
    return Finding((*runs.clauses(launch), TWO_PHASE), text, "status")


def _phase_one(runs: Runs, event: PhaseOneEvent) -> Iterator[Finding]:
    case, launch, message = runs.case, Launch.of(event), _quoted_message(event.message)
    accepted = event.status == ACLNN_SUCCESS
    if case.expects_success:
        if not accepted:
            how, status = runs.phrase(launch), _status(event.status)
            text = f"phase one refused a valid call{how} with {status}{message}"
            yield Finding((*runs.clauses(launch), TWO_PHASE), text, "status")
        elif event.workspace is None:
            text = f"phase one accepted the call{runs.phrase(launch)} without setting workspaceSize"
            yield Finding((WORKSPACE_SIZE,), text, "status")
    elif accepted:
        if not case.is_launched:
            yield _acceptance(case, "phase one")
    elif case.statuses and event.status not in case.statuses:
        text = (
            f"phase one returned {_status(event.status)}, promised: {case.required_status}{message}"
        )
        yield Finding(case.refused_by, text, "status")


def _acceptance(case: Case, who: str) -> Finding:
    """Return the finding about an accepted call that must or should be refused."""
    did = f"{who} accepted the call (status 0)"
    if case.basis == "requirement":
        text = f"{did}, although the call breaks a requirement"
        return Finding(case.refused_by or broken_requirements(case), text, UNENFORCED)
    return Finding(unrefused_clauses(case), f"{did}, promised: {case.required_status}", "status")


def _phase_two(runs: Runs, event: PhaseTwoEvent) -> Iterator[Finding]:
    case, launch, message = runs.case, Launch.of(event), _quoted_message(event.message)
    if case.expects_success:
        broken: tuple[str, ...] = (*runs.clauses(launch), TWO_PHASE)
        message = runs.phrase(launch) + message
    else:
        broken = unrefused_clauses(case)
    if case.expects_success and event.status != ACLNN_SUCCESS:
        yield Finding(broken, f"phase two returned {_status(event.status)}{message}", "status")
    elif event.synchronize == SYNCHRONIZE_TIMEOUT:
        yield Finding(broken, f"the stream did not end in time{message}", "hang")
    elif event.synchronize != ACLNN_SUCCESS:
        text = f"the stream's synchronisation returned {event.synchronize}{message}"
        yield Finding(broken, text, "status")
    elif not case.expects_success and event.status == ACLNN_SUCCESS:
        yield _acceptance(case, "both phases")


def _quoted_message(message: str) -> str:
    return f": {message}" if message else ""


def _status(status: int) -> str:
    name = status_name(status)
    return name if name == str(status) else f"{name} ({status})"


def find_memory(runs: Runs, events: Sequence[CaseEvent]) -> Iterator[Finding]:
    """Yield forbidden writes; each tensor and kind once, not once per run.

    A call that was refused or not launched may write nothing at all, so its writes break that
    promise first.
    """
    ended = {
        Launch.of(event): "refused" if event.status != ACLNN_SUCCESS else "not launched"
        for event in events
        if isinstance(event, PhaseOneEvent)
        and (event.status != ACLNN_SUCCESS or not runs.case.is_launched)
    }
    seen: set[tuple[str, str]] = set()
    for event in events:
        if isinstance(event, MemoryEvent) and (event.tensor, event.kind) not in seen:
            seen.add((event.tensor, event.kind))
            yield _memory(runs, event, ended.get(Launch.of(event), ""))


def _memory(runs: Runs, event: MemoryEvent, ended: str) -> Finding:
    launch = Launch.of(event)
    count = counted(event.count, event.unit)
    if event.kind == "slack":
        text = (
            f"{count} written behind {event.tensor}, in the slack that aclrtMalloc leaves "
            f"(first at byte {event.first}){runs.phrase(launch)}"
        )
        return Finding((), text, "remark")
    if event.kind == "input":
        text = f"{count} of the input {event.tensor} changed, first at index {event.first}"
        broken = INPUTS_UNCHANGED
    else:
        place = f"{_WHERE[event.kind]} {event.tensor}"
        text = f"{count} written {place}, first at {event.unit} {event.first}"
        in_workspace = event.tensor == "workspace" and event.kind != "retired"
        broken = WORKSPACE_SIZE if in_workspace else OUTSIDE_UNTOUCHED
    if ended:
        text += f", although the call was {ended}"
    if event.kind == "output-touched":
        clauses: tuple[str, ...] = (REFUSAL_LEAVES_OUTPUTS,)
    else:
        clauses = (REFUSAL_LEAVES_OUTPUTS, broken) if ended else (broken,)
    return Finding((*runs.clauses(launch), *clauses), text + runs.phrase(launch), "memory")


def find_changed_handles(runs: Runs, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield properties of the caller's tensors that a call changed; each once."""
    seen: set[tuple[str, str]] = set()
    for event in events:
        if isinstance(event, HandleEvent) and (event.tensor, event.what) not in seen:
            seen.add((event.tensor, event.what))
            how = runs.phrase(Launch.of(event))
            text = f"the call changed the {event.what} of the caller's tensor {event.tensor}{how}"
            yield Finding((HANDLES_UNCHANGED,), text, "memory")


def find_many_calls(runs: Runs, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield what many equal calls in a row show: other outcomes, and memory that is not returned.

    Other results of a valid call are also compared with the expected ones.
    """
    for event in events:
        if not isinstance(event, CallsEvent):
            continue
        if event.different:
            yield _other_outcome(runs.case, event)
        for memory, grown in (("the device", event.device_grown), ("the host", event.host_grown)):
            if grown > LARGEST_POOL:
                text = (
                    f"the use of {memory}'s memory grew steadily in {event.made:,} equal calls, "
                    f"by {grown:,} bytes"
                )
                yield Finding((MEMORY_RETURNED,), text, "memory")


def find_broken_runtime(events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield runtime functions that contradict their pages."""
    for event in events:
        if isinstance(event, RuntimeEvent):
            yield Finding((RUNTIME_FUNCTIONS,), f"{event.function} {event.what}", "status")


def _other_outcome(case: Case, event: CallsEvent) -> Finding:
    outcome = "results" if case.expects_success else "a status"
    count = f"{counted(event.different, 'call')} of {event.made:,} equal ones"
    text = (
        f"{count} had {outcome} other than the first; call {event.first:,} was the first to differ"
    )
    if not case.expects_success:
        return Finding((CALL_INDEPENDENCE, *case.refused_by), text, "unsteady")
    return _varying(case, text, (CALL_INDEPENDENCE, DETERMINISM))


def find_unwritten(
    runs: Runs, events: Iterable[CaseEvent], requested: Set[str]
) -> Iterator[Finding]:
    """Yield outputs with unwritten elements, which hold the poison of their run.

    These are elements with poison in both ordinary runs, and whole outputs that only one launch
    wrote.

    Args:
        runs: The runs of the case.
        requested: Outputs with a promise; others may stay unwritten.
    """
    repeats = _repeats(events, requested)
    for event in repeats:
        if event.unwritten and event.run < ORDINARY_RUNS:
            verb = form(event.unwritten, "was", "were")
            text = (
                f"{counted(event.unwritten, 'element')} of {event.tensor} {verb} never written, "
                f"first at index {event.unwritten_first}"
            )
            yield Finding((OUTPUTS_WRITTEN,), text, "unwritten")
    seen: set[str] = set()
    for event in repeats:
        tensor, launch = runs.case.tensor(event.tensor), Launch.of(event)
        if tensor.numel * tensor.data_type.itemsize < LEAST_BYTES:
            continue
        nothing = f"no element of {event.tensor} was written"
        if event.missing_before == tensor.numel and event.tensor not in seen:
            seen.add(event.tensor)
            text = f"{nothing} in the first run, but all in a later one"
            yield Finding((OUTPUTS_WRITTEN,), text, "unwritten")
        elif event.missing == tensor.numel:
            text = nothing + (runs.phrase(launch) or " in the second run")
            yield Finding((*runs.clauses(launch), OUTPUTS_WRITTEN), text, "unwritten")


def find_needless_outputs(runs: Runs, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield outputs with elements that do not hold the poison although they are not wanted.

    The other runs may have the poison of the first one.
    """
    call = Call.of(runs.specs.operator(runs.case.operator), runs.case)
    for event in events:
        if not isinstance(event, RepeatEvent) or event.run >= ORDINARY_RUNS:
            continue
        written = runs.case.tensor(event.tensor).numel - event.unwritten
        if written and call.is_unwanted(call.spec.tensor(runs.case.tensor(event.tensor).parameter)):
            verb = form(written, "was", "were")
            text = (
                f"{counted(written, 'element')} of {event.tensor}, which the call does not want, "
                f"{verb} written"
            )
            yield Finding((clause_id(event.tensor, "unwanted"),), text, "memory")


def _repeats(events: Iterable[CaseEvent], requested: Set[str]) -> list[RepeatEvent]:
    """Return the comparisons of outputs with a promise, without the explaining runs."""
    return [
        event
        for event in events
        if isinstance(event, RepeatEvent)
        and event.run < FIRST_REPEATED
        and event.tensor in requested
    ]


def find_differences(
    runs: Runs, events: Sequence[CaseEvent], requested: Set[str]
) -> Iterator[Finding]:
    """Yield outputs whose bits differ between the first run and another although they must not.

    Further runs explain why the ordinary runs differ. A result that varies breaks the promise of
    determinism, if there is one; a result that depends on earlier contents of memory, or on the
    inputs in phase one, is always wrong. If the ordinary runs are equal, the execution variant of a
    further one is to blame.
    """
    differing: dict[str, list[RepeatEvent]] = {}
    for event in _repeats(events, requested):
        if event.different > event.unwritten:  # the poison of unwritten elements differs
            differing.setdefault(event.tensor, []).append(event)
    for tensor, events_of_output in differing.items():
        ordinary = [event for event in events_of_output if event.run < ORDINARY_RUNS]
        if ordinary:
            yield _ordinary(runs.case, ordinary[0], _reason_of_difference(events, tensor))
            continue
        further = runs.clauses_of_all(
            launch for launch in map(Launch.of, events_of_output) if not launch.is_ordinary
        )
        # If an ordinary launch differs among the further ones, the variant does not explain it.
        explained = not any(Launch.of(event).is_ordinary for event in events_of_output)
        broken = (*further, DETERMINISM) if explained else (DETERMINISM, *further)
        for event in events_of_output:
            phrase = runs.phrase(Launch.of(event)).lstrip()
            text = f"{_differing(event)} {phrase}, first at index {event.first}"
            yield _varying(runs.case, text, broken)


def _ordinary(case: Case, event: RepeatEvent, reason: str | None) -> Finding:
    """Return the finding for a difference between the ordinary runs."""
    first = f"first at index {event.first}"
    if reason == "varies":
        text = f"{_differing(event)} between runs with equal contents of memory, {first}"
        return _varying(case, text, (DETERMINISM,))
    count = event.different - event.unwritten
    depends = f"{counted(count, 'element')} of {event.tensor} {form(count, 'depends', 'depend')} on"
    if reason == "phase-one":
        text = f"{depends} what the inputs held while phase one ran, {first}"
        return Finding((PHASE_ONE_DATA,), text, "repeat")
    if reason == "memory":
        text = f"{depends} what memory held before the call, {first}"
        return Finding((UNINITIALISED_MEMORY,), text, "repeat")
    text = (
        f"{_differing(event)} between two runs; the runs that would show the cause did not succeed"
    )
    return Finding((), text, "remark")


def _varying(case: Case, text: str, broken: tuple[str, ...]) -> Finding:
    """Return a finding about varying bits; a remark if no clause promises equal bits.

    Differing outputs of later runs are also judged by value.
    """
    if DETERMINISM in case.clauses:
        return Finding(broken, text, "repeat")
    return Finding((), f"{text}; determinism is not promised here", "remark")


def _differing(event: RepeatEvent) -> str:
    count = event.different - event.unwritten
    return f"{counted(count, 'element')} of {event.tensor} {form(count, 'differs', 'differ')}"


def _reason_of_difference(events: Iterable[CaseEvent], output: str) -> str | None:
    """Return why the ordinary runs differ in an output; None if unknown.

    ``varies``: equal runs differ, too. ``phase-one``: phase one used elements of inputs.
    ``memory``: what memory held before the call shows in the results.
    """
    different: dict[int, bool] = {}
    for event in events:
        if isinstance(event, RepeatEvent) and event.tensor == output:
            different[event.run] = different.get(event.run, False) or event.different > 0
    if different.get(FIRST_REPEATED) or different.get(SECOND_REPEATED):
        return "varies"
    late = different.get(FIRST_WITH_LATE_DATA)
    return None if late is None else "phase-one" if late else "memory"


def find_unmade(runs: Runs, events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield what other operators refused, and remarks on further runs that could not be made.

    A valid call of another operator that was accepted before must be accepted again.
    """
    accepted: dict[str, bool] = {}
    for event in events:
        if isinstance(event, OtherEvent) and event.run < ORDINARY_RUNS:
            good = event.status == ACLNN_SUCCESS
            accepted[event.operator] = accepted.get(event.operator, True) and good
    for event in events:
        if isinstance(event, OtherEvent) and event.status and accepted.get(event.operator):
            text = (
                f"phase {event.phase} of {event.operator} returned {_status(event.status)} after "
                f"calls of {runs.case.operator}, and accepted an equal call before"
            )
            yield Finding((CALL_INDEPENDENCE,), text + _quoted_message(event.message), "status")
            continue
        if isinstance(event, UnmadeEvent):
            launch = Launch.of(event)
            text = f"{event.function} returned status {event.status}"
            if event.promised:
                text += runs.phrase(launch) + _quoted_message(event.message)
                yield Finding(runs.clauses(launch), text, "status")
                continue
            text = f"the call{runs.phrase(launch)} was not made: {text}"
        elif isinstance(event, NotRepeatableEvent):
            text = f"the executor cannot be made repeatable: status {event.status}"
        elif isinstance(event, OtherEvent) and event.status != ACLNN_SUCCESS:
            reason = f"{event.operator} returned status {event.status} in phase {event.phase}"
            text = f"the call{runs.phrase(Launch.of(event))} was not made: {reason}"
            if event.run < ORDINARY_RUNS:
                harm = f"whether calls of {runs.case.operator} harm it was not tested"
                text = f"{reason} of an ordinary call; {harm}"
        else:
            continue
        yield Finding((), text + _quoted_message(event.message), "remark")


_NEEDS_REPEAT = frozenset({DETERMINISM, OUTPUTS_WRITTEN, UNINITIALISED_MEMORY, PHASE_ONE_DATA})
"""Clauses that only a second run can test."""


def find_silence(events: Iterable[CaseEvent]) -> Iterator[Finding]:
    """Yield a remark on a refusal without an error message."""
    for event in events:
        if isinstance(event, PhaseOneEvent | PhaseTwoEvent) and event.status != ACLNN_SUCCESS:
            if not event.message:
                phase = "one" if isinstance(event, PhaseOneEvent) else "two"
                text = f"phase {phase} returned {_status(event.status)} without an error message"
                yield Finding((), text, "remark")
            return


def error_text(events: Iterable[CaseEvent]) -> str:
    """Return aclGetRecentErrMsg's text for the first status that is not success, or ""."""
    calls = (event for event in events if isinstance(event, PhaseOneEvent | PhaseTwoEvent))
    return next((event.message for event in calls if event.status != ACLNN_SUCCESS), "")


def is_refused(events: Iterable[CaseEvent]) -> bool:
    """Whether phase one refused the call in any run."""
    return any(isinstance(e, PhaseOneEvent) and e.status != ACLNN_SUCCESS for e in events)


def require_ordinary(case: Case, events: Sequence[CaseEvent]) -> None:
    """Raise MissingDataError if the ordinary runs' events lack data that the verdict needs."""
    _require_carried_out(events)
    if not any(isinstance(event, PhaseOneEvent) for event in events):
        raise MissingDataError("no status of phase one recorded")
    if is_refused(events) or not case.is_launched:
        return
    if not any(isinstance(event, PhaseTwoEvent) for event in events):
        raise MissingDataError("no status of phase two recorded")
    if not case.expects_success:
        return
    written = {e.tensor for e in events if isinstance(e, OutputEvent) and e.run == 0}
    repeated = {e.tensor for e in events if isinstance(e, RepeatEvent)}
    for name in outputs_of(case):
        if name not in written:
            raise MissingDataError(f"no output {name} recorded")
        if _NEEDS_REPEAT & set(case.clauses) and name not in repeated:
            raise MissingDataError(f"no second run of {name} recorded")


def require_further(runs: Runs, events: Sequence[CaseEvent]) -> None:
    """Raise MissingDataError unless the record holds all further runs that could be made.

    Explaining runs come first, further ones only if all previous ones succeeded. A failed run has
    an event of its own; a run that loses the device is the last one.
    """
    _require_carried_out(events)
    if not runs.case.expects_success and runs.case.again:
        _require_many_calls(events)
        return
    compared = {(e.run, e.tensor) for e in events if isinstance(e, RepeatEvent) and not e.prepares}
    ended = {event.run for event in events if _ends_run(event)}
    lost = {event.run for event in events if _loses_device(event)}
    if ended & {*range(ORDINARY_RUNS), *_CONFIRMING}:
        return
    outputs = outputs_of(runs.case)
    _require_explanations(events, outputs)
    for run in runs.further:
        for name in outputs:
            if run not in ended and (run, name) not in compared:
                how = runs.phrase(Launch(run))
                raise MissingDataError(f"no output {name}{how} recorded")
        if run in lost:
            return


def _require_explanations(events: Sequence[CaseEvent], outputs: Collection[str]) -> None:
    """Raise MissingDataError if explaining runs lack for outputs that differ without a cause."""
    differing = {
        event.tensor
        for event in _repeats(events, set(outputs))
        if event.run < ORDINARY_RUNS and event.different > event.unwritten
    }
    for name in outputs:
        if name in differing and _reason_of_difference(events, name) is None:
            raise MissingDataError(
                f"the record does not say why {name} differs between the two ordinary runs"
            )


def _require_many_calls(events: Iterable[CaseEvent]) -> None:
    if not any(isinstance(event, CallsEvent) for event in events):
        raise MissingDataError("the record does not say how many equal calls were made")


def outputs_of(case: Case) -> tuple[str, ...]:
    """Return the names of the outputs for which the call has memory."""
    return tuple(tensor.name for tensor in case.outputs if tensor.source != "null")


def _require_carried_out(events: Iterable[CaseEvent]) -> None:
    for event in events:
        if isinstance(event, ErrorEvent):
            raise MissingDataError(
                "the case could not be run: "
                f"{event.what} failed with status {event.status}: {event.message}"
            )


def _loses_device(event: CaseEvent) -> bool:
    return isinstance(event, PhaseTwoEvent) and event.synchronize != ACLNN_SUCCESS


def _ends_run(event: CaseEvent) -> bool:
    if isinstance(event, NotRepeatableEvent | UnmadeEvent) or _loses_device(event):
        return True
    return (
        isinstance(event, PhaseOneEvent | PhaseTwoEvent | ProducerEvent | OtherEvent | DecoyEvent)
        and event.status != ACLNN_SUCCESS
        # the others that run before the first run are only asked whether they work
        and not (isinstance(event, OtherEvent) and event.run < ORDINARY_RUNS)
    )
