# SPDX-License-Identifier: Apache-2.0
"""How a command that judged a run ends: with stories, a summary and the exit status."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import typer

from aclnn_cts.console import PlainConsole
from aclnn_cts.report.model import Report
from aclnn_cts.report.overview import outcome_line
from aclnn_cts.report.results import document_of
from aclnn_cts.report.table import summary
from aclnn_cts.run.claim import REPORT_FILES
from aclnn_cts.run.execute import found_no_device
from aclnn_cts.run.journal import read_journal
from aclnn_cts.run.lost import where_lost, why_refused

_STORIES_SHOWN = 5


def show_and_exit(report: Report) -> NoReturn:
    """Print what a person must know about a judged run, and end with its exit status."""
    _show(report, report.run.path)
    raise typer.Exit(int(report.exit_code))


def _show(report: Report, folder: Path) -> None:
    console = PlainConsole()
    stories = [story for case, story in report.stories.items() if case not in report.waived]
    for story in stories[:_STORIES_SHOWN]:
        console.print(story, markup=False, soft_wrap=True)
        console.print()
    hidden = len(stories) - _STORIES_SHOWN
    if hidden > 0:
        console.print(f"… and {hidden} more; `pytest {folder}` shows each")
    console.print(summary(report), crop=False)  # ids stay whole, however long they are
    for text in _given_up(folder):
        console.print(text, markup=False, soft_wrap=True)
    for name in REPORT_FILES:
        console.print(f"{folder / name}", markup=False, soft_wrap=True)
    console.print(outcome_line(document_of(report)), soft_wrap=True)


def _given_up(folder: Path) -> Iterator[str]:
    """Yield why each device was given up, and in which case it was lost."""
    programs = read_journal(folder).programs
    for program in filter(found_no_device, programs):
        place = where_lost(programs, program)
        text = f"device {program.device} was given up: {why_refused(program)}"
        yield f"{text}; {place}" if place else text
