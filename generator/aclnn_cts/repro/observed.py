# SPDX-License-Identifier: Apache-2.0
"""What is known about a case before a program is written of it: from a run, or by trying it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.judge.judge_run import recorded_standard
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Common
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.document import CaseEntry
from aclnn_cts.report.results import FILE_NAME, read_results
from aclnn_cts.repro.looking import look
from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.run.campaign import Progress
from aclnn_cts.run.folder import Device, RunFolder, open_run
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class ObservedCase:
    """What a case did on a device.

    Attributes:
        case: The case, made again under one circumstance at most.
        planned: The case as it was planned.
        verdict: The verdict on it by itself.
        device: The device.
        standard: The standard that decided.
        tier: A tier that holds the case.
        edition: The edition of the documents.
        together: What was found only by a look at its whole run; empty if there is no such thing.
        blamed: The clauses that are broken, most specific first: a look at a whole run may find a
            better explanation than one case by itself.
        only_in: In what alone the operator's values are wrong, as a look at the whole run found.
        message: What was found, in a sentence.
        cann: The toolkit's folder, if it was a real device.
        after: Ids of the cases without which it broke no promise, if there are such.
        number: The number of the device; the first one's, if the run had several.
    """

    case: Case
    planned: Case
    verdict: CaseVerdict
    device: Device
    standard: Standard
    tier: str
    edition: str
    together: str = ""
    blamed: tuple[str, ...] = ()
    message: str = ""
    cann: Path | None = None
    after: tuple[str, ...] = ()
    number: int = 0
    only_in: tuple[Common, ...] = ()


def from_results(suite: Suite, folder: Path, case_id: str) -> ObservedCase:
    """Return what an earlier run says about one of its cases.

    Raises:
        WrongInputError: The path is no results folder, or holds no such case.
        NotTrustworthyError: The run is incomplete, damaged, or of another version of the suite.
    """
    run = open_run(folder, suite)
    cases = {case.id: case for case in run.cases}
    if case_id not in cases:
        raise _unknown_case(run, load_specs(suite, run.edition), case_id)
    case = cases[case_id]
    standard = recorded_standard(run)
    seen = look(run, load_specs(suite, run.edition), standard, [case])[case_id]
    told = _told(folder, case_id)
    return ObservedCase(
        case=seen.case,
        planned=case,
        verdict=seen.verdict,
        device=run.device,
        standard=standard,
        tier=run.tier,
        edition=run.edition,
        together="" if told is None or seen.verdict.verdict.breaks_promise else told.message,
        blamed=seen.verdict.broken if told is None else told.broken,
        message=seen.verdict.message if told is None else told.message,
        cann=Path(run.asked.cann) if run.asked.cann else None,
        after=() if told is None else told.after,
        number=run.asked.devices[0],
        only_in=() if told is None else told.only_in,
    )


def _unknown_case(run: RunFolder, specs: SpecSet, case_id: str) -> WrongInputError:
    """Return the error for a case that a run does not hold; the nearest of its operator is right.

    Ids of other operators' cases may be alike, but their calls have nothing in common.
    """
    held = sorted({case.operator for case in run.cases})
    named = "aclnn" + case_id.split(".", 1)[0]
    meant = difflib.get_close_matches(named, [spec.operator for spec in specs.tested], n=1)
    if not meant or meant[0] in held:
        known = [case.id for case in run.cases if not meant or case.operator == meant[0]]
        return unknown_name(f"case of the run in {run.path}", case_id, known, "its results.json")
    return WrongInputError(
        f"the run in {run.path} holds no case of {meant[0]}; its cases are of {', '.join(held)}: "
        "name one of them, or another folder with --results"
    )


def _told(folder: Path, case_id: str) -> CaseEntry | None:
    """Return what the run's judgement says against a case; None if it says nothing."""
    if not (folder / FILE_NAME).is_file():
        return None
    return next(
        (
            entry
            for entry in read_results(folder).cases
            if entry.id == case_id and entry.verdict.breaks_promise
        ),
        None,
    )


def from_trial(bench: TrialBench, case: Case, progress: Progress) -> ObservedCase:
    """Return what a case does on a device; raises as :meth:`TrialBench.run`."""
    trial = bench.run([case], progress)
    seen = trial.seen[case.id]
    return ObservedCase(
        case=seen.case,
        planned=case,
        verdict=seen.verdict,
        device=trial.device,
        standard=bench.standard,
        tier=bench.tier,
        edition=bench.specs.edition,
        blamed=seen.verdict.broken,
        message=seen.verdict.message,
        cann=bench.cann,
        number=bench.number,
    )
