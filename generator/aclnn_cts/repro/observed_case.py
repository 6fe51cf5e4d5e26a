# SPDX-License-Identifier: Apache-2.0
"""The result of one case on a device, from a recorded run or a trial run.

Of a case's execution variants, the first one that shows the failure is kept.
"""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from typing_extensions import Self

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.judge.call_checks import FIRST_REPEATED, ORDINARY_RUNS, variant_of
from aclnn_cts.judge.judge_run import recorded_standard, reference_of, restore_data
from aclnn_cts.judge.records import Evidence, Unrecorded, pair
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Reference, judge_case, without_record
from aclnn_cts.plan.cases import Case
from aclnn_cts.results.document import read_results
from aclnn_cts.run.campaign import Progress, Request, Silent, run_campaign
from aclnn_cts.run.events import CaseRecord, RepeatEvent, read_events
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder import Device, RunFolder, open_run
from aclnn_cts.run.folder_lock import RESULTS_FILE
from aclnn_cts.run.planned_cases import PlannedCase
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.run_config import RunConfig, case_seconds_of
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

Observation = tuple[Case, CaseVerdict]
"""A case with at most one execution variant, the one that shows the failure, and its verdict."""


@dataclass(frozen=True)
class TrialBench:
    """A device, and everything needed to run cases on it.

    Attributes:
        specs: All specs, in the edition of the case.
        tier: The tier of the cases.
        cann: A real toolkit's folder; None for the simulated device.
        change: The fault or variant of the simulated device; None for the unharmed one.
        calls: The call list that the cases are from; empty for those of the tier.
    """

    suite: Suite
    specs: SpecSet
    product: str
    tier: str
    standard: Standard
    cann: Path | None = None
    change: Change | None = None
    number: int = 0
    calls: str = ""

    def run(
        self, cases: Sequence[Case], progress: Progress | None = None
    ) -> tuple[Device, dict[str, Observation]]:
        """Run cases in one process until it dies; return the results by id.

        Raises:
            NotTrustworthyError: A build fails or a program does not start.
            WrongInputError: It is not a toolkit.
        """
        with tempfile.TemporaryDirectory(prefix="aclnn-cts-repro-") as folder:
            request = Request(
                product=self.product,
                tier=self.tier,
                standard=self.standard,
                cases=tuple(cases),
                results=Path(folder) / "results",
                config=RunConfig(
                    cann=str(self.cann or ""),
                    devices=(self.number,),
                    case_seconds=case_seconds_of(
                        faulty=self.change is not None and self.change.kind == "fault"
                    ),
                    calls=self.calls,
                ),
                change=self.change,
            )
            try:
                run = run_campaign(self.suite, self.specs, request, progress or Silent())
            except KeyboardInterrupt:
                # the folder is temporary, so the campaign's advice to resume does not apply
                raise KeyboardInterrupt from None
            return run.device, _judge_alone(run, self.specs, self.standard, cases)

    def observe(self, planned: Case, progress: Progress) -> ObservedCase:
        """Run one case; raises as :meth:`run`."""
        device, observations = self.run([planned], progress)
        return ObservedCase.of(planned, observations[planned.id], device, self)


@dataclass(frozen=True)
class ObservedCase:
    """The result of a case on a device.

    Attributes:
        case: The case, with at most one execution variant.
        verdict: The verdict on it by itself.
        together: Message on what only its whole run shows; may be empty.
        blamed: The broken clauses, most specific first, possibly from the whole run.
        message: The finding, as a message.
        after: Ids of preceding cases without which it broke no promise, if any.
        only_in: The features to which wrong values are limited in its whole run.
    """

    case: Case
    planned: Case
    verdict: CaseVerdict
    device: Device
    bench: TrialBench
    together: str = ""
    blamed: tuple[str, ...] = ()
    message: str = ""
    after: tuple[str, ...] = ()
    only_in: tuple[Common, ...] = ()

    @classmethod
    def of(cls, planned: Case, result: Observation, device: Device, bench: TrialBench) -> Self:
        """Return the result of a case by itself."""
        case, verdict = result
        blamed, message = verdict.broken, verdict.message
        return cls(case, planned, verdict, device, bench, blamed=blamed, message=message)


def from_results(suite: Suite, folder: Path, case_id: str) -> ObservedCase:
    """Return the result of one case of an earlier run.

    The bench of a simulated device is always the unharmed one.

    Raises:
        WrongInputError: The path is not a results folder, or holds no such case.
        NotTrustworthyError: The run is incomplete, damaged, or of another version of the suite.
    """
    run = open_run(folder, suite)
    specs = load_specs(suite, run.edition)
    planned = run.cases.find(case_id)
    if planned is None:
        raise _unknown_case(run, specs, case_id)
    bench = TrialBench(
        suite=suite,
        specs=specs,
        product=planned.case.product,
        tier=run.tier,
        standard=recorded_standard(run),
        cann=Path(run.config.cann) if run.config.cann else None,
        number=_number_of(run, planned.case),
        calls=run.config.calls,
    )
    observation = _judge_alone(run, specs, bench.standard, [planned.case])[case_id]
    observed = ObservedCase.of(planned.case, observation, run.device, bench)
    if not (folder / RESULTS_FILE).is_file():
        return observed
    for entry in read_results(folder).cases:
        if entry.id == case_id and entry.verdict.breaks_promise:
            return replace(
                observed,
                together="" if observed.verdict.verdict.breaks_promise else entry.message,
                blamed=entry.broken,
                message=entry.message,
                after=entry.after,
                only_in=entry.only_in,
            )
    return observed


def _number_of(run: RunFolder, case: Case) -> int:
    """Return the number of a case's device; the run's first one if unknown."""
    for program in run.programs:
        is_known = program.purpose == "batch" and program.device >= 0
        if is_known and case.id in (*program.progress.ended, program.cut):
            return program.device
    return run.config.devices[0]


def _unknown_case(run: RunFolder, specs: SpecSet, case_id: str) -> WrongInputError:
    """Return the error for a case that is not in a run; suggest only cases of its operator."""
    operators = sorted(run.cases.operators)
    operator, dot, _ = case_id.partition(".")
    tested = [spec.operator for spec in specs.tested_operators]
    nearest = difflib.get_close_matches(f"aclnn{operator}", tested, n=1) if dot else []
    if not nearest or nearest[0] in operators:
        case_ids = [name for o in nearest or operators for name in run.cases.of(o)]
        return unknown_name(f"case of the run in {run.path}", case_id, case_ids, "its results.json")
    return WrongInputError(
        f"the run in {run.path} holds no case of {nearest[0]}; its cases are of "
        f"{', '.join(operators)}: name one of them, or another folder with --results"
    )


def _judge_alone(
    run: RunFolder, specs: SpecSet, standard: Standard, cases: Sequence[Case]
) -> dict[str, Observation]:
    """Judge some cases of a run, each by itself; return the results by id."""
    operators = {case.operator for case in cases}
    planned: dict[str, PlannedCase] = {}
    for operator in operators:
        planned |= run.cases.of(operator)
    first = [p for p in run.programs if p.purpose == "batch" and p.operator in operators]
    records = pair([each.case for each in planned.values()], first, run.nonce).found
    restore_data(specs, run.store, [planned[case.id] for case in cases])
    observations = {}
    for case in cases:
        evidence = records[case.id]
        if isinstance(evidence, Unrecorded):
            observations[case.id] = _with_end(first, case), without_record(case, evidence)
        else:
            reference = reference_of(specs, case, run.store, planned[case.id].data).cached()
            observations[case.id] = _judge_variants(specs, standard, case, evidence, reference)
    return observations


def _judge_variants(
    specs: SpecSet, standard: Standard, case: Case, evidence: Evidence, reference: Reference
) -> Observation:
    """Judge a case without execution variants, then with each alone, and last with all."""
    for number in (None, *range(len(case.again))):
        variant = () if number is None else (number + ORDINARY_RUNS,)
        single = replace(case, again=() if number is None else (case.again[number],))
        part = replace(evidence, record=_without_other_runs(evidence.record, variant))
        verdict = judge_case(specs, single, reference, part, standard)
        if verdict.verdict.breaks_promise:
            return single, verdict
    # a failure with all variants only is shown by the first one as well as by any
    verdict = judge_case(specs, case, reference, evidence, standard)
    return replace(case, again=case.again[:1]), verdict


def _without_other_runs(record: CaseRecord, further: Sequence[int]) -> CaseRecord:
    """Return the record with only one further run, renumbered as the first one."""
    events = []
    for event in record.events:
        run = event.run
        if run in further:
            events.append(event.model_copy(update={"run": ORDINARY_RUNS}))
        elif run < ORDINARY_RUNS or run >= FIRST_REPEATED:
            events.append(event)
    return replace(record, events=events)


def _with_end(first: Sequence[ProgramRun], case: Case) -> Case:
    """Return an incomplete case, with the variant in which its process ended."""
    records = [read_events(program.events).cases for program in first]
    events = [event for cases in records if case.id in cases for event in cases[case.id].events]
    last = events[-1].run if events else 0
    is_whole = any(isinstance(e, RepeatEvent) and e.run == last for e in events)
    after = ORDINARY_RUNS if last >= FIRST_REPEATED else last + 1
    variant = variant_of(case, after if is_whole and last > 0 else last)
    return replace(case, again=() if variant is None else (variant,))
