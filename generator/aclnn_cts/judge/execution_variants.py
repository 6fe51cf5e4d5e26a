# SPDX-License-Identifier: Apache-2.0
"""The runs of a case after its two ordinary ones: what to call them, and what they must record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from aclnn_cts.plan.case_builder import clause_of
from aclnn_cts.plan.cases import ACLNN_SUCCESS, Case, Circumstance
from aclnn_cts.plan.planner import another_operator
from aclnn_cts.run.events import (
    CaseEvent,
    DecoyEvent,
    NotRepeatableEvent,
    OtherEvent,
    PhaseOneEvent,
    PhaseTwoEvent,
    ProducerEvent,
    RepeatEvent,
)
from aclnn_cts.spec.clause_models import CALL_INDEPENDENCE, REPEATABLE_EXECUTOR
from aclnn_cts.spec.loading import SpecSet

ORDINARY_RUNS = 2
"""Runs with fresh memory on the first stream; those for ``Case.again`` follow."""

AFTER_ANOTHER = "after another operator ran"
"""Holds for whatever specs; :func:`name_other` says which operator it was."""

FIRST_REPEATED, SECOND_REPEATED, FIRST_WITH_LATE_DATA = 100, 101, 102
"""Runs that say why the ordinary ones differ: exactly as run 0, exactly as run 1, and as run 0 but
with inputs that hold their data only once phase one has returned."""

_CONFIRMING = {
    FIRST_REPEATED: " when the first run was repeated",
    SECOND_REPEATED: " when the second run was repeated",
    FIRST_WITH_LATE_DATA: " when the first run was repeated with data that came after phase one",
}

_PHRASES: dict[Circumstance, str] = {
    "second-stream": "on a second stream",
    "kept-workspace": "with a workspace that an earlier call had used",
    "after-others": AFTER_ANOTHER,
    "in-flight": "between two other calls in flight",
    "planned-between": "with another call planned between its phases",
    "repeatable-executor": "from a repeatable executor's second launch with new data",
}

_PREPARING: dict[Circumstance, str] = {
    "kept-workspace": "in the call before the one with a kept workspace",
    "repeatable-executor": "in the first launch of a repeatable executor",
}
"""How the launch was made that comes before the recorded one: not yet under the circumstance."""


class Launch(NamedTuple):
    """One launch of the call under test whose outputs are looked at.

    Attributes:
        run: The run's number.
        prepares: Whether another launch follows in the same run, and is the run's own.
    """

    run: int
    prepares: bool = False

    @property
    def is_ordinary(self) -> bool:
        """Whether nothing is special about it."""
        return self.run < ORDINARY_RUNS or self.prepares


FIRST = Launch(0)


def circumstance_of(case: Case, run: int) -> Circumstance | None:
    """Return what is special about a run; None for an ordinary one."""
    place = run - ORDINARY_RUNS
    return case.again[place] if 0 <= place < len(case.again) else None


def phrase_of(case: Case, run: int, *, prepares: bool = False) -> str:
    """Return how a run was made, to end a sentence with; empty for an ordinary one.

    Args:
        case: The case.
        run: The run's number.
        prepares: Whether it is about the launch that comes before the recorded one.
    """
    circumstance = circumstance_of(case, run)
    if circumstance is None:
        return _CONFIRMING.get(run, "")
    phrases = {**_PHRASES, **_PREPARING} if prepares else _PHRASES
    return f" {phrases[circumstance]}"


def name_other(specs: SpecSet, case: Case, text: str) -> str:
    """Return a text about a case with the name of the operator that ran before."""
    if AFTER_ANOTHER not in text:
        return text
    other = another_operator(specs, case.operator, case.product).operator
    return text.replace(AFTER_ANOTHER, f"after {other} ran")


def clauses_of_run(case: Case, run: int, *, prepares: bool = False) -> tuple[str, ...]:
    """Return the clause that a run tests besides what each run tests; none for an ordinary one.

    A launch that prepares the recorded one is not yet under the run's circumstance.
    """
    circumstance = circumstance_of(case, run)
    return () if circumstance is None or prepares else (clause_of(circumstance),)


def clauses_of_runs(case: Case, runs: Collection[int]) -> tuple[str, ...]:
    """Return the clause that is broken if exactly these further runs are off.

    An executor's second launch is to blame only where nothing else is off.
    """
    found = {clause for run in runs for clause in clauses_of_run(case, run)}
    if CALL_INDEPENDENCE in found:
        return (CALL_INDEPENDENCE,)
    return (REPEATABLE_EXECUTOR,) if found else ()


def clauses_without_run(case: Case, events: Iterable[CaseEvent]) -> frozenset[str]:
    """Return the clauses of further runs of which none came to a comparison.

    What was not made, or ended before it had outputs, is no test that its clause could pass.
    """
    compared = {e.run for e in events if isinstance(e, RepeatEvent) and not e.prepares}
    further = range(ORDINARY_RUNS, ORDINARY_RUNS + len(case.again))
    promised = {clause for run in further for clause in clauses_of_run(case, run)}
    return frozenset(promised - {c for run in compared for c in clauses_of_run(case, run)})


def lacking(case: Case, events: Iterable[CaseEvent], outputs: Sequence[str]) -> str | None:
    """Return what the record lacks about the runs behind the ordinary ones; None if nothing.

    Those that say why the ordinary runs differ come first, the further ones only if all before
    succeeded. A run that failed has said so; one that the device did not survive is the last one.
    """
    told = list(events)
    compared = {(e.run, e.tensor) for e in told if isinstance(e, RepeatEvent) and not e.prepares}
    ended = {event.run for event in told if _ends_run(event)}
    lost = {event.run for event in told if _loses_device(event)}
    if ended & set(range(ORDINARY_RUNS)) or ended & set(_CONFIRMING):
        return None
    for name in outputs:
        if differs(told, name) and why_different(told, name) is None:
            return f"the record does not say why {name} differs between the two ordinary runs"
    for run in range(ORDINARY_RUNS, ORDINARY_RUNS + len(case.again)):
        for name in outputs:
            if run not in ended and (run, name) not in compared:
                return f"the record holds no output {name}{phrase_of(case, run)}"
        if run in lost:
            return None
    return None


Reason = Literal["varies", "phase-one", "memory"]
"""Why the ordinary runs differ: equal runs differ, too; phase one used elements of inputs; what
memory held before the call shows in the results."""


def differs(events: Iterable[CaseEvent], output: str) -> bool:
    """Whether the ordinary runs differ in an output; what nobody wrote differs by its poison."""
    return any(
        event.run < ORDINARY_RUNS and event.different > event.unwritten
        for event in events
        if isinstance(event, RepeatEvent) and event.tensor == output
    )


def why_different(events: Iterable[CaseEvent], output: str) -> Reason | None:
    """Return why the ordinary runs differ in an output; None if the record does not say it."""
    different: dict[int, bool] = {}
    for event in events:
        if isinstance(event, RepeatEvent) and event.tensor == output:
            different[event.run] = different.get(event.run, False) or event.different > 0
    if different.get(FIRST_REPEATED) or different.get(SECOND_REPEATED):
        return "varies"
    late = different.get(FIRST_WITH_LATE_DATA)
    return None if late is None else "phase-one" if late else "memory"


def _loses_device(event: CaseEvent) -> bool:
    return isinstance(event, PhaseTwoEvent) and event.synchronize != ACLNN_SUCCESS


def _ends_run(event: CaseEvent) -> bool:
    if isinstance(event, NotRepeatableEvent) or _loses_device(event):
        return True
    return (
        isinstance(event, PhaseOneEvent | PhaseTwoEvent | ProducerEvent | OtherEvent | DecoyEvent)
        and event.status != ACLNN_SUCCESS
    )


def remarks(case: Case, events: Iterable[CaseEvent]) -> Iterator[str]:
    """Yield why a further run could not be made; that breaks no promise of the operator."""
    for event in events:
        said = getattr(event, "message", "")
        said = f": {said}" if said else ""
        if isinstance(event, NotRepeatableEvent):
            yield f"the executor cannot be made repeatable: status {event.status}{said}"
        elif isinstance(event, OtherEvent) and event.status != ACLNN_SUCCESS:
            yield (
                f"the call {AFTER_ANOTHER} was not made: that one returned status "
                f"{event.status} in phase {event.phase}{said}"
            )
        elif isinstance(event, DecoyEvent) and event.phase == 1 and event.status != ACLNN_SUCCESS:
            yield (
                f"the call{phrase_of(case, event.run)} was not made: that other one returned "
                f"status {event.status} in phase 1{said}"
            )
