# SPDX-License-Identifier: Apache-2.0
"""From a folder of results to a report, for the command line and for pytest alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain
from aclnn_cts.judge.clauses import clause_texts
from aclnn_cts.judge.session import Progress, judge_run
from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, Standard
from aclnn_cts.judge.story import tell_story
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.command_line import Ran
from aclnn_cts.report.clauses import judge_clauses
from aclnn_cts.report.gaps import answered_gaps, silences
from aclnn_cts.report.junit import write_junit
from aclnn_cts.report.model import Report
from aclnn_cts.report.results import write_results
from aclnn_cts.run.claim import RUN_FILE, is_run_file, reading
from aclnn_cts.run.folder import RunFolder, open_run
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

REPORT_FILES = ("results.json", "junit.xml")
"""What a judgement leaves in the folder."""


def make_report(
    path: Path,
    standard: Standard | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Judge a folder of results, and write nothing.

    Args:
        path: The folder.
        standard: The standard that decides; the run's own if None.
        jobs: Processes to use.
        progress: Is told how many cases are judged, and of how many.

    Raises:
        WrongInputError: The path is no results folder.
        NotTrustworthyError: The run is empty, incomplete, damaged, being written, or was made with
            another version of the suite.
    """
    suite = find_suite()
    run = open_run(path, suite)
    gate = standard or _own_standard(run)
    judged = judge_run(run, suite, gate, jobs, progress)
    specs = load_specs(suite, run.edition)
    operators = dict.fromkeys(case.operator for case in run.cases)
    return Report(
        run=run,
        standard=gate,
        verdicts=judged.verdicts,
        stories=_stories(specs, run, judged.verdicts, gate),
        clauses=judge_clauses(specs, judged.verdicts, operators),
        problems=judged.problems,
        silences=silences(specs, operators),
        gaps=answered_gaps(specs, operators, judged.verdicts),
        rounding=judged.rounding,
    )


def _own_standard(run: RunFolder) -> Standard:
    for standard in STANDARDS:
        if standard == run.standard:
            return standard
    raise NotTrustworthyError(
        f"{run.path / RUN_FILE}: is damaged (no standard is named {run.standard!r}); "
        "run `aclnn-cts run` again"
    )


def write_report(report: Report) -> tuple[Path, Path]:
    """Write results.json and junit.xml into the run's folder and return their paths.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    folder = report.run.path
    return write_results(report, folder), write_junit(report, folder)


def judge_folder(
    path: Path,
    standard: Standard | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Judge a folder of results, and write results.json and junit.xml into it.

    Arguments and errors are those of :func:`make_report` and :func:`write_report`.
    """
    with reading(path):
        _withdraw(path)
        report = make_report(path, standard, jobs, progress)
        write_report(report)
    return report


def _withdraw(path: Path) -> None:
    """Remove an earlier judgement: if this one is refused, the old one must not stand for it."""
    if not is_run_file(path / RUN_FILE):
        return
    try:
        for name in REPORT_FILES:
            (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise explain(error, path) from None


def _stories(
    specs: SpecSet, run: RunFolder, verdicts: Sequence[CaseVerdict], standard: Standard
) -> dict[str, str]:
    cases = {case.id: case for case in run.cases}
    texts = {
        operator: clause_texts(specs, operator)
        for operator in dict.fromkeys(case.operator for case in run.cases)
    }
    gate = None if standard == DEFAULT_STANDARD else standard
    ran = Ran(run.tier, run.edition, gate, run.device.fault)
    return {
        verdict.case: tell_story(cases[verdict.case], verdict, texts[verdict.operator], ran)
        for verdict in verdicts
        if verdict.verdict not in (Verdict.PASS, Verdict.CONTESTED_ONLY)
    }
