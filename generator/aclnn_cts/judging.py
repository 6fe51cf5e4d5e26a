# SPDX-License-Identifier: Apache-2.0
"""Judging results folders and writing reports, for the command line and pytest."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import ExitCode
from aclnn_cts.files import write_text
from aclnn_cts.judge.judge_run import Judging, OnJudged, judge_operators, recorded_standard
from aclnn_cts.judge.rerun import Judged
from aclnn_cts.judge.standards import Standard
from aclnn_cts.report import junit, page, summary
from aclnn_cts.report.view import Run, run_of
from aclnn_cts.report.waivers import Acceptance, accepted_in, with_waivers
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
    reuse: bool = False,
    withdrawing: bool = False,
    named: Sequence[Path] = (),
) -> Report:
    """Judge a folder of results without writing a report.

    Args:
        standard: The standard that decides; the run's own if None.
        progress: Receives the numbers of judged and of all cases.
        waivers: A file of waivers, checked against the run's edition; None for none.
        enforce: Whether unenforced requirements cause exit status 1.
        reuse: Whether verdicts on equal records of earlier runs count.
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
        judging = Judging(suite, standard or recorded_standard(run), jobs, enforce, reuse)
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


def write_report(report: Report) -> tuple[Path, ...]:
    """Write all of :data:`REPORT_FILES` into the run's folder and return their paths.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    folder, document = report.run.path, report.document
    write_document(document, folder)
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
    reuse: bool = False,
    named: Sequence[Path] = (),
) -> Report:
    """Judge a folder of results, and write the report's files into it.

    An earlier judgement is withdrawn first, unless the arguments are wrong.

    Arguments and errors are those of :func:`make_report` and :func:`write_report`.
    """
    with reading(path):
        report = make_report(
            path,
            standard,
            jobs,
            progress,
            waivers,
            enforce=enforce,
            reuse=reuse,
            withdrawing=True,
            named=named,
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
