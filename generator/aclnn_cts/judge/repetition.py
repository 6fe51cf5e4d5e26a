# SPDX-License-Identifier: Apache-2.0
"""What the comparison of a case's runs says: outputs that nobody wrote, and such as differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set

from aclnn_cts.judge.circumstances import (
    ORDINARY_RUNS,
    Launch,
    clauses_of_run,
    clauses_of_runs,
    phrase_of,
)
from aclnn_cts.judge.contract import Finding
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.events import CaseEvent, RepeatEvent
from aclnn_cts.spec.common_clauses import DETERMINISM, OUTPUTS_WRITTEN, UNINITIALISED_MEMORY

LEAST_BYTES = 4
"""Bytes of an output that hold the poison by design: a result has four equal bytes of that value by
chance once in 2^32, and a single byte often."""


def find_unwritten(
    case: Case, events: Iterable[CaseEvent], requested: Set[str]
) -> Iterator[Finding]:
    """Yield outputs of which elements hold the poison of their run.

    Elements that hold it in both ordinary runs, and whole outputs that one launch wrote and another
    one did not.

    Args:
        case: The case.
        events: Its events.
        requested: Outputs of which something is promised; the others may stay unwritten.
    """
    repeats = [e for e in events if isinstance(e, RepeatEvent) and e.tensor in requested]
    for event in repeats:
        if event.unwritten and event.run < ORDINARY_RUNS:
            verb = "was" if event.unwritten == 1 else "were"
            text = (
                f"{_elements(event.unwritten)} of {event.tensor} {verb} never written, "
                f"first at index {event.unwritten_first}"
            )
            yield Finding((OUTPUTS_WRITTEN,), text, "unwritten")
    yield from _find_lost(case, repeats)


def _find_lost(case: Case, repeats: Iterable[RepeatEvent]) -> Iterator[Finding]:
    """Yield whole outputs that a launch left unwritten, though it reported success."""
    seen: set[str] = set()
    for event in repeats:
        tensor = case.tensor(event.tensor)
        if tensor.numel * tensor.data_type.itemsize < LEAST_BYTES:
            continue
        nothing = f"no element of {event.tensor} was written"
        if event.missing_before == tensor.numel and event.tensor not in seen:
            seen.add(event.tensor)
            text = f"{nothing} in the first run, but all in a later one"
            yield Finding((OUTPUTS_WRITTEN,), text, "unwritten")
        elif event.missing == tensor.numel:
            broken = clauses_of_run(case, event.run, prepares=event.prepares)
            text = nothing + (_phrase(case, event) or " in the second run")
            yield Finding((*broken, OUTPUTS_WRITTEN), text, "unwritten")


def find_differences(
    case: Case, events: Iterable[CaseEvent], requested: Set[str]
) -> Iterator[Finding]:
    """Yield outputs whose bits differ between the first run and another although they must not.

    The two ordinary runs differ in what the memory held before, so one repetition cannot tell a
    read of uninitialised memory from a result that varies: where determinism is promised, both are
    named. Where it is not, a difference alone breaks nothing; the outputs of the other runs are
    judged by value, too.
    """
    differing = [
        event
        for event in events
        # What nobody wrote differs by its poison.
        if isinstance(event, RepeatEvent)
        and event.tensor in requested
        and event.different > event.unwritten
    ]
    for event in differing:
        count = event.different - event.unwritten
        verb = "differs" if count == 1 else "differ"
        text = f"{_elements(count)} of {event.tensor} {verb} "
        text += _phrase(case, event).lstrip() or (
            "between two runs with different earlier contents of memory"
        )
        text += f", first at index {event.first}"
        if DETERMINISM in case.clauses:
            alike = [_launch(other) for other in differing if other.tensor == event.tensor]
            yield Finding(_difference_clauses(case, _launch(event), alike), text, "repeat")
        else:
            yield Finding((), f"{text}; determinism is not promised here", "remark")


def _elements(count: int) -> str:
    return "1 element" if count == 1 else f"{count} elements"


def _launch(event: RepeatEvent) -> Launch:
    return Launch(event.run, event.prepares)


def _phrase(case: Case, event: RepeatEvent) -> str:
    return phrase_of(case, event.run, prepares=event.prepares)


def _difference_clauses(
    case: Case, launch: Launch, differing: Collection[Launch]
) -> tuple[str, ...]:
    """Return what a difference breaks, given all launches in which this output differs."""
    if launch.run < ORDINARY_RUNS:
        return UNINITIALISED_MEMORY, DETERMINISM
    # Where the ordinary runs differ already, the circumstance is not to blame.
    if min(differing).run < ORDINARY_RUNS:
        return (DETERMINISM,)
    further = clauses_of_runs(case, [other.run for other in differing if not other.is_ordinary])
    # Where an ordinary launch differs among the further ones, it is no explanation.
    explained = not any(other.is_ordinary for other in differing)
    return (*further, DETERMINISM) if explained else (DETERMINISM, *further)
