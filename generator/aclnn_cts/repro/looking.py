# SPDX-License-Identifier: Apache-2.0
"""Each case of a run by itself: its verdict, and the one circumstance that it takes to show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.judge.case_judge import judge_case
from aclnn_cts.judge.case_records import Evidence, pair
from aclnn_cts.judge.execution_variants import FIRST_REPEATED, ORDINARY_RUNS, circumstance_of
from aclnn_cts.judge.judge_run import output_reader, reference_of
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import Case, Circumstance
from aclnn_cts.run.events import CaseEvent, CaseRecord, RepeatEvent, read_events
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.spec.loading import SpecSet


@dataclass(frozen=True)
class Seen:
    """What one case showed.

    Attributes:
        case: The case, made again under one circumstance at most: the one that shows the failure.
        verdict: The verdict on it, by itself.
    """

    case: Case
    verdict: CaseVerdict


def look(
    run: RunFolder, specs: SpecSet, standard: Standard, cases: Sequence[Case]
) -> dict[str, Seen]:
    """Judge some cases of a run, each by itself; return what each showed, by the case's id.

    Args:
        run: The run.
        specs: All specs, in the run's edition.
        standard: The standard that decides.
        cases: Cases of the run.
    """
    found = pair(run.cases, _first_programs(run), run.nonce).found
    return {case.id: _see(run, specs, standard, case, found[case.id]) for case in cases}


def _first_programs(run: RunFolder) -> list[ProgramRun]:
    """Return the processes in which the cases ran first, without what was run again."""
    return [each for each in run.programs if each.purpose == "batch"]


def _see(
    run: RunFolder, specs: SpecSet, standard: Standard, case: Case, found: Evidence | CaseVerdict
) -> Seen:
    if isinstance(found, CaseVerdict):
        return Seen(_as_it_ended(run, case), found)
    reference = reference_of(specs, case, run.store, run.references.get(case.id)).kept()
    reader = output_reader(found.outputs)
    for each, record in _narrowed(case, found.record):
        verdict = judge_case(specs, each, reference, record, reader, standard)
        if verdict.verdict.breaks_promise:
            return Seen(each, verdict)
    verdict = judge_case(specs, case, reference, found.record, reader, standard)
    # What all circumstances keep, the first of them shows as well as any.
    return Seen(replace(case, again=case.again[:1]), verdict)


def _narrowed(case: Case, record: CaseRecord) -> Iterator[tuple[Case, CaseRecord]]:
    """Yield the case as if it were made under no circumstance, and then under each one alone."""
    yield replace(case, again=()), _part(record, ())
    for number, circumstance in enumerate(case.again):
        yield replace(case, again=(circumstance,)), _part(record, (ORDINARY_RUNS + number,))


def _part(record: CaseRecord, further: Sequence[int]) -> CaseRecord:
    """Return the record without the further runs but one, which becomes the first of them."""
    kept = [
        event.model_copy(update={"run": ORDINARY_RUNS}) if _run_of(event) in further else event
        for event in record.events
        if _run_of(event) < ORDINARY_RUNS
        or _run_of(event) >= FIRST_REPEATED
        or _run_of(event) in further
    ]
    return replace(record, events=kept)


def _run_of(event: CaseEvent) -> int:
    return int(event.run)


def _as_it_ended(run: RunFolder, case: Case) -> Case:
    """Return a case that has no whole record, with the circumstance in which it ended."""
    circumstance = _last_circumstance(run, case)
    return replace(case, again=() if circumstance is None else (circumstance,))


def _last_circumstance(run: RunFolder, case: Case) -> Circumstance | None:
    records: list[Mapping[str, CaseRecord]] = [
        read_events(program.events).cases for program in _first_programs(run)
    ]
    events = [event for cases in records if case.id in cases for event in cases[case.id].events]
    last = _run_of(events[-1]) if events else 0
    whole = any(isinstance(e, RepeatEvent) and _run_of(e) == last for e in events)
    after = ORDINARY_RUNS if last >= FIRST_REPEATED else last + 1
    return circumstance_of(case, after if whole and last > 0 else last)
