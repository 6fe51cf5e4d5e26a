# SPDX-License-Identifier: Apache-2.0
"""Judging results folders and writing reports, for the command line and pytest."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from aclnn_cts.emit.data_files import recipe_digest
from aclnn_cts.errors import ExitCode
from aclnn_cts.files import write_text
from aclnn_cts.golden.inputs import settled
from aclnn_cts.judge.judge_run import (
    JudgedOperator,
    Judging,
    OnJudged,
    judge_operators,
    recorded_standard,
)
from aclnn_cts.judge.rerun import Judged
from aclnn_cts.judge.standards import Standard, merge_contests
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.report import junit, page, results, summary
from aclnn_cts.report.cases import CaseEntry, CaseFile, ResolvingEntry
from aclnn_cts.report.clause_verdicts import document_gaps, judge_clauses, silences
from aclnn_cts.report.common_cause import attribute
from aclnn_cts.report.failure_message import failure_message
from aclnn_cts.report.features import facts_of, status_fact
from aclnn_cts.report.formatting import Ran
from aclnn_cts.report.results import (
    FORMAT,
    ContradictionEntry,
    ResultsDocument,
    SuiteEntry,
    is_sealed,
    totals,
)
from aclnn_cts.report.view import Run, ran_of, run_of
from aclnn_cts.report.waivers import Acceptance, accepted_in, with_waivers
from aclnn_cts.run.folder import RunFolder, open_run, suite_of
from aclnn_cts.run.folder_lock import (
    JUNIT_FILE,
    PAGE_FILE,
    REPORT_FILES,
    RESULTS_FILE,
    SUMMARY_FILE,
    reading,
    require_same,
    unless_mistyped,
    withdraw,
)
from aclnn_cts.run.planned_cases import PlannedCase
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.waivers import load_waivers, require_waivers
from aclnn_cts.validation_messages import read_json


@dataclass(frozen=True)
class Report:
    """A judged run."""

    run: RunFolder
    document: ResultsDocument

    @functools.cached_property
    def shown(self) -> Run:
        """The view of the run for summaries."""
        return run_of(self.document)

    @functools.cached_property
    def _cases(self) -> CaseFile:
        return CaseFile.of(self.document.cases)

    def case(self, name: str) -> CaseEntry:
        """Return the case of an id; raises LookupError if there is none."""
        found = self._cases.find(name)
        if found is None:
            raise LookupError(name)
        return found[1]

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of a command with this report."""
        return self.document.exit_code


def make_report(  # noqa: PLR0913 - the options of the command `judge`
    path: Path,
    standard: Standard | None = None,
    jobs: int = 1,
    progress: OnJudged | None = None,
    waivers: Path | None = None,
    *,
    enforce: bool = False,
    withdrawing: bool = False,
    named: Sequence[Path] = (),
) -> Report:
    """Judge a folder of results without writing a report.

    Args:
        standard: The standard that decides; the run's own if None.
        progress: Receives the numbers of judged and of all cases.
        waivers: A file of waivers, checked against the run's edition; None for none.
        enforce: Whether unenforced requirements cause exit status 1.
        withdrawing: Whether to withdraw an earlier judgement in the folder as soon as the arguments
            are valid. Missing or changed operator folders spare it.
        named: The operator folders that the user names.

    Raises:
        WrongInputError: The path is not a results folder, or the waivers are invalid.
        NotTrustworthyError: The run is empty, incomplete, damaged, being written, or was made with
            another version of the suite.
    """
    if withdrawing:
        require_waivers(waivers)
    suite = suite_of(path, named)
    guard = unless_mistyped(functools.partial(withdraw, path)) if withdrawing else nullcontext()
    with guard:
        # check everything before the judgement, which takes minutes
        run = open_run(path, suite)
        judging = Judging(suite, standard or recorded_standard(run), jobs, enforce)
        accepted = accepted_in(waivers, load_specs(suite, run.edition))
    return report_on(run, judging, progress, accepted=accepted)


def report_on(
    run: RunFolder,
    judging: Judging,
    progress: OnJudged | None = None,
    judged: Judged | None = None,
    accepted: Acceptance | None = None,
) -> Report:
    """Return the report on a complete run.

    Args:
        judging: As for :func:`judge_operators`.
        progress: As for :func:`judge_operators`.
        judged: As for :func:`judge_operators`.
        accepted: The waivers; None for none.
    """
    found = judge_operators(run, judging, progress, judged)
    document = document_of(load_specs(judging.suite, run.edition), run, found, judging)
    return Report(run, with_waivers(document, accepted))


def document_of(
    specs: SpecSet, run: RunFolder, found: Iterable[JudgedOperator], judging: Judging
) -> ResultsDocument:
    """Return the results without waivers; cases that did not pass have failure messages.

    Args:
        specs: All specs, in the run's edition.
        found: Its operators, consumed one at a time to save memory.
    """
    operators = run.cases.operators
    files = {name: specs.file_of(name) for name in operators}
    document = ResultsDocument(
        format=FORMAT,
        suite=SuiteEntry(
            version=run.suite_version,
            specs_sha256=run.specs_sha256,
            folders=run.folders,
            files={name: file for name, file in files.items() if file != f"specs/{name}.yaml"},
        ),
        device=run.device,
        environment=run.environment,
        started=run.started,
        tier=run.tier,
        standard=judging.standard,
        edition=run.edition,
        totals={},
        problems=(),
        cases=(),
        clauses=(),
        rounding=(),
        contradictions=(),
        not_promised=silences(specs, operators),
        document_gaps=(),
        waivers=(),
        nonce=run.nonce,
        timings=run.config.timings,
        all_operators=all(
            name in operators
            for name, spec in specs.operators.items()
            if spec.role == "tested" and spec.mentions(run.device.product)
        ),
        cann=run.config.cann,
        calls=run.config.calls,
        sanitize=run.config.sanitize,
        enforce=judging.enforce,
        contract_only=tuple(name for name in operators if specs.operator(name).is_contract),
    )
    parts: dict[str, tuple[Any, ...]] = {}
    outcomes = Counter[str]()

    def entries() -> Iterator[CaseEntry]:
        for each in found:
            planned = run.cases.of(each.operator)
            judged = [(planned[verdict.case].case, verdict) for verdict in each.verdicts]
            explained = replace(each, verdicts=attribute(judged, specs))
            for name, part in _parts(specs, explained).items():
                parts[name] = (*parts.get(name, ()), *part)
            for entry in _entries(specs, planned, explained, ran_of(document)):
                outcomes[entry.outcome] += 1
                yield entry

    cases = CaseFile.collect(entries())
    counts = totals(outcomes.elements())
    return document.model_copy(update={**parts, "cases": cases, "totals": counts})


def _parts(specs: SpecSet, found: JudgedOperator) -> dict[str, tuple[Any, ...]]:
    """Return an operator's parts of the results, apart from its cases."""
    return {
        "problems": found.problems,
        "clauses": judge_clauses(specs, found.operator, found.verdicts),
        "rounding": found.rounding,
        "contradictions": tuple(
            ContradictionEntry(
                operator=found.operator,
                clauses=(contest.first, contest.second),
                elements=contest.elements,
                follow=(contest.follow_first, contest.follow_second),
                reading=contest.reading,
                others=dict(contest.others),
            )
            for contest in merge_contests(c for verdict in found.verdicts for c in verdict.contests)
        ),
        "document_gaps": document_gaps(specs.operator(found.operator), found.verdicts),
    }


def _entries(
    specs: SpecSet, planned: Mapping[str, PlannedCase], found: JudgedOperator, ran: Ran
) -> Iterator[CaseEntry]:
    """Yield the entry of each case of an operator."""
    texts = specs.clause_texts(found.operator)
    passing = [Verdict.PASS, Verdict.CONTESTED_ONLY]
    passing += [] if ran.enforce else [Verdict.UNENFORCED]
    for verdict in found.verdicts:
        case, story = _as_run(specs, planned[verdict.case]), ""
        if verdict.verdict not in passing and not verdict.refused_twin:
            story = failure_message(case, verdict, texts, ran)
        yield _entry(specs.operator(case.operator), case, verdict, story)


def _as_run(specs: SpecSet, planned: PlannedCase) -> Case:
    """Return a case with the data that it had, which may be of another kind than planned."""
    case, data = planned.case, planned.data
    if data is None or data.path is None or not case.expects_success:
        return case
    as_planned = data.is_made_by(recipe_digest(specs.operator(case.operator), case))
    return case if as_planned else settled(specs, case).case


def _entry(spec: OperatorSpec, case: Case, verdict: CaseVerdict, story: str) -> CaseEntry:
    power = verdict.resolution
    found = {name: getattr(verdict, name) for name in CaseEntry.model_fields.keys() & _OF_VERDICT}
    return CaseEntry(
        **{
            **found,
            "id": case.id,
            "scene": case.scene,
            "dtype": case.tensors[0].dtype,
            "basis": case.basis,
            "kinds": tuple(sorted(verdict.kinds)),
            "resolving": None if power is None else ResolvingEntry(**power.as_json()),
            "story": story,
            "waiver": None,
            "facts": (*facts_of(spec, case), *status_fact(case, verdict.status)),
        }
    )


_OF_VERDICT = {field.name for field in fields(CaseVerdict)}


def write_report(report: Report) -> tuple[Path, ...]:
    """Write all of :data:`REPORT_FILES` into the run's folder and return their paths.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    folder, document = report.run.path, report.document
    results.write_document(document, folder)
    junit.write_junit(report.shown, folder / JUNIT_FILE)
    page.write_page([document], folder / PAGE_FILE)
    write_text(folder / SUMMARY_FILE, summary.render_summary(report.shown))
    return tuple(folder / name for name in REPORT_FILES)


def judge_folder(  # noqa: PLR0913 - as for make_report
    path: Path,
    standard: Standard | None = None,
    jobs: int = 1,
    progress: OnJudged | None = None,
    waivers: Path | None = None,
    *,
    enforce: bool = False,
    named: Sequence[Path] = (),
) -> Report:
    """Judge a folder of results, and write the report's files into it.

    An earlier judgement is withdrawn first, unless the arguments are wrong.

    Arguments and errors are those of :func:`make_report` and :func:`write_report`.
    """
    with reading(path):
        report = make_report(
            path, standard, jobs, progress, waivers, enforce=enforce, withdrawing=True, named=named
        )
        write_report(report)
    return report


def judged_otherwise(
    path: Path,
    standard: Standard | None = None,
    waivers: Path | None = None,
    *,
    enforce: bool = False,
    named: Sequence[Path] = (),
) -> str:
    """Return how the results in a folder were judged, if not as requested; else "".

    Args:
        standard: The requested standard; None for the run's own.
        waivers: The requested file of waivers; None for none.
        enforce: Whether enforced requirements are requested.
        named: The operator folders that the user names.

    Raises:
        WrongInputError: The path is not a results folder, or the waivers are invalid.
        NotTrustworthyError: The run is damaged.
    """
    suite = suite_of(path, named)
    run = open_run(path, suite)
    try:
        content = (path / RESULTS_FILE).read_bytes()
        there = read_json(content)
        told = [each["sha256"] for each in there["waivers"]]
        judged_by, nonce = there["standard"], there["nonce"]
        enforced = there.get("enforce", False)
    except (OSError, ValueError, KeyError, TypeError):
        return ""  # nothing can be lost
    if nonce != run.nonce or not is_sealed(content):
        return ""
    if judged_by != (standard or recorded_standard(run)):
        return f"by the standard {judged_by}"
    if enforced != enforce:
        return "with --enforce" if enforced else "without --enforce"
    asked: list[str] = []
    if waivers is not None:
        accepted = load_waivers(waivers, load_specs(suite, run.edition))
        asked = [each.sha256 for each in accepted.waivers]
    if sorted(told) == sorted(asked):
        return ""
    return "with other waivers" if asked and told else "with waivers" if told else "without waivers"


def publish(
    run: RunFolder, judging: Judging, judged: Judged | None, accepted: Acceptance | None = None
) -> Report:
    """Write the report's files about a run that this process made and judged.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: Another run was made in the folder meanwhile, or the disk is full.
    """
    with reading(run.path):
        require_same(run.path, run.nonce)
        report = report_on(run, judging, judged=judged, accepted=accepted)
        write_report(report)
    return report
