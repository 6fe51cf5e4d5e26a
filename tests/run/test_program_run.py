# SPDX-License-Identifier: Apache-2.0
"""What is recorded of a process: what it was started for, and what it left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.run.executor import Batch, Task
from aclnn_cts.run.process import ProcessFiles, ProgramRun
from aclnn_cts.run.schedule import Assignment, Purpose

OPERATOR = "aclnnLogitGrad"


@pytest.mark.parametrize("company", [(), ("a",), ("a", "b")])
def test_a_case_that_is_run_again_is_the_last_one(bench: Any, company: tuple[str, ...]) -> None:
    """The process is about it, and what runs before it is its company."""
    cases = tuple(bench.case(name, [0.5], [1.0]) for name in (*company, "suspect"))
    purpose: Purpose = "company" if company else "alone"
    work = Task(Batch("again", OPERATOR, cases), purpose).assignment
    assert work == Assignment(OPERATOR, "again", 0, purpose, "suspect", company)


def test_a_batch_is_about_no_case(bench: Any) -> None:
    """All of its cases are due alike, in each process that works at it."""
    task = Task(Batch("batch", OPERATOR, (bench.case("a", [0.5], [1.0]),)), part=2)
    assert task.assignment == Assignment(OPERATOR, "batch", 2, "batch", "", ())


def test_what_a_process_left_that_was_cut_off_is_vouched_for(tmp_path: Path) -> None:
    """Nobody noted how it ended; but what is kept of it cannot change unnoticed."""
    files = ProcessFiles.of(tmp_path, "batch")
    files.events.parent.mkdir()
    files.events.write_text("{}\n")
    program = ProgramRun.of_interruption(Assignment(OPERATOR, "batch"), files, "a")
    assert (program.exit_code, program.timed_out, program.cut) == (None, False, "a")
    assert program.find_altered() is None
    files.events.write_text("{}")
    assert program.find_altered() == files.events
