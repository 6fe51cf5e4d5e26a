# SPDX-License-Identifier: Apache-2.0
"""Judging results folders and writing reports, for the command line and pytest."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.files import write_text
from aclnn_cts.judge.compaction import Compaction
from aclnn_cts.judge.judge_run import Judging, OnJudged, judge_operators, recorded_standard
from aclnn_cts.judge.rerun import Judged
from aclnn_cts.judge.standards import Standard
from aclnn_cts.report import junit, page, summary
from aclnn_cts.report.view import Run, run_of
from aclnn_cts.report.waivers import Acceptance, apply_waivers, load_acceptance
from aclnn_cts.results.assembly import document_of
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import ResultsDocument, is_sealed, write_document
from aclnn_cts.run.folder import RunFolder, open_run, suite_of
from aclnn_cts.run.folder_lock import (
    JUNIT_FILE,
    PAGE_FILE,
    REPORT_FILES,
    RESULTS_FILE,
    SUMMARY_FILE,
    claim,
    reading,
    require_same,
    unless_mistyped,
    withdraw,
)
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.spec.waivers import load_waivers, require_waivers
from aclnn_cts.validation_messages import read_json


@dataclass(frozen=True)
class Report:
    """A judged run.

    Attributes:
        compaction: Makes its folder compact; None if it is to stay as it is.
    """

    run: RunFolder
    document: ResultsDocument
    compaction: Compaction | None = None

    @functools.cached_property
    def shown(self) -> Run:
        """The view of the run for summaries."""
        return run_of(self.document)

    @functools.cached_property
    def _cases(self) -> CaseFile:
        return CaseFile.of(self.document.cases)

    def case(self, name: str) -> CaseEntry:
        """Return the case of an id; raises LookupError if there is none."""
        match = self._cases.find(name)
        if match is None:
            raise LookupError(name)
        return match[1]

    @property
    def exit_code(self) -> ExitCode:
        return self.document.exit_code


@dataclass(frozen=True)
class JudgingRequest:
    """How the run in a results folder is to be judged.

    Attributes:
        standard: The standard that decides; the run's own if None.
        jobs: Number of processes.
        waivers: A file of waivers, checked against the run's edition; None for none.
        enforce: Whether unenforced requirements cause exit status 1.
        reuse: Whether verdicts on equal records of earlier runs count.
        compacting: Whether the record is new, and the folder is to become compact.
        folders: The operator folders that the user names.
    """

    standard: Standard | None = None
    jobs: int = 1
    waivers: Path | None = None
    enforce: bool = False
    reuse: bool = False
    compacting: bool = False
    folders: Sequence[Path] = ()


_USUAL = JudgingRequest()


def make_report(
    path: Path,
    request: JudgingRequest = _USUAL,
    progress: OnJudged | None = None,
    *,
    withdrawing: bool = False,
) -> Report:
    """Judge a folder of results without writing a report.

    Args:
        progress: Receives the numbers of judged and of all cases.
        withdrawing: Whether to withdraw an earlier judgement in the folder as soon as the request
            is valid. Missing or changed operator folders spare it.

    Raises:
        WrongInputError: The path is not a results folder, or the waivers are invalid.
        NotTrustworthyError: The run is empty, incomplete, damaged, being written, or was made with
            another version of the suite.
    """
    if withdrawing:
        require_waivers(request.waivers)
    suite = suite_of(path, request.folders)
    guard = unless_mistyped(functools.partial(withdraw, path)) if withdrawing else nullcontext()
    with guard:
        # check everything before the judgement, which takes minutes
        run = open_run(path, suite)
        standard = request.standard or recorded_standard(run)
        judging = Judging(suite, standard, request.jobs, request.enforce, request.reuse)
        accepted = load_acceptance(request.waivers, load_specs(suite, run.edition))
    return report_on(run, judging, progress, accepted=accepted, compacting=request.compacting)


def report_on(
    run: RunFolder,
    judging: Judging,
    progress: OnJudged | None = None,
    judged: Judged | None = None,
    accepted: Acceptance | None = None,
    *,
    compacting: bool = False,
) -> Report:
    """Return the report on a complete run.

    Args:
        judging: As for :func:`judge_operators`.
        progress: As for :func:`judge_operators`.
        judged: As for :func:`judge_operators`.
        accepted: The waivers; None for none.
        compacting: Whether the folder is to become compact; that of a shard stays as it is,
            because all shards are judged as one.
    """
    operators = judge_operators(run, judging, progress, judged)
    compaction = None
    if compacting and not (run.config.keep_outputs or run.config.shard):
        compaction = Compaction(run, judging)
        operators = compaction.watch(operators)
    document = document_of(load_specs(judging.suite, run.edition), run, operators, judging)
    return Report(run, apply_waivers(document, accepted), compaction)


def write_report(report: Report) -> tuple[Path, ...]:
    """Write all of :data:`REPORT_FILES` into the run's folder and return their paths.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    folder, document = report.run.path, report.document
    write_document(document, folder)
    junit.write_junit(report.shown, folder / JUNIT_FILE)
    page.write_page([report.shown], folder / PAGE_FILE)
    write_text(folder / SUMMARY_FILE, summary.render_summary(report.shown))
    return tuple(folder / name for name in REPORT_FILES)


def judge_folder(
    path: Path, request: JudgingRequest = _USUAL, progress: OnJudged | None = None
) -> Report:
    """Judge a folder of results, and write the report's files into it.

    An earlier judgement is withdrawn first, unless the request is wrong.

    Arguments and errors are those of :func:`make_report` and :func:`write_report`.
    """
    with reading(path):
        report = make_report(path, request, progress, withdrawing=True)
        write_report(report)
    _compact(report)
    return report


def other_judgement(path: Path, request: JudgingRequest) -> str:
    """Return how the results in a folder were judged, if not as requested; else "".

    Raises:
        WrongInputError: The path is not a results folder, or the waivers are invalid.
        NotTrustworthyError: The run is damaged.
    """
    suite = suite_of(path, request.folders)
    run = open_run(path, suite)
    try:
        content = (path / RESULTS_FILE).read_bytes()
        results = read_json(content)
        recorded_waivers = [waiver["sha256"] for waiver in results["waivers"]]
        standard, nonce = results["standard"], results["nonce"]
        enforce = results.get("enforce", False)
    except (OSError, ValueError, KeyError, TypeError):
        return ""  # nothing can be lost
    if nonce != run.nonce or not is_sealed(content):
        return ""
    if standard != (request.standard or recorded_standard(run)):
        return f"by the standard {standard}"
    if enforce != request.enforce:
        return "with --enforce" if enforce else "without --enforce"
    waivers: list[str] = []
    if request.waivers is not None:
        accepted = load_waivers(request.waivers, load_specs(suite, run.edition))
        waivers = [waiver.sha256 for waiver in accepted.waivers]
    if sorted(recorded_waivers) == sorted(waivers):
        return ""
    others = "with other waivers" if waivers else "with waivers"
    return others if recorded_waivers else "without waivers"


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
        report = report_on(run, judging, None, judged, accepted, compacting=True)
        write_report(report)
    _compact(report)
    return report


def _compact(report: Report) -> None:
    """Make the folder of a written report compact, unless somebody reads it; raises as publish."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(claim(report.run.path))
        except NotTrustworthyError:
            return
        require_same(report.run.path, report.run.nonce)
        if report.compaction is not None:
            report.compaction.finish()
