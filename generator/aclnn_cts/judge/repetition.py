# SPDX-License-Identifier: Apache-2.0
"""What the comparison of a case's runs says: outputs that nobody wrote, and such as differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set

from aclnn_cts.judge.call_checks import Finding
from aclnn_cts.judge.execution_variants import (
    FIRST_REPEATED,
    ORDINARY_RUNS,
    Launch,
    Reason,
    clauses_of_run,
    clauses_of_runs,
    phrase_of,
    why_different,
)
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.events import CaseEvent, RepeatEvent
from aclnn_cts.spec.clause_models import (
    DETERMINISM,
    OUTPUTS_WRITTEN,
    PHASE_ONE_DATA,
    UNINITIALISED_MEMORY,
)

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
    repeats = [
        event
        for event in events
        if isinstance(event, RepeatEvent)
        and event.tensor in requested
        and event.run < FIRST_REPEATED
    ]
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

    Why the ordinary runs differ, the runs say that were made for it: a result that varies breaks
    the promise of determinism, where that is made; one that depends on what memory held before the
    call, or the inputs in phase one, is wrong everywhere. Where the ordinary runs are equal, the
    circumstance of a further one is to blame.
    """
    told = list(events)
    differing = [
        event
        for event in told
        # What nobody wrote differs by its poison.
        if isinstance(event, RepeatEvent)
        and event.tensor in requested
        and event.run < FIRST_REPEATED
        and event.different > event.unwritten
    ]
    for tensor in dict.fromkeys(event.tensor for event in differing):
        own = [event for event in differing if event.tensor == tensor]
        ordinary = [event for event in own if event.run < ORDINARY_RUNS]
        if ordinary:
            yield _ordinary(case, ordinary[0], why_different(told, tensor))
            continue
        alike = [_launch(event) for event in own]
        for event in own:
            text = f"{_differing(event)} {_phrase(case, event).lstrip()}, {_first(event)}"
            yield _varying(case, text, _difference_clauses(case, alike))


_WITHOUT_REASON = "; the runs that would have told why did not succeed"


def _ordinary(case: Case, event: RepeatEvent, reason: Reason | None) -> Finding:
    """Return what a difference between the ordinary runs breaks."""
    if reason == "varies":
        text = f"{_differing(event)} between runs with equal contents of memory, {_first(event)}"
        return _varying(case, text, (DETERMINISM,))
    count = event.different - event.unwritten
    depends = f"{_elements(count)} of {event.tensor} {'depends' if count == 1 else 'depend'} on"
    if reason == "phase-one":
        text = f"{depends} what the inputs held while phase one ran, {_first(event)}"
        return Finding((PHASE_ONE_DATA,), text, "repeat")
    if reason == "memory":
        text = f"{depends} what memory held before the call, {_first(event)}"
        return Finding((UNINITIALISED_MEMORY,), text, "repeat")
    return Finding((), f"{_differing(event)} between two runs{_WITHOUT_REASON}", "remark")


def _varying(case: Case, text: str, broken: tuple[str, ...]) -> Finding:
    """Return a finding about bits that vary; a remark where nobody promised that they do not.

    The outputs of later runs that differ are judged by value, too.
    """
    if DETERMINISM in case.clauses:
        return Finding(broken, text, "repeat")
    return Finding((), f"{text}; determinism is not promised here", "remark")


def _differing(event: RepeatEvent) -> str:
    count = event.different - event.unwritten
    return f"{_elements(count)} of {event.tensor} {'differs' if count == 1 else 'differ'}"


def _first(event: RepeatEvent) -> str:
    return f"first at index {event.first}"


def _elements(count: int) -> str:
    return "1 element" if count == 1 else f"{count} elements"


def _launch(event: RepeatEvent) -> Launch:
    return Launch(event.run, event.prepares)


def _phrase(case: Case, event: RepeatEvent) -> str:
    return phrase_of(case, event.run, prepares=event.prepares)


def _difference_clauses(case: Case, differing: Collection[Launch]) -> tuple[str, ...]:
    """Return what differences in exactly these launches break, given equal ordinary runs."""
    further = clauses_of_runs(case, [each.run for each in differing if not each.is_ordinary])
    # Where an ordinary launch differs among the further ones, it is no explanation.
    explained = not any(each.is_ordinary for each in differing)
    return (*further, DETERMINISM) if explained else (DETERMINISM, *further)
