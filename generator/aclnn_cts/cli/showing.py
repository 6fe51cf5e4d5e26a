# SPDX-License-Identifier: Apache-2.0
"""How a command that judged a run ends: with stories, a summary and the exit status."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import typer

from aclnn_cts.console import PlainConsole
from aclnn_cts.report.document import ResultsDocument
from aclnn_cts.report.first_broken import first_broken
from aclnn_cts.report.model import Report
from aclnn_cts.report.overview import outcome_line
from aclnn_cts.report.results import document_of
from aclnn_cts.report.table import summary
from aclnn_cts.run.executor import found_no_device
from aclnn_cts.run.folder_lock import REPORT_FILES
from aclnn_cts.run.journal import read_journal
from aclnn_cts.run.resume import where_lost, why_refused

_STORIES_SHOWN = 5


def show_and_exit(report: Report) -> NoReturn:
    """Print what a person must know about a judged run, and end with its exit status."""
    _show(report, report.run.path)
    raise typer.Exit(int(report.exit_code))


def _show(report: Report, folder: Path) -> None:
    console = PlainConsole()
    document = document_of(report)
    told = _in_order(report, document)
    for case in told[:_STORIES_SHOWN]:
        console.print(report.stories[case], markup=False, soft_wrap=True)
        console.print()
    hidden = len(told) - _STORIES_SHOWN
    if hidden > 0:
        command = f"pytest {folder}{' --enforce' if report.enforce else ''}"
        console.print(f"… and {hidden} more; `{command}` shows each")
    console.print(summary(report), crop=False)  # ids stay whole, however long they are
    for text in _given_up(folder):
        console.print(text, markup=False, soft_wrap=True)
    for name in REPORT_FILES:
        console.print(f"{folder / name}", markup=False, soft_wrap=True)
    console.print(outcome_line(document), soft_wrap=True)


def _in_order(report: Report, document: ResultsDocument) -> list[str]:
    """Return the cases that have a story: the first one of each broken promise, then the others."""
    first = [each.cases[0].id for each in first_broken(document.cases)]
    told = dict.fromkeys((*first, *report.stories))
    return [case for case in told if case in report.stories and case not in report.waived]


def _given_up(folder: Path) -> Iterator[str]:
    """Yield why each device was given up, and in which case it was lost."""
    programs = read_journal(folder).programs
    for program in filter(found_no_device, programs):
        place = where_lost(programs, program)
        text = f"device {program.device} was given up: {why_refused(program)}"
        yield f"{text}; {place}" if place else text
